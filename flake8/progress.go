package flake8

import (
	"fmt"
	"io"
	"time"
)

// patience is how long a run may take before it shows how far it is.
const patience = 2 * time.Second

// A progress is a line on a terminal that says how far a run is; nil is none.
type progress struct {
	w     io.Writer
	start time.Time
	shown bool
}

// newProgress returns nil if w is no terminal.
func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		return nil
	}
	return &progress{w: w, start: time.Now()}
}

// show returns the function that shows the progress; nil for none. The line is
// cleared when output is about to be written, which may go to the same terminal,
// and shown anew the next time.
func (p *progress) show() func(done, total int) {
	if p == nil {
		return nil
	}
	return func(done, total int) {
		if time.Since(p.start) > patience {
			fmt.Fprintf(p.w, "\r\x1b[K%d of %d files\r", done, total)
			p.shown = true
		}
	}
}

// clear takes the line away.
func (p *progress) clear() {
	if p != nil && p.shown {
		io.WriteString(p.w, "\r\x1b[K")
	}
}
