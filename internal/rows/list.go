package rows

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/python/pyjson"
)

// A List reads the items of a JSON list one at a time, whatever the list's length.
// The list is the file's value or within objects, such as the x of
//
//	{"n": 1, "data": {"test": [x, x, x]}, "more": []}
//
// It only looks for brackets and quotes. Decoding an item, for example by
// [Row.Find], checks whether the item is JSON. The last Next checks whether the file
// is whole.
type List struct {
	name   string
	reader *bufio.Reader
	path   []string
	line   int   // from 1
	offset int64 // of the next byte
	row    int   // of the last item
	inside bool  // after the list's opening bracket
	text   []byte
	names  []map[string]bool // in the objects of path, so far
	err    error             // the first one, after which nothing more is read; io.EOF after the last item
}

// NewList returns a reader of the list in r at path, a list of keys. name is the
// file's name in errors.
func NewList(name string, r io.Reader, path ...string) *List {
	return &List{name: name, reader: bufio.NewReaderSize(r, 64<<10), path: path, line: 1}
}

// Next returns the next item, whose Text is valid until the next call, or io.EOF
// after the last, if the file is whole.
func (l *List) Next() (Row, error) {
	if !l.inside {
		l.enter()
		l.inside = true
	}
	if l.peek() == ']' {
		l.leave()
	} else if l.row > 0 {
		l.expect(',')
		l.peek()
	}
	if l.err != nil {
		return Row{}, l.err
	}
	l.row++
	row := Row{File: l.name, Line: l.line, Number: l.row, Offset: l.offset}
	row.Text = l.value(true)
	return row, l.err
}

// enter reads up to the list's opening bracket.
func (l *List) enter() {
	if mark, _ := l.reader.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		l.discard(len(byteOrderMark))
	}
	for depth, name := range l.path {
		l.expect('{')
		l.names = append(l.names, map[string]bool{})
		for first := true; l.err == nil; first = false {
			if l.peek() == '}' {
				l.fault("the field " + strings.Join(l.path[:depth+1], "."))
			} else if !first {
				l.expect(',')
			}
			if l.key(depth) == name {
				break
			}
			l.value(false)
		}
	}
	l.expect('[')
}

// leave reads from the list's closing bracket to the end of the file.
func (l *List) leave() {
	l.expect(']')
	for depth := range slices.Backward(l.path) {
		for l.err == nil && l.peek() != '}' {
			l.expect(',')
			l.key(depth)
			l.value(false)
		}
		l.expect('}')
	}
	if l.err == nil {
		if _, l.err = l.blanks(); l.err == nil {
			l.fault("the end of the file")
		}
	}
}

// key reads a name and its colon, in the object at a depth of the path. It returns "" after an
// error.
func (l *List) key(depth int) string {
	if l.peek() != '"' {
		l.fault("a name in quotes")
	}
	text := l.value(true)
	if l.err == nil && pyjson.End(text, 0) != len(text) {
		l.fault("a name in quotes")
	}
	l.expect(':')
	if l.err != nil {
		return ""
	}
	key, _ := pyjson.Unquote(text)
	if l.names[depth][key] {
		l.err = &Error{File: l.name, Line: l.line, Problem: fmt.Sprintf("expected each key once in an object, found %.80q again", key)}
	}
	l.names[depth][key] = true
	return key
}

// value reads one value, and returns it if keep is set.
func (l *List) value(keep bool) []byte {
	l.peek()
	start, row := l.offset, Row{File: l.name, Line: l.line, Number: l.row}
	l.text = l.text[:0]
	var depth int
	var quoted, escaped bool
	for done := false; !done && l.err == nil; {
		if _, err := l.reader.Peek(1); err != nil {
			l.line = row.Line // the line where the value began
			l.end(err)
			break
		}
		chunk, _ := l.reader.Peek(l.reader.Buffered())
		at := 0
		for ; at < len(chunk) && !done; at++ {
			c := chunk[at]
			switch {
			case c == '\n':
				l.line++
				done = depth == 0 && !quoted
			case escaped:
				escaped = false
			case quoted:
				escaped = c == '\\'
				quoted = c != '"'
				done = !quoted && depth == 0
			case c == '"':
				quoted = true
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth == 0 {
					at--
				} else {
					depth--
				}
				done = depth == 0
			case depth == 0 && (c == ',' || c == ':'):
				at--
				done = true
			}
		}
		if keep {
			l.text = append(l.text, chunk[:at]...)
		}
		if l.discard(at); l.offset-start > MaxLength {
			l.err = row.tooLong()
		}
	}
	if l.err == nil && l.offset == start {
		l.fault("a value")
	}
	return bytes.TrimRight(l.text, pyjson.Blanks)
}

// peek skips blanks and returns the next byte without reading it, or 0 after an error.
func (l *List) peek() byte {
	if l.err != nil {
		return 0
	}
	c, err := l.blanks()
	if err != nil {
		l.end(err)
	}
	return c
}

// blanks skips blanks and returns the byte after them.
func (l *List) blanks() (byte, error) {
	for {
		c, err := l.reader.Peek(1)
		if err != nil {
			return 0, err
		}
		switch c[0] {
		case '\n':
			l.line++
		case ' ', '\t', '\r':
		default:
			return c[0], nil
		}
		l.discard(1)
	}
}

func (l *List) discard(n int) {
	l.reader.Discard(n)
	l.offset += int64(n)
}

// expect reads the character c.
func (l *List) expect(c byte) {
	if l.peek() != c {
		l.fault("a " + strconv.QuoteRune(rune(c)))
	} else if l.err == nil {
		l.discard(1)
	}
}

// end records an error of the reader.
func (l *List) end(err error) {
	fault := &Error{File: l.name, Line: l.line, Row: l.row, Err: err}
	if err == io.EOF {
		fault.Err, fault.Problem = nil, "expected the rest of the JSON, found the end of the file"
	}
	l.err = fault
}

// fault records the error of an unexpected next byte, unless there is one before.
func (l *List) fault(expected string) {
	if l.err == nil {
		next, _ := l.reader.Peek(20)
		l.err = &Error{File: l.name, Line: l.line, Row: l.row, Problem: "expected " + expected + ", found " + pyjson.Brief(next)}
	}
}
