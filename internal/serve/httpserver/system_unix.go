//go:build unix

package httpserver

import "syscall"

// ownerOnly makes new files accessible to their owner alone, until restore.
func ownerOnly() (restore func()) {
	before := syscall.Umask(0o177)
	return func() { syscall.Umask(before) }
}

// openFiles returns the number of files that the process may open, or 0 if it is
// unknown.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<30))
}
