package behaviour

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/guard"
	"codelinter/sandbox"
)

// A fakeEngine knows one program and its answers: what it is asked, it answers by
// what, with what is called and the source that it is called in.
type fakeEngine struct {
	runs  atomic.Int64
	fail  atomic.Bool // fail as a sandbox that is not there
	mu    sync.Mutex
	asked []sandbox.Program
	what  func(source, expr string) sandbox.Outcome
}

var errGone = errors.New("the sandbox is gone")

func (e *fakeEngine) Run(ctx context.Context, p sandbox.Program) (sandbox.Result, error) {
	e.runs.Add(1)
	e.mu.Lock()
	e.asked = append(e.asked, p)
	e.mu.Unlock()
	if e.fail.Load() || ctx.Err() != nil {
		return sandbox.Result{}, errGone
	}
	r := sandbox.Result{End: sandbox.Done, Used: 1000}
	for _, c := range p.Calls {
		o := sandbox.Outcome{End: sandbox.Done, Used: 10}
		if strings.HasSuffix(c.Expr, ".seen()") {
			o.Value = allSeen(p.Source)
		} else if c.Expr != "" {
			o = e.what(p.Source, c.Expr)
		}
		r.Calls = append(r.Calls, o)
		r.Used += o.Used
		if o.End != sandbox.Done && o.End != sandbox.Raised {
			break
		}
		if p.Enough != nil && p.Enough(&r) {
			break
		}
	}
	return r, nil
}

// A site of a program that is watched, with its number.
var siteCall = regexp.MustCompile(`watched_[0-9a-z]+(?:_yes|\.\w+)\((\d+)`)

// allSeen is what watch.py says if the calls show everything.
func allSeen(source string) sandbox.Value {
	var all []sandbox.Value
	for _, found := range siteCall.FindAllStringSubmatch(source, -1) {
		n, _ := new(big.Int).SetString(found[1], 10)
		all = append(all, sandbox.Value{Kind: sandbox.Int, Int: n})
	}
	return listValue(listValue(all...), listValue(all...), listValue(), listValue())
}

// judged is the verdict on an answer, which must not be an error.
func judged(t *testing.T, plan *Plan, answer string, report *guard.Report) Verdict {
	t.Helper()
	v, err := plan.Judge(t.Context(), answer, report)
	if err != nil {
		t.Error(err)
	}
	return v
}

const fakeProgram = "def f(x):\n    return x\n"

// echo gives the text of a call as its value, but for answers that say
// otherwise.
func echo(source, expr string) sandbox.Outcome {
	if strings.Contains(source, "wrong") {
		expr = "wrong"
	}
	return sandbox.Outcome{End: sandbox.Done, Value: strValue(expr), Used: 10}
}

func fakeTask(id int) *Task {
	return &Task{ID: fmt.Sprint(id), Program: fakeProgram, Tests: []string{"assert f(3) == 3", "assert f([1, 2]) == [1, 2]"}}
}

func TestAnErrorIsNotKept(t *testing.T) {
	e := &fakeEngine{what: echo}
	j := New(e, Options{})
	e.fail.Store(true)
	if _, err := j.Plan(t.Context(), fakeTask(1)); !errors.Is(err, errGone) {
		t.Fatalf("the plan's error is %v", err)
	}
	e.fail.Store(false)
	plan, err := j.Plan(t.Context(), fakeTask(1))
	if err != nil {
		t.Fatal(err)
	}
	e.fail.Store(true)
	if v, err := plan.Judge(t.Context(), fakeProgram, new(guard.Report)); !errors.Is(err, errGone) || v.Outcome != evaluator.Unknown || v.Reasons != nil {
		t.Fatalf("%+v, %v", v, err)
	}
	e.fail.Store(false)
	if v := judged(t, plan, fakeProgram, new(guard.Report)); v.Outcome != evaluator.Pass || v.Proof != ByRuns {
		t.Fatalf("%+v", v)
	}
}

func TestAnAnswerIsJudgedOnce(t *testing.T) {
	e := &fakeEngine{what: echo}
	plan, err := New(e, Options{}).Plan(t.Context(), fakeTask(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		answer string
		want   evaluator.Outcome
		runs   bool
	}{
		{fakeProgram, evaluator.Pass, true},
		{fakeProgram + "# the same tree\n", evaluator.Pass, false},
		{fakeProgram + "wrong", evaluator.Fail, true},
		{fakeProgram + "wrong", evaluator.Fail, false},
	} {
		before := e.runs.Load()
		v := judged(t, plan, test.answer, new(guard.Report))
		if v.Outcome != test.want || (e.runs.Load() > before) != test.runs {
			t.Errorf("%q: %s after %d runs", test.answer, v.Outcome, e.runs.Load()-before)
		}
	}
	before := e.runs.Load()
	tree := judged(t, plan, "", &guard.Report{SameTree: true})
	refused := judged(t, plan, "", &guard.Report{Reasons: []guard.Reason{{Name: guard.Noqa, Line: 3, Text: "silenced"}}})
	if tree.Outcome != evaluator.Pass || tree.Proof != ByTree || refused.Outcome != evaluator.Fail || refused.Reasons[0] != (evaluator.Reason{Name: "noqa", Line: 3, Text: "silenced"}) || e.runs.Load() != before {
		t.Errorf("%+v, %+v, %d runs", tree, refused, e.runs.Load()-before)
	}
}

// TestPlansAreTheSame requires that what answers are made to do follows from the
// task and the seed, and that no instance of an answer is given what is expected.
func TestPlansAreTheSame(t *testing.T) {
	sessions := func(o Options, program string) string {
		e := &fakeEngine{what: echo}
		task := fakeTask(1)
		task.Program = program
		plan, err := New(e, o).Plan(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		before := len(e.asked)
		judged(t, plan, fakeProgram, new(guard.Report))
		return fmt.Sprint(e.asked[before:])
	}
	first := sessions(Options{}, fakeProgram)
	if sessions(Options{}, fakeProgram) != first {
		t.Error("two plans of one program differ")
	}
	if sessions(Options{Seed: 1}, fakeProgram) == first || sessions(Options{}, fakeProgram+"another\n") == first {
		t.Error("plans of other seeds or programs are the same")
	}
}

func TestPlansAreBounded(t *testing.T) {
	e := &fakeEngine{what: echo}
	j := New(e, Options{Plans: 3})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for id := range 10 {
				if _, err := j.Plan(t.Context(), fakeTask(id)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if kept := j.plans.Size(); kept > 3 {
		t.Errorf("%d plans are kept", kept)
	}
	before := e.runs.Load()
	if _, err := j.Plan(t.Context(), fakeTask(9)); err != nil || e.runs.Load() != before {
		t.Errorf("the last plan was made again: %v", err)
	}
}

// TestEndsOfInstances requires that an answer whose instance ends early fails or
// is an error, whichever call it is, and never passes.
func TestEndsOfInstances(t *testing.T) {
	for end, want := range map[sandbox.End]string{
		sandbox.Budget: "fail budget", sandbox.Memory: "fail memory", sandbox.Crashed: "fail crash", sandbox.Exited: "fail exit",
		sandbox.Unknown: "error",
	} {
		for _, at := range []int{0, 1, 5, 20} {
			calls := 0
			e := &fakeEngine{}
			e.what = func(source, expr string) sandbox.Outcome {
				o := echo(source, expr)
				if strings.Contains(source, "short") {
					if calls++; calls > at {
						o.End = end
					}
				}
				return o
			}
			plan, err := New(e, Options{}).Plan(t.Context(), fakeTask(1))
			if err != nil {
				t.Fatal(err)
			}
			v, err := plan.Judge(t.Context(), fakeProgram+"short\n", new(guard.Report))
			if got := summary(v, err); got != want {
				t.Errorf("%s after %d calls: %s %v, want %s", end, at, got, v.Reasons, want)
			}
		}
	}
}

// summary says what an answer is, with the first reason.
func summary(v Verdict, err error) string {
	switch {
	case err != nil:
		return "error"
	case len(v.Reasons) > 0:
		return v.Outcome.String() + " " + v.Reasons[0].Name
	}
	return v.Outcome.String()
}

// TestOpaqueValuesAreNoEvidence requires that a program whose calls give only what
// cannot be told from anything else decides nothing.
func TestOpaqueValuesAreNoEvidence(t *testing.T) {
	for _, kind := range []sandbox.Kind{sandbox.Function, sandbox.Opaque, sandbox.TooLarge} {
		e := &fakeEngine{what: func(source, expr string) sandbox.Outcome {
			return sandbox.Outcome{End: sandbox.Done, Value: listValue(sandbox.Value{Kind: kind, Class: "builtins.object"})}
		}}
		task := fakeTask(1)
		plan, err := New(e, Options{}).Plan(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if v := judged(t, plan, fakeProgram, new(guard.Report)); v.Outcome != evaluator.Unknown || v.Reasons[0].Name != "nothing-to-call" {
			t.Errorf("%d: %+v", kind, v)
		}
	}
}

// A gpythonEngine gives the results of another as gpython's, which counts
// nothing.
type gpythonEngine struct{ Engine }

func (e gpythonEngine) Run(ctx context.Context, p sandbox.Program) (sandbox.Result, error) {
	if p.Coverage {
		return sandbox.Result{Engine: sandbox.GPython, End: sandbox.Unknown, Reason: "no coverage"}, nil
	}
	r, err := e.Engine.Run(ctx, p)
	r.Engine, r.Used = sandbox.GPython, 0
	for i := range r.Calls {
		r.Calls[i].Used = 0
	}
	return r, err
}

// TestGPythonProvesNothing requires that where gpython runs, a difference is
// no fault, that a program which is unknown equals no other, and that calls
// for which nothing was counted prove nothing of a function that was changed.
func TestGPythonProvesNothing(t *testing.T) {
	for answer, want := range map[string]string{
		fakeProgram:                            "pass",
		fakeProgram + "wrong\n":                "unknown sandbox",
		"def f(x):\n    y = x\n    return y\n": "unknown not-reached",
	} {
		plan, err := New(gpythonEngine{&fakeEngine{what: echo}}, Options{}).Plan(t.Context(), fakeTask(1))
		if err != nil {
			t.Fatal(err)
		}
		v, err := plan.Judge(t.Context(), answer, new(guard.Report))
		if got := summary(v, err); got != want {
			t.Errorf("%q: %s %v, want %s", answer, got, v.Reasons, want)
		}
	}
}

// A countingEngine counts the calls that answers make. With whole, they make all.
type countingEngine struct {
	Engine
	whole bool
	calls int
}

func (e *countingEngine) Run(ctx context.Context, p sandbox.Program) (sandbox.Result, error) {
	counts := p.Enough != nil
	if e.whole {
		p.Enough = nil
	}
	r, err := e.Engine.Run(ctx, p)
	if counts {
		e.calls += len(r.Calls)
	}
	return r, err
}

// An answer makes no calls after one that decides its verdict, which is the same as with all calls.
func TestDecided(t *testing.T) {
	pool, err := openPool()
	if err != nil {
		t.Fatal(err)
	}
	task := &Task{
		Program: "LIMIT = 3\ndef rank(values, least = 0):\n    values.sort()\n    if len(values) > LIMIT :\n        return values[1:-1]\n    if least > 50: raise ValueError(least)\n    return [v for v in values if v >= least]\n",
		Tests:   []string{"assert rank([3, 1, 2]) == [1, 2, 3]", "assert rank([4, 3, 2, 1]) == [2, 3]"},
	}
	const good = "LIMIT = 3\n\n\ndef rank(values, least=0):\n    values.sort()\n    if len(values) > LIMIT:\n        return values[1:-1]\n    if least > 50:\n        raise ValueError(least)\n    return [v for v in values if v >= least]\n"
	for _, edit := range [][2]string{
		{"", ""}, {"LIMIT = 3", "LIMIT = 4"}, {"values[1:-1]", "values[1:]"}, {"values.sort()", "values = sorted(values)"},
		{"ValueError", "KeyError"}, {"> 50", "> 51"}, {">= least", "> least"}, {"    values.sort()", "    print(1)\n    values.sort()"}, {"    values.sort()", "    exit()"},
		{"\n    values.sort()", "\n    while least < -99:\n        pass\n    values.sort()"}, {"def rank", "print(1)\n\n\ndef rank"}, {"def rank", "1 / 0\n\n\ndef rank"}, {"rank", "ranked"},
	} {
		answer := strings.Replace(good, edit[0], edit[1], 1)
		var verdicts [2]Verdict
		var calls [2]int
		for i := range verdicts {
			e := &countingEngine{Engine: pool, whole: i == 1}
			verdicts[i] = judgeAnswer(t, New(e, Options{}), task, answer)
			calls[i] = e.calls
		}
		if !reflect.DeepEqual(verdicts[0], verdicts[1]) {
			t.Errorf("%v is judged as %v, with all calls as %v", edit, verdicts[0], verdicts[1])
		}
		t.Log(edit, verdicts[0].Outcome, verdicts[0].Reasons, calls)
		switch failed := verdicts[0].Outcome == evaluator.Fail; {
		case calls[0] > calls[1], !failed && calls[0] < calls[1]:
			t.Errorf("%v makes %d of %d calls", edit, calls[0], calls[1])
		case edit[0] == "LIMIT = 3" && calls[0] != 16:
			t.Errorf("another variable is seen after %d of %d calls", calls[0], calls[1])
		}
	}
}
