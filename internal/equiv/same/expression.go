package same

import (
	"codelinter/ast"
)

// This file writes expressions and patterns.

// optional writes an expression that may be absent.
func (n *normalizer) optional(in int32, e ast.Expr) {
	if e == nil {
		n.op(opAbsent)
		return
	}
	n.expr(in, e)
}

func (n *normalizer) exprs(in int32, list []ast.Expr) {
	n.uint(len(list))
	for _, e := range list {
		n.optional(in, e)
	}
}

// test writes an expression of which only the truth is used. bool(a and b) may
// evaluate the truth of a twice, a and b alone once. If a type in reach defines
// __bool__ or __len__, both are kept.
func (n *normalizer) test(in int32, e ast.Expr) {
	for !n.literal && n.plain && !n.Mentions("__bool__") && !n.Mentions("__len__") {
		switch inner := e.(type) {
		case *ast.UnaryOp:
			if not, is := inner.Operand.(*ast.UnaryOp); is && inner.Op == ast.Not && not.Op == ast.Not {
				e = not.Operand // not not a
				continue
			}
		case *ast.Call:
			if len(inner.Args) == 1 && len(inner.Keywords) == 0 && n.builtinCalled(in, inner) == "bool" {
				if _, starred := inner.Args[0].(*ast.Starred); !starred {
					e = inner.Args[0]
					continue
				}
			}
		case *ast.BoolOp:
			n.kind(inner)
			n.op(byte(inner.Op))
			n.uint(len(inner.Values))
			for _, value := range inner.Values {
				n.test(in, value)
			}
			return
		}
		break
	}
	if n.edits != nil {
		if n.replaced(in, e, true) {
			return
		}
		if inner, is := e.(*ast.BoolOp); is { // as expr writes it
			n.kind(inner)
			n.op(byte(inner.Op))
			n.uint(len(inner.Values))
			for _, value := range inner.Values {
				n.test(in, value)
			}
			return
		}
	}
	n.expr(in, e)
}

func (n *normalizer) expr(in int32, e ast.Expr) {
	if n.edits != nil && n.replaced(in, e, false) {
		return
	}
	switch e := e.(type) {
	case *ast.BoolOp:
		n.kind(e)
		n.op(byte(e.Op))
		n.exprs(in, e.Values)
	case *ast.NamedExpr:
		if n.isDead(in, e.Target) || n.dropped(in, e.Target) {
			n.expr(in, e.Value)
			return
		}
		n.kind(e)
		n.expr(in, e.Target)
		n.expr(in, e.Value)
	case *ast.BinOp:
		n.kind(e)
		n.op(byte(e.Op))
		n.expr(in, e.Left)
		n.expr(in, e.Right)
	case *ast.UnaryOp:
		n.unary(in, e)
	case *ast.Lambda:
		n.kind(e)
		n.defaults(in, e.Args)
		s := n.enter(e)
		mark := n.parameters(s, e.Args)
		n.expr(s, e.Body)
		n.forget(mark)
	case *ast.IfExp:
		n.choice(in, e)
	case *ast.Dict:
		n.kind(e)
		n.exprs(in, e.Keys)
		n.exprs(in, e.Values)
	case *ast.Set:
		n.kind(e)
		n.exprs(in, e.Elts)
	case *ast.ListComp:
		n.comprehension(in, e, e.Generators, e.Elt, nil)
	case *ast.SetComp:
		n.comprehension(in, e, e.Generators, e.Elt, nil)
	case *ast.DictComp:
		n.comprehension(in, e, e.Generators, e.Key, e.Value)
	case *ast.GeneratorExp:
		n.comprehension(in, e, e.Generators, e.Elt, nil)
	case *ast.Await:
		n.kind(e)
		n.expr(in, e.Value)
	case *ast.Yield:
		n.kind(e)
		value := e.Value
		if c, is := value.(*ast.Constant); is && c.Type == ast.None {
			value = nil
		}
		n.optional(in, value)
	case *ast.YieldFrom:
		n.kind(e)
		n.expr(in, e.Value)
	case *ast.Compare:
		n.compare(in, e)
	case *ast.Call:
		n.call(in, e)
	case *ast.FormattedValue:
		n.kind(e)
		n.op(byte(e.Conversion))
		n.expr(in, e.Value)
		n.optional(in, e.FormatSpec)
	case *ast.Interpolation:
		n.kind(e)
		n.op(byte(e.Conversion))
		n.string(e.Str)
		n.expr(in, e.Value)
		n.optional(in, e.FormatSpec)
	case *ast.JoinedStr:
		n.joined(in, e)
	case *ast.TemplateStr:
		n.kind(e)
		n.exprs(in, e.Values)
	case *ast.Constant:
		n.constant(e)
	case *ast.Attribute:
		n.kind(e)
		n.expr(in, e.Value)
		n.string(e.Attr)
	case *ast.Subscript:
		n.kind(e)
		n.expr(in, e.Value)
		n.expr(in, e.Slice)
	case *ast.Starred:
		n.kind(e)
		n.expr(in, e.Value)
	case *ast.Name:
		if value := n.inlined[e]; value != nil {
			n.expr(in, value)
			return
		}
		if e.Ctx == ast.Load {
			n.loads(in, e.ID)
		}
		n.name(in, e.ID)
	case *ast.List:
		n.kind(e)
		n.exprs(in, e.Elts)
	case *ast.Tuple:
		n.kind(e)
		n.exprs(in, e.Elts)
	case *ast.Slice:
		n.kind(e)
		n.optional(in, e.Lower)
		n.optional(in, e.Upper)
		n.optional(in, e.Step)
	}
}

func (n *normalizer) constant(c *ast.Constant) {
	n.kind(c)
	n.op(byte(c.Type))
	if text, is := n.edits.Trimmed(c); is {
		n.string(text)
		return
	}
	n.value = AppendValue(n.value[:0], c)
	n.uint(len(n.value))
	n.out = append(n.out, n.value...)
}

// text writes a constant text.
func (n *normalizer) text(text string) {
	n.op(byte(ast.KindConstant))
	n.op(byte(ast.Str))
	n.string(text)
}

// joined writes an f-string, as a text if it has no fields.
func (n *normalizer) joined(in int32, e *ast.JoinedStr) {
	if plainText(e) {
		whole := ""
		for _, value := range e.Values {
			whole += value.(*ast.Constant).Text
		}
		n.text(whole)
		return
	}
	n.kind(e)
	n.exprs(in, e.Values)
}

func (n *normalizer) call(in int32, e *ast.Call) {
	if !n.literal && len(e.Args) == 1 && len(e.Keywords) == 0 && n.builtinCalled(in, e) == "type" {
		if name := literalType(e.Args[0]); name != "" && n.isFree(name) {
			n.op(opLiteral) // type(()) is tuple
			n.string(name)
			return
		}
	}
	other := n.idiom(in, e)
	call, is := other.(*ast.Call)
	if !is {
		n.expr(in, other)
		return
	}
	n.kind(call)
	n.expr(in, call.Func)
	n.exprs(in, call.Args)
	n.keywords(in, call.Keywords)
}

func (n *normalizer) keywords(in int32, list []*ast.Keyword) {
	n.uint(len(list))
	for _, keyword := range list {
		n.string(keyword.Arg)
		n.expr(in, keyword.Value)
	}
}

func (n *normalizer) comprehension(in int32, e ast.Expr, generators []*ast.Comprehension, elt, value ast.Expr) {
	n.kind(e)
	n.uint(len(generators))
	n.expr(in, generators[0].Iter)
	s := n.enter(e)
	for i, g := range generators {
		n.op(boolByte(g.IsAsync))
		n.expr(s, g.Target)
		if i > 0 {
			n.expr(s, g.Iter)
		}
		n.uint(len(g.Ifs))
		for _, condition := range g.Ifs {
			n.test(s, condition)
		}
	}
	n.expr(s, elt)
	n.optional(s, value)
}

func (n *normalizer) pattern(in int32, p ast.Pattern) {
	n.kind(p)
	switch p := p.(type) {
	case *ast.MatchValue:
		n.expr(in, p.Value)
	case *ast.MatchSingleton:
		n.op(byte(p.Value))
	case *ast.MatchSequence:
		n.patterns(in, p.Patterns)
	case *ast.MatchMapping:
		n.exprs(in, p.Keys)
		n.patterns(in, p.Patterns)
		n.capture(in, p.Rest)
	case *ast.MatchClass:
		n.expr(in, p.Cls)
		n.patterns(in, p.Patterns)
		n.uint(len(p.KwdAttrs))
		for _, attr := range p.KwdAttrs {
			n.string(attr)
		}
		n.patterns(in, p.KwdPatterns)
	case *ast.MatchStar:
		n.capture(in, p.Name)
	case *ast.MatchAs:
		if p.Pattern == nil {
			n.op(opAbsent)
		} else {
			n.pattern(in, p.Pattern)
		}
		n.capture(in, p.Name)
	case *ast.MatchOr:
		n.patterns(in, p.Patterns)
	}
}

func (n *normalizer) patterns(in int32, list []ast.Pattern) {
	n.uint(len(list))
	for _, p := range list {
		n.pattern(in, p)
	}
}

// capture writes the name that a pattern binds, "" for _.
func (n *normalizer) capture(in int32, text string) {
	if text == "" {
		n.op(opAbsent)
		return
	}
	n.name(in, text)
}
