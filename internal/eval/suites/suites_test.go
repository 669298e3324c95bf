package suites

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"codelinter/sandbox"
)

const suiteFile = `{"task_id": "HumanEval/0", "prompt": "def f(x):\n", "entry_point": "f", "canonical_solution": "    return [y / 3 for y in x]\n", "base_input": [[[1, 2]], [[]]], "plus_input": [[[3.5, -Infinity]], [[1e22]]], "atol": 0}
{"task_id": "HumanEval/1", "prompt": "", "entry_point": "g", "canonical_solution": "def g(s): return {s: len(s)}\n", "base_input": [["a'\\\n\u00e9"]], "plus_input": {}, "atol": 0}
`

func TestRead(t *testing.T) {
	tasks, err := Read(HumanEval, "a", strings.NewReader(suiteFile))
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 2 || tasks[0].Plus[0] != "[[3.5, -1e999]]" || tasks[1].Base[0] != `["a'\\\né"]` || tasks[1].Plus != nil {
		t.Errorf("%+v", tasks)
	}
	for text, want := range map[string]string{
		"":   "found none",
		"{}": "task_id",
		`{"task_id": "a", "prompt": "", "entry_point": "f(", "canonical_solution": ""}`:                                  "expected a name",
		`{"task_id": "a", "prompt": "", "entry_point": "f", "canonical_solution": "", "test": "x"}`:                      "programs",
		`{"task_id": "a", "prompt": "", "entry_point": "f", "canonical_solution": "", "base_input": [1]}`:                "lists of arguments",
		`{"task_id": "a", "prompt": "", "entry_point": "f", "canonical_solution": "", "base_input": [[1]], "atol": "x"}`: "a number",
		suiteFile + suiteFile: "twice",
	} {
		if _, err := Read(HumanEval, "a", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %s", text, err, want)
		}
	}
}

// JSON has no tuples, sets and complex numbers.
func TestRestore(t *testing.T) {
	for _, test := range []struct {
		number          int
		given, restored string
	}{
		{1, `[[1, [2]]]`, "[[1, [2]]]"},
		{2, `[[1], "ab", 3]`, "[(1,), ('a', 'b'), 3]"},
		{63, `[[[1, 2], [3]]]`, "[[(1, 2), (3,)]]"},
		{75, `[[[1]], [2]]`, "[[(1,)], [2]]"},
		{106, `[[1], [2]]`, "[[1], (2,)]"},
		{115, `[[[1, 2], [], 3]]`, "[[set([1, 2]), {}, {}]]"},
		{124, `["1", "1+2j"]`, "[float('1'), complex('1+2j')]"},
		{250, `[[1], [2]]`, "[(1,), [2]]"},
		{259, `[[[1], 2]]`, "[((1,), 2)]"},
		{580, `[[1, [2, [3]]]]`, "[(1, (2, (3,)))]"},
		{722, `[{"a": [1]}, 2]`, "[{'a': (1,)}, 2]"},
	} {
		n, err := parse([]byte(test.given), 0)
		if err != nil {
			t.Fatal(err)
		}
		restore(test.number, &n)
		var b strings.Builder
		if n.write(&b); b.String() != test.restored {
			t.Errorf("%d %s: %s, want %s", test.number, test.given, b.String(), test.restored)
		}
	}
}

func integer(n int64) sandbox.Value { return sandbox.Value{Kind: sandbox.Int, Int: big.NewInt(n)} }
func float(f float64) sandbox.Value {
	return sandbox.Value{Kind: sandbox.Float, Float: [2]float64{f}}
}
func text(s string) sandbox.Value { return sandbox.Value{Kind: sandbox.Str, Str: s} }
func list(kind sandbox.Kind, items ...sandbox.Value) sandbox.Value {
	return sandbox.Value{Kind: kind, Items: items}
}

func TestEqual(t *testing.T) {
	truth := sandbox.Value{Kind: sandbox.Bool, Int: big.NewInt(1)}
	large := sandbox.Value{Kind: sandbox.Int, Int: new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 53), big.NewInt(1))}
	dict := func(keys ...sandbox.Value) sandbox.Value {
		return sandbox.Value{Kind: sandbox.Dict, Keys: keys, Items: keys}
	}
	counter := dict(text("a"))
	for _, test := range []struct {
		a, b sandbox.Value
		want bool
	}{
		{integer(1), float(1), true}, {integer(1), truth, true}, {float(0), float(math.Copysign(0, -1)), true}, {large, float(1 << 53), false},
		{float(math.NaN()), float(math.NaN()), false}, {text("1"), integer(1), false},
		{list(sandbox.List, integer(1)), list(sandbox.List, float(1)), true}, {list(sandbox.List), list(sandbox.Tuple), false},
		{list(sandbox.List, integer(1)), list(sandbox.List, integer(1), integer(2)), false},
		{list(sandbox.Set, integer(1), text("a")), list(sandbox.FrozenSet, text("a"), float(1)), true},
		{list(sandbox.Set, list(sandbox.Tuple, integer(1))), list(sandbox.Set, list(sandbox.Tuple, truth)), true},
		{list(sandbox.Set, integer(1)), list(sandbox.Set, integer(2)), false},
		{dict(text("a"), integer(1)), dict(integer(1), text("a")), true}, {dict(text("a")), dict(text("b")), false},
		{sandbox.Value{Kind: sandbox.Instance, Class: "collections.Counter", Base: &counter}, counter, true},
		{list(sandbox.Range, integer(0), integer(5), integer(2)), list(sandbox.Range, integer(0), integer(6), integer(2)), true},
		{list(sandbox.Iterator), list(sandbox.Iterator), false}, {sandbox.Value{Kind: sandbox.Opaque}, sandbox.Value{Kind: sandbox.Opaque}, false},
	} {
		if got := newComparer(&test.a, &test.b).equal(&test.a, &test.b, 0); got != test.want {
			t.Errorf("%v == %v: %v", test.a, test.b, got)
		}
	}
	a, b := list(sandbox.List, float(1), float(math.Inf(1))), list(sandbox.List, float(1+1e-9), float(math.Inf(1)))
	if c := newComparer(&a, &b); !c.close(&a, &b, 1e-6) || c.equal(&a, &b, 0) {
		t.Errorf("%v and %v", a, b)
	}
}

// referenceOf returns what the solution of a file's first task does, and a runner for its answers.
func referenceOf(t *testing.T, file string) (*Runner, *Reference) {
	t.Helper()
	tasks, err := Read(HumanEval, "a", strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := sandbox.New(t.Context(), PoolOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	runner := New(HumanEval, pool)
	ref, err := runner.Reference(t.Context(), &tasks[0])
	if err != nil {
		t.Fatal(err)
	}
	return runner, ref
}

// TestCheck checks answers of each kind.
func TestCheck(t *testing.T) {
	runner, ref := referenceOf(t, suiteFile)
	for answer, want := range map[string]string{
		ref.Task.Prompt + ref.Task.Canonical:                  "pass pass",
		"def f(x):\n    return [y * (1 / 3) for y in x]\n":    "pass pass", // within the tolerance
		"def f(x):\n    return tuple(y / 3 for y in x)\n":     "fail fail",
		"def f(x):\n    return [y / 3 for y in x if y > 0]\n": "pass fail",
		"def f(x):\n    while x: pass\n    return x\n":        "timeout timeout",
		"def f(x)\n":                                  "fail fail",
		"def g(x): return x\n":                        "fail fail",
		"import sys\nsys.exit(0)\n":                   "fail fail",
		"def f(x):\n    import os\n    os._exit(0)\n": "fail fail",
		"class E:\n    def __eq__(s, o): return True\ndef f(x): return E()\n":                    "fail fail",
		"if __name__ == '__main__':\n    1 / 0\ndef f(x): return [y / 3 for y in x]\n":           "pass pass",
		"import sys\ndef f(x):\n    assert sys.maxsize > 2**62\n    return [y / 3 for y in x]\n": "pass pass",
	} {
		base, plus, err := runner.Check(t.Context(), ref, answer)
		if got := string(base.Status + " " + plus.Status); err != nil || got != want {
			t.Errorf("%q: %s, want %s; %+v %+v %v", answer, got, want, base, plus, err)
		}
	}
}

// TestOwnSolution compares what is known of a task's own solution with a run of it.
func TestOwnSolution(t *testing.T) {
	for _, file := range []string{
		suiteFile,
		`{"task_id": "HumanEval/0", "prompt": "calls = 0\n", "entry_point": "f", "canonical_solution": "def f(x):\n    global calls\n    calls += 1\n    return x / calls\n", "base_input": [[1], [2], [0]], "plus_input": [["a"], [1e400], [3], [4]]}`,
	} {
		runner, ref := referenceOf(t, file)
		for _, set := range []*expected{&ref.base, &ref.plus} {
			run, err := runner.checkFirst(t.Context(), ref.Task, ref.Task.solution(), set, len(set.inputs))
			if err != nil || set.own != run || run.Status != Pass {
				t.Errorf("%s: known as %+v, run %+v, %v", ref.Task.solution(), set.own, run, err)
			}
		}
	}
}

func TestScores(t *testing.T) {
	scores := Scores([][]Answer{{{Base: Pass, Plus: Pass, Clean: true}, {Base: Pass, Plus: Fail}}, {{Base: Fail, Plus: Fail, Clean: true}, {Base: Fail, Plus: Fail}}}, []int{1, 2, 10})
	want := map[string]float64{"base 1": 0.5, "base 2": 0.5, "plus 1": 0.25, "plus 2": 0.5, "clean 1": 0.5, "clean 2": 1, "plus and clean 1": 0.25, "plus and clean 2": 0.5}
	for _, s := range scores {
		key := s.Measure + " " + string(rune('0'+s.K))
		if want[key] != s.Value || s.Low > s.Value || s.High < s.Value {
			t.Errorf("%+v, want %v", s, want[key])
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("%v are not there", want)
	}
}

// TestUnusable has a solution whose lists for eight inputs are a million values together.
// Of the first of them a value is unlike itself. Without it there is room for the others.
// The last but one has too many values alone.
func TestUnusable(t *testing.T) {
	const file = `{"task_id": "HumanEval/0", "prompt": "def f(n, x):\n", "entry_point": "f", "canonical_solution": "    return [float(x)] * n\n", "base_input": [[1, 2]], "plus_input": [[150000, "nan"], [150000, 1], [150000, 1], [150000, 1], [150000, 1], [150000, 1], [200001, 1], [150000, 1]]}`
	_, ref := referenceOf(t, file)
	want := []string{"HumanEval/0: plus input 0 of 8: its own solution is not right", "HumanEval/0: plus input 6 of 8: what its own solution returns is too large"}
	if !slices.Equal(ref.Skipped, want) || len(ref.plus.values) != 6 {
		t.Errorf("%d values, skipped %q", len(ref.plus.values), ref.Skipped)
	}
}

// TestReference has an input for which a task's own solution is wrong: x is no zero of 1 + x - x².
func TestReference(t *testing.T) {
	const file = `{"task_id": "HumanEval/32", "prompt": "def find_zero(xs):\n", "entry_point": "find_zero", "canonical_solution": "    return -xs[0] / xs[1]\n", "base_input": [[[3, 1]]], "plus_input": [[[1, 1, -1]], [[4, 2]]], "atol": 1e-6}`
	runner, ref := referenceOf(t, file)
	if len(ref.Skipped) != 1 || !strings.Contains(ref.Skipped[0], "plus input 0 of 2: its own solution is not right") {
		t.Errorf("skipped %q", ref.Skipped)
	}
	for answer, want := range map[string]Status{ref.Task.Prompt + ref.Task.Canonical: Pass, "def find_zero(xs): return 0\n": Fail} {
		base, plus, err := runner.Check(t.Context(), ref, answer)
		if err != nil || base.Status != want || plus.Status != want {
			t.Errorf("%q: %+v, %+v, %v; want %s", answer, base, plus, err, want)
		}
	}
}
