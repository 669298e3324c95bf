//go:build !unix

package atomicfile

import "io/fs"

// hasLinks reports whether a file has several names, where the system tells.
func hasLinks(fs.FileInfo) bool { return false }

// inode returns 0: the system does not tell.
func inode(fs.FileInfo) uint64 { return 0 }

// volume returns 0: the system does not tell.
func volume(fs.FileInfo) uint64 { return 0 }
