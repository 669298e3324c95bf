//go:build !linux

package codecache

import "os"

// nextData returns the rest of a file, since holes are not looked for here.
func nextData(_ *os.File, at, size int64) (from, to int64) { return at, size }
