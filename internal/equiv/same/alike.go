package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
)

// If w.alike, what does the same for ordinary values is written in one way. The operators of such
// values do what those of Python's own types do. Their comparisons give True or False, and asking
// for their truth, length and format has no effect:
//
//	if a == b: return True, else: return False    return a == b
//	if a: return True, return bool(b)             if a or b: return True, else: return False
//	bool(a and b)                                 the truth of a and b
//	0 == a                                        a == 0
//	a == 1 or a == 2, a in {1, 2}                 a in (1, 2)
//	a = a + 1                                     a += 1
//	"%s %r" % (a.b, c), "{} {}".format(a, b.c)    f"{a.b} {c!r}", f"{a} {b.c}"
//	sum([a for a in b])                           sum(a for a in b)
//
// Two texts with one stream do the same in calls with ordinary values. Whether a program meets others,
// such as arrays, is for runs to show.

// usual returns the expression by which e is written. (a or b) or c is a or b or c for all values.
func (w *writer) usual(in int32, e ast.Expr) ast.Expr {
	if b, is := e.(*ast.BoolOp); is && slices.ContainsFunc(b.Values, func(value ast.Expr) bool { return isOp(value, b.Op) }) {
		e = &ast.BoolOp{Op: b.Op, Values: operands(nil, b.Op, b)}
	}
	if !w.alike {
		return e
	}
	switch e := e.(type) {
	case *ast.Compare:
		if len(e.Ops) == 1 {
			return turned(e)
		}
	case *ast.BoolOp:
		if other := membership(e); other != nil {
			return other
		}
	case *ast.BinOp:
		if other := w.formatted(in, e); other != nil {
			return other
		}
	case *ast.FormattedValue:
		if e.Conversion == 's' && e.FormatSpec == nil {
			return &ast.FormattedValue{Value: e.Value, Conversion: -1}
		}
	case *ast.Call:
		if len(e.Args) > 0 && e.Args[0].Kind() == ast.KindListComp && w.takesItems(in, e) {
			w.taken = e.Args[0]
		}
	}
	return e
}

// turned returns a comparison with its constant on the right, and with a tuple for a list or a set of
// constants in which it searches.
func turned(e *ast.Compare) *ast.Compare {
	left, op, right := e.Left, e.Ops[0], e.Comparators[0]
	turned := [...]ast.CompareOperator{ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
	switch {
	case int(op) < len(turned) && left.Kind() == ast.KindConstant && right.Kind() != ast.KindConstant:
		return &ast.Compare{Left: right, Ops: []ast.CompareOperator{turned[op]}, Comparators: []ast.Expr{left}}
	case op == ast.In || op == ast.NotIn:
		var items []ast.Expr
		switch e := right.(type) {
		case *ast.List:
			items = e.Elts
		case *ast.Set:
			items = e.Elts
		}
		if len(items) > 0 && allConstants(items) {
			return &ast.Compare{Left: left, Ops: e.Ops, Comparators: []ast.Expr{&ast.Tuple{Elts: items}}}
		}
	}
	return e
}

// membership returns a in (1, 2) for a == 1 or a == 2, and a not in (1, 2) for a != 1 and a != 2, or nil.
func membership(e *ast.BoolOp) ast.Expr {
	one, many := ast.Eq, ast.In
	if e.Op == ast.And {
		one, many = ast.NotEq, ast.NotIn
	}
	var name ast.Expr
	items := &ast.Tuple{}
	for _, value := range e.Values {
		c, is := value.(*ast.Compare)
		if !is || len(c.Ops) != 1 {
			return nil
		}
		c = turned(c)
		item, is := c.Comparators[0].(*ast.Constant)
		if !is || item.Type < ast.Str || c.Ops[0] != one || c.Left.Kind() != ast.KindName || name != nil && !ast.Equal(name, c.Left) {
			return nil
		}
		name, items.Elts = c.Left, append(items.Elts, item)
	}
	return asked.Compared(name, many, items)
}

// takesItems reports whether a call takes the items of its first argument, and nothing else of it.
func (w *writer) takesItems(in int32, e *ast.Call) bool {
	name := w.builtinCalled(in, e)
	if method, is := e.Func.(*ast.Attribute); is && method.Value.Kind() == ast.KindConstant {
		name = method.Attr
	}
	switch name {
	case "all", "any": // they may stop early
		_, elt, _ := ast.Comprehended(e.Args[0])
		return CallsNothing(elt)
	case "dict", "frozenset", "join", "list", "max", "min", "set", "sorted", "sum", "tuple":
		return true
	}
	return false
}

// added returns a = a + 1 for a += 1, or nil.
func added(s *ast.AugAssign) *ast.Assign {
	name, is := s.Target.(*ast.Name)
	if !is || !isNumber(s.Value) || s.Op == ast.Mult { // a list may be multiplied
		return nil
	}
	return &ast.Assign{Targets: []ast.Expr{name}, Value: &ast.BinOp{Left: &ast.Name{Range: name.Range, ID: name.ID}, Op: s.Op, Right: s.Value}}
}
