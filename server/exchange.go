package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"codelinter/internal/api"
	"codelinter/internal/pyjson"
	"codelinter/internal/service"
)

// An exchange is one request and its reply, which is one call of send.
type exchange struct {
	server  *Server
	writer  http.ResponseWriter
	request *http.Request
	control *http.ResponseController
	began   time.Time

	again   int // the status that has the client come again; 0: 503
	status  int // of the reply; 0 before it
	sent    int // bytes of it
	problem string
	asked   int           // completions or files
	hold    *service.Hold // what the request takes of the service's room
	whole   bool          // nothing of the body is left to be read
}

// end is deferred: it answers if a panic of ours kept the handler from that, counts, and
// logs.
func (x *exchange) end(route string) {
	if fault := recover(); fault != nil {
		x.server.metrics.panics.Inc()
		x.server.options.Log.Error("panic", "route", route, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
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
	log, ctx := x.server.options.Log, x.request.Context()
	if !log.Enabled(ctx, level) {
		return
	}
	log.LogAttrs(ctx, level, "request",
		slog.String("route", route), slog.Int("status", x.status), slog.Float64("milliseconds", milliseconds(took)),
		slog.Int("asked", x.asked), slog.Int("bytes", x.sent), slog.String("client", x.request.RemoteAddr), slog.String("problem", x.problem))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// # Bodies

// A bodyError is why a body cannot be had, and the status that says so.
type bodyError struct {
	status  int
	problem string
}

func (e *bodyError) Error() string { return e.problem }

var (
	errSlow  = &bodyError{http.StatusRequestTimeout, "expected the body in less time"}
	bodyPool sync.Pool // of *buffer
	gzipPool sync.Pool // of *gzip.Reader
)

// keptBody is the longest buffer that is kept for another body, and promisedBody the longest
// that is allocated whole for a body whose length is known: what is promised need not come.
const (
	keptBody     = 128 << 10
	promisedBody = 1 << 20
)

// bombRatio is how many times as long as it came a body may become, once it is longer
// than bombFloor. Text of which all lines are the same comes to some 150; what is made
// to burst comes to 1,000.
const (
	bombRatio = 300
	bombFloor = 1 << 20
)

// A buffer is a body, or memory for another.
type buffer struct{ text []byte }

// body reads the body whole. It is to be recycled.
func (x *exchange) body() (body *buffer, err error) {
	x.control.SetReadDeadline(x.began.Add(x.server.options.BodyTimeout))
	defer func() {
		// Otherwise the deadline would end the reading ahead by which net/http sees that
		// the client is gone.
		if err == nil {
			x.control.SetReadDeadline(time.Time{})
		}
		x.server.metrics.stage("read", time.Since(x.began))
	}()
	most := x.server.options.MaxBody
	if x.request.ContentLength > most {
		return nil, x.tooLarge()
	}
	if err := x.room(requestBytes); err != nil {
		return nil, err
	}
	counted := &countingReader{from: x.request.Body}
	var from io.Reader = counted
	squeezed := false
	fixed := int64(requestBytes)
	switch encoding := strings.ToLower(strings.TrimSpace(x.request.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		squeezed = true
		fixed += gzipBytes
		if err := x.room(fixed); err != nil {
			return nil, err
		}
		reader, _ := gzipPool.Get().(*gzip.Reader)
		if reader == nil {
			reader = new(gzip.Reader)
		}
		defer gzipPool.Put(reader)
		if err := reader.Reset(counted); err != nil {
			return nil, x.broken(err, counted)
		}
		from = reader
	default:
		x.writer.Header().Set("Accept-Encoding", "gzip")
		return nil, &bodyError{http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Encoding: expected gzip or none, found %.100q", encoding)}
	}
	memory, _ := bodyPool.Get().(*buffer)
	if memory == nil {
		memory = new(buffer)
	}
	text := memory.text[:0]
	if err := x.room(fixed + int64(cap(text))); err != nil {
		recycle(memory)
		return nil, err
	}
	defer func() {
		memory.text = text
		if err != nil {
			recycle(memory)
		}
	}()
	room := int64(least)
	if n := x.request.ContentLength; n > 0 && !squeezed && n <= promisedBody {
		room = n + 1 // what is promised, but small, is given ahead
	}
	for {
		if int64(cap(text)) < room {
			if err := x.room(fixed + room + int64(len(text))); err != nil { // both, while one is copied
				return nil, err
			}
			text = append(make([]byte, 0, room), text...)
			x.hold.Set(fixed + room)
		}
		n, err := from.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		size := int64(len(text))
		switch {
		case size > most:
			return nil, x.tooLarge()
		case squeezed && size > bombFloor && size > bombRatio*counted.n:
			return nil, &bodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("expected a body that gzip made at most %d times shorter", bombRatio)}
		case err == io.EOF:
			x.whole = !squeezed || counted.err == io.EOF
			return memory, nil
		case err != nil:
			return nil, x.broken(err, counted)
		}
		if len(text) == cap(text) {
			room = min(2*size, most+1)
		}
	}
}

// least is the size of a buffer for a body whose length is not known.
const least = 4 << 10

func recycle(body *buffer) {
	if cap(body.text) <= keptBody {
		bodyPool.Put(body)
	}
}

// What a request takes beside its body: its headers, which are few, buffers and stacks; and
// what takes gzip apart.
const (
	requestBytes = 16 << 10
	gzipBytes    = 64 << 10
)

// room has the exchange hold so many bytes.
func (x *exchange) room(bytes int64) error {
	if err := x.hold.Set(bytes); err != nil {
		return refusal(err)
	}
	return nil
}

// refusal returns the answer to what the service's room refused.
func refusal(err error) *bodyError {
	if errors.Is(err, service.ErrTooLarge) {
		return &bodyError{http.StatusRequestEntityTooLarge, err.Error()}
	}
	return &bodyError{http.StatusServiceUnavailable, err.Error()}
}

func (x *exchange) tooLarge() error {
	return &bodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("expected a body of %d bytes at most (--max-body)", x.server.options.MaxBody)}
}

// broken says why a body could not be read.
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

// A countingReader counts what it reads, and remembers why it could not go on.
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

// read has decode read the body, from which it keeps nothing but what it returns the cost
// of. It answers, and returns false, if there is no body or decode has an error.
//
// What is decoded may be many times as long as the body. So it is held for once more
// before, and no more bodies are decoded at once than there are processors, which would
// gain nothing.
func (x *exchange) read(decode func(body []byte) (cost int64, err error)) bool {
	body, err := x.body()
	if err != nil {
		x.refuse(err)
		return false
	}
	defer recycle(body)
	length := int64(len(body.text))
	if err := x.room(requestBytes + int64(cap(body.text)) + length); err != nil {
		x.refuse(err)
		return false
	}
	began := time.Now()
	cost, err := x.decode(func() (int64, error) { return decode(body.text) })
	x.server.metrics.stage("decode", time.Since(began))
	var failed *api.Error
	switch {
	case err == nil:
		err = x.room(requestBytes + cost)
	case errors.As(err, &failed) && failed.TooLarge:
		err = &bodyError{http.StatusRequestEntityTooLarge, err.Error()}
	case errors.Is(err, service.ErrTooLarge), errors.Is(err, service.ErrBusy):
		err = refusal(err)
	default:
		err = &bodyError{http.StatusBadRequest, describe(err, body.text)}
	}
	if err != nil {
		x.refuse(err)
		return false
	}
	if x.server.options.LogAnswers {
		x.server.options.Log.Info("answers", "path", x.request.URL.Path, "body", string(body.text))
	}
	return true
}

// decode calls f when it is its turn.
func (x *exchange) decode(f func() (int64, error)) (int64, error) {
	x.server.decoding <- struct{}{}
	defer func() { <-x.server.decoding }()
	return f()
}

// refuse answers with an error of body or of the room.
func (x *exchange) refuse(err error) {
	var failed *bodyError
	if !errors.As(err, &failed) {
		failed = &bodyError{http.StatusBadRequest, err.Error()}
	}
	if failed.status == http.StatusServiceUnavailable {
		x.busy(failed.problem)
	} else {
		x.fail(failed.status, failed.problem)
	}
}

// describe returns the text of an error, with the line and column of JSON that is at
// fault.
func describe(err error, body []byte) string {
	var fault *api.Error
	if !errors.As(err, &fault) || fault.Offset <= 0 || fault.Offset > len(body) {
		return err.Error()
	}
	before := body[:fault.Offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("%v (line %d, column %d)", err, line, column)
}

// # Work

// do has the service do a request. It answers, and returns false, if that cannot be.
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
		x.refuse(refusal(err))
	default:
		x.busy("the request was given up: " + err.Error())
	}
	return reply, false
}

// working returns the context of the request's work, which ends some time after the client has
// closed its side.
func (x *exchange) working() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(x.request.Context()))
	stop := context.AfterFunc(x.request.Context(), func() { time.AfterFunc(halfClosed, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

// firstError returns the first error of scores, which the log and trainers are given.
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

// fail answers with an error.
func (x *exchange) fail(status int, problem string) {
	x.problem = problem
	x.send(status, "application/json", append(pyjson.AppendQuoted([]byte(`{"error": `), problem), '}'))
}

// busy answers that the client should come again.
func (x *exchange) busy(problem string) {
	x.writer.Header().Set("Retry-After", "1")
	x.server.metrics.busy.Inc()
	status := http.StatusServiceUnavailable
	if x.again != 0 {
		status = x.again
	}
	x.fail(status, problem)
}

// json answers with JSON.
func (x *exchange) json(body []byte) { x.send(http.StatusOK, "application/json", body) }

// send answers with a body. It gives the client its time to read.
func (x *exchange) send(status int, contentType string, body []byte) {
	x.respond(status, contentType, func(w io.Writer) { w.Write(body) })
}

// respond answers with what write writes.
func (x *exchange) respond(status int, contentType string, write func(w io.Writer)) {
	began := time.Now()
	x.control.SetWriteDeadline(began.Add(x.server.options.WriteTimeout))
	header := x.writer.Header()
	header.Set("Content-Type", contentType)
	unread := x.unread()
	if unread {
		// The reply goes out while the client still sends, see discard.
		x.control.EnableFullDuplex()
		header.Set("Connection", "close")
	}
	x.status = status
	w := replyPool.Get().(*replyWriter)
	w.exchange = x
	write(w)
	w.finish()
	*w = replyWriter{start: w.start[:0]}
	replyPool.Put(w)
	// What fits no buffer is on its way already; the rest has the same time to get there.
	x.control.Flush()
	x.server.metrics.stage("write", time.Since(began))
	if unread {
		x.discard()
	}
}

// leastGzip is the length of a body below which it is not compressed, and longestStart is
// how much of one is gathered to know how long it is.
const (
	leastGzip    = 1400
	longestStart = 64 << 10
)

// squeezeBytes is what compressing a long body takes.
const squeezeBytes = 1 << 20

// A replyWriter writes a body. One that is short has its length in the headers; of a
// longer one nothing is kept.
type replyWriter struct {
	exchange *exchange
	start    []byte // what was written, until it is too much
	long     bool
	squeeze  *gzip.Writer // of a long body; nil if it goes out as it is
}

var (
	replyPool   = sync.Pool{New: func() any { return new(replyWriter) }}
	gzipWriters = sync.Pool{New: func() any {
		writer, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
		if err != nil {
			panic(err) // there is such a level
		}
		return writer
	}}
)

// Write writes a piece.
func (w *replyWriter) Write(p []byte) (int, error) {
	if !w.long && len(w.start)+len(p) <= longestStart {
		w.start = append(w.start, p...)
		return len(p), nil
	}
	if !w.long {
		w.long = true
		if w.squeezes(len(w.start)+len(p)) && w.exchange.hold.More(squeezeBytes) == nil {
			w.squeeze = gzipWriters.Get().(*gzip.Writer)
			w.squeeze.Reset(bodyWriter{w.exchange})
			w.exchange.writer.Header().Set("Content-Encoding", "gzip")
		}
		w.exchange.writer.WriteHeader(w.exchange.status)
		w.body(w.start)
	}
	return w.body(p)
}

// squeezes reports whether a body of such a length is compressed.
func (w *replyWriter) squeezes(length int) bool {
	if length < leastGzip {
		return false
	}
	w.exchange.writer.Header().Add("Vary", "Accept-Encoding")
	return acceptsGzip(w.exchange.request.Header.Get("Accept-Encoding"))
}

func (w *replyWriter) body(p []byte) (int, error) {
	if w.squeeze != nil {
		return w.squeeze.Write(p)
	}
	return bodyWriter{w.exchange}.Write(p)
}

// finish writes what is left.
func (w *replyWriter) finish() {
	if w.long {
		if w.squeeze != nil {
			w.squeeze.Close()
			gzipWriters.Put(w.squeeze)
		}
		return
	}
	header, body := w.exchange.writer.Header(), w.start
	if w.squeezes(len(body)) {
		var squeezed bytes.Buffer
		writer := gzipWriters.Get().(*gzip.Writer)
		writer.Reset(&squeezed)
		writer.Write(body)
		writer.Close()
		gzipWriters.Put(writer)
		header.Set("Content-Encoding", "gzip")
		body = squeezed.Bytes()
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.exchange.writer.WriteHeader(w.exchange.status)
	bodyWriter{w.exchange}.Write(body)
}

// A bodyWriter writes to the client, and counts what it takes.
type bodyWriter struct{ exchange *exchange }

func (w bodyWriter) Write(p []byte) (n int, err error) {
	if w.exchange.request.Method == http.MethodHead {
		return len(p), nil
	}
	n, err = w.exchange.writer.Write(p)
	w.exchange.sent += n
	return n, err
}

// # A client that is refused while it sends
//
// Most clients send a whole body before they read. If the connection is closed meanwhile,
// the system answers what they send with a reset, which takes the reply from them, too:
// they see a broken pipe, and not why. So what they send is read on, and dropped,
// for as long as a body may take, and some times as much as one may be.

const (
	longestDiscard = 30 * time.Second
	discardBodies  = 4
)

// unread reports whether the client may still be sending a body.
func (x *exchange) unread() bool {
	if x.whole || x.request.ContentLength == 0 {
		return false
	}
	// A client that waits to be told to go on sends nothing after another answer.
	return x.hold.Has() > 0 || x.request.Header.Get("Expect") == ""
}

// discard reads what is left of the body.
func (x *exchange) discard() {
	x.whole = true
	x.hold.Set(requestBytes)
	x.control.SetReadDeadline(time.Now().Add(min(longestDiscard, x.server.options.BodyTimeout)))
	// A server that stops does not wait for it.
	defer context.AfterFunc(x.server.ending, func() { x.control.SetReadDeadline(time.Now().Add(time.Second)) })()
	io.CopyN(io.Discard, x.request.Body, discardBodies*x.server.options.MaxBody)
}

// acceptsGzip reports whether an Accept-Encoding has gzip, and not with q=0.
func acceptsGzip(accepts string) bool {
	for encoding := range strings.SplitSeq(accepts, ",") {
		name, parameters, _ := strings.Cut(encoding, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		_, q, found := strings.Cut(strings.ToLower(parameters), "q=")
		weight, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		return !found || err != nil || weight > 0
	}
	return false
}
