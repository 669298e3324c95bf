package sandbox

import (
	"errors"
	"slices"
	"testing"

	"codelinter/internal/util/faults"
)

// faultPrograms end in each way.
var faultPrograms = []Program{
	{Source: "def f(n):\n    return [n] * n\nprint('hello')\n", Calls: []Call{{Expr: "f(3)"}, {Expr: "f('a')"}}, Coverage: true},
	{Source: "raise KeyError(1)\n", Traceback: true},
	{Source: "import sys\nsys.exit(7)\n"},
	{Source: "while True: pass\n", Budget: 200_000},
	{Source: "x = [0]\nwhile True: x += x\n", Machine: &Machine{Memory: 20 << 20}},
	{Source: "import json\n", Calls: []Call{{Expr: "json.dumps({'a': [1, 2.5, None]})"}}, Keep: true},
	{Source: "open('new', 'w').write(input())\n", Machine: &Machine{Input: []byte("text\n")}},
	{Before: "import builtins\nbuiltins.two = 2\n", Source: "print(two)\n", Once: true, Calls: []Call{{Expr: "two * 2"}}},
	{Source: "x = []\n", Calls: slices.Repeat([]Call{{Expr: "x.append(7) or len(x)"}}, 90), Enough: func(r *Result) bool { return len(r.Calls) > 16 }},
}

// A program has its own result or none, whatever fails, and when nothing fails any more
// it has its own.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name   string
		every  faults.Rates
		rounds int
	}{
		{"children are killed", faults.Rates{faults.Kill: 4}, 3},
		{"pipes are cut", faults.Rates{faults.Cut: 6}, 3},
		{"the disk is full", faults.Rates{faults.Full: 1}, 3},
		{"clocks stand still", faults.Rates{faults.Stop: 3}, 3},
		{"the cache is damaged", faults.Rates{faults.Corrupt: 20}, 2},
		{"all of that, all at once", faults.Rates{faults.Kill: 6, faults.Cut: 20, faults.Full: 1, faults.Stop: 9}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.every[faults.Corrupt] > 0 && testing.Short() {
				t.Skip("compiles")
			}
			dir := ""
			if test.every[faults.Corrupt]+test.every[faults.Full] > 0 { // not the user's
				dir, _ = cacheOf(t)
			}
			p := newPool(t, Options{Workers: 1, CacheDir: dir})
			want := make([]string, len(faultPrograms))
			for i := range faultPrograms {
				program := faultPrograms[i]
				program.Keep = false
				want[i] = fingerprint(run(t, p, program))
			}
			end := faults.Begin(faults.Plan{Seed: 1, Every: test.every})
			failed := 0
			for range test.rounds {
				for i := range faultPrograms {
					r, err := p.Run(t.Context(), faultPrograms[i])
					switch {
					case err == nil && fingerprint(r) != want[i]:
						t.Errorf("%q became %s, want %s", faultPrograms[i].Source, fingerprint(r), want[i])
					case err != nil && (r.End != NotRun || errors.Is(err, ErrInvalid)):
						t.Errorf("%q: %+v beside %v", faultPrograms[i].Source, r, err)
					case err != nil:
						failed++
					}
				}
			}
			for kind, every := range test.every {
				if n := faults.Counts()[faults.Kind(kind).String()]; (n > 0) != (every > 0) {
					t.Errorf("%d faults of kind %s", n, faults.Kind(kind))
				}
			}
			end()
			t.Logf("%d of %d have no result", failed, test.rounds*len(faultPrograms))
			if s := p.Stats(); s.Failures != int64(failed) {
				t.Errorf("%+v, want %d failures", s, failed)
			}
			for i := range faultPrograms {
				if got := fingerprint(run(t, p, faultPrograms[i])); got != want[i] {
					t.Errorf("afterwards %q became %s, want %s", faultPrograms[i].Source, got, want[i])
				}
			}
		})
	}
}

// Too many and too large results are the program's, and end it as a lack of memory does. The
// child would die of them otherwise.
func TestRepliesAreBounded(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Workers: 1})
	program := Program{Source: "x = 'a' * ((8 << 20) - 1000)\n"}
	for range 30 {
		program.Calls = append(program.Calls, Call{Expr: "x"})
	}
	r := run(t, p, program)
	if len(r.Calls) != 25 || r.Calls[23].End != Done || len(r.Calls[23].Value.Str) != 8<<20-1000 || r.Calls[24].End != Memory {
		t.Errorf("%d calls, %v", len(r.Calls), r.Calls[len(r.Calls)-1].End)
	}
	if s := p.Stats(); s.Restarts > 0 {
		t.Errorf("%+v", s)
	}
}
