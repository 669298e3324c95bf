package behaviour

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/sandbox"
	"codelinter/source"
)

// An answer may behave differently when it is judged, or be wrong only where no
// call leads:
//
//	def f(a):
//	    if a % 9973 == 7 and a > 5000:
//	        return 0
//	    return a + 1
//
// No set of calls finds all such places. But code that did not run was not
// compared, and coverage shows which code that is: here the first return and the
// second condition. So the calls' coverage of the answer is measured. An answer
// with an unreached part does not pass, unless the program has the same part and it
// was not reached there either.

// A shape has the lines and jumps that CPython's compiler made of a layout. They
// are what can be reached.
type shape struct {
	lines []int // that have code, ascending
	jumps []jump
}

// A jump is a conditional jump, on the truth of an expression or on its being None.
type jump struct {
	code, offset int // as sandbox.Branch has them
	kind         sandbox.JumpKind
	at           ast.Range // of the expression
	operand      ast.Range // of the operand that is compared with None
}

// afterJump is the distance in bytes from a conditional jump of CPython 3.13 to the
// next instruction: two bytes of the jump and two of its cache.
const afterJump = 4

// shapeOf returns the shape of the layout that a run reported, or nil if the run
// reported none.
func (l *layout) shapeOf(of *sandbox.Coverage) *shape {
	if of == nil || of.Shape == nil || len(of.Shape.Lines) == 0 {
		return nil
	}
	s := &shape{lines: of.Shape.Lines}
	ok := true
	place := func(p sandbox.Place) ast.Range {
		if p.Line < 1 || p.LastLine < p.Line || p.LastLine > l.file.Lines() {
			ok = false
			return ast.Range{}
		}
		return ast.Range{Start: l.in(l.file.LineStart(p.Line) + int32(p.Column)), End: l.in(l.file.LineStart(p.LastLine) + int32(p.LastColumn))}
	}
	for _, j := range of.Shape.Jumps {
		s.jumps = append(s.jumps, jump{j.Code, j.Offset, j.Kind, place(j.At), place(j.Operand)})
	}
	if !ok {
		return nil
	}
	return s
}

// A reached has the lines and jumps of a layout that runs reached.
type reached struct {
	lines map[int]bool
	ways  map[[3]int]bool // code, offset of a jump, and 1 if it was taken, else 0
}

func newReached() *reached { return &reached{map[int]bool{}, map[[3]int]bool{}} }

// add adds what one call reached, and reports whether any of it is new.
func (r *reached) add(c *sandbox.Coverage) (fresh bool) {
	if c == nil {
		return false
	}
	for _, line := range c.Lines {
		fresh = fresh || !r.lines[line]
		r.lines[line] = true
	}
	for _, b := range c.Branches {
		way := [3]int{b.Code, b.Offset, 0}
		if b.Target != b.Offset+afterJump {
			way[2] = 1
		}
		fresh = fresh || !r.ways[way]
		r.ways[way] = true
	}
	return fresh
}

// addAll adds what a whole run reached.
func (r *reached) addAll(result *sandbox.Result) {
	r.add(result.Coverage)
	for i := range result.Calls {
		r.add(result.Calls[i].Coverage)
	}
	r.add(result.Finish.Coverage)
}

// A gap is a part of a layout that no call reached. Equal parts of two programs
// have equal keys, in which names that are bound once are replaced by their values.
// So n > limit is another part after limit = 3 than after limit = 4.
type gap struct {
	key   string
	at    ast.Range // in the layout
	never string    // "true" or "false": the outcome that a condition never had; "" for code that was not run
	times bool      // two copies of it are not the same as one
}

// gaps returns the parts of the layout that were not reached.
func (l *layout) gaps(s *shape, r *reached) []gap {
	g := gapFinder{layout: l, reached: r, code: make([]int, l.file.Lines()+2), run: make([]int, l.file.Lines()+2)}
	for _, line := range s.lines {
		if line < len(g.code)-1 {
			g.code[line+1]++
			if r.lines[line] {
				g.run[line+1]++
			}
		}
	}
	for i := 1; i < len(g.code); i++ {
		g.code[i] += g.code[i-1]
		g.run[i] += g.run[i-1]
	}
	g.idle = idle(l.body)
	g.inliner = newInliner(l.body, l.measure)
	g.block(l.body)
	g.conditions(s)
	for i := range g.found {
		found := &g.found[i]
		found.key = g.inliner.key(found.key, found.at.Start)
	}
	return g.found
}

type gapFinder struct {
	*layout
	reached   *reached
	code, run []int // how many of the lines before each have code, and were run
	idle      names // code[i] counts the lines before i that have code; run[i] counts those that were run
	inliner   *inliner
	loops     int // around the current statement
	found     []gap
}

// add adds a part that was not run. In a loop it is not the same part as outside.
func (g *gapFinder) add(at ast.Range, key string) {
	g.found = append(g.found, gap{key: strings.Repeat("loop ", min(g.loops, 9)) + key, at: at})
}

// rows returns the first and last line of the layout for a part of the program.
func (g *gapFinder) rows(at ast.Range) (first, last int) {
	return g.file.Row(g.out(at.Start)), g.file.Row(g.out(max(at.End-1, at.Start)))
}

// dead reports whether a part of the program has code of which nothing was run.
func (g *gapFinder) dead(at ast.Range) bool {
	first, last := g.rows(at)
	return g.code[last+1] > g.code[first] && g.run[last+1] == g.run[first]
}

// whole reports whether all code of a statement was run to its end.
func (g *gapFinder) whole(at ast.Range) bool {
	first, _ := g.rows(at)
	last := g.file.Row(g.out(at.End))
	return g.code[last+1]-g.code[first] == g.run[last+1]-g.run[first]
}

// unended reports whether a node never came to its end.
func (g *gapFinder) unended(n ast.Node) bool {
	row, known := g.ends[n]
	return known && g.code[row+1] > g.code[row] && g.run[row+1] == g.run[row]
}

func (g *gapFinder) block(body []ast.Stmt) {
	for i, s := range body {
		if value := returned(body[i:]); value != nil && !g.whole(s.Bounds()) {
			g.value("return ", value, s.Bounds())
			continue
		}
		g.statement(s)
	}
}

// returned returns the assigned value if the next statement returns the variable:
//
//	answer = a if b else c
//	return answer
func returned(body []ast.Stmt) ast.Expr {
	if len(body) < 2 {
		return nil
	}
	assign, is := body[0].(*ast.Assign)
	if !is || len(assign.Targets) != 1 {
		return nil
	}
	next, is := body[1].(*ast.Return)
	if !is {
		return nil
	}
	target, is := assign.Targets[0].(*ast.Name)
	if name, named := next.Value.(*ast.Name); !is || !named || name.ID != target.ID {
		return nil
	}
	return assign.Value
}

// statement finds the gaps in a statement. If nothing of it was run, each statement
// and each condition in it is a gap.
func (g *gapFinder) statement(s ast.Stmt) {
	at := s.Bounds()
	if first, decorated := firstDecorator(s); decorated {
		at.Start = first
	}
	if g.whole(at) {
		return
	}
	switch s := ast.Plain(s).(type) {
	case *ast.FunctionDef:
		g.function(s)
	case *ast.ClassDef:
		g.block(s.Body)
	case *ast.Return:
		g.value("return ", s.Value, at)
	case *ast.Assign:
		if g.inliner.bound[s] { // its value is checked where the variable is read
			if !g.dead(at) {
				g.expr(s.Value)
			}
			return
		}
		key := ""
		for _, target := range s.Targets {
			key += dumpOf(target) + "="
		}
		g.value(key, s.Value, at)
	case *ast.AnnAssign:
		g.value(dumpOf(s.Target)+"=", s.Value, at)
	case *ast.ExprStmt:
		if c, is := s.Value.(*ast.Constant); is && c.Type != ast.Ellipsis {
			return // a docstring
		}
		before := len(g.found)
		g.value("", s.Value, at)
		if len(g.found) > before && g.dead(at) {
			g.found[before].times = true
		}
	case *ast.For:
		g.value("for "+dumpOf(s.Target)+" in ", s.Iter, s.Iter.Bounds())
		g.loops++
		g.block(s.Body)
		g.loops--
		g.block(s.Orelse)
	case *ast.While:
		g.test(s.Test, false)
		g.loops++
		g.block(s.Body)
		g.loops--
		g.block(s.Orelse)
	case *ast.If:
		g.test(s.Test, false)
		g.block(s.Body)
		g.block(s.Orelse)
	case *ast.With:
		for _, item := range s.Items {
			g.value("with ", item.ContextExpr, item.Bounds())
		}
		g.block(s.Body)
		if last := s.Body[len(s.Body)-1]; g.unended(s) {
			g.add(last.Bounds(), "else "+dumpOf(last))
		}
	case *ast.Match:
		g.value("match ", s.Subject, s.Subject.Bounds())
		for _, c := range s.Cases {
			if c.Guard != nil {
				g.test(c.Guard, false)
			}
			g.block(c.Body)
		}
		if g.unended(s) {
			g.add(s.Subject.Bounds(), "match else "+dumpOf(s.Subject))
		}
	case *ast.Try:
		g.try(s)
	case *ast.Raise:
		g.value("raise ", s.Exc, at)
	case *ast.Assert:
		g.test(s.Test, false)
		if s.Msg != nil {
			g.value("assert ", s.Msg, s.Msg.Bounds())
		}
	case *ast.AugAssign:
		if g.dead(at) || g.unended(s.Value) {
			g.add(at, dumpOf(s))
			g.found[len(g.found)-1].times = true
		} else {
			g.children(s)
		}
	case *ast.Pass, *ast.Global, *ast.Nonlocal, *ast.Import, *ast.ImportFrom:
		// The next statement shows whether they ran.
	default:
		if g.dead(at) || g.unended(s) {
			g.add(at, dumpOf(s))
			g.found[len(g.found)-1].times = true
		} else {
			g.children(s)
		}
	}
}

func (g *gapFinder) function(f *ast.FunctionDef) {
	if (g.idle[f.Name] || g.inliner.bodies[f]) && len(f.Body) > 0 && g.dead(ast.Range{Start: f.Body[0].Bounds().Start, End: f.End}) {
		return
	}
	g.block(f.Body)
}

func (g *gapFinder) try(s *ast.Try) {
	g.block(s.Body)
	for _, h := range s.Handlers {
		if h.Type != nil {
			// A bare except becomes one of these two.
			if name, is := h.Type.(*ast.Name); !is || name.ID != "Exception" && name.ID != "BaseException" {
				g.value("except ", h.Type, h.Type.Bounds())
			}
		}
		g.block(h.Body)
	}
	if last := s.Body[len(s.Body)-1]; g.unended(s) {
		g.add(last.Bounds(), "else "+dumpOf(last))
	}
	g.block(s.Orelse)
	if len(s.FinalBody) > 0 && g.unended(s.FinalBody[0]) {
		g.add(s.Bounds(), "try finally "+dumpOf(s.FinalBody[0]))
	}
	g.block(s.FinalBody)
}

// value finds the gaps in an expression. context says how its value is used: return
// a if b else c has the gaps of return a and return c.
func (g *gapFinder) value(context string, e ast.Expr, at ast.Range) {
	switch {
	case e == nil || isNone(e):
		if g.dead(at) {
			g.add(at, context+"None")
		}
	case g.dead(e.Bounds()):
		g.add(e.Bounds(), context+dumpOf(e))
	default:
		before := len(g.found)
		if choice, is := e.(*ast.IfExp); !is {
			g.children(e)
		} else if isOutcome(choice) { // its condition says it all
			g.expr(choice.Test)
		} else {
			g.value(context, choice.Body, choice.Body.Bounds())
			g.expr(choice.Test)
			g.value(context, choice.Orelse, choice.Orelse.Bounds())
		}
		if g.unended(e) && len(g.found) == before {
			g.add(e.Bounds(), context+dumpOf(e))
		}
	}
}

// test finds the gaps in a condition. In a condition that was never evaluated, each operand is a
// gap. The gap's key has the operand's outcome that makes the condition true; false if turned.
func (g *gapFinder) test(e ast.Expr, turned bool) {
	if e = unwrapped(e); g.dead(e.Bounds()) || g.unended(e) {
		g.eachOperand(e, turned, 0, func(operand ast.Expr, turned bool) {
			key, negated := condition(operand)
			g.add(operand.Bounds(), fmt.Sprintf("if %t %s", turned == negated, key))
		})
		return
	}
	g.children(e)
}

// eachOperand calls f for each operand of a condition, and says whether the operand
// is negated. depth is the number of names that were replaced by their values so
// far.
func (g *gapFinder) eachOperand(e ast.Expr, turned bool, depth int, f func(operand ast.Expr, turned bool)) {
	e = unwrapped(e)
	switch n := e.(type) {
	case *ast.BoolOp:
		for _, value := range n.Values {
			g.eachOperand(value, turned, depth, f)
		}
		return
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			g.eachOperand(n.Operand, !turned, depth, f)
			return
		}
	case *ast.Name:
		if value := g.inliner.value(n); value != nil && depth < inlineRuns {
			g.eachOperand(value, turned, depth+1, f)
			return
		}
	}
	f(e, turned)
}

// unwrapped returns a for True if a else False, which a layout may have made of a.
func unwrapped(e ast.Expr) ast.Expr {
	if choice, is := e.(*ast.IfExp); is && isOutcome(choice) && choice.Body.(*ast.Constant).Type == ast.True {
		return choice.Test
	}
	return e
}

// isOutcome reports whether the value of a conditional expression is the outcome of its
// condition, or the opposite.
func isOutcome(e *ast.IfExp) bool {
	return isTruth(e.Body) && isTruth(e.Orelse) && e.Body.(*ast.Constant).Type != e.Orelse.(*ast.Constant).Type
}

func (g *gapFinder) expr(e ast.Expr) { g.value("", e, e.Bounds()) }

// children finds the gaps in the parts of an expression.
func (g *gapFinder) children(n ast.Node) {
	if b, is := n.(*ast.BoolOp); is {
		// b is not evaluated if a is false in a and b, or true in a or b. So b has
		// the same key in a and b and in not a or not b.
		for _, value := range b.Values {
			g.test(value, b.Op == ast.Or)
		}
		return
	}
	for _, child := range ast.AppendChildren(nil, n) {
		switch child := child.(type) {
		case *ast.Comprehension:
			g.expr(child.Iter)
			for _, c := range child.Ifs {
				g.test(c, false)
			}
		case ast.Expr:
			g.expr(child)
		default:
			g.children(child)
		}
	}
}

// An outcome is what a jump decides: an expression, or one operand of and, or, or a
// chain of comparisons.
type outcome struct {
	at      ast.Range
	operand int
}

// A conditionTable has the expressions that a program's jumps are on.
type conditionTable struct {
	nodes    map[ast.Range]ast.Expr
	ofNone   map[int32]ast.Expr // comparisons with None, by the end of the left operand; its start may differ, as CPython may place a call at its method
	passed   map[ast.Range]bool // conditions for which one outcome is enough
	managers map[ast.Range]bool // of with statements: their jumps depend on whether they suppress an exception
	count    map[[3]int]int     // jumps by code and expression
}

func (g *gapFinder) conditionTable() *conditionTable {
	t := &conditionTable{map[ast.Range]ast.Expr{}, map[int32]ast.Expr{}, map[ast.Range]bool{}, map[ast.Range]bool{}, map[[3]int]int{}}
	var walker ast.Walker
	for _, s := range g.body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.WithItem:
				t.managers[n.ContextExpr.Bounds()] = true
			case *ast.Assert:
				if g.settled(n.Test) {
					t.passed[n.Test.Bounds()] = true
				}
			case ast.Expr:
				if t.nodes[n.Bounds()] == nil {
					t.nodes[n.Bounds()] = n
				}
				if c, is := n.(*ast.Compare); is && len(c.Ops) == 1 && isNone(c.Comparators[0]) {
					t.ofNone[c.Left.Bounds().End] = c
				}
			}
			return true
		})
	}
	return t
}

// outcome returns what a jump decides. ok is false for jumps of handlers and
// patterns, because lines show where these lead.
func (t *conditionTable) outcome(j *jump) (decides outcome, ok bool) {
	if j.kind >= sandbox.IfNone && t.ofNone[j.operand.End] != nil {
		j.at = t.ofNone[j.operand.End].Bounds()
	}
	decides.at = j.at
	operands := 0 // operands whose jumps have the place of the whole expression
	switch e := t.nodes[j.at].(type) {
	case nil:
		return decides, false
	case *ast.Compare:
		operands = len(e.Ops)
	case *ast.BoolOp: // its value is used
		operands = len(e.Values) - 1
	}
	if operands > 1 && !t.passed[j.at] {
		place := [3]int{j.code, int(j.at.Start), int(j.at.End)}
		decides.operand = t.count[place] % operands
		t.count[place]++
	}
	return decides, !t.passed[j.at]
}

// outcomes reports whether the expression of a jump was ever true, and ever false.
func (r *reached) outcomes(j *jump, e ast.Expr) (yes, no bool) {
	no, yes = r.ways[[3]int{j.code, j.offset, 1}], r.ways[[3]int{j.code, j.offset, 0}]
	c, is := e.(*ast.Compare)
	notNone := is && j.kind >= sandbox.IfNone && len(c.Ops) == 1 && c.Ops[0] == ast.IsNot
	if (j.kind == sandbox.IfTrue || j.kind == sandbox.IfNone) != notNone {
		yes, no = no, yes
	}
	return yes, no
}

// conditions finds the conditions that had only one outcome.
func (g *gapFinder) conditions(s *shape) {
	table := g.conditionTable()
	type seen struct{ yes, no bool }
	found := map[outcome]*seen{}
	var order []outcome
	for i := range s.jumps {
		j := s.jumps[i]
		key, ok := table.outcome(&j)
		if !ok {
			continue
		}
		if found[key] == nil {
			found[key] = &seen{}
			order = append(order, key)
		}
		yes, no := g.reached.outcomes(&j, table.nodes[key.at])
		found[key].yes = found[key].yes || yes
		found[key].no = found[key].no || no
	}
	for _, key := range order {
		if s := found[key]; !s.yes || !s.no {
			g.condition(table, key, s.yes, s.no)
		}
	}
}

// condition adds the gap of a condition that was not both true and false.
func (g *gapFinder) condition(table *conditionTable, key outcome, yes, no bool) {
	e := table.nodes[key.at]
	if table.managers[key.at] {
		if !yes && !g.dead(key.at) {
			g.found = append(g.found, gap{key: "fails with " + dumpOf(e), at: key.at})
		}
		return
	}
	if c, is := e.(*ast.Compare); is && len(c.Ops) > 1 {
		left := c.Left
		if key.operand > 0 {
			left = c.Comparators[key.operand-1]
		}
		e = &ast.Compare{Left: left, Ops: c.Ops[key.operand : key.operand+1], Comparators: c.Comparators[key.operand : key.operand+1]}
	}
	b, value := e.(*ast.BoolOp)
	if value {
		e = b.Values[key.operand]
	}
	if !yes && !no {
		if c, is := e.(*ast.Compare); !g.dead(e.Bounds()) && (!is || !g.dead(c.Comparators[0].Bounds())) {
			text, _ := condition(e)
			g.found = append(g.found, gap{key: "fails " + text, at: key.at})
		}
		return
	}
	e, turned := g.decided(e, value)
	if e == nil {
		return
	}
	text, negated := condition(e)
	if text == mainCondition {
		return
	}
	g.found = append(g.found, gap{key: fmt.Sprintf("%t %s", yes != (negated != turned), text), at: key.at, never: fmt.Sprint(!yes)})
}

// decided follows a name in a condition to its value, and there to the last
// operand. After found = a and b, if found: has the outcome of b, as a has a
// condition of its own. turned reports whether the name is true if the operand is
// false. The operand is nil if it was not evaluated, which is another gap. With
// value, an and or or whose value is used, such as a or b in (a or b) and c, is
// followed in the same way.
func (g *gapFinder) decided(e ast.Expr, value bool) (operand ast.Expr, turned bool) {
	depth := 0
	if value {
		depth = 1
	}
	for {
		switch n := e.(type) {
		case *ast.Name:
			bound := g.inliner.value(n)
			if bound == nil || depth >= inlineRuns {
				return e, turned
			}
			e = unwrapped(bound)
			depth++
			if g.dead(e.Bounds()) {
				return nil, false
			}
			continue
		case *ast.UnaryOp:
			if depth > 0 && n.Op == ast.Not {
				turned = !turned
				e = unwrapped(n.Operand)
				continue
			}
		case *ast.BoolOp:
			if depth > 0 {
				if e = unwrapped(n.Values[len(n.Values)-1]); g.dead(e.Bounds()) {
					return nil, false
				}
				continue
			}
		}
		return e, turned
	}
}

// settled reports whether a condition depends only on what functions of the program
// return for constants, as in an answer's own assert f([3, 1]) == [1, 3].
func (g *gapFinder) settled(e ast.Expr) bool {
	for name := range used(e) {
		switch name {
		case "abs", "dict", "float", "frozenset", "isinstance", "len", "list", "max", "min", "round", "set", "sorted", "sum", "tuple":
		default:
			if g.measure[name] == nil {
				return false
			}
		}
	}
	return true
}

// mainCondition is the text of __name__ == "__main__".
var mainCondition, _ = condition(&ast.Compare{
	Left: &ast.Name{ID: "__name__"}, Ops: []ast.CompareOperator{ast.Eq},
	Comparators: []ast.Expr{&ast.Constant{Type: ast.Str, Text: "__main__"}},
})

// condition returns the text of a condition. It is the same before and after the
// edits of E711 to E714 and E721, and for a negated condition; negated tells these
// apart.
func condition(e ast.Expr) (text string, negated bool) {
	switch n := e.(type) {
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			text, negated = condition(n.Operand)
			return text, !negated
		}
	case *ast.Call:
		if name, is := n.Func.(*ast.Name); is && len(n.Keywords) == 0 {
			switch {
			case name.ID == "bool" && len(n.Args) == 1:
				return condition(n.Args[0])
			case name.ID == "isinstance" && len(n.Args) == 2:
				return "type " + dumpOf(n.Args[0]) + " is " + dumpOf(n.Args[1]), false
			}
		}
	case *ast.Compare:
		if len(n.Ops) != 1 {
			break
		}
		op, left, right := n.Ops[0], n.Left, n.Comparators[0]
		switch op {
		case ast.NotEq, ast.IsNot, ast.NotIn:
			op, negated = op-1, true
		case ast.GtE: // a >= b is not a < b
			op, negated = ast.Lt, true
		case ast.Gt:
			op, left, right = ast.Lt, right, left
		case ast.LtE:
			op, left, right, negated = ast.Lt, right, left, true
		}
		if op == ast.Eq || op == ast.Is {
			if isTruth(right) || isNone(right) {
				left, right = right, left
			}
			switch {
			case isTruth(left):
				text, inner := condition(right)
				return text, inner != negated != (left.(*ast.Constant).Type == ast.False)
			case isNone(left):
				op = ast.Is
			}
			if call, is := left.(*ast.Call); is && len(call.Args) == 1 {
				if name, is := call.Func.(*ast.Name); is && name.ID == "type" {
					return "type " + dumpOf(call.Args[0]) + " is " + dumpOf(right), negated
				}
			}
		}
		return dumpOf(left) + " " + op.String() + " " + dumpOf(right), negated
	}
	return dumpOf(e), false
}

func isNone(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type == ast.None
}

func isTruth(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && (c.Type == ast.True || c.Type == ast.False)
}

func dumpOf(n ast.Node) string { return ast.Dump(n, nil, source.Newest) }

// idle returns the functions of a module's top level that nothing else mentions, so
// nobody calls them.
func idle(body []ast.Stmt) names {
	found := names{}
	for _, s := range body {
		if f, is := s.(*ast.FunctionDef); is {
			found[f.Name] = true
		}
	}
	var walker ast.Walker
	for _, s := range body {
		self := ""
		if f, is := s.(*ast.FunctionDef); is {
			self = f.Name
		}
		walker.Walk(s, func(n ast.Node) bool {
			if name, is := n.(*ast.Name); is && name.ID != self {
				delete(found, name.ID)
			}
			return true
		})
	}
	return found
}

// adopt renames the variables of the layout's tree to the other layout's names. In
// each function that both define, parameters are matched by position. Then the
// names that only one of them has are matched in order, if both have equally many.
func (l *layout) adopt(other *layout) {
	mine, theirs := definitions(l.body), definitions(other.body)
	l.measure = theirs
	inFunctions := map[ast.Node]bool{}
	for path, f := range mine {
		if of := theirs[path]; of != nil && !inFunctions[f] {
			adoptNames([]ast.Stmt{f}, []ast.Stmt{of}, parameters(f), parameters(of))
		}
		inFunctions[f] = true
	}
	defines := func(s ast.Stmt) bool { return ast.OpensScope(s) }
	adoptNames(slices.DeleteFunc(slices.Clone(l.body), defines), slices.DeleteFunc(slices.Clone(other.body), defines), nil, nil)
}

func adoptNames(mine, theirs []ast.Stmt, parameters, theirParameters []string) {
	to := map[string]string{}
	taken := names{}
	if len(parameters) == len(theirParameters) {
		for i, name := range parameters {
			to[name], taken[theirParameters[i]] = theirParameters[i], true
		}
	}
	have, had := renamable(mine), renamable(theirs)
	fresh := slices.DeleteFunc(slices.Clone(have), func(name string) bool { return to[name] != "" || slices.Contains(had, name) })
	gone := slices.DeleteFunc(had, func(name string) bool { return taken[name] || slices.Contains(have, name) })
	if len(fresh) == len(gone) {
		for i, name := range fresh {
			to[name] = gone[i]
		}
	}
	var walker ast.Walker
	for _, s := range mine {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Name:
				n.ID = cmp.Or(to[n.ID], n.ID)
			case *ast.Arg:
				n.Arg = cmp.Or(to[n.Arg], n.Arg)
			}
			return true
		})
	}
}

// renamable returns the identifiers of statements, without those that are inlined.
func renamable(body []ast.Stmt) []string {
	inlined := once(body, false, nil)
	return slices.DeleteFunc(identifiers(body), func(name string) bool { return inlined[name] != nil })
}

// parameters returns the names of the positional parameters.
func parameters(f *ast.FunctionDef) []string {
	var list []string
	for _, a := range slices.Concat(f.Args.PosOnlyArgs, f.Args.Args) {
		list = append(list, a.Arg)
	}
	return list
}

// identifiers returns the names that statements bind, in the order of the text,
// each once.
func identifiers(body []ast.Stmt) []string {
	type place struct {
		at   int32
		name string
	}
	var places []place
	var walker ast.Walker
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			if k := n.Kind(); k == ast.KindName || k == ast.KindArg {
				if name := ast.Binds(n); name != "" {
					places = append(places, place{n.Bounds().Start, name})
				}
			}
			return true
		})
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	var list []string
	known := names{}
	for _, p := range places {
		if !known[p.name] {
			known[p.name] = true
			list = append(list, p.name)
		}
	}
	return list
}
