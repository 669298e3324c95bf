package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Resolution is the shortest processor time that [Of] measures well: a hundred times the time of
// its call.
const Resolution = time.Millisecond

func of(pid int) (time.Duration, bool) {
	clock := int32(unix.CLOCK_PROCESS_CPUTIME_ID)
	if pid != Self {
		clock = int32(^pid)<<3 | 2 // as clock_getcpuclockid(3) makes it
	}
	var t unix.Timespec
	if unix.ClockGettime(clock, &t) != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
