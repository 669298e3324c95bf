//go:build !unix

package codecache

import "io/fs"

// owned returns nil: who may write to a file is not in its mode here. The
// user's cache folder, of which it is a part, is closed to others.
func owned(string, fs.FileInfo) error { return nil }

const noFollow = 0
