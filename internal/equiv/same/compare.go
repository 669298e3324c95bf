package same

import (
	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file writes comparisons and negations.

// literalType returns the name of a display's type, or "".
func literalType(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Tuple:
		if len(e.Elts) == 0 {
			return "tuple"
		}
	case *ast.List:
		if len(e.Elts) == 0 {
			return "list"
		}
	case *ast.Dict:
		if len(e.Keys) == 0 {
			return "dict"
		}
	case *ast.Constant:
		switch e.Type {
		case ast.Str:
			return "str"
		case ast.Bytes:
			return "bytes"
		case ast.Int:
			return "int"
		case ast.Float:
			return "float"
		case ast.Complex:
			return "complex"
		case ast.True, ast.False:
			return "bool"
		}
	}
	return ""
}

// isFree reports whether no scope of the text binds a builtin's name.
func (n *normalizer) isFree(text string) bool {
	id, known := n.IDs[text]
	if !known {
		return true
	}
	for i := range n.Symbols {
		if n.Symbols[i].Name == id {
			return false
		}
	}
	return true
}

// unary writes not. It prefers an opposite comparison: not a in b becomes a not
// in b.
func (n *normalizer) unary(in int32, e *ast.UnaryOp) {
	if e.Op != ast.Not {
		n.kind(e)
		n.op(byte(e.Op))
		n.expr(in, e.Operand)
		return
	}
	if c, is := e.Operand.(*ast.Compare); is && len(c.Ops) == 1 {
		n.comparison(in, c, true)
		return
	}
	n.op(opNegated)
	n.test(in, e.Operand)
}

func (n *normalizer) compare(in int32, c *ast.Compare) {
	if len(c.Ops) == 1 {
		n.comparison(in, c, false)
		return
	}
	n.kind(c)
	n.uint(len(c.Ops))
	n.expr(in, c.Left)
	left := c.Left
	for i, op := range c.Ops {
		n.op(byte(n.operator(in, op, left, c.Comparators[i])))
		n.expr(in, c.Comparators[i])
		left = c.Comparators[i]
	}
}

// comparison writes a comparison, or its negation.
func (n *normalizer) comparison(in int32, c *ast.Compare, negated bool) {
	left, op, right := n.oriented(in, c)
	if value, same := n.isTruth(in, left, op, right); value {
		// a == True, a is True, a != False, a is not False: a itself.
		if same != negated {
			n.expr(in, left)
		} else {
			n.unary(in, &ast.UnaryOp{Op: ast.Not, Operand: left})
		}
		return
	}
	if negated {
		switch positive, inverse := positiveOf(op); {
		case inverse:
			op = positive
		case op == ast.In:
			op = ast.NotIn
		case op == ast.Is:
			op = ast.IsNot
		default:
			n.op(opNegated)
		}
	}
	n.op(byte(ast.KindCompare))
	n.uint(1)
	n.expr(in, left)
	n.op(byte(op))
	n.expr(in, right)
}

// oriented returns a comparison's sides and operator as the normal form has them: a constant is
// on the right, as it may be evaluated later.
func (n *normalizer) oriented(in int32, c *ast.Compare) (left ast.Expr, op ast.CompareOperator, right ast.Expr) {
	left, right = c.Left, c.Comparators[0]
	op = n.operator(in, c.Ops[0], left, right)
	if scope.IsConstant(left, ast.None) || scope.IsConstant(left, ast.True) || scope.IsConstant(left, ast.False) {
		switch op {
		case ast.Is, ast.IsNot:
			left, right = right, left
		case ast.Eq, ast.NotEq:
			if n.plainValues() {
				left, right = right, left
			}
		}
	}
	return left, op, right
}

// isTruth reports whether a comparison tests the truth of a bool, and whether it is true with it.
func (n *normalizer) isTruth(in int32, left ast.Expr, op ast.CompareOperator, right ast.Expr) (is, same bool) {
	truth := scope.IsConstant(right, ast.True)
	if n.literal || !truth && !scope.IsConstant(right, ast.False) {
		return false, false
	}
	switch op {
	case ast.Eq, ast.NotEq, ast.Is, ast.IsNot:
		return n.typeOf(in, left) == boolType, truth == (op == ast.Eq || op == ast.Is)
	}
	return false, false
}

// operator returns the normal form's operator for op.
func (n *normalizer) operator(in int32, op ast.CompareOperator, left, right ast.Expr) ast.CompareOperator {
	if n.literal {
		return op
	}
	switch op {
	case ast.Eq, ast.NotEq:
		if n.plainValues() && (scope.IsConstant(left, ast.None) || scope.IsConstant(right, ast.None) || n.isTypeCall(in, left) || n.isTypeCall(in, right)) ||
			n.plainTypes() && n.isType(in, left) && n.isType(in, right) {
			return op - ast.Eq + ast.Is
		}
	case ast.Is, ast.IsNot:
		// CPython has only one object for each of these ints.
		if smallInt(left) && n.typeOf(in, right) == intType || smallInt(right) && n.typeOf(in, left) == intType {
			return op - ast.Is + ast.Eq
		}
	}
	return op
}

func (n *normalizer) isTypeCall(in int32, e ast.Expr) bool {
	call, is := e.(*ast.Call)
	return is && len(call.Args) == 1 && len(call.Keywords) == 0 && n.builtinCalled(in, call) == "type"
}

// isType reports whether an expression's value is surely a type.
func (n *normalizer) isType(in int32, e ast.Expr) bool {
	if n.isTypeCall(in, e) {
		return true
	}
	name, is := e.(*ast.Name)
	if !is || !n.isBuiltinName(in, name.ID) {
		return false
	}
	switch name.ID {
	case "bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple", "type":
		return true
	}
	return false
}

// smallInt reports whether e is an int of which CPython has only one object: -5
// to 256.
func smallInt(e ast.Expr) bool {
	limit := int64(256)
	if u, is := e.(*ast.UnaryOp); is && u.Op == ast.USub {
		limit, e = 5, u.Operand
	}
	c, is := e.(*ast.Constant)
	if !is || c.Type != ast.Int {
		return false
	}
	value, ok := c.Int64()
	return ok && value <= limit
}
