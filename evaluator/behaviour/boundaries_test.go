package behaviour

import (
	"strings"
	"testing"

	"codelinter/evaluator"
)

func TestBoundaryCalls(t *testing.T) {
	for _, test := range []struct{ program, call, want string }{
		{"def f(n):\n    return n > 10\n", "f(3)", "f(10) f(11) f(9)"},
		{"def f(n):\n    m = n - 1\n    return 10 >= m\n", "f(3)", "f(11) f(12) f(10)"},
		{"def f(x):\n    return x <= 4.8\n", "f(3)", "f(4) f(5) f(3)"},
		{"def f(x):\n    return x <= 4.8\n", "f(3.0)", "f(4.8) f(5.8) f(3.8)"},
		{"def f(a, b):\n    return a > b\n", "f(3, 70)", "f(70, 70) f(71, 70) f(69, 70)"},
		{"def f(a, b):\n    return len(a) < b\n", "f([1, 2], 5)", "f([1, 2], 2) f([1, 2], 3) f([1, 2], 1)"},
		{"def f(a):\n    return len(a) < 3\n", "f('ab')", "f('aba') f('abab') f('ab')"},
		{"def f(a):\n    return [x for x in a if x > 5]\n", "f([1, 2])", "f([1, 5]) f([1, 6]) f([1, 4])"},
		{"def f(a, n):\n    for i in range(n):\n        if a[i] > n:\n            return a\n", "f([1, 2], 2)", "f([1, 2], 2) f([1, 3], 2) f([1, 1], 2)"},
		{"def f(a, n):\n    return n > 3\n", "f([1, 2], 2)", "f([1, 2, 1], 3) f([1, 2, 1, 2], 4) f([1, 2], 2)"},
		{"def f(n):\n    return 2 * n > 64\n", "f(3)", "f(32) f(-3) f(33) f(31)"},
		{"def f(n):\n    return 2 * n + 1 > 9\n", "f(3)", "f(4) f(-3) f(5) f(3)"},
		{"def f(a):\n    return sum(a) > 100\n", "f([1, 2, 3])", "f([1, 96, 3]) f([1, 97, 3]) f([1, 95, 3])"},
		{"def f(s, t):\n    return s == t\n", "f('a', 'b')", "f('b', 'b')"},
		{"def f(a):\n    return max(x * y for x, y in a)\n", "f([(2, 7), (1, 8)])", "f([(-2, 7), (-1, 8)])"},
		{"def f(n):\n    return n ** 0.5 % 1\n", "f(3)", "f(-3) f(9) f(36) f(10) f(37) f(8) f(35)"},
		{"class C:\n    def f(self, n):\n        return n > 3\n", "C().f(1)", "C().f(3) C().f(4) C().f(2)"},
		{"def f(a, b):\n    return a + b > 3 and a.n < 3\n", "f(1, 2)", ""},
		{"def f(n):\n    return n > 'x' or len(n) > 10 ** 9\n", "f(1)", ""},
	} {
		m, ok := parse(test.program)
		if !ok {
			t.Fatal(test.program)
		}
		call, _ := parse(test.call)
		b := scriptBuilder{module: m, ours: names{"f": true, "C": true}, prepared: names{}}
		for _, s := range call.body {
			b.gather(call.text, s)
		}
		c := newCandidates(newVarier(1, 2), []*probe{&b.calls[0]})
		c.findTies()
		var got []string
		for _, p := range boundaryCalls(boundaries(m), c.callees, c.byCallee, c.ties, 10) {
			got = append(got, p.steps()[0].shown)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s%s: %s, want %s", test.program, test.call, text, test.want)
		}
	}
}

// TestJudgeBoundaries requires that what differs at an edge alone is told apart, be
// the edge the program's own or the answer's.
func TestJudgeBoundaries(t *testing.T) {
	j := newJudge(t, Options{})
	for _, test := range []struct{ program, test, answer, call string }{
		{"def f(cost,amount):\n    if amount > cost:\n        return amount - cost\n", "assert f(1500, 1200) is None",
			"def f(cost, amount):\n    if amount >= cost:\n        return amount - cost\n", "f("},
		{"def f(n):\n    if n>=10:\n        n = n / 10\n    return int(n)\n", "assert f(123) == 12",
			"def f(n):\n    if n > 10:\n        n = n / 10\n    return int(n)\n", "f(10"},
		{"def f(pairs):\n    return max([abs(x * y) for x,y in pairs])\n", "assert f([(2, 7), (2, 6), (1, 8), (4, 9)]) == 36",
			"def f(pairs):\n    return max([int(x * y) for x, y in pairs])\n", "f("},
		{"def f(words, n):\n    return [w for w in words if len(w) > n]\n", "assert f(['a', 'bcd'], 2) == ['bcd']",
			"def f(words, n):\n    return [w for w in words if len(w) > n and n != len(words) + 7]\n", ""}, // it is not reached
	} {
		task := Task{ID: test.program, Program: test.program, Tests: []string{test.test}}
		if v := judgeAnswer(t, j, &task, test.answer); v.Outcome == evaluator.Pass || v.Outcome == evaluator.Fail && !strings.Contains(v.Reasons[0].Text, test.call) {
			t.Errorf("%s: %v %v", test.answer, v.Outcome, v.Reasons)
		}
	}
}
