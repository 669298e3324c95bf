package httpserver

import (
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
)

// The headers with which a client names its request, and the server its reply.
const (
	RequestIDHeader   = "X-Request-Id"
	TraceparentHeader = "Traceparent" // of W3C's Trace Context
)

// maxRequestID bounds the bytes of a client's id. A longer one is replaced.
const maxRequestID = 128

// ids name a request in the log and in the reply's headers.
type ids struct {
	request string // the client's, or a new one
	trace   string // the client's, or a new one: 32 digits
	span    string // of this request: 16 digits
	flags   string // the client's: 2 digits
}

// identify returns the ids of a request. What a client sends in another form is as if it were not
// there: ids are no reason to refuse work.
func identify(header http.Header) ids {
	id := ids{request: header.Get(RequestIDHeader), flags: "00", span: randomHex(1)}
	if trace, flags, valid := parseTraceparent(header.Get(TraceparentHeader)); valid {
		id.trace, id.flags = trace, flags
	} else {
		id.trace = randomHex(2)
	}
	if id.request == "" || len(id.request) > maxRequestID || strings.ContainsFunc(id.request, func(r rune) bool { return r <= ' ' || r > '~' }) {
		id.request = randomHex(2)
	}
	return id
}

// randomHex returns the digits of n random numbers of 64 bits. The chance that one is all zeros,
// which is no id, does not count.
func randomHex(n int) string {
	raw := make([]byte, 0, 16)
	for range n {
		raw = binary.BigEndian.AppendUint64(raw, rand.Uint64())
	}
	return hex.EncodeToString(raw)
}

// parseTraceparent reads VERSION-TRACE-SPAN-FLAGS. A version after 00 may have more behind a dash.
func parseTraceparent(text string) (trace, flags string, valid bool) {
	const length = 2 + 1 + 32 + 1 + 16 + 1 + 2
	if len(text) < length || len(text) > length && (text[:2] == "00" || text[length] != '-') {
		return "", "", false
	}
	parts := strings.Split(text[:length], "-")
	if len(parts) != 4 || parts[0] == "ff" {
		return "", "", false
	}
	for i, n := range [...]int{2, 32, 16, 2} {
		if len(parts[i]) != n || strings.Trim(parts[i], "0123456789abcdef") != "" {
			return "", "", false
		}
	}
	if strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "" {
		return "", "", false
	}
	return parts[1], parts[3], true
}

// set adds the ids to the headers of a reply.
func (id *ids) set(header http.Header) {
	header[RequestIDHeader] = []string{id.request}
	header[TraceparentHeader] = []string{"00-" + id.trace + "-" + id.span + "-" + id.flags}
}

// attributes returns the ids for the log, by OpenTelemetry's names.
func (id *ids) attributes() []slog.Attr {
	return []slog.Attr{slog.String("request_id", id.request), slog.String("trace_id", id.trace), slog.String("span_id", id.span)}
}
