package behaviour

import (
	"fmt"
	"strings"
	"testing"
)

func TestWatch(t *testing.T) {
	plan := &Plan{}
	for _, test := range []struct{ program, want string }{
		{"x = a + f(b)\n", "x = w.end(0, a + f(b))\n"},
		{"if a and not b:\n    pass\n", "if w.truth(0, a) and not w.truth(1, b):\n    w.end(2, 0); pass\n"},
		{"x = a < b\n", "x = w.end(0, w.outcome(1, a < b))\n"},
		{"x = a < b < c\n", "x = w.end(0, w.chain(1, a < w.operand_of_chain(1, 0, b) < w.operand_of_chain(1, 1, c)))\n"},
		{"x = not a or b is c\n", "x = w.end(0, w.outcome(1, not w.truth(2, a)) or w.end(3, w.outcome(4, b is c)))\n"},
		{"while a < b:\n    f(a in b)\n", "while w.truth(0, a < b):\n    f(w.outcome(2, a in b)); w.end(1, 0)\n"},
		{"x = [a for a in b if a == c]\n", "x = w.end(0, [w.end(1, a) for a in b if w.truth(2, a == c)])\n"},
		{"try:\n    f()\nexcept A: g()\n", "try:\n    f(); w.end(0, 0)\nexcept w.end(1, A): g(); w.end(2, 0)\n"},
		{"'''docstring'''\nx = f'{a == b}'\n", "'''docstring'''\nx = w.end(0, f'{w.outcome(1, a == b)}')\n"},
		{"x = f'{a=} {(b) = } {f\"{c:{d}}\"!r}'\n", "x = w.end(0, f'{a=} {(b) = } {f\"{c:{d}}\"!r}')\n"},
		{"x = lambda: a or b\n", "x = w.end(0, lambda: w.end(1, w.outcome(2, a) or w.end(3, b)))\n"},
		{"x[0] += a if b else 1; del x\n", "x[0] += w.end(2, a) if w.truth(1, b) else w.end(3, 1); w.end(0, 0); del x; w.end(4, 0)\n"},
		{"with a:\n  if b: c()\n", "with w.manager(1, w.end(0, a)):\n  if w.truth(2, b): c(); w.end(3, 0)\n  w.end(4, 0)\n"},
		{"match a:\n    case 1 | 2:\n        pass\n", "match w.end(0, a):\n    case 1 | 2:\n        w.end(1, 0); pass\n    case _: w.end(2, 0)\n"},
		{"match a:\n    case (b):\n        pass\n", "match w.end(0, a):\n    case (b):\n        w.end(1, 0); pass\n"},
		{"def f():\n    try:\n        pass\n    finally:\n        return\n", "def f():\n    w.end(0, 0)\n    try:\n        w.end(1, 0); pass\n    except BaseException: w.end(2, 0); raise\n    finally:\n        w.end(3, 0); return\n"},
		{"with a as b, (c) as d:\n    x = y\n", "with w.manager(1, w.end(0, a)) as b, (w.manager(3, w.end(2, c))) as d:\n    x = w.end(4, y)\n"},
		{"'''docstring'''\nfrom __future__ import annotations\n@a\ndef f():\n    return 1\n", "'''docstring'''\nfrom __future__ import annotations\n@a\ndef f():\n    w.end(0, 0)\n    return w.end(1, 1)\n"},
		{"a and f(b)\n", "w.outcome(1, a) and w.end(2, f(b)); w.end(0, 0)\n"},
		{"def f(a):\n    b = yield a\n    return await (yield)\n", "def f(a):\n    w.end(0, 0)\n    b = w.end(1, (yield a))\n    return w.end(2, await (yield))\n"},
		{"def f(a):\n    return *a, a[1:2, 3], sum(b for b in a)\n", "def f(a):\n    w.end(0, 0)\n    return w.end(1, (*a, w.value(2, w.mark(), w.operand(2, 0, a)[1:2, 3]), w.value(4, w.mark(), sum(w.end(3, b) for b in a))))\n"},
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
		start := fmt.Sprintf("watched(%d, 'w', globals())\n", len(w.sites))
		if got := strings.Replace(strings.ReplaceAll(source, w.name, "w"), start, "", 1); got != test.want || got == source {
			t.Errorf("%q is watched as %q, want %q", test.program, got, test.want)
		}
	}
}
