package asked

import (
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
	"codelinter/rule"
)

// An Undone is a rule of expressions, applied backwards: a comparison before its edit.
type Undone struct {
	Code rule.Code
	// Operator replaces the comparison's operator: "==" for a is None.
	Operator string
}

// inverses are the rules of expressions that change only an operator.
var inverses = lazy.Value[[]inverse]{Make: func() (list []inverse) {
	for i := range rules {
		r := &rules[i]
		if r.Edit != Replace {
			continue
		}
		left, operator, right := cut(r.From)
		for _, to := range r.To {
			// "a == None" and "a is None" differ only in the operator, "None == a" and "a is
			// None" do not.
			if l, _, other := cut(to); l == left && other == right {
				list = append(list, inverse{r.Code, parse(to).(*ast.Compare), operator})
			}
		}
	}
	return list
}}

type inverse struct {
	code     rule.Code
	to       *ast.Compare
	operator string
}

// cut splits a template of a comparison.
func cut(template string) (left, operator, right string) {
	words := strings.Fields(template)
	return words[0], strings.Join(words[1:len(words)-1], " "), words[len(words)-1]
}

// Undo returns the comparisons from which an edit may have made c. Their findings also need
// certain operands: types on both sides for E721, a literal on one side for F632.
func Undo(c *ast.Compare) (list []Undone) {
	for _, i := range inverses.Get() {
		if !matches(i.to, c, map[string]ast.Expr{}) {
			continue
		}
		switch i.code {
		case rule.E721:
			if !isTypeCall(c.Left) && !isTypeCall(c.Comparators[0]) {
				continue
			}
		case rule.F632:
			if !isLiteral(c.Left) && !isLiteral(c.Comparators[0]) {
				continue
			}
		}
		list = append(list, Undone{i.code, i.operator})
	}
	return list
}

// isLiteral reports whether an expression is a text, bytes or a number.
func isLiteral(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type >= ast.Str
}
