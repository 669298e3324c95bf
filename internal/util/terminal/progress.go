package terminal

import (
	"fmt"
	"io"
	"time"
)

const (
	delay    = time.Second            // a shorter run shows nothing
	interval = 100 * time.Millisecond // least time between two drawings
)

// A Progress is a line on a terminal with the progress of a run:
//
//	1200 of 4000 files in 3s, 400.0 a second, 7s left
//
// Notes follow, as far as there is room.
//
// The nil Progress shows nothing. It is not safe for concurrent use. Before
// other output to the terminal, [Progress.Clear] must be called.
type Progress struct {
	w     io.Writer
	unit  string
	notes string
	start time.Time
	drawn time.Time // when the line was last drawn
	shown bool      // the line is visible
}

// NewProgress starts a run over things such as "files". It returns nil if w is
// not a terminal.
func NewProgress(w io.Writer, unit string) *Progress {
	if !Is(w) {
		return nil
	}
	return &Progress{w: w, unit: unit, start: time.Now()}
}

// Note sets the notes after the line, from its next drawing on.
func (p *Progress) Note(notes string) {
	if p != nil {
		p.notes = notes
	}
}

// Set draws the line, unless the run has just begun or the line was just drawn.
func (p *Progress) Set(done, total int) {
	if p == nil {
		return
	}
	now := time.Now()
	if now.Sub(p.start) < delay || now.Sub(p.drawn) < interval {
		return
	}
	p.drawn, p.shown = now, true
	line := Describe(done, total, p.unit, now.Sub(p.start)) + p.notes
	if columns := Width(p.w); columns > 1 {
		line = Shorten(line, columns-1) // a wrapped line could not be removed
	}
	// The cursor goes back to the start, where a ^C or a system message
	// overwrites the line.
	fmt.Fprintf(p.w, "\r\x1b[K%s\r", line)
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p != nil && p.shown {
		p.shown = false
		io.WriteString(p.w, "\r\x1b[K")
	}
}

// Describe describes the progress of a run that took some time so far. A total of 0 is
// not known.
func Describe(done, total int, unit string, took time.Duration) string {
	of := ""
	if total > 0 {
		of = fmt.Sprintf(" of %d", total)
	}
	text := fmt.Sprintf("%d%s %s in %v", done, of, unit, took.Round(time.Second))
	if done <= 0 || took <= 0 {
		return text
	}
	rate, per := float64(done)/took.Seconds(), "second"
	if rate < 1 {
		rate, per = 60*rate, "minute"
	}
	text += fmt.Sprintf(", %.1f a %s", rate, per)
	if total == 0 {
		return text
	}
	left := time.Duration(float64(took) / float64(done) * float64(total-done))
	return text + fmt.Sprintf(", %v left", left.Round(time.Second))
}
