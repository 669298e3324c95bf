package memory

import (
	"os"

	"golang.org/x/sys/unix"
)

// anonymousFile returns an empty file in memory or, if the system refuses, one
// on disk without a name.
func anonymousFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("codelinter-sandbox", unix.MFD_CLOEXEC)
	if err != nil {
		return unlinkedFile()
	}
	return os.NewFile(uintptr(fd), "image"), nil
}

// noReserve makes a private mapping count against the system's memory page by
// page as it is written.
const noReserve = unix.MAP_NORESERVE
