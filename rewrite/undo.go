package rewrite

import (
	"strings"
	"sync"

	"codelinter/ast"
	"codelinter/rule"
)

// An Undone is a rule of expressions read from right to left: what a comparison was before its
// edit.
type Undone struct {
	Code rule.Code
	// Operator takes the place of the comparison's own: "==" for a is None.
	Operator string
}

// inverses are the rules of expressions whose edit changes an operator and nothing else.
var inverses = sync.OnceValue(func() (list []inverse) {
	for i := range rules {
		r := &rules[i]
		if r.Edit != Replace {
			continue
		}
		left, operator, right := cut(r.From)
		for _, to := range r.To {
			// "a == None" and "a is None" differ by the operator alone; "None == a" and "a is None"
			// do not.
			if l, _, other := cut(to); l == left && other == right {
				list = append(list, inverse{r.Code, parse(to).(*ast.Compare), operator})
			}
		}
	}
	return list
})

type inverse struct {
	code     rule.Code
	to       *ast.Compare
	operator string
}

// cut parts a template of a comparison.
func cut(template string) (left, operator, right string) {
	words := strings.Fields(template)
	return words[0], strings.Join(words[1:len(words)-1], " "), words[len(words)-1]
}

// Undo returns what a comparison may have been before an edit that a finding asked for. The
// finding comes back where its code is about such operands: E721 where both sides are types, F632
// where one is a literal.
func Undo(c *ast.Compare) (list []Undone) {
	for _, i := range inverses() {
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
