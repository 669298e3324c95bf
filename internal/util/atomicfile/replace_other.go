//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// canSyncFolders says that an error of a folder's fsync is one. Windows has no such call.
const canSyncFolders = false

// A lease is none: other systems have no leases.
type lease struct{}

func hold(*os.File) (lease, error) { return lease{}, nil }

func (lease) isThere() bool { return false }

func (lease) broken() bool { return false }

// isUsed is not known.
func isUsed(*os.File) (used, known bool) { return false, false }

// flagsOf is not known.
func flagsOf(*os.File) (uint32, error) { return 0, errors.ErrUnsupported }

// keepsOrder is not known.
func keepsOrder(*os.File) bool { return false }

func startWriting(*os.File) {}

func endWriting(file *os.File) error { return file.Sync() }
