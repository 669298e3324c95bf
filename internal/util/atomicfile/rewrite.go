package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Rewrite is [Replace] for a file that a user names, perhaps by a link to it. It refuses a file
// that may not be written, or that has several names.
func Rewrite(name string, was Known, text []byte) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info := was.Info
	if info == nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", name)
	}
	if info.Mode().Perm()&0o222 == 0 {
		return errors.New("the file is read-only")
	}
	if hasLinks(info) {
		return errors.New("the file has other hard links, which would keep the old text")
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0) // a rename would ask only the folder
	if err != nil {
		return err
	}
	file.Close()
	return Replace(path, was, text)
}
