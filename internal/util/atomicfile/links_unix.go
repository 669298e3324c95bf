//go:build unix

package atomicfile

import (
	"io/fs"
	"syscall"
)

// hasLinks reports whether a file has several names.
func hasLinks(info fs.FileInfo) bool {
	stat, is := info.Sys().(*syscall.Stat_t)
	return is && stat.Nlink > 1
}
