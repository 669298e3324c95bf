package codecache

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// nextData returns the first stretch of a file at or after at that is no hole. It is empty, and at the
// file's end, if there is none.
func nextData(file *os.File, at, size int64) (from, to int64) {
	from, err := file.Seek(at, unix.SEEK_DATA)
	if errors.Is(err, unix.ENXIO) {
		return size, size
	}
	if err != nil { // the file system knows no holes
		return at, size
	}
	to, err = file.Seek(from, unix.SEEK_HOLE)
	if err != nil || to <= from {
		to = size
	}
	return min(from, size), min(to, size)
}
