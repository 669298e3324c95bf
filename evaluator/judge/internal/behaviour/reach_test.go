package behaviour

import (
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/guard"
)

// TestShowsAll requires that the few calls of the second session show of an answer what all calls show of
// the program, unless it remembers more, and that the verdict is that of all calls.
func TestShowsAll(t *testing.T) {
	const grade = "def grade(mark: int):\n    for name, limit in (('A', 90), ('B', 75)):\n        if mark >= limit:\n            return name\n    return 'C'\n"
	const never = "    if mark == 1 << 70:\n        return 0\n"
	const adder = "class Adder:\n    def __init__(self, start: int):\n        self.sum = start\n\n    def add(self, n: int):\n        self.sum += n\n        return self.sum\n"
	const counter = "CALLS = []\n\n\ndef count(n: int):\n    CALLS.append(n)\n    return len(CALLS)\n"
	const head = "def grade(mark: int):\n"
	loops := head + "    limits = {'A': 90, 'B': 75}\n    for name in limits:\n        if mark >= limits[name]:\n            return name\n    return 'C'\n"
	ledger := []string{"book = Adder(3)", "assert book.add(4) == 7", "book.add(-7)", "assert book.add(1) == 1"}
	added := strings.Replace(adder, "        self.sum += n\n        return self.sum\n", "        total = self.sum + n\n        self.sum = total\n        return total\n", 1)
	j := newJudge(t, Options{})
	for _, test := range []struct {
		name, program, answer string
		tests                 []string
		few                   bool
	}{
		{"a loop", grade, loops, nil, true},
		{"a value that is never another", grade, strings.Replace(grade, "'C'", "'C' + str(mark)[30:31]", 1), nil, false},
		{"a part that no call reaches", grade, strings.Replace(grade, head, head+never, 1), nil, false},
		{"a part that no call reaches, of both", strings.Replace(grade, head, head+never, 1), strings.Replace(loops, head, head+never, 1), nil, true},
		{"a part that no call reaches, of the program", strings.Replace(grade, head, head+never, 1), loops, nil, false},
		{"methods", adder, added, nil, true},
		{"a variable of the tests", adder, added, ledger, true},
		{"a program that remembers", counter, strings.Replace(counter, "append(n)", "extend([n])", 1), nil, true},
		{"an answer that remembers more", counter, strings.Replace(counter, "def count", "SUM = [0]\n\n\ndef count", 1) + "\n\ndef add(n, count=count):\n    SUM[0] += n\n    return count(n)\n\n\ncount = add\n", nil, false},
		{"an answer that remembers", grade, strings.Replace(loops, head, "KNOWN = set()\n\n\n"+head+"    KNOWN.add(mark)\n", 1), nil, false},
	} {
		plan, err := j.Plan(t.Context(), &Task{ID: test.name, Program: test.program, Tests: test.tests})
		if err != nil {
			t.Fatal(err)
		}
		a := newSubject(test.answer, nil)
		_, w, err := plan.compareWatched(t.Context(), plan.sessions[1], a)
		if err != nil || w == nil {
			t.Fatalf("%s: it is not watched: %v", test.name, err)
		}
		if few, err := plan.showsAll(t.Context(), a, w); err != nil || few != test.few {
			t.Errorf("%s: few calls show what all show: %v, want %v (%v)", test.name, few, test.few, err)
		}
		if few, all := len(plan.sessions[1].steps), len(plan.sessions[0].steps); few > all*2/3 {
			t.Errorf("%s: %d calls of %d are not few", test.name, few, all)
		}
		v := judged(t, plan, test.answer, new(guard.Report))
		want, err := plan.show(t.Context(), newSubject(test.answer, nil), nil, plan.sessions[:1])
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != want.Outcome || v.Outcome != evaluator.Pass && v.Reasons[0] != want.Reasons[0] {
			t.Errorf("%s: %v %v, and with all calls %v %v", test.name, v.Outcome, v.Reasons, want.Outcome, want.Reasons)
		}
	}
}

// TestWatchedDiffers requires that a program which sees its own code, and so does something else where it is
// watched, is judged by what it does as it is.
func TestWatchedDiffers(t *testing.T) {
	const program = "def size(n: int):\n    if n > 3:\n        n += 1\n    return n * len(size.__code__.co_code)\n"
	j := newJudge(t, Options{})
	plan, err := j.Plan(t.Context(), &Task{ID: "size", Program: program})
	if err != nil {
		t.Fatal(err)
	}
	if of := slices.IndexFunc(plan.sessions[0].want, func(e expectation) bool { return e.evidence && !e.binding }); of >= 0 {
		t.Errorf("%s does not bind an answer", plan.sessions[0].steps[of].shown)
	}
	for answer, want := range map[string]string{
		strings.Replace(program, "n: int", "n: object", 1):                                    "pass",
		strings.Replace(program, "n += 1", "n = n + 1 + 0 * n", 1):                            "fail result",
		strings.Replace(program, "    return", "    if n > 5:\n        n = n\n    return", 1): "fail result",
	} {
		_, w, err := plan.compareWatched(t.Context(), plan.sessions[1], newSubject(answer, nil))
		if err != nil || w != nil {
			t.Errorf("%s: its watch counts: %v", answer, err)
		}
		v, err := plan.Judge(t.Context(), answer, new(guard.Report))
		if got := summary(v, err); got != want {
			t.Errorf("%s: %s %v, want %s", answer, got, v.Reasons, want)
		}
	}
}
