package sandbox

import (
	"context"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"codelinter/internal/util/confine"
	"codelinter/sandbox/internal/job"
)

// A child is a process of the same executable that a pool starts to run
// programs. They communicate over pipes, the child's standard input and output.
// The pool sends an order, the child answers with a greeting, and then jobs and
// reports alternate, one at a time. The child ends when its input ends.

// childName is the name of a child, see [confine.Command].
const childName = "codelinter: sandbox"

// An order configures a child.
type order struct {
	Engine  Engine
	Compile bool   // compile into the cache, and end
	Cache   string // folder of compiled code; "": compile in memory
	Saved   string // folder of a saved program; "": none
	Memory  int64
	Output  int
	Time    time.Duration // processor time after which programs are stopped; 0: the pool does it
}

// A greeting says whether the child is ready.
type greeting struct {
	Uncompiled bool   // the cache has no usable code
	Damaged    bool   // the saved program is not usable
	Failure    string // why the child ends; "": it does not
	Measures   confine.Measures
}

// Bounds on a child, besides those of its programs.
const (
	childSpace = 1 << 30          // bytes of address space beyond its programs': Go's heap, stacks of WebAssembly of up to 50 MB
	childCPU   = 12 * time.Hour   // processor time of a child
	childHeap  = 128 << 20        // bytes below which Go's collector tries to keep its heap
	greetLimit = 64 << 10         // bytes of an order or a greeting
	startLimit = 2 * time.Minute  // until a child is ready
	compiling  = 20 * time.Minute // for a child to compile
)

// isChildAware says that main called RunChild.
var isChildAware bool

// RunChild runs programs for a pool, and does not return, if a pool started the
// process as a child. Otherwise it does nothing. A program that uses a pool
// without Options.InProcess calls it first thing in main, before it reads
// arguments, opens files or starts goroutines:
//
//	func main() {
//		sandbox.RunChild()
//		...
//
// Tests do so in TestMain.
func RunChild() {
	isChildAware = true
	confine.Serve(childName, func([]string) error { return serve(os.Stdin, os.Stdout) })
}

// serve runs a child's jobs.
func serve(from io.Reader, to io.Writer) error {
	var o order
	if err := job.Read(from, &o, greetLimit); err != nil {
		return err
	}
	if o.Compile {
		var g greeting
		if err := compile(context.Background(), o); err != nil {
			g.Failure = err.Error()
		}
		return job.Write(to, g, greetLimit)
	}
	debug.SetMemoryLimit(childHeap)
	var in interpreter
	if o.Engine == GPython {
		in = linkedGPython.start(o.Output)
	} else {
		rt, err := o.load()
		if err != nil {
			return job.Write(to, greeting{Uncompiled: err == errUncompiled, Damaged: err == errDamaged, Failure: err.Error()}, greetLimit)
		}
		defer rt.Close()
		if in, err = rt.NewInstance(); err != nil {
			return job.Write(to, greeting{Failure: err.Error()}, greetLimit)
		}
	}
	defer in.Close()
	runtime.GOMAXPROCS(1)
	// Loading has used much memory that is not needed again.
	debug.FreeOSMemory()
	measures := confine.Process(confine.Limits{Memory: childSpace + 2*o.Memory, CPU: childCPU})
	if err := job.Write(to, greeting{Measures: measures}, greetLimit); err != nil {
		return err
	}
	for {
		var j job.Job
		if err := j.Read(from); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if j.Pauses {
			j.Enough = func(soFar *job.Report) bool { return isEnough(soFar, from, to) }
		}
		r := in.Run(&j)
		r.Resident = confine.Resident()
		if err := r.Write(to); err != nil {
			return err
		}
		// Reset while the pool reads the report.
		if err := in.Reset(); err != nil {
			return err
		}
	}
}

// isEnough asks the pool whether the calls so far are enough. They are if it is gone.
func isEnough(soFar *job.Report, from io.Reader, to io.Writer) bool {
	soFar.Paused = true
	defer func() { soFar.Paused = false }()
	var answer job.Answer
	err := soFar.Write(to)
	if err == nil {
		err = job.Read(from, &answer, greetLimit)
	}
	return err != nil || answer.Enough
}
