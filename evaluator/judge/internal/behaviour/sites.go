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
	calls   map[string]*callsOfName
	helpers map[string]*ast.FunctionDef
	decided map[ast.Expr]*site // of conditions, and of the last operands of and and or

	// What is around the current place.
	inliner  *inliner
	function *ast.FunctionDef // which need not be called
	class    bool
	locals   names // of functions, nil in the module
	within   *site
	loops    int
	depth    int // of watched expressions
}

func (f *siteFinder) site(kind siteKind, at ast.Range, keys ...string) *site {
	s := f.add(&site{kind: kind, at: at, within: f.within, function: f.function})
	for _, key := range keys {
		// In a loop it is not the same part as outside.
		s.absent = append(s.absent, strings.Repeat("loop ", min(f.loops, 9))+f.inliner.key(key))
	}
	return s
}

func (f *siteFinder) block(body []ast.Stmt) {
	for _, s := range body {
		f.statement(s)
	}
}

// before marks a statement before it.
func (f *siteFinder) before(s ast.Stmt, key string) {
	f.site(siteEnd, s.Bounds(), key)
	f.insert(s.Bounds().Start, f.mark()+"; ")
}

// after marks a statement after it, and visits its parts.
func (f *siteFinder) after(s ast.Stmt, visit ast.Node, keys ...string) {
	end := f.site(siteEnd, s.Bounds(), keys...)
	end.counts = true
	f.insert(s.Bounds().End, "; "+f.mark())
	f.inside(end, func() {
		switch visit := visit.(type) {
		case *ast.BoolOp, *ast.IfExp, *ast.Compare:
			f.expr(visit.(ast.Expr))
		default: // not expr, as the value is not used
			f.children(visit)
		}
	})
}

// inside visits what comes to an end only if s does.
func (f *siteFinder) inside(s *site, visit func()) {
	outer := f.within
	f.within = s
	visit()
	f.within = outer
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
		if s.Test.Kind() != ast.KindConstant {
			f.test(s.Test, false)
		}
		f.loop(s.Body)
		f.block(s.Orelse)
	case *ast.If:
		truth, constant := truthOf(s.Test)
		if !constant {
			f.test(s.Test, false)
		}
		if !constant || truth {
			f.block(s.Body)
		}
		if !constant || !truth {
			f.block(s.Orelse)
		}
	case *ast.With:
		f.with(s)
	case *ast.Match:
		f.match(s)
	case *ast.Try:
		f.try(s)
	case *ast.Assert:
		f.assert(s)
	case *ast.Pass:
		f.before(s, "pass")
	case *ast.Break:
		f.before(s, "break")
	case *ast.Continue:
		f.before(s, "continue")
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

func (f *siteFinder) assign(s *ast.Assign) {
	if f.inliner.value(s.Targets[0]) == live(s.Value) { // the value is needed where the variable is read
		f.after(s, s)
		return
	}
	key := ""
	for _, target := range s.Targets {
		key += dumpOf(target) + "="
		f.children(target)
	}
	f.value(key, s.Value)
}

func (f *siteFinder) definition(s *ast.FunctionDef) {
	outer := *f
	if f.locals == nil {
		f.inliner = newInliner([]ast.Stmt{s}, f.inliner, f.helpers)
		if calls := f.calls[s.Name]; !f.class && calls.other == 0 && (f.helpers[s.Name] == s || calls.called == calls.itself) {
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
	if len(body) > 1 && ast.IsText(body[0]) {
		body = body[1:]
	}
	if at, indent, ok := f.row(body[0]); ok {
		f.site(siteEnd, body[0].Bounds())
		f.insert(at, f.mark()+"\n"+indent)
	}
}

func (f *siteFinder) loop(body []ast.Stmt) {
	f.loops++
	f.block(body)
	f.loops--
}

// with requires that the block ends, and that an exception ends it.
func (f *siteFinder) with(s *ast.With) {
	for _, item := range s.Items {
		f.value("with ", item.ContextExpr)
		f.site(siteManager, item.ContextExpr.Bounds(), "fails with "+dumpOf(item.ContextExpr))
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
		f.site(siteEnd, like.Bounds(), key)
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

func (f *siteFinder) assert(s *ast.Assert) {
	first := len(f.sites)
	f.test(s.Test, false)
	if f.settled(s.Test) {
		for _, s := range f.sites[first:] {
			s.one = true
		}
	} else if s.Msg != nil {
		f.value("assert ", s.Msg)
	}
}

// settled reports whether a condition depends only on what functions of the program return for
// constants, as in an answer's own assert f([3, 1]) == [1, 3].
func (f *siteFinder) settled(e ast.Expr) bool {
	for name := range used(e) {
		switch name {
		case "abs", "dict", "float", "frozenset", "isinstance", "len", "list", "max", "min", "round", "set", "sorted", "sum", "tuple":
		default:
			if f.calls[name] == nil || !f.calls[name].function {
				return false
			}
		}
	}
	return true
}

// value requires that an expression comes to its end. context says how its value is used: return
// a if b else c is return a and return c.
func (f *siteFinder) value(context string, e ast.Expr) {
	e = live(e)
	choice, is := e.(*ast.IfExp)
	switch {
	case is && !isOutcome(choice):
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
		end := f.site(siteEnd, e.Bounds(), key)
		number := len(f.sites) - 1
		f.depth++
		f.inside(end, func() { f.expr(e) })
		f.depth--
		f.end(e, number)
	}
}

// live returns the arm of a conditional expression that a constant chooses: CPython compiles no
// other.
func live(e ast.Expr) ast.Expr {
	for {
		choice, is := e.(*ast.IfExp)
		if !is {
			return e
		}
		truth, constant := truthOf(choice.Test)
		switch {
		case !constant:
			return e
		case truth:
			e = choice.Body
		default:
			e = choice.Orelse
		}
	}
}

// truthOf returns the truth of True, False and None.
func truthOf(e ast.Expr) (truth, ok bool) {
	c, is := e.(*ast.Constant)
	return is && c.Type == ast.True, isTruth(e) || isNone(e)
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
		// b is not evaluated if a is false in a and b, or true in a or b. So b has the same
		// key in a and b and in not a or not b.
		last := len(n.Values) - 1
		for _, value := range n.Values[:last] {
			f.outcome(value, n.Op == ast.Or, f.recordOutcome)
		}
		first := len(f.sites)
		f.value("", n.Values[last])
		if first < len(f.sites) && f.decided[n.Values[last]] == nil {
			f.decided[n.Values[last]] = f.sites[first]
		}
	case *ast.IfExp:
		if isOutcome(n) {
			f.test(n.Test, false)
		} else {
			f.value("", n)
		}
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
		return
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			f.test(n.Operand, true)
			return
		}
	case *ast.Lambda:
		f.inScope(n, func() { f.value("", n.Body) })
		return
	case *ast.JoinedStr:
		for _, value := range n.Values {
			if field, is := value.(*ast.FormattedValue); is && !showsItself(f.text, field.Value) {
				f.expr(field.Value)
			}
		}
		return
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		f.inScope(n, func() { f.comprehension(n.(ast.Expr)) })
		return
	case *ast.Call:
		if of, is := n.Func.(*ast.Attribute); is { // a method is no value
			f.expr(of.Value)
		} else {
			f.expr(n.Func)
		}
		for _, child := range ast.AppendChildren(nil, n) {
			if child != ast.Node(n.Func) {
				f.child(child)
			}
		}
		return
	}
	for _, child := range ast.AppendChildren(nil, n) {
		f.child(child)
	}
}

func (f *siteFinder) child(n ast.Node) {
	if e, is := n.(ast.Expr); is {
		f.expr(e)
	} else {
		f.children(n)
	}
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

func (f *siteFinder) comprehension(e ast.Expr) {
	first := true
	for _, child := range ast.AppendChildren(nil, e) {
		switch child := child.(type) {
		case ast.Expr:
			f.value("", child)
		case *ast.Comprehension:
			if first {
				f.expr(child.Iter)
			} else {
				f.value("", child.Iter)
			}
			first = false
			for _, c := range child.Ifs {
				f.test(c, false)
			}
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
	case *ast.IfExp:
		if isOutcome(n) {
			f.test(n.Test, turned != (n.Body.(*ast.Constant).Type == ast.False))
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
	one := func(part ast.Expr) {
		s := f.site(siteOutcome, e.Bounds(), f.operands(part, turned, 0)...)
		of, opposite := f.decidedBy(part)
		text, negated := condition(of)
		s.key, s.negated = f.inliner.key(text), negated != opposite
		if of != part {
			s.decides = f.decided[of]
		}
		f.decided[part] = s
	}
	c, chained := e.(*ast.Compare)
	if !chained {
		one(e)
		number := len(f.sites) - 1
		f.expr(e)
		record(e, number)
		return
	}
	left := c.Left
	first := len(f.sites)
	for i, op := range c.Ops {
		one(&ast.Compare{Range: ast.Range{Start: c.Start, End: c.End}, Left: left, Ops: []ast.CompareOperator{op}, Comparators: c.Comparators[i : i+1]})
		left = c.Comparators[i]
	}
	number := fmt.Sprintf("(%d", first)
	f.expr(c.Left)
	for i, operand := range c.Comparators {
		f.expr(operand)
		if i == 0 && f.movesEdge(c) {
			f.sites[first].edge = true
			f.around(c.Left, f.name+".left"+number)
			f.around(operand, f.name+".right"+number)
		}
		if len(c.Ops) > 1 {
			f.around(operand, f.name+".operand_of_chain"+number+fmt.Sprintf(", %d", i))
		}
	}
	if len(c.Ops) > 1 {
		f.around(e, f.name+".chain"+number)
	} else {
		record(e, first)
	}
	f.matters(e)
}

// movesEdge reports whether the first comparison of an answer is one of the program with another
// outcome for equal sides: a < b for a <= b. Only equal sides show it.
func (f *siteFinder) movesEdge(c *ast.Compare) bool {
	if f.known == nil || !passable(c.Left) || !passable(c.Comparators[0]) {
		return false
	}
	has := func(op ast.CompareOperator) bool {
		return f.known[dumpOf(&ast.Compare{Left: c.Left, Ops: []ast.CompareOperator{op}, Comparators: c.Comparators[:1]})]
	}
	switch op := c.Ops[0]; op {
	case ast.Lt, ast.GtE:
		return (has(ast.LtE) || has(ast.Gt)) && !has(ast.Lt) && !has(ast.GtE)
	case ast.LtE, ast.Gt:
		return (has(ast.Lt) || has(ast.GtE)) && !has(ast.LtE) && !has(ast.Gt)
	}
	return false
}

// operands returns the keys of the operands of a condition that was not evaluated.
func (f *siteFinder) operands(e ast.Expr, turned bool, depth int) (keys []string) {
	switch n := e.(type) {
	case *ast.BoolOp:
		for _, value := range n.Values {
			keys = append(keys, f.operands(value, turned, depth)...)
		}
		return keys
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			return f.operands(n.Operand, !turned, depth)
		}
	case *ast.Name:
		if value := f.inliner.value(n); value != nil && depth < inlineRuns {
			return f.operands(value, turned, depth+1)
		}
	}
	key, negated := condition(e)
	return []string{fmt.Sprintf("if %t %s", turned == negated, key)}
}

// decidedBy follows a name in a condition to its value, and there to the last operand. After
// found = a and b, if found: has the outcome of b, as a has a condition of its own. opposite
// reports whether the name is true if the operand is false.
func (f *siteFinder) decidedBy(e ast.Expr) (operand ast.Expr, opposite bool) {
	for depth := 0; depth < inlineRuns; {
		switch n := e.(type) {
		case *ast.Name:
			value := f.inliner.value(n)
			if value == nil {
				return e, opposite
			}
			e = value
			depth++
			continue
		case *ast.UnaryOp:
			if depth > 0 && n.Op == ast.Not {
				opposite = !opposite
				e = n.Operand
				continue
			}
		case *ast.BoolOp:
			if depth > 0 {
				e = n.Values[len(n.Values)-1]
				continue
			}
		}
		break
	}
	return e, opposite
}

// isOutcome reports whether the value of a conditional expression is the outcome of its
// condition, or the opposite.
func isOutcome(e *ast.IfExp) bool {
	return isTruth(e.Body) && isTruth(e.Orelse) && e.Body.(*ast.Constant).Type != e.Orelse.(*ast.Constant).Type
}

// showsItself reports whether a field of an f-string shows its text: {a=}.
func showsItself(text string, field ast.Expr) bool {
	return strings.HasPrefix(strings.TrimLeft(text[field.Bounds().End:], " \t\n)"), "=")
}

// A callsOfName says how a module reads a name.
type callsOfName struct {
	function       bool // it is a function of the module's top level
	called, itself int  // its calls; those in the function itself
	other          int  // other reads
}

// callsIn returns how a module reads its names.
func callsIn(body []ast.Stmt) map[string]*callsOfName {
	found := map[string]*callsOfName{}
	of := func(name string) *callsOfName {
		if found[name] == nil {
			found[name] = &callsOfName{}
		}
		return found[name]
	}
	functions := map[ast.Expr]bool{}
	var walker ast.Walker
	for _, s := range body {
		self := ""
		if f, is := s.(*ast.FunctionDef); is {
			self = f.Name
			of(self).function = true
		}
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef:
				of(ast.Binds(n))
			case *ast.Call:
				functions[n.Func] = true
			case *ast.Name:
				switch calls := of(n.ID); {
				case n.ID == self:
					calls.called++
					calls.itself++
				case functions[n]:
					calls.called++
				default:
					calls.other++
				}
			}
			return true
		})
	}
	return found
}
