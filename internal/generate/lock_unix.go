//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package generate

import (
	"errors"
	"os"
	"syscall"
)

// lock reports whether the file is ours alone until it is closed. The system frees
// it for a process that is killed. Where the file system has no locks, we go
// without.
func lock(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}
