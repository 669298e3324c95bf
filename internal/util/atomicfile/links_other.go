//go:build !unix

package atomicfile

import "io/fs"

// hasLinks reports whether a file has several names, where the system tells.
func hasLinks(fs.FileInfo) bool { return false }
