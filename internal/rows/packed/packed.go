// Package packed opens files of rows in any format: JSONL or a JSON list, as text or
// in gzip, and Parquet.
//
//	reader, format, err := packed.Open("tasks.parquet", file)
//	row, err := reader.Next()
//
// It is a package of its own because it links compression and Parquet. A program that
// opens Parquet calls [RunChild] first thing in main.
package packed

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// A Format is a format of rows.
type Format string

// The formats. Each may be compressed with gzip.
const (
	JSONL   Format = "JSONL"   // an object a line
	JSON    Format = "JSON"    // a list of objects
	Parquet Format = "Parquet" // with JSON's names as columns, as on the hub
)

// Open returns a reader of the rows in r. The content decides the format. name is the
// file's name in errors. fields are the fields that the caller needs: if a Parquet
// file has any of them, its other columns are not read.
func Open(name string, r io.Reader, fields ...string) (rows.Reader, Format, error) {
	in, packed, err := Gunzip(name, r)
	if err != nil {
		return nil, "", err
	}
	head, _ := in.Peek(512) // reading rows reports errors with their place
	if IsParquet(head) {
		var from io.Reader = in
		if file, ok := r.(*os.File); ok && !packed {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				from = file
			}
		}
		table, err := newParquet(name, from, fields)
		return table, Parquet, err
	}
	if first := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), pyjson.Blanks); len(first) > 0 && first[0] == '[' {
		return rows.NewList(name, in), JSON, nil
	}
	return rows.NewLines(name, in), JSONL, nil
}

// Rows yields the rows of r, which is opened by [Open], up to the last or the first error.
func Rows(name string, r io.Reader, fields ...string) iter.Seq2[rows.Row, error] {
	reader, _, err := Open(name, r, fields...)
	if err != nil {
		return func(yield func(rows.Row, error) bool) { yield(rows.Row{}, err) }
	}
	return rows.All(reader)
}

// Gunzip returns a reader of r, decompressed if r is compressed with gzip.
func Gunzip(name string, r io.Reader) (in *bufio.Reader, packed bool, err error) {
	const buffer = 64 << 10
	in = bufio.NewReaderSize(r, buffer)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return in, false, nil
	}
	from := &counted{Reader: in}
	unpacked, err := gzip.NewReader(from)
	if err != nil {
		return nil, true, &rows.Error{File: name, Err: fmt.Errorf("expected a whole gzip file: %w", err)}
	}
	return bufio.NewReaderSize(&Bounded{Reader: gunzip{unpacked}, Packed: from.read}, buffer), true, nil
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counted) read() int64 { return c.n }

// A small file may unpack to a huge one. These bounds are above what texts reach, even
// if all answers are equal.
const (
	maxUnpacked = 1 << 30 // bytes that any file may unpack to
	maxRatio    = 500     // times the packed size, if that is more
)

// Bounded reads from Reader, and fails if it unpacks to more than the bounds.
type Bounded struct {
	io.Reader
	Packed func() int64 // packed bytes read so far
	n      int64
}

func (b *Bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.n += int64(n); b.n > maxUnpacked && b.n/maxRatio > b.Packed() {
		return 0, fmt.Errorf("expected a file that unpacks to at most %d MiB or %d times its size, found more", maxUnpacked>>20, maxRatio)
	}
	return n, err
}

// A gunzip marks its errors as errors of decompression.
type gunzip struct{ *gzip.Reader }

func (g gunzip) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if err != nil && err != io.EOF && !errors.As(err, new(*fs.PathError)) {
		err = fmt.Errorf("expected a whole gzip file: %w", err)
	}
	return n, err
}
