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

// isUsed reports whether any process has the file open, but for this one by that descriptor. Only
// its owner may ask, and not all file systems tell.
func isUsed(file *os.File) (used, known bool) {
	_, err := unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_WRLCK)
	if err == nil {
		_, err = unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return err != nil, err == nil || errors.Is(err, unix.EAGAIN)
}

// flagsOf returns the flags of a file, as chattr sets them.
func flagsOf(file *os.File) (uint32, error) {
	return unix.IoctlGetUint32(int(file.Fd()), unix.FS_IOC_GETFLAGS)
}

// keepsOrder reports whether the file system of a file has one journal for all changes of names,
// sizes and blocks, in their order. Then a name that is changed after a file's content was written
// is not on the disk before the file: ext4, which has the number of ext2 and ext3, and XFS.
func keepsOrder(file *os.File) bool {
	var system unix.Statfs_t
	return unix.Fstatfs(int(file.Fd()), &system) == nil && (system.Type == unix.EXT4_SUPER_MAGIC || system.Type == unix.XFS_SUPER_MAGIC)
}

// startWriting makes the disk write a file's content, without waiting for that.
func startWriting(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // endWriting has the error
}

// endWriting waits until the disk has written what startWriting began.
func endWriting(file *os.File) error {
	err := unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WAIT_BEFORE|unix.SYNC_FILE_RANGE_WRITE|unix.SYNC_FILE_RANGE_WAIT_AFTER)
	if err != nil {
		return &os.PathError{Op: "sync", Path: file.Name(), Err: err}
	}
	return nil
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
