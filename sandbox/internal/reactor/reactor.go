// Package reactor runs programs in the frozen CPython of
// sandbox/internal/cpython, by wazero's compiler.
//
// An [Instance] has the memory of an interpreter that has just booted. A
// program runs on it in steps. Each step calls exports: allocate and exec, then
// allocate and call for each call, then finish. Between steps the host reads
// the budget and the output that the last step used. If a step traps, because
// the budget is used up or the interpreter was damaged, the replies to earlier
// steps stay valid, and the instance is discarded. Otherwise every byte of its
// memory and its globals are restored.
//
// This is complete. A module can keep state in its memory, its mutable globals,
// its tables and the host. Memory is restored whole. The module has two mutable
// globals, the stack pointer and the budget, and no instruction that changes
// its table, as package wasm and a test check. The host's state is a
// wasi.System, reset for each program. wazero keeps a stack for each
// api.Function, whose length depends on what ran on it and decides at which
// depth a recursion fails. So these stacks are also new for each program; only
// that of allocate, which runs no program, is kept. Threads, each a goroutine
// with such a stack, end with their program; see turns.
package reactor

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"codelinter/internal/util/cputime"
	"codelinter/internal/util/lru"
	"codelinter/parser"
	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/memory"
	"codelinter/sandbox/internal/wasi"
	"codelinter/sandbox/internal/wasm"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"
	"golang.org/x/sys/cpu"
)

// Supported reports whether wazero has a compiler for this machine. Its
// interpreter is 26 times as slow.
func Supported() bool {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "netbsd", "windows":
	default:
		return false
	}
	return runtime.GOARCH == "arm64" || runtime.GOARCH == "amd64" && cpu.X86.HasSSE41
}

// wazeroVersion returns the version of wazero in this binary. wazero refuses
// compiled code of another version. In a test binary it is unknown.
func wazeroVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range info.Deps {
		if module.Path == "github.com/tetratelabs/wazero" {
			if module.Replace != nil {
				return fmt.Sprintf("%s for %s: %s %s", module.Replace.Path, module.Version, module.Replace.Version, module.Replace.Sum)
			}
			return module.Version
		}
	}
	return ""
}

// A Config configures a runtime.
type Config struct {
	Memory int64         // bytes for a program besides the interpreter's own
	Output int           // bytes of output that are kept
	Time   time.Duration // processor time of the process after which a program is stopped, whatever its budget; 0: never
	Saved  string        // folder of a saved program that instances are copies of; "": none
}

// size returns the size of a memory with an image of n bytes, in bytes.
func (c Config) size(n int64) int {
	pages := (n + c.Memory + wasm.PageSize - 1) / wasm.PageSize
	return int(min(pages, wasm.MaxPages)) * wasm.PageSize
}

// Key names the compiled code for this machine in a cache.
func Key() string {
	return codecache.Key("CPython 3", cpython.Sum(), cpython.ImageSum(), wazeroVersion(), runtime.GOOS, runtime.GOARCH,
		fmt.Sprint(cpu.X86.HasSSE41, cpu.X86.HasBMI1, cpu.X86.HasBMI2, cpu.X86.HasPOPCNT, cpu.ARM64.HasATOMICS))
}

// embedded returns the module and its image.
func embedded() (code, image []byte, err error) {
	if code, err = cpython.Module(); err != nil {
		return nil, nil, err
	}
	image, err = cpython.Image()
	return code, image, err
}

// unboundMemory decodes a module and lets its memory begin empty and grow to any size. So the
// same machine code serves programs with much memory and with little: an instance's memory
// gets its size when it is made, see [Instance.instantiate].
func unboundMemory(code []byte) (*wasm.Module, error) {
	m, err := wasm.Decode(code)
	if err == nil {
		err = m.SetMemory(0, wasm.MaxPages)
	}
	return m, err
}

// The files that Compile leaves in a folder for Load: wazero's file of machine
// code, and these.
//
// The image is uncompressed, so that it can be mapped: decompressing takes 30
// ms, and as much memory as the image is long.
//
// The outline is the module without the bodies of its functions. wazero finds
// machine code by the checksum of a module, after it has decoded and validated
// that module, which took a tenth of a start. If it has machine code, it does
// not use the bodies. So the machine code is stored under the outline's
// checksum, and Load passes the outline to wazero. If a version of wazero
// compiled the outline in place of using the machine code, the first call would
// trap; so Load makes a call.
const (
	imageFile   = "image"
	outlineFile = "outline.wasm"
	codeFolder  = "code"
)

// Compile compiles the code into an empty folder for Load. It takes some 4
// seconds of processor time and 500 MB.
func Compile(ctx context.Context, dir string) error {
	whole, image, err := embedded()
	if err != nil {
		return err
	}
	m, err := unboundMemory(whole)
	if err != nil {
		return err
	}
	whole = m.Encode()
	if err := m.DropCode(); err != nil {
		return err
	}
	outline, aside := m.Encode(), filepath.Join(dir, "aside")
	code, err := compileInto(ctx, aside, whole)
	if err != nil {
		return err
	}
	place, err := compileInto(ctx, filepath.Join(dir, codeFolder), outline)
	if err != nil {
		return err
	}
	return errors.Join(
		os.Rename(code, place),
		os.RemoveAll(aside),
		os.WriteFile(filepath.Join(dir, outlineFile), outline, 0o600),
		memory.WriteFile(ImageFile(dir), image))
}

// ImageFile returns the file of Compile in a folder which the memories of a Runtime map.
func ImageFile(dir string) string { return filepath.Join(dir, imageFile) }

// compileInto compiles a module into a new cache of wazero, and returns the
// file of its machine code.
func compileInto(ctx context.Context, dir string, module []byte) (file string, err error) {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return "", err
	}
	defer cache.Close(ctx)
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache))
	defer r.Close(ctx)
	if _, err := r.CompileModule(experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0)), module); err != nil {
		return "", err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if file != "" {
				return fmt.Errorf("wazero made more than %s", file)
			}
			file = path
		}
		return err
	})
	if err == nil && file == "" {
		err = errors.New("wazero kept no machine code")
	}
	return file, err
}

// A Runtime is the compiled code and the image. Its instances may run at the
// same time.
type Runtime struct {
	config  Config
	runtime wazero.Runtime
	cache   wazero.CompilationCache // nil: the code is only in memory
	code    wazero.CompiledModule
	image   *memory.Image
	stack   uint64     // initial value of the stack pointer
	files   []job.File // of a saved program
}

// Load returns a runtime with the files of Compile in a folder. With "" it
// compiles.
func Load(ctx context.Context, dir string, config Config) (*Runtime, error) {
	if dir == "" {
		code, content, err := embedded()
		if err != nil {
			return nil, err
		}
		return New(ctx, code, content, config)
	}
	code, err := os.ReadFile(filepath.Join(dir, outlineFile))
	if err != nil {
		return nil, err
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, codeFolder))
	if err != nil {
		return nil, err
	}
	rt := &Runtime{config: config, cache: cache}
	path := ImageFile(dir)
	if config.Saved != "" {
		path = ImageFile(config.Saved)
		if rt.files, err = readFiles(config.Saved); err != nil {
			cache.Close(ctx)
			return nil, err
		}
	}
	return open(ctx, rt, code, func() (*memory.Image, error) {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		return memory.MapImage(path, config.size(info.Size()))
	})
}

// New returns a runtime of a module and an image, which it compiles.
func New(ctx context.Context, code, content []byte, config Config) (*Runtime, error) {
	m, err := unboundMemory(code)
	if err != nil {
		return nil, err
	}
	return open(ctx, &Runtime{config: config}, m.Encode(), func() (*memory.Image, error) {
		return memory.NewImage(content, config.size(int64(len(content))))
	})
}

// open completes a runtime, or closes it after an error.
func open(ctx context.Context, rt *Runtime, code []byte, image func() (*memory.Image, error)) (_ *Runtime, err error) {
	defer func() {
		if err != nil {
			rt.Close()
		}
	}()
	rc := wazero.NewRuntimeConfigCompiler().WithDebugInfoEnabled(false)
	if rt.cache != nil {
		rc = rc.WithCompilationCache(rt.cache)
	}
	rt.runtime = wazero.NewRuntimeWithConfig(ctx, rc)
	if err = wasi.Instantiate(ctx, rt.runtime); err != nil {
		return nil, err
	}
	if rt.code, err = rt.runtime.CompileModule(ctx, code); err != nil {
		return nil, err
	}
	if rt.code.ExportedMemories()["memory"] == nil {
		return nil, errors.New("the module lacks a memory")
	}
	if rt.image, err = image(); err != nil {
		return nil, err
	}
	rt.image.SetHot(cpython.Pages())
	return rt, rt.try()
}

// try calls the code once.
func (rt *Runtime) try() error {
	in, err := rt.NewInstance()
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := in.allocate.Call(in.ctx, 1); err != nil {
		return fmt.Errorf("a first call: %w", err)
	}
	return nil
}

// Close frees the runtime. Its instances must be closed.
func (rt *Runtime) Close() error {
	var err error
	if rt.runtime != nil {
		err = rt.runtime.Close(context.Background())
	}
	if rt.cache != nil {
		err = errors.Join(err, rt.cache.Close(context.Background()))
	}
	if rt.image != nil {
		err = errors.Join(err, rt.image.Close())
	}
	return err
}

// An Instance is an interpreter. It is not safe for concurrent use.
type Instance struct {
	rt     *Runtime
	memory *memory.Memory
	module api.Module // nil before the first program, and after a module died
	fresh  bool       // no program has run since the memory was restored
	system wasi.System
	ctx    context.Context // with system

	budget, stack api.MutableGlobal
	allocate      api.Function
	exhausted     uint32 // address
	watch         *watchdog

	output    []byte
	errors    []byte // written to descriptor 2
	truncated bool
	turns     *turns

	codes    lru.Map[textKey, code]
	requests lru.Map[string, []byte] // of calls, with compiled texts, by what they were made of
	begun    lru.Map[string, begun]  // by the text of the program that runs before
	literal  []byte                  // memory for literals
	parser   parser.Parser
	alone    bool // a program's text was compiled after the last restore
	going    bool // a saved program goes on from its last job

	fault error // of ours, in a function that the program called; nil: none
}

// NewInstance returns an interpreter.
func (rt *Runtime) NewInstance() (*Instance, error) {
	in := &Instance{rt: rt, watch: new(watchdog)}
	in.codes.Room, in.requests.Room, in.begun.Room = codeRoom, codeRoom, begunRoom
	in.ctx = wasi.WithSystem(context.Background(), &in.system)
	in.system.Write, in.system.Charge = in.write, in.charge
	return in, in.Reset()
}

// A linear is a memory in wazero's interface. When wazero frees it, the
// instance keeps it and reads its content.
type linear struct{ *memory.Memory }

func (linear) Free() {}

// instantiate makes a module over a new memory.
func (in *Instance) instantiate() error {
	if in.module != nil {
		return nil
	}
	var err error
	if in.memory != nil {
		in.memory.Free()
	}
	if in.memory, err = in.rt.image.NewMemory(); err != nil {
		return err
	}
	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return linear{in.memory} })
	m, err := in.rt.runtime.InstantiateModule(experimental.WithMemoryAllocator(in.ctx, allocator), in.rt.code,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return err
	}
	if pages := len(in.memory.Bytes()) / wasm.PageSize; !grow(m, uint32(pages)) {
		m.Close(in.ctx)
		return fmt.Errorf("the module's memory does not grow to %d pages", pages)
	}
	var ok [2]bool
	in.budget, ok[0] = m.ExportedGlobal("budget").(api.MutableGlobal)
	in.stack, ok[1] = m.ExportedGlobal("__stack_pointer").(api.MutableGlobal)
	exhausted := m.ExportedGlobal("exhausted")
	if !ok[0] || !ok[1] || exhausted == nil {
		m.Close(in.ctx)
		return errors.New("the module lacks a global")
	}
	for _, name := range []string{"allocate", "compile", "equip", "exec", "call", "finish", "run_thread"} {
		if m.ExportedFunction(name) == nil {
			m.Close(in.ctx)
			return fmt.Errorf("the module lacks %s", name)
		}
	}
	in.allocate = m.ExportedFunction("allocate")
	if in.rt.stack == 0 {
		in.rt.stack = in.stack.Get()
	}
	in.module, in.exhausted, in.fresh = m, uint32(exhausted.Get()), true
	return nil
}

// grow gives a new module's memory its size. It grows no further, as the allocator has no
// more.
func grow(m api.Module, pages uint32) bool {
	_, ok := m.Memory().Grow(pages)
	return ok
}

// Reset restores the instance to its initial state.
func (in *Instance) Reset() error {
	if in.going && in.module != nil {
		return nil
	}
	in.going = false
	in.output, in.errors, in.truncated, in.alone = nil, nil, false, false
	in.system.Reset()
	if in.module == nil {
		return in.instantiate()
	}
	if in.fresh {
		return nil
	}
	if err := in.memory.Restore(); err != nil {
		return err
	}
	in.stack.Set(in.rt.stack)
	in.budget.Set(0)
	in.fresh = true
	return nil
}

// Close frees the instance.
func (in *Instance) Close() error {
	var err error
	if in.module != nil {
		err = in.module.Close(in.ctx)
		in.module = nil
	}
	in.memory.Free()
	return err
}

// Run runs a program on the instance, which it resets before and after.
func (in *Instance) Run(j *job.Job) *job.Report {
	if j.Continue {
		return in.goOn(j)
	}
	err := in.Reset()
	var p prepared
	if err == nil {
		p = in.prepare(j)
		err = in.Reset()
	}
	if err != nil {
		return &job.Report{Failure: err.Error()}
	}
	return in.run(j, &p)
}

// Flags of exec.
const (
	wantsCoverage  = 1
	wantsTraceback = 2
	hasCode        = 4
	wantsTrees     = 8
)

// wants returns the flags of what a job asks for.
func wants(j *job.Job) (flags uint64) {
	for _, wanted := range []struct {
		is   bool
		flag uint64
	}{{j.Coverage, wantsCoverage}, {j.Traceback, wantsTraceback}, {j.Save, wantsTrees}} {
		if wanted.is {
			flags |= wanted.flag
		}
	}
	return flags
}

func (in *Instance) run(j *job.Job, p *prepared) *job.Report {
	in.fresh, in.fault = false, nil
	in.budget.Set(uint64(j.Budget))
	watch := new(watchdog)
	in.watch = watch
	if in.rt.config.Time > 0 {
		watch.start(in.budget, in.rt.config.Time)
	}
	s := stepper{in: in, left: j.Budget}
	r := &job.Report{}
	if len(j.Before) > 0 && !s.begin(j, &p.before) {
		watch.stop()
		in.kill()
		in.output = nil
		return &job.Report{Refused: "the program that runs before did not come to its end"}
	}
	if j.Continue {
		s.pace(j)
		r.Exec = job.Step{Stop: job.Replied, Reply: []byte{0}} // when it was saved
	} else {
		if j.Machine != nil {
			if refused := s.equip(j); refused != "" {
				watch.stop()
				in.kill()
				return &job.Report{Refused: refused}
			}
		}
		s.step(&r.Exec, "exec", p.source.request, p.source.flags|wants(j))
	}
	enough := isDone(&r.Exec) && s.makeCalls(j, p, r)
	switch {
	case s.dead, enough:
	case j.Save && allDone(r):
		if r.Saved = in.saved(); r.Saved == nil {
			r = &job.Report{Refused: "the program has threads, which cannot be saved"}
		}
	case !j.Continue && !j.Unfinished:
		s.step(&r.Finish, "finish", nil)
	}
	stopped := watch.stop()
	switch {
	case in.fault != nil:
		r = &job.Report{Failure: fmt.Sprintf("a fault of the sandbox: %.500v", in.fault)}
	case stopped && s.last == job.Budget:
		r = &job.Report{Failure: fmt.Sprintf("the program was stopped: the process used %v of processor time meanwhile", in.rt.config.Time)}
	}
	if in.turns.end() {
		in.going = false // the guest believes that threads are there which are not
	}
	in.turns = nil
	s.total(j, r)
	if j.Machine != nil && !j.Continue {
		report := func(name string, data []byte) { r.Files = append(r.Files, job.File{Name: name, Data: data}) }
		if j.Machine.Picks {
			in.system.Files.Pick(j.Machine.Wanted, report)
		} else {
			in.system.Files.Changed(report)
		}
	}
	in.output, in.errors = nil, nil
	if s.dead {
		in.kill()
	}
	return r
}

// makeCalls makes the calls of a job. It reports whether those that were made are enough.
func (s *stepper) makeCalls(j *job.Job, p *prepared, r *job.Report) (enough bool) {
	if len(j.Calls) > 0 {
		r.Calls = make([]job.Step, 0, len(j.Calls))
	}
	for _, call := range p.calls {
		if s.dead {
			return false
		}
		if j.IsPause(len(r.Calls)) {
			s.total(j, r)
			if j.Enough(r) {
				return true
			}
		}
		r.Calls = append(r.Calls, job.Step{})
		s.step(&r.Calls[len(r.Calls)-1], "call", call)
	}
	return false
}

// total records what all steps so far have written and used.
func (s *stepper) total(j *job.Job, r *job.Report) {
	r.Output, r.Errors, r.Truncated = s.in.output, s.in.errors, s.in.truncated
	r.Used = j.Budget - s.left
}

// Written returns the pages that the last program wrote to, see [memory.Memory.Written].
func (in *Instance) Written() (pages []int, exact bool) { return in.memory.Written() }

// isDone reports whether a program ended normally, which the first byte of the
// reply says.
func isDone(s *job.Step) bool { return s.Stop == job.Replied && len(s.Reply) > 0 && s.Reply[0] == 0 }

// allDone reports whether a program and all of its calls ended normally.
func allDone(r *job.Report) bool {
	done := isDone(&r.Exec)
	for i := range r.Calls {
		done = done && isDone(&r.Calls[i])
	}
	return done
}

// kill discards a module that trapped.
func (in *Instance) kill() {
	in.module.Close(in.ctx)
	in.module = nil
}

// write stores a program's output.
func (in *Instance) write(descriptor uint32, data []byte) {
	to := &in.output
	if descriptor == 2 {
		to = &in.errors
	}
	if room := in.rt.config.Output - len(*to); len(data) > room {
		in.truncated = true
		data = data[:room]
	}
	*to = append(*to, data...)
}

// charge takes counts from the budget of a program that called the host. If
// none are left, the program traps at its next loop.
func (in *Instance) charge(counts int64) {
	in.watch.mu.Lock()
	defer in.watch.mu.Unlock()
	in.budget.Set(uint64(int64(in.budget.Get()) - counts))
}

// A stepper runs a program's steps.
type stepper struct {
	in        *Instance
	left      int64 // of the budget
	last      job.Stop
	dead      bool // no more steps are possible
	replies   int  // bytes of replies so far
	call      api.Function
	arguments [4]uint64
}

// step calls an export, with a request if it takes one, and records the result.
func (s *stepper) step(to *job.Step, export string, request []byte, before ...uint64) {
	in := s.in
	to.Output[0], to.Errors[0] = len(in.output), len(in.errors)
	to.Stop, to.Code, to.Reply = s.attempt(export, request, before)
	to.Output[1], to.Errors[1] = len(in.output), len(in.errors)
	left := max(in.left(), 0)
	if to.Stop == job.Budget {
		left = 0
	}
	to.Used = s.left - left
	s.left = left
	s.last = to.Stop
	s.dead = to.Stop != job.Replied
}

func (s *stepper) attempt(export string, request []byte, arguments []uint64) (job.Stop, uint32, []byte) {
	in := s.in
	if export != "finish" {
		s.arguments[0] = uint64(len(request))
		if err := in.allocate.CallWithStack(in.ctx, s.arguments[:]); err != nil {
			stop, code := in.why(err)
			return stop, code, nil
		}
		at := uint32(s.arguments[0])
		if at == 0 || !in.module.Memory().Write(at, request) {
			return job.Memory, 0, nil
		}
		arguments = append(arguments, uint64(at), uint64(len(request)))
	}
	// The calls of one program share a stack of wazero's; see the package
	// comment.
	f := s.call
	if export != "call" || f == nil {
		f = in.module.ExportedFunction(export)
	}
	if export == "call" {
		s.call = f
	}
	s.arguments = [4]uint64{}
	copy(s.arguments[:], arguments)
	if err := f.CallWithStack(in.ctx, s.arguments[:]); err != nil {
		stop, code := in.why(err)
		return stop, code, nil
	}
	place := s.arguments[0]
	if place == 0 {
		return job.Memory, 0, nil
	}
	reply, ok := in.module.Memory().Read(uint32(place>>32), uint32(place))
	if !ok || len(reply) > MaxReply {
		return job.Crash, 0, nil
	}
	if s.replies += len(reply); s.replies > maxReplies {
		return job.Memory, 0, nil
	}
	return job.Replied, 0, bytes.Clone(reply)
}

// MaxReply bounds a reply in bytes: 8 MiB of values, and what surrounds them.
const MaxReply = 9 << 20

// maxReplies bounds all replies to a program in bytes. The process holds them until it sends
// the report, in which they are again. HumanEval/15 takes 147 MB.
const maxReplies = 192 << 20

// why returns the reason for a trap.
func (in *Instance) why(err error) (job.Stop, uint32) {
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return job.Exit, exit.ExitCode()
	}
	// A program traps by errors of wazero's. A panic of Go's is a fault of ours.
	var fault runtime.Error
	if errors.As(err, &fault) {
		in.fault = err
	}
	if in.left() < 0 {
		return job.Budget, 0
	}
	if b, ok := in.module.Memory().Read(in.exhausted, 4); ok && binary.LittleEndian.Uint32(b) != 0 {
		return job.Memory, 0
	}
	return job.Crash, 0
}

// left returns the remaining budget of a running program.
func (in *Instance) left() int64 {
	in.watch.mu.Lock()
	defer in.watch.mu.Unlock()
	return int64(in.budget.Get())
}

// A watchdog uses up a running program's budget when its time is up.
//
// The program's code writes the counter all the time, without synchronization,
// and may overwrite the watchdog's value. So the watchdog writes again until
// the program has stopped.
type watchdog struct {
	watch *cputime.Watch

	mu    sync.Mutex
	ended bool
	bit   bool
}

func (w *watchdog) start(budget api.MutableGlobal, limit time.Duration) {
	w.watch = cputime.NewWatch(cputime.Self, limit, func(bool) {
		for w.exhaust(budget) {
			time.Sleep(time.Millisecond)
		}
	})
}

// exhaust uses up the budget, and reports whether the program still runs.
func (w *watchdog) exhaust(budget api.MutableGlobal) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return false
	}
	w.bit = true
	minus := int64(-1)
	budget.Set(uint64(minus))
	return true
}

// stop ends the watch, and reports whether it had to act. After it, the budget
// is not written any more.
func (w *watchdog) stop() bool {
	if w.watch != nil {
		w.watch.Stop()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	return w.bit
}
