package main

import (
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"
)

// A closedStream stands for standard input or output where there is none. Go's
// runtime opens /dev/null in place of a stream that the caller closed
// (`codelinter eval >&-`), so that nothing would be read, or what is written
// silently lost.
type closedStream struct{ *os.File }

func (closedStream) Read([]byte) (int, error)  { return 0, syscall.EBADF }
func (closedStream) Write([]byte) (int, error) { return 0, syscall.EBADF }

// standardStreams returns standard input and output.
//
// Some callers discard output by a /dev/null of the same kind as the runtime's,
// such as Python with subprocess.DEVNULL, and cannot be distinguished from those
// that closed it. So [mayDiscard] lets commands write to it that are useful without
// their output.
func standardStreams() (stdin io.Reader, stdout io.Writer) {
	stdin, stdout = os.Stdin, os.Stdout
	if wasClosed(0) {
		stdin = closedStream{os.Stdin}
	}
	if wasClosed(1) {
		stdout = closedStream{os.Stdout}
	}
	return stdin, stdout
}

// mayDiscard gives command the standard output that seems to be closed, if it is
// useful without: it writes to a file, or its exit code is the result.
func mayDiscard(command *cobra.Command) {
	closed, found := command.OutOrStdout().(closedStream)
	if !found {
		return
	}
	output := command.Flags().Lookup("output")
	switch {
	case output != nil && output.Value.String() != "" && output.Value.String() != "-",
		command.Name() == "check", command.Name() == "version":
		command.SetOut(closed.File)
	}
}
