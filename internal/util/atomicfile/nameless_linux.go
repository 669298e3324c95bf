package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"codelinter/internal/util/lazy"
)

// nameless opens a file in dir without a name. It gets its name through its entry in /proc, which
// may be missing.
func nameless(dir string) (*os.File, error) {
	if err := hasEntries.Get(); err != nil {
		return nil, err
	}
	return open(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}

// hasEntries returns an error if files have no entries in /proc.
var hasEntries = lazy.Value[error]{Make: func() error {
	_, err := os.Stat("/proc/self/fd")
	return err
}}

func entry(file *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", file.Fd()) }

// named gives the file the name path. A link does not replace a file, so if the
// name is taken, it gives a hidden name beside it. It returns the name that it
// gave.
func named(file *os.File, path string) (string, error) {
	if err := link(file, path); !errors.Is(err, fs.ErrExist) {
		return path, err
	}
	return hide(file, path)
}

// hide gives the file a hidden name beside path, and returns that.
func hide(file *os.File, path string) (name string, err error) {
	for range 100 {
		name = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32()))
		if err = link(file, name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return name, err
}

func link(file *os.File, name string) error {
	if err := unix.Linkat(unix.AT_FDCWD, entry(file), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: file.Name(), New: name, Err: err}
	}
	return nil
}
