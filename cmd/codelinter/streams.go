package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
)

// A closedInput is standard input if the caller closed it (`codelinter eval <&-`). Go's
// runtime then opens /dev/null in its place, so it would seem empty.
type closedInput struct{}

func (closedInput) Read([]byte) (int, error) {
	return 0, &os.PathError{Op: "read", Path: os.Stdin.Name(), Err: syscall.EBADF}
}

// A sink is standard output. It remembers the first write that failed, so that a command
// with lost output never exits with 0, even if its code ignores the error.
//
// A closed sink fails each write. If the caller closed the stream (`codelinter rule
// >&-`), Go's runtime opens /dev/null in its place, where output is lost silently. A
// sink has only Write and Fd, as other methods of the file would bypass this.
type sink struct {
	to       io.Writer
	closed   bool
	discards bool // writes of a closed sink succeed

	mutex sync.Mutex
	err   error // of the first write that failed or was discarded
}

// A sinkError is the system's error for standard output.
type sinkError struct{ error }

func (e *sinkError) Unwrap() error { return e.error }

func (s *sink) Write(p []byte) (n int, err error) {
	switch {
	case len(p) == 0:
		return 0, nil // an empty write loses nothing, but fails on some devices
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

// Fd returns the file's descriptor, for package terminal.
func (s *sink) Fd() uintptr {
	if file, ok := s.to.(*os.File); ok {
		return file.Fd()
	}
	return ^uintptr(0)
}

// lost returns why output was lost, or nil.
func (s *sink) lost() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

func standardStreams() (stdin io.Reader, stdout *sink) {
	stdin, stdout = os.Stdin, &sink{to: os.Stdout, closed: wasClosed(1)}
	if wasClosed(0) {
		stdin = closedInput{}
	}
	return stdin, stdout
}

// hasOtherResult reports whether a command has another result than its output: a file, or an exit
// code that says it. It may run without standard output. Some callers discard output with a /dev/null
// that looks like the runtime's: Python with subprocess.DEVNULL, Node.js with stdio "ignore".
func hasOtherResult(command *cobra.Command, args []string) bool {
	switch command.Name() {
	case "check", "run":
		return true
	case "fix":
		return !slices.ContainsFunc(args, func(arg string) bool {
			return arg == "-" || arg == "--diff" || arg == "--json" || arg == "--help" || arg == "-h"
		})
	}
	return writesFile(command)
}

// writesFile reports whether a command writes to a file by --output.
func writesFile(command *cobra.Command) bool {
	output := command.Flags().Lookup("output")
	return output != nil && output.Value.String() != "" && !isStandard(output.Value.String(), 1)
}

// isStandard reports whether path is "-" or one of the system's names for the standard
// stream of a descriptor. Opening such a name differs from using the stream: a file
// would be written from its beginning, or replaced, and for a closed stream it would be
// the runtime's /dev/null.
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
