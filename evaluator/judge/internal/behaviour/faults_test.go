package behaviour

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"codelinter/internal/guard"
	"codelinter/sandbox"
)

// A faultyEngine has no result for one of its runs.
type faultyEngine struct {
	Engine
	at, runs int // fail the run of this number, from 1
}

func (e *faultyEngine) Run(ctx context.Context, p sandbox.Program) (sandbox.Result, error) {
	if e.runs++; e.runs == e.at {
		return sandbox.Result{}, errGone
	}
	return e.Engine.Run(ctx, p)
}

// A rememberingEngine runs no program twice: a result depends on the program alone.
type rememberingEngine struct {
	Engine
	known map[string]sandbox.Result
}

func (e *rememberingEngine) Run(ctx context.Context, p sandbox.Program) (sandbox.Result, error) {
	key := fmt.Sprintf("%+v", p)
	if result, is := e.known[key]; is {
		return result, nil
	}
	result, err := e.Engine.Run(ctx, p)
	if err == nil {
		e.known[key] = result
	}
	return result, err
}

// faultTasks have each way in which a plan is made.
var faultTasks = map[string]struct {
	task    Task
	options Options
	answers []string
}{
	"tests": {
		Task{Program: "def f(a, b):\n    if a > b: return [a]\n    return [b, a]\n", Tests: []string{"assert f(1, 2) == [2, 1]"}},
		Options{},
		[]string{"def f(a, b):\n    if a > b:\n        return [a]\n    out = [b, a]\n    return out\n", "def f(a, b):\n    if a >= b:\n        return [a]\n    return [b, a]\n"},
	},
	"no tests, mutants, coroutines": {
		Task{Program: "import asyncio\nasync def g(n): return n * 2\ndef f(n):\n    if n == 77: raise ValueError(n)\n    return asyncio.run(g(n))\n"},
		Options{Mutants: true},
		[]string{"import asyncio\n\n\nasync def g(n):\n    return n + n\n\n\ndef f(n):\n    if n == 77:\n        raise ValueError(n)\n    return asyncio.run(g(n))\n"},
	},
	"stand-ins, another program": {
		Task{Program: "import numpy\ndef f(a): return numpy.sort(a) == None\n", Canonical: "import numpy\n\n\ndef f(a):\n    return numpy.sort(a) is None\n"},
		Options{},
		[]string{"import numpy\n\n\ndef f(a):\n    found = numpy.sort(a)\n    return found is None\n"},
	},
	"free logic": {
		Task{Program: "def f(a): return a\n", Tests: []string{"assert f(3) == 3", "assert f(4) == 4"}, Free: true},
		Options{},
		[]string{"def f(a):\n    return a + 0\n", "def f(a):\n    return 3\n"},
	},
}

// TestEachRunMayFail fails each run of the sandbox in turn. A verdict is then as it is
// without a fault, or an error; and when the fault is over it is as without.
func TestEachRunMayFail(t *testing.T) {
	pool, err := openPool()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range faultTasks {
		t.Run(name, func(t *testing.T) {
			// judge returns the verdicts on the answers, and the errors among them.
			judge := func(j *Judge) (verdicts []string, failed int) {
				for i, answer := range test.answers {
					v, err := j.Judge(t.Context(), &test.task, answer, new(guard.Report))
					if err != nil {
						failed++
						if !errors.Is(err, errGone) {
							t.Errorf("answer %d: %v", i, err)
						}
						verdicts = append(verdicts, "error")
						continue
					}
					verdicts = append(verdicts, fmt.Sprintf("%s %s %v", v.Outcome, v.Proof, v.Reasons))
				}
				return verdicts, failed
			}
			engine := &rememberingEngine{Engine: pool, known: map[string]sandbox.Result{}}
			clean := &faultyEngine{Engine: engine}
			want, failed := judge(New(clean, test.options))
			if failed > 0 {
				t.Fatal(want)
			}
			for at := 1; at <= clean.runs; at++ {
				j := New(&faultyEngine{Engine: engine, at: at}, test.options)
				got, failed := judge(j)
				for i := range got {
					if got[i] != want[i] && got[i] != "error" {
						t.Errorf("run %d of %d fails: answer %d is %s, want %s", at, clean.runs, i, got[i], want[i])
					}
				}
				if failed != 1 {
					t.Errorf("run %d of %d fails: %d errors, want 1", at, clean.runs, failed)
				}
				if again, _ := judge(j); !slices.Equal(again, want) {
					t.Errorf("after run %d of %d: %v, want %v", at, clean.runs, again, want)
				}
				if plan, err := j.Plan(t.Context(), &test.task); err != nil || test.options.Mutants && plan.Adequacy() == nil {
					t.Errorf("after run %d of %d: %+v, %v", at, clean.runs, plan, err)
				}
			}
		})
	}
}
