package sandbox

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/reactor"
)

// An interpreter runs one program at a time. Run leaves it ready for the next
// program; Reset does this earlier.
type interpreter interface {
	Run(*job.Job) *job.Report
	Reset() error
	Close() error
}

// chosen resolves Default: CPython where it can run, else GPython.
func (e Engine) chosen() Engine {
	switch {
	case e != Default:
		return e
	case cpython.Embedded && reactor.Supported():
		return CPython
	}
	return GPython
}

// Version returns an engine's interpreter, such as "CPython 3.13.5", or "" if
// the binary has none for this machine.
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
		// There gpython silently truncates shifts and repetitions beyond 2**31.
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

// compile compiles CPython into the folder o.Cache. It is a variable for tests, most of which are
// about what happens around it.
var compile = func(ctx context.Context, o order) error { return reactor.Compile(ctx, o.Cache) }

// errUncompiled is load's error for a folder without trustworthy code.
var errUncompiled = errors.New("no compiled code that can be used")

// errDamaged is load's error for a saved program that is not as it was written.
var errDamaged = errors.New("a saved program is damaged; it is gone from the cache now, and will be made again")

// load returns the runtime of CPython for an order. A saved program is verified while the code is
// loaded: that needs as long, and uses a saved memory in the sandbox alone.
func (o order) load() (*reactor.Runtime, error) {
	damaged := make(chan error, 1)
	go func() {
		if o.Saved != "" && codecache.Verify(o.Saved) != nil {
			damaged <- errDamaged
		}
		close(damaged)
	}()
	rt, err := o.loadCode()
	if is := <-damaged; is != nil && err != errUncompiled {
		if rt != nil {
			rt.Close()
		}
		return nil, is
	}
	return rt, err
}

// loadCode returns the runtime, if the code is undamaged.
func (o order) loadCode() (*reactor.Runtime, error) {
	var unused []string
	if o.Saved != "" {
		unused = append(unused, filepath.Base(reactor.ImageFile(o.Cache))) // it has one of its own
	}
	if o.Cache != "" && codecache.Verify(o.Cache, unused...) != nil {
		return nil, errUncompiled
	}
	return reactor.Load(context.Background(), o.Cache, reactor.Config{Memory: o.Memory, Output: o.Output, Time: o.Time, Saved: o.Saved})
}

// linkedGPython is gpython, if it is linked: see gpython.go.
var linkedGPython struct {
	version string // "" if it is not linked
	start   func(output int) interpreter
}
