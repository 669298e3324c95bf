// Package terminal writes for people at a terminal: its width, texts that fit, and the
// progress of a run.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A file is an *os.File, or a substitute.
type file interface{ Fd() uintptr }

// Is reports whether w writes to a terminal. w may be an *os.File, or another writer
// with a method Fd.
func Is(w io.Writer) bool {
	file, ok := w.(file)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Colors reports whether w is a terminal on which colours are wanted: NO_COLOR in the
// environment turns them off, see no-color.org.
func Colors(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && Is(w) }

// Width returns the columns of w's terminal, or 0 if w is none.
func Width(w io.Writer) int {
	file, ok := w.(file)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}
