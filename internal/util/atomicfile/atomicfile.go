// Package atomicfile has temporary files that leave nothing behind, and files that
// appear only when they are complete ([Whole]):
//
//	file, err := atomicfile.New()
//	...
//	defer file.Close()
//
// Errors name something that the user knows: for a temporary file its folder, which
// TMPDIR sets, and for a [Whole] its final name.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"

	"codelinter/internal/util/faults"
)

// A File is a file that is removed when it is closed, or at once if the system can
// remove open files: then nothing is left even if the process is killed.
type File struct {
	file    *os.File
	removed bool
}

// New makes an empty temporary file.
func New() (*File, error) {
	file, err := os.CreateTemp("", "codelinter-*")
	if err != nil {
		return nil, temporary(err)
	}
	return &File{file, os.Remove(file.Name()) == nil}, nil
}

// Read, ReadAt, Write and Seek are those of [os.File].
func (f *File) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	return n, temporary(err)
}

func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.file.ReadAt(p, offset)
	return n, temporary(err)
}

func (f *File) Write(p []byte) (int, error) {
	n, err := write(f.file, p)
	return n, temporary(err)
}

func (f *File) Seek(offset int64, whence int) (int64, error) {
	at, err := f.file.Seek(offset, whence)
	return at, temporary(err)
}

// Close closes and removes the file.
func (f *File) Close() error {
	err := f.file.Close()
	if !f.removed {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return temporary(err)
}

// write writes to a file whose disk may be full on purpose: then half is written, as on a disk
// with so little room.
func write(file *os.File, p []byte) (int, error) {
	if !faults.Hit(faults.Full) {
		return file.Write(p)
	}
	n, err := file.Write(p[:len(p)/2])
	if err == nil {
		err = &fs.PathError{Op: "write", Path: file.Name(), Err: faults.NoSpace}
	}
	return n, err
}

func temporary(err error) error { return renamed(err, "a temporary file in "+os.TempDir()) }

// renamed returns a system error with another name for the file.
func renamed(err error, name string) error {
	var (
		of   *fs.PathError
		link *os.LinkError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &of):
		return &fs.PathError{Op: of.Op, Path: name, Err: of.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: name, Err: link.Err}
	}
	return err
}
