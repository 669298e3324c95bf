package httpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
)

// An exchange is one request with its reply, for which send is called once.
type exchange struct {
	server  *Server
	writer  http.ResponseWriter
	request *http.Request
	control *http.ResponseController
	began   time.Time
	ids     ids

	again   int // the status that makes the client try again; 0: 503
	status  int // of the reply; 0 before it
	sent    int // bytes of the reply, before compression
	problem string
	asked   int           // completions or files
	hold    *service.Hold // the request's part of the service's room
	whole   bool          // the body was read to its end
}

// end is deferred. It answers after a panic in the handler, counts the request, and logs.
func (x *exchange) end(route string) {
	if fault := recover(); fault == http.ErrAbortHandler { // see cut
		defer panic(fault)
	} else if fault != nil {
		x.server.metrics.panics.Inc()
		x.log(slog.LevelError, "panic", slog.String("route", route), slog.String("fault", fmt.Sprint(fault)), slog.String("stack", string(debug.Stack())))
		if x.status == 0 {
			status := http.StatusInternalServerError
			if x.again != 0 {
				status = x.again
			}
			x.fail(status, "an error of ours, which is logged")
		}
	}
	x.hold.Release()
	took := time.Since(x.began)
	x.server.metrics.request(route, x.status, took)
	level := slog.LevelDebug
	switch {
	case x.status >= 500 && x.status != http.StatusServiceUnavailable && x.status != http.StatusGatewayTimeout:
		level = slog.LevelError
	case x.problem != "":
		level = slog.LevelWarn
	}
	x.log(level, "request",
		slog.String("route", route), slog.Int("status", x.status), slog.Float64("milliseconds", milliseconds(took)),
		slog.Int("asked", x.asked), slog.Int("bytes", x.sent), slog.String("client", x.request.RemoteAddr), slog.String("problem", x.problem))
}

// log writes a line about the request, with its ids.
func (x *exchange) log(level slog.Level, message string, attributes ...slog.Attr) {
	log, ctx := x.server.options.Log, x.request.Context()
	if log.Enabled(ctx, level) {
		log.LogAttrs(ctx, level, message, append(attributes, x.ids.attributes()...)...)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// # Bodies

// A bodyError says why there is no body, with the status of the reply.
type bodyError struct {
	status  int
	problem string
}

func (e *bodyError) Error() string { return e.problem }

var errSlow = &bodyError{http.StatusRequestTimeout, "expected the body in less time"}

// keptBuffer bounds the buffers that are reused. promisedBody bounds the buffers that are
// allocated at once for a declared length, as such a body may never arrive.
const (
	keptBuffer   = 128 << 10
	promisedBody = 1 << 20
)

// buffers has memory for bodies and replies. Without it, batches of 64 answers took 1.15
// times as long.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func buffer() []byte { return (*buffers.Get().(*[]byte))[:0] }

func recycle(b []byte) {
	if cap(b) <= keptBuffer {
		buffers.Put(&b)
	}
}

// bombRatio bounds the ratio of a body's length to its compressed length, once the body
// is longer than bombFloor. A text of equal lines has a ratio of some 150, a
// decompression bomb one of 1,000.
const (
	bombRatio = 300
	bombFloor = 1 << 20
)

// body reads the whole body. The caller recycles it.
func (x *exchange) body() (body []byte, err error) {
	x.control.SetReadDeadline(x.began.Add(x.server.options.BodyTimeout))
	defer func() {
		// Otherwise the deadline would end the read by which net/http detects that the
		// client has left.
		if err == nil {
			x.control.SetReadDeadline(time.Time{})
		}
		x.server.metrics.stage("read", time.Since(x.began))
	}()
	if x.request.ContentLength > x.server.options.MaxBody {
		return nil, x.tooLarge()
	}
	if err := x.hold.Set(requestBytes); err != nil {
		return nil, err
	}
	squeezed, err := x.isGzip()
	if err != nil {
		return nil, err
	}
	counted := &countingReader{from: x.request.Body}
	if !squeezed {
		return x.fill(counted, counted, false, requestBytes)
	}
	if err := x.hold.Set(requestBytes + gzipBytes); err != nil {
		return nil, err
	}
	reader, err := gzip.NewReader(counted)
	if err != nil {
		return nil, x.broken(err, counted)
	}
	return x.fill(reader, counted, true, requestBytes+gzipBytes)
}

// fill reads a body. from unpacks what counted reads, if it is squeezed. fixed is what the request
// holds besides the body.
func (x *exchange) fill(from io.Reader, counted *countingReader, squeezed bool, fixed int64) (body []byte, err error) {
	most := x.server.options.MaxBody
	body = buffer()
	if err := x.hold.Set(fixed + int64(cap(body))); err != nil {
		return nil, err
	}
	room := int64(least)
	if n := x.request.ContentLength; n > 0 && !squeezed && n <= promisedBody {
		room = n + 1 // a small declared length is reserved at once
	}
	for {
		if int64(cap(body)) < room {
			if err := x.hold.Set(fixed + room + int64(len(body))); err != nil { // both buffers, while one is copied
				return nil, err
			}
			body = append(make([]byte, 0, room), body...)
			x.hold.Set(fixed + room)
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		size := int64(len(body))
		switch {
		case size > most:
			return nil, x.tooLarge()
		case squeezed && size > bombFloor && size > bombRatio*counted.n:
			return nil, &bodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("expected a body that gzip made at most %d times shorter", bombRatio)}
		case err == io.EOF:
			x.whole = !squeezed || counted.err == io.EOF
			return body, nil
		case err != nil:
			return nil, x.broken(err, counted)
		}
		if len(body) == cap(body) {
			room = min(2*size, most+1)
		}
	}
}

func (x *exchange) isGzip() (bool, error) {
	switch encoding := strings.ToLower(strings.TrimSpace(x.request.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		return false, nil
	case "gzip", "x-gzip":
		return true, nil
	default:
		x.writer.Header().Set("Accept-Encoding", "gzip")
		return false, &bodyError{http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Encoding: expected gzip or none, found %.100q", encoding)}
	}
}

// least is the size of a buffer for a body of unknown length.
const least = 4 << 10

// requestBytes is what a request takes besides its body: headers, buffers and stacks.
// gzipBytes is what decompression takes.
const (
	requestBytes = 16 << 10
	gzipBytes    = 64 << 10
)

func (x *exchange) tooLarge() error {
	return &bodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("expected a body of %d bytes at most", x.server.options.MaxBody)}
}

// broken returns the reason why a body could not be read.
func (x *exchange) broken(err error, counted *countingReader) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlow
	case counted.err == nil || counted.err == io.EOF:
		return &bodyError{http.StatusBadRequest, fmt.Sprintf("expected a body in gzip, as Content-Encoding says: %v", err)}
	}
	expected := "the end of a body in chunks"
	if n := x.request.ContentLength; n >= 0 {
		expected = fmt.Sprintf("a body of %d bytes", n)
	}
	return &bodyError{http.StatusBadRequest, fmt.Sprintf("expected %s, found %d and then: %v", expected, counted.n, err)}
}

// A countingReader counts the bytes that it reads, and keeps the error.
type countingReader struct {
	from io.Reader
	n    int64
	err  error
}

func (r *countingReader) Read(p []byte) (n int, err error) {
	n, err = r.from.Read(p)
	r.n += int64(n)
	if err != nil {
		r.err = err
	}
	return n, err
}

// read reads the body and passes it to decode with the URL's parameters, which must be
// among known. decode returns the bytes that its result takes, and keeps nothing else of
// the body. If there is no body or decode fails, read answers and returns false.
//
// The result may be many times as long as the body, so twice the body's length is held
// before decoding. At most one body per processor is decoded at a time; more would gain
// nothing.
func (x *exchange) read(known []string, decode func(body []byte, query url.Values) (cost int64, err error)) bool {
	body, err := x.body()
	if err == nil {
		defer recycle(body)
		err = x.hold.Set(requestBytes + int64(cap(body)) + int64(len(body)))
	}
	if err == nil {
		err = x.decode(body, known, decode)
	}
	if err != nil {
		x.refuse(err)
		return false
	}
	if x.server.options.LogAnswers {
		x.log(slog.LevelInfo, "answers", slog.String("path", x.request.URL.Path), slog.String("body", string(body)))
	}
	return true
}

// decode waits for its turn, decodes a body, and holds what the result takes.
func (x *exchange) decode(body []byte, known []string, decode func(body []byte, query url.Values) (cost int64, err error)) error {
	began := time.Now()
	x.server.decoding <- struct{}{}
	defer func() { <-x.server.decoding }()
	query, err := x.settings(known)
	cost := int64(0)
	if err == nil {
		cost, err = decode(body, query)
	}
	x.server.metrics.stage("decode", time.Since(began))
	if err == nil {
		return x.hold.Set(requestBytes + cost)
	}
	return describe(err, body)
}

// refuse answers with the reason why there is no body, no room, or no request in the body.
func (x *exchange) refuse(err error) {
	var failed *bodyError
	var invalid *api.Error
	switch {
	case errors.As(err, &failed):
		x.fail(failed.status, failed.problem)
	case errors.Is(err, service.ErrTooLarge), errors.As(err, &invalid) && invalid.TooLarge:
		x.fail(http.StatusRequestEntityTooLarge, err.Error())
	case errors.Is(err, service.ErrBusy), errors.Is(err, service.ErrClosed):
		x.busy(err.Error())
	default:
		x.fail(http.StatusBadRequest, err.Error())
	}
}

// describe adds the line and column of an error in JSON.
func describe(err error, body []byte) error {
	var fault *api.Error
	if !errors.As(err, &fault) || fault.Offset <= 0 || fault.Offset > len(body) {
		return err
	}
	before := body[:fault.Offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%w (line %d, column %d)", err, line, column)
}

// # Work

// do passes a request to the service. On failure it answers and returns false.
func (x *exchange) do(request *api.Request) (reply api.Reply, ok bool) {
	if request.Lint != nil {
		x.asked = len(request.Lint.Files)
	}
	for i := range request.Items {
		x.asked += len(request.Items[i].Completions)
	}
	ctx, cancel := x.working()
	defer cancel()
	reply, err := x.server.service.DoIn(ctx, clientOf(x.request), request, x.hold)
	switch {
	case err == nil:
		x.problem = firstError(reply.Scores)
		return reply, true
	case errors.Is(err, service.ErrBusy), errors.Is(err, service.ErrClosed), errors.Is(err, service.ErrTooLarge):
		x.refuse(err)
	default:
		x.busy("the request was given up: " + err.Error())
	}
	return reply, false
}

// working returns the context of the request's work. It ends some time after the client
// has closed its side.
func (x *exchange) working() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(x.request.Context()))
	stop := context.AfterFunc(x.request.Context(), func() { time.AfterFunc(halfClosed, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

// firstError returns the first error of scores, for the log and for trainers.
func firstError(scores [][]api.Score) string {
	for i := range scores {
		for j := range scores[i] {
			if problem := scores[i][j].Error; problem != "" {
				return problem
			}
		}
	}
	return ""
}

// # Replies

func (x *exchange) fail(status int, problem string) {
	x.problem = problem
	x.send(status, "application/json", append(pyjson.AppendQuoted([]byte(`{"error": `), problem), '}'))
}

// busy tells the client to try again.
func (x *exchange) busy(problem string) {
	x.writer.Header().Set("Retry-After", "1")
	x.server.metrics.busy.Inc()
	status := http.StatusServiceUnavailable
	if x.again != 0 {
		status = x.again
	}
	x.fail(status, problem)
}

func (x *exchange) json(body []byte) { x.send(http.StatusOK, "application/json", body) }

// send answers with a body.
func (x *exchange) send(status int, contentType string, body []byte) {
	x.respond(status, contentType, func(w io.Writer) { w.Write(body) })
}

// respond answers with the output of write. The client has WriteTimeout to read it.
func (x *exchange) respond(status int, contentType string, write func(w io.Writer)) {
	began := time.Now()
	x.control.SetWriteDeadline(began.Add(x.server.options.WriteTimeout))
	header := x.writer.Header()
	header.Set("Content-Type", contentType)
	unread := x.unread()
	if unread {
		// The client may still be sending, see discard. The end of a compressed reply would wait
		// for it.
		x.control.EnableFullDuplex()
		header.Set("Connection", "close")
		x.plain()
	}
	x.status = status
	w := &replyWriter{exchange: x, start: buffer()}
	write(w)
	w.finish()
	recycle(w.start)
	// Parts that fit no buffer are on their way already. The rest has the same deadline.
	x.control.Flush()
	x.server.metrics.stage("write", time.Since(began))
	if unread {
		x.discard()
	}
}

// # Compression
//
// Replies from leastGzip bytes on are compressed for clients that accept it, by gzhttp around all
// handlers.

const leastGzip = 1400

// squeezeBytes is what the compressor of a reply takes.
const squeezeBytes = 1 << 20

// plain has the reply go out without compression.
func (x *exchange) plain() { x.writer.Header().Set(gzhttp.HeaderNoCompression, "1") }

// compress returns a handler that compresses the replies of another one.
func compress(handler http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(leastGzip), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the level exists
	}
	return wrap(handler)
}

// longestStart bounds the part of a body that is kept to find its length.
const longestStart = 64 << 10

// A replyWriter writes a body. A short body is gathered, and its length is in the
// headers. A long one is streamed.
type replyWriter struct {
	exchange *exchange
	start    []byte // the gathered part of a body
	long     bool   // the body is streamed
}

// Write writes a piece.
func (w *replyWriter) Write(p []byte) (int, error) {
	if !w.long {
		w.start = append(w.start, p...)
		if len(w.start) <= longestStart {
			return len(p), nil
		}
		w.long = true
		w.head()
		_, err := bodyWriter{w.exchange}.Write(w.start)
		return len(p), err
	}
	return bodyWriter{w.exchange}.Write(p)
}

// head sends the head of the reply. Without room for a compressor the reply is plain.
func (w *replyWriter) head() {
	x := w.exchange
	if len(w.start) >= leastGzip && x.request.Header.Get("Accept-Encoding") != "" && x.hold.More(squeezeBytes) != nil {
		x.plain()
	}
	x.writer.WriteHeader(x.status)
}

func (w *replyWriter) finish() {
	if !w.long {
		w.exchange.writer.Header().Set("Content-Length", strconv.Itoa(len(w.start)))
		w.head()
		bodyWriter{w.exchange}.Write(w.start)
	}
}

// A bodyWriter writes to the client and counts the bytes.
type bodyWriter struct{ exchange *exchange }

func (w bodyWriter) Write(p []byte) (n int, err error) {
	n, err = w.exchange.writer.Write(p)
	w.exchange.sent += n
	return n, err
}

// # A client that is refused while it sends
//
// Most clients send a whole body before they read. If the server closed the connection
// meanwhile, the system would answer with a reset, and the client would see a broken pipe
// in place of the reply. So the server reads and drops the rest of the body, for a
// bounded time and length.

const (
	longestDiscard = 30 * time.Second
	discardBodies  = 4
)

// unread reports whether the client may still be sending a body.
func (x *exchange) unread() bool {
	if x.whole || x.request.ContentLength == 0 {
		return false
	}
	// A client that waits for 100 Continue sends nothing after another status.
	return x.hold.Has() > 0 || x.request.Header.Get("Expect") == ""
}

// discard reads the rest of the body.
func (x *exchange) discard() {
	x.whole = true
	x.hold.Set(requestBytes)
	x.control.SetReadDeadline(time.Now().Add(min(longestDiscard, x.server.options.BodyTimeout)))
	// A stopping server does not wait for it.
	defer context.AfterFunc(x.server.ending, func() { x.control.SetReadDeadline(time.Now().Add(time.Second)) })()
	io.CopyN(io.Discard, x.request.Body, discardBodies*x.server.options.MaxBody)
}
