package behaviour

import (
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
