//go:build !linux

package atomicfile

import "os"

// A lease is none: other systems have no leases.
type lease struct{}

func hold(*os.File) (lease, error) { return lease{}, nil }

func (lease) broken() bool { return false }

func (lease) release() {}
