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

// nameless opens a file in a folder without a name.
func nameless(folder string, mode fs.FileMode) (*os.File, error) {
	if err := hasEntries.Get(); err != nil {
		return nil, err
	}
	return open(folder, os.O_RDWR|unix.O_TMPFILE, mode)
}

// hasEntries returns an error if files have no entries in /proc, by which they get a name.
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
	return hide(file, filepath.Dir(path), hiddenName(path))
}

// hide gives the file a hidden name in a folder, and returns that with the folder.
func hide(file *os.File, folder, prefix string) (name string, err error) {
	for range 100 {
		name = filepath.Join(folder, fmt.Sprintf("%s%08x", prefix, rand.Uint32()))
		if err = link(file, name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return name, err
}

// link gives a file without a name one. Linux before 6.10 lets only privileged processes name it by
// its descriptor; its entry in /proc takes a quarter longer.
func link(file *os.File, name string) error {
	err := unix.Linkat(int(file.Fd()), "", unix.AT_FDCWD, name, unix.AT_EMPTY_PATH)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EPERM) {
		err = unix.Linkat(unix.AT_FDCWD, entry(file), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	}
	if err != nil {
		return &os.LinkError{Op: "link", Old: file.Name(), New: name, Err: err}
	}
	return nil
}
