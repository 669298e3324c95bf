//go:build unix

package bench

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has used. Tests that must
// tell linear work from quadratic work measure it, not the clock, which on a busy
// machine says more about others.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
