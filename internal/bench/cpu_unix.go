//go:build unix

package bench

import (
	"syscall"
	"time"
)

const tick = 0 // CPU is exact

// CPU returns the processor time that this process has used. Tests that distinguish
// linear from quadratic work measure it, not the clock, which on a busy machine depends
// on other processes.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
