//go:build !windows

package flake8

import (
	"strings"
	"syscall"
)

// pythonError returns the subclass of OSError that Python raises for an error of the
// system, its number and its words.
func pythonError(number syscall.Errno) (class string, code int, reason string) {
	reason = number.Error()
	return osErrorClass(number), int(number), strings.ToUpper(reason[:1]) + reason[1:]
}

func osErrorClass(number syscall.Errno) string {
	switch number {
	case syscall.ENOENT:
		return "FileNotFoundError"
	case syscall.EACCES, syscall.EPERM:
		return "PermissionError"
	case syscall.EEXIST:
		return "FileExistsError"
	case syscall.EISDIR:
		return "IsADirectoryError"
	case syscall.ENOTDIR:
		return "NotADirectoryError"
	case syscall.EAGAIN:
		return "BlockingIOError"
	case syscall.ETIMEDOUT:
		return "TimeoutError"
	}
	return "OSError"
}
