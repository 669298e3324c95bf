// Package cputime limits the processor time that a process uses.
//
// A limit of real time is reached sooner on a busy machine, and what a program
// is worth must not depend on that.
package cputime

import (
	"sync"
	"time"
)

// Self stands for the running process.
const Self = 0

// began is what time is measured from where processor time is not known.
var began = time.Now()

// Of returns the processor time that a process has used. Where the system does
// not say, it is the time that passed, and exact is false.
func Of(pid int) (used time.Duration, exact bool) {
	if used, ok := of(pid); ok {
		return used, true
	}
	return time.Since(began), false
}

// patience is for how long a process may use nothing at all. One that can run
// gets some time within it, however busy the machine is.
const patience = time.Minute

// A Watch waits for a process to use up its time.
type Watch struct {
	mu      sync.Mutex
	timer   *time.Timer // of the next look at the process
	stopped bool
}

// NewWatch calls end, once and on a goroutine of its own, when a process has
// used up limit from now on, or, with idle, when it has used nothing for a
// minute: it waits for what does not come. Stop must be called.
func NewWatch(pid int, limit time.Duration, end func(idle bool)) *Watch {
	w := new(Watch)
	start, exact := Of(pid)
	last, progress := start, time.Now()
	look := func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		now, still := Of(pid)
		if w.stopped || exact && !still { // it has ended
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

// Stop ends the watch. Afterwards end is not called any more.
func (w *Watch) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.timer.Stop()
}
