package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"codelinter/evaluator/pyjson"
)

// A Format is a way to write rows.
type Format string

// The formats of tasks, and of the rows that tasks are made from. Any may be
// compressed with gzip.
const (
	JSONL   Format = "JSONL"   // an object a line
	JSON    Format = "JSON"    // a list of objects
	Parquet Format = "Parquet" // with JSON's names as columns, as the hub has it
)

// NewRows returns a reader of the rows in r, whose format is told by the content.
// name is the file's name in errors.
func NewRows(name string, r io.Reader) (Rows, Format, error) {
	in, packed, err := Decompress(name, r)
	if err != nil {
		return nil, "", err
	}
	head, _ := in.Peek(512) // the rows say what is wrong, and where
	if IsParquet(head) {
		if file, ok := r.(file); ok && !packed {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				rows, err := newParquet(name, file, info.Size())
				return rows, Parquet, err
			}
		}
		text, err := io.ReadAll(io.LimitReader(in, maxParquet+1))
		if err == nil && len(text) > maxParquet {
			err = fmt.Errorf("expected at most %d MiB of Parquet", maxParquet>>20)
		}
		if err != nil {
			return nil, "", &Error{File: name, Err: err}
		}
		rows, err := newParquet(name, bytes.NewReader(text), int64(len(text)))
		return rows, Parquet, err
	}
	if first := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), pyjson.Blanks); len(first) > 0 && first[0] == '[' {
		return NewList(name, in), JSON, nil
	}
	return NewLines(name, in), JSONL, nil
}

// A file is what Parquet is read from where it stands.
type file interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// Decompress returns a reader of what is in r, which may be compressed with gzip.
func Decompress(name string, r io.Reader) (in *bufio.Reader, packed bool, err error) {
	const buffer = 64 << 10
	in = bufio.NewReaderSize(r, buffer)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return in, false, nil
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return nil, true, &Error{File: name, Err: fmt.Errorf("expected a whole gzip file: %w", err)}
	}
	return bufio.NewReaderSize(gunzip{unpacked}, buffer), true, nil
}

// A gunzip says of its errors that they are those of decompression.
type gunzip struct{ *gzip.Reader }

func (g gunzip) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if err != nil && err != io.EOF && !errors.As(err, new(*fs.PathError)) {
		err = fmt.Errorf("expected a whole gzip file: %w", err)
	}
	return n, err
}
