package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"codelinter/flake8"
	"codelinter/internal/rows"
)

// Exit codes of all commands; flake8's own. A command that a signal stopped ends
// with 128 and the signal's number instead, see [stop].
const (
	exitOK     = flake8.ExitClean
	exitFound  = flake8.ExitFound  // there are findings, or the work could not be done
	exitMisuse = flake8.ExitMisuse // the command line makes no sense, or a file of tasks or samples does not
)

// An exitCode ends a command that has printed its message already.
type exitCode int

func (exitCode) Error() string { return "exit" }

// A misuse is an error of the command line, beyond what its parser sees.
type misuse struct{ error }

// exit returns the exit code of a command that ended with err, and prints the message
// on stderr. understood reports whether the command line was.
func exit(command *cobra.Command, err error, understood bool, stderr io.Writer) int {
	var (
		code    exitCode
		stopped stop
	)
	if err != nil && command.Context() != nil && errors.As(context.Cause(command.Context()), &stopped) {
		switch {
		case errors.As(err, &code):
		case errors.Is(err, context.Canceled), errors.As(err, new(*rows.Error)): // reading failed for that alone
			fmt.Fprintf(stderr, "%s: error: %v\n", command.CommandPath(), stopped)
		default:
			fmt.Fprintf(stderr, "%s: error: %v\n", command.CommandPath(), err)
		}
		return stopped.exitCode()
	}
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, new(*sinkError)) && flake8.IsClosedPipe(err):
		return exitFound
	case errors.As(err, new(*rows.Error)):
		fmt.Fprintf(stderr, "%s: error: %v\n", command.CommandPath(), err)
		return exitMisuse
	case errors.As(err, new(*sinkError)), understood && !errors.As(err, new(misuse)):
		fmt.Fprintf(stderr, "%s: error: %v\n", command.CommandPath(), err)
		return exitFound
	}
	fmt.Fprintf(stderr, "usage: %s\n%s: error: %v\n", command.UseLine(), command.CommandPath(), err)
	return exitMisuse
}
