package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"codelinter/internal/confine"
	"codelinter/sandbox/internal/job"
)

// A child is a process of the same executable that a pool starts to run
// programs in. The two speak over the child's standard input and output, which
// are pipes: the pool sends an order, the child answers with a greeting, and
// then come jobs and reports by turns, one at a time. When its input ends, so
// does the child.

// childName is the name (argv[0]) under which a child is started. Nobody can
// give it by mistake, as with an argument or a variable of the environment.
const childName = "codelinter: sandbox"

// An order tells a child what it is to be.
type order struct {
	Engine  Engine
	Compile bool   // compile the code into the cache, and end
	Cache   string // folder of compiled code; "": compile it in memory
	Memory  int64
	Output  int
	Time    time.Duration // to stop programs after; 0: the pool sees to that
}

// A greeting is what a child says when it is ready, or cannot be.
type greeting struct {
	Uncompiled bool   // the cache has no code that can be used
	Failure    string // not "": the child ends, and this is why
	Measures   confine.Measures
}

// Bounds on a child, beyond those of its programs.
const (
	childSpace = 1 << 30          // bytes of address space to grow by: Go's heap, stacks of WebAssembly of up to 50 MB
	childCPU   = 12 * time.Hour   // of processor time in its life
	childHeap  = 128 << 20        // bytes that Go's collector tries to keep its heap below
	greetLimit = 64 << 10         // bytes of a greeting
	startLimit = 2 * time.Minute  // for a child to be ready
	compiling  = 20 * time.Minute // for a child to compile
)

// isChildAware is whether main called RunChild, so that a child would know
// what it is.
var isChildAware bool

// RunChild makes the process a worker of a pool, and does not return, if a
// pool started it as that; otherwise it does nothing. A program that uses a
// pool without Options.InProcess calls it first thing in main, before it reads
// arguments, opens files or starts goroutines:
//
//	func main() {
//		sandbox.RunChild()
//		...
//
// Tests do so in TestMain.
func RunChild() {
	isChildAware = true
	if len(os.Args) == 0 || os.Args[0] != childName {
		return
	}
	confine.CloseInherited()
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve is the life of a child.
func serve(in io.Reader, out io.Writer) error {
	var o order
	if err := receive(in, &o); err != nil {
		return err
	}
	if o.Compile {
		var g greeting
		if err := compile(context.Background(), o); err != nil {
			g.Failure = err.Error()
		}
		return send(out, g)
	}
	runtime.GOMAXPROCS(1)
	debug.SetMemoryLimit(childHeap)
	engine, err := o.load()
	if err != nil {
		return send(out, greeting{Uncompiled: err == errUncompiled, Failure: err.Error()})
	}
	defer engine.Close()
	interpreter, err := engine.interpreter()
	if err != nil {
		return send(out, greeting{Failure: err.Error()})
	}
	defer interpreter.Close()
	// Loading leaves much that is not needed again.
	debug.FreeOSMemory()
	measures := confine.Process(confine.Limits{Memory: childSpace + 2*o.Memory, CPU: childCPU})
	if err := send(out, greeting{Measures: measures}); err != nil {
		return err
	}
	for {
		var j job.Job
		if err := j.Read(in); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		r := interpreter.Run(&j)
		r.Resident = confine.Resident()
		if err := r.Write(out); err != nil {
			return err
		}
		// What the program left goes while the pool looks at the report.
		if err := interpreter.Reset(); err != nil {
			return err
		}
	}
}

// send and receive move an order or a greeting: four bytes of length, and JSON.

func send(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return job.WriteFrame(w, append(make([]byte, 4), text...), greetLimit)
}

func receive(r io.Reader, v any) error {
	text, err := job.ReadFrame(r, greetLimit)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
