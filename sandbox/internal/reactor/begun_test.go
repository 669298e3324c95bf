package reactor

import (
	"reflect"
	"testing"

	"codelinter/sandbox/internal/job"
)

// A program that runs before another is run once for an instance. What later jobs report is what they
// report on a new instance: addresses, counts, coverage.
func TestBegun(t *testing.T) {
	rt := load(t, Config{Output: 1 << 20})
	const quiet = "import builtins, sys\nclass Held:\n    items = [bytes(n) for n in range(3000)]\nbuiltins.held = Held()\nsys.setrecursionlimit(400)\n"
	befores := map[string]bool{ // whether it can be kept
		quiet:                                true,
		"import decimal\nx = 1\n":            true,
		"print('said')\n":                    false,
		"import time\nbegan = time.time()\n": false,
		"import os\nseed = os.urandom(4)\n":  false,
		"raise ValueError('no')\n":           false,
	}
	source := []byte(`import sys, time, os
try:
    held.items.append(1)
    size = len(held.items), id(held), sys.getrecursionlimit()
    del held.items
except NameError:
    size = 0
def f(a): return id([a]), id(object()), size, time.time(), os.urandom(2), hash(object()), len(object.__subclasses__())
def g(n): return g(n - 1) if n else 0
x = [bytearray(4096) for _ in range(300)]
`)
	calls := [][]byte{request("", "f(a)", "a", "[1, 2]"), request("sys.modules.clear()", "g(300)"), request("", "g(500)")}
	in := newInstance(t, rt)
	for before, kept := range befores {
		jobs := []*job.Job{
			{Before: []byte(before), Source: source, Calls: calls, Budget: budget, Once: true},
			{Before: []byte(before), Source: source, Calls: calls, Budget: budget, Coverage: true, Traceback: true},
			{Before: []byte(before), Source: source, Budget: budget},
			{Before: []byte(before), Source: []byte("while True: pass\n"), Calls: calls, Budget: 1_000_000},
		}
		if made, ok := newInstance(t, rt).compile(programText, []byte(before), budget); ok { // around what is needed for it
			alone := newInstance(t, rt)
			alone.Run(jobs[0])
			used, _ := alone.begun.Get(before)
			for _, n := range []int64{made.used - 1, made.used, used.used - 1, used.used, used.used + 1, max(made.used, used.used) + 2000} {
				jobs = append(jobs, &job.Job{Before: []byte(before), Source: []byte("pass\n"), Calls: calls, Budget: n, Once: true})
			}
		}
		for round := range 2 {
			for i, j := range jobs {
				alone, err := rt.NewInstance()
				if err != nil {
					t.Fatal(err)
				}
				want := alone.Run(j)
				alone.Close()
				if got := in.Run(j); !reflect.DeepEqual(got, want) {
					t.Errorf("round %d, job %d after %q: %+v, want %+v", round, i, before, got, want)
				}
			}
		}
		_, exact := in.Written() // else nothing is kept
		if made, _ := in.begun.Get(before); (made.pages != nil) != (kept && exact) {
			t.Errorf("kept %d bytes of %q", len(made.pages), before)
		}
	}
}
