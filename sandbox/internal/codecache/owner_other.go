//go:build !unix

package codecache

import "io/fs"

// owned returns nil: a file's mode does not say who may write to it. The user's
// cache folder is closed to others.
func owned(string, fs.FileInfo) error { return nil }

// allocated returns the bytes of a file.
func allocated(info fs.FileInfo) int64 { return info.Size() }

const noFollow = 0
