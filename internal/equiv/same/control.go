package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/internal/equiv/scope"
)

// This file writes conditions and the branches that they choose, so that these are the same:
//
//	if not a:       if a:          if a:           if a:
//	    f()             return x       return x        y = 1
//	else:           else:          return z        else:
//	    g()             return z                       y = 2
//	---             ---            ---             ---
//	if a:           if a:          return x \      y = 1 if a else 2
//	    g()             return x     if a else z
//	else:           return z
//	    f()
//	---             ---
//	if a:           if a and b:     if a:           if a or b:
//	    if b:           f()             f()             f()
//	        f()                     elif b:
//	                                    f()
//	---             ---
//	if a:           return bool(a)
//	    return True
//	return False
//
// A condition is evaluated once and for its truth in each of them, and the same branch runs after
// it. What follows an if, one of whose branches leaves the block, belongs to the other branch. A
// return without a value at the end of a function, and a continue at the end of a loop, do what
// happens without them.

// A tail says what follows a block's last statement.
type tail uint8

const (
	noTail       tail = iota
	functionTail      // the end of the function
	loopTail          // the next round of the loop
)

// A list is a list of statements and what follows it.
type list struct {
	body []ast.Stmt
	more *list
}

// branch writes an if with two branches. One that only returns truths is the return of a truth, or, if
// w.alike, the other way round.
func (w *writer) branch(in int32, test ast.Expr, body, orelse list, after tail) {
	test, orelse = w.joinIf(in, test, body, orelse)
	if first, second := onlyReturned(body), onlyReturned(orelse); !w.alike && w.choosesTruth(in, test, first, second) {
		w.op(byte(ast.KindReturn))
		w.truthOf(in, test, first.Type == ast.False)
		return
	}
	w.eitherWay(in, test, func(negated bool) {
		first, second := body, orelse
		if negated {
			first, second = orelse, body
		}
		w.sequence(in, first, after)
		w.end()
		w.sequence(in, second, after)
		w.end()
	}, ast.KindIf)
}

// joinIf returns the test of an if with those in its other branch that have the same body, and what is
// left of that branch: if a: f() elif b: f() is if a or b: f().
func (w *writer) joinIf(in int32, test ast.Expr, body, orelse list) (ast.Expr, list) {
	for body.more == nil {
		first, rest := orelse.next()
		for first != nil && w.naming[first] {
			first, rest = rest.next()
		}
		s, rest := w.choosing(in, first, rest, onlyReturned(body))
		if s == nil {
			break
		}
		s = merged(s)
		if !slices.EqualFunc(s.Body, body.body, func(a, b ast.Stmt) bool { return ast.Equal(a, b) }) || !rest.empty() && !scope.Leaves(s.Body) {
			break
		}
		test = &ast.BoolOp{Op: ast.Or, Values: []ast.Expr{test, s.Test}}
		orelse = list{s.Orelse, &rest}
	}
	return test, orelse
}

// choosesTruth reports whether a test chooses between True and False.
func (w *writer) choosesTruth(in int32, test ast.Expr, first, second *ast.Constant) bool {
	return isTruth(first) && isTruth(second) && first.Type != second.Type && w.asksOnce(in, test)
}

// choosing returns the if that a list begins with, or nil, and what follows it. If w.alike, a list that
// only returns True in one case and False in the other is an if whose body returns first: return a is if a:
// return True, else: return False, or if not a: return False, else: return True.
func (w *writer) choosing(in int32, statement ast.Stmt, rest list, first *ast.Constant) (*ast.If, list) {
	s, _ := statement.(*ast.If)
	if !w.alike || !isTruth(first) {
		return s, rest
	}
	var test ast.Expr
	isTrue := true // what is returned if the test holds
	if s != nil {
		then, otherwise := onlyReturned(list{body: s.Body}), onlyReturned(list{s.Orelse, &rest})
		if !isTruth(then) || !isTruth(otherwise) || then.Type == otherwise.Type {
			return s, rest
		}
		test, isTrue = s.Test, then.Type == ast.True
	} else if s, is := statement.(*ast.Return); is && rest.empty() {
		test = w.returnedTruth(in, s.Value)
	}
	if test == nil {
		return nil, rest
	}
	if isTrue != (first.Type == ast.True) {
		test = &ast.UnaryOp{Op: ast.Not, Operand: test}
	}
	second := &ast.Return{Value: &ast.Constant{Type: ast.True + ast.False - first.Type}}
	return &ast.If{Test: test, Body: []ast.Stmt{&ast.Return{Value: first}}, Orelse: []ast.Stmt{second}}, list{}
}

// returnedTruth returns the expression whose truth is the value of e for ordinary values, or nil: a for
// bool(a), a < b for itself.
func (w *writer) returnedTruth(in int32, e ast.Expr) ast.Expr {
	switch e := w.named(e).(type) {
	case *ast.Call:
		if truth := w.truthCalled(in, e); truth != nil {
			return truth
		}
	case *ast.Compare: // E712 asks for another test than value
		if slices.ContainsFunc(append([]ast.Expr{e.Left}, e.Comparators...), func(e ast.Expr) bool { return scope.IsConstant(e, ast.True) || scope.IsConstant(e, ast.False) }) {
			return nil
		}
	}
	if e = w.named(e); e == nil || e.Kind() == ast.KindConstant || !w.isBool(in, e) {
		return nil
	}
	return e
}

// named returns the value of a name that only stands for it, or e.
func (w *writer) named(e ast.Expr) ast.Expr {
	if name, is := e.(*ast.Name); is && w.inlined[name] != nil {
		return w.inlined[name]
	}
	return e
}

func returnOf(t ast.ConstantType) list { return one(&ast.Return{Value: &ast.Constant{Type: t}}) }

// onlyReturned returns the constant that is returned by the only statement of a list, or nil.
func onlyReturned(l list) *ast.Constant {
	first, rest := l.next()
	s, is := first.(*ast.Return)
	if !is || !rest.empty() {
		return nil
	}
	c, _ := s.Value.(*ast.Constant)
	return c
}

// isTruth reports whether a constant is True or False.
func isTruth(c *ast.Constant) bool { return c != nil && (c.Type == ast.True || c.Type == ast.False) }

// truthOf writes the truth of an expression as a value: bool(a), or a itself if that is a bool.
func (w *writer) truthOf(in int32, e ast.Expr, negated bool) {
	e, negated = unnegated(e, negated)
	if w.replaced(e, true, func(e ast.Expr) { w.truthOf(in, e, negated) }) {
		return
	}
	if e, negated := w.positive(in, e, negated); !negated && w.isBool(in, e) {
		w.expr(in, e)
		return
	} else if !negated {
		w.op(opTruth)
	}
	w.truth(in, e, negated)
}

// isBool reports whether the value of an expression is True or False.
func (w *writer) isBool(in int32, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return isTruth(e)
	case *ast.UnaryOp:
		return e.Op == ast.Not
	case *ast.BoolOp:
		return !slices.ContainsFunc(e.Values, func(value ast.Expr) bool { return !w.isBool(in, value) })
	case *ast.Compare:
		return w.alike || !slices.ContainsFunc(e.Ops, func(op ast.CompareOperator) bool { return op < ast.Is })
	case *ast.Call:
		switch w.builtinCalled(in, e) {
		case "all", "any", "bool", "callable", "hasattr", "isinstance", "issubclass":
			return !w.Facts.Star
		}
	}
	return false
}

// eitherWay writes a node that chooses by a test. choose writes what is chosen from, in its order or,
// if the test is negated, in the other one.
func (w *writer) eitherWay(in int32, test ast.Expr, choose func(negated bool), kind ast.Kind) {
	core, negated := unnegated(test, false)
	core = w.usual(in, core)
	_, isOpposite := w.ordered(in, core)
	write := func(e ast.Expr) {
		if e, is := w.ordered(in, e); is == isOpposite {
			w.test(in, e)
		} else {
			w.end() // no expression: what is chosen would have the other order
		}
	}
	w.op(byte(kind))
	if !w.replaced(core, true, write) {
		write(core)
	}
	choose(negated != isOpposite)
}

// unnegated removes nots, and reports whether the rest is true where e is false.
func unnegated(e ast.Expr, negated bool) (ast.Expr, bool) {
	for {
		not, is := e.(*ast.UnaryOp)
		if !is || not.Op != ast.Not {
			return e, negated
		}
		e, negated = not.Operand, !negated
	}
}

// positive is unnegated with a in b for a not in b, and a is b for a is not b.
func (w *writer) positive(in int32, e ast.Expr, negated bool) (ast.Expr, bool) {
	e, negated = unnegated(e, negated)
	e = w.usual(in, e)
	if c, is := e.(*ast.Compare); is && len(c.Ops) == 1 && (c.Ops[0] == ast.NotIn || c.Ops[0] == ast.IsNot) {
		left, op, right := oriented(c)
		return asked.Compared(left, op-1, right), !negated
	}
	return e, negated
}

// ordered returns a condition without a negation, and reports whether what it chooses from stands in the
// other order. That is so for a != b as well, which stays as it is, and for a == False and a is False. So
// what a finding may ask for in the place of a condition, such as not a for a == False, has its order.
func (w *writer) ordered(in int32, e ast.Expr) (condition ast.Expr, isOpposite bool) {
	e, isOpposite = w.positive(in, e, false)
	c, is := e.(*ast.Compare)
	if !is || len(c.Ops) != 1 {
		return e, isOpposite
	}
	left, op, right := oriented(c)
	if op <= ast.NotEq || op == ast.Is {
		isOpposite = isOpposite != (scope.IsConstant(left, ast.False) || scope.IsConstant(right, ast.False))
	}
	return e, isOpposite != (op == ast.NotEq)
}

// oriented returns a comparison's sides and operator. A singleton stands on the right of is, as it
// may be evaluated later.
func oriented(c *ast.Compare) (left ast.Expr, op ast.CompareOperator, right ast.Expr) {
	left, op, right = c.Left, c.Ops[0], c.Comparators[0]
	if (op == ast.Is || op == ast.IsNot) && (scope.IsConstant(left, ast.None) || scope.IsConstant(left, ast.True) || scope.IsConstant(left, ast.False)) {
		left, right = right, left
	}
	return left, op, right
}

// test writes an expression of which only the truth is used.
func (w *writer) test(in int32, e ast.Expr) { w.truth(in, e, false) }

// truth is test, perhaps of the negation of an expression.
func (w *writer) truth(in int32, e ast.Expr, negated bool) {
	e, negated = unnegated(e, negated)
	if w.replaced(e, true, func(e ast.Expr) { w.truth(in, e, negated) }) {
		return
	}
	e, negated = w.positive(in, e, negated)
	if call, is := e.(*ast.Call); is {
		if truth := w.truthCalled(in, call); truth != nil {
			w.truth(in, truth, negated)
			return
		}
	}
	if negated {
		w.op(opNegated)
	}
	if e, is := e.(*ast.BoolOp); is {
		w.out = ast.AppendFields(w.out, e)
		for _, value := range e.Values {
			w.test(in, value)
		}
		return
	}
	w.expr(in, e)
}

// choice writes a if test else b.
func (w *writer) choice(in int32, e *ast.IfExp) {
	first, _ := e.Body.(*ast.Constant)
	if second, _ := e.Orelse.(*ast.Constant); w.choosesTruth(in, e.Test, first, second) {
		w.truthOf(in, e.Test, first.Type == ast.False)
		return
	}
	w.eitherWay(in, e.Test, func(negated bool) {
		first, second := e.Body, e.Orelse
		if negated {
			first, second = second, first
		}
		w.expr(in, first)
		w.expr(in, second)
	}, e.Kind())
}

// sequence writes statements. What follows an if with a branch that leaves is written in the
// other branch.
func (w *writer) sequence(in int32, l list, after tail) {
	for {
		statement, rest := l.next()
		if statement == nil {
			return
		}
		l = rest
		if len(w.naming) > 0 && w.naming[statement] {
			continue
		}
		follows := after
		if !rest.empty() {
			follows = noTail
		}
		s, is := statement.(*ast.If)
		if !is {
			w.maybe(w.request.overridden[statement], func() { w.statement(in, statement, follows) })
			continue
		}
		if w.isNeverRun(in, s) {
			continue
		}
		s = merged(s)
		w.redefine(in, s.Body)
		w.redefine(in, s.Orelse)
		first, second := list{body: s.Body}, list{body: s.Orelse}
		if in != 0 && !rest.empty() && scope.Leaves(s.Body) != scope.Leaves(s.Orelse) {
			if scope.Leaves(s.Body) {
				second.more = &rest
			} else {
				first.more = &rest
			}
			w.branch(in, s.Test, first, second, after)
			return
		}
		w.branch(in, s.Test, first, second, follows)
	}
}

// merged returns an if with the tests of those that are all of its body: if a: if b: c is if a and
// b: c.
func merged(s *ast.If) *ast.If {
	tests := s
	for len(s.Body) == 1 && len(s.Orelse) == 0 {
		inner, is := s.Body[0].(*ast.If)
		if !is || len(inner.Orelse) > 0 {
			break
		}
		if tests == s {
			tests = &ast.If{Test: &ast.BoolOp{Op: ast.And, Values: operands(nil, ast.And, s.Test)}}
		}
		all := tests.Test.(*ast.BoolOp)
		all.Values = operands(all.Values, ast.And, inner.Test)
		s = inner
	}
	if tests == s {
		return s
	}
	tests.Body = s.Body
	return tests
}

// operands appends a of a, and a, b and c of a and (b and c), if op is and.
func operands(list []ast.Expr, op ast.BoolOperator, test ast.Expr) []ast.Expr {
	if !isOp(test, op) {
		return append(list, test)
	}
	for _, value := range test.(*ast.BoolOp).Values {
		list = operands(list, op, value)
	}
	return list
}

func isOp(e ast.Expr, op ast.BoolOperator) bool {
	b, is := e.(*ast.BoolOp)
	return is && b.Op == op
}

// next returns the first statement of a list, or nil, and those after it.
func (l list) next() (ast.Stmt, list) {
	for len(l.body) == 0 && l.more != nil {
		l = *l.more
	}
	if len(l.body) == 0 {
		return nil, l
	}
	return l.body[0], list{l.body[1:], l.more}
}

// empty reports whether a list has no statements.
func (l list) empty() bool {
	first, _ := l.next()
	return first == nil
}

// inline has values that are only named written where their names are read.
func (w *writer) inline() {
	for i := range w.Named {
		n := &w.Named[i]
		if n.Symbol < 0 || w.Symbols[n.Symbol].Scope != n.Scope || !w.OnlyNames(n.Symbol) || w.sees(n.Symbol) || w.view.lines {
			continue
		}
		if slices.ContainsFunc(n.Between, func(s ast.Stmt) bool { return scope.IsBare(s) && !w.pure(n.Scope, s.(*ast.ExprStmt).Value) }) {
			continue
		}
		if raise, is := n.Next.(*ast.Raise); is && n.Value.Kind() != ast.KindConstant {
			class := raise.Exc.(*ast.Call).Func.(*ast.Name).ID
			if at := w.Lookup(n.Scope, class); !w.isBuiltinName(n.Scope, class) && !(at >= 0 && w.isSure(at)) {
				continue
			}
		}
		w.inlined[n.Read] = n.Value
		w.naming[n.Statement] = true
	}
}
