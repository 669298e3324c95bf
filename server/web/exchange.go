package web

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

	"codelinter/internal/pyjson"
	"codelinter/server/api"
	"codelinter/server/service"
)

// An exchange is one request and its reply, which is one call of send.
type exchange struct {
	server  *Server
	writer  http.ResponseWriter
	request *http.Request
	control *http.ResponseController
	began   time.Time

	status  int // of the reply; 0 before it
	sent    int // bytes of it
	problem string
	asked   int // completions or files
	held    int64
}

// end is deferred: it answers if a panic of ours kept the handler from that, counts, and
// logs.
func (x *exchange) end(route string) {
	if fault := recover(); fault != nil {
		x.server.metrics.panics.Inc()
		x.server.options.Log.Error("panic", "route", route, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
		if x.status == 0 {
			x.fail(http.StatusInternalServerError, "an error of ours, which is logged")
		}
	}
	x.release()
	took := time.Since(x.began)
	x.server.metrics.request(route, x.status, took)
	level := slog.LevelDebug
	switch {
	case x.status >= 500 && x.status != http.StatusServiceUnavailable:
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
	errHeld  = &bodyError{http.StatusServiceUnavailable, "too much is being read"}
	errSlow  = &bodyError{http.StatusRequestTimeout, "expected the body in less time"}
	bodyPool sync.Pool // of *buffer
	gzipPool sync.Pool // of *gzip.Reader
)

// keptBody is the longest buffer that is kept for another body.
const keptBody = 1 << 20

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
	counted := &countingReader{from: x.request.Body}
	var from io.Reader = counted
	squeezed := false
	switch encoding := strings.ToLower(strings.TrimSpace(x.request.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		squeezed = true
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
	defer func() {
		memory.text = text
		if err != nil {
			recycle(memory)
		}
	}()
	room := int64(least)
	if n := x.request.ContentLength; n > 0 && !squeezed && n <= keptBody {
		room = n + 1 // what is promised, but small, is given ahead
	}
	for {
		if int64(cap(text)) < room {
			if !x.hold(room) {
				return nil, errHeld
			}
			text = append(make([]byte, 0, room), text...)
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

// hold takes room for a body of some bytes, and reports whether there is any.
func (x *exchange) hold(bytes int64) bool {
	more := bytes - x.held
	if more <= 0 {
		return true
	}
	if x.server.held.Add(more) > x.server.options.MaxHeld {
		x.server.held.Add(-more)
		return false
	}
	x.held = bytes
	return true
}

// release gives the room of the body back.
func (x *exchange) release() {
	x.server.held.Add(-x.held)
	x.held = 0
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
	return &bodyError{http.StatusBadRequest, fmt.Sprintf("expected a body of %d bytes, found %d and then: %v", x.request.ContentLength, counted.n, err)}
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

// read has decode read the body, from which it keeps nothing. It answers, and returns
// false, if there is no body or decode has an error.
func (x *exchange) read(decode func(body []byte) error) bool {
	body, err := x.body()
	if err != nil {
		var failed *bodyError
		if !errors.As(err, &failed) {
			failed = &bodyError{http.StatusBadRequest, err.Error()}
		}
		// What is left of the body is not waited for.
		x.writer.Header().Set("Connection", "close")
		if failed.status == http.StatusServiceUnavailable {
			x.busy(failed.problem)
		} else {
			x.fail(failed.status, failed.problem)
		}
		return false
	}
	began := time.Now()
	err = decode(body.text)
	x.server.metrics.stage("decode", time.Since(began))
	if err != nil {
		x.fail(http.StatusBadRequest, describe(err, body.text))
	} else if x.server.options.LogAnswers {
		x.server.options.Log.Info("answers", "path", x.request.URL.Path, "body", string(body.text))
	}
	recycle(body)
	return err == nil
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
	ctx, cancel := context.WithCancel(context.WithoutCancel(x.request.Context()))
	defer cancel()
	defer context.AfterFunc(x.request.Context(), func() { time.AfterFunc(halfClosed, cancel) })()
	reply, err := x.server.service.Do(ctx, clientOf(x.request), request)
	switch {
	case err == nil:
		x.problem = firstError(reply.Scores)
		return reply, true
	case errors.Is(err, service.ErrBusy), errors.Is(err, service.ErrClosed):
		x.busy(err.Error())
	default:
		x.busy("the request was given up: " + err.Error())
	}
	return reply, false
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
	x.fail(http.StatusServiceUnavailable, problem)
}

// json answers with JSON.
func (x *exchange) json(body []byte) { x.send(http.StatusOK, "application/json", body) }

// leastGzip is the length of a body below which it is not compressed.
const leastGzip = 1400

var gzipWriters = sync.Pool{New: func() any {
	writer, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		panic(err) // there is such a level
	}
	return writer
}}

// send answers. It gives the client its time to read.
func (x *exchange) send(status int, contentType string, body []byte) {
	began := time.Now()
	x.control.SetWriteDeadline(began.Add(x.server.options.WriteTimeout))
	header := x.writer.Header()
	header.Set("Content-Type", contentType)
	if len(body) >= leastGzip {
		header.Add("Vary", "Accept-Encoding")
		if acceptsGzip(x.request.Header.Get("Accept-Encoding")) {
			var squeezed bytes.Buffer
			writer := gzipWriters.Get().(*gzip.Writer)
			writer.Reset(&squeezed)
			writer.Write(body)
			writer.Close()
			gzipWriters.Put(writer)
			header.Set("Content-Encoding", "gzip")
			body = squeezed.Bytes()
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	x.status = status
	x.writer.WriteHeader(status)
	if x.request.Method != http.MethodHead {
		x.sent, _ = x.writer.Write(body)
		// What fits no buffer is on its way already; the rest has the same time to get there.
		x.control.Flush()
	}
	x.server.metrics.stage("write", time.Since(began))
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
