//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package ask

import (
	"errors"
	"os"
	"syscall"
)

// lock locks the file until it is closed, and reports whether no other process has
// locked it. The system frees the lock of a killed process. On a file system
// without locks it returns true.
func lock(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}
