package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxLine is the number of bytes above which a line is refused.
const MaxLine = 256 << 20

// An Error is a fault in a file's text.
type Error struct {
	File    string
	Line    int // from 1
	Problem string
}

// Error returns "FILE:LINE: what is wrong and what was expected".
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// A Line is one line of a JSONL file, with no blanks at its ends and not empty.
type Line struct {
	File   string
	Number int // from 1
	Text   []byte
}

func (l Line) errorf(format string, args ...any) error {
	return &Error{l.File, l.Number, fmt.Sprintf(format, args...)}
}

// Lines reads a JSONL file. Blank lines and a byte order mark are passed over;
// a line may be as long as [MaxLine], must be UTF-8, and the last one needs no
// newline.
type Lines struct {
	name   string
	reader *bufio.Reader
	number int
	long   []byte // reused memory for lines longer than the reader's buffer
}

// NewLines returns a reader of r's lines. name is the file's name in errors.
func NewLines(name string, r io.Reader) *Lines {
	return &Lines{name: name, reader: bufio.NewReaderSize(r, 64<<10)}
}

// Next returns the next line, whose Text is valid until the next call, or
// io.EOF after the last.
func (l *Lines) Next() (Line, error) {
	for {
		text, err := l.read()
		if err != nil {
			return Line{}, err
		}
		if l.number++; l.number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		line := Line{l.name, l.number, bytes.Trim(text, " \t\r\n")}
		switch {
		case len(text) > MaxLine:
			return Line{}, line.errorf("expected a line of %d MiB at most, found a longer one", MaxLine>>20)
		case len(line.Text) == 0:
			continue
		case !utf8.Valid(line.Text):
			return Line{}, line.errorf("expected UTF-8, found other bytes")
		}
		return line, nil
	}
}

// read returns the next line with its newline, cut off above MaxLine.
func (l *Lines) read() ([]byte, error) {
	text, err := l.reader.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull && len(l.long) <= MaxLine {
			l.long = append(l.long, text...)
			text, err = l.reader.ReadSlice('\n')
		}
		l.long = append(l.long, text...)
		text = l.long
	}
	switch {
	case err == io.EOF && len(text) > 0, err == bufio.ErrBufferFull:
		return text, nil
	case err == io.EOF:
		return nil, io.EOF
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w", l.name, l.number+1, err)
	}
	return text, nil
}
