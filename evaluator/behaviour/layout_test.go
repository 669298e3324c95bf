package behaviour

import (
	"slices"
	"testing"

	"codelinter/ast"
)

func TestLayout(t *testing.T) {
	for _, test := range []struct{ program, want string }{
		{"x = a + f(b)\n", "x = (\na + \nf(\nb))\n"},
		{"if a and not b:\n    pass\n", "if (\na and \nnot \nb):\n    pass\n"},
		{"x = a < b\n", "x = ((True if \na < \nb else False))\n"},
		{"x = not a or b is c\n", "x = (\nnot \na or (True if \nb is \nc else False))\n"},
		{"while a < b:\n    f(a in b)\n", "while (\na < \nb):\n    (\nf((True if \na in \nb else False)))\n"},
		{"x = [a for a in b if a == c]\n", "x = (\n[\na for a in \nb if \na == \nc])\n"},
		{"try:\n    f()\nexcept A: g() # why\n", "try:\n    (\nf())\nexcept A: (\ng())\nelse:\n pass # why\n"},
		{"'''docstring'''\nx = f'{a == b}'\n", "'''docstring'''\nx = (\nf'{a == b}')\n"},
		{"class A:\n    def __eq__(self, other):\n        return self == other\n", "class A:\n    def __eq__(self, other):\n        return (\nself == \nother)\n"},
		{"x = a\r\ny = b\r\n", "x = (\na)\ny = (\nb)\n"},
		{"# coding: latin-1\nx = '\u00e9'\n", "# coding: latin-1\nx = '\u00e9'\n"},
		{"import traceback\nx = a\n", "import traceback\nx = a\n"},
		{"with a as b, (c) as d:\n    x = y\n", "with (\na) as b, ((\nc)) as d:\n    x = (\ny)\n"},
	} {
		m, ok := parse(test.program)
		if !ok {
			t.Errorf("%q is no Python", test.program)
		} else if l := newLayout(m); l.source != test.want {
			t.Errorf("%q is laid out as %q, want %q", test.program, l.source, test.want)
		}
	}
}

// A layout says of each of its statements where it was in the program.
func TestLayoutRows(t *testing.T) {
	const program = "def f(a):\n    # why\n    try:\n        return a[0] == f(a)\n    except KeyError:\n        x = 1\n    if a < 3:\n        return x\n    return (a +\n            x)\n\n\nprint(f(3))\n"
	m, _ := parse(program)
	l := newLayout(m)
	rows := func(body []ast.Stmt, row func(int32) int) (list []int) {
		for _, s := range body {
			ast.Inspect(s, func(n ast.Node) bool {
				if n.Kind() == ast.KindPass {
					return false // of the else clause
				}
				if s, is := n.(ast.Stmt); is {
					list = append(list, row(s.Bounds().Start))
				}
				return true
			})
		}
		return list
	}
	file, _ := newReference(program)
	want, got := rows(m.body, file.file.Row), rows(l.body, l.row)
	if !slices.Equal(got, want) || len(want) != 8 {
		t.Errorf("rows %v, want %v", got, want)
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
