//go:build unix

package bench

import (
	"syscall"
	"time"
)

// exact is the least time that CPU measures well: a hundred times what its call takes.
const exact = time.Millisecond

// CPU returns the processor time that this process has used. Tests that distinguish
// linear from quadratic work measure it, not the clock: on a busy machine most of a
// clock's time is that of other processes.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
