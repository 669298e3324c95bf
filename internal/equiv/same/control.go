package same

import (
	"slices"

	"codelinter/ast"
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

// branch writes an if with two branches.
func (n *normalizer) branch(in int32, test ast.Expr, body, orelse list, after tail) {
	n.eitherWay(in, test, func(negated bool) {
		first, second := body, orelse
		if negated {
			first, second = orelse, body
		}
		mark := len(n.definite)
		n.sequence(in, first, after)
		n.end()
		sure := slices.Clone(n.definite[mark:])
		n.forget(mark)
		n.sequence(in, second, after)
		n.end()
		if body.more == nil && orelse.more == nil {
			n.join(mark, sure, first.body, second.body)
		} else {
			n.forget(mark) // nothing follows
		}
	}, ast.KindIf)
}

// eitherWay writes a node that chooses by a test, in each way that the test may be written.
// choose writes what is chosen from, in its order or, if negated, in the other one.
func (n *normalizer) eitherWay(in int32, test ast.Expr, choose func(negated bool), kind ast.Kind) {
	if core, negated := unnegated(test, false); len(n.edits.Expressions(core, true)) == 0 {
		condition, negated := n.condition(in, core, negated)
		n.op(byte(kind))
		n.test(in, condition)
		choose(negated)
		return
	}
	even, odd := n.conditions(in, test)
	ways := [2][]ast.Expr{even, odd}
	write := func(way int) {
		n.op(byte(kind))
		n.either(len(ways[way]), func(i int) { n.test(in, ways[way][i]) })
		choose(way == 1)
	}
	switch {
	case len(odd) == 0 || len(even) > 0 && n.doubled == maxDoubled:
		write(0)
	case len(even) == 0:
		write(1)
	default:
		n.doubled++
		n.either(2, write)
		n.doubled--
	}
}

// maxDoubled bounds how deep in each other statements are written twice.
const maxDoubled = 5

// join ends a statement with two branches: what is surely bound after one that leaves, or after
// both, is surely bound.
func (n *normalizer) join(mark int, first []int32, body, orelse []ast.Stmt) {
	second := slices.Clone(n.definite[mark:])
	n.forget(mark)
	for _, at := range first {
		if scope.Leaves(orelse) || slices.Contains(second, at) && !scope.Leaves(body) {
			n.surelyAt(at)
		}
	}
	if scope.Leaves(body) && !scope.Leaves(orelse) {
		for _, at := range second {
			n.surelyAt(at)
		}
	}
}

// conditions returns the conditions that findings ask for in place of a test, without a negation: those that are true
// where the test is, and those that are false.
func (n *normalizer) conditions(in int32, test ast.Expr) (even, odd []ast.Expr) {
	core, negated := unnegated(test, false)
	for _, e := range n.edits.Expressions(core, true) {
		if e, negated := n.condition(in, e, negated); negated {
			odd = append(odd, e)
		} else {
			even = append(even, e)
		}
	}
	return even, odd
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

// condition removes negations also from comparisons: a is not b, and a != True for a bool.
func (n *normalizer) condition(in int32, e ast.Expr, negated bool) (ast.Expr, bool) {
	for {
		e, negated = unnegated(e, negated)
		c, is := e.(*ast.Compare)
		if !is || len(c.Ops) != 1 || len(n.edits.Expressions(c, true)) > 0 {
			return e, negated
		}
		left, op, right := n.oriented(in, c)
		if value, same := n.isTruth(in, left, op, right); value {
			e = left
			negated = negated == same
			continue
		}
		positive, inverse := positiveOf(op)
		if !inverse {
			return e, negated
		}
		return &ast.Compare{Left: left, Ops: []ast.CompareOperator{positive}, Comparators: []ast.Expr{right}}, !negated
	}
}

// positiveOf returns the operator of which op is the inverse.
func positiveOf(op ast.CompareOperator) (positive ast.CompareOperator, inverse bool) {
	switch op {
	case ast.NotIn:
		return ast.In, true
	case ast.IsNot:
		return ast.Is, true
	}
	return op, false
}

// choice writes a if test else b.
func (n *normalizer) choice(in int32, e *ast.IfExp) {
	n.eitherWay(in, e.Test, func(negated bool) {
		first, second := e.Body, e.Orelse
		if negated {
			first, second = second, first
		}
		n.expr(in, first)
		n.expr(in, second)
	}, e.Kind())
}

// sequence writes statements. What follows an if with a branch that leaves is written in the
// other branch.
func (n *normalizer) sequence(in int32, l list, after tail) {
	for {
		for len(l.body) == 0 {
			if l.more == nil {
				return
			}
			l = *l.more
		}
		statement, rest := l.body[0], list{l.body[1:], l.more}
		l = rest
		if n.overridden[statement] || n.names(in, statement, &rest) {
			continue
		}
		follows := after
		if !rest.empty() {
			follows = noTail
		}
		s, is := statement.(*ast.If)
		if !is {
			n.statement(in, statement, follows)
			continue
		}
		if n.isNeverRun(in, s) {
			continue
		}
		n.prepare(in, s.Body)
		n.prepare(in, s.Orelse)
		first, second := list{body: s.Body}, list{body: s.Orelse}
		if in != 0 && !rest.empty() && scope.Leaves(s.Body) != scope.Leaves(s.Orelse) {
			if scope.Leaves(s.Body) {
				second.more = &rest
			} else {
				first.more = &rest
			}
			n.branch(in, s.Test, first, second, after)
			return
		}
		n.branch(in, s.Test, first, second, follows)
	}
}

// empty reports whether a list has no statements.
func (l *list) empty() bool { return len(l.body) == 0 && (l.more == nil || l.more.empty()) }

// prepare finds what is left out of a block.
func (n *normalizer) prepare(in int32, body []ast.Stmt) {
	n.override(in, body)
	n.redefine(in, body)
}

// names reports whether a statement only names a value that the next one reads, and has the next
// one written with the value itself.
func (n *normalizer) names(in int32, statement ast.Stmt, rest *list) bool {
	at := n.target(in, statement)
	if at < 0 || n.Symbols[at].Scope != in || !n.OnlyNames(at) || n.literal && (!n.asking || n.view.seen[at] || n.view.lines) {
		return false
	}
	n.surelyAt(at)
	next := n.next(in, rest)
	value, read := scope.NamedValue(statement, next)
	if read == nil {
		return false
	}
	if raise, is := next.(*ast.Raise); is && value.Kind() != ast.KindConstant && !n.isSteady(in, raise.Exc.(*ast.Call).Func.(*ast.Name).ID) {
		return false
	}
	n.inlined[read] = value
	return true
}

// isSteady reports whether a name is a builtin, or is bound once by the module.
func (n *normalizer) isSteady(in int32, name string) bool {
	at := n.Lookup(in, name)
	if at < 0 {
		return n.isBuiltinName(in, name)
	}
	s := &n.Symbols[at]
	return s.Scope == 0 && s.Stores == 1 && s.Dels == 0
}

// target returns the symbol that an assignment to one name binds, or -1.
func (n *normalizer) target(in int32, statement ast.Stmt) int32 {
	var target ast.Expr
	switch s := statement.(type) {
	case *ast.Assign:
		target = s.Targets[0]
	case *ast.AnnAssign:
		target = s.Target
	}
	if name, is := target.(*ast.Name); is {
		return n.Lookup(in, name.ID)
	}
	return -1
}

// next returns the first statement of a list that does anything, or nil.
func (n *normalizer) next(in int32, l *list) ast.Stmt {
	for ; l != nil; l = l.more {
		for _, s := range l.body {
			if !scope.IsIdle(s) && (n.literal || scope.BareNames(s) == nil || !n.pure(in, s.(*ast.ExprStmt).Value)) {
				return s
			}
		}
	}
	return nil
}
