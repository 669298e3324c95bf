package atomicfile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// nameless opens a file in dir without a name.
func nameless(dir string) (*os.File, error) {
	file, err := os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
	if err != nil {
		return nil, err
	}
	// The file gets its name through its entry in /proc, which may be missing.
	if _, err := os.Stat(entry(file)); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func entry(file *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", file.Fd()) }

// named gives the file the name path. A link does not replace a file, so if the
// name is taken, it gives a hidden name beside it. It returns the name that it
// gave.
func named(file *os.File, path string) (string, error) {
	name := path
	for range 100 {
		err := unix.Linkat(unix.AT_FDCWD, entry(file), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
		if err == nil {
			return name, nil
		}
		if err != unix.EEXIST {
			return "", &os.LinkError{Op: "link", Old: file.Name(), New: name, Err: err}
		}
		name = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32()))
	}
	return "", &os.LinkError{Op: "link", Old: file.Name(), New: name, Err: unix.EEXIST}
}
