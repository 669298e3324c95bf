package generate

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// lock reports whether the file is ours alone until it is closed. The system frees
// it for a process that is killed. Nobody else reads what is locked here, and so it
// is a byte that no file has.
func lock(file *os.File) bool {
	beyond := windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxInt32}
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &beyond)
	return !errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
