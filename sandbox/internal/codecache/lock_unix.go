//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package codecache

import (
	"os"
	"syscall"
	"time"
)

// Bounds of waiting for another maker. One that was stopped keeps its lock for ever.
const (
	lockWait  = time.Minute
	lockRetry = 20 * time.Millisecond
)

// lock waits until no other process or goroutine makes an entry in dir, and returns the
// function that lets others go on. If the system has no locks, or a lock is held for too
// long, the entry is made without: then the work is done twice.
func lock(dir string) (unlock func()) {
	file, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	for end := time.Now().Add(lockWait); ; time.Sleep(lockRetry) {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR || time.Now().After(end) {
			return func() { file.Close() } // which unlocks
		}
	}
}
