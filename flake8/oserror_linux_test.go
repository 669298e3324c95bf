package flake8

import (
	"syscall"
	"testing"
)

// Numbers and words that are Linux', beside those that all systems have.
func TestLinuxErrorText(t *testing.T) {
	for _, test := range []struct {
		err        syscall.Errno
		name, want string
	}{
		{syscall.EPERM, "x", "PermissionError: [Errno 1] Operation not permitted: 'x'"},
		{syscall.EISDIR, "a/b", "IsADirectoryError: [Errno 21] Is a directory: 'a/b'"},
		{syscall.ENOTDIR, "a/b", "NotADirectoryError: [Errno 20] Not a directory: 'a/b'"},
		{syscall.ELOOP, "x", "OSError: [Errno 40] Too many levels of symbolic links: 'x'"},
		{syscall.ENAMETOOLONG, "x", "OSError: [Errno 36] File name too long: 'x'"},
		{syscall.ENXIO, "x", "OSError: [Errno 6] No such device or address: 'x'"},
	} {
		if got := osErrorText(test.err, test.name); got != test.want {
			t.Errorf("%v, %q:\n got %s\nwant %s", test.err, test.name, got, test.want)
		}
	}
}
