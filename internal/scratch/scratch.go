// Package scratch has temporary files that leave nothing behind, and files that
// appear only when they are whole ([Whole]):
//
//	file, err := scratch.New()
//	...
//	defer file.Close()
package scratch

import (
	"errors"
	"os"
)

// A File is a file that is gone once it is closed, or already if the system lets
// open files be removed: then nothing is left of it whatever ends the process.
type File struct {
	*os.File
	removed bool
}

// New makes an empty file.
func New() (*File, error) {
	file, err := os.CreateTemp("", "codelinter-*")
	if err != nil {
		return nil, err
	}
	return &File{file, os.Remove(file.Name()) == nil}, nil
}

// Close closes and removes the file.
func (f *File) Close() error {
	err := f.File.Close()
	if !f.removed {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
