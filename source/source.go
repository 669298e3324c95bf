// Package source turns a file's bytes into the text that flake8 would check,
// and offsets in that text into rows and columns.
//
// A position everywhere in this module is an int32 byte offset into [File.Text], which is
// valid UTF-8 with "\n" as its only line end. Rows count from 1. Columns have two units:
// pycodestyle counts characters (code points), pyflakes and mccabe count UTF-8 bytes. Only
// this package converts offsets to columns.
//
//	var file source.File
//	file.Load([]byte("x = 'é' \n"))
//	row, column := file.Position(8) // 1, 7: the blank after the string
package source

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
)

// MaxSize is the number of bytes above which Load refuses a file. Tokens and tree take some fifty
// times a file's size, and more for hostile files.
const MaxSize = 128 << 20

// ErrTooLarge is the error for a file that exceeds [MaxSize].
var ErrTooLarge = errors.New("file is larger than 128 MiB")

// A File is the decoded text of one Python file. The zero File is empty. Load may be called
// repeatedly and reuses the File's memory. A File is not safe for concurrent use.
type File struct {
	// Text is the whole decoded text. It may share memory with the bytes
	// given to Load, and is overwritten by the next Load.
	Text string
	// ASCII reports whether Text has no byte of 0x80 or above, so that bytes and
	// characters are the same.
	ASCII bool
	// Tabs reports whether Text has tabs.
	Tabs bool
	// FellBack reports whether decoding failed and Text is the bytes as
	// latin-1, or from standard input as UTF-8.
	FellBack bool
	// Encoding is the encoding of the coding cookie, as it is spelt there:
	// "latin-1" for "# coding: latin-1", whether Python knows it or not. It is ""
	// for "# coding: utf8" and for a file without a cookie. It shares memory with
	// the bytes given to Load.
	Encoding string
	// Target is the CPython version whose decoding Load follows; zero means
	// the newest. Load leaves it alone.
	Target Version
	// CarriageReturns reports whether Text has carriage returns, as only LoadStdin leaves
	// them. They end no line, but may stand before the "\n" that does.
	CarriageReturns bool

	given   given
	starts  []int32 // offset of each line's first byte, then len(Text)
	decoded []byte  // reused memory for texts that differ from their bytes
}

// longRow is the distance in bytes from which on Column counts by marks, see given.
const longRow = 512

// Load decodes data as flake8 decodes a file: byte order mark or coding cookie,
// latin-1 if that fails, universal newlines, and one more byte order mark
// dropped from the first line. The caller must leave data unchanged while it
// uses the File. The only error is [ErrTooLarge].
func (f *File) Load(data []byte) error { return f.load(data, false) }

// LoadStdin decodes data as flake8 decodes its standard input: like Load, but
// where decoding fails the text is taken as UTF-8 with its carriage returns, see
// CarriageReturns.
func (f *File) LoadStdin(data []byte) error { return f.load(data, true) }

func (f *File) load(data []byte, stdin bool) error {
	if len(data) > MaxSize {
		return ErrTooLarge
	}
	f.ASCII, f.CarriageReturns = false, false
	f.given = given{size: int32(len(data)), crlfs: f.given.crlfs[:0], marks: f.given.marks[:0]}
	f.Text = f.decode(data, stdin)
	// flake8 removes a byte order mark that the codec left, or its three bytes
	// read as latin-1; either way the mark has three bytes in the file.
	for _, mark := range [...]string{"\ufeff", "\u00ef\u00bb\u00bf"} {
		if rest, marked := strings.CutPrefix(f.Text, mark); marked {
			f.Text = rest
			f.given.front += int32(len(byteOrderMark))
			f.given.dropped = int32(len(mark))
			break
		}
	}
	f.findLines()
	return nil
}

// LoadUniversal loads the text of other with universal newlines, which is how
// Python's parser takes it. It shares no memory with other.
func (f *File) LoadUniversal(other *File) {
	f.given = given{
		size: other.given.size, front: other.given.front,
		crlfs: f.given.crlfs[:0], marks: f.given.marks[:0],
	}
	f.decoded = append(f.decoded[:0], other.Text...)
	f.Text = f.universalNewlines(pytext.View(f.decoded))
	f.FellBack, f.Encoding, f.ASCII, f.CarriageReturns = other.FellBack, other.Encoding, other.ASCII, false
	f.findLines()
}

// findLines sets Tabs, the table of line starts, and ASCII if that is not known to be true.
func (f *File) findLines() {
	text := f.Text
	if n := len(text); n > 64<<10 && n > 8*cap(f.starts) {
		// Growing the table line by line would take five times the size of a text of newlines
		// alone.
		f.starts = make([]int32, 0, strings.Count(text, "\n")+2)
	}
	starts := append(f.starts[:0], 0)
	for at := 0; ; {
		length := strings.IndexByte(text[at:], '\n')
		if length < 0 {
			break
		}
		at += length + 1
		starts = append(starts, int32(at))
	}
	f.ASCII, f.Tabs = f.ASCII || pytext.IsASCII(text), strings.IndexByte(text, '\t') >= 0
	// Where nothing follows the mark that flake8 drops, it has a line without text.
	if int(starts[len(starts)-1]) != len(text) || text == "" && f.given.dropped > 0 {
		starts = append(starts, int32(len(text)))
	}
	f.starts = starts
}

// Lines returns the number of physical lines; a last line without a newline
// counts, an empty rest after the last newline does not.
func (f *File) Lines() int { return len(f.starts) - 1 }

// LineStart returns the offset of row's first byte. Row Lines()+1 is the end of
// the text.
func (f *File) LineStart(row int) int32 { return f.starts[row-1] }

// Line returns row's text with its newline, if it has one.
func (f *File) Line(row int) string { return f.Text[f.starts[row-1]:f.starts[row]] }

// Row returns the row that offset lies in. The end of a text that ends in a
// newline lies in row Lines()+1.
func (f *File) Row(offset int32) int {
	row, begins := slices.BinarySearch(f.starts, offset)
	if begins && (row < f.Lines() || row == 0 || strings.HasSuffix(f.Text, "\n")) {
		row++ // else it is the end of a last line without a newline, which is on that line
	}
	return row
}

// Position returns the row of offset, from 1, and its column in characters,
// from 0.
func (f *File) Position(offset int32) (row, column int) {
	row = f.Row(offset)
	return row, f.Column(row, offset)
}

// Column returns how many characters lie between row's start and offset.
func (f *File) Column(row int, offset int32) int {
	start := f.starts[row-1]
	if f.ASCII {
		return int(offset - start)
	}
	if offset-start < longRow {
		return pytext.RuneCount(f.Text[start:offset])
	}
	return int(f.charactersBefore(offset) - f.charactersBefore(start))
}

// ByteColumn returns how many UTF-8 bytes lie between row's start and offset.
func (f *File) ByteColumn(row int, offset int32) int { return int(offset - f.starts[row-1]) }

// Offset returns the byte offset of the character at row and column, the
// inverse of Position. A column beyond the row's end gives that end.
func (f *File) Offset(row, column int) int32 {
	start, end := f.starts[row-1], f.starts[row]
	if f.ASCII {
		return min(start+int32(max(column, 0)), end)
	}
	at := int(start)
	for ; column > 0 && at < int(end); column-- {
		_, size := utf8.DecodeRuneInString(f.Text[at:end])
		at += size
	}
	return int32(at)
}
