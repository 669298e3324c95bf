package cputime

import (
	"syscall"
	"time"
)

// Resolution is the shortest processor time that [Of] measures well. It grows by 1/64 s, as a
// thread is charged for the ticks that interrupt it.
const Resolution = 10 * time.Second / 64

func of(pid int) (time.Duration, bool) {
	process, err := syscall.GetCurrentProcess()
	if pid != Self || err != nil {
		return 0, false
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		return 0, false
	}
	// Not Nanoseconds, which counts from 1601.
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user))), true
}
