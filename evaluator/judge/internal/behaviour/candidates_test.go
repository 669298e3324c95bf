package behaviour

import (
	"strings"
	"testing"

	"codelinter/evaluator"
)

func TestJudgeByRarities(t *testing.T) {
	tests := []struct{ name, test, program, answer string }{
		{"strip", "assert f('a') == 'a'", "def f(s):\n    return s.strip()\n", "def f(s):\n    return s.strip(' \\t\\n')\n"},
		{"split", "assert f('a') == ['a']", "def f(s):\n    return s.split()\n", "def f(s):\n    return s.replace('\\n', ' ').replace('\\t', ' ').replace('\\r', ' ').replace('\\x0b', ' ').split(' ') if ' ' in s or '\\n' in s or '\\t' in s else [s] if s else []\n"},
		{"splitlines", "assert f('a') == ['a']", "def f(s):\n    return s.splitlines()\n", "def f(s):\n    return s.removesuffix('\\n').split('\\n') if s else []\n"},
		{"a final newline", "assert f('a')", "import re\ndef f(s):\n    return bool(re.match('[a-z]+$', s))\n", "import re\n\n\ndef f(s):\n    return bool(re.fullmatch('[a-z]+', s))\n"},
		{"isdigit", "assert f('5')", "def f(s):\n    return s.isdigit()\n", "def f(s):\n    return s.isdecimal()\n"},
		{"digits", "assert f('5') == ['5']", "import re\ndef f(s):\n    return re.findall(r'\\d', s)\n", "import re\n\n\ndef f(s):\n    return re.findall('[0-9]', s)\n"},
		{"lower", "assert f('A') == 'a'", "def f(s):\n    return s.lower()\n", "def f(s):\n    return s.casefold()\n"},
		{"nan", "assert f(1.5)", "def f(x):\n    return x > 0\n", "def f(x):\n    return not x <= 0\n"},
		{"halves", "assert f(1.25) == 1", "def f(x):\n    return round(x)\n", "def f(x):\n    return int(x + 0.5) if x >= 0 else -int(0.5 - x)\n"},
		{"large", "assert f(3) == 9", "def f(n):\n    return n*n\n", "def f(n):\n    return int(float(n) * float(n))\n"},
		{"stability", "assert f([(2, 'b'), (1, 'a')]) == [(1, 'a'), (2, 'b')]", "def f(a):\n    return sorted(a, key=lambda p: p[0])\n", "def f(a):\n    return sorted(a)\n"},
	}
	j := newJudge(t, Options{})
	for _, test := range tests {
		task := &Task{ID: test.name, Program: test.program, Tests: []string{test.test}}
		if v := judgeAnswer(t, j, task, test.answer); v.Outcome != evaluator.Fail || v.Reasons[0].Name != "result" {
			t.Errorf("%s: %v, want a fail", test.name, v)
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
