package httpserver

import (
	"io"
	"sync"
	"sync/atomic"
)

// A LogWriter writes lines on its own goroutine. If the log cannot be written, on a
// full disk or to a pipe that nobody reads, the server must go on: lines are dropped
// and counted.
type LogWriter struct {
	to      io.Writer
	lines   chan []byte
	done    chan struct{}
	dropped atomic.Int64
	mu      sync.RWMutex
	closed  bool
}

// queuedLines bounds the lines that wait to be written.
const queuedLines = 4096

// NewLogWriter returns a LogWriter to w.
func NewLogWriter(w io.Writer) *LogWriter {
	l := &LogWriter{to: w, lines: make(chan []byte, queuedLines), done: make(chan struct{})}
	go l.run()
	return l
}

func (l *LogWriter) run() {
	defer close(l.done)
	for line := range l.lines {
		if _, err := l.to.Write(line); err != nil {
			l.dropped.Add(1)
		}
	}
}

// Write queues a line. It neither waits nor fails.
func (l *LogWriter) Write(line []byte) (int, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		l.dropped.Add(1)
		return len(line), nil
	}
	select {
	case l.lines <- append([]byte(nil), line...):
	default:
		l.dropped.Add(1)
	}
	return len(line), nil
}

// Dropped returns the number of dropped lines.
func (l *LogWriter) Dropped() int64 { return l.dropped.Load() }

// Close accepts no more lines. It returns when the queued lines are written or done
// is closed.
func (l *LogWriter) Close(done <-chan struct{}) {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.lines)
	}
	l.mu.Unlock()
	select {
	case <-l.done:
	case <-done:
	}
}
