//go:build !linux

package atomicfile

import "os"

// canSyncFolders says that an error of a folder's fsync is one. Windows has no such call.
const canSyncFolders = false

// A lease is none: other systems have no leases.
type lease struct{}

func hold(*os.File) (lease, error) { return lease{}, nil }

func (lease) isThere() bool { return false }

func (lease) broken() bool { return false }

func (lease) release() {}

func startWriting(*os.File) {}
