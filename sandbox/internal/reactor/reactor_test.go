package reactor

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"codelinter/internal/testenv/bench"
	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/memory"

	"golang.org/x/tools/txtar"
)

func TestMain(m *testing.M) { bench.Main(m) }

const (
	roomy  = 128 << 20 // bytes of memory
	budget = 6_000_000 // a fifth of what programs have, to save time
	// endless is the budget of programs that end by it alone: enough to fill the memory.
	endless = 2_500_000
)

// cacheDir is where the tests' compiled code stands.
var cacheDir = sync.OnceValues(func() (string, error) {
	dir, err := codecache.Dir()
	if err != nil {
		return "", err
	}
	key := Key()
	if entry, ok := codecache.Find(dir, key); ok && codecache.Verify(entry) == nil {
		return entry, nil
	}
	return codecache.Make(dir, key, func(dir string) error { return Compile(context.Background(), dir) })
})

func load(t testing.TB, config Config) *Runtime {
	t.Helper()
	if !cpython.Embedded || !Supported() {
		t.Skip("no CPython that can run here")
	}
	if config.Memory == 0 {
		config.Memory = roomy
	}
	dir, err := cacheDir()
	if err != nil {
		t.Logf("no cache: %v", err)
	}
	rt, err := Load(t.Context(), dir, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}

var image = sync.OnceValues(cpython.Image)

// pristine returns nil if every byte of an instance's memory is as in the image, and the
// stack pointer has its initial value.
func pristine(in *Instance) error {
	want, err := image()
	if err != nil {
		return err
	}
	data := in.memory.Bytes()
	zeros := make([]byte, memory.PageSize)
	for page := range mappedPages(data) {
		got := data[page*memory.PageSize:][:memory.PageSize]
		given := zeros
		if at := page * memory.PageSize; at < len(want) {
			given = want[at:min(len(want), at+memory.PageSize)]
		}
		if !bytes.Equal(got[:len(given)], given) || !bytes.Equal(got[len(given):], zeros[len(given):]) {
			return fmt.Errorf("page %d is not as in the image", page)
		}
	}
	if sp := in.stack.Get(); sp != in.rt.stack {
		return fmt.Errorf("the stack pointer is %#x, and was %#x", sp, in.rt.stack)
	}
	return nil
}

// mappedPages yields the pages of a memory that the system has for this process, or all pages if it
// does not say. The others are the file's or zero, as nobody has touched them: reading them too,
// 128 MB for each program, took half of these tests' time.
func mappedPages(data []byte) iter.Seq[int] {
	const entry = 8 // bytes of /proc/self/pagemap for a page
	entries := make([]byte, len(data)/memory.PageSize*entry)
	file, err := os.Open("/proc/self/pagemap")
	if err == nil {
		defer file.Close()
		first := uintptr(unsafe.Pointer(unsafe.SliceData(data))) / memory.PageSize
		_, err = file.ReadAt(entries, int64(first)*entry)
	}
	known := err == nil && os.Getpagesize() == memory.PageSize
	return func(yield func(int) bool) {
		for page := range len(data) / memory.PageSize {
			const presentOrSwapped = 1<<63 | 1<<62
			if known && binary.LittleEndian.Uint64(entries[page*entry:])&presentOrSwapped == 0 {
				continue
			}
			if !yield(page) {
				return
			}
		}
	}
}

func newInstance(t testing.TB, rt *Runtime) *Instance {
	t.Helper()
	in, err := rt.NewInstance()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in
}

// A folder whose machine code is gone is refused: wazero would take the outline
// for the code.
func TestLoadWithoutCode(t *testing.T) {
	rt := load(t, Config{Output: 100}) // which makes the folder, if need be
	whole, err := cacheDir()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
		t.Fatal(err)
	}
	if other, err := Load(t.Context(), dir, rt.config); err != nil {
		t.Errorf("a copy: %v", err)
	} else {
		other.Close()
	}
	code, err := filepath.Glob(filepath.Join(dir, codeFolder, "*", "*"))
	if err != nil || len(code) != 1 {
		t.Fatal(code, err)
	}
	if err := os.Remove(code[0]); err != nil {
		t.Fatal(err)
	}
	if other, err := Load(t.Context(), dir, rt.config); err == nil {
		t.Error("a folder without machine code was loaded")
		other.Close()
	}
}

// end is how a report says that a program ended, in the words of the hostile
// programs' names.
func end(r *job.Report) string {
	s := r.Exec
	if s.Stop == job.Replied && s.Reply[0] == 0 {
		s = r.Finish
	}
	switch s.Stop {
	case job.Replied:
		switch s.Reply[0] {
		case 0:
			return "done"
		case 1:
			n, k := binary.Uvarint(s.Reply[2:]) // a name, 0 before it
			return "raised " + string(s.Reply[2+k:][:n])
		}
		return "exited"
	case job.Budget:
		return "budget"
	case job.Memory:
		return "memory"
	case job.Exit:
		return "exited"
	case job.Crash:
		return "crashed"
	}
	return fmt.Sprint("stop ", s.Stop)
}

type program struct{ name, source, end string }

func hostile(t testing.TB) []program {
	t.Helper()
	archive, err := txtar.ParseFile("../../testdata/hostile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var programs []program
	for _, file := range archive.Files {
		name, end, _ := strings.Cut(file.Name, " ")
		programs = append(programs, program{name, string(file.Data), end})
	}
	if len(programs) < 80 {
		t.Fatalf("%d programs", len(programs))
	}
	return programs
}

// checker is a program that looks at what others may have left. What it prints
// depends on the state that it starts from.
const checker = `import builtins, sys, math, random, re, json, gc, decimal, threading, signal, codecs, copyreg, warnings, os, time
print(sorted(vars(builtins)), sorted(sys.modules), sys.path, sys.meta_path, sys.getrecursionlimit(), gc.get_threshold(), gc.isenabled(), gc.get_count())
print(math.sqrt(4), random.random(), re.sub('a', 'b', 'abc'), json.dumps([1]), decimal.getcontext(), threading.active_count(), os.environ)
print(sorted(globals()), hasattr(int, 'leak'), signal.getsignal(signal.SIGINT), len(copyreg.dispatch_table), warnings.filters, time.time(), os.urandom(4))
try:
    codecs.lookup('leak')
except LookupError:
    print(len(gc.get_objects()), id(object()), sys.gettrace(), sys.getprofile(), sys.monitoring.get_tool(2), sys.int_info, sys.get_int_max_str_digits())
x = bytearray(10 << 20)
`

// Each hostile program (with -short, every eighth) ends as it should, and leaves nothing: the
// memory is the image again, and the checker prints and uses what it did before.
func TestHostile(t *testing.T) {
	t.Parallel()
	rt := load(t, Config{Output: 1 << 20})
	in := newInstance(t, rt)
	check := &job.Job{Source: []byte(checker), Budget: budget}
	want := in.Run(check)
	if end(want) != "done" || len(want.Output) == 0 {
		t.Fatalf("the checker: %s, %s", end(want), want.Output)
	}
	for i, p := range hostile(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			budget := int64(budget)
			if p.end == "budget" {
				budget = endless
			}
			r := in.Run(&job.Job{Source: []byte(p.source), Budget: budget})
			if r.Failure != "" || end(r) != p.end {
				t.Errorf("it is %s, want %s; %s%q", end(r), p.end, r.Failure, r.Exec.Reply)
			}
			if r.Used > budget || end(r) == "budget" && r.Used != budget {
				t.Errorf("it used %d of %d counts", r.Used, budget)
			}
			if len(r.Output) > 1<<20 {
				t.Errorf("%d bytes of output", len(r.Output))
			}
			if err := in.Reset(); err != nil {
				t.Fatal(err)
			}
			if err := pristine(in); err != nil {
				t.Error(err)
			}
			got := in.Run(check)
			if string(got.Output) != string(want.Output) || got.Used != want.Used {
				t.Errorf("after it, the checker uses %d, not %d, and prints\n%s", got.Used, want.Used, got.Output)
			}
		})
	}
}

// The same from 8 goroutines, each with an instance; every program is run
// twice, on different instances after different programs, with one outcome.
func TestHostileAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute of processor time")
	}
	t.Parallel()
	rt := load(t, Config{Output: 1 << 16, Memory: roomy / 4}) // which more of them fill
	programs := hostile(t)
	type outcome struct{ end, bytes string }
	outcomes := make([][2]outcome, len(programs))
	work := make(chan [2]int, 2*len(programs))
	for i := range programs {
		work <- [2]int{i, 0}
		work <- [2]int{len(programs) - 1 - i, 1}
	}
	close(work)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			in, err := rt.NewInstance()
			if err != nil {
				t.Error(err)
				return
			}
			defer in.Close()
			for w := range work {
				r := in.Run(&job.Job{Source: []byte(programs[w[0]].source), Budget: 1_000_000})
				outcomes[w[0]][w[1]] = outcome{end(r), fmt.Sprintf("%d %q %q %q", r.Used, r.Exec.Reply, r.Finish.Reply, r.Output)}
				if err := in.Reset(); err != nil {
					t.Error(err)
				}
			}
			// TestHostile compares after each program, so here it is done once.
			if err := pristine(in); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i, o := range outcomes {
		if o[0] != o[1] {
			t.Errorf("%s: %.400s, and then %.400s", programs[i].name, o[0], o[1])
		}
	}
}

// A budget of what a program uses is enough, and one less is not.
func TestBudgetIsExact(t *testing.T) {
	in := newInstance(t, load(t, Config{Output: 100}))
	j := &job.Job{Source: []byte("print(sum(i * i for i in range(1000)))"), Budget: budget}
	used := in.Run(j).Used
	for _, b := range []int64{used, used + 1, 1 << 62} {
		j.Budget = b
		if r := in.Run(j); end(r) != "done" || r.Used != used {
			t.Errorf("with %d counts it is %s and uses %d, not %d", b, end(r), r.Used, used)
		}
	}
	for _, b := range []int64{0, 1, used / 2, used - 1} {
		j.Budget = b
		if r := in.Run(j); end(r) != "budget" || r.Used != b {
			t.Errorf("with %d counts it is %s and uses %d", b, end(r), r.Used)
		}
	}
}

// The clock ends what a budget does not, and not the program after it.
func TestTime(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("the clock needs a processor that runs no program")
	}
	in := newInstance(t, load(t, Config{Output: 100}))
	// A collection would wait for the program, and the clock for that.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // and ends one that has begun
	for range 3 {
		in.rt.config.Time = 50 * time.Millisecond
		if r := in.Run(&job.Job{Source: []byte("while True: pass"), Budget: 1 << 62}); r.Failure == "" {
			t.Errorf("it is %s", end(r))
		}
		in.rt.config.Time = time.Minute
		for range 3 {
			if r := in.Run(&job.Job{Source: []byte("x = 1"), Budget: budget}); end(r) != "done" {
				t.Errorf("after it, a program is %s", end(r))
			}
		}
	}
}

// Besides its memory, the module keeps state in the stack pointer and the
// budget alone: those are what Reset sets.
func TestModuleKeepsNoOtherState(t *testing.T) {
	binaryModule, err := cpython.Module()
	if err != nil {
		t.Skip(err)
	}
	uvarint := func(b []byte) (int, []byte) {
		v, n := binary.Uvarint(b)
		return int(v), b[n:]
	}
	mutable := -1
	for rest := binaryModule[8:]; len(rest) > 0; {
		id := rest[0]
		var size int
		size, rest = uvarint(rest[1:])
		section := rest[:size]
		rest = rest[size:]
		if id != 6 { // globals
			continue
		}
		var n int
		n, section = uvarint(section)
		mutable = 0
		for range n {
			kind, changes := section[0], section[1]
			if changes == 1 {
				mutable++
			}
			if (kind != 0x7F || section[2] != 0x41) && (kind != 0x7E || section[2] != 0x42) {
				t.Fatalf("a global of type %#x that begins with %#x", kind, section[2])
			}
			_, section = uvarint(section[3:])
			section = section[1:] // end
		}
		if len(section) != 0 {
			t.Fatalf("%d bytes after the globals", len(section))
		}
	}
	if mutable != 2 {
		t.Errorf("%d mutable globals", mutable)
	}
}

func BenchmarkRun(b *testing.B) {
	rt := load(b, Config{Output: 1 << 20})
	for name, source := range map[string]string{
		"trivial":   "x = 1\n",
		"functions": "def f(words):\n    return sorted(set(words.split()))\nassert f('b a b') == ['a', 'b']\n",
		"classes":   "class A:\n    def __repr__(self):\n        return 'A'\nprint([A(), A()])\n",
	} {
		b.Run(name, func(b *testing.B) {
			in := newInstance(b, rt)
			b.ReportAllocs()
			for b.Loop() {
				if r := in.Run(&job.Job{Source: []byte(source), Budget: budget}); end(r) != "done" {
					b.Fatal(end(r))
				}
			}
		})
	}
}

func BenchmarkReset(b *testing.B) {
	in := newInstance(b, load(b, Config{Output: 1 << 20}))
	for b.Loop() {
		b.StopTimer()
		in.Run(&job.Job{Source: []byte("x = 1\n"), Budget: budget})
		b.StartTimer()
		if err := in.Reset(); err != nil {
			b.Fatal(err)
		}
	}
}

// request returns a request of call.
func request(statements, expression string, bindings ...string) []byte {
	b := []byte{10}
	b = appendText(appendText(b, []byte(statements), 1), []byte(expression), 1)
	b = append(b, byte(len(bindings)/2))
	for i := 0; i < len(bindings); i += 2 {
		b = appendText(appendText(b, []byte(bindings[i]), 0), []byte(bindings[i+1]), 1)
	}
	b = append(b, byte(len(bindings)/2))
	for i := 0; i < len(bindings); i += 2 {
		b = appendText(b, []byte(bindings[i]), 0)
	}
	return b
}

// A program whose end nobody asks for ends after its calls.
func TestUnfinished(t *testing.T) {
	in := newInstance(t, load(t, Config{Output: 1 << 20}))
	j := &job.Job{Source: []byte("import atexit\natexit.register(print, 'at the end')\n"), Calls: [][]byte{request("", "print('called')")}, Budget: budget}
	for _, unfinished := range []bool{false, true, false} {
		j.Unfinished = unfinished
		r := in.Run(j)
		want := "called\nat the end\n"
		if unfinished {
			want = "called\n"
		}
		if string(r.Output) != want || (r.Finish.Stop == job.NotRun) != unfinished {
			t.Errorf("unfinished: %t: %q, %+v", unfinished, r.Output, r.Finish)
		}
	}
}

// What a job reports does not depend on what was compiled before it, on this instance
// or for it.
func TestCompiledOnce(t *testing.T) {
	rt := load(t, Config{Output: 1 << 20})
	functions := []byte("import functools\n\nclass C:\n    'Of two.'\n    k = (1.5, 'a b', 1.5)\n\ndef f(a, b=('x', 2)):\n    return [v for v in (a, b) if v is not None]\n")
	large := []byte("def g(): return 1\nx = [" + strings.Repeat("[1, 'a', 2.5], ", 20_000) + "]\n")
	calls := [][]byte{
		request("", "f(1)"), request("", "f(x, y)", "x", "[1, (2, 3), 'ab']", "y", "{'k': 1.5}"), request("z = f(2)\nz.append(z)", "z"),
		request("", "x is x, 'a b' is 'a b', 1.5 is 1.5, C.k[0] is C.k[2]"), request("", "f("), request("", "f(1\x00)"), request("return", ""),
		request("", strings.Repeat("(", 300)+strings.Repeat(")", 300)), request("", "'"+strings.Repeat("a", maxText)+"'[:3]"),
		request("", "len(["+strings.Repeat("1,", maxText/3)+"])"), request("", "f(1, 2, 3)"), request("import sys", "sys._getframe().f_code.co_filename"),
		request("", ""), request("", "g()"),
	}
	var jobs []*job.Job
	for _, source := range [][]byte{functions, large, []byte("def f(:\n"), []byte("x = 1\x00"), nil, []byte("raise ValueError('no')\n"), []byte("f = " + strings.Repeat("[", 500))} {
		jobs = append(jobs, &job.Job{Source: source, Calls: calls, Budget: 50_000_000}, &job.Job{Source: source, Calls: calls[:1], Budget: 50_000_000, Coverage: true, Traceback: true})
	}
	alone := newInstance(t, rt)
	for _, used := range []int64{0, 1, 100, 1000, 10_000} { // around what functions takes to be compiled
		made, ok := alone.compile(programText, functions, budget)
		if !ok {
			t.Fatal("the program does not compile")
		}
		jobs = append(jobs, &job.Job{Source: functions, Calls: calls[:2], Budget: made.used - used}, &job.Job{Source: functions, Calls: calls[:2], Budget: made.used + used})
	}
	jobs = append(jobs, &job.Job{Source: functions, Calls: calls, Budget: 50_000_000, Once: true})
	jobs = append(jobs, &job.Job{Before: functions, Source: []byte("import functools\ndef f(a): return a\n"), Calls: calls, Budget: 50_000_000})

	var want []*job.Report
	for _, j := range jobs {
		in, err := rt.NewInstance()
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, in.Run(j))
		in.Close()
	}
	if r := want[0]; len(r.Calls) != len(calls) || !isDone(&r.Calls[0]) || !isDone(&r.Calls[1]) || !isDone(&r.Calls[2]) || isDone(&r.Calls[4]) || !isDone(&r.Calls[8]) {
		t.Fatalf("%+v", r)
	}
	in := newInstance(t, rt)
	for round := range 3 {
		for i := range jobs {
			at := i
			if round == 1 {
				at = len(jobs) - 1 - i
			}
			if got := in.Run(jobs[at]); !reflect.DeepEqual(got, want[at]) {
				t.Errorf("round %d, job %d (%.20q): %+v, want %+v", round, at, jobs[at].Source, got, want[at])
			}
		}
	}
}

// A program sees no difference between code that was compiled before and code that
// is compiled where it runs.
func TestCompiledBefore(t *testing.T) {
	in := newInstance(t, load(t, Config{Output: 1 << 20}))
	const source = `"""A docstring."""
from __future__ import annotations
import sys, asyncio

TABLE = {'a': (1, 2.5, -0.0), 'b': {3, 4}, b'c': 1j, ...: None, 'ä\ud800': 2 ** 70}

def f(a, *b, c: int = 3, **d) -> str:
    'Of f.'
    try:
        with open('no') as file:
            result = [x for x in a] if a else {y: (z := y) for y in b}
    except* ValueError as error:
        raise TypeError from error
    finally:
        print(lambda x, /: x is (1, 'a', (1, 'a')), f'{a!r:>{c}}')
    async def inner():
        nonlocal c
        c = [x async for x in await a]
        yield c

class C[T](dict):
    k = 1 in {1, 2, 3}
    def m(self): return super().m(__class__, 'a b', 'a b', 'ab')

def show(code, depth=0):
    for name in sorted(dir(code)):
        if name.startswith('co_') and name not in ('co_lines', 'co_positions', 'co_consts'):
            print(' ' * depth, name, repr(getattr(code, name)))
    print(list(code.co_lines()), list(code.co_positions()))
    for i, constant in enumerate(code.co_consts):
        if isinstance(constant, type(code)):
            show(constant, depth + 1)
        else:
            print(' ' * depth, repr(constant), type(constant), [j for j, other in enumerate(code.co_consts) if other is constant],
                  isinstance(constant, str) and constant is sys.intern(constant + ''))

show(sys._getframe().f_code)
print(__doc__, f.__doc__, C.__name__, sys._getframe().f_code.co_filename, __loader__.get_source('__main__') == None)
raise ValueError('at the end')
`
	here := in.Run(&job.Job{Source: []byte(source), Budget: 50_000_000, Traceback: true})
	before := in.Run(&job.Job{Source: []byte(source), Calls: [][]byte{request("", "1")}, Budget: 50_000_000, Traceback: true})
	if !strings.Contains(string(here.Output), "A docstring.") || !strings.Contains(string(here.Exec.Reply), "at the end") {
		t.Fatalf("%s\n%q", here.Output, here.Exec.Reply)
	}
	if string(here.Output) != string(before.Output) || string(here.Exec.Reply) != string(before.Exec.Reply) {
		t.Errorf("%s%q\nwhere it is compiled before, it is\n%s%q", here.Output, here.Exec.Reply, before.Output, before.Exec.Reply)
	}
}

// A fault of ours in a function that a program calls is no crash of the program, and the next
// program runs.
func TestFaultOfOurs(t *testing.T) {
	in := newInstance(t, load(t, Config{Output: 100}))
	write := in.system.Write
	in.system.Write = func(uint32, []byte) { _ = []int(nil)[len(in.output)] }
	program := &job.Job{Source: []byte("print('text', flush=True)\n"), Budget: budget}
	if r := in.Run(program); !strings.Contains(r.Failure, "index out of range") {
		t.Errorf("%+v", r)
	}
	in.system.Write = write
	if r := in.Run(program); r.Failure != "" || string(r.Output) != "text\n" {
		t.Errorf("afterwards: %+v", r)
	}
}
