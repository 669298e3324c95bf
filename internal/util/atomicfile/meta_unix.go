//go:build linux || darwin || freebsd || netbsd

package atomicfile

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepMeta gives a file another one's owner, mode and extended attributes. On Linux the access list
// is one of these.
func keepMeta(from *os.File, info fs.FileInfo, to *os.File) error {
	is, err := to.Stat()
	if err != nil {
		return err
	}
	want, have := info.Sys().(*syscall.Stat_t), is.Sys().(*syscall.Stat_t)
	owned := want.Uid == have.Uid && want.Gid == have.Gid
	if !owned {
		if err := to.Chown(int(want.Uid), int(want.Gid)); err != nil {
			return fmt.Errorf("its owner %d:%d cannot be kept: %w", want.Uid, want.Gid, cause(err))
		}
	}
	if !owned || is.Mode() != info.Mode() { // a change of the owner drops bits
		if err := to.Chmod(info.Mode()); err != nil {
			return fmt.Errorf("its mode cannot be kept: %w", cause(err))
		}
	}
	return keepAttributes(int(from.Fd()), int(to.Fd()))
}

// sameMeta reports whether two files have the same owner, mode, extended attributes and flags.
func sameMeta(a *os.File, ofA fs.FileInfo, b *os.File, ofB fs.FileInfo) bool {
	statA, statB := ofA.Sys().(*syscall.Stat_t), ofB.Sys().(*syscall.Stat_t)
	if statA.Uid != statB.Uid || statA.Gid != statB.Gid || ofA.Mode() != ofB.Mode() {
		return false
	}
	names, err := attributes(int(a.Fd()))
	others, errOther := attributes(int(b.Fd()))
	if err != nil || errOther != nil || !slices.Equal(names, others) {
		return false
	}
	for _, name := range names {
		value, err := attribute(int(a.Fd()), name)
		other, errOther := attribute(int(b.Fd()), name)
		if err != nil || errOther != nil || !bytes.Equal(value, other) {
			return false
		}
	}
	flags, err := flagsOf(a)
	otherFlags, errOther := flagsOf(b)
	return err == nil && errOther == nil && flags == otherFlags
}

func keepAttributes(from, to int) error {
	want, err := attributes(from)
	if err != nil {
		return err
	}
	have, err := attributes(to)
	if err != nil {
		return err
	}
	for _, name := range have {
		if !slices.Contains(want, name) { // a default of the folder
			if err := unix.Fremovexattr(to, name); err != nil && !strings.HasPrefix(name, "security.") {
				return fmt.Errorf("the attribute %s cannot be removed: %w", name, err)
			}
		}
	}
	for _, name := range want {
		value, err := attribute(from, name)
		if err != nil {
			return err
		}
		if set, err := attribute(to, name); err == nil && bytes.Equal(set, value) {
			continue
		}
		if err := unix.Fsetxattr(to, name, value, 0); err != nil {
			return fmt.Errorf("its attribute %s cannot be kept: %w", name, err)
		}
	}
	return nil
}

// attributes returns the names of a file's extended attributes; none on a file system without.
func attributes(fd int) ([]string, error) {
	for {
		size, err := unix.Flistxattr(fd, nil)
		if err == unix.ENOTSUP || err == unix.EPERM {
			return nil, nil
		}
		if err != nil || size == 0 {
			return nil, err
		}
		list := make([]byte, size)
		if size, err = unix.Flistxattr(fd, list); err == unix.ERANGE {
			continue // there are more by now
		} else if err != nil {
			return nil, err
		}
		return strings.Split(strings.TrimSuffix(string(list[:size]), "\x00"), "\x00"), nil
	}
}

func attribute(fd int, name string) ([]byte, error) {
	for {
		size, err := unix.Fgetxattr(fd, name, nil)
		if err != nil || size == 0 {
			return nil, err
		}
		value := make([]byte, size)
		if size, err = unix.Fgetxattr(fd, name, value); err == unix.ERANGE {
			continue
		} else if err != nil {
			return nil, err
		}
		return value[:size], nil
	}
}

// cause returns a system's error without the name of a file.
func cause(err error) error {
	if e, is := err.(*os.PathError); is {
		return e.Err
	}
	return err
}
