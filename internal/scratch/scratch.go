// Package scratch has temporary files that leave nothing behind, and files that
// appear only when they are whole ([Whole]):
//
//	file, err := scratch.New()
//	...
//	defer file.Close()
//
// Errors name a file that the user knows: of a temporary one its folder, which TMPDIR
// sets, and of a [Whole] the name that it is to have.
package scratch

import (
	"errors"
	"io/fs"
	"os"
)

// A File is a file that is gone once it is closed, or already if the system lets
// open files be removed: then nothing is left of it whatever ends the process.
type File struct {
	file    *os.File
	removed bool
}

// New makes an empty file.
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
	n, err := f.file.Write(p)
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

func temporary(err error) error { return renamed(err, "a temporary file in "+os.TempDir()) }

// renamed returns an error of the system's with another name of the file.
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
