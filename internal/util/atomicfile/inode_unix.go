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

// inode returns the number of a file in its file system.
func inode(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 0
	}
	return uint64(stat.Ino)
}

// volume returns the number of a file's file system.
func volume(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 0
	}
	return uint64(stat.Dev)
}
