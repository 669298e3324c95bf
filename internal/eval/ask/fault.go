package ask

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxRetryAfter = 10 * time.Minute // a longer Retry-After ends the run
	maxQuoted     = 300              // bytes of a server's message in errors
)

// A fault is why a request failed.
type fault struct {
	err        error
	kind       faultKind
	retryAfter time.Duration // the server's Retry-After, or 0
	// slow says that the request timed out. A request for fewer samples takes
	// less time.
	slow bool
	// unknown says that the model's name or the base URL may be the reason.
	unknown bool
}

type faultKind uint8

const (
	transient faultKind = iota // a retry may succeed
	permanent                  // this request will never succeed
	fatal                      // and neither will any other
	unreached                  // no server was reached: transient, but fatal if it persists
	fewer                      // permanent, unless the request is for fewer samples
	renamed                    // permanent, unless max_completion_tokens is sent
)

// ErrNoKey is in the error of a run that was refused because it sent no key.
var ErrNoKey = errors.New("no key was sent")

func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// transportFault returns the fault of a request without a complete response.
func (c *client) transportFault(ctx context.Context, err error) *fault {
	err = withoutURL(err)
	var (
		certificate *tls.CertificateVerificationError
		name        x509.HostnameError
		record      tls.RecordHeaderError
		network     *net.OpError
	)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &fault{err: fmt.Errorf("expected the whole answer within %v", c.options.Timeout), slow: true}
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return &fault{err: fmt.Errorf("%w (is this a server for http://, not https://?)", err), kind: fatal}
	case err.Error() == "net/http: TLS handshake timeout" && !c.heard.Load():
		// llama.cpp's server does not answer to TLS.
		return &fault{err: fmt.Errorf("%w (is this a server for http://, not https://?)", err), kind: unreached}
	case errors.As(err, &certificate), errors.As(err, &name):
		return &fault{err: err, kind: fatal}
	case errors.As(err, &network) && (network.Op == "dial" || network.Op == "proxyconnect"):
		return &fault{err: err, kind: unreached}
	}
	return &fault{err: err}
}

// statusFault returns the fault of a response that is not 200 OK.
func (c *client) statusFault(response *http.Response, text []byte, n int) *fault {
	code := response.StatusCode
	message := c.errorMessage(text)
	err := fmt.Errorf("expected 200 OK, found %d %s", code, http.StatusText(code))
	if message != "" {
		err = fmt.Errorf("%w: %s", err, message)
	}
	f := &fault{err: err}
	switch {
	case code/100 == 3:
		to := "nowhere"
		if location, err := response.Location(); err == nil {
			to = shown(location)
		}
		f.err = fmt.Errorf("%w: redirects are not followed, and this one is to %s", f.err, to)
		f.kind = fatal
	case code == http.StatusNotFound, code == http.StatusMethodNotAllowed:
		f.unknown = true
		f.kind = fatal
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		if c.options.Key == "" {
			f.err = fmt.Errorf("%w: %w", f.err, ErrNoKey)
		}
		f.kind = fatal
	case code == http.StatusPaymentRequired, code == http.StatusGone,
		code == http.StatusTooManyRequests && bytes.Contains(text, []byte("insufficient_quota")):
		f.kind = fatal
	case code == http.StatusBadRequest && bytes.Contains(text, []byte("max_completion_tokens")):
		f.kind = renamed
	case code == http.StatusBadRequest && refusedField(text) == "temperature":
		// OpenAI's thinking models have a fixed temperature. The user must
		// choose it, as samples depend on it.
		f.err = fmt.Errorf(`%w (try --temperature 1, or --extra '{"temperature": null}' to send none)`, f.err)
		f.kind = fatal
	case n > 1 && (code == http.StatusBadRequest || code == http.StatusUnprocessableEntity || code == http.StatusNotImplemented),
		// Older versions of llama.cpp say "Only one completion choice is
		// allowed". Newer ones allow as many as they have slots.
		n > 1 && code == http.StatusInternalServerError && strings.Contains(message, "choice"):
		f.kind = fewer
	case code == http.StatusRequestTimeout, code == http.StatusConflict, code == http.StatusTooEarly,
		code == http.StatusTooManyRequests, code >= 500:
		f.retryAfter = retryAfter(response.Header, time.Now())
		if f.retryAfter > maxRetryAfter {
			f.err = fmt.Errorf("%w: the server asks to be left alone for %v: go on after that", f.err, f.retryAfter.Round(time.Second))
			f.kind = fatal
		}
	default:
		f.unknown = code == http.StatusBadRequest // LiteLLM and others refuse an unknown model so
		f.kind = permanent
	}
	return f
}

// refusedField returns the field of a request that OpenAI's model does not
// accept, or not with this value.
func refusedField(text []byte) string {
	var response struct {
		Error struct {
			Param string          `json:"param"`
			Code  json.RawMessage `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(text, &response) != nil {
		return ""
	}
	switch string(response.Error.Code) {
	case `"unsupported_value"`, `"unsupported_parameter"`:
		return response.Error.Param
	}
	return ""
}

// retryAfter returns how long the server asks to wait, or 0. It reads
// Retry-After in seconds or as a date, OpenAI's retry-after-ms, and the time
// after which an exhausted limit is reset, as in 1m30.5s.
func retryAfter(header http.Header, now time.Time) time.Duration {
	const forever = 365 * 24 * time.Hour // long enough, and does not overflow
	number := func(text string, unit time.Duration) (time.Duration, bool) {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(n >= 0) {
			return 0, false
		}
		return time.Duration(min(n*float64(unit), float64(forever))), true
	}
	if wait, ok := number(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	after := header.Get("Retry-After")
	if wait, ok := number(after, time.Second); ok {
		return wait
	}
	if date, err := http.ParseTime(after); err == nil {
		return max(date.Sub(now), 0)
	}
	var wait time.Duration
	for _, of := range []string{"Requests", "Tokens"} {
		if header.Get("X-Ratelimit-Remaining-"+of) == "0" {
			reset, err := time.ParseDuration(header.Get("X-Ratelimit-Reset-" + of))
			if err == nil {
				wait = max(wait, reset)
			}
		}
	}
	return min(wait, forever)
}

// errorMessage extracts the message from a server's error response:
//
//	{"error": {"message": "..."}}                      OpenAI, vLLM, llama.cpp
//	{"error": "..."}                                   Ollama
//	{"object": "error", "message": "..."}              older vLLM
//	{"detail": "..."} or {"detail": [{"msg": "..."}]}  FastAPI
//
// Any other text is returned as it is.
func (c *client) errorMessage(text []byte) string {
	text = bytes.TrimSpace(text)
	var top map[string]json.RawMessage
	if json.Unmarshal(text, &top) == nil {
		for _, name := range []string{"error", "message", "detail"} {
			if message := innerMessage(top[name]); message != "" {
				return c.brief(message)
			}
		}
	}
	return c.brief(string(text))
}

func innerMessage(value json.RawMessage) string {
	var (
		text   string
		object struct {
			Message string `json:"message"`
			Msg     string `json:"msg"`
		}
		list []json.RawMessage
	)
	switch {
	case json.Unmarshal(value, &text) == nil:
		return text
	case json.Unmarshal(value, &object) == nil && object.Message+object.Msg != "":
		return object.Message + object.Msg
	case json.Unmarshal(value, &list) == nil && len(list) > 0 && json.Unmarshal(list[0], &object) == nil:
		return object.Message + object.Msg
	}
	return ""
}

// brief shortens a server's message to a line of a terminal. It removes the key
// first, as shortening could leave a part of the key.
func (c *client) brief(text string) string {
	if c.options.Key != "" {
		text = strings.ReplaceAll(text, c.options.Key, "***")
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	cut := ""
	if len(text) > maxQuoted {
		end := maxQuoted
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text, cut = text[:end], "…"
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, text) + cut
}

// A scrubbedError is an error without the key in its text.
type scrubbedError struct {
	error
	text string
}

func (e *scrubbedError) Error() string { return e.text }
func (e *scrubbedError) Unwrap() error { return e.error }

// scrub removes the key from an error, as servers may quote a key that they
// refuse.
func (c *client) scrub(err error) error {
	if c.options.Key == "" || !strings.Contains(err.Error(), c.options.Key) {
		return err
	}
	return &scrubbedError{err, strings.ReplaceAll(err.Error(), c.options.Key, "***")}
}
