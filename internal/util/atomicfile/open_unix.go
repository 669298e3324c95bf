//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// open is [os.OpenFile] for a regular file, which no poller waits for: it saves six of eight calls
// of the system.
func open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	for {
		fd, err := unix.Open(path, flag|unix.O_CLOEXEC, uint32(mode.Perm()))
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), path), nil
		case !errors.Is(err, unix.EINTR):
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// mayWrite returns an error if the process may not write a file.
func mayWrite(path string) error {
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
