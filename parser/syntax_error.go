package parser

import (
	"errors"
	"fmt"

	"codelinter/source"
)

// A SyntaxError is the exception that CPython raises for a text.
type SyntaxError struct {
	// Type is the exception's class: SyntaxError, IndentationError, TabError,
	// or if Fatal is set another one.
	Type string
	// Message is its first argument.
	Message string
	// Row is its lineno, from 1.
	Row int
	// Offset is its offset in characters, from 1; 0 is before the first one.
	Offset int
	// NoDetails marks an exception whose arguments hold no place, which flake8
	// shows at 1:1.
	NoDetails bool
	// Fatal marks an exception that is not a SyntaxError. flake8 crashes with a fatal exception.
	Fatal bool
}

// Error returns the place, if there is one, and the exception as Python prints it:
// "1:7: SyntaxError: invalid syntax".
func (e *SyntaxError) Error() string {
	if e.Row == 0 {
		return e.Type + ": " + e.Message
	}
	return fmt.Sprintf("%d:%d: %s: %s", e.Row, e.Offset, e.Type, e.Message)
}

// ErrTooDeep is the error for a text that is Python, but nests more deeply than this parser goes.
// CPython's limit of depth is known exactly for nesting of one kind, and nearly for mixtures.
var ErrTooDeep = errors.New("nested too deeply")

// unworded is what Diagnose returns for a text that is certainly refused, if no words are wanted.
var unworded = SyntaxError{Type: "SyntaxError"}

// Diagnose returns the exception that CPython raises for file. It returns nil if there is none: the
// text is Python, but p has refused it for its depth. If p has just refused the file's text, the
// exception is found in less time. If worded is false, an exception that is certain is returned
// without its message and place, and the text is not searched again. The result is valid until the
// next call.
func (p *Parser) Diagnose(file *source.File, o Options, worded bool) *SyntaxError {
	if p.text != file.Text {
		return (*SyntaxError)(p.diagnoser.Diagnose(file, o.Target))
	}
	if !worded && !p.tooDeep {
		return &unworded
	}
	tokens, valid := p.refused()
	return (*SyntaxError)(p.diagnoser.DiagnoseAround(file, o.Target, tokens, valid))
}
