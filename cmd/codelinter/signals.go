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

// A stop is the signal by which a command was asked to end, and the cause with
// which its context ends.
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

// exitCode is what shells show for a program that died of the signal.
func (s stop) exitCode() int { return 128 + int(s.signal) }

// grace is how long a second signal does nothing: timeout(1) sends two at once.
const grace = 300 * time.Millisecond

// stoppable returns a context that an interrupt (^C) or SIGTERM ends, with a
// stop as its cause. After that and some grace, the next signal ends the process
// at once, as it does where nobody calls stoppable.
func stoppable(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
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
	return ctx, func() { cancel(nil) }
}

// interruptible has work run in a context that a signal ends, see [stoppable].
// [openInput] and [writeOutput] fail from then on, so that work ends by itself
// and leaves nothing half done.
func interruptible(work func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		ctx, release := stoppable(command.Context())
		defer release()
		command.SetContext(ctx)
		return work(command, args)
	}
}

// An interruptibleReader reads until its context ends, also when nothing comes.
// A read that is under way then goes on, and what it gets is lost.
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
