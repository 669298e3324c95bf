package rows

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"codelinter/internal/pyjson"
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
	err    error
}

// NewList returns a reader of the list in r at path, a list of keys. name is the
// file's name in errors.
func NewList(name string, r io.Reader, path ...string) *List {
	return &List{name: name, reader: bufio.NewReaderSize(r, 64<<10), path: path, line: 1}
}

// Next returns the next item, whose Text is valid until the next call, or io.EOF
// after the last, if the file is whole.
func (l *List) Next() (Row, error) {
	if l.err != nil {
		return Row{}, l.err
	}
	line, err := l.next()
	l.err = err
	return line, err
}

func (l *List) next() (line Row, err error) {
	if !l.inside {
		if err := l.enter(); err != nil {
			return line, err
		}
		l.inside = true
	}
	c, err := l.peek()
	switch {
	case err != nil:
		return line, err
	case c == ']':
		return line, l.leave()
	case l.row > 0:
		if err := l.expect(','); err != nil {
			return line, err
		}
		if _, err := l.peek(); err != nil {
			return line, err
		}
	}
	l.row++
	line = Row{File: l.name, Line: l.line, Number: l.row, Offset: l.offset}
	if err := l.value(true); err != nil {
		return line, err
	}
	line.Text = l.text
	return line, nil
}

// enter reads up to the list's opening bracket.
func (l *List) enter() error {
	if mark, _ := l.reader.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		l.discard(len(byteOrderMark))
	}
	for depth := range l.path {
		if err := l.expect('{'); err != nil {
			return err
		}
		for first := true; ; first = false {
			found, err := l.field(depth, first)
			if err != nil {
				return err
			}
			if found {
				break
			}
			if err := l.value(false); err != nil {
				return err
			}
		}
	}
	return l.expect('[')
}

// field reads a key and its colon, and reports whether it is the path's next key.
func (l *List) field(depth int, first bool) (found bool, err error) {
	c, err := l.peek()
	if err != nil {
		return false, err
	}
	if c == '}' {
		return false, l.fault("the field " + strings.Join(l.path[:depth+1], "."))
	}
	if !first {
		if err := l.expect(','); err != nil {
			return false, err
		}
	}
	key, err := l.key()
	return key == l.path[depth], err
}

func (l *List) key() (key string, err error) {
	c, err := l.peek()
	if err != nil {
		return "", err
	}
	if c != '"' {
		return "", l.fault("a name in quotes")
	}
	if err := l.value(true); err != nil {
		return "", err
	}
	if pyjson.End(l.text, 0) != len(l.text) {
		return "", l.fault("a name in quotes")
	}
	key, _ = pyjson.Unquote(l.text)
	return key, l.expect(':')
}

// leave reads from the list's closing bracket to the end of the file, and
// returns io.EOF.
func (l *List) leave() error {
	if err := l.expect(']'); err != nil {
		return err
	}
	for range l.path {
		for {
			c, err := l.peek()
			if err != nil {
				return err
			}
			if c == '}' {
				l.discard(1)
				break
			}
			if err := l.expect(','); err != nil {
				return err
			}
			if _, err := l.key(); err != nil {
				return err
			}
			if err := l.value(false); err != nil {
				return err
			}
		}
	}
	if err := l.blanks(); err != nil {
		return err // io.EOF
	}
	return l.fault("the end of the file")
}

// value reads one value, into l.text if keep is set.
func (l *List) value(keep bool) error {
	if _, err := l.peek(); err != nil {
		return err
	}
	start, row := l.offset, Row{File: l.name, Line: l.line, Number: l.row}
	l.text = l.text[:0]
	var depth int
	var quoted, escaped bool
	for {
		if _, err := l.reader.Peek(1); err != nil {
			l.line = row.Line // the line where the value began
			return l.end(err)
		}
		chunk, _ := l.reader.Peek(l.reader.Buffered())
		at, done := 0, false
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
		l.reader.Discard(at)
		if l.offset += int64(at); l.offset-start > MaxLength {
			return row.tooLong()
		}
		if done {
			break
		}
	}
	if l.offset == start {
		return l.fault("a value")
	}
	l.text = bytes.TrimRight(l.text, pyjson.Blanks)
	return nil
}

func (l *List) blanks() error {
	for {
		c, err := l.reader.Peek(1)
		if err != nil {
			return err
		}
		switch c[0] {
		case '\n':
			l.line++
		case ' ', '\t', '\r':
		default:
			return nil
		}
		l.discard(1)
	}
}

func (l *List) discard(n int) {
	l.reader.Discard(n)
	l.offset += int64(n)
}

// peek skips blanks and returns the next byte without reading it.
func (l *List) peek() (byte, error) {
	if err := l.blanks(); err != nil {
		return 0, l.end(err)
	}
	next, err := l.reader.Peek(1)
	if err != nil {
		return 0, l.end(err)
	}
	return next[0], nil
}

func (l *List) expect(c byte) error {
	next, err := l.peek()
	if err != nil {
		return err
	}
	if next != c {
		return l.fault("a " + strconv.QuoteRune(rune(c)))
	}
	l.discard(1)
	return nil
}

// end returns the error for a file that ends too early.
func (l *List) end(err error) error {
	if err == io.EOF {
		return &Error{File: l.name, Line: l.line, Row: l.row, Problem: "expected the rest of the JSON, found the end of the file"}
	}
	return &Error{File: l.name, Line: l.line, Row: l.row, Err: err}
}

// fault returns the error for an unexpected next byte.
func (l *List) fault(expected string) error {
	next, _ := l.reader.Peek(20)
	return &Error{File: l.name, Line: l.line, Row: l.row, Problem: "expected " + expected + ", found " + pyjson.Brief(next)}
}
