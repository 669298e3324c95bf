package main

import (
	"codelinter/flake8"
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// A stop is the signal that ends a command, and the cause with which its
// context ends.
type stop struct{ signal syscall.Signal }

func (s stop) Error() string {
	if s.signal == syscall.SIGTERM {
		return "terminated"
	}
	return flake8.ErrInterrupted.Error()
}

func (s stop) Is(target error) bool {
	return target == flake8.ErrInterrupted && s.signal == syscall.SIGINT
}

// exitCode is the shells' exit code for a program that the signal killed.
func (s stop) exitCode() int { return 128 + int(s.signal) }

// grace is the time during which a second signal is ignored: timeout(1) sends
// two at once.
const grace = 300 * time.Millisecond

// stoppable returns a context that ends at an interrupt (^C) or SIGTERM, with a
// stop as its cause. After that and grace, the next signal kills the process as
// usual.
func stoppable(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	endAtSignal(ctx, cancel)
	return ctx, func() { cancel(nil) }
}

// endAtSignal cancels ctx at a signal.
func endAtSignal(ctx context.Context, cancel context.CancelCauseFunc) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		select {
		case <-ctx.Done():
			return
		case received := <-signals:
			number, _ := received.(syscall.Signal)
			cancel(stop{number})
		}
		time.Sleep(grace)
	}()
}

// interruptible runs work in a context that a signal ends, see [stoppable].
// After that [openInput] and [writeOutput] fail, so work ends by itself and
// leaves nothing incomplete.
func interruptible(work func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		ctx, release := stoppable(command.Context())
		defer release()
		command.SetContext(ctx)
		return work(command, args)
	}
}

// await returns the result of work, or the reason why the context ended before. Work then
// goes on, and its result is lost: opening a pipe waits until another process writes to
// it, and nothing ends that but the end of the process.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return *new(T), context.Cause(ctx)
	}
}

// An interruptibleReader reads until its context ends, even if nothing arrives.
// A pending read then goes on, and its result is lost.
type interruptibleReader struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte
	read   chan readResult // nil until the first Read
}

type readResult struct {
	n   int
	err error
}

func (r *interruptibleReader) Read(p []byte) (int, error) {
	if r.read == nil {
		r.read = make(chan readResult, 1)
	}
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	if cap(r.buffer) < len(p) {
		r.buffer = make([]byte, len(p))
	}
	buffer := r.buffer[:len(p)]
	go func() {
		n, err := r.from.Read(buffer)
		r.read <- readResult{n, err}
	}()
	select {
	case result := <-r.read:
		return copy(p, buffer[:result.n]), result.err
	case <-r.ctx.Done():
		return 0, context.Cause(r.ctx)
	}
}
