package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
)

// This file writes expressions and patterns.

// node writes a node as it is, with its children.
func (w *writer) node(in int32, n ast.Node) {
	w.out = ast.AppendFields(w.out, n)
	from := len(w.nodes)
	w.nodes = ast.AppendChildren(w.nodes, n)
	for i, to := from, len(w.nodes); i < to; i++ {
		switch child := w.nodes[i].(type) {
		case ast.Expr:
			w.expr(in, child)
		case ast.Pattern:
			w.pattern(in, child)
		default: // keywords, type parameters
			w.node(in, child)
		}
	}
	w.nodes = w.nodes[:from]
}

// optional writes an expression that may be absent.
func (w *writer) optional(in int32, e ast.Expr) {
	if e == nil {
		w.op(opAbsent)
		return
	}
	w.expr(in, e)
}

func (w *writer) exprs(in int32, list []ast.Expr) {
	w.uint(len(list))
	for _, e := range list {
		w.optional(in, e)
	}
}

// truthCalled returns a for bool(a), if that asks for the truth of a once, or nil.
func (w *writer) truthCalled(in int32, e *ast.Call) ast.Expr {
	if len(e.Args) == 1 && len(e.Keywords) == 0 && !w.Facts.Star && w.builtinCalled(in, e) == "bool" && w.asksOnce(in, e.Args[0]) {
		return e.Args[0]
	}
	return nil
}

// asksOnce reports whether who evaluates an expression and then asks for its truth asks no more than
// who tests it. For b and c that may ask for the truth of b twice.
func (w *writer) asksOnce(in int32, e ast.Expr) bool {
	if w.alike {
		return true
	}
	switch e := e.(type) {
	case *ast.Name, *ast.Attribute, *ast.Subscript, *ast.Call, *ast.BinOp, *ast.Constant:
		return true
	case *ast.Compare:
		return len(e.Ops) == 1 || w.isBool(in, e)
	case *ast.UnaryOp:
		return e.Op == ast.Not && w.asksOnce(in, e.Operand)
	case *ast.BoolOp:
		return !slices.ContainsFunc(e.Values, func(value ast.Expr) bool { return !w.isBool(in, value) || !w.asksOnce(in, value) })
	}
	return false
}

func (w *writer) expr(in int32, e ast.Expr) {
	if w.replaced(e, false, func(e ast.Expr) { w.expr(in, e) }) {
		return
	}
	switch e := w.usual(in, e).(type) {
	case *ast.NamedExpr:
		w.maybe(w.dropped(in, e.Target), func() {
			w.kind(e)
			w.expr(in, e.Target)
		})
		w.expr(in, e.Value)
	case *ast.UnaryOp:
		if e.Op == ast.Not {
			w.truthOf(in, e.Operand, true)
		} else {
			w.node(in, e)
		}
	case *ast.Lambda:
		w.kind(e)
		w.defaults(in, e.Args)
		s := w.ScopeOf(e)
		w.parameters(s, e.Args)
		w.expr(s, e.Body)
	case *ast.IfExp:
		w.choice(in, e)
	case *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
		w.comprehension(in, e)
	case *ast.Yield:
		if c, is := e.Value.(*ast.Constant); is && c.Type == ast.None {
			e = &ast.Yield{}
		}
		w.node(in, e)
	case *ast.Compare:
		if len(e.Ops) > 1 {
			w.node(in, e)
		} else if op := e.Ops[0]; op == ast.NotIn || op == ast.IsNot {
			w.truthOf(in, e, false)
		} else {
			w.node(in, asked.Compared(oriented(e)))
		}
	case *ast.Call:
		if truth := w.truthCalled(in, e); truth != nil {
			w.truthOf(in, truth, false)
		} else if other := w.idiom(in, e); other.Kind() != ast.KindCall {
			w.expr(in, other)
		} else {
			w.node(in, other)
		}
	case *ast.JoinedStr:
		w.joined(in, e)
	case *ast.Constant:
		w.constant(e)
	case *ast.Name:
		if value := w.inlined[e]; value != nil {
			w.expr(in, value)
			return
		}
		w.name(in, e.ID)
	default:
		w.node(in, e)
	}
}

// constant writes a constant. A finding may ask to remove blanks from a text.
func (w *writer) constant(c *ast.Constant) {
	trimmed, is := w.edits.Trimmed(c)
	if !is {
		w.out = ast.AppendFields(w.out, c)
		return
	}
	ways := [...]*ast.Constant{c, {Type: c.Type, Text: trimmed}}
	w.alternatives(len(ways), func(way int) { w.out = ast.AppendFields(w.out, ways[way]) })
}

// joined writes an f-string, as a text if it has no fields.
func (w *writer) joined(in int32, e *ast.JoinedStr) {
	if !allConstants(e.Values) {
		w.node(in, e)
		return
	}
	whole := ""
	for _, value := range e.Values {
		whole += value.(*ast.Constant).Text
	}
	w.constant(&ast.Constant{Type: ast.Str, Text: whole})
}

// comprehension writes a comprehension.
func (w *writer) comprehension(in int32, e ast.Expr) {
	generators, elt, value := ast.Comprehended(e)
	if e == w.taken {
		w.op(byte(ast.KindGeneratorExp))
	} else {
		w.kind(e)
	}
	w.uint(len(generators))
	w.expr(in, generators[0].Iter)
	s := w.ScopeOf(e)
	for i, g := range generators {
		w.flag(g.IsAsync)
		w.expr(s, g.Target)
		if i > 0 {
			w.expr(s, g.Iter)
		}
		w.uint(len(g.Ifs))
		for _, condition := range g.Ifs {
			w.test(s, condition)
		}
	}
	w.expr(s, elt)
	w.optional(s, value)
}

// pattern writes a pattern, with the name that it binds, if any.
func (w *writer) pattern(in int32, p ast.Pattern) {
	name := ast.Binds(p)
	if name == "" {
		w.node(in, p)
		return
	}
	switch p := p.(type) {
	case *ast.MatchMapping:
		w.node(in, &ast.MatchMapping{Keys: p.Keys, Patterns: p.Patterns})
	case *ast.MatchAs:
		w.node(in, &ast.MatchAs{Pattern: p.Pattern})
	case *ast.MatchStar:
		w.node(in, &ast.MatchStar{})
	}
	w.op(opName)
	w.name(in, name)
}
