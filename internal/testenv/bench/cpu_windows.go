package bench

import (
	"syscall"
	"time"
)

// exact is the shortest time that CPU measures well. CPU grows by 1/64 s: a thread
// is charged for the ticks that interrupt it.
const exact = 10 * time.Second / 64

// CPU returns the processor time of this process.
func CPU() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		return 0
	}
	// Not Nanoseconds, which counts from 1601.
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
