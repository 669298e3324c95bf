// Package sandbox runs Python programs that nobody trusts, each in a pristine
// copy of a CPython that is part of the binary; where that cannot run, in a
// lesser Python, see [GPython]. No Python is needed on the
// machine, and nothing of the machine is within a program's reach: no file, no
// socket, no process, no clock, no environment.
//
//	pool, err := sandbox.New(ctx, sandbox.Options{})
//	if err != nil {
//		return err
//	}
//	defer pool.Close()
//	result := pool.Run(ctx, sandbox.Program{
//		Source: "def double(x):\n    return 2 * x\n",
//		Calls:  []sandbox.Call{{Expr: "double([1, 2])"}},
//	})
//	fmt.Println(result.Calls[0].Value) // [1, 2, 1, 2]
//
// A result is a property of the program: the same program gives the same
// values, output and budget used on every machine, under every load and after
// every other program. What a program is worth is not said here: code under
// judgement shares its interpreter with whatever is run beside it, so what is
// expected of a program belongs on this side, in Go, and never into its calls.
//
// Programs run in child processes of the running executable, which therefore
// must call [RunChild] first thing in its main; see there. With
// [Options.InProcess] they run in the process itself.
package sandbox

import (
	"fmt"
	"time"
)

// An Engine is what executes Python.
type Engine uint8

const (
	// Default is CPython where it can run, and GPython elsewhere, if it is linked.
	Default Engine = iota
	// CPython is CPython itself, compiled to WebAssembly; see [Version]. It
	// runs where wazero has a compiler: on amd64 and arm64, under Linux,
	// macOS, FreeBSD, NetBSD and Windows. Elsewhere, and in a binary built with
	// the tag nopython, New returns an error.
	CPython
	// GPython is gpython, a Python 3.4 in Go of which parts are missing. A binary has
	// it on the systems and processors where CPython does not run, and elsewhere if it
	// is built with the tag gpython or nopython. It runs only in child processes, each
	// of which runs one program. What it says is no property of the program: what does not run to its end
	// with values that can be encoded exactly is Unknown, and what does may be
	// other than in CPython. It cannot be stopped by a budget: only Options.Time
	// ends it, as Unknown, and Used is always 0, which is to say not counted. It
	// records no coverage: a program for which that is asked is Unknown.
	GPython
)

// Options configure a pool. The zero value is a good choice.
type Options struct {
	Engine    Engine
	Workers   int          // programs that run at once, a process each; 0: one for each processor
	InProcess bool         // run programs in this process, without the second wall that a child process is; see Time
	Memory    int64        // bytes of memory that a program may have; 0: 128 MiB
	Output    int          // bytes of output that are kept of a program; 0: 1 MiB
	Budget    int64        // counts that a program may use if it does not say so itself; 0: DefaultBudget
	CacheDir  string       // folder of compiled code, and of what Program.Keep keeps; "": codelinter/sandbox in the user's cache folder
	Notice    func(string) // is told what takes long, such as the first compilation; may be nil

	// Time is the processor time after which a program is stopped whatever its budget; 0:
	// 60 s, and 5 s for GPython. It guards against errors of ours: no program of CPython
	// needs as much for the default budget, and one that is stopped so has Failed. A child
	// that uses none for a minute is stopped, too. Outside of Linux it is real time. With
	// InProcess it is that of the whole process, and to look at it needs a processor that
	// runs no program: Go cannot interrupt compiled code, so that with GOMAXPROCS no greater
	// than Workers, or while memory is collected, it may be the budget alone that stops them.
	Time time.Duration
}

// A Program is Python source, and calls to make after it has run.
type Program struct {
	Source   string // the module, run as __main__; bytes of UTF-8, a coding cookie is obeyed
	Calls    []Call // made in this order if the module ended with Done
	Budget   int64  // counts for the module and all calls together; 0: the pool's
	Coverage bool   // record lines and branches
	NewOnly  bool   // with Coverage: of each call only what nothing before it executed, which takes half as much
	Shape    bool   // with Coverage: have Coverage.Shape of the module

	// Before is a program that runs first, on the same budget, and has to end with Done. What it
	// leaves beyond its own module, such as another __import__, is there for the program.
	// CPython only.
	Before string

	// Keep says that the program is likely to be run again, with the same calls
	// and budget, by another process: what it did is kept in Options.CacheDir,
	// and taken from there. CPython only; what is kept there is bounded.
	Keep bool

	// Once says that the source is not likely to be run again: it is compiled where it
	// is run, which is counted.
	Once bool

	Traceback bool // have Exception.Traceback

	// Machine is what an ordinary program has beyond what a program under judgement has.
	// nil: nothing. CPython only.
	Machine *Machine
}

// A Machine is what an ordinary program has: arguments, an input, files, threads, alarms, and a
// clock that moves with what it does. How it ends is written to its standard error, as CPython
// does. The zero value has no arguments, an empty input, and an empty folder.
type Machine struct {
	Name      string   // of the program's file, in the current directory; "": program.py
	Arguments []string // after the name
	Input     []byte   // standard input
	Files     []File   // what the program finds; names are relative to the current directory, or absolute
	Memory    int64    // bytes that the program may have; 0: all that the pool has
}

// Folder is the current directory of a program that has a machine.
const Folder = "/work"

// A File is a file that a program is given, or leaves.
type File struct {
	Name string
	Data []byte
}

// A Call is an expression to evaluate in the namespace that a program left.
type Call struct {
	Exec   string    // statements run first, in the program's namespace itself; may be empty
	Bind   []Binding // evaluated first, in this order, in the program's namespace; Expr alone sees the names
	Expr   string
	Return []string // names of Bind whose values after the call are wanted
	Items  int      // elements taken of a resulting iterator or generator; 0: 100
}

// A Binding is a name, and the expression whose value it has.
type Binding struct{ Name, Expr string }

// A Result is how a program ended, and what came of its calls.
type Result struct {
	Engine    Engine
	End       End        // of the module
	Exception *Exception // of the module, with Raised and Exited
	Output    []byte     // what was written to sys.stdout, and by GPython to sys.stderr
	Errors    []byte     // what was written to sys.stderr
	Truncated bool       // more was written to one of them than the pool keeps
	Files     []File     // that a program with a machine made or changed, by absolute names, ascending
	Calls     []Outcome  // of the calls that were begun
	Finish    Outcome    // of what CPython does when a program ends: functions of atexit, the end of the namespace, flushing
	Used      int64      // counts used, compiling apart if there are calls; with Budget, those that there were
	Coverage  *Coverage  // of the module, if asked for
	Err       error      // with Failed and Unknown, why; never nil then
}

// Ended returns how a program ended, what CPython does at its end included.
func (r *Result) Ended() (End, *Exception) {
	if r.Finish.End != Done && r.Finish.End != NotRun {
		return r.Finish.End, r.Finish.Exception
	}
	return r.End, r.Exception
}

// An Outcome is how a call ended.
type Outcome struct {
	End       End
	Exception *Exception // with Raised and Exited
	Value     Value      // of Expr, with Done
	After     []Value    // of the names in Return, with Done and Raised
	Output    [2]int     // the part of Result.Output that the call wrote: from, to
	Errors    [2]int     // the same of Result.Errors
	Used      int64      // counts used by this call
	Coverage  *Coverage  // if asked for
}

// An End is the way in which a module or a call ended.
type End uint8

const (
	// Failed: the sandbox could not run the program. It says nothing about
	// the program.
	Failed End = iota
	// Done: it ran to its end.
	Done
	// Raised: an exception left it.
	Raised
	// Exited: SystemExit left it, or os._exit was called.
	Exited
	// Budget: it used all counts it had.
	Budget
	// Memory: it needed more memory than allowed, and CPython could not raise a
	// MemoryError. A MemoryError counts as Raised.
	Memory
	// Crashed: the interpreter died, for example of a damaged code object or a
	// recursion in C.
	Crashed
	// Unknown: its end is not known. Its child processes were killed from outside,
	// or gpython cannot tell.
	Unknown
	// NotRun: the program ended before this was reached.
	NotRun
)

// An Exception is what a program raised, as CPython tells it.
type Exception struct {
	Type      string // qualified name with the module, unless that is builtins: "ValueError", "decimal.InvalidOperation"
	Text      string // str() of it; bounded
	Line      int    // of the program, where the innermost of its frames stood; 0: none
	Traceback string // as CPython prints it, if asked for; bounded
	Code      int    // with Exited, the exit code that CPython would have ended with
}

// Coverage is what of a program's code was executed.
type Coverage struct {
	Lines    []int    // of the source, from 1, ascending
	Branches []Branch // ascending
	Shape    *Shape   // what there is to be executed, of the module if asked for
}

// A Branch is a conditional jump of the program's bytecode, and a way it went.
type Branch struct {
	Code   int // index of the code object, in the order in which they begin in the source
	Offset int // of the instruction, in bytes
	Target int // of the jump taken or not taken, in bytes
}

// A Shape is what CPython's compiler made of a program: what there is for Coverage to
// record. It is empty where the program does not compile.
type Shape struct {
	Lines []int // that have code, from 1, ascending
	Jumps []Jump
}

// A Jump is a conditional jump, on the truth of a value or on its being None.
type Jump struct {
	Code, Offset int // as a Branch has them
	Kind         JumpKind
	At           Place // of the expression that is asked
	Operand      Place // of the value; for a test as At
}

// A JumpKind says when a jump is taken.
type JumpKind uint8

// The kinds of jumps.
const (
	IfFalse JumpKind = iota
	IfTrue
	IfNone
	IfNotNone
)

// A Place is where an expression stands in a source: lines from 1, columns in bytes
// from 0.
type Place struct{ Line, LastLine, Column, LastColumn int }

var endNames = [...]string{"failed", "done", "raised", "exited", "budget", "memory", "crashed", "unknown", "not run"}

// String returns the end as a word.
func (e End) String() string {
	if int(e) < len(endNames) {
		return endNames[e]
	}
	return fmt.Sprintf("End(%d)", uint8(e))
}
