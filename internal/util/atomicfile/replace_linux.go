package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// canSyncFolders says that an error of a folder's fsync is one.
const canSyncFolders = true

// A lease is a read lease on a file: programs that open the file for writing wait until it ends.
// The zero value is none.
type lease struct{ file *os.File }

// hold takes a lease on a file that is open for reading. It returns an error if a program has the
// file open for writing. Some file systems have no leases, and only the owner may take one; then it
// returns none.
func hold(file *os.File) (lease, error) {
	_, err := unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	switch {
	case err == nil:
		return lease{file}, nil
	case errors.Is(err, unix.EAGAIN):
		return lease{}, errors.New("another program has the file open for writing, so it was left as it is")
	}
	return lease{}, nil
}

// isThere reports whether it is one.
func (l lease) isThere() bool { return l.file != nil }

// broken reports whether a program waits for the end of the lease.
func (l lease) broken() bool {
	if l.file == nil {
		return false
	}
	kind, err := unix.FcntlInt(l.file.Fd(), unix.F_GETLEASE, 0)
	return err != nil || kind != unix.F_RDLCK
}

func (l lease) release() {
	if l.file != nil {
		unix.FcntlInt(l.file.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	}
}

// startWriting makes the disk write a file, without waiting for that.
func startWriting(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // the file is synced later
}

// exchange exchanges the files of two names in one step.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errors.ErrUnsupported // by the file system or by the kernel
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
	}
	return nil
}
