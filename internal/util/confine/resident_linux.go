package confine

import "golang.org/x/sys/unix"

func resident() int64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return int64(usage.Maxrss) << 10 // KiB on Linux; other systems have other units
}
