//go:build unix && !linux

package memory

import "os"

// anonymousFile returns an empty file that has no name.
func anonymousFile() (*os.File, error) { return unlinkedFile() }

// noReserve is what Linux needs to be told, and nobody else.
const noReserve = 0
