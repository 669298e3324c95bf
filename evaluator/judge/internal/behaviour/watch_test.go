package behaviour

import (
	"strings"
	"testing"
)

func TestWatch(t *testing.T) {
	plan := &Plan{}
	for _, test := range []struct{ program, want string }{
		{"x = a + f(b)\n", "x = ((a + f(b)), w_yes(0))[0]\n"},
		{"if a and not b:\n    pass\n", "if ((a) and not w_yes(0) or w_no(0)) and not ((b) and not w_yes(1) or w_no(1)):\n    w_yes(2); pass\n"},
		{"x = a < b\n", "x = ((w.outcome(1, a < b)), w_yes(0))[0]\n"},
		{"x = a < b < c\n", "x = ((w.chain(1, a < w.operand_of_chain(1, 0, b) < w.operand_of_chain(1, 1, c))), w_yes(0))[0]\n"},
		{"x = not a or b is c\n", "x = ((w.outcome(1, not ((a) and not w_yes(2) or w_no(2))) or ((w.outcome(4, b is c)), w_yes(3))[0]), w_yes(0))[0]\n"},
		{"while a < b:\n    f(a in b)\n", "while ((a < b) and not w_yes(0) or w_no(0)):\n    f(w.outcome(2, a in b)); w_yes(1)\n"},
		{"x = [a for a in b if a == c]\n", "x = (([((a), w_yes(1))[0] for a in b if ((a == c) and not w_yes(2) or w_no(2))]), w_yes(0))[0]\n"},
		{"try:\n    f()\nexcept A: g()\n", "try:\n    f(); w_yes(0)\nexcept ((A), w_yes(1))[0]: g(); w_yes(2)\n"},
		{"'''docstring'''\nx = f'{a == b}'\n", "'''docstring'''\nx = ((f'{w.outcome(1, a == b)}'), w_yes(0))[0]\n"},
		{"x = f'{a=} {(b) = } {f\"{c:{d}}\"!r}'\n", "x = ((f'{a=} {(b) = } {f\"{c:{d}}\"!r}'), w_yes(0))[0]\n"},
		{"x = lambda: a or b\n", "x = w.end(0, lambda: w.end(1, w.outcome(2, a) or w.end(3, b)))\n"},
		{"x[0] += a if b else 1; del x\n", "x[0] += ((a), w_yes(2))[0] if ((b) and not w_yes(1) or w_no(1)) else ((1), w_yes(3))[0]; w_yes(0); del x; w_yes(4)\n"},
		{"with a:\n  if b: c()\n", "with w.manager(1, ((a), w_yes(0))[0]):\n  if ((b) and not w_yes(2) or w_no(2)): c(); w_yes(3)\n  w_yes(4)\n"},
		{"match a:\n    case 1 | 2:\n        pass\n", "match ((a), w_yes(0))[0]:\n    case 1 | 2:\n        w_yes(1); pass\n    case _: w_yes(2)\n"},
		{"match a:\n    case (b):\n        pass\n", "match ((a), w_yes(0))[0]:\n    case (b):\n        w_yes(1); pass\n"},
		{"def f():\n    try:\n        pass\n    finally:\n        return\n", "def f():\n    w_yes(0)\n    try:\n        w_yes(1); pass\n    except BaseException: w_yes(2); raise\n    finally:\n        w_yes(3); return\n"},
		{"with a as b, (c) as d:\n    x = y\n", "with w.manager(1, ((a), w_yes(0))[0]) as b, (w.manager(3, ((c), w_yes(2))[0])) as d:\n    x = ((y), w_yes(4))[0]\n"},
		{"'''docstring'''\nfrom __future__ import annotations\n@a\ndef f():\n    return 1\n", "'''docstring'''\nfrom __future__ import annotations\n@a\ndef f():\n    w_yes(0)\n    return ((1), w_yes(1))[0]\n"},
		{"a and f(b)\n", "w.outcome(1, a) and ((f(b)), w_yes(2))[0]; w_yes(0)\n"},
		{"def f(a):\n    b = yield a\n    return await (yield)\n", "def f(a):\n    w_yes(0)\n    b = ((yield a), w_yes(1))[0]\n    return ((await (yield)), w_yes(2))[0]\n"},
		{"def f(a):\n    return *a, a[1:2, 3], sum(b for b in a)\n", "def f(a):\n    w_yes(0)\n    return ((*a, w.value(2, a[1:2, 3]), w.value(4, sum(((b), w_yes(3))[0] for b in a))), w_yes(1))[0]\n"},
	} {
		m, ok := parse(test.program)
		if !ok {
			t.Errorf("%q is no Python", test.program)
			continue
		}
		w := plan.newWatch(m, m, names{}, true)
		source := w.source()
		if _, ok := parse(source); !ok {
			t.Errorf("%q is watched as %q, which is no Python", test.program, source)
		}
		const start, end = "watched('w', globals(), ())\n", "\nw.state.begin()\n"
		got, ends := strings.CutSuffix(strings.ReplaceAll(source, w.name, "w"), end)
		if got = strings.Replace(got, start, "", 1); got != test.want || got == source || !ends {
			t.Errorf("%q is watched as %q, want %q", test.program, got, test.want)
		}
	}
}
