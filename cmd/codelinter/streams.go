package main

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
)

// A closedInput stands for standard input where there is none. Go's runtime opens
// /dev/null in place of a stream that the caller closed (`codelinter eval <&-`), so that
// standard input would seem empty.
type closedInput struct{}

func (closedInput) Read([]byte) (int, error) {
	return 0, &os.PathError{Op: "read", Path: os.Stdin.Name(), Err: syscall.EBADF}
}

// A sink is standard output. It remembers the first write that failed, so that a command
// whose output is lost never ends with exit code 0, whoever drops the error.
//
// A sink that is closed fails each write: Go's runtime opens /dev/null in place of a
// stream that the caller closed (`codelinter rule >&-`), where output is silently lost.
// Nothing but Write and Fd is taken over from the file, since each other way to write
// would lead around these two.
type sink struct {
	to       io.Writer
	closed   bool
	discards bool // writes of a closed sink succeed

	mutex sync.Mutex
	err   error // of the first write that failed, or of the first that was discarded
}

// A sinkError is what the system said of standard output.
type sinkError struct{ error }

func (e *sinkError) Unwrap() error { return e.error }

func (s *sink) Write(p []byte) (n int, err error) {
	switch {
	case len(p) == 0:
		return 0, nil // some devices would fail, and nothing is lost
	case s.closed:
		err = &os.PathError{Op: "write", Path: os.Stdout.Name(), Err: syscall.EBADF}
	default:
		n, err = s.to.Write(p)
	}
	if err == nil {
		return n, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err == nil {
		s.err = &sinkError{err}
	}
	if s.closed && s.discards {
		return len(p), nil
	}
	return n, &sinkError{err}
}

// Fd returns the file's descriptor, by which package terminal asks about its terminal.
func (s *sink) Fd() uintptr {
	if file, ok := s.to.(*os.File); ok {
		return file.Fd()
	}
	return ^uintptr(0)
}

// lost returns why output was lost, nil if none was.
func (s *sink) lost() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// standardStreams returns standard input and output.
func standardStreams() (stdin io.Reader, stdout *sink) {
	stdin, stdout = os.Stdin, &sink{to: os.Stdout, closed: wasClosed(1)}
	if wasClosed(0) {
		stdin = closedInput{}
	}
	return stdin, stdout
}

// mayDiscard has command go on without standard output where its result is elsewhere: in
// a file, or in the exit code, as far as that is not 0. Some callers discard output by
// a /dev/null that cannot be told from the runtime's, such as Python with
// subprocess.DEVNULL.
func (s *sink) mayDiscard(command *cobra.Command) {
	s.discards = command.Name() == "check" || writesFile(command)
}

// writesFile reports whether a command writes to a file by --output.
func writesFile(command *cobra.Command) bool {
	output := command.Flags().Lookup("output")
	return output != nil && output.Value.String() != "" && !isStandard(output.Value.String(), 1)
}

// isStandard reports whether path stands for the standard stream of a descriptor: it is
// "-", or one of the system's names for it. To open such a name is not the same: a file
// would be written from its beginning, or replaced, and of a stream that is closed it
// opens what the runtime put there.
func isStandard(path string, descriptor int) bool {
	if path == "-" {
		return true
	}
	number := strconv.Itoa(descriptor)
	switch filepath.Clean(path) {
	case "/dev/std" + [...]string{"in", "out", "err"}[descriptor], "/dev/fd/" + number, "/proc/self/fd/" + number:
		return true
	}
	return false
}
