package behaviour

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator"
)

// Calls that reach all code may still not show what it does:
//
//	odd = len(str(n)[16:17])     # 0 in every call
//	text = text[:6000]           # always text
//	return int(float(total))     # always total
//
// So a change of what only one of the two programs has must be told by the calls. In an answer, a new
// expression becomes one of its operands, or the program's from which it differs in one part. A condition
// becomes True and False, a constant another one. In the program, statements and conditions that the answer
// dropped are changed so. A new expression that has one value in all calls is not told either.
//
// Instead of a call that tells, it is enough that the two expressions have two values in some call. A
// new expression may also stand for one that only the program has and of which the calls show as little:
// list(a) for [b for b in a].

// maxOperands bounds the operands of an expression, with the operands of these.
const maxOperands = 12

// vouch requires that the calls of sessions show what the new expressions of a watched answer do.
func (p *Plan) vouch(ctx context.Context, a *subject, w *watch, sessions []*session) (Verdict, error) {
	idle, err := p.idleValues(ctx, a, w, sessions)
	if err != nil {
		return Verdict{}, err
	}
	if len(idle) > 0 {
		own := texts(w.module)
		for _, m := range p.programs() {
			program := p.newWatch(m, m, own, true)
			if err := p.runWatch(ctx, program, sessions, a.apart); err != nil {
				return Verdict{}, err
			}
			dropped, err := p.idleValues(ctx, newSubject(m.text, nil), program, sessions)
			if err != nil {
				return Verdict{}, err
			}
			idle = withoutPartners(idle, dropped)
		}
	}
	if len(idle) == 0 {
		return p.vouchChanges(ctx, a, w, sessions)
	}
	s := idle[0]
	v := unknown("unreached", "no call was found for which %s is not %s", a.module.quote(s.expr), s.constant)
	if s.same != nil {
		v = unknown("unreached", "no call was found that tells %s from %s", a.module.quote(s.expr), a.module.quote(s.same))
	}
	v.Reasons[0].Line = a.module.line(s.at.Start)
	return v, nil
}

// idleValues returns the values of which the calls do not show what they do: there was one only, or an operand
// may stand in their place.
func (p *Plan) idleValues(ctx context.Context, a *subject, w *watch, sessions []*session) (list []*site, err error) {
	tried := 0
	for _, s := range w.sites {
		if s.kind != siteValue || !s.yes {
			continue
		}
		idle := s.isConstant()
		for i := 0; i < len(s.operands) && !idle; i++ {
			told := false
			if tried++; tried <= maxChanges {
				if told, err = p.tellsChange(ctx, sessions, a, w.instead(s.expr, s.operands[i])); err != nil {
					return nil, err
				}
			}
			if idle = !told; idle {
				s.same = s.operands[i]
			}
		}
		if idle {
			list = append(list, s)
		}
	}
	return list, nil
}

// instead returns the change that puts one of its operands in the place of an expression.
func (m *module) instead(e, operand ast.Expr) change {
	return change{at: e.Bounds(), text: "(" + m.text[operand.Bounds().Start:operand.Bounds().End] + ")", shown: m.quote(operand)}
}

// maxChanges bounds the changes of an answer that are tried, as each takes a run.
const maxChanges = 60

// A change puts another text in the place of a part of a program.
type change struct {
	at    ast.Range
	text  string
	shown string // the program's text in its place, for people, or ""

	condition ast.Expr // of a condition that is made constant
	truth     bool     // then: what it always is, without its negations
}

// vouchChanges requires that the calls show what an answer dropped, and what only it has: with another
// text in its place, the program or the answer must do something else. The outcome of a condition may
// stand for one that only the program has, and of which the calls show nothing either.
func (p *Plan) vouchChanges(ctx context.Context, a *subject, w *watch, sessions []*session) (Verdict, error) {
	if callsOfSuper(a.module) < callsOfSuper(p.reference.module) {
		return unknown("unreached", "no call was found that shows what super() does in the program, and the answer has fewer"), nil
	}
	changes := slices.Concat(p.restored(w.module), p.changedConstants(w.module), changedConditions(w.conditionsBeside(p.sites...)))
	added, err := idleChanges(changes, func(c change) (bool, error) {
		return p.tellsChange(ctx, sessions, a, c)
	})
	if err != nil {
		return Verdict{}, err
	}
	conditions, err := p.droppedConditions(ctx, a, w, sessions[:1])
	if err != nil {
		return Verdict{}, err
	}
	changes = append(p.droppedCalls(a.module), changedConditions(conditions)...)
	dropped, err := idleChanges(changes, func(c change) (bool, error) { return p.isShown(ctx, c) })
	if err != nil {
		return Verdict{}, err
	}
	added = slices.DeleteFunc(added, func(c change) bool {
		i := slices.IndexFunc(dropped, c.standsFor)
		if i >= 0 {
			dropped = slices.Delete(dropped, i, i+1)
		}
		return i >= 0
	})
	switch {
	case len(added) > 0:
		v := unknown("unreached", "no call was found that tells %s from %s", a.module.textAt(added[0].at), cmp.Or(added[0].shown, clip(added[0].text)+" in its place"))
		v.Reasons[0].Line = a.module.line(added[0].at.Start)
		return v, nil
	case len(dropped) > 0:
		return unknown("unreached", "no call was found that shows what %s does in the program, and the answer has no such", p.reference.module.textAt(dropped[0].at)), nil
	}
	return Verdict{Outcome: evaluator.Pass}, nil
}

// callsOfSuper counts the calls of super. In a class with other bases, which no call has, they run other
// methods than the text says.
func callsOfSuper(m *module) (n int) {
	each(m.body, func(node ast.Node) bool {
		if call, is := node.(*ast.Call); is && ast.CalledName(call) == "super" {
			n++
		}
		return true
	})
	return n
}

// idleChanges returns the changes that no call tells. It tries maxChanges; none tells the next one.
func idleChanges(changes []change, isTold func(change) (bool, error)) (idle []change, err error) {
	for i, c := range changes {
		if i == maxChanges {
			return append(idle, c), nil
		}
		told, err := isTold(c)
		if err != nil {
			return nil, err
		}
		if !told {
			idle = append(idle, c)
		}
	}
	return idle, nil
}

// standsFor reports whether two conditions have the same outcome, and c has no constant that d lacks.
func (c change) standsFor(d change) bool {
	return c.condition != nil && d.condition != nil && c.truth == d.truth && within(constantsOf(c.condition), constantsOf(d.condition))
}

// droppedConditions returns the conditions of the first program that all others have, and an answer has not.
func (p *Plan) droppedConditions(ctx context.Context, a *subject, w *watch, sessions []*session) ([]*site, error) {
	dropped := func(first *watch) []*site {
		return slices.DeleteFunc(first.conditionsBeside(w), func(s *site) bool {
			return slices.ContainsFunc(p.sites, func(program *watch) bool { return !program.hasCondition(s.key) })
		})
	}
	if len(dropped(p.sites[0])) == 0 {
		return nil, nil
	}
	first, err := p.watchProgram(ctx, 0, sessions, a)
	if err != nil {
		return nil, err
	}
	return dropped(first), nil
}

func (w *watch) hasCondition(key string) bool {
	return slices.ContainsFunc(w.sites, func(s *site) bool { return s.kind == siteOutcome && s.key == key })
}

// of returns a program with the change.
func (c change) of(m *module) string {
	return spliced(m.text, []splice{{int(c.at.Start), int(c.at.End), c.text}})
}

// bothValues is an expression that fails if it and another have two values.
const bothValues = "(lambda a, b: a if f'{a!r}' == f'{b!r}' else 1 / 0)((%s), (%s))"

// tellsChange reports whether the calls tell the program from a change of an answer. If the change is an
// expression for another, it is enough that the two have two values, as in
//
//	if low is None or b <= low:    # or b < low
//	    low = b
//
// Then both are evaluated. This shows nothing if the answer does something else when its own is evaluated
// twice.
func (p *Plan) tellsChange(ctx context.Context, sessions []*session, a *subject, c change) (bool, error) {
	told, err := p.tells(ctx, sessions, newSubject(c.of(a.module), a.renamed))
	if err != nil || told || c.shown == "" {
		return told, err
	}
	was := a.module.text[c.at.Start:c.at.End]
	for _, other := range []string{was, c.text} {
		both := change{at: c.at, text: fmt.Sprintf(bothValues, was, other)}
		if told, err = p.tells(ctx, sessions, newSubject(both.of(a.module), a.renamed)); err != nil || told {
			return told && other != was, err
		}
	}
	return false, nil
}

// tells reports whether the calls of sessions tell the program from a changed text.
func (p *Plan) tells(ctx context.Context, sessions []*session, changed *subject) (bool, error) {
	for i, s := range sessions {
		if s.others { // its calls show nothing
			continue
		}
		c, err := p.compare(ctx, s, changed, i == 0)
		if err != nil || c.Outcome != evaluator.Pass || c.odd.Outcome != evaluator.Pass || c.strange.Outcome != evaluator.Pass {
			return true, err
		}
	}
	return false, nil
}

// conditionsBeside returns the conditions of a watched program that others do not have.
func (w *watch) conditionsBeside(others ...*watch) (list []*site) {
	for _, s := range w.sites {
		if s.kind == siteOutcome && s.expr != nil && !slices.ContainsFunc(others, func(other *watch) bool { return other.hasCondition(s.key) }) {
			list = append(list, s)
		}
	}
	return list
}

// changedConditions returns changes of the conditions that had both outcomes.
func changedConditions(conditions []*site) (list []change) {
	for _, s := range conditions {
		if s.yes && s.no {
			list = append(list, change{at: s.at, text: "False", condition: s.expr, truth: s.negated}, change{at: s.at, text: "True", condition: s.expr, truth: !s.negated})
		}
	}
	return list
}

// changedConstants returns changes of the constants that the answer has more often, in what only it has:
// of those in the place of the program's, where that has another of the type more often, and of items
// that a display of the program lacks.
//
//	mapping = dict(gz="z", bz="jx")   # the program has "j", and no call asks for "bz"
//	small = ("a", "an", "the", "or")  # the program has no "or"
func (p *Plan) changedConstants(a *module) (list []change) {
	added, replacing := addedConstants(a, p.reference.module)
	if len(added) == 0 {
		return nil
	}
	items := addedItems(a, p.reference.module)
	for _, c := range p.newConstants(a) {
		text := dumpOf(c)
		if other, ok := otherConstant(c); ok && (replacing[text] || added[text] && items[c]) {
			list = append(list, change{at: c.Range, text: other.String()})
		}
	}
	return list
}

// addedItems returns the items of displays of a that are displays of b without the item.
func addedItems(a, b *module) map[ast.Node]bool {
	known := names{}
	eachDisplay(b, func(items []ast.Node) { known[dumpsOf(items)] = true })
	added := map[ast.Node]bool{}
	eachDisplay(a, func(items []ast.Node) {
		for i, item := range items {
			added[item] = added[item] || len(items) > 1 && known[dumpsOf(slices.Concat(items[:i], items[i+1:]))]
		}
	})
	return added
}

func dumpsOf(nodes []ast.Node) (text string) {
	for _, n := range nodes {
		text += dumpOf(n) + ","
	}
	return text
}

// eachDisplay calls visit for the items of each list, tuple and set, and for the keys of each dict.
func eachDisplay(m *module, visit func(items []ast.Node)) {
	each(m.body, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.Tuple:
			list = n.Elts
		case *ast.List:
			list = n.Elts
		case *ast.Set:
			list = n.Elts
		case *ast.Dict:
			list = n.Keys
		}
		var items []ast.Node
		for _, e := range list {
			if e != nil { // it is for ** of a dict
				items = append(items, e)
			}
		}
		visit(items)
		return true
	})
}

// addedConstants returns the constants, dumped, that a has more often than b, and those of them of whose
// type b has another more often, or None.
func addedConstants(a, b *module) (added, replacing names) {
	more := map[string]int{}
	kinds := map[string]literalKind{}
	var walker ast.Walker
	for i, m := range []*module{a, b} {
		for _, s := range m.body {
			walker.Walk(s, func(n ast.Node) bool {
				if c, is := n.(*ast.Constant); is {
					value, _ := constant(c)
					text := dumpOf(c)
					kinds[text] = value.kind
					more[text] += 1 - 2*i
				}
				return true
			})
		}
	}
	dropped := map[literalKind]bool{}
	for text, n := range more {
		dropped[kinds[text]] = dropped[kinds[text]] || n < 0
	}
	added, replacing = names{}, names{}
	for text, n := range more {
		if n > 0 {
			added[text] = true
		}
		if n > 0 && (dropped[kinds[text]] || dropped[noneLiteral]) {
			replacing[text] = true
		}
	}
	return added, replacing
}

// newConstants returns the constants in what only an answer has. It leaves out docstrings and the texts of
// f-strings.
func (p *Plan) newConstants(a *module) (list []*ast.Constant) {
	p.eachNew(a, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Constant:
			list = append(list, n)
		case *ast.JoinedStr, *ast.TemplateStr:
			return false
		case *ast.ExprStmt:
			return n.Value.Kind() != ast.KindConstant
		}
		return true
	})
	return list
}

// eachNew visits an answer's functions and classes that the calls may run, but annotations, and what is in
// statements and expressions that a program has.
func (p *Plan) eachNew(a *module, visit func(ast.Node) bool) {
	common := p.parts().texts
	live := names{} // what the programs bind, and what that uses
	for _, m := range p.programs() {
		live = union(live, bound(m.body, true))
	}
	isLive := func(s ast.Stmt) bool { return ast.OpensScope(s) && live[ast.Binds(s)] }
	for known := 0; known < len(live); {
		known = len(live)
		for _, s := range a.body {
			if isLive(s) {
				live = union(live, used(s))
			}
		}
	}
	hints := map[ast.Node]bool{}
	var walker ast.Walker
	for _, s := range a.body {
		if !isLive(s) {
			continue
		}
		walker.Walk(s, func(n ast.Node) bool {
			if hints[n] || !visit(n) {
				return false
			}
			switch n := n.(type) {
			case *ast.Arg:
				return false
			case *ast.AnnAssign:
				hints[n.Annotation] = true
			case ast.Stmt:
				if f, is := ast.Plain(n).(*ast.FunctionDef); is {
					hints[f.Returns] = true
				}
			}
			switch n.(type) {
			case ast.Stmt, ast.Expr:
				return !common[dumpOf(n)]
			}
			return true
		})
	}
}

// droppedCalls returns changes of the statements that an answer dropped: calls, and other expressions in
// the body of try.
func (p *Plan) droppedCalls(answer *module) (list []change) {
	left := expressions(answer)
	if p.other != nil {
		for name, more := range expressions(p.other.module) {
			left[name] = append(left[name], more...)
		}
	}
	mine := expressions(p.reference.module)
	for _, name := range sortedKeys(mine) {
		if len(mine[name]) <= len(left[name]) {
			continue
		}
		for _, s := range mine[name] {
			if !slices.ContainsFunc(left[name], func(other ast.Stmt) bool { return dumpOf(other) == dumpOf(s) }) {
				list = append(list, change{at: s.Bounds(), text: "pass"})
			}
		}
	}
	return list
}

// expressions returns the expressions that are statements of functions: calls by the names of what is
// called, and by "" others but constants of the bodies of try, as in
//
//	try:
//	    a[:0]
//	except TypeError:
func expressions(m *module) map[string][]ast.Stmt {
	found := map[string][]ast.Stmt{}
	var walker ast.Walker
	for _, s := range m.body {
		if !ast.OpensScope(s) {
			continue
		}
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				if call, is := n.Value.(*ast.Call); is {
					found[lastName(call.Func)] = append(found[lastName(call.Func)], n)
				}
			case *ast.Try:
				for _, s := range n.Body {
					if e, is := s.(*ast.ExprStmt); is && e.Value.Kind() != ast.KindCall && e.Value.Kind() != ast.KindConstant {
						found[""] = append(found[""], e)
					}
				}
			}
			return true
		})
	}
	return found
}

// isShown reports whether the plan's calls tell the program from a change of it.
func (p *Plan) isShown(ctx context.Context, c change) (bool, error) {
	p.mu.Lock()
	shown, known := p.shown[c]
	p.mu.Unlock()
	if known {
		return shown, nil
	}
	shown, err := p.tells(ctx, p.sessions, newSubject(c.of(p.reference.module), nil))
	if err != nil {
		return false, err
	}
	p.mu.Lock()
	p.shown[c] = shown
	p.mu.Unlock()
	return shown, nil
}

// line returns the row of an offset.
func (m *module) line(at int32) int { return strings.Count(m.text[:at], "\n") + 1 }

// quote returns the text of a node, for people.
func (m *module) quote(n ast.Node) string { return m.textAt(n.Bounds()) }

func (m *module) textAt(at ast.Range) string {
	return clip(strings.Join(strings.Fields(m.text[at.Start:at.End]), " "))
}

// withoutPartners drops the sites in whose place a program has a dropped expression that shows
// the same. The new expression must not have a constant that the dropped one lacks.
func withoutPartners(sites, dropped []*site) []*site {
	return slices.DeleteFunc(sites, func(s *site) bool {
		i := slices.IndexFunc(dropped, func(d *site) bool {
			return (s.same != nil) == (d.same != nil) && (s.same != nil || s.constant == d.constant) && within(constantsOf(s.expr), constantsOf(d.expr))
		})
		if i >= 0 {
			dropped = slices.Delete(dropped, i, i+1)
		}
		return i >= 0
	})
}

// constantsOf returns the constants in an expression.
func constantsOf(e ast.Expr) names {
	found := names{}
	ast.Inspect(e, func(n ast.Node) bool {
		if c, is := n.(*ast.Constant); is {
			found[dumpOf(c)] = true
		}
		return true
	})
	return found
}

func within(a, b names) bool {
	for name := range a {
		if !b[name] {
			return false
		}
	}
	return true
}

// texts returns the statements and expressions of programs, dumped.
func texts(programs ...*module) names {
	found := names{}
	var walker ast.Walker
	for _, m := range programs {
		for _, s := range m.body {
			walker.Walk(s, func(n ast.Node) bool {
				switch n.(type) {
				case ast.Stmt, ast.Expr:
					found[dumpOf(n)] = true
				}
				return true
			})
		}
	}
	return found
}

// matters requires that a value is seen to matter, if it is new and is computed from a variable.
func (f *siteFinder) matters(e ast.Expr) {
	operands, is := f.computes(e)
	if !is || f.locals == nil || f.known == nil || !f.all && !f.locals.hasAny(used(e)) || f.known[dumpOf(e)] {
		return
	}
	for i := 0; i < len(operands) && len(operands) < maxOperands; i++ { // int(float(a)) may be a
		inner, _ := f.computes(operands[i])
		operands = append(operands, inner...)
	}
	if e == f.raised {
		operands = nil // an exception is none of the texts that it is made of
	}
	operands = slices.DeleteFunc(operands, func(o ast.Expr) bool { return o.Kind() == ast.KindConstant || !passable(o) })
	f.add(&site{kind: siteValue, at: e.Bounds(), expr: e, operands: operands})
	f.around(e, f.call("value"))
}

// computes returns the operands of an expression that computes a value. ok is false for others:
// names, constants, displays, and what decides by a condition.
func (f *siteFinder) computes(e ast.Expr) (operands []ast.Expr, ok bool) {
	switch e := e.(type) {
	case *ast.BinOp:
		operands = []ast.Expr{e.Left, e.Right}
	case *ast.UnaryOp:
		if e.Op == ast.Not {
			return nil, f.all
		}
		operands = []ast.Expr{e.Operand}
	case *ast.Attribute:
		if e.Ctx != ast.Load {
			return nil, false
		}
		operands = []ast.Expr{e.Value}
	case *ast.Subscript:
		if e.Ctx != ast.Load {
			return nil, false
		}
		operands = []ast.Expr{e.Value, e.Slice}
	case *ast.Call:
		if ast.CalledName(e) == "bool" && len(e.Args) == 1 && slices.Contains([]ast.Kind{ast.KindCompare, ast.KindBoolOp}, e.Args[0].Kind()) {
			return nil, f.all // the truth of a condition
		}
		if of, is := e.Func.(*ast.Attribute); is {
			operands = append(operands, of.Value)
		}
		operands = append(operands, e.Args...)
		for _, k := range e.Keywords {
			operands = append(operands, k.Value)
		}
	case *ast.JoinedStr:
		operands = f.fields(e)
	case *ast.ListComp:
		operands = []ast.Expr{e.Generators[0].Iter}
	case *ast.SetComp:
		operands = []ast.Expr{e.Generators[0].Iter}
	case *ast.DictComp:
		operands = []ast.Expr{e.Generators[0].Iter}
	case *ast.Compare, *ast.BoolOp, *ast.IfExp:
		return nil, f.all
	default:
		return nil, false
	}
	return operands, true
}

// otherConstant returns a constant of the same type with another value. ok is false for one that
// has none.
func otherConstant(c *ast.Constant) (other literal, ok bool) {
	other, ok = constant(c)
	switch other.kind {
	case intLiteral:
		other.n++
	case boolLiteral:
		other.n ^= 1
	case floatLiteral:
		other.f = other.f*1.5 + 1
	case strLiteral:
		other.text += "x"
	default:
		ok = false
	}
	return other, ok
}
