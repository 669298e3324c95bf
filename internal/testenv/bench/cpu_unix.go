//go:build unix

package bench

import (
	"syscall"
	"time"
)

// exact is the shortest time that CPU measures well: a hundred times the time of its
// call.
const exact = time.Millisecond

// CPU returns the processor time of this process. Tests of growth measure it and not
// the clock, as on a busy machine most of the elapsed time belongs to other processes.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
