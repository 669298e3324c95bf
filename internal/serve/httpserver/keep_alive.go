package httpserver

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// A keepAlive keeps a client waiting while its program waits and runs. Clients give up when they
// have read nothing for a time, and some then ask again, which doubles the load. But a program
// ends by its counts alone, and how long those take depends on the load. So while a program
// takes longer, the head of its reply is sent, and blanks, which JSON allows before a value.
//
// From then on the status is 200. This is right for every program that ends. If the sandbox
// fails after all, the reply is cut, see [exchange.cut].
type keepAlive struct {
	exchange *exchange

	mu    sync.Mutex
	timer *time.Timer // of the next blank; nil: there is none
	sent  bool        // the head and a blank
	ended bool
}

// keepAlivePeriod is the time from one blank to the next. verl's client waits for ten seconds
// beyond a program's limits.
const keepAlivePeriod = 5 * time.Second

// keepAlive begins one, which must be ended before the reply is sent.
func (x *exchange) keepAlive() *keepAlive {
	p := &keepAlive{exchange: x}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !x.unread() {
		p.timer = time.AfterFunc(keepAlivePeriod, p.writeBlank)
	}
	return p
}

func (p *keepAlive) writeBlank() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	x := p.exchange
	x.control.SetWriteDeadline(time.Now().Add(x.server.options.WriteTimeout))
	if !p.sent {
		p.sent = true
		x.status = http.StatusOK
		x.writer.Header().Set("Content-Type", "application/json")
		x.plain() // a blank is to be seen at once
		x.writer.WriteHeader(x.status)
	}
	bodyWriter{x}.Write([]byte(" "))
	x.control.Flush()
	p.timer.Reset(keepAlivePeriod)
}

// end ends it, and reports whether the head of the reply is sent.
func (p *keepAlive) end() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.timer != nil {
		p.timer.Stop()
	}
	return p.sent
}

// rest sends the rest of a reply whose head is sent.
func (x *exchange) rest(write func(w io.Writer)) {
	began := time.Now()
	x.control.SetWriteDeadline(began.Add(x.server.options.WriteTimeout))
	write(bodyWriter{x})
	x.control.Flush()
	x.server.metrics.stage("write", time.Since(began))
}

// cut ends the exchange and its connection in the middle of a reply, so that no client takes
// what there is for a result.
func (x *exchange) cut(problem string) {
	x.status, x.problem = http.StatusInternalServerError, problem
	if x.again != 0 {
		x.status = x.again // for the metrics
	}
	panic(http.ErrAbortHandler)
}
