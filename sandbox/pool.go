package sandbox

import (
	"context"
	"errors"
)

// DefaultBudget is the number of counts that a program may use if neither it
// nor its pool says otherwise: 1 to 2 seconds of a processor of 2020. A count
// is a turn of a loop of the interpreter, or 64 bytes moved at once, and takes
// 4 to 100 ns.
const DefaultBudget = 30_000_000

// A Pool runs programs, as many at once as it has workers. It is for use from
// any number of goroutines; those that have to wait are served in the order in
// which they came.
type Pool struct{}

// New starts a pool. Close must be called when it is no longer needed.
func New(ctx context.Context, o Options) (*Pool, error) {
	return nil, errors.New("sandbox: no interpreter is built in")
}

// Run runs a program. It returns when the program has ended, or with Failed
// when ctx is done before.
func (p *Pool) Run(ctx context.Context, program Program) Result {
	return Result{Err: errors.New("sandbox: no interpreter is built in")}
}

// Close stops all workers. Programs that still run end with Failed.
func (p *Pool) Close() error { return nil }

// RunChild makes the process a worker of a pool, and does not return, if a
// pool started it as that; otherwise it does nothing. A program that uses a
// pool without Options.InProcess calls it first thing in main, before it reads
// arguments, opens files or starts goroutines.
func RunChild() {}

// Version is the interpreter that an engine is, such as "CPython 3.14.0", or
// "" if the binary does not have it.
func Version(e Engine) string { return "" }
