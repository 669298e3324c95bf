package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/reactor"
	"codelinter/sandbox/internal/wasi"
)

// DefaultBudget is the number of counts that a program may use by default: what CPython
// does in a quarter of a second. A count is a round of a loop in the interpreter's machine
// code, or 64 bytes moved at once.
const DefaultBudget = 30_000_000

// CountTime turns a time limit into counts, and is how far the clock of a program with a
// [Machine] moves for each count. It is what CPython needs for a count in the slowest
// ordinary kinds of loop: of 66 kinds the median needs 4 ns, the slowest 9 (BenchmarkLoops).
// So within a time limit no ordinary program runs for longer than it would in CPython.
const CountTime = reactor.CountTime * time.Nanosecond

// MachineBudget is ten seconds of that clock, a good budget for a program with a
// [Machine].
const MachineBudget = int64(10 * time.Second / CountTime)

// TimeFor returns an Options.Time that is far beyond what any program with the budget
// needs: the sandbox takes 6 to 40 ns for a count of an ordinary program, and the most that
// was ever seen is 90.
func TimeFor(budget int64) time.Duration {
	const most = 500 * time.Nanosecond // that a count takes
	if budget > int64(childCPU/most) {
		return childCPU
	}
	return defaultTime + time.Duration(budget)*most
}

// Defaults of Options.
const (
	defaultMemory = 128 << 20
	defaultOutput = 1 << 20
	defaultTime   = time.Minute

	defaultTimeGPython = 5 * time.Second // the only bound of a program
)

// Bounds on Options and Programs.
const (
	minMemory = 1 << 20
	maxMemory = 2 << 30
	maxOutput = 64 << 20
	maxSource = 16 << 20
	maxCalls  = 48 << 20 // of all calls together, as the interpreter gets them
)

// A Pool runs programs, as many at once as it has workers. It is safe for concurrent use.
// Waiting callers are served in order.
type Pool struct {
	options Options
	order   order
	code    *codeDir
	reports *reportDir
	starter *starter // of child processes; nil with InProcess

	loading  sync.Mutex
	runtimes []*reactor.Runtime // with InProcess: the last is used, the others had an image that was changed
	image    seal               // of the last

	life context.Context // ends with Close
	stop context.CancelCauseFunc

	slots      *semaphore.Weighted // one for each worker that may run; it serves the first comer first
	longMemory *semaphore.Weighted // bytes of memory for long programs, see long.go
	stint      time.Duration       // usualStint, except in tests
	waiting    atomic.Int32        // callers that ask for a slot
	closed     atomic.Bool

	mu      sync.Mutex
	idle    []*worker // a stack: the last to become idle works first
	started int       // number of workers, idle or not
	stats   Stats
}

// A worker runs one program at a time. Its process or interpreter is started on demand,
// and again after it died.
type worker struct {
	process *process
	local   *reactor.Instance
	peak    int64 // maximum memory of the process in bytes

	reservation *reservation // of its program; nil: a slot
	starting    <-chan error // result of an unfinished start that its caller could not wait for; nil: none
}

// Stats are totals of a pool, and current numbers.
type Stats struct {
	Workers  int   // that were started, and may be idle
	Busy     int   // workers with a program, now
	Waiting  int   // programs that wait for a worker, now
	Programs int64 // that were run
	Failures int64 // programs without a result, unless their context or the pool ended
	Restarts int64 // of child processes that died or were killed
	Resident int64 // maximum bytes of memory of all child processes together
}

// errClosed is the error of programs after Close.
var errClosed = errors.New("sandbox: the pool is closed")

// New starts a pool with one worker; more are started on demand. If the interpreter's
// compiled code is not in the cache, it is compiled, which takes some 4 seconds of
// processor time. The pool must be closed. ctx bounds only the start.
func New(ctx context.Context, o Options) (*Pool, error) { return openPool(ctx, o, false) }

// openPool is New. With mustCache it fails if the cache cannot be used.
func openPool(ctx context.Context, o Options, mustCache bool) (*Pool, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	p := assemble(o, "", new(codeDir))
	p.code.mustCache = mustCache
	w, err := p.acquire(ctx)
	if err == nil {
		err = p.untilLost(func() error { return p.ready(ctx, w) })
		p.release(w)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// assemble returns a pool without workers, for options that are complete. saved is the folder
// of a saved program, or "".
func assemble(o Options, saved string, code *codeDir) *Pool {
	p := &Pool{
		code:       code.use(),
		options:    o,
		order:      order{Engine: o.Engine, Memory: o.Memory, Output: o.Output, Saved: saved},
		reports:    newReportDir(&o),
		slots:      semaphore.NewWeighted(int64(o.Workers)),
		longMemory: semaphore.NewWeighted(o.longRoom()),
		stint:      usualStint,
	}
	p.life, p.stop = context.WithCancelCause(context.Background())
	if !o.InProcess {
		p.starter = newStarter()
	}
	return p
}

// complete checks options and sets the defaults.
func (o *Options) complete() error {
	if err := available(o.Engine); err != nil {
		return err
	}
	o.Engine = o.Engine.chosen()
	if o.Engine == GPython && o.InProcess {
		return errors.New("sandbox: GPython runs in child processes only: nothing else can stop it")
	}
	if !o.InProcess && !isChildAware {
		return errors.New("sandbox: main must call sandbox.RunChild, or the pool be InProcess")
	}
	if o.Workers < 0 || o.Memory < 0 || o.Output < 0 || o.Budget < 0 || o.Time < 0 {
		return errors.New("sandbox: an option is negative")
	}
	set := func(n *int64, value, least, most int64, name string) error {
		if *n == 0 {
			*n = value
		}
		if *n < least || *n > most {
			return fmt.Errorf("sandbox: %s is %d; from %d to %d is possible", name, *n, least, most)
		}
		return nil
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Time == 0 && o.Engine == GPython {
		o.Time = defaultTimeGPython
	}
	if o.Time == 0 {
		o.Time = defaultTime
	}
	output := int64(o.Output)
	err := errors.Join(
		set(&o.Memory, defaultMemory, minMemory, maxMemory, "Memory"),
		set(&output, defaultOutput, 1, maxOutput, "Output"))
	o.Output = int(output)
	return err
}

// ready starts a worker's process or interpreter, if there is none, and waits for it. If
// ctx is done before, the start continues for the next caller. Otherwise a start that
// takes longer than callers wait would never end.
func (p *Pool) ready(ctx context.Context, w *worker) error {
	if w.process != nil || w.local != nil {
		return nil
	}
	started := make(chan error, 1)
	go func() { started <- p.start(w) }()
	select {
	case err := <-started:
		return err
	case <-ctx.Done():
		w.starting = started
		return fmt.Errorf("sandbox: no worker was ready in time: %w", context.Cause(ctx))
	}
}

// start is the start for ready. Only Close ends it early.
func (p *Pool) start(w *worker) error {
	for try := 0; ; try++ {
		o := p.order
		var err error
		if o.Engine == CPython {
			if o.Cache, err = p.code.folder(p); err != nil {
				return err
			}
		}
		if p.options.InProcess {
			w.local, err = p.local(o)
		} else {
			w.process, err = p.starter.start(p.life, o)
		}
		switch {
		case err == nil:
			return nil
		case err == errDamaged:
			os.RemoveAll(o.Saved)
			return fmt.Errorf("sandbox: %w", err)
		case err != errUncompiled || try > 0:
			return fmt.Errorf("sandbox: %w", err)
		}
		p.code.discard(o.Cache)
	}
}

// local returns an interpreter in this process.
func (p *Pool) local(o order) (*reactor.Instance, error) {
	p.loading.Lock()
	defer p.loading.Unlock()
	if len(p.runtimes) == 0 || p.image.broken() {
		o.Time = p.options.Time
		p.image = sealOf(reactor.ImageFile(o.Cache))
		rt, err := o.load()
		if err != nil {
			return nil, err
		}
		p.runtimes = append(p.runtimes, rt)
	}
	return p.runtimes[len(p.runtimes)-1].NewInstance()
}

// ErrInvalid is wrapped by the error of a program that cannot be run as it is asked for, such
// as one with a file that cannot be, or beyond a bound. It has the same error the next time.
var ErrInvalid = errors.New("an invalid program")

// Run runs a program, and returns when it has ended. After an error nothing is known about
// the program, and the result is empty: the error wraps ErrInvalid, ctx is done, the pool is
// closed, or the sandbox failed. The error must not become a verdict. If the sandbox failed,
// the program may succeed the next time.
func (p *Pool) Run(ctx context.Context, program Program) (Result, error) {
	j, err := p.job(&program)
	if err != nil {
		return Result{}, fmt.Errorf("sandbox: %w: %w", ErrInvalid, err)
	}
	name := ""
	if program.Keep {
		name = p.reports.name(p.order, j)
		if report := p.reports.find(name, j); report != nil {
			return p.result(report, &program), nil
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(p.life, func() { cancel(errClosed) })()
	w, err := p.acquire(ctx)
	if err != nil {
		return Result{}, err
	}
	report, w, err := p.runLong(ctx, w, j, program.Begun)
	if w != nil {
		defer p.release(w)
	}
	switch {
	case err != nil:
	case report.Refused != "":
		return Result{}, fmt.Errorf("sandbox: %w: %s", ErrInvalid, report.Refused)
	case report.Failure != "":
		err = fmt.Errorf("sandbox: %s", report.Failure)
	}
	if refused, is := errors.AsType[*job.NoRoom](err); is {
		return Result{}, refused.Err
	}
	if err != nil {
		p.countFailure(ctx)
		return Result{}, err
	}
	p.count(w, report)
	p.reports.keep(name, report)
	return p.result(report, &program), nil
}

// job returns a program's job.
func (p *Pool) job(program *Program) (*job.Job, error) {
	if size := len(program.Source) + len(program.Before); size > maxSource {
		return nil, fmt.Errorf("%d bytes of source; %d are the most", size, maxSource)
	}
	j := &job.Job{
		Before:     []byte(program.Before),
		Source:     []byte(program.Source),
		Budget:     program.Budget,
		Coverage:   program.Coverage,
		Once:       program.Once,
		Unfinished: program.Unfinished,
		Traceback:  program.Traceback,
		Room:       program.Room,
	}
	if program.Enough != nil && !program.Keep && program.Room == nil {
		j.Pauses, j.Enough = true, func(soFar *job.Report) bool {
			r := p.result(soFar, program)
			return program.Enough(&r)
		}
	}
	switch {
	case j.Budget == 0:
		j.Budget = p.options.Budget
	case j.Budget < 0:
		return nil, fmt.Errorf("a budget of %d", j.Budget)
	}
	if p.order.Saved != "" {
		j.Continue, j.Fresh = true, program.Fresh
	}
	if program.Machine != nil {
		if err := p.equip(j, program.Machine); err != nil {
			return nil, err
		}
	}
	j.Calls = make([][]byte, len(program.Calls))
	size := 0
	for i := range program.Calls {
		call, err := program.Calls[i].encode()
		if err != nil {
			return nil, err
		}
		if size += len(call); size > maxCalls {
			return nil, fmt.Errorf("calls of more than %d bytes", maxCalls)
		}
		j.Calls[i] = call
	}
	return j, nil
}

// maxMachine bounds the bytes of a program's machine.
const maxMachine = 64 << 20

// equip adds a machine to a job.
func (p *Pool) equip(j *job.Job, m *Machine) error {
	if p.options.Engine != CPython {
		return errors.New("gpython has no machine for programs")
	}
	name := m.Name
	if name == "" {
		name = "program.py"
	}
	if strings.ContainsRune(name, 0) || path.Base(path.Clean("/"+name)) != name {
		return fmt.Errorf("%q is no name of a program's file", name)
	}
	if m.Memory < 0 || m.Memory > p.options.Memory {
		return fmt.Errorf("%d bytes of memory, where the pool has %d", m.Memory, p.options.Memory)
	}
	folder := cmp.Or(m.Folder, Folder)
	if path.Clean(folder) != folder || !path.IsAbs(folder) || strings.ContainsRune(folder, 0) {
		return fmt.Errorf("%q is no folder", folder)
	}
	machine := &job.Machine{Path: path.Join(folder, name), Folder: folder, Input: m.Input, Memory: m.Memory, Arguments: append([]string{name}, m.Arguments...)}
	if m.Memory == 0 {
		machine.Memory = p.options.Memory
	}
	size := len(m.Input)
	for _, argument := range machine.Arguments {
		if strings.ContainsRune(argument, 0) {
			return errors.New("an argument with a NUL")
		}
		size += len(argument)
	}
	if !j.Continue {
		machine.Files = append(machine.Files, job.File{Name: machine.Path, Data: j.Source})
	}
	system := wasi.NewFiles(new(wasi.System)) // of a child, to say at once what it would refuse
	err := errors.Join(system.Folder(folder), system.Put(machine.Path, j.Source))
	for _, file := range m.Files {
		if size += len(file.Name) + len(file.Data); size > maxMachine {
			break
		}
		at := file.Name
		if !path.IsAbs(at) {
			at = path.Join(folder, at)
		}
		switch at = path.Clean(at); {
		case at == machine.Path:
			return fmt.Errorf("a file in the place of the program: %.200q", file.Name)
		case file.Name == "" || strings.ContainsRune(at, 0):
			return fmt.Errorf("%.200q is no name of a file", file.Name)
		}
		if err == nil {
			err = system.Put(at, file.Data)
		}
		if err != nil {
			return fmt.Errorf("%.200q: %w", file.Name, err)
		}
		machine.Files = append(machine.Files, job.File{Name: at, Data: file.Data})
	}
	if size > maxMachine {
		return fmt.Errorf("input, arguments and files of more than %d bytes", maxMachine)
	}
	machine.Picks = m.Return != nil
	for _, name := range m.Return {
		if !path.IsAbs(name) {
			name = path.Join(Folder, name)
		}
		machine.Wanted = append(machine.Wanted, path.Clean(name))
	}
	slices.Sort(machine.Wanted)
	machine.Wanted = slices.Compact(machine.Wanted)
	j.Machine = machine
	return nil
}

// maxLost bounds how many children may be lost with one program, which is then given up.
const maxLost = 3

// run runs a program on a worker. A child that is lost, be it killed, dead or out of reach,
// says nothing about its program, which another child runs again: a child survives all that a
// program can do, and reports it.
//
// gpython cannot do this: a program may end its child or never end, and is then Unknown. A
// child of gpython runs one program, which may have changed it.
func (p *Pool) run(ctx context.Context, w *worker, j *job.Job) (report *job.Report, err error) {
	err = p.untilLost(func() error {
		report, err = p.attempt(ctx, w, j)
		if p.options.Engine == GPython && (errors.Is(err, errDied) || errors.Is(err, errTime)) {
			report, err = &job.Report{Exec: job.Step{Stop: job.Unknown}, Reason: "gpython: " + err.Error()}, nil
		}
		return err
	})
	return report, err
}

// untilLost calls attempt again as long as it loses a child, up to a bound.
func (p *Pool) untilLost(attempt func() error) error {
	for lost := 1; ; lost++ {
		err := attempt()
		if !isLost(err) {
			return err
		}
		if lost > maxLost {
			return fmt.Errorf("%w (%d children were lost in a row)", err, lost)
		}
	}
}

// attempt runs a program on a worker once. After an error the worker has no child.
func (p *Pool) attempt(ctx context.Context, w *worker, j *job.Job) (*job.Report, error) {
	if err := p.ready(ctx, w); err != nil {
		if isLost(err) {
			p.restarted()
		}
		return nil, err
	}
	if w.local != nil {
		return p.runLocal(w, j)
	}
	report, err := w.process.run(ctx, j, p.options.Time, w.reservation)
	if _, refused := errors.AsType[*job.NoRoom](err); refused {
		return nil, err
	}
	if err != nil || p.options.Engine == GPython {
		w.process.end()
		w.process = nil
	}
	if err != nil {
		if !errors.Is(err, errMustWait) {
			p.restarted()
		}
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return report, nil
}

// runLocal runs a program on a worker in this process.
func (p *Pool) runLocal(w *worker, j *job.Job) (*job.Report, error) {
	report := w.local.Run(j)
	p.loading.Lock()
	defer p.loading.Unlock()
	if p.image.broken() {
		w.local.Close()
		w.local = nil
		return nil, fmt.Errorf("sandbox: %w", errStale)
	}
	return report, w.local.Reset()
}

// acquire returns a worker for one caller.
func (p *Pool) acquire(ctx context.Context) (*worker, error) {
	p.waiting.Add(1)
	err := p.slots.Acquire(ctx, 1)
	p.waiting.Add(-1)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	return p.worker(), nil
}

// worker returns an idle worker, or a new one.
func (p *Pool) worker() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return w
	}
	p.started++
	return new(worker)
}

// release marks a worker idle, and lets the caller go on that has waited longest. It waits
// for an unfinished start of the worker.
func (p *Pool) release(w *worker) {
	if starting := w.starting; starting != nil {
		w.starting = nil
		go func() {
			<-starting
			p.release(w)
		}()
		return
	}
	held := w.reservation
	w.reservation = nil
	if !p.keep(w) {
		w.end()
	}
	if held == nil {
		p.slots.Release(1)
	} else {
		held.leave()
	}
}

// keep makes a worker idle, unless there are enough of them, as after a long program.
func (p *Pool) keep(w *worker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == p.options.Workers {
		p.started--
		p.stats.Resident -= w.peak
		return false
	}
	p.idle = append(p.idle, w)
	return true
}

// end ends a worker's process or interpreter.
func (w *worker) end() {
	if w.process != nil {
		w.process.end()
	}
	if w.local != nil {
		w.local.Close()
	}
}

// countFailure counts a program without a result, unless ctx is done.
func (p *Pool) countFailure(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Failures++
}

// restarted counts a child that must be replaced.
func (p *Pool) restarted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Restarts++
}

// count updates the totals after a program.
func (p *Pool) count(w *worker, report *job.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Programs++
	if report.Resident > w.peak {
		p.stats.Resident += report.Resident - w.peak
		w.peak = report.Resident
	}
}

// Stats returns the pool's numbers.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Workers, s.Busy, s.Waiting = p.started, p.started-len(p.idle), int(p.waiting.Load())
	return s
}

// Close stops all workers, and returns when all workers and children have ended. Run of
// programs that run or wait returns an error. A second Close does nothing.
func (p *Pool) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	p.stop(errClosed)
	if err := p.slots.Acquire(context.Background(), int64(p.options.Workers)); err != nil { // for good
		return err
	}
	if err := p.longMemory.Acquire(context.Background(), p.options.longRoom()); err != nil {
		return err
	}
	for _, w := range p.idle {
		w.end()
	}
	if p.starter != nil {
		p.starter.close()
	}
	for _, runtime := range p.runtimes {
		runtime.Close()
	}
	return p.code.close()
}

// result converts a report without a failure to a result.
func (p *Pool) result(report *job.Report, program *Program) Result {
	r := Result{Engine: p.options.Engine, Output: report.Output, Truncated: report.Truncated, Used: report.Used, Reason: report.Reason}
	if len(report.Errors) > 0 {
		r.Errors = report.Errors
	}
	for _, file := range report.Files {
		r.Files = append(r.Files, File{file.Name, file.Data})
	}
	var module Outcome
	module.from(&report.Exec, asked{coverage: program.Coverage})
	r.End, r.Exception, r.Coverage = module.End, module.Exception, module.Coverage
	r.Finish.from(&report.Finish, asked{coverage: program.Coverage})
	if len(report.Calls) > 0 {
		r.Calls = make([]Outcome, min(len(report.Calls), len(program.Calls)))
	}
	room := maxResult
	for i := range r.Calls {
		r.Calls[i].from(&report.Calls[i], asked{value: true, names: len(program.Calls[i].Return), coverage: program.Coverage, room: &room})
	}
	return r
}

// from sets an outcome from a step. An invalid reply means that the program has damaged
// the interpreter.
func (o *Outcome) from(s *job.Step, a asked) {
	o.Used, o.Output, o.Errors = s.Used, s.Output, s.Errors
	switch s.Stop {
	case job.NotRun:
		o.End = NotRun
	case job.Replied:
		if decodeReply(s.Reply, a, o) != nil {
			*o = Outcome{End: Crashed, Used: s.Used, Output: s.Output, Errors: s.Errors}
		}
	case job.Budget:
		o.End = Budget
	case job.Memory:
		o.End = Memory
	case job.Exit:
		o.End, o.Exception = Exited, &Exception{Type: "SystemExit", Text: fmt.Sprint(s.Code), Code: int(s.Code)}
	case job.Crash:
		o.End = Crashed
	case job.Unknown:
		o.End = Unknown
	}
}
