package behaviour

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// script returns a task's script as text: a line a step, and for each assert the
// condition with the numbers of the watched parts in the places of their values.
func scriptText(t *testing.T, program, setup string, tests ...string) string {
	t.Helper()
	m, ok := parse(program)
	if !ok {
		t.Fatalf("%q is no Python", program)
	}
	s := newScript(m, setup, tests)
	var out strings.Builder
	whole := probe{parts: s.parts}
	for _, step := range whole.steps() {
		if step.exec != "" {
			out.WriteString("run " + strings.ReplaceAll(strings.TrimSpace(step.exec), "\n", "; ") + "\n")
		}
		if step.expr != "" {
			expr := step.expr
			for _, b := range step.given {
				expr = strings.Replace(expr, b.Name, b.Expr, 1)
			}
			out.WriteString("watch " + expr)
			for _, b := range step.bind {
				out.WriteString(" | " + b.Name + " = " + b.Expr)
			}
			out.WriteString("\n")
		}
	}
	for _, test := range s.tests {
		text := test.text
		for _, piece := range test.pieces {
			text = strings.Replace(text, pieceName(piece), "<"+string(rune('0'+piece))+">", 1)
		}
		out.WriteString("assert " + text + "\n")
	}
	return out.String()
}

func TestScript(t *testing.T) {
	const program = `
import math, sys
LIMIT = 3
def f(x): return x
def g(*a, **k): return a
async def main(n): return n
class Account:
    def __init__(self, n): self.n = n
    def add(self, n): self.n += n
`
	tests := []struct {
		name, setup string
		tests       []string
		want        string
	}{
		{"a value", "", []string{"assert f(3) == 4"}, `
watch f(3)
assert <0> == 4
`},
		{"an argument that could be changed is bound", "", []string{"assert f([1, 2]) == [2]"}, `
watch f(argument1) | argument1 = [1, 2]
assert <0> == [2]
`},
		{"tuples of numbers cannot be changed, tuples of lists can", "", []string{"assert f((1, 2)) == g(([],))"}, `
watch f((1, 2)) == g(([],))
assert <0>
`},
		{"what is done to a value is not the program's", "", []string{"assert round(f(2.5), 1) == 2.5", "assert set(f([1])) == {1}", "assert math.isclose(f(1.0), 1.0)"}, `
watch f(2.5)
watch f(argument1) | argument1 = [1]
watch f(1.0)
assert round(<0>, 1) == 2.5
assert set(<1>) == {1}
assert math.isclose(<2>, 1.0)
`},
		{"not, and, or, chains", "", []string{"assert not f(0)", "assert f(1) is None or f(2) and not f(3)", "assert 1 < f(2) < 3"}, `
watch f(0)
watch f(1)
watch f(2)
watch f(3)
watch f(2)
assert not <0>
assert <1> is None or <2> and not <3>
assert 1 < <4> < 3
`},
		{"parts of values", "", []string{"assert f([1])[0] == 1", "assert f('a b').split()[-1] == 'b'"}, `
watch f([1])[0]
watch f('a b').split()[-1]
assert <0> == 1
assert <1> == 'b'
`},
		{"objects", "account = Account(5)\naccount.add(2)\n", []string{"assert account.n == 7", "assert Account(1).n == 1"}, `
run account = Account(5); account.add(2)
watch account.n
watch Account(1).n
assert <0> == 7
assert <1> == 1
`},
		{"statements between asserts", "", []string{"assert f(1) == 1\nf(2)", "assert f(3) == 3"}, `
watch f(1)
run f(2)
watch f(3)
assert <0> == 1
assert <1> == 3
`},
		{"what is expected leaves statements too", "", []string{"try:\n    f(0)\nexcept ValueError as e:\n    assert str(e) == 'secret'"}, `
run try:;     f(0); except ValueError as e:;     watched1 = [e]
`},
		{"several calls", "", []string{"assert [f(n) for n in range(3)] == [0, 1, 2]", "assert f(1) + f(2) == 3"}, `
watch [f(n) for n in range(3)]
watch f(1) + f(2)
assert <0> == [0, 1, 2]
assert <1> == 3
`},
		{"keywords and stars", "", []string{"assert g(*[1], x=[2], **{'y': 3}) == 1"}, `
watch g(*argument1, x=argument2, **argument3) | argument1 = [1] | argument2 = [2] | argument3 = {'y': 3}
assert <0> == 1
`},
		{"coroutines are run", "import asyncio", []string{"assert asyncio.run(main(3)) == 3"}, `
run import asyncio
watch asyncio.run(argument1) | argument1 = main(3)
assert <0> == 3
`},
		{"a value of the program's on the other side", "", []string{"assert f(3) == LIMIT"}, `
watch f(3) == LIMIT
assert <0>
`},
		{"no Python", "", []string{"assert f(3 ==", "assert f(1)"}, `
watch f(1)
assert <0>
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := scriptText(t, program, test.setup, test.tests...)
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestNothingExpectedIsSent requires that no value that an assert compares with
// is in what an instance is given, whatever form the assert has.
func TestNothingExpectedIsSent(t *testing.T) {
	for _, assert := range []string{
		"assert f(1) == 'secret'",
		"assert 'secret' == f(1)",
		"assert f(1) in ('secret', 'other')",
		"assert not f(1) != 'secret'",
		"assert f(1) and f(2) == 'secret'",
		"assert sorted(f(1)) == sorted('secret')",
		"assert len(f(1)) == len('secret'), 'secret'",
		"assert f(1)[0] == 'secret'",
		"assert [f(n) for n in (1, 2)] == ['secret']",
		"with open('x') as y:\n    assert f(1) == 'secret'",
		"for n in range(3):\n    assert f(n) == 'secret'",
		"def test():\n    assert f(1) == 'secret'\ntest()",
	} {
		text := scriptText(t, "def f(x): return x\n", "", assert)
		steps, _, _ := strings.Cut(text, "\nassert ")
		if strings.Contains(steps, "secret") || !strings.Contains(steps, "f(") {
			t.Errorf("%s\nis sent as\n%s", assert, steps)
		}
	}
}

func TestCallsToStartFrom(t *testing.T) {
	m, _ := parse("def f(x): return x\nclass A:\n    def m(self): pass\n")
	s := newScript(m, "a = A()\n", []string{
		"assert f(1) == f(f(2))",
		"assert [f(n) for n in (1, f(3))] == [1]",
		"assert a.m() is None",
		"assert sorted(f([3]), key=lambda k: f(k)) == []",
	})
	var got []string
	for _, p := range s.calls {
		var shown []string
		for _, step := range p.steps() {
			shown = append(shown, strings.TrimSpace(step.exec)+step.shown)
		}
		got = append(got, strings.Join(shown, "; "))
	}
	want := []string{
		"A()", "f(1)", "f(f(2))", "f(2)", "f(1) == f(f(2))",
		"f(3)", "[f(n) for n in (1, f(3))]",
		"a = A()a.m()",
		"f([3])", "sorted(f([3]), key=lambda k: f(k))",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
