//go:build unix

package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// unread returns a channel that is closed when nobody can read any more what is written to a pipe.
func unread(out io.Writer) <-chan struct{} {
	file, is := out.(interface{ Fd() uintptr })
	if !is {
		return nil
	}
	gone := make(chan struct{})
	pipe := []unix.PollFd{{Fd: int32(file.Fd())}} // no events: only errors are waited for
	go func() {
		_, err := unix.Poll(pipe, -1)
		for err == unix.EINTR {
			_, err = unix.Poll(pipe, -1)
		}
		if pipe[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
			close(gone)
		}
	}()
	return gone
}

// polled returns in, opened once more if it is a pipe, so that who waits for more of it waits in the
// runtime's poller. A read that waits in the system keeps its processor until the runtime's monitor
// takes it away, and while that happens the monitor wakes every 20 microseconds. A stream of small
// batches took a quarter more time of a processor. The file that we were given stays as it is, as
// others may share it. Other files, and other systems than Linux, keep what they have.
func polled(in io.Reader) io.Reader {
	file, is := in.(*os.File)
	if !is {
		return in
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return in
	}
	again := in
	raw.Control(func(descriptor uintptr) { // not file.Fd(), which changes the file
		var stat unix.Stat_t
		flags, err := unix.FcntlInt(descriptor, unix.F_GETFL, 0)
		if err != nil || flags&unix.O_ACCMODE != unix.O_RDONLY || unix.Fstat(int(descriptor), &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFIFO {
			return
		}
		if pipe, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", descriptor), os.O_RDONLY|unix.O_NONBLOCK, 0); err == nil {
			again = pipe
		}
	})
	return again
}

// wasClosed reports whether a standard stream is what Go's runtime opens for a closed
// one: /dev/null for reading and writing. A shell opens it for one of these.
func wasClosed(descriptor int) bool {
	flags, err := unix.FcntlInt(uintptr(descriptor), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	var stream, null unix.Stat_t
	return unix.Fstat(descriptor, &stream) == nil && unix.Stat("/dev/null", &null) == nil &&
		stream.Dev == null.Dev && stream.Ino == null.Ino && !isShared(descriptor, flags)
}

// isShared reports whether two standard streams are one open file, by changing its
// flags. The runtime opens a file for each stream. Python's subprocess uses one file for
// all streams that are DEVNULL.
func isShared(descriptor, flags int) bool {
	of := func(stream int) int {
		flags, _ := unix.FcntlInt(uintptr(stream), unix.F_GETFL, 0)
		return flags
	}
	before := [...]int{of(0), of(1), of(2)}
	if _, err := unix.FcntlInt(uintptr(descriptor), unix.F_SETFL, flags^unix.O_APPEND); err != nil {
		return false
	}
	defer unix.FcntlInt(uintptr(descriptor), unix.F_SETFL, flags)
	for other := range before {
		if other != descriptor && of(other) != before[other] {
			return true
		}
	}
	return false
}
