package behaviour

import (
	"context"
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
// So what an answer computes and the program does not must be seen to matter: a new
// expression has two values in the calls, and a value that none of its operands has.
// Otherwise the answer could have a constant or the operand in its place, and no call would
// tell. Conditions need none of this, as they must have both outcomes.
//
// A new expression may also stand for one that only the program has and of which the calls
// show as little: list(a) for [b for b in a].

// maxOperands bounds the operands of an expression, with the operands of these.
const maxOperands = 12

// vouch requires that the calls of sessions show what the new expressions of a watched answer do.
func (p *Plan) vouch(ctx context.Context, a *subject, w *watch, sessions []*session) (Verdict, error) {
	idle := w.idleValues()
	if len(idle) == 0 {
		return p.vouchRest(ctx, a, sessions)
	}
	own := texts(a.module)
	for _, m := range p.programs() {
		program := p.newWatch(m, m, own, true)
		if err := p.runWatch(ctx, program, sessions, a.apart); err != nil {
			return Verdict{}, err
		}
		idle = withoutPartners(idle, program.idleValues())
	}
	if len(idle) == 0 {
		return p.vouchRest(ctx, a, sessions)
	}
	s := idle[0]
	v := unknown("unreached", "no call was found for which %s is not %s", a.module.quote(s.expr), s.constant)
	if len(s.same) > 0 {
		v = unknown("unreached", "no call was found that tells %s from %s", a.module.quote(s.expr), a.module.quote(s.operands[s.same[0]]))
	}
	v.Reasons[0].Line = a.module.line(s.at.Start)
	return v, nil
}

// vouchRest requires that the calls show what an answer dropped, and its new constants.
func (p *Plan) vouchRest(ctx context.Context, a *subject, sessions []*session) (Verdict, error) {
	v, err := p.vouchDropped(ctx, a.module)
	if err != nil || v.Outcome != evaluator.Pass {
		return v, err
	}
	return p.vouchConstants(ctx, a, sessions)
}

// maxConstants bounds the new constants that are tried, as each takes a run.
const maxConstants = 8

// vouchConstants requires that the calls show each constant that stands in the place of the program's:
// one that the answer has more often, in what only it has, where the program has another of its type
// more often. With one more constant in its place, the answer must do something else.
//
//	mapping = dict(gz="z", bz="jx")  # the program has "j", and no call asks for "bz"
func (p *Plan) vouchConstants(ctx context.Context, a *subject, sessions []*session) (Verdict, error) {
	replacing := replacingConstants(a.module, p.reference.module)
	if len(replacing) == 0 {
		return Verdict{Outcome: evaluator.Pass}, nil
	}
	tried := 0
	for _, c := range p.newConstants(a.module) {
		other, ok := otherConstant(c)
		if !ok || !replacing[dumpOf(c)] {
			continue
		}
		if tried++; tried > maxConstants {
			break
		}
		if told, err := p.tells(ctx, sessions, a, c, other); err != nil || !told {
			v := unknown("unreached", "no call was found that tells %s from %s in its place", a.module.quote(c), clip(other.String()))
			v.Reasons[0].Line = a.module.line(c.Start)
			return v, err
		}
	}
	return Verdict{Outcome: evaluator.Pass}, nil
}

// tells reports whether the calls of sessions tell the program from an answer with other in the place of c.
func (p *Plan) tells(ctx context.Context, sessions []*session, a *subject, c *ast.Constant, other literal) (bool, error) {
	mutant := newSubject(spliced(a.module.text, []splice{{int(c.Start), int(c.End), other.String()}}), a.renamed)
	for i, s := range sessions {
		c, err := p.compare(ctx, s, mutant, i == 0)
		if err != nil {
			return false, err
		}
		if c.Outcome != evaluator.Pass || c.odd.Outcome != evaluator.Pass || c.strange.Outcome != evaluator.Pass {
			return true, nil
		}
	}
	return false, nil
}

// replacingConstants returns the constants, dumped, that a has more often than b, where b has another of
// their type more often.
func replacingConstants(a, b *module) names {
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
	replacing := names{}
	for text, n := range more {
		if n > 0 && dropped[kinds[text]] {
			replacing[text] = true
		}
	}
	return replacing
}

// newConstants returns the constants of an answer's functions and classes that the calls may run, in
// statements and expressions that no program has. It leaves out docstrings and the texts of f-strings.
func (p *Plan) newConstants(a *module) (list []*ast.Constant) {
	common := texts(p.programs()...)
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
	var walker ast.Walker
	for _, s := range a.body {
		if !isLive(s) {
			continue
		}
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Constant:
				list = append(list, n)
				return false
			case *ast.JoinedStr, *ast.TemplateStr:
				return false
			case *ast.ExprStmt:
				if n.Value.Kind() == ast.KindConstant {
					return false
				}
			}
			switch n.(type) {
			case ast.Stmt, ast.Expr:
				return !common[dumpOf(n)]
			}
			return true
		})
	}
	return list
}

// vouchDropped requires that the calls show what the statements do that an answer dropped: without
// one of them alone, the program must do something else. Only expressions are looked at.
func (p *Plan) vouchDropped(ctx context.Context, answer *module) (Verdict, error) {
	m := p.reference.module
	left := expressions(answer)
	if p.other != nil {
		for name, list := range expressions(p.other.module) {
			left[name] = append(left[name], list...)
		}
	}
	mine := expressions(m)
	for _, name := range sortedKeys(mine) {
		if len(mine[name]) <= len(left[name]) {
			continue
		}
		for _, s := range mine[name] {
			if slices.ContainsFunc(left[name], func(other ast.Stmt) bool { return dumpOf(other) == dumpOf(s) }) {
				continue
			}
			if shown, err := p.isShown(ctx, s); err != nil || !shown {
				return unknown("unreached", "no call was found that shows what %s does in the program, and the answer has no such", m.quote(s)), err
			}
		}
	}
	return Verdict{Outcome: evaluator.Pass}, nil
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

// isShown reports whether the program does something else in the plan's calls without a statement.
func (p *Plan) isShown(ctx context.Context, s ast.Stmt) (bool, error) {
	p.mu.Lock()
	shown, known := p.shown[s]
	p.mu.Unlock()
	if known {
		return shown, nil
	}
	at := s.Bounds()
	without := newSubject(spliced(p.reference.text, []splice{{int(at.Start), int(at.End), "pass"}}), nil)
	for i, session := range p.sessions {
		c, err := p.compare(ctx, session, without, i == 0)
		if err != nil {
			return false, err
		}
		if shown = c.Outcome != evaluator.Pass; shown {
			break
		}
	}
	p.mu.Lock()
	p.shown[s] = shown
	p.mu.Unlock()
	return shown, nil
}

// idleValues returns the values of which the calls do not show what they do.
func (w *watch) idleValues() (list []*site) {
	for _, s := range w.sites {
		if s.kind == siteValue && s.yes && s.isIdle() {
			list = append(list, s)
		}
	}
	return list
}

// line returns the row of an offset.
func (m *module) line(at int32) int { return strings.Count(m.text[:at], "\n") + 1 }

// quote returns the text of a node, for people.
func (m *module) quote(n ast.Node) string {
	at := n.Bounds()
	return clip(strings.Join(strings.Fields(m.text[at.Start:at.End]), " "))
}

// withoutPartners drops the sites in whose place a program has a dropped expression that shows
// the same. The new expression must not have a constant that the dropped one lacks.
func withoutPartners(sites, dropped []*site) []*site {
	return slices.DeleteFunc(sites, func(s *site) bool {
		i := slices.IndexFunc(dropped, func(d *site) bool {
			return (len(s.same) > 0) == (len(d.same) > 0) && (len(s.same) > 0 || s.constant == d.constant) && within(constantsOf(s.expr), constantsOf(d.expr))
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
	operands = slices.DeleteFunc(operands, func(o ast.Expr) bool { return o.Kind() == ast.KindConstant || !passable(o) })
	f.add(&site{kind: siteValue, at: e.Bounds(), expr: e, operands: operands})
	for i, operand := range operands {
		f.around(operand, f.call("operand", i))
	}
	f.around(e, f.call("value")+", "+f.name+".mark()")
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
		switch display := e.Value.(type) { // [a, None][odd] has the value of an item
		case *ast.List:
			operands = display.Elts
		case *ast.Tuple:
			operands = display.Elts
		case *ast.Dict:
			operands = display.Values
		}
	case *ast.Call:
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
