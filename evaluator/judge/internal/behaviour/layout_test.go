package behaviour

import (
	"testing"

	"codelinter/ast"
)

func TestLayout(t *testing.T) {
	for _, test := range []struct{ program, want string }{
		{"x = a + f(b)\n", "x = (\na + \nf(\nb));\\\npass\n"},
		{"if a and not b:\n    pass\n", "if (\na and \nnot \nb):\n    pass\n"},
		{"x = a < b\n", "x = ((True if \na < \nb else False));\\\npass\n"},
		{"x = not a or b is c\n", "x = (\nnot \na or (True if \nb is \nc else False));\\\npass\n"},
		{"while a < b:\n    f(a in b)\n", "while (\na < \nb):\n    (\nf((True if \na in \nb else False)));\\\npass\n"},
		{"x = [a for a in b if a == c]\n", "x = (\n[[(\na)][\n0\n] for a in \nb if \na == \nc]);\\\npass\n"},
		{"try:\n    f()\nexcept A: g()\n", "try:\n    (\nf());\\\npass\nexcept A: (\ng());\\\npass\nelse:\n pass\n"},
		{"'''docstring'''\nx = f'{a == b}'\n", "'''docstring'''\nx = (\nf'{(True if \na == \nb else False)}');\\\npass\n"},
		{"class A:\n    def __eq__(self, other):\n        return self == other\n", "class A:\n    def __eq__(self, other):\n        return ([(\nself == \nother)][\n0\n])\n"},
		{"# coding: latin-1\nx = '\u00e9'\n", "# coding: latin-1\nx = '\u00e9'\n"},
		{"x = f'{a=} {(b) = } {f\"{c:{d}}\"!r}'\n", "x = (\nf'{a=} {(b) = } {\nf\"{\nc:{d}}\"!r}');\\\npass\n"},
		{"import traceback\nx = a\n", "import traceback\nx = a\n"},
		{"import sys\nx = sys.exc_info\n", "import sys\nx = sys.exc_info\n"},
		{"import sys\nx = sys.argv\n", "import sys\nx = (\nsys.argv);\\\npass\n"},
		{"x = lambda: a or b\n", "x = (\nlambda: \na or [(\nb)][\n0\n]\n);\\\npass\n"},
		{"x[0] += a if b else 1; del x\n", "x[0] += (\n[(\na)][\n0\n] if \nb else \n1\n);\\\npass; del x;\\\npass\n"},
		{"x = [0 for a in b]\n", "x = (\n[[(\n0)][\n0\n] for a in \nb]);\\\npass\n"},
		{"with a:\n  if b: c()\n", "with (\na):\n  if (\nb): (\nc());\\\npass\n  pass\n"},
		{"match a:\n    case 1 | 2:\n        pass\n", "match (\na):\n    case 1 | 2:\n        pass\n    case _:\n     pass\n"},
		{"match a:\n    case (b):\n        pass\n", "match (\na):\n    case (b):\n        pass\n"},
		{"def f():\n    try:\n        pass\n    finally:\n        return\n", "def f():\n    try:\n        pass\n    except BaseException:\n     raise\n    else:\n     pass\n    finally:\n        return\n"},
		{"with a as b, (c) as d:\n    x = y\n", "with (\na) as b, ((\nc)) as d:\n    x = (\ny);\\\npass\n"},
	} {
		m, ok := parse(test.program)
		if !ok {
			t.Errorf("%q is no Python", test.program)
		} else if l := newLayout(m); l.laid != test.want {
			t.Errorf("%q is laid out as %q, want %q", test.program, l.laid, test.want)
		}
	}
}

// A layout finds each place of the program in what runs, and the other way round.
func TestLayoutPlaces(t *testing.T) {
	const program = "def f(a):\n    # why\n    try:\n        return a[0] == f(a)\n    except KeyError:\n        x = [b for b in a if b]; del x[0]\n    if a < 3:\n        return x or a\n    return (a +\n            x)\n\n\nprint(f(3))\n"
	m, _ := parse(program)
	l := newLayout(m)
	nodes := 0
	for _, s := range l.body {
		ast.Inspect(s, func(n ast.Node) bool {
			at := n.Bounds()
			if at.Start == at.End {
				return true // of empty arguments
			}
			nodes++
			if start := l.out(at.Start); l.laid[start] != program[at.Start] || l.in(start) != at.Start {
				t.Errorf("%q begins at %q, which is at %d, want %d", program[at.Start:at.End], l.laid[start:], l.in(start), at.Start)
			}
			if end := l.out(at.End-1) + 1; l.laid[end-1] != program[at.End-1] || l.in(end) != at.End {
				t.Errorf("%q ends before %q, which is at %d, want %d", program[at.Start:at.End], l.laid[end:], l.in(end), at.End)
			}
			return true
		})
	}
	if nodes < 40 || l.laid == program {
		t.Errorf("%d nodes in %q", nodes, l.laid)
	}
}

// Conditions are the same in the words of E711 to E714 and E721, and those that
// differ are told apart.
func TestConditions(t *testing.T) {
	text := func(program string) (string, bool) {
		m, ok := parse(program)
		if !ok {
			t.Fatalf("%q is no Python", program)
		}
		return condition(m.body[0].(*ast.ExprStmt).Value)
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"x == None", "x is None", true},
		{"not x != None", "None is x", true},
		{"x == True", "x", true},
		{"x == False", "not x", true},
		{"x != False", "bool(x)", true},
		{"a >= b", "not a < b", true},
		{"b <= a", "not a < b", true},
		{"a > b", "b < a", true},
		{"not a in b", "a not in b", true},
		{"type(a) == int", "isinstance(a, int)", true},
		{"type(a) is not int", "not isinstance(a, int)", true},
		{"a > b", "a < b", false},
		{"a > b", "a >= b", false},
		{"x == None", "x == 0", false},
		{"type(a) == int", "type(a) == bool", false},
		{"a in b", "b in a", false},
	} {
		a, notA := text(test.a)
		b, notB := text(test.b)
		if same := a == b && notA == notB; same != test.same {
			t.Errorf("%s and %s: same is %t, want %t", test.a, test.b, same, test.same)
		}
	}
}
