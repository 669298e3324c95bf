package sandbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"codelinter/sandbox/cpython"
	"codelinter/sandbox/internal/codecache"
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

// String returns the name by which people ask for an engine.
func (e Engine) String() string {
	switch e {
	case Default:
		return "default"
	case CPython:
		return "cpython"
	case GPython:
		return "gpython"
	}
	return fmt.Sprintf("Engine(%d)", uint8(e))
}

// ParseEngine returns the engine of a name.
func ParseEngine(name string) (Engine, error) {
	for e := Default; e <= GPython; e++ {
		if e.String() == name {
			return e, nil
		}
	}
	return 0, fmt.Errorf("no engine is called %q; there are default, cpython and gpython", name)
}

// Version returns the interpreter that an engine is, such as "CPython 3.13.5",
// or "" if the binary has none for this machine.
func Version(e Engine) string {
	switch {
	case e == Default:
		return Version(defaultEngine())
	case e == CPython && cpython.Embedded && reactor.Supported():
		return "CPython " + cpython.Version
	}
	return ""
}

func defaultEngine() Engine {
	if cpython.Embedded && reactor.Supported() {
		return CPython
	}
	return GPython
}

// available returns nil if an engine can run here.
func available(e Engine) error {
	switch {
	case Version(e) != "":
		return nil
	case e == CPython && !cpython.Embedded:
		return fmt.Errorf("sandbox: this binary was built without CPython")
	case e == CPython:
		return fmt.Errorf("sandbox: CPython cannot run on %s/%s, for which wazero has no compiler", runtime.GOOS, runtime.GOARCH)
	}
	return fmt.Errorf("sandbox: no engine %v", e)
}

// key names the compiled code that an engine needs; "" is none.
func (o order) key() string {
	if o.Engine == CPython {
		return reactor.Key(o.Memory)
	}
	return ""
}

// compile compiles the code of an engine into the folder o.Cache.
func compile(ctx context.Context, o order) error { return reactor.Compile(ctx, o.Cache, o.Memory) }

// errUncompiled is that of load for a folder whose code is not to be trusted.
var errUncompiled = errors.New("no compiled code that can be used")

// load returns the engine that is ordered.
func (o order) load() (engine, error) {
	if o.Cache != "" && codecache.Verify(o.Cache) != nil {
		return nil, errUncompiled
	}
	rt, err := reactor.Load(context.Background(), o.Cache, reactor.Config{Memory: o.Memory, Output: o.Output, Wall: o.Wall})
	if err != nil {
		return nil, err
	}
	return cpythonEngine{rt}, nil
}

type cpythonEngine struct{ *reactor.Runtime }

func (e cpythonEngine) interpreter() (interpreter, error) { return e.NewInstance() }
