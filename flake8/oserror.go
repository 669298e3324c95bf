package flake8

import (
	"errors"
	"fmt"
	"syscall"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

// errNotSeekable is Python's error for a pipe, in which it cannot go back after it has
// looked for a coding cookie.
var errNotSeekable = errors.New("UnsupportedOperation: File or stream is not seekable.") //lint:ignore ST1005 Python's words

// osErrorText returns Python's message for err, an error of opening or reading the
// file of that name. flake8 prints it after E902:
//
//	FileNotFoundError: [Errno 2] No such file or directory: 'nope.py'
func osErrorText(err error, name string) string {
	var number syscall.Errno
	if err == errNotSeekable {
		return err.Error()
	}
	if !errors.As(err, &number) {
		return "OSError: " + err.Error()
	}
	class, code, reason := pythonError(number)
	return fmt.Sprintf("%s: [Errno %d] %s: %s", class, code, reason, pythonRepr(name))
}

// pythonRepr returns repr(text). In Python's file names, bytes that are not UTF-8 are
// lone surrogates.
func pythonRepr(text string) string {
	return string(pytext.AppendRepr(nil, pytext.FSDecode(text), characters.Latest))
}
