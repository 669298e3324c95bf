//go:build unix

package atomicfile

import (
	"io/fs"
	"syscall"
)

// links returns how many names a file has.
func links(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 1
	}
	return uint64(stat.Nlink)
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
