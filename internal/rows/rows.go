// Package rows reads files of JSON rows: JSONL, an object a line, or a JSON list. A
// [Row] is a row's text and its place. A fault in a row is an [*Error] with the file,
// the line or row, and what was expected:
//
//	lines := rows.NewLines("tasks.jsonl", file)
//	row, err := lines.Next()
//	fields, err := row.Find("id", "outputs")
//	err = row.ID("id", fields["id"], &id)
//
// Other fields are ignored. Field names are case-sensitive. Package packed also opens
// gzip and Parquet files.
package rows

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strconv"

	"codelinter/internal/python/pyjson"
)

// MaxLength bounds the bytes of a row.
const MaxLength = 256 << 20

// MaxTexts bounds the texts in a list. A row of MaxLength bytes has room for 89
// million empty texts, which would take 50 times the row's memory.
const MaxTexts = 1 << 20

// An Error is a fault in a file.
type Error struct {
	File    string
	Line    int // from 1; 0 if the file has no lines
	Row     int // from 1; 0 if the rows are lines
	Problem string
	Err     error // the system's error, if that is the problem
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

// A Row is a row of a file: a line of JSONL, an item of a JSON list, or a row of
// Parquet as JSON. It is not empty and has no blanks at its ends.
type Row struct {
	File   string
	Line   int   // where the row begins, from 1; 0 in Parquet
	Number int   // number of the row, from 1; 0 in JSONL
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

// A Reader reads the rows of a file in any format.
type Reader interface {
	// Next returns the next row, whose Text is valid until the next call, or
	// io.EOF after the last.
	Next() (Row, error)
}

// Lines reads a JSONL file. Blank lines and a byte order mark are skipped. A line may
// be as long as [MaxLength], and the last one needs no newline. Decoding a line, for
// example by [Row.Find], checks whether it is UTF-8 and JSON.
type Lines struct {
	name   string
	lines  *LineReader
	number int
	offset int64 // of the next byte
}

// NewLines returns a reader of r's lines. name is the file's name in errors.
func NewLines(name string, r io.Reader) *Lines {
	return &Lines{name: name, lines: NewLineReader(r, 64<<10, MaxLength)}
}

// Next returns the next line, whose Text is valid until the next call, or
// io.EOF after the last.
func (l *Lines) Next() (Row, error) {
	for {
		text, err := l.lines.Next()
		if err != nil {
			if err != io.EOF {
				err = &Error{File: l.name, Line: l.number + 1, Err: err}
			}
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

// A LineReader reads lines of bounded length.
type LineReader struct {
	in      *bufio.Reader
	longest int
	long    []byte // reused memory for lines longer than the reader's buffer
	rest    bool   // the rest of a line that was too long comes next
}

// NewLineReader returns a reader of the lines of r. buffer is the size of its buffer, and longest
// the bound on the bytes of a line.
func NewLineReader(r io.Reader, buffer, longest int) *LineReader {
	return &LineReader{in: bufio.NewReaderSize(r, buffer), longest: longest}
}

// keptBytes bounds the memory that is kept for the next line.
const keptBytes = 1 << 20

// Next returns the next line with its newline, valid until the next call, or io.EOF after the
// last. Of a line above the bound it returns the start, which is above the bound too. The rest is
// neither kept nor waited for.
func (l *LineReader) Next() (line []byte, err error) {
	for l.rest {
		_, err := l.in.ReadSlice('\n')
		l.rest = err == bufio.ErrBufferFull
		if err != nil && !l.rest {
			return nil, err
		}
	}
	line, err = l.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		long := l.long[:0]
		for err == bufio.ErrBufferFull && len(long) <= l.longest {
			long = append(long, line...)
			line, err = l.in.ReadSlice('\n')
		}
		line = append(long, line...)
		l.rest = err == bufio.ErrBufferFull
		if l.long = nil; cap(line) <= keptBytes {
			l.long = line
		}
	}
	if l.rest || err == io.EOF && len(line) > 0 {
		err = nil
	}
	return line, err
}

// All yields the rows of a reader, up to the last or the first error.
func All(r Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			row, err := r.Next()
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}
