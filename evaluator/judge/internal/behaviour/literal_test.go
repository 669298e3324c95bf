package behaviour

import (
	"testing"

	"codelinter/ast"
)

// readLiteral reads an expression as a literal.
func readLiteral(t testing.TB, text string) literal {
	t.Helper()
	m, ok := parse(text)
	if !ok {
		t.Fatalf("%q is no Python", text)
	}
	reader := literalReader{text: m.text, left: maxLiteral}
	l, ok := reader.read(m.body[0].(*ast.ExprStmt).Value, 0)
	if !ok {
		t.Fatalf("%q is no literal", text)
	}
	return l
}

var literals = []string{
	"None", "True", "False", "0", "7", "-3", "1.5", "-0.25", "1e+22", "'it'", `"it's"`, `'\n\x00é'`, "b'\\xff'",
	"[]", "[1]", "()", "(1,)", "(1, 'a')", "{1, 2}", "{}", "{'a': 1, 'b': [2, 3]}", "[[1, 2], (3, [4.0])]", "[f(1), g([2])]", "[(x := 2)]",
}

func TestLiteralString(t *testing.T) {
	for _, text := range literals {
		l := readLiteral(t, text)
		if got := l.String(); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestCodeWithOtherLiterals(t *testing.T) {
	tests := []struct{ text, want string }{
		{"f(1)", "f(-5)"},
		{"1 .real", "(-5) .real"},
		{"x[1]", "x[-5]"},
		{"1 ** n", "(-5) ** n"},
		{"n - 1", "n - -5"},
		{"f(x=1)", "f(x=-5)"},
		{"[n for n in 1]", "[n for n in -5]"},
		{"f'{1}' + g(1)", "f'{1}' + g(-5)"},
		{"a, b = 1", "a, b = -5"},
		{"@d(1)\ndef f(n=1): return 1", "@d(1)\ndef f(n=1): return 1"},
	}
	for _, test := range tests {
		m, ok := parse(test.text)
		if !ok {
			t.Fatalf("%q is no Python", test.text)
		}
		c := newCode(m.text, m.body[0])
		for i := range c.holes {
			c = c.with(i, literal{kind: intLiteral, n: -5})
		}
		if got := c.String(); got != test.want {
			t.Errorf("%s became %s, want %s", test.text, got, test.want)
		}
	}
}
