// Package sandbox runs untrusted Python programs, each in a pristine copy of a CPython
// that is part of the binary. Where CPython cannot run, it uses a lesser Python, see
// [GPython]. No Python is needed on the machine, and a program reaches nothing of the
// machine: no file, socket, process, clock or environment.
//
//	pool, err := sandbox.New(ctx, sandbox.Options{})
//	if err != nil {
//		return err
//	}
//	defer pool.Close()
//	result, err := pool.Run(ctx, sandbox.Program{
//		Source: "def double(x):\n    return 2 * x\n",
//		Calls:  []sandbox.Call{{Expr: "double([1, 2])"}},
//	})
//	if err != nil {
//		return err // nothing is known about the program
//	}
//	fmt.Println(result.Calls[0].Value) // [1, 2, 1, 2]
//
// A result depends only on the program: values, output and used budget are the same on
// every machine, under every load and after every other program. Whatever else happens, such
// as the death of a child process, is an error beside the result, which then says nothing.
// The package does not
// judge programs. Judged code shares its interpreter with the calls, so expected values
// must stay on this side, in Go, and never be part of calls.
//
// Programs run in child processes of the running executable, whose main must therefore
// call [RunChild] first. With [Options.InProcess] they run in the process itself.
package sandbox

import (
	"fmt"
	"time"
)

// An Engine is an implementation of Python.
type Engine uint8

const (
	// Default is CPython where it can run, else GPython if it is linked.
	Default Engine = iota
	// CPython is CPython itself, compiled to WebAssembly; see [Version]. It
	// runs where wazero has a compiler: on amd64 and arm64, under Linux,
	// macOS, FreeBSD, NetBSD and Windows. Elsewhere, and in a binary built with
	// the tag nopython, New returns an error.
	CPython
	// GPython is gpython, an incomplete Python 3.4 in Go. It is linked where CPython does
	// not run, or with the build tag gpython or nopython. It runs only in child
	// processes, each of which runs one program. Its results do not depend on the program
	// alone. A program that does not end normally with exactly encodable values is
	// Unknown, and [Result.Reason] says why; other results may differ from CPython's. It has
	// no budget: only Options.Time stops it, as Unknown, and Used is always 0. It records no
	// coverage: a program with Coverage is Unknown.
	GPython
)

// Options configure a pool. The zero value has good defaults.
type Options struct {
	Engine    Engine
	Workers   int          // programs that run at once, each in a process; 0: one for each processor
	InProcess bool         // run programs in this process, without the second wall of a child process; see Time
	Memory    int64        // bytes of memory for a program; 0: 128 MiB
	Output    int          // bytes of a program's output that are kept; 0: 1 MiB
	Budget    int64        // counts for a program without its own budget; 0: DefaultBudget
	CacheDir  string       // folder of compiled code and of Program.Keep's reports; "": codelinter/sandbox in the user's cache folder
	Notice    func(string) // is called before something that takes long, such as the first compilation; may be nil

	// Time is the processor time after which a program is stopped, whatever its budget; 0
	// means 60 s, and 5 s for GPython. It guards against errors of ours: under CPython no
	// program with the default budget needs so much, and Run of one that is stopped returns
	// an error. A child that uses no processor time for a minute is stopped too. On systems other
	// than Linux it is wall-clock time. With InProcess it is the time of the whole
	// process, and checking it needs a processor that runs no program, as Go cannot
	// interrupt compiled code. With GOMAXPROCS not above Workers, or during a garbage
	// collection, perhaps only the budget stops programs.
	Time time.Duration
}

// A Program is Python source with calls to make after it.
type Program struct {
	Source   string // the module, run as __main__, in UTF-8 or the encoding of its coding cookie
	Calls    []Call // made in order if the module ends with Done
	Budget   int64  // counts for the module and all calls together; 0: the pool's
	Coverage bool   // record lines and branches

	// Before is a program that runs first, on the same budget, and must end with Done.
	// Its effects outside its own module, such as another __import__, remain for the
	// program. CPython only.
	Before string

	// Keep says that other processes will probably run the program again, with the same
	// calls and budget. Its report is then cached in Options.CacheDir, within a bound.
	// CPython only.
	Keep bool

	// Once says that the source will probably not run again. It is then compiled in the
	// run, and compiling is counted.
	Once bool

	// Unfinished says that nobody asks for Finish: the program ends after its calls, without
	// functions of atexit. CPython only.
	Unfinished bool

	// Enough, if set, is asked after some of the calls, which depend on their number alone,
	// with the result so far. If it says true, the program ends there: the result has the
	// calls that were made, and no Finish. It may be asked again of the first calls, where a
	// child was lost. It is not asked with Keep or Room. CPython only.
	Enough func(soFar *Result) bool

	// Begun is called when the program begins to run, unless that is not necessary (Keep).
	// From then on it waits for nothing that is bounded by another program's time. nil: not.
	Begun func()

	// Room, if set, is called with the bytes of the report on the program before they are read,
	// which are about those of the whole result. After an error the report is dropped, and Run
	// returns that error. CPython only.
	Room func(bytes int64) error

	Traceback bool // set Exception.Traceback

	// Machine is what an ordinary program has in addition. nil for a program under
	// judgement. CPython only.
	Machine *Machine

	// Fresh says that the calls of a saved program go on from where it was saved, whatever
	// the worker's last program did. See [Resume].
	Fresh bool
}

// A Machine gives an ordinary program arguments, an input, files, threads, alarms, and a
// clock that moves with its work. As in CPython, an exception that ends the program is
// written to standard error. The zero value has no arguments, an empty input and an empty
// folder.
type Machine struct {
	Name      string   // of the program's file, in the current directory; "": program.py
	Arguments []string // after the name
	Input     []byte   // standard input
	Files     []File   // initial files; names are relative to the current directory, or absolute
	Memory    int64    // bytes for the program; 0: the pool's
	Folder    string   // the current directory, an absolute path; "": [Folder]

	// Return names the files that the result has, whether or not the program changed them, as
	// in Files. nil means all that it made or changed.
	Return []string
}

// Folder is the usual current directory of a program with a machine.
const Folder = "/work"

// A File is a file before or after a program.
type File struct {
	Name string
	Data []byte
}

// A Call is an expression to evaluate in a program's namespace.
type Call struct {
	Exec   string    // statements to run first in the program's namespace; may be empty
	Bind   []Binding // evaluated next, in order, in the program's namespace; only Expr sees the names
	Expr   string
	Return []string // names of Bind whose values are returned after the call
	Items  int      // elements to take from a resulting iterator or generator; 0: 100
}

// A Binding is a name with the expression of its value.
type Binding struct{ Name, Expr string }

// A Result says how a program and its calls ended. The zero value says that nothing was run.
type Result struct {
	Engine    Engine
	End       End        // of the module
	Exception *Exception // of the module, with Raised and Exited
	Output    []byte     // written to sys.stdout, and by GPython to sys.stderr
	Errors    []byte     // written to sys.stderr
	Truncated bool       // one of them was longer than the pool keeps
	Files     []File     // made or changed by a program with a machine, or those of Machine.Return, by absolute names, ascending
	Calls     []Outcome  // of the calls that were begun
	Finish    Outcome    // the end of the program: functions of atexit, the end of the namespace, flushing
	Used      int64      // counts used, without compiling if there are calls; with Budget, all of them
	Coverage  *Coverage  // of the module, if asked for
	Reason    string     // of Unknown
}

// Ended returns how a program ended, including the work of CPython at its end.
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
	Output    [2]int     // the range of Result.Output that the call wrote
	Errors    [2]int     // the same for Result.Errors
	Used      int64      // counts used by this call
	Coverage  *Coverage  // if asked for
}

// An End says how a module or a call ended.
type End uint8

const (
	// NotRun: the program ended before it.
	NotRun End = iota
	// Done: it ended normally.
	Done
	// Raised: an exception left it.
	Raised
	// Exited: SystemExit left it, or os._exit was called.
	Exited
	// Budget: it used all counts.
	Budget
	// Memory: it needed too much memory, and CPython could not raise a MemoryError. A
	// MemoryError counts as Raised.
	Memory
	// Crashed: the program damaged the interpreter, for example by a code object or a
	// recursion in C. The child process survives this.
	Crashed
	// Unknown: gpython ran it, and cannot tell how CPython would have ended it. CPython
	// never ends so.
	Unknown
)

// An Exception is an exception that a program raised.
type Exception struct {
	Type      string // qualified name with the module, unless that is builtins: "ValueError", "decimal.InvalidOperation"
	Text      string // str() of it; bounded
	Line      int    // of the program, in its innermost frame; 0: none
	Traceback string // as CPython prints it, if asked for; bounded
	Code      int    // with Exited, the exit code that CPython would have ended with
}

// Coverage is the code of a program that was executed.
type Coverage struct {
	Lines    []int    // of the source, from 1, ascending
	Branches []Branch // ascending
}

// A Branch is a conditional jump of the program's bytecode with one of its two targets.
type Branch struct {
	Code   int // index of the code object, in the order of their starts in the source
	Offset int // of the instruction, in bytes
	Target int // where execution went on, in bytes
}

var endNames = [...]string{"not run", "done", "raised", "exited", "budget", "memory", "crashed", "unknown"}

// String returns the end as a word.
func (e End) String() string {
	if int(e) < len(endNames) {
		return endNames[e]
	}
	return fmt.Sprintf("End(%d)", uint8(e))
}
