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

// TestVary requires that whatever is drawn can be read, and is of the type of
// what it was drawn from.
func TestVary(t *testing.T) {
	v := newVarier(1, 2)
	m, _ := parse("x = ['_', 15, 'aeiou']\n")
	for _, s := range m.body {
		v.learn(s)
	}
	for _, text := range literals {
		first := readLiteral(t, text)
		l := first
		changed := 0
		for range 300 {
			next := v.vary(l)
			if next.kind == setLiteral && len(next.items) == 0 {
				l = first // set() is a call
				continue
			}
			again := readLiteral(t, next.String())
			if next.String() != again.String() || again.kind != first.kind {
				t.Fatalf("%s became %s, which is read as %s", l, next, again)
			}
			if next.String() != first.String() {
				changed++
			}
			if l = next; len(l.String()) > 300 {
				l = first
			}
		}
		if changed == 0 && first.kind != noneLiteral && text != "{}" {
			t.Errorf("%s never changed", text)
		}
	}
}

func TestVaryIsDrawnFromTheSeed(t *testing.T) {
	draw := func(seed uint64) (text string) {
		v := newVarier(seed, 0)
		for _, l := range literals {
			text += v.vary(readLiteral(t, l)).String() + "\n"
		}
		return text
	}
	if first := draw(1); draw(1) != first || draw(2) == first {
		t.Error("what is drawn does not follow from the seed")
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
