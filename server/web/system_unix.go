//go:build unix

package web

import "syscall"

// ownerOnly has files that are made until restore belong to their owner alone.
func ownerOnly() (restore func()) {
	before := syscall.Umask(0o177)
	return func() { syscall.Umask(before) }
}

// openFiles returns how many files the process may have open; 0 if that is not known.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<30))
}
