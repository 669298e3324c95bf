//go:build !(linux || darwin || freebsd || netbsd)

package atomicfile

import (
	"io/fs"
	"os"
)

// keepMeta gives a file another one's mode.
func keepMeta(_ *os.File, info fs.FileInfo, to *os.File) error { return to.Chmod(info.Mode()) }

// sameMeta is not known.
func sameMeta(*os.File, fs.FileInfo, *os.File, fs.FileInfo) bool { return false }
