//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

// open is [os.OpenFile].
func open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}

// mayWrite returns an error if the process may not write a file.
func mayWrite(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}
