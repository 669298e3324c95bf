//go:build unix && !linux

package memory

import "os"

// anonymousFile returns an empty file without a name.
func anonymousFile() (*os.File, error) { return unlinkedFile() }

// noReserve is needed only on Linux.
const noReserve = 0
