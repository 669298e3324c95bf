package behaviour

import (
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/guard"
)

// TestBriefly requires that a verdict is the same whether an answer is watched with the brief calls
// first or with all calls at once. The brief calls are fewer, and say nothing where calls remember
// others.
func TestBriefly(t *testing.T) {
	const grade = "def grade(mark: int):\n    for name, limit in (('A', 90), ('B', 75)):\n        if mark >= limit:\n            return name\n    return 'C'\n"
	const adder = "class Adder:\n    def __init__(self, start: int):\n        self.sum = start\n\n    def add(self, n: int):\n        self.sum += n\n        return self.sum\n"
	j := newJudge(t, Options{})
	for _, test := range []struct {
		name, program, answer string
		briefly               bool
	}{
		{"a loop", grade, "def grade(mark: int):\n    limits = {'A': 90, 'B': 75}\n    for name in limits:\n        if mark >= limits[name]:\n            return name\n    return 'C'\n", true},
		{"a value that is never another", grade, grade[:len(grade)-len("    return 'C'\n")] + "    return 'C' + str(mark)[30:31]\n", true},
		{"a part that no call reaches", grade, "def grade(mark: int):\n    if mark == 1 << 70:\n        return 0\n" + grade[len("def grade(mark: int):\n"):], true},
		{"methods", adder, adder[:len(adder)-len("        self.sum += n\n        return self.sum\n")] + "        total = self.sum + n\n        self.sum = total\n        return total\n", true},
		{"a program that remembers", "CALLS = []\n\n\ndef count(n: int):\n    CALLS.append(n)\n    return len(CALLS)\n", "CALLS = []\n\n\ndef count(n: int):\n    CALLS.extend([n])\n    return len(CALLS)\n", false},
	} {
		task := &Task{ID: test.name, Program: test.program}
		plan, err := j.Plan(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		v, err := plan.Judge(t.Context(), test.answer, new(guard.Report))
		if err != nil {
			t.Fatal(err)
		}
		if w := plan.watches[watchKey{brief: true}]; w == nil || w.showsAll() != test.briefly {
			t.Errorf("%s: the brief calls do not show all: %v, want %v (%v %v)", test.name, w == nil, !test.briefly, v.Outcome, v.Reasons)
			continue
		}
		all, brief := 0, 0
		for _, s := range plan.sessions[0].steps {
			if s.standing == ofCall {
				all++
				if s.brief {
					brief++
				}
			}
		}
		if brief == 0 || 2*brief > all {
			t.Errorf("%s: %d of %d calls are brief", test.name, brief, all)
		}
		full, err := New(j.engine, Options{}).Plan(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		for i := range full.sessions[0].steps {
			full.sessions[0].steps[i].brief = false
		}
		want, err := full.Judge(t.Context(), test.answer, new(guard.Report))
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != want.Outcome || v.Outcome != evaluator.Pass && v.Reasons[0] != want.Reasons[0] {
			t.Errorf("%s: %v %v, and with all calls %v %v", test.name, v.Outcome, v.Reasons, want.Outcome, want.Reasons)
		}
	}
}
