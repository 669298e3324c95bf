package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Status is the way in which tokenizing failed.
type Status uint8

// The ways to fail. CPython raises an exception for Raised at once; the others
// are states that its users turn into exceptions of their own wording.
const (
	Raised   Status = iota + 1
	EOF             // the text ended inside brackets or after a backslash
	Dedent          // an unindent that matches no outer level
	TabSpace        // tabs and spaces mixed so that their order is unclear
	TooDeep         // too many levels of indentation
	LineCont        // something else than a newline after a backslash
)

// Error is a failure of the tokenizer. It is valid until the tokenizer reads another text.
//
// In strict mode Type, Message, Row and Offset are those of the exception that
// CPython's tokenizer raises, and only a Raised error has a Message. Otherwise
// they are those of the exception that Python's tokenize module raises.
type Error struct {
	Status  Status
	Type    string // "SyntaxError", "IndentationError", "TabError", "TokenError"
	Message string
	Row     int // from 1
	Offset  int // CPython's offset in Row, mostly in characters
	Cursor  int // byte offset after the last byte read, one more after an implied newline
	Buffer  int // byte offset of the first line that CPython still holds in memory
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: %s: %s", e.Row, e.Offset, e.Type, e.Message)
}

// status fails with a state that is no exception of the tokenizer's own.
func (t *Tokenizer) status(status Status) bool {
	t.failed = true
	switch status {
	case Dedent, TabSpace, TooDeep: // CPython skips the rest of the line
		t.pos = t.lineEnd()
	}
	t.err = Error{Status: status, Row: t.row, Cursor: t.pos, Buffer: t.buffer}
	if t.strict {
		return false
	}
	t.err.Type, t.err.Message = loose[status].exception, loose[status].message
	switch status {
	case EOF:
		t.err.Offset = t.pos - t.buffer
	case LineCont:
		t.err.Offset = t.characters(t.buffer, t.lineEnd())
	default:
		t.err.Offset = t.characters(t.lineStart, t.pos)
	}
	return false
}

// loose are the exceptions that the tokenize module raises for a status.
var loose = [...]struct{ exception, message string }{
	EOF:      {"TokenError", "unexpected EOF in multi-line statement"},
	Dedent:   {"IndentationError", "unindent does not match any outer indentation level"},
	TabSpace: {"TabError", "inconsistent use of tabs and spaces in indentation"},
	TooDeep:  {"IndentationError", "too many levels of indentation"},
	LineCont: {"TokenError", "unexpected character after line continuation character"},
}

// raise fails as CPython's tokenizer does when it raises an exception. The error's offset
// is the number of the line's characters up to the tokenizer's position. format is one of
// pytext.Words.
func (t *Tokenizer) raise(format string, args ...any) bool {
	t.failed = true
	t.err = Error{
		Status: Raised, Type: "SyntaxError", Message: t.words.Format(format, args...),
		Row: t.row, Offset: t.characters(t.lineStart, t.pos), Cursor: t.pos, Buffer: t.buffer,
	}
	if !t.strict {
		t.err.Type = "TokenError"
		if strings.HasPrefix(t.err.Message, "unterminated triple-quoted string literal") {
			t.err.Message = "EOF in multi-line string"
		}
	}
	return false
}

// placeAt places the error that was raised at the offset where its token begins.
func (t *Tokenizer) placeAt(start int) {
	if t.features.TokenErrorsInBytes {
		t.err.Offset = start + 1 - t.lineStart
	} else {
		t.err.Offset = t.characters(t.lineStart, start) + 1
	}
}

// characters counts those from offset start to end, which may lie after the
// implied newline.
func (t *Tokenizer) characters(start, end int) int {
	beyond := max(0, end-len(t.text))
	if start >= len(t.text) {
		return end - start
	}
	return utf8.RuneCountInString(t.text[start:end-beyond]) + beyond
}

// lineEnd returns the offset after the current line's newline.
func (t *Tokenizer) lineEnd() int {
	if n := strings.IndexByte(t.text[t.lineStart:], '\n'); n >= 0 {
		return t.lineStart + n + 1
	}
	return t.textEnd()
}
