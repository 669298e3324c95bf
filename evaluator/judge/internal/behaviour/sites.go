package behaviour

import (
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
)

// A siteFinder finds the sites of a program.
type siteFinder struct {
	*watch
	known   names // what is not new, dumped; nil: values are not watched
	all     bool
	raised  ast.Expr // by the last raise
	helpers map[string]*ast.FunctionDef

	// What is around the current place.
	inliner  *inliner
	function *ast.FunctionDef // which need not be called
	class    bool
	locals   names // of functions, nil in the module
	loops    int   // bodies of loops; in one a part is not the same as outside
	depth    int   // of watched expressions
}

func (f *siteFinder) site(kind siteKind, at ast.Node, key string) *site {
	return f.add(&site{kind: kind, at: at.Bounds(), key: f.inliner.key(key), loops: min(f.loops, 9), function: f.function})
}

func (f *siteFinder) block(body []ast.Stmt) {
	for _, s := range body {
		f.statement(s)
	}
}

func (f *siteFinder) statement(s ast.Stmt) {
	switch s := ast.Plain(s).(type) {
	case *ast.FunctionDef:
		f.definition(s)
	case *ast.ClassDef:
		outer := f.class
		f.class = true
		f.block(s.Body)
		f.class = outer
	case *ast.Return:
		f.jump(s, "return ", s.Value)
	case *ast.Raise:
		f.raised = s.Exc
		f.jump(s, "raise ", s.Exc)
		if s.Cause != nil {
			f.expr(s.Cause)
		}
	case *ast.Assign:
		f.assign(s)
	case *ast.AnnAssign:
		if s.Value != nil {
			f.value(dumpOf(s.Target)+"=", s.Value)
		}
	case *ast.ExprStmt:
		if c, is := s.Value.(*ast.Constant); !is || c.Type == ast.Ellipsis {
			f.after(s, s.Value, dumpOf(s.Value))
		}
	case *ast.AugAssign, *ast.Delete:
		f.after(s, s, dumpOf(s))
	case *ast.For:
		f.value("for "+dumpOf(s.Target)+" in ", s.Iter)
		f.loop(s.Body)
		f.block(s.Orelse)
	case *ast.While:
		f.branch(s.Test, f.loop, s.Body, s.Orelse)
	case *ast.If:
		if !f.module.neverRuns(s) {
			f.branch(s.Test, f.block, s.Body, s.Orelse)
		}
	case *ast.With:
		f.with(s)
	case *ast.Match:
		f.match(s)
	case *ast.Try:
		f.try(s)
	case *ast.Assert:
		f.assert(s)
	case *ast.Pass, *ast.Break, *ast.Continue:
		f.before(s, s.Kind().String())
	}
}

// before marks a statement before it.
func (f *siteFinder) before(s ast.Stmt, key string) {
	f.site(siteEnd, s, key)
	f.insert(s.Bounds().Start, f.mark()+"; ")
}

// neverRuns reports whether an if of the module only imports what type checkers read.
func (m *module) neverRuns(s *ast.If) bool {
	return len(s.Orelse) == 0 && m.names().TypeChecking(0, s.Test) >= 0 &&
		!slices.ContainsFunc(s.Body, func(s ast.Stmt) bool { return s.Kind() != ast.KindImport && s.Kind() != ast.KindImportFrom })
}

// after marks a statement after it, and visits its parts. The value of an expression is not used.
func (f *siteFinder) after(s ast.Stmt, parts ast.Node, key string) {
	f.site(siteEnd, s, key).counts = true
	f.insert(s.Bounds().End, "; "+f.mark())
	first := len(f.sites)
	switch e := parts.(type) {
	case *ast.BoolOp, *ast.IfExp, *ast.Compare:
		f.expr(e.(ast.Expr))
	default:
		f.children(e)
	}
	if parts.Kind() == ast.KindCompare { // nor is its outcome
		for _, unused := range f.sites[first:] {
			unused.expr = nil
		}
	}
}

// jump visits a return or a raise.
func (f *siteFinder) jump(s ast.Stmt, context string, value ast.Expr) {
	if value == nil {
		f.before(s, context+"None")
	} else {
		f.value(context, value)
	}
}

// assign visits an assignment. A value that is known by its name need not come to its end: it is
// needed where the name is read.
func (f *siteFinder) assign(s *ast.Assign) {
	if len(s.Targets) == 1 && f.inliner.value(s.Targets[0]) == live(s.Value) {
		f.after(s, s, "")
		return
	}
	key := ""
	for _, target := range s.Targets {
		key += dumpOf(target) + "="
		f.children(target)
	}
	f.value(key, s.Value)
}

func (f *siteFinder) loop(body []ast.Stmt) {
	f.loops++
	f.block(body)
	f.loops--
}

// branch visits an if or a while.
func (f *siteFinder) branch(test ast.Expr, visit func([]ast.Stmt), body, orelse []ast.Stmt) {
	first, second := chosen(test)
	if first && second {
		f.test(test, false)
	}
	if first {
		visit(body)
	}
	if second {
		f.block(orelse)
	}
}

// chosen reports which branches of a condition may run. CPython compiles none that a constant does not
// choose.
func chosen(test ast.Expr) (first, second bool) {
	c, constant := test.(*ast.Constant)
	isFalse := constant && (c.Type == ast.False || c.Type == ast.None)
	return !isFalse, !constant || isFalse
}

// live returns the arm of a conditional expression that a constant chooses.
func live(e ast.Expr) ast.Expr {
	choice, is := e.(*ast.IfExp)
	if !is {
		return e
	}
	switch first, second := chosen(choice.Test); {
	case !second:
		return live(choice.Body)
	case !first:
		return live(choice.Orelse)
	}
	return e
}

// definition visits a function. One that the module only calls need not be called: where it is
// called is a part of its own.
func (f *siteFinder) definition(s *ast.FunctionDef) {
	outer := *f
	if f.locals == nil {
		f.inliner = f.newInliner(s, f.inliner, f.helpers)
		if at := f.names().Lookup(0, s.Name); !f.class && at >= 0 && !f.names().Escapes(at) {
			f.function = s
			f.begin(s.Body)
		}
	}
	f.locals = union(f.locals, bound(s.Body, true))
	for _, arg := range parametersOf(s.Args) {
		f.locals[arg.Arg] = true
	}
	f.block(s.Body)
	f.inliner, f.function, f.locals = outer.inliner, outer.function, outer.locals
}

// begin marks the beginning of a function, which may fail before anything in it ends.
func (f *siteFinder) begin(body []ast.Stmt) {
	first := withoutDoc(body)[0]
	if at, indent, ok := f.row(first); ok {
		f.site(siteEnd, first, "")
		f.insert(at, f.mark()+"\n"+indent)
	}
}

// with requires that the block ends, and that an exception ends it.
func (f *siteFinder) with(s *ast.With) {
	for _, item := range s.Items {
		f.value("with ", item.ContextExpr)
		f.site(siteEnd, item.ContextExpr, "fails with "+dumpOf(item.ContextExpr))
		f.around(item.ContextExpr, f.call("manager"))
	}
	f.block(s.Body)
	f.endOf(s.Body)
}

// endOf marks the end of a block that ends with a compound statement.
func (f *siteFinder) endOf(body []ast.Stmt) {
	last := body[len(body)-1]
	if ast.Blocks(last) == nil || ast.OpensScope(last) {
		return // it is marked itself
	}
	f.clause(last, last.Bounds().End, "", "else "+dumpOf(last), "")
}

// clause inserts a clause for the statement before, if that begins a row.
func (f *siteFinder) clause(like ast.Node, at int32, head, key, more string) {
	if _, indent, ok := f.row(like); ok {
		f.site(siteEnd, like, key)
		f.insert(at, "\n"+indent+head+f.mark()+more)
	}
}

func (f *siteFinder) match(s *ast.Match) {
	f.value("match ", s.Subject)
	for _, c := range s.Cases {
		if c.Guard != nil {
			f.test(c.Guard, false)
		}
		f.block(c.Body)
	}
	if last := s.Cases[len(s.Cases)-1]; last.Guard != nil || !takesAll(last.Pattern) {
		f.clause(last, s.End, "case _: ", "match else "+dumpOf(s.Subject), "")
	}
}

// takesAll reports whether a pattern matches everything.
func takesAll(p ast.Pattern) bool {
	switch p := p.(type) {
	case *ast.MatchAs:
		return p.Pattern == nil || takesAll(p.Pattern)
	case *ast.MatchOr:
		return slices.ContainsFunc(p.Patterns, takesAll)
	}
	return false
}

// try requires that the body ends, that each handler begins, and that finally drops an exception if
// it can.
func (f *siteFinder) try(s *ast.Try) {
	f.block(s.Body)
	f.endOf(s.Body)
	last, bare := s.Body[len(s.Body)-1], false
	for _, h := range s.Handlers {
		if h.Type != nil {
			// A bare except becomes one of these two.
			if name, is := h.Type.(*ast.Name); !is || name.ID != "Exception" && name.ID != "BaseException" {
				f.value("except ", h.Type)
			}
		}
		f.block(h.Body)
		last, bare = h.Body[len(h.Body)-1], h.Type == nil
	}
	if !bare && slices.ContainsFunc(s.FinalBody, leaves) {
		f.clause(s, last.Bounds().End, "except BaseException: ", "try finally "+dumpOf(s.FinalBody[0]), "; raise")
	}
	f.block(s.Orelse)
	f.block(s.FinalBody)
}

// leaves reports whether a statement may leave the finally clause around it.
func leaves(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Return, *ast.Break, *ast.Continue:
			found = true
		}
		return !ast.OpensScope(n)
	})
	return found
}

// assert requires both outcomes of a condition, or one if it depends only on what functions of the
// program return for constants, as in an answer's own assert f([3, 1]) == [1, 3].
func (f *siteFinder) assert(s *ast.Assert) {
	first := len(f.sites)
	f.test(s.Test, false)
	settled := !f.locals.hasAny(used(s.Test))
	for name := range used(s.Test) {
		at := f.names().Lookup(0, name)
		settled = settled && (at < 0 || f.names().Symbols[at].Function)
	}
	for _, s := range f.sites[first:] {
		s.one = s.one || settled
	}
	if s.Msg != nil && !settled {
		f.value("assert ", s.Msg)
	}
}

// value requires that an expression comes to its end. context says how its value is used: return
// a if b else c is return a and return c.
func (f *siteFinder) value(context string, e ast.Expr) {
	e = live(e)
	choice, is := e.(*ast.IfExp)
	switch {
	case is:
		f.test(choice.Test, false)
		f.value(context, choice.Body)
		f.value(context, choice.Orelse)
	case !passable(e) || f.depth >= maxWatched:
		f.expr(e)
	default:
		key := context + dumpOf(e)
		if isNone(e) { // as of a bare return
			key = context + "None"
		}
		f.site(siteEnd, e, key)
		number := len(f.sites) - 1
		f.depth++
		f.expr(e)
		f.depth--
		f.end(e, number)
	}
}

// passable reports whether an expression may be passed to a function.
func passable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Slice, *ast.Starred, *ast.GeneratorExp:
		return false
	case *ast.Tuple:
		return !slices.ContainsFunc(e.Elts, func(item ast.Expr) bool { return item.Kind() == ast.KindSlice })
	}
	return true
}

// expr visits an expression whose value is used. Outer ones come after inner ones.
func (f *siteFinder) expr(e ast.Expr) {
	switch n := e.(type) {
	case *ast.BoolOp:
		last := len(n.Values) - 1
		for _, value := range n.Values[:last] {
			f.outcome(value, n.Op == ast.Or, f.recordOutcome)
		}
		f.value("", n.Values[last])
	case *ast.IfExp:
		f.value("", n)
	case *ast.Compare:
		f.outcome(n, false, f.recordOutcome)
		return
	default:
		f.children(e)
	}
	f.matters(e)
}

// children visits the parts of an expression or a simple statement.
func (f *siteFinder) children(n ast.Node) {
	switch n := n.(type) {
	case *ast.TemplateStr, *ast.Arguments, ast.Pattern, nil:
	case *ast.Lambda:
		f.inScope(n, func() { f.value("", n.Body) })
	case *ast.JoinedStr:
		for _, field := range f.fields(n) {
			f.expr(field)
		}
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		f.inScope(n, func() { f.comprehension(n) })
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			f.test(n.Operand, true)
		} else {
			f.expr(n.Operand)
		}
	case *ast.Call:
		if of, is := n.Func.(*ast.Attribute); is { // a method is no value
			f.expr(of.Value)
		} else {
			f.expr(n.Func)
		}
		for _, child := range ast.AppendChildren(nil, n)[1:] {
			f.child(child)
		}
	default:
		for _, child := range ast.AppendChildren(nil, n) {
			f.child(child)
		}
	}
}

func (f *siteFinder) child(n ast.Node) {
	if e, is := n.(ast.Expr); is {
		f.expr(e)
	} else {
		f.children(n)
	}
}

// fields returns the values in an f-string, but for those that show their text: {a=}.
func (m *module) fields(s *ast.JoinedStr) (list []ast.Expr) {
	for _, value := range s.Values {
		if field, is := value.(*ast.FormattedValue); is && !strings.HasPrefix(strings.TrimLeft(m.text[field.Value.Bounds().End:], " \t\n)"), "=") {
			list = append(list, field.Value)
		}
	}
	return list
}

// inScope visits a part of a lambda or a comprehension.
func (f *siteFinder) inScope(n ast.Node, visit func()) {
	outer := f.locals
	if outer != nil {
		f.locals = union(outer, own(n))
	}
	visit()
	f.locals = outer
}

func (f *siteFinder) comprehension(n ast.Node) {
	visit := f.expr // of the first iterable, which belongs to the scope around
	for _, child := range ast.AppendChildren(nil, n) {
		c, is := child.(*ast.Comprehension)
		if !is {
			f.value("", child.(ast.Expr))
			continue
		}
		visit(c.Iter)
		visit = func(e ast.Expr) { f.value("", e) }
		for _, condition := range c.Ifs {
			f.test(condition, false)
		}
	}
}

// test requires both outcomes of each operand of a condition of which only the truth is used.
// turned says that the operands make the condition true if they are false.
func (f *siteFinder) test(e ast.Expr, turned bool) {
	switch n := e.(type) {
	case *ast.BoolOp:
		for _, value := range n.Values {
			f.test(value, turned)
		}
		f.matters(e)
		return
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			f.test(n.Operand, !turned)
			f.matters(e)
			return
		}
	}
	f.outcome(e, turned, f.recordTruth)
}

// outcome requires both outcomes of a condition, and of each comparison of a < b < c. record
// records the condition's.
func (f *siteFinder) outcome(e ast.Expr, turned bool, record func(e ast.Expr, site int)) {
	if f.depth >= maxWatched {
		return
	}
	f.depth++
	defer func() { f.depth-- }()
	first := len(f.sites)
	c, is := e.(*ast.Compare)
	if !is {
		f.condition(e, e, turned)
		f.expr(e)
		record(e, first)
		return
	}
	left := c.Left
	for i, op := range c.Ops {
		f.condition(e, &ast.Compare{Left: left, Ops: []ast.CompareOperator{op}, Comparators: c.Comparators[i : i+1]}, turned)
		left = c.Comparators[i]
	}
	f.expr(c.Left)
	for i, operand := range c.Comparators {
		f.expr(operand)
		if len(c.Ops) > 1 {
			f.around(operand, fmt.Sprintf("%s.operand_of_chain(%d, %d", f.name, first, i))
		}
	}
	if len(c.Ops) > 1 {
		f.around(e, fmt.Sprintf("%s.chain(%d", f.name, first))
	} else {
		record(e, first)
	}
	f.matters(e)
}

// condition adds the site of a condition at a place. A name has the outcome of the last operand of its
// value, as the operands before it have conditions of their own: found = a and b; if found.
func (f *siteFinder) condition(at, e ast.Expr, turned bool) {
	opposite, named := false, false
	for range inlineRuns {
		switch n := e.(type) {
		case *ast.Name:
			if value := f.inliner.value(n); value != nil {
				e, named = value, true
			}
		case *ast.UnaryOp:
			if named && n.Op == ast.Not {
				e, opposite = n.Operand, !opposite
			}
		case *ast.BoolOp:
			if named {
				e = n.Values[len(n.Values)-1]
			}
		}
	}
	key, negated := condition(e)
	s := f.site(siteOutcome, at, key)
	s.expr, s.negated, s.turned = at, negated != opposite, turned
	s.one = s.key == mainCondition.Get()
}
