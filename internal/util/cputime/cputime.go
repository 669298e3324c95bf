// Package cputime measures and limits the processor time that a process uses.
//
// A limit of wall-clock time would make results depend on the machine's load.
package cputime

import (
	"sync"
	"time"
)

// Self stands for the running process.
const Self = 0

// began is the start of the clock that replaces unknown processor time.
var began = time.Now()

// Of returns the processor time of a process. If the system does not report it,
// it is the elapsed time, and exact is false.
func Of(pid int) (used time.Duration, exact bool) {
	if used, ok := of(pid); ok {
		return used, true
	}
	return time.Since(began), false
}

// patience bounds how long a process may use no processor time. A process that
// can run gets some within it, under every load.
const patience = time.Minute

// A Watch watches the processor time of a process.
type Watch struct {
	mu      sync.Mutex
	timer   *time.Timer // of the next look at the process
	stopped bool
}

// NewWatch calls end, once and on its own goroutine, when a process has used
// limit more processor time or, with idle set, when it has used none for a
// minute, so waits for ever. Stop must be called.
func NewWatch(pid int, limit time.Duration, end func(idle bool)) *Watch {
	w := new(Watch)
	start, exact := Of(pid)
	last, progress := start, time.Now()
	look := func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		now, still := Of(pid)
		if w.stopped || exact && !still { // the process has ended
			return
		}
		if now > last {
			last, progress = now, time.Now()
		}
		left := limit - (now - start)
		if idle := left > 0 && time.Since(progress) >= patience; idle || left <= 0 {
			w.stopped = true
			go end(idle)
			return
		}
		w.timer.Reset(min(max(left, limit/16), patience))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(min(limit, patience), look)
	return w
}

// Stop ends the watch. end is not called afterwards.
func (w *Watch) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.timer.Stop()
}
