//go:build !(linux || darwin || freebsd || netbsd)

package atomicfile

import "os"

// keepMeta gives a file another one's mode.
func keepMeta(from, to *os.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	return to.Chmod(info.Mode())
}
