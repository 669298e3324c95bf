package behaviour

import (
	"testing"

	"codelinter/ast"
)

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
