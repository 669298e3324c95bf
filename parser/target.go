package parser

import (
	"codelinter/ast"
	"codelinter/tokenizer"
)

// setContext turns a parsed expression into a target that is bound or deleted. It refuses any
// other expression.
//
//	star_target: '*' star_target | NAME | t_primary '.' NAME
//	    | t_primary '[' slices ']' | '(' star_targets ')' | '[' star_targets ']'
func setContext(e ast.Expr, ctx ast.Context) {
	if name, is := e.(*ast.Name); is {
		name.Ctx = ctx
		return
	}
	setContextOf(e, ctx)
}

// setContextOf is setContext for what is no name.
func setContextOf(e ast.Expr, ctx ast.Context) {
	switch e := e.(type) {
	case *ast.Attribute:
		e.Ctx = ctx
	case *ast.Subscript:
		e.Ctx = ctx
	case *ast.Tuple:
		e.Ctx = ctx
		for _, element := range e.Elts {
			setContext(element, ctx)
		}
	case *ast.List:
		e.Ctx = ctx
		for _, element := range e.Elts {
			setContext(element, ctx)
		}
	case *ast.Starred:
		if ctx == ast.Del {
			refuse()
		}
		e.Ctx = ctx
		setContext(e.Value, ctx)
	default:
		refuse()
	}
}

// single_target: NAME | t_primary '.' NAME | t_primary '[' slices ']'
// | '(' single_target ')'
func setSingleTarget(e ast.Expr) {
	switch e.(type) {
	case *ast.Name, *ast.Attribute, *ast.Subscript:
		setContext(e, ast.Store)
	default:
		refuse()
	}
}

// beginsWithTarget reports whether another target begins with a target in parentheses, at start.
// CPython takes the part in parentheses for the whole target of an annotation, and refuses the text
// if no colon follows it:
//
//	(a.b).c: int    is refused
//	(a()).c: int    is not, as a() is no target
func beginsWithTarget(e ast.Expr, start int32) bool {
	outermost := true
	for e.Bounds().Start == start {
		outermost = false
		switch n := e.(type) {
		case *ast.Attribute:
			e = n.Value
		case *ast.Subscript:
			e = n.Value
		case *ast.Call:
			e = n.Func
		default: // a display or a generator in the first parentheses
			return false
		}
	}
	switch e.(type) {
	case *ast.Name, *ast.Attribute, *ast.Subscript:
		return !outermost
	}
	return false
}

// star_targets: star_target !',' | ','.star_target+ [',']
//
// It is for targets in front of in, which would be an operator if they were
// parsed as expressions.
func (p *Parser) starTargets() ast.Expr {
	start := p.token.Start
	first := p.starTarget()
	if p.kind != tokenizer.COMMA {
		return first
	}
	mark := p.exprs.mark()
	p.exprs.push(first)
	for p.accept(tokenizer.COMMA) {
		if p.kind == kwIn {
			break
		}
		p.exprs.push(p.starTarget())
	}
	n := p.newTuple(start, mark)
	n.Ctx = ast.Store
	return n
}

// star_target: '*' (!'*' star_target) | target_with_star_atom
func (p *Parser) starTarget() ast.Expr {
	start := p.token.Start
	if p.accept(tokenizer.STAR) {
		value := p.primary()
		setContext(value, ast.Store)
		return p.nodes.starred.put(ast.Starred{Range: p.from(start), Ctx: ast.Store, Value: value})
	}
	target := p.primary()
	setContext(target, ast.Store)
	return target
}
