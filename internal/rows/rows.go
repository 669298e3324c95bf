// Package rows reads files of rows of JSON: JSONL, an object a line, and a JSON list.
// A [Row] is a row's text and its place; a fault in it is an [*Error], which names
// the file, the line or row, and what was expected:
//
//	lines := rows.NewLines("tasks.jsonl", file)
//	row, err := lines.Next()
//	fields, err := row.Find("id", "outputs")
//	id, err := row.ID("id", fields["id"])
//
// Other fields are ignored, and names of fields are case-sensitive. Package packed also
// opens files in gzip and Parquet.
package rows

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"codelinter/internal/pyjson"
)

// MaxLength is the number of bytes above which a row is refused.
const MaxLength = 256 << 20

// MaxTexts is how many texts a list may have. A row of MaxLength bytes has room for 89
// million empty ones, which would take 50 times as much as the row.
const MaxTexts = 1 << 20

// An Error is a fault in a file.
type Error struct {
	File    string
	Line    int // from 1; 0 if the file has no lines
	Row     int // from 1; 0 if the rows are lines
	Problem string
	Err     error // what the system said of the file, if that is the problem
}

// Error returns "FILE:LINE: what is wrong and what was expected", with the row's
// number if rows are not lines.
func (e *Error) Error() string {
	place := e.File
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
	}
	if place != "" {
		place += ": "
	}
	if e.Row > 0 {
		place += "row " + strconv.Itoa(e.Row) + ": "
	}
	if e.Err != nil {
		return place + e.Err.Error()
	}
	return place + e.Problem
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// A Row is one row of a file: a line of JSONL, an item of a JSON list, or a row
// of Parquet, as JSON with no blanks at its ends and not empty.
type Row struct {
	File   string
	Line   int   // where it begins, from 1; 0 in Parquet, which has no lines
	Number int   // among the rows, from 1; 0 in JSONL, where Line says it all
	Offset int64 // of Text in the file, after decompression
	Text   []byte
}

// Errorf returns an [*Error] at the row.
func (r Row) Errorf(format string, args ...any) error {
	return &Error{File: r.File, Line: r.Line, Row: r.Number, Problem: fmt.Sprintf(format, args...)}
}

// Unit returns what Place counts: "line" or "row".
func (r Row) Unit() string {
	if r.Number > 0 {
		return "row"
	}
	return "line"
}

// Place returns the row's place among its file's units, from 1.
func (r Row) Place() int {
	if r.Number > 0 {
		return r.Number
	}
	return r.Line
}

// A Reader reads the rows of a file, whatever its format.
type Reader interface {
	// Next returns the next row, whose Text is valid until the next call, or
	// io.EOF after the last.
	Next() (Row, error)
}

// Lines reads a JSONL file. Blank lines and a byte order mark are skipped; a line may
// be as long as [MaxLength], and the last one needs no newline. Whether a line is UTF-8
// and JSON is checked by those who decode it, such as [Row.Find].
type Lines struct {
	name   string
	reader *bufio.Reader
	number int
	offset int64  // of what comes next
	long   []byte // reused memory for lines longer than the reader's buffer
}

// NewLines returns a reader of r's lines. name is the file's name in errors.
func NewLines(name string, r io.Reader) *Lines {
	return &Lines{name: name, reader: bufio.NewReaderSize(r, 64<<10)}
}

// Next returns the next line, whose Text is valid until the next call, or
// io.EOF after the last.
func (l *Lines) Next() (Row, error) {
	for {
		text, err := l.read()
		if err != nil {
			return Row{}, err
		}
		start := l.offset
		l.offset += int64(len(text))
		if l.number++; l.number == 1 {
			text = bytes.TrimPrefix(text, []byte(byteOrderMark))
		}
		cut := bytes.TrimLeft(text, pyjson.Blanks)
		line := Row{
			File:   l.name,
			Line:   l.number,
			Offset: l.offset - int64(len(cut)),
			Text:   bytes.TrimRight(cut, pyjson.Blanks),
		}
		switch {
		case l.offset-start > MaxLength:
			return Row{}, line.tooLong()
		case len(line.Text) == 0:
			continue
		}
		return line, nil
	}
}

const byteOrderMark = "\ufeff"

func (r Row) tooLong() error {
	return r.Errorf("expected a %s of %d MiB at most, found a longer one", r.Unit(), MaxLength>>20)
}

// read returns the next line with its newline, cut off above MaxLength.
func (l *Lines) read() ([]byte, error) {
	text, err := l.reader.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull && len(l.long) <= MaxLength {
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
		return nil, &Error{File: l.name, Line: l.number + 1, Err: err}
	}
	return text, nil
}
