//go:build !unix

package memory

import (
	"fmt"
	"io"
	"os"
)

// A backing is empty here, as memories are copies.
type backing struct{}

func (im *Image) open(content []byte) error {
	im.content = content
	return nil
}

// use reads a file.
func (im *Image) use(file *os.File) error {
	defer file.Close()
	im.content = make([]byte, im.length)
	if _, err := io.ReadFull(file, im.content); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}

// Close frees the image. Its memories must have been freed.
func (im *Image) Close() error {
	im.written.close()
	im.content = nil
	return nil
}
