package sandbox

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var manyPrograms = flag.Int("programs", 2000, "how many programs TestGrowth runs, and TestSameResultEverywhere a quarter of them; a million take TestGrowth half an hour of processor time")

var whole = flag.Bool("whole", false, "TestOrdinary runs its large programs as well, and hostile programs have all their budget")

// forever is a program that only its budget, the clock or a signal ends.
var forever = Program{Source: "while True: pass", Budget: 1 << 60}

func TestManyGoroutines(t *testing.T) {
	p := newPool(t, Options{Workers: 2})
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			r := run(t, p, Program{Source: fmt.Sprintf("print(%d)", i), Calls: []Call{{Expr: fmt.Sprint(i, "* 2")}}})
			if r.End != Done || string(r.Output) != fmt.Sprintln(i) || r.Calls[0].Value.String() != fmt.Sprint(2*i) {
				t.Errorf("program %d: %+v", i, r)
			}
		})
	}
	all.Wait()
	if s := p.Stats(); s.Workers != 2 || s.Programs != 200 || s.Restarts != 0 {
		t.Errorf("%+v", s)
	}
}

// fingerprint is all that a result says.
func fingerprint(r Result) string {
	s := fmt.Sprintf("%v %v %q %v %d %v", r.End, r.Finish.End, r.Output, r.Truncated, r.Used, r.Reason)
	if r.Exception != nil {
		s += fmt.Sprintf(" %+v", *r.Exception)
	}
	if r.Coverage != nil {
		s += fmt.Sprintf(" %+v", *r.Coverage)
	}
	for _, c := range r.Calls {
		s += fmt.Sprintf(" | %v %v %v %v %d", c.End, c.Value, c.After, c.Output, c.Used)
		if c.Exception != nil {
			s += fmt.Sprintf(" %+v", *c.Exception)
		}
		if c.Coverage != nil {
			s += fmt.Sprintf(" %+v", *c.Coverage)
		}
	}
	return s
}

// hostilePrograms are those of testdata/hostile.txtar: source by a name and how
// it ends, "fork_bomb raised OSError".
func hostilePrograms(t *testing.T) []txtar.File {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/hostile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return archive.Files
}

// Budgets of hostile programs. What is said to end by its budget has the smaller one: that is
// enough for those that fill the memory.
const (
	hostileBudget = 6_000_000
	endlessBudget = 2_500_000
)

// Each hostile program ends in a child as the table says, and the child goes
// on.
func TestHostileInChildren(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute of processor time")
	}
	t.Parallel()
	p := newPool(t, Options{Workers: 2})
	var all sync.WaitGroup
	for _, file := range hostilePrograms(t) {
		all.Go(func() {
			name, want, _ := strings.Cut(file.Name, " ")
			program := Program{Source: string(file.Data), Budget: hostileBudget}
			if want == Budget.String() && !*whole {
				program.Budget = endlessBudget
			}
			r := run(t, p, program)
			got := r.End.String()
			switch r.End {
			case Done:
				got = r.Finish.End.String()
			case Raised:
				got += " " + r.Exception.Type
			}
			if got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		})
	}
	all.Wait()
	if s := p.Stats(); s.Restarts > 0 {
		t.Errorf("%+v", s)
	}
}

// A result depends on the program alone: not on what ran before, beside it or
// where.
func TestSameResultEverywhere(t *testing.T) {
	t.Parallel()
	var programs []Program
	for i, file := range hostilePrograms(t) {
		if i%3 == 0 && !testing.Short() || i%30 == 0 {
			programs = append(programs, Program{Source: string(file.Data), Budget: 500_000, Coverage: i%2 == 0, Traceback: true, Calls: []Call{{Expr: "sorted(globals())"}}})
		}
	}
	n := *manyPrograms/4 - len(programs)
	if testing.Short() {
		n = 50
	}
	for i := range n {
		programs = append(programs, Program{
			Source:   fmt.Sprintf("import random\ndef f(n):\n    if n %% 2:\n        return {str(i): i * %d for i in range(n)}\n    raise KeyError(n)\nprint(random.random(), id(f), set(map(str, range(%d))))\n", i, i%50),
			Calls:    []Call{{Expr: fmt.Sprintf("f(%d)", i%77)}, {Expr: "f(3)"}, {Expr: "object()"}},
			Coverage: i%2 == 0,
		})
	}
	results := make([][]string, 3)
	for round, o := range []Options{{Workers: 1}, {Workers: 3}, {Workers: 2, InProcess: true}} {
		p := newPool(t, o)
		results[round] = make([]string, len(programs))
		order := rand.New(rand.NewPCG(uint64(round), 0)).Perm(len(programs))
		var all sync.WaitGroup
		for _, i := range order {
			all.Go(func() { results[round][i] = fingerprint(run(t, p, programs[i])) })
		}
		all.Wait()
	}
	for i := range programs {
		for round := 1; round < len(results); round++ {
			if results[round][i] != results[0][i] {
				t.Errorf("%q:\n%.500s\nand then\n%.500s", programs[i].Source, results[0][i], results[round][i])
			}
		}
	}
}

// eventually waits for what happens sooner or later; how long that takes decides
// nothing.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for began := time.Now(); !happened(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 5*time.Minute {
			t.Fatalf("it did not happen that %s", what)
		}
	}
}

// await waits until programs run in processes of a pool, and others wait.
func (p *Pool) await(t *testing.T, running, waiting int) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d programs run and %d wait", running, waiting), func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.started-len(p.idle) == running && int(p.waiting.Load()) == waiting
	})
}

func TestContext(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	cause := errors.New("not wanted any more")
	ctx, cancel := context.WithCancelCause(t.Context())
	errs := make(chan error)
	for range 2 {
		go func() {
			_, err := p.Run(ctx, forever)
			errs <- err
		}()
	}
	p.await(t, 1, 1)
	cancel(cause)
	for range 2 {
		if err := <-errs; !errors.Is(err, cause) {
			t.Error(err)
		}
	}
	if r, err := p.Run(ctx, forever); r.End != NotRun || !errors.Is(err, cause) {
		t.Errorf("begun when it was over: %+v, %v", r, err)
	}
	if s := p.Stats(); s.Failures != 0 {
		t.Errorf("%+v: what a caller gave up is no failure", s)
	}
	if r := run(t, p, Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("afterwards: %+v", r)
	}
}

// What only the clock ends says nothing of the program, and the next one runs.
func TestTime(t *testing.T) {
	for _, o := range []Options{{Workers: 1}, {Workers: 1, InProcess: true}} {
		if o.InProcess {
			if runtime.GOMAXPROCS(0) == 1 {
				continue // the clock needs a processor, see Options.Time
			}
			// A collection would wait for the program, and the clock for that.
			defer debug.SetGCPercent(debug.SetGCPercent(-1))
			runtime.GC() // and ends one that has begun
		}
		o.Time = 50 * time.Millisecond
		p := newPool(t, o)
		for range 2 {
			if r, err := p.Run(t.Context(), forever); r.End != NotRun || err == nil || !strings.Contains(err.Error(), "processor time") {
				t.Errorf("%+v, %v", r, err)
			}
		}
		if s := p.Stats(); s.Failures != 2 {
			t.Errorf("%+v, want 2 failures", s)
		}
	}
}

func TestClose(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	errs := make(chan error)
	for range 3 {
		go func() {
			_, err := p.Run(context.Background(), forever)
			errs <- err
		}()
	}
	p.await(t, 1, 2)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for range 3 {
		if err := <-errs; !errors.Is(err, errClosed) {
			t.Error(err)
		}
	}
	if _, err := p.Run(context.Background(), forever); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"Workers":  {Workers: -1},
		"Memory":   {Memory: 1},
		"Memory 2": {Memory: 1 << 40},
		"Output":   {Output: maxOutput + 1},
		"Budget":   {Budget: -1},
		"Time":     {Time: -1},
		"engine":   {Engine: 99},
	} {
		if p, err := New(t.Context(), o); err == nil {
			t.Errorf("%s: it starts", name)
			p.Close()
		}
	}
	isChildAware = false
	_, err := New(t.Context(), Options{})
	isChildAware = true
	if err == nil || !strings.Contains(err.Error(), "RunChild") {
		t.Errorf("without RunChild: %v", err)
	}
	p := newPool(t, Options{Workers: 1})
	for name, program := range map[string]Program{
		"budget": {Budget: -1},
		"source": {Source: strings.Repeat("#", maxSource+1)},
		"items":  {Calls: []Call{{Items: -1}}},
	} {
		if r, err := p.Run(t.Context(), program); r.End != NotRun || err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Output is kept up to its bound, and a program may have so much memory.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for an amount of memory of its own")
	}
	p := newPool(t, Options{Workers: 1, Output: 10, Memory: 8 << 20})
	r := run(t, p, Program{Source: "print('x' * 20)\nx = bytes(4 << 20)\ny = bytes(8 << 20)"})
	if r.End != Raised || r.Exception.Type != "MemoryError" || r.Exception.Line != 3 || string(r.Output) != "xxxxxxxxxx" || !r.Truncated {
		t.Errorf("%+v, %+v", r, r.Exception)
	}
}

// What runs before a program leaves what it changed of the interpreter, and nothing of its
// own module; it has the program's budget, and has to end well.
func TestBefore(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	before := "import builtins\nbuiltins.twice = lambda x: [x, x]\nmine = 1\n"
	for range 2 {
		r := run(t, p, Program{Before: before, Source: "print(__name__, twice(3), 'mine' in globals())\nraise ValueError\n", Coverage: true})
		if r.End != Raised || r.Exception.Line != 2 || string(r.Output) != "__main__ [3, 3] False\n" || r.Coverage == nil {
			t.Errorf("%+v, %+v", r, r.Exception)
		}
		if r := run(t, p, Program{Source: "twice"}); r.End != Raised || r.Exception.Type != "NameError" {
			t.Errorf("the next program: %+v", r)
		}
	}
	for _, before := range []string{"raise ValueError", "while True: pass", "import sys; sys.exit()"} {
		if r, err := p.Run(t.Context(), Program{Before: before, Source: "x = 1", Budget: 100_000}); r.End != NotRun || err == nil {
			t.Errorf("%q: %+v", before, r)
		}
	}
	if r := run(t, p, Program{Source: "x = 1"}); r.End != Done {
		t.Errorf("%+v", r)
	}
}

// cacheOf returns a cache folder, and the entry in it that a pool needs: a copy of
// that of the default folder, so that nothing has to be compiled.
func cacheOf(t *testing.T) (dir, entry string) {
	t.Helper()
	p := newPool(t, Options{Workers: 1, InProcess: true})
	if p.code.entry == "" {
		t.Skip("there is no cache folder here")
	}
	dir = filepath.Join(t.TempDir(), "cache")
	entry = filepath.Join(dir, filepath.Base(p.code.entry))
	if err := os.MkdirAll(entry, 0o700); err != nil {
		t.Fatal(err)
	}
	copyTree(t, entry, p.code.entry)
	return dir, entry
}

// copyTree makes a folder what another is.
func copyTree(t *testing.T, to, from string) {
	t.Helper()
	if err := copyFolder(to, from); err != nil {
		t.Fatal(err)
	}
}

func copyFolder(to, from string) error {
	err := errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(from)))
	for _, folder := range []string{"", "code"} { // os.CopyFS leaves the modes to the umask
		err = errors.Join(err, os.Chmod(filepath.Join(to, folder), 0o700))
	}
	return err
}

// Code is compiled anew if anything of the cache's is damaged, and elsewhere if the cache
// cannot be written. [TestCompiledOnceForAll] begins with an empty one.
func TestCache(t *testing.T) {
	start := func(dir string) (noticed int) {
		t.Helper()
		p, err := New(t.Context(), Options{Workers: 1, CacheDir: dir, Notice: func(string) { noticed++ }})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if r := run(t, p, Program{Source: "x = 1"}); r.End != Done {
			t.Errorf("%+v", r)
		}
		return noticed
	}
	dir, entry := cacheOf(t)
	if n := start(dir); n != 0 {
		t.Errorf("%d notices with code in the cache", n)
	}
	code, err := filepath.Glob(entry + "/code/*/*")
	if err != nil || len(code) != 1 {
		t.Fatal(code, err)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	copyTree(t, whole, entry)
	image := filepath.Join(entry, "image")
	for name, damage := range map[string]func() error{
		"code that is damaged":     func() error { return writeAt(code[0], 10_000_000, "not code") },
		"code that is cut":         func() error { return os.Truncate(code[0], 10_000_000) },
		"code that is gone":        func() error { return os.Remove(code[0]) },
		"an image that is damaged": func() error { return writeAt(image, 20_000_000, "not the image") },
		"an image that is cut":     func() error { return os.Truncate(image, 20_000_000) },
		"an image that is longer":  func() error { return os.Truncate(image, 60_000_000) },
		"an image that is gone":    func() error { return os.Remove(image) },
		"an outline that is gone":  func() error { return os.Remove(filepath.Join(entry, "outline.wasm")) },
		"an image of everybody's":  func() error { return os.Chmod(image, 0o666) },
	} {
		if runtime.GOOS == "windows" && strings.Contains(name, "everybody") {
			continue
		}
		if err := damage(); err != nil {
			t.Fatal(name, err)
		}
		if _, err := (order{Engine: CPython, Memory: defaultMemory, Cache: entry}).load(); err != errUncompiled {
			t.Errorf("%s is loaded: %v", name, err)
		}
		copyTree(t, entry, whole)
	}
	if err := writeAt(image, 20_000_000, "not the image"); err != nil {
		t.Fatal(err)
	}
	if n := start(dir); n != 1 {
		t.Errorf("%d notices with an image that is damaged", n)
	}
	for _, path := range []string{dir, entry} { // root may write all the same
		if err := os.Chmod(path, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(path, 0o700)
	}
	if n := start(dir); n != 0 {
		t.Errorf("%d notices after it was mended, and where nothing can be written", n)
	}
	if n := start("/dev/null/cache"); n != 2 { // the second says so
		t.Errorf("%d notices where nothing could ever be written", n)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "codelinter-sandbox-*")); len(left) > 0 && runtime.GOOS == "linux" {
		t.Errorf("left: %v", left)
	}
}

// writeAt writes text into a file.
func writeAt(path string, at int64, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte(text), at)
	return errors.Join(err, file.Close())
}
