package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/reactor"
)

func TestMain(m *testing.M) {
	really := compile
	compile = func(ctx context.Context, o order) error {
		if compilesReally(o.Cache) || copyCompiled(o.Cache) != nil {
			return really(ctx, o)
		}
		return nil
	}
	RunChild()
	switch os.Args[0] {
	case orphan:
		beOrphaned()
	case liar:
		beLiar()
	}
	os.Exit(m.Run())
}

// reallyFolder is in the path of cache folders for which CPython is compiled in any case.
const reallyFolder = "compiled-really"

func compilesReally(folder string) bool { return strings.Contains(folder, reallyFolder) }

// copyCompiled writes to a folder the compiled code of the user's cache, which is what compiling
// makes, in a hundredth of the time.
func copyCompiled(to string) error {
	dir, err := userCache()
	if err != nil {
		return err
	}
	entry, found := codecache.Find(dir, reactor.Key())
	if !found || codecache.Verify(entry) != nil {
		return errUncompiled
	}
	return errors.Join(copyFolder(to, entry), os.Remove(filepath.Join(to, "CRC32C"))) // which the cache writes last
}

// userCache returns the user's cache folder, in a child too: that has no environment of its own.
func userCache() (string, error) {
	if environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", os.Getppid())); err == nil && os.Args[0] == childName {
		for variable := range strings.SplitSeq(string(environment), "\x00") {
			if name, value, _ := strings.Cut(variable, "="); name == "HOME" || name == "XDG_CACHE_HOME" {
				os.Setenv(name, value)
				defer os.Unsetenv(name)
			}
		}
	}
	return codecache.Dir()
}

// orphan is the name of a process that has a pool and is killed.
const orphan = "sandbox.test: orphan"

// beOrphaned has a pool run a program that does not end, and prints the pool's
// child.
func beOrphaned() {
	p, err := New(context.Background(), Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(p.idle[0].process.cmd.Process.Pid)
	_, _ = p.Run(context.Background(), forever)
}

// liar is the name of a process that writes what its arguments say.
const liar = "sandbox.test: liar"

// beLiar writes os.Args[1], which is quoted, once or without end.
func beLiar() {
	text, err := strconv.Unquote(os.Args[1])
	for err == nil {
		if _, err = os.Stdout.WriteString(text); os.Args[2] == "true" {
			break
		}
	}
	os.Exit(0)
}

func newPool(t testing.TB, o Options) *Pool {
	t.Helper()
	o.Notice = func(text string) { t.Log(text) }
	p, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// run runs a program, for which the sandbox must not fail.
func run(t testing.TB, p *Pool, program Program) Result {
	t.Helper()
	r, err := p.Run(t.Context(), program)
	if err != nil {
		t.Error(err)
	}
	return r
}

// A program and its calls, in a child process and in this one.
func TestRun(t *testing.T) {
	program := Program{
		Source: "def double(x):\n    return x * 2\nprint('hello')\n",
		Calls: []Call{
			{Expr: "double([1, 2.5, None, 'é'])"},
			{Exec: "import sys\ngiven = [1]\nprint('then')\nprint('oh', file=sys.stderr)", Bind: []Binding{{"x", "given"}, {"y", "double(given)"}}, Expr: "x.append(y)", Return: []string{"x", "y"}},
			{Expr: "double(None)"},
			{Expr: "iter(range(9))", Items: 3},
		},
	}
	for _, inProcess := range []bool{false, true} {
		p := newPool(t, Options{InProcess: inProcess, Workers: 1})
		var first Result
		for round := range 2 {
			r := run(t, p, program)
			if r.End != Done || r.Finish.End != Done || r.Engine != CPython || string(r.Output) != "hello\nthen\n" || string(r.Errors) != "oh\n" || len(r.Calls) != 4 {
				t.Fatalf("%+v", r)
			}
			if round == 0 {
				first = r
			} else if diff := cmp.Diff(first, r, cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 })); diff != "" {
				t.Errorf("the second time: %s", diff)
			}
			c := r.Calls
			if got := fmt.Sprint(c[0].End, c[0].Value, c[0].Output); got != "done [1, 2.5, None, 'é', 1, 2.5, None, 'é'] [6 6]" {
				t.Error(got)
			}
			if got := fmt.Sprint(c[1].End, c[1].Value, c[1].After, c[1].Output, c[1].Errors); got != "done None [[1, [1, 1]] <object 2 again>] [6 11] [0 3]" {
				t.Error(got)
			}
			if got := fmt.Sprint(c[2].End, *c[2].Exception); got != "raised {TypeError unsupported operand type(s) for *: 'NoneType' and 'int' 2  0}" {
				t.Error(got)
			}
			if got := fmt.Sprint(c[3].End, c[3].Value); got != "done <range_iterator of [0, 1, 2, ...]>" {
				t.Error(got)
			}
			used := r.Finish.Used
			for _, call := range c {
				used += call.Used
			}
			if used >= r.Used || c[2].Used == 0 {
				t.Errorf("used %d, by calls and at the end %d", r.Used, used)
			}
		}
	}
}

// A program ends where its calls are enough, and has told the same until then.
func TestEnough(t *testing.T) {
	program := Program{Source: "import atexit\natexit.register(print, 'the end')\nmade = []\n"}
	for i := range 70 {
		program.Calls = append(program.Calls, Call{Expr: fmt.Sprintf("made.append(%d) or print(len(made)) or sum(made)", i)})
	}
	for _, inProcess := range []bool{false, true} {
		p := newPool(t, Options{InProcess: inProcess, Workers: 1})
		whole := run(t, p, program)
		for _, enough := range []int{16, 64, 1000} {
			asked := []int{}
			ends := program
			ends.Enough = func(r *Result) bool {
				last := len(r.Calls) - 1
				if c := &r.Calls[last]; c.Value.String() != whole.Calls[last].Value.String() || string(r.Output[c.Output[0]:c.Output[1]]) != fmt.Sprintln(last+1) || r.End != Done {
					t.Errorf("so far %+v", r)
				}
				asked = append(asked, len(r.Calls))
				return len(r.Calls) >= enough
			}
			r := run(t, p, ends)
			made := min(enough, 70)
			if len(r.Calls) != made || made < 70 && r.Finish.End != NotRun || made == 70 && fingerprint(r) != fingerprint(whole) {
				t.Errorf("ends after %d: %s", enough, fingerprint(r))
			}
			if want := []int{16, 64}[:min(made/16, 2)]; !slices.Equal(asked, want) {
				t.Errorf("asked after %v calls, want %v", asked, want)
			}
			if again := run(t, p, program); fingerprint(again) != fingerprint(whole) {
				t.Errorf("after that the program does %s, want %s", fingerprint(again), fingerprint(whole))
			}
		}
		kept := program
		kept.Keep, kept.Enough = true, func(*Result) bool { return true }
		if r := run(t, p, kept); fingerprint(r) != fingerprint(whole) {
			t.Errorf("a kept one does %s", fingerprint(r))
		}
	}
}
