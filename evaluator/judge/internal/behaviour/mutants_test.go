package behaviour

import (
	"slices"
	"testing"
)

// TestAdequacy requires that a program's mutants are told apart by its plan's calls, that
// those which do the same are named, and that each of them is the program with one change.
func TestAdequacy(t *testing.T) {
	j := newJudge(t, Options{Mutants: true})
	for _, test := range []struct {
		name, program string
		alive         []string
	}{
		{"all", "def f(a, b):\n    if a < b and b != 3:\n        return a + 2 * b\n    return 'none'\n", nil},
		{"one that does the same", "def f(items):\n    most = 0\n    for x in items:\n        if len(x) > most:\n            most = len(x)\n    return most\n", []string{"line 4: len(x) >= most for len(x) > most"}},
		{"what runs away", "def f(n):\n    n = min(abs(int(n)), 9)\n    while n:\n        n -= 1\n    return n\n", []string{"line 2: 10 for 9"}},
		{"state", "SEEN = []\n\n\ndef f(a):\n    SEEN.append(a)\n    return len(SEEN)\n", nil},
		{"output", "def f(a):\n    print('a', a)\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan, err := j.Plan(t.Context(), &Task{Program: test.program})
			if err != nil {
				t.Fatal(err)
			}
			a := plan.Adequacy()
			if a == nil || a.Mutants == 0 {
				t.Fatalf("no mutants: %v", a)
			}
			for _, name := range test.alive {
				if !slices.Contains(a.Alive, name) {
					t.Errorf("%q is not alive, of %q", name, a.Alive)
				}
			}
			if len(a.Alive) > len(test.alive)+1 || a.Share() < 0.7 {
				t.Errorf("%d of %d are alive: %q", len(a.Alive), a.Mutants, a.Alive)
			}
		})
	}
	plan, err := newJudge(t, Options{}).Plan(t.Context(), &Task{Program: "def f(a):\n    return a + 1\n"})
	if err != nil || plan.Adequacy() != nil {
		t.Errorf("mutants that nobody asked for: %v %v", plan, err)
	}
}
