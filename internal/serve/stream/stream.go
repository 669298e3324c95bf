// Package stream reads a request a line and writes a reply a line. `codelinter stream` does this
// between standard input and standard output, as a child of another program.
//
//	err := stream.Run(ctx, service, os.Stdin, os.Stdout, stream.Options{})
//
// # What is promised
//
// Each line that is not blank has exactly one reply. A line that is not a request, or is
// too long to be one, is answered with its number and what was expected. A stream ends only
// with the end of its input, a closed output, or the context. Requests that were read are
// answered first.
//
// Replies come as they are ready, or with [Options.Ordered] in the order of the lines. A
// reply is written at once if nothing else is being written. Replies that become ready
// during a write are written together after it. So no reply waits for more input.
//
// The requests in flight are bounded, in lines and, by the service's room, in bytes. At the bound
// no line is read until a reply has been written. So a client must read while it writes, or both
// sides wait for ever.
package stream

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"sync"

	"golang.org/x/sync/semaphore"

	"codelinter/internal/rows"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
)

// Options configure a stream. The zero value has good defaults.
type Options struct {
	Ordered  bool // replies in the order of the lines
	MaxLine  int  // bound on the bytes of a line; a longer line is answered, but not kept; 0: [DefaultMaxLine]
	Defaults api.Defaults
	// Unread is closed when nobody reads the output any more, if that is known before a write
	// fails: no reply may be ready for minutes.
	Unread <-chan struct{}
}

// DefaultMaxLine is the default bound on the bytes of a line: a thousand answers of sixty
// kilobytes.
const DefaultMaxLine = 64 << 20

// DefaultMaxQueue is the recommended room of a service for one stream. A single request with
// more findings may take as much again.
const DefaultMaxQueue = 128 << 20

// flightLines bounds the lines that are read but not answered. lineBytes is the memory of each,
// without its request.
const (
	flightLines = 4096
	lineBytes   = 2 << 10
)

// Run answers the lines of in on out, by s, until the end of in. It returns the error of in or
// of out, or the cause with which ctx ended. All lines that were read are answered, unless out
// fails: Run then returns at once, though a read of in may go on.
//
// If in does not return when ctx ends, Run waits for it.
func Run(ctx context.Context, s *service.Service, in io.Reader, out io.Writer, o Options) error {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	// When ctx ends, requests in flight are still answered. They are dropped only if nobody
	// reads the answers.
	working, drop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer drop(nil)
	r := &run{
		service: s,
		options: o,
		ctx:     working,
		lines:   semaphore.NewWeighted(flightLines),
		out:     newWriter(out, drop),
	}
	go func() {
		select {
		case <-o.Unread:
			r.out.fail(errUnread)
		case <-working.Done():
		}
	}()
	read := make(chan error, 1)
	go func() { read <- r.read(ctx, in) }()
	var err error
	select {
	case err = <-read:
	case <-working.Done():
		go func() { // when the current read returns
			<-read
			r.answering.Wait()
			r.out.close()
		}()
		return r.out.failure()
	}
	r.answering.Wait()
	if failed := r.out.close(); failed != nil {
		return failed
	}
	if err == nil || err == io.EOF {
		err = context.Cause(ctx)
	}
	return err
}

type run struct {
	service   *service.Service
	options   Options
	ctx       context.Context // ends when nobody reads replies
	lines     *semaphore.Weighted
	answering sync.WaitGroup
	out       *writer
}

// read reads lines and starts answering them, until the end of in or of ctx.
func (r *run) read(ctx context.Context, in io.Reader) error {
	lines := rows.NewLineReader(in, 256<<10, r.options.MaxLine)
	for number := 1; ; number++ {
		line, err := lines.Next()
		if err != nil {
			return err
		}
		line = bytes.TrimSuffix(line, []byte{'\n'})
		tooLong := len(line) > r.options.MaxLine
		if !tooLong && len(api.Trim(line)) == 0 {
			continue
		}
		// Lines are read one at a time. So the memory for a line whose cost is not known yet is
		// bounded without the room, by some times its length.
		var request api.Request
		reply := &api.Reply{Line: number}
		if tooLong {
			reply.Error = fmt.Sprintf("expected a line of %d bytes at most, found a longer one", r.options.MaxLine)
		} else if request, err = decode(line, r.options.Defaults); err != nil {
			reply.Error = err.Error()
			request = api.Request{ID: request.ID}
		}
		hold := r.service.Hold()
		err = hold.Wait(r.ctx, lineBytes+r.service.Cost(&request))
		switch {
		case errors.Is(err, service.ErrTooLarge):
			reply.Error = err.Error()
			request = api.Request{ID: request.ID}
		case err != nil:
			return nil // the output has failed
		}
		if r.lines.Acquire(r.ctx, 1) != nil {
			return nil
		}
		slot := r.out.slot(r.options.Ordered)
		finish := func(reply *api.Reply) {
			r.out.put(slot, reply, func() {
				hold.Release()
				r.lines.Release(1)
			})
		}
		reply.ID = request.ID
		if reply.Error != "" {
			finish(reply)
		} else {
			r.answering.Go(func() { r.answer(number, &request, hold, slot, finish) })
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// decode is [api.Decode], with a panic of ours as an error.
func decode(line []byte, defaults api.Defaults) (request api.Request, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			request, err = api.Request{}, fmt.Errorf("panic: %v", fault)
		}
	}()
	return api.Decode(line, defaults)
}

// answer answers a request. Requests take turns, so a long one does not delay those after it.
func (r *run) answer(line int, request *api.Request, hold *service.Hold, slot *slot, finish func(*api.Reply)) {
	reply, err := r.service.DoIn(r.ctx, strconv.Itoa(line), request, hold)
	if errors.Is(err, service.ErrBusy) {
		// The request has more findings than there is room for beside the other requests. This
		// client cannot be told to come again, so the request is repeated with room of its own. If
		// replies are in order, a request must not take that room while it waits for others to be
		// written.
		if slot.turn != nil {
			<-slot.turn
		}
		if err = hold.Alone(r.ctx); err == nil {
			reply, err = r.service.DoIn(r.ctx, strconv.Itoa(line), request, hold)
		}
	}
	if err != nil {
		reply = api.Reply{ID: request.ID, Line: line, Error: err.Error()}
	}
	finish(&reply)
}

// A writer writes replies. Those that are ready while it writes are written together. A reply
// becomes JSON only when it is written, as JSON takes more memory.
type writer struct {
	to       io.Writer
	failed   func(error) // called with the first error
	queue    chan *slot  // has room for all replies in flight
	finished chan struct{}

	mu  sync.Mutex
	err error
}

// A slot is the place of a reply in the queue. A slot in order is there from the start, others
// when their reply is ready.
type slot struct {
	reply   *api.Reply
	written func()        // called when the reply is written
	ready   chan struct{} // in order: closed when the reply is there
	turn    chan struct{} // in order: closed when all replies before are written
}

var (
	errOutput = errors.New("the output is at fault")
	errUnread = errors.New("nobody reads the output")
)

func newWriter(to io.Writer, failed func(error)) *writer {
	w := &writer{to: to, failed: failed, queue: make(chan *slot, flightLines), finished: make(chan struct{})}
	go w.write()
	return w
}

// slot returns the next place, in order if that matters.
func (w *writer) slot(ordered bool) *slot {
	s := &slot{}
	if ordered {
		s.ready, s.turn = make(chan struct{}), make(chan struct{})
		w.queue <- s
	}
	return s
}

// put puts a reply in its slot. written is called when it is written.
func (w *writer) put(s *slot, reply *api.Reply, written func()) {
	s.reply, s.written = reply, written
	if s.ready != nil {
		close(s.ready)
	} else {
		w.queue <- s
	}
}

// mostReplies bounds the replies that are written together.
const mostReplies = 256

// write writes until the queue is closed and everything is written. After an error it drops
// replies, so that nobody waits for them.
func (w *writer) write() {
	defer close(w.finished)
	out := bufio.NewWriterSize(w, 64<<10)
	var together []*slot
	flush := func() {
		out.Flush()
		for i, s := range together {
			s.written()
			together[i] = nil
		}
		together = together[:0]
	}
	defer flush()
	for {
		if len(w.queue) == 0 {
			// Goroutines that can run now may have replies too. For short requests this saves
			// three of four writes.
			runtime.Gosched()
		}
		if len(w.queue) == 0 || len(together) == mostReplies {
			flush()
		}
		s, more := <-w.queue
		if !more {
			return
		}
		if s.ready != nil {
			select {
			case <-s.ready:
			default:
				flush()
			}
			close(s.turn)
			<-s.ready
		}
		api.WriteReply(out, s.reply)
		out.WriteByte('\n')
		s.reply = nil
		together = append(together, s)
	}
}

// Write writes to the output, unless that has failed.
func (w *writer) Write(p []byte) (int, error) {
	if w.failure() != nil {
		return len(p), nil
	}
	if _, err := w.to.Write(p); err != nil {
		w.fail(err)
	}
	return len(p), nil
}

func (w *writer) fail(err error) {
	w.mu.Lock()
	w.err = cmp.Or(w.err, err)
	w.mu.Unlock()
	w.failed(errOutput)
}

func (w *writer) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// close writes the remaining replies and returns the first error.
func (w *writer) close() error {
	close(w.queue)
	<-w.finished
	return w.err
}
