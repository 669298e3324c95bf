//go:build unix

package main

import "golang.org/x/sys/unix"

// wasClosed reports whether a standard stream is what Go's runtime opens at the
// start for one that is closed: /dev/null, for reading and writing. A shell opens
// it for one of them.
func wasClosed(descriptor int) bool {
	flags, err := unix.FcntlInt(uintptr(descriptor), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	var stream, null unix.Stat_t
	return unix.Fstat(descriptor, &stream) == nil && unix.Stat("/dev/null", &null) == nil &&
		stream.Dev == null.Dev && stream.Ino == null.Ino
}
