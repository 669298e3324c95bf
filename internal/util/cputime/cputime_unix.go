//go:build unix && !linux

package cputime

import (
	"syscall"
	"time"
)

// Resolution is the shortest processor time that [Of] measures well.
const Resolution = time.Millisecond

func of(pid int) (time.Duration, bool) {
	var usage syscall.Rusage
	if pid != Self || syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
