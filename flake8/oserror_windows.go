package flake8

import "syscall"

// pythonError returns the subclass of OSError that Python raises for an error of the
// system, its number and its words. Python opens files by the C runtime, which has
// numbers of its own for Windows' errors:
//
//	>>> open("nope.py")
//	FileNotFoundError: [Errno 2] No such file or directory: 'nope.py'
//
// The first numbers are those of the runtime's table. Any error that is not in it
// becomes EINVAL.
func pythonError(number syscall.Errno) (class string, code int, reason string) {
	switch {
	case number == 2, number == 3, number == 15, number == 18, number == 53, number == 67, number == 161, number == 206:
		return "FileNotFoundError", 2, "No such file or directory"
	case number == 4:
		return "OSError", 24, "Too many open files"
	case number == 5, number == 16, 19 <= number && number <= 36, number == 65, number == 82, number == 83, number == 108, number == syscall.EACCES:
		return "PermissionError", 13, "Permission denied"
	case number == 6:
		return "OSError", 9, "Bad file descriptor"
	case number == 7, number == 8, number == 9:
		return "OSError", 12, "Not enough space"
	case number == 80, number == 183, number == syscall.EEXIST:
		return "FileExistsError", 17, "File exists"
	case number == 109:
		return "BrokenPipeError", 32, "Broken pipe"
	case number == 112:
		return "OSError", 28, "No space left on device"
	}
	return "OSError", 22, "Invalid argument"
}
