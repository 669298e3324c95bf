package ask

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks the file until it is closed, and reports whether no other process has
// locked it. The system frees the lock of a killed process. Locked bytes cannot be
// read, so it locks a byte beyond the end of any file.
func lock(file *os.File) bool {
	beyond := windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxInt32}
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &beyond)
	return !errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
