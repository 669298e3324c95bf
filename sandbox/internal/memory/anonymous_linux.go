package memory

import (
	"os"

	"golang.org/x/sys/unix"
)

// anonymousFile returns an empty file in memory, or one on disk that has no
// name where the system refuses.
func anonymousFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("codelinter-sandbox", unix.MFD_CLOEXEC)
	if err != nil {
		return unlinkedFile()
	}
	return os.NewFile(uintptr(fd), "image"), nil
}

// noReserve has a private mapping count against the system's memory as it is
// written to, and not as a whole.
const noReserve = unix.MAP_NORESERVE
