package asked

import (
	"codelinter/ast"
	"codelinter/rule"
)

// An Undone is a rule of comparisons, applied backwards: a comparison before its edit.
type Undone struct {
	Code rule.Code
	// Operator replaces the comparison's operator: "==" for a is None.
	Operator string
}

// spellings has the operators of the rules.
var spellings = [...]string{ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is", ast.IsNot: "is not"}

// Undo returns the comparisons from which an edit may have made c. Their findings also need
// certain operands: types on both sides for E721, a literal on one side for F632.
func Undo(c *ast.Compare) (list []Undone) {
	if len(c.Ops) != 1 {
		return nil
	}
	for i := range rules {
		r := &rules[i]
		if r.Edit == Replace && r.To == c.Ops[0] && (r.isAbout(c.Left) || r.isAbout(c.Comparators[0])) {
			list = append(list, Undone{r.Code, spellings[r.From]})
		}
	}
	return list
}

// isAbout reports whether the rule is about comparisons with an expression on one side.
func (r *Rule) isAbout(e ast.Expr) bool {
	switch r.Code {
	case rule.E721:
		return isTypeCall(e)
	case rule.F632:
		return isLiteral(e)
	}
	return isConstant(e, r.Constant)
}

// isLiteral reports whether an expression is a text, bytes or a number.
func isLiteral(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type >= ast.Str
}
