package reactor

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"codelinter/sandbox/cpython"
	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/job"

	"golang.org/x/tools/txtar"
)

const (
	roomy  = 128 << 20 // bytes of memory
	budget = 6_000_000 // a fifth of what programs have, to save time
)

// cacheDir is where the tests' compiled code stands.
var cacheDir = sync.OnceValues(func() (string, error) {
	dir, err := codecache.Dir()
	if err != nil {
		return "", err
	}
	key := Key(roomy)
	if entry, ok := codecache.Find(dir, key); ok && codecache.Verify(entry) == nil {
		return entry, nil
	}
	return codecache.Make(dir, key, func(dir string) error { return Compile(context.Background(), dir, roomy) })
})

func load(t testing.TB, config Config) *Runtime {
	t.Helper()
	if !cpython.Embedded || !Supported() {
		t.Skip("no CPython that can run here")
	}
	config.Memory = roomy
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

// Each hostile program (with -short, every eighth) ends as it should, and leaves nothing: the memory is the
// image again, and the checker prints and uses what it did before.
func TestHostile(t *testing.T) {
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
			if err := in.Pristine(); err != nil {
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
	rt := load(t, Config{Output: 1 << 16})
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
				} else if err := in.Pristine(); err != nil {
					t.Errorf("after %s: %v", programs[w[0]].name, err)
				}
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
