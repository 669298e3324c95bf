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

// TestMutantsOf requires that functions are mutated in all their parts but defaults, annotations, texts
// and patterns, and that each mutant is valid Python.
func TestMutantsOf(t *testing.T) {
	for _, test := range []struct {
		program string
		least   int
		texts   []string
	}{
		{"def f(a):\n    return a\n", 1, []string{"None"}},
		{"def f(a):\n    return -1 if a < 2 else a[1:2, ...]\n", 7, []string{"a <= 2", "not (a < 2)"}},
		{"def f(a, b=1):\n    \"\"\"Text.\"\"\"\n    x: int = 3\n    return f\"{a + 1}\" \"x\", *a\n", 2, []string{"4"}},
		{"async def f(a):\n    async with a as b:\n        await b\n    return [x async for x in a if x > 1 and not x]\n", 5, []string{"(x > 1) or (not x)"}},
		{"def f(a):\n    match a:\n        case 1 | \"x\":\n            return 2\n        case [*b] if b == 3:\n            a.append(b)\n", 5, []string{"a.extend(b)", "a.insert(0, b)"}},
		{"class C:\n    x = 1\n\n    def f(self):\n        def g(y):\n            return y\n        while (z := g(1)) and z:\n            z += 1; del self.x\n        return lambda q: q * 2\n", 8, []string{"q + 2"}},
		{"x = 1\n", 0, nil},
	} {
		m, _ := parse(test.program)
		var texts []string
		for _, c := range m.mutants() {
			texts = append(texts, c.text)
			if mutant := (change{at: c.at, text: "(" + c.text + ")"}).of(m); mutant == test.program {
				t.Errorf("%s\n%q changes nothing", test.program, c.text)
			} else if _, ok := parse(mutant); !ok {
				t.Errorf("%s is not valid", mutant)
			}
		}
		if len(texts) < test.least || test.least == 0 && len(texts) > 0 {
			t.Errorf("%s\nhas the mutants %q, expected %d", test.program, texts, test.least)
		}
		for _, text := range test.texts {
			if !slices.Contains(texts, text) {
				t.Errorf("%s\n%q is not one of %q", test.program, text, texts)
			}
		}
	}
}
