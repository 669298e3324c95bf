//go:build !unix

package atomicfile

import "io/fs"

// links returns 1: the system does not tell how many names a file has.
func links(fs.FileInfo) uint64 { return 1 }

// inode returns 0: the system does not tell.
func inode(fs.FileInfo) uint64 { return 0 }

// volume returns 0: the system does not tell.
func volume(fs.FileInfo) uint64 { return 0 }
