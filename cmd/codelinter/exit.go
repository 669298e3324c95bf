package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"codelinter/flake8"
	"codelinter/internal/rows"
)

// Exit codes of all commands, as flake8's. A command that a signal stopped exits with 128
// plus the signal's number, see [stop].
const (
	exitOK     = flake8.ExitClean
	exitFound  = flake8.ExitFound  // there are findings, or the work failed
	exitMisuse = flake8.ExitMisuse // the command line, or a file of tasks or samples, is invalid
)

// An exitCode ends a command that has already printed its message.
type exitCode int

func (exitCode) Error() string { return "exit" }

// A misuse is an error in the command line that its parser does not detect.
type misuse struct{ error }

// badArgument returns the misuse of an invalid value of an option.
func badArgument(option, format string, args ...any) error {
	return misuse{fmt.Errorf("argument "+option+": "+format, args...)}
}

// inRange refuses options whose numbers are below least or above most.
func inRange(command *cobra.Command, least, most int64, options ...string) error {
	for _, option := range options {
		flag := command.Flags().Lookup(option)
		switch n, _ := strconv.ParseInt(flag.Value.String(), 10, 64); {
		case n < least:
			return badArgument(optionName(flag), "expected %d or more, found %d", least, n)
		case n > most:
			return badArgument(optionName(flag), "expected %d or less, found %d", most, n)
		}
	}
	return nil
}

// atLeast refuses options whose numbers are below least.
func atLeast(command *cobra.Command, least int64, options ...string) error {
	return inRange(command, least, math.MaxInt64, options...)
}

// tell prints a line for the user on standard error.
func tell(command *cobra.Command, format string, args ...any) {
	fmt.Fprintf(command.ErrOrStderr(), command.CommandPath()+": "+format+"\n", args...)
}

// notice returns a function that passes a sandbox's notices to the user.
func notice(command *cobra.Command) func(string) {
	return func(text string) { tell(command, "%s", text) }
}

// exit returns the exit code of a command that ended with err, and prints the message on
// stderr. understood says that the command line was valid.
func exit(command *cobra.Command, err error, understood bool, stderr io.Writer) int {
	var (
		code    exitCode
		stopped stop
	)
	if err != nil && command.Context() != nil && errors.As(context.Cause(command.Context()), &stopped) {
		switch {
		case errors.As(err, &code):
		case errors.Is(err, context.Canceled), errors.As(err, new(*rows.Error)): // reading failed because of it
			tell(command, "error: %v", stopped)
		default:
			tell(command, "error: %v", err)
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
		tell(command, "error: %v", err)
		return exitMisuse
	case errors.As(err, new(*sinkError)), understood && !errors.As(err, new(misuse)):
		tell(command, "error: %v", err)
		return exitFound
	}
	fmt.Fprintf(stderr, "usage: %s\n%s: error: %v\n", command.UseLine(), command.CommandPath(), err)
	return exitMisuse
}
