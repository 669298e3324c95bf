// Package gpython runs a program with gpython, a Python written in Go, where
// CPython cannot run. Its reports have the reactor's form, in the wire format
// of sandbox/internal/cpython/README.md, but say less: a step that does not end
// with exactly encodable values is job.Unknown, with a reason.
//
// gpython is an incomplete Python 3.4. Its dictionaries have no order, its
// recursion has no limit, and its errors are its own. So neither an exception
// nor a value tells what CPython would do. At most, two programs with the same
// results may be taken to be alike.
//
// Only what gpython's core itself imports is linked. A program can import
// builtins, math, string and a sys with stdout and stderr alone; open is
// removed. But a program cannot be stopped, its memory cannot be bounded from
// inside, and types such as list, which it may change, belong to the whole
// process. So a process runs one program, and is itself confined.
package gpython

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"unicode/utf8"

	"codelinter/sandbox/internal/job"

	_ "github.com/go-python/gpython/compile" // sets py.Compile
	"github.com/go-python/gpython/py"
	_ "github.com/go-python/gpython/stdlib/builtin"
	_ "github.com/go-python/gpython/stdlib/math"
	_ "github.com/go-python/gpython/stdlib/string"
	"github.com/go-python/gpython/vm"
)

// Version is the version of gpython, a commit after its last release.
const Version = "0.2.1-0.20260302130241-444ae5ed29cf"

// maxStack bounds the stack of a program's recursion in bytes; beyond it the
// process dies. gpython has no limit of its own.
const maxStack = 64 << 20

// ErrUsed is the error of a second program in a process.
var ErrUsed = errors.New("gpython runs one program in a process")

// A Runner runs one program.
type Runner struct {
	output int // bytes of output that are kept
	used   bool
}

// Start takes the process and returns a Runner that keeps so many bytes of output.
func Start(output int) *Runner {
	TakeProcess()
	return New(output)
}

// New returns a Runner that keeps so many bytes of output.
func New(output int) *Runner { return &Runner{output: output} }

// TakeProcess prepares the process for a program: it bounds stacks, and closes
// the standard files, as parts of gpython write to them. A caller that needs
// these files keeps them before.
func TakeProcess() {
	debug.SetMaxStack(maxStack)
	os.Stdin, os.Stdout, os.Stderr = nil, nil, nil
}

// Reset does nothing: a Runner is not used again.
func (*Runner) Reset() error { return nil }

// Close does nothing.
func (*Runner) Close() error { return nil }

// Run runs a program and its calls, up to the first unknown one.
func (r *Runner) Run(j *job.Job) *job.Report {
	if r.used {
		return &job.Report{Failure: ErrUsed.Error()}
	}
	r.used = true
	p := newProgram(r.output)
	report := new(job.Report)
	step := func(do func() ([]byte, error)) (s job.Step) {
		from := p.written.Len()
		reply, err := guard(do)
		s = job.Step{Stop: job.Replied, Reply: reply, Output: [2]int{from, p.written.Len()}}
		if err != nil {
			s.Stop, s.Reply = job.Unknown, nil
			report.Reason = "gpython: " + err.Error()
		}
		return s
	}
	report.Exec = step(func() ([]byte, error) { return done, p.exec(j) })
	known := report.Exec.Stop == job.Replied
	for i := 0; known && i < len(j.Calls); i++ {
		s := step(func() ([]byte, error) { return p.call(j.Calls[i]) })
		report.Calls = append(report.Calls, s)
		known = s.Stop == job.Replied
	}
	if known {
		// At its end nothing runs: gpython has neither atexit nor __del__.
		report.Finish = step(func() ([]byte, error) { return done, nil })
	}
	report.Output, report.Truncated = p.written.Bytes(), p.truncated
	return report
}

// done is the reply for a module that ended normally.
var done = []byte{0}

// guard turns a panic into an error: parts of gpython panic on unexpected
// values, such as a list in a set.
func guard(do func() ([]byte, error)) (reply []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it failed: %.200v", r)
		}
	}()
	return do()
}

// A program is an interpreter with a program's state. It is the py.Context that
// gives gpython its modules; there are no files.
type program struct {
	store     *py.ModuleStore
	globals   py.StringDict
	written   bytes.Buffer
	room      int // bytes of output that are left
	truncated bool
}

// modules are the modules that a program can import, all pure. gpython's core
// links others, such as marshal.
var modules = []string{"builtins", "math", "string"}

// removed are built-in functions that are removed: open and input use files of
// the process, and so does code from compile that prints the values of
// expressions.
var removed = []string{"open", "input", "compile"}

func newProgram(output int) *program {
	p := &program{store: py.NewModuleStore(), room: output}
	must := func(m *py.Module, err error) *py.Module {
		if err != nil {
			panic(err) // of a Go module, which does not depend on the program
		}
		return m
	}
	builtins := must(p.ModuleInit(py.GetModuleImpl("builtins")))
	for _, name := range removed {
		delete(builtins.Globals, name)
	}
	// print takes its file from sys, which has nothing else.
	file := &py.Module{Globals: py.StringDict{}, Context: p}
	for _, method := range []*py.Method{
		py.MustNewMethod("write", p.write, 0, ""),
		py.MustNewMethod("flush", func(py.Object, py.Tuple) (py.Object, error) { return py.None, nil }, 0, ""),
	} {
		method.Module = file
		file.Globals[method.Name] = method
	}
	must(p.store.NewModule(p, &py.ModuleImpl{
		Info:    py.ModuleInfo{Name: "sys"},
		Globals: py.StringDict{"stdout": file, "stderr": file},
	}))
	p.globals = must(p.store.NewModule(p, &py.ModuleImpl{})).Globals
	return p
}

func (p *program) write(_ py.Object, args py.Tuple) (py.Object, error) {
	if len(args) != 1 {
		return nil, py.ExceptionNewf(py.TypeError, "write() takes one argument")
	}
	s, ok := args[0].(py.String)
	if !ok {
		return nil, py.ExceptionNewf(py.TypeError, "write() argument must be str")
	}
	text := string(s)
	if len(text) > p.room {
		text, p.truncated = text[:p.room], true
	}
	p.room -= len(text)
	p.written.WriteString(text)
	return py.Int(utf8.RuneCountInString(string(s))), nil
}

// ModuleInit, ResolveAndCompile, RunCode, GetModule, Store, Close and Done are
// those of py.Context.

func (p *program) ModuleInit(impl *py.ModuleImpl) (*py.Module, error) {
	if !slices.Contains(modules, impl.Info.Name) {
		return nil, py.ExceptionNewf(py.ImportError, "No module named '%s'", impl.Info.Name)
	}
	return p.store.NewModule(p, impl)
}

func (p *program) ResolveAndCompile(name string, _ py.CompileOpts) (py.CompileOut, error) {
	return py.CompileOut{}, py.ExceptionNewf(py.ImportError, "No module named '%s'", name)
}

func (p *program) RunCode(code *py.Code, globals, locals py.StringDict, closure py.Tuple) (py.Object, error) {
	return vm.EvalCode(p, code, globals, locals, nil, nil, nil, nil, closure)
}

func (p *program) GetModule(name string) (*py.Module, error) { return p.store.GetModule(name) }
func (p *program) Store() *py.ModuleStore                    { return p.store }
func (p *program) Close() error                              { return nil }
func (p *program) Done() <-chan struct{}                     { return nil }

// cookie is the comment that names a file's encoding, on one of two lines.
var cookie = regexp.MustCompile(`^(?:[^\n]*\n)?[ \t\f]*#[^\n]*coding[:=]`)

func (p *program) exec(j *job.Job) error {
	switch {
	case j.Coverage:
		return errors.New("it cannot record coverage")
	case len(j.Before) > 0:
		return errors.New("it cannot run a program before another")
	case bytes.HasPrefix(j.Source, []byte("\ufeff")), !utf8.Valid(j.Source), cookie.Match(j.Source):
		return errors.New("it reads UTF-8 alone, without a mark or a cookie")
	}
	_, err := p.run(string(j.Source), py.ExecMode, p.globals)
	return err
}

// run runs statements, or returns the value of an expression.
func (p *program) run(text string, mode py.CompileMode, globals py.StringDict) (py.Object, error) {
	if mode == py.ExecMode {
		text += "\n"
	}
	code, err := py.Compile(text, "/program.py", mode, 0, true)
	if err != nil {
		return nil, fmt.Errorf("it does not compile: %.500v", err)
	}
	value, err := p.RunCode(code, globals, globals, nil)
	if err != nil {
		return nil, fmt.Errorf("it raised %.500v", err)
	}
	return value, nil
}

// A callRequest is a call, see sandbox.Call.
type callRequest struct {
	statements, expr     string
	names, bound, wanted []string
}

// read decodes a request. The lowest bit of a text's length marks compiled CPython code, which
// gpython never gets.
func (r *callRequest) read(b []byte) error {
	d := job.NewDecoder(b)
	text := func() string { return string(d.Raw(min(int(d.Uvarint()>>1), d.Len()))) }
	d.Uvarint() // number of an iterator's elements, which gpython cannot encode
	r.statements, r.expr = text(), text()
	for range d.Count(2) {
		r.names, r.bound = append(r.names, string(d.Bytes())), append(r.bound, text())
	}
	for range d.Count(1) {
		r.wanted = append(r.wanted, string(d.Bytes()))
	}
	return d.End()
}

// call answers a request.
func (p *program) call(encoded []byte) ([]byte, error) {
	var r callRequest
	if err := r.read(encoded); err != nil {
		return nil, err
	}
	if r.statements != "" {
		if _, err := p.run(r.statements, py.ExecMode, p.globals); err != nil {
			return nil, err
		}
	}
	values := py.StringDict{}
	for i, name := range r.names {
		value, err := p.run(r.bound[i], py.EvalMode, p.globals)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	e := encoder{reply: []byte{0}, ids: map[any]uint64{}}
	if r.expr == "" {
		e.reply = append(e.reply, '-', 0)
	} else {
		globals := p.globals
		if len(r.names) > 0 {
			// Functions of the program keep their own namespace.
			globals = p.globals.Copy()
			for name, value := range values {
				globals[name] = value
			}
		}
		value, err := p.run(r.expr, py.EvalMode, globals)
		if err != nil {
			return nil, err
		}
		e.value(value)
	}
	for _, name := range r.wanted {
		value, ok := values[name]
		if !ok {
			return nil, fmt.Errorf("%q is not bound", name)
		}
		e.value(value)
	}
	return e.reply, e.err
}
