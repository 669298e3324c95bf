package sandbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/reactor"
)

// An interpreter runs one program at a time. Run leaves it fit for the next;
// Reset does so at a time of the caller's choosing.
type interpreter interface {
	Run(*job.Job) *job.Report
	Reset() error
	Close() error
}

// An engine makes interpreters, from any number of goroutines. They are closed
// before it is.
type engine interface {
	interpreter() (interpreter, error)
	Close() error
}

// chosen is the engine that e stands for: Default is CPython where it can run,
// and GPython elsewhere.
func (e Engine) chosen() Engine {
	switch {
	case e != Default:
		return e
	case cpython.Embedded && reactor.Supported():
		return CPython
	}
	return GPython
}

// Version returns the interpreter that an engine is, such as "CPython 3.13.5",
// or "" if the binary has none for this machine.
func Version(e Engine) string {
	switch e = e.chosen(); {
	case e == CPython && cpython.Embedded && reactor.Supported():
		return "CPython " + cpython.Version
	case e == GPython && strconv.IntSize == 64 && linkedGPython.version != "":
		return "gpython " + linkedGPython.version
	}
	return ""
}

// available returns nil if an engine can run here.
func available(e Engine) error {
	switch {
	case Version(e) != "":
		return nil
	case e.chosen() == GPython && strconv.IntSize != 64:
		// There it cuts shifts and repetitions beyond 2**31 short, and does not say so.
		return errors.New("sandbox: gpython runs on 64-bit machines only")
	case e == Default:
		return errors.New("sandbox: CPython needs a processor with SSE 4.1; a binary built with the tag gpython does with less")
	case e.chosen() == GPython:
		return errors.New("sandbox: this binary was built without gpython (tag gpython)")
	case e != CPython:
		return fmt.Errorf("sandbox: there is no engine %d", e)
	case !cpython.Embedded:
		return errors.New("sandbox: this binary was built without CPython")
	}
	return fmt.Errorf("sandbox: CPython cannot run on %s/%s, for which wazero has no compiler", runtime.GOOS, runtime.GOARCH)
}

// key names the compiled code that an engine needs.
func (o order) key() string { return reactor.Key(o.Memory) }

// compile compiles the code of an engine into the folder o.Cache.
func compile(ctx context.Context, o order) error { return reactor.Compile(ctx, o.Cache, o.Memory) }

// errUncompiled is that of load for a folder whose code is not to be trusted.
var errUncompiled = errors.New("no compiled code that can be used")

// load returns the engine that is ordered.
func (o order) load() (engine, error) {
	if o.Engine == GPython {
		return gpythonEngine{o.Output}, nil
	}
	if o.Cache != "" && codecache.Verify(o.Cache) != nil {
		return nil, errUncompiled
	}
	rt, err := reactor.Load(context.Background(), o.Cache, reactor.Config{Memory: o.Memory, Output: o.Output, Time: o.Time})
	if err != nil {
		return nil, err
	}
	return cpythonEngine{rt}, nil
}

type cpythonEngine struct{ *reactor.Runtime }

func (e cpythonEngine) interpreter() (interpreter, error) { return e.NewInstance() }

// linkedGPython is gpython, if the binary has it: see gpython.go.
var linkedGPython struct {
	version string // "" if it has not
	start   func(output int) interpreter
}

// A gpythonEngine is the engine of a child process, which it takes for itself.
type gpythonEngine struct{ output int }

func (e gpythonEngine) interpreter() (interpreter, error) { return linkedGPython.start(e.output), nil }

func (gpythonEngine) Close() error { return nil }
