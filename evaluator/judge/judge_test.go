package judge_test

import (
	"context"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.RunChild()
	debug.SetGCPercent(400) // else a sixth of the tests' time is collections of a small heap
	os.Exit(m.Run())
}

// a task's program and its tests.
type program struct {
	code, canonical string
	tests           []string
	logic           task.Logic
}

func (p program) task() *task.Task {
	t := &task.Task{Inputs: task.Inputs{Code: p.code}}
	t.Meta.ID, t.Meta.CanonicalCode, t.Meta.Logic = "7", p.canonical, p.logic
	if p.tests != nil {
		t.Meta.Row = &task.Row{TestList: p.tests}
	}
	return t
}

var (
	sorts = program{
		code:  "def largest(items, n) :\n    l = sorted(items)\n    return l[-n:]\n",
		tests: []string{"assert largest([3, 1, 2], 2) == [2, 3]", "assert largest([5], 1) == [5]"},
	}
	broken       = program{code: "def f(x)\n    return x+1\n", canonical: "def f(x):\n    return x + 1\n"}
	hopeless     = program{code: "def f(x)\n    return x+1\n"}
	testedOnly   = program{code: "def f(x)\n    return x+1\n", tests: []string{"assert f(1) == 2", "assert f(-5) == -4"}}
	canonicalSum = program{
		code:      "def total(items) :\n    s = 0\n    for l in items:\n        s += l\n    return s\n",
		canonical: "def total(items):\n    return sum(items)\n",
	}
	canonicalRaises = program{code: canonicalSum.code, canonical: "def total(items):\n    return sum(items)\n\n\ntotal(3)\n"}
	canonicalFails  = program{
		code: canonicalSum.code, canonical: "def total(items):\n    return len(items)\n", tests: []string{"assert total([4, 5]) == 9"},
	}
	freeLogic = program{
		code:  "def half(x) :\n    return x / 2\n",
		tests: []string{"assert half(4) == 2", "assert half(9) == 4"},
		logic: task.FreeLogic,
	}
)

func TestGuarded(t *testing.T) {
	judges := judge.New(judge.Options{})
	defer judges.Close()
	for _, c := range []struct {
		name    string
		program program
		answer  string
		want    evaluator.Outcome
		by      string // the proof of a pass, or the first reason's name
	}{
		{"mended", sorts, "def largest(items, n):\n    ordered = sorted(items)\n    return ordered[-n:]\n", evaluator.Pass, "tree"},
		{"written anew", sorts, "def largest(items, n):\n    ordered = list(items)\n    ordered.sort()\n    return ordered[-n:]\n", evaluator.Pass, "runs"},
		{"not clean", sorts, "def largest(items, n) :\n    return sorted(items)[-n:]\n", evaluator.Fail, "official"},
		{"turned round", sorts, "def largest(items, n):\n    ordered = sorted(items)\n    return ordered[:n]\n", evaluator.Fail, "result"},
		{"the known asserts only", sorts, "def largest(items, n):\n    if items == [3, 1, 2]:\n        return [2, 3]\n    return [5]\n",
			evaluator.Fail, "result"},
		{"nothing", sorts, "# nothing\n", evaluator.Fail, "missing-definition"},
		{"pass", sorts, "pass\n", evaluator.Fail, "missing-definition"},
		{"muted", sorts, "def largest(items, n) :  # noqa\n    return sorted(items)[-n:]\n", evaluator.Fail, "noqa"},
		{"endless", sorts, "def largest(items, n):\n    while True:\n        n = n\n", evaluator.Fail, "budget"},
		{"the canonical program is the measure", broken, "def f(x):\n    return 1 + x\n", evaluator.Pass, "runs"},
		{"and tells others apart", broken, "def f(x):\n    return x + 2\n", evaluator.Fail, "result"},
		{"the canonical program but for style", canonicalSum, "def total(numbers):\n    \"\"\"Adds.\"\"\"\n    return sum(numbers)\n", evaluator.Pass, "tree"},
		{"nearly the canonical program", canonicalSum, "def total(items):\n    return sum(items[:2])\n", evaluator.Fail, "result"},
		{"a guard comes first", canonicalSum, "def total(items):\n    return sum( items)  # noqa\n", evaluator.Fail, "noqa"},
		{"a canonical program that does not run", canonicalRaises, canonicalRaises.canonical, evaluator.Fail, "module"},
		{"a canonical program that fails the tests", canonicalFails, canonicalFails.canonical, evaluator.Fail, "test"},
		{"no measure at all", hopeless, "def f(x):\n    return x + 1\n", evaluator.Unknown, "no-reference"},
		{"no measure, nothing done", hopeless, "# nothing\n", evaluator.Fail, "empty"},
		{"tests alone", testedOnly, "def f(x):\n    return x + 1\n", evaluator.Pass, "tests"},
		{"tests alone fail", testedOnly, "def f(x):\n    return x + 2\n", evaluator.Fail, "test"},
		{"free to change", freeLogic, "def half(x):\n    return x // 2\n", evaluator.Pass, "tests"},
		{"free, but tested", freeLogic, "def half(x):\n    return x / 2\n", evaluator.Fail, "test"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judgement(t, judges, c.program, c.answer)
			by := got.Proof
			if len(got.Reasons) > 0 {
				by = got.Reasons[0].Name
			}
			if got.Outcome != c.want || by != c.by || got.Error {
				t.Errorf("got %+v, want %v by %q", got, c.want, c.by)
			}
			if reward := map[bool]float64{true: 1}[c.want == evaluator.Pass]; got.Reward != reward {
				t.Errorf("reward %v, want %v", got.Reward, reward)
			}
		})
	}
}

// judgement returns the guarded judgement on code as an answer.
func judgement(t *testing.T, judges *judge.Judges, p program, code string) evaluator.Judgement {
	t.Helper()
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
	if err != nil {
		t.Fatal(err)
	}
	result, err := scorer.Score(t.Context(), p.task(), []string{"```python\n" + code + "```\n"})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(scorer.Verdicts(), evaluator.Guarded)
	return result.Samples[0].Judgements[at]
}

func TestShaped(t *testing.T) {
	judges := judge.New(judge.Options{Reward: judge.Shaped})
	defer judges.Close()
	// E203 and E225 twice: three findings.
	given := program{code: "def f(x) :\n    y=x\n    z=1\n    return y + z\n", tests: []string{"assert f(1) == 2"}}
	for _, c := range []struct {
		name, answer string
		want         float64
	}{
		{"all", "def f(x):\n    y = x\n    z = 1\n    return y + z\n", 1},
		{"two of three", "def f(x):\n    y = x\n    z=1\n    return y + z\n", 2. / 3},
		{"one, and one more made", "def f(x):\n    y=x\n    z=1\n    return y + z \n", 0},
		{"all, and the logic", "def f(x):\n    y = x\n    z = 2\n    return y + z\n", 0},
		{"all, refused", "def f(x):\n    y = x\n    z = 1\n    return y + z\n\n\nexec('')\n", 0},
		{"no Python", "def f(x:\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judgement(t, judges, given, c.answer); got.Reward < c.want-1e-9 || got.Reward > c.want+1e-9 {
				t.Errorf("reward %v, want %v: %+v", got.Reward, c.want, got)
			}
		})
	}
}

// The reward of an unknown is what the options say; of what is known it is the same by all.
func TestOnUnknown(t *testing.T) {
	judges := judge.New(judge.Options{})
	defer judges.Close()
	const right, half = "def f(x):\n    return x + 1\n", "def f(x):\n    y = x + 1;\n    return y\n"
	two := program{code: "x=1\nwhile True :\n    pass\n"} // which never ends, E225 and E203
	const first = "x = 1\nwhile True :\n    x = 1\n"
	for _, c := range []struct {
		reward    judge.Reward
		onUnknown judge.OnUnknown
		program   program
		answer    string
		want      float64
		masked    bool
	}{
		{judge.Binary, judge.ZeroUnknown, hopeless, right, 0, false},
		{judge.Binary, judge.MaskUnknown, hopeless, right, 0, true},
		{judge.Binary, judge.OfficialUnknown, hopeless, right, 1, false},
		{judge.Shaped, judge.ZeroUnknown, two, first, 0, false},
		{judge.Shaped, judge.MaskUnknown, two, first, 0, true},
		{judge.Shaped, judge.MaskUnknown, two, "x=1\nwhile True :\n    x = 1\n", 0, false}, // fixes nothing, whatever its logic
		{judge.Shaped, judge.OfficialUnknown, two, first, 0.5, false},
		{judge.Binary, judge.MaskUnknown, hopeless, half, 0, false}, // which is no official pass, and so no unknown
		{judge.Binary, judge.MaskUnknown, hopeless, "# nothing\n", 0, false},
		{judge.Binary, judge.OfficialUnknown, broken, "def f(x):\n    return x + 2\n", 0, false},
		{judge.Binary, judge.MaskUnknown, broken, right, 1, false},
	} {
		got := judgement(t, judges.WithReward(c.reward, c.onUnknown), c.program, c.answer)
		if got.Reward != c.want || got.Masked != c.masked {
			t.Errorf("%v, %v, %q: %+v, want %v, masked %v", c.reward, c.onUnknown, c.answer, got, c.want, c.masked)
		}
	}
	if _, err := judge.ParseOnUnknown("none"); err == nil || err.Error() != `expected zero, mask or official, found "none"` {
		t.Error(err)
	}
}

// A task that cannot be decided says why, and its unknown answers have that reason.
func TestUndecidable(t *testing.T) {
	judges := judge.New(judge.Options{})
	defer judges.Close()
	for _, c := range []struct {
		program program
		want    string
	}{
		{sorts, ""},
		{broken, ""},
		{testedOnly, ""},
		{freeLogic, ""},
		{hopeless, "no-reference"},
		{program{code: "import time\n\n\ndef f(x) :\n    return time.time() + x\n"}, "not-repeatable"},
		{program{code: "x=1\n"}, ""},
		{program{code: "def half(x) :\n    return x / 2\n", logic: task.FreeLogic}, "nothing-to-call"},
	} {
		reason, err := judges.Undecidable(t.Context(), c.program.task())
		if err != nil {
			t.Fatal(err)
		}
		if got := reasonName(reason); got != c.want {
			t.Errorf("%q: %q, want %q", c.program.code, got, c.want)
		}
		if c.want == "" {
			continue
		}
		if !slices.Contains(evaluator.TaskReasons(), c.want) {
			t.Errorf("%s is none of the reasons that are of a task", c.want)
		}
	}
}

func reasonName(r *evaluator.Reason) string {
	if r == nil {
		return ""
	}
	return r.Name
}

// An error of ours is unknown and marked, whatever the answer is worth.
func TestErrors(t *testing.T) {
	runs := "def largest(items, n):\n    return list(sorted(items))[-n:]\n"
	judges := judge.New(judge.Options{Sandbox: sandbox.Options{Memory: 1}})
	defer judges.Close()
	if got := judgement(t, judges, sorts, runs); got.Outcome != evaluator.Unknown || !got.Error || got.Reward != 0 || !got.Masked {
		t.Errorf("without a sandbox: %+v", got)
	}
	closed := judge.New(judge.Options{})
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	if got := judgement(t, closed, sorts, runs); got.Outcome != evaluator.Unknown || !got.Error || !strings.Contains(got.Reasons[0].Text, "closed") {
		t.Errorf("closed: %+v", got)
	}
	if got := judgement(t, closed, sorts, sorts.canonical+"def largest(items, n):\n    z = sorted(items)\n    return z[-n:]\n"); got.Outcome != evaluator.Pass {
		t.Errorf("closed, but nothing is to be run: %+v", got)
	}
}

func TestCancelled(t *testing.T) {
	judges := judge.New(judge.Options{})
	defer judges.Close()
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scorer.Score(ctx, sorts.task(), []string{"x = 1\n"}); err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
