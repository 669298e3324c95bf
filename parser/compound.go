package parser

import (
	"codelinter/ast"
	"codelinter/tokenizer"
)

// block: ':' (NEWLINE INDENT statements DEDENT | simple_stmts)
func (p *Parser) block() []ast.Stmt {
	if p.kind != tokenizer.COLON {
		p.stop()
		return nil
	}
	p.next()
	mark := p.stmts.mark()
	if p.kind != tokenizer.NEWLINE {
		p.simpleStatements()
		return p.stmts.take(mark)
	}
	p.pos = p.after(p.pos)
	if p.tokens[p.pos].Kind != tokenizer.INDENT {
		p.stop()
		return nil
	}
	p.skip()
	p.deepen(blockLevels)
	for p.kind != tokenizer.DEDENT {
		p.statement()
	}
	p.levels -= blockLevels
	if !p.stopped {
		p.skip()
	}
	return p.stmts.take(mark)
}

// elseBlock: ['else' block]
func (p *Parser) elseBlock() []ast.Stmt {
	if !p.accept(kwElse) {
		return nil
	}
	return p.block()
}

// decorated: ('@' named_expression NEWLINE)+ (class_def | function_def)
func (p *Parser) decorated() {
	mark := p.exprs.mark()
	for p.accept(tokenizer.AT) {
		p.exprs.push(p.namedExpression())
		if p.kind != tokenizer.NEWLINE {
			refuse()
		}
		p.skip()
	}
	decorators := p.exprs.take(mark)
	start := p.token.Start
	switch p.kind {
	case kwDef:
		p.function(start, decorators, false)
	case kwClass:
		p.class(decorators)
	case kwAsync:
		p.next()
		if p.kind != kwDef {
			refuse()
		}
		p.async(start, decorators)
	default:
		refuse()
	}
}

// async: ('async') (function_def | with_stmt | for_stmt)
func (p *Parser) async(start int32, decorators []ast.Expr) {
	switch p.kind {
	case kwDef:
		p.function(start, decorators, true)
	case kwWith:
		p.withStatement(start, true)
	case kwFor:
		p.forStatement(start, true)
	default:
		refuse()
	}
}

// function_def: 'def' NAME [type_params] '(' [params] ')' ['->' expression] block
func (p *Parser) function(start int32, decorators []ast.Expr, async bool) {
	p.next()
	name := p.identifier()
	params := p.typeParameters()
	if p.kind != tokenizer.LPAR {
		refuse()
	}
	p.open()
	args := p.parameters(tokenizer.RPAR)
	p.close(tokenizer.RPAR)
	var returns ast.Expr
	if p.accept(tokenizer.RARROW) {
		returns = p.expression()
	}
	body := p.block()
	if async {
		p.stmts.push(p.nodes.asyncFunctionDef.put(ast.AsyncFunctionDef{Range: p.from(start), Name: name, Args: args, Body: body, DecoratorList: decorators, Returns: returns, TypeParams: params}))
		return
	}
	p.stmts.push(p.nodes.functionDef.put(ast.FunctionDef{Range: p.from(start), Name: name, Args: args, Body: body, DecoratorList: decorators, Returns: returns, TypeParams: params}))
}

// parameters parses the parameters between the parentheses of a def, or between
// lambda and its colon, up to the closer.
//
//	parameters: [','.param+] [',' '/'] [','.param] [',' star_etc]
//	star_etc: '*' [param] (',' param)* [',' '**' param]
//	param: NAME [':' expression] ['=' expression]
//
// Only def has annotations.
func (p *Parser) parameters(closer tokenizer.Kind) *ast.Arguments {
	start := p.token.Start
	annotated := closer == tokenizer.RPAR
	n := p.nodes.arguments.put(ast.Arguments{})
	markArgs, markDefaults := p.args.mark(), p.exprs.mark()
	bare := false // a lone * waits for a parameter after it
	star := false // after * or *args; the stacks hold keyword-only ones
	slash := false
	for p.kind != closer {
		switch p.kind {
		case tokenizer.SLASH:
			if slash || star || p.args.mark() == markArgs {
				refuse()
			}
			slash = true
			p.next()
			n.PosOnlyArgs = p.args.take(markArgs)
		case tokenizer.STAR:
			if star {
				refuse()
			}
			star = true
			n.Args, n.Defaults = p.args.take(markArgs), p.exprs.take(markDefaults)
			p.next()
			if bare = p.kind == tokenizer.COMMA; !bare {
				n.VarArg = p.parameter(annotated, true)
			}
		case tokenizer.DOUBLESTAR:
			if bare {
				refuse()
			}
			p.next()
			n.KwArg = p.parameter(annotated, false)
			p.accept(tokenizer.COMMA)
			if p.kind != closer {
				refuse()
			}
			continue
		default:
			p.args.push(p.parameter(annotated, false))
			bare = false
			hasDefault := p.accept(tokenizer.EQUAL)
			switch {
			case hasDefault:
				p.deepen(defaultLevels)
				p.exprs.push(p.expression())
				p.levels -= defaultLevels
			case star:
				p.exprs.push(nil)
			case p.exprs.mark() != markDefaults:
				refuse() // after one with a default
			}
		}
		if !p.accept(tokenizer.COMMA) && p.kind != closer {
			refuse()
		}
	}
	if bare {
		refuse()
	}
	if star {
		n.KwOnlyArgs, n.KwDefaults = p.args.take(markArgs), p.exprs.take(markDefaults)
	} else {
		n.Args, n.Defaults = p.args.take(markArgs), p.exprs.take(markDefaults)
	}
	n.Range = ast.Range{Start: start, End: max(p.last, start)}
	return n
}

// parameter: NAME [':' expression], or after * also ':' star_expression
func (p *Parser) parameter(annotated, star bool) *ast.Arg {
	start := p.token.Start
	name := p.identifier()
	var annotation ast.Expr
	if annotated && p.accept(tokenizer.COLON) {
		if star && p.features.PEP646 {
			annotation = p.starExpression()
		} else {
			annotation = p.expression()
		}
	}
	return p.nodes.arg.put(ast.Arg{Range: p.from(start), Arg: name, Annotation: annotation})
}

// type_params: '[' ','.type_param+ [','] ']', or nothing
//
//	type_param: NAME [':' expression] ['=' expression]
//	    | '*' NAME ['=' star_expression]
//	    | '**' NAME ['=' expression]
func (p *Parser) typeParameters() []ast.TypeParam {
	if p.kind != tokenizer.LSQB || !p.features.TypeParameters {
		return nil
	}
	p.open()
	mark := p.typeParams.mark()
	defaults := p.features.TypeParameterDefaults
	for {
		start := p.token.Start
		var value ast.Expr
		switch {
		case p.accept(tokenizer.STAR):
			name := p.identifier()
			if defaults && p.accept(tokenizer.EQUAL) {
				value = p.starExpression()
			}
			p.typeParams.push(p.nodes.typeVarTuple.put(ast.TypeVarTuple{Range: p.from(start), Name: name, Default: value}))
		case p.accept(tokenizer.DOUBLESTAR):
			name := p.identifier()
			if defaults && p.accept(tokenizer.EQUAL) {
				value = p.expression()
			}
			p.typeParams.push(p.nodes.paramSpec.put(ast.ParamSpec{Range: p.from(start), Name: name, Default: value}))
		default:
			name := p.identifier()
			var bound ast.Expr
			if p.accept(tokenizer.COLON) {
				bound = p.expression()
			}
			if defaults && p.accept(tokenizer.EQUAL) {
				value = p.expression()
			}
			p.typeParams.push(p.nodes.typeVar.put(ast.TypeVar{Range: p.from(start), Name: name, Bound: bound, Default: value}))
		}
		if !p.accept(tokenizer.COMMA) || p.kind == tokenizer.RSQB {
			break
		}
	}
	p.close(tokenizer.RSQB)
	return p.typeParams.take(mark)
}

// class_def: 'class' NAME [type_params] ['(' [arguments] ')'] block
func (p *Parser) class(decorators []ast.Expr) {
	start := p.token.Start
	p.next()
	name := p.identifier()
	params := p.typeParameters()
	var bases []ast.Expr
	var keywords []*ast.Keyword
	if p.kind == tokenizer.LPAR {
		bases, keywords = p.arguments(false)
	}
	body := p.block()
	p.stmts.push(p.nodes.classDef.put(ast.ClassDef{Range: p.from(start), Name: name, Bases: bases, Keywords: keywords, Body: body, DecoratorList: decorators, TypeParams: params}))
}

// if_stmt: 'if' named_expression block (elif_stmt | ['else' block])
// elif_stmt: 'elif' named_expression block (elif_stmt | ['else' block])
//
// A chain of elif nests in the tree, and is parsed in a loop.
func (p *Parser) ifStatement() {
	start := p.token.Start
	first := p.nodes.ifs.put(ast.If{})
	inner := first
	levels := p.levels
	elif := 1 + elifLevels
	for {
		start := p.token.Start
		p.next()
		test := p.namedExpression()
		body := p.block()
		inner.Start, inner.Test, inner.Body = start, test, body
		if p.kind != kwElif {
			break
		}
		p.deepen(elif)
		elif = 1
		n := p.nodes.ifs.put(ast.If{})
		inner.Orelse = p.stmts.one(n)
		inner = n
	}
	inner.Orelse = p.elseBlock()
	p.levels = levels
	for n := first; ; n = n.Orelse[0].(*ast.If) {
		n.End = p.last
		if n == inner {
			break
		}
	}
	first.Start = start
	p.stmts.push(first)
}

// while_stmt: 'while' named_expression block ['else' block]
func (p *Parser) whileStatement() {
	start := p.token.Start
	p.next()
	test := p.namedExpression()
	body := p.block()
	orelse := p.elseBlock()
	p.stmts.push(p.nodes.while.put(ast.While{Range: p.from(start), Test: test, Body: body, Orelse: orelse}))
}

// for_stmt: ['async'] 'for' star_targets 'in' star_expressions block ['else'
// block]
func (p *Parser) forStatement(start int32, async bool) {
	p.next()
	target := p.starTargets()
	p.expect(kwIn)
	iter := p.starExpressions()
	body := p.block()
	orelse := p.elseBlock()
	if async {
		p.stmts.push(p.nodes.asyncFor.put(ast.AsyncFor{Range: p.from(start), Target: target, Iter: iter, Body: body, Orelse: orelse}))
		return
	}
	p.stmts.push(p.nodes.fors.put(ast.For{Range: p.from(start), Target: target, Iter: iter, Body: body, Orelse: orelse}))
}

// with_stmt: ['async'] 'with' '(' ','.with_item+ [','] ')' block
// | ['async'] 'with' ','.with_item+ block
func (p *Parser) withStatement(start int32, async bool) {
	p.next()
	mark := p.withItems.mark()
	if p.kind != tokenizer.LPAR || !p.parenthesizedItems() {
		for {
			p.withItem()
			if !p.accept(tokenizer.COMMA) {
				break
			}
		}
	}
	items := p.withItems.take(mark)
	body := p.block()
	if async {
		p.stmts.push(p.nodes.asyncWith.put(ast.AsyncWith{Range: p.from(start), Items: items, Body: body}))
		return
	}
	p.stmts.push(p.nodes.with.put(ast.With{Range: p.from(start), Items: items, Body: body}))
}

// with_item: expression ['as' star_target]
func (p *Parser) withItem() {
	start := p.token.Start
	p.finishItem(start, p.expression())
}

// finishItem: ['as' star_target], after the expression
func (p *Parser) finishItem(start int32, context ast.Expr) {
	var target ast.Expr
	if p.accept(kwAs) {
		target = p.starTarget()
	}
	p.withItems.push(p.nodes.withItem.put(ast.WithItem{Range: p.from(start), ContextExpr: context, OptionalVars: target}))
}

// parenthesizedItems: '(' ','.with_item+ [','] ')', in front of a colon
//
// It returns false, and has used no token, if the parentheses belong to an
// expression:
//
//	with (a, b): ...      # two items
//	with (a, b) as c: ... # one, and so are the next two
//	with (a, *b): ...
//	with (yield a): ...
func (p *Parser) parenthesizedItems() bool {
	depth := 0
	i := p.pos
	for ; ; i++ {
		kind := p.tokens[i].Kind
		if depth += kind.Nesting(); depth == 0 {
			break
		}
		if kind == tokenizer.NEWLINE || kind == tokenizer.ENDMARKER {
			refuse()
		}
	}
	if p.tokens[p.after(i)].Kind != tokenizer.COLON {
		return false
	}
	pos, last := p.pos, p.last
	levels, mark := p.levels, p.withItems.mark()
	p.open()
	for p.kind != tokenizer.STAR && p.kind != kwYield {
		if p.kind == tokenizer.RPAR && p.withItems.mark() > mark {
			p.close(tokenizer.RPAR)
			return true
		}
		if !p.startsExpression() {
			break // with (): ...
		}
		start := p.token.Start
		e := p.expression()
		if p.kind == tokenizer.COLONEQUAL || p.kind == kwFor || p.kind == kwAsync {
			break
		}
		p.finishItem(start, e)
		if p.kind != tokenizer.RPAR {
			p.expect(tokenizer.COMMA)
		}
	}
	p.withItems.stack = p.withItems.stack[:mark]
	p.levels = levels
	p.back(pos, last)
	return false
}

// try_stmt: 'try' block 'finally' block
// | 'try' block except_block+ ['else' block] ['finally' block]
// | 'try' block except_star_block+ ['else' block] ['finally' block]
//
//	except_block: 'except' [expressions | expression 'as' NAME] block
//	except_star_block: 'except' '*' (expressions | expression 'as' NAME) block
func (p *Parser) tryStatement() {
	start := p.token.Start
	p.next()
	body := p.block()
	mark := p.handlers.mark()
	star := false
	for p.kind == kwExcept {
		start := p.token.Start
		p.next()
		first := p.handlers.mark() == mark
		if starred := p.features.ExceptStar && p.accept(tokenizer.STAR); !first && starred != star {
			refuse()
		} else {
			star = starred
		}
		var kind ast.Expr
		name := ""
		if star || p.kind != tokenizer.COLON {
			kindStart := p.token.Start
			kind = p.expression()
			if p.kind == tokenizer.COMMA && p.features.UnparenthesizedExcept {
				mark := p.exprs.mark()
				p.exprs.push(kind)
				for p.accept(tokenizer.COMMA) {
					if p.kind == tokenizer.COLON {
						break
					}
					p.exprs.push(p.expression())
				}
				kind = p.newTuple(kindStart, mark)
			} else if p.accept(kwAs) {
				name = p.identifier()
			}
		}
		handlerBody := p.block()
		p.handlers.push(p.nodes.exceptHandler.put(ast.ExceptHandler{Range: p.from(start), Type: kind, Name: name, Body: handlerBody}))
	}
	handlers := p.handlers.take(mark)
	var orelse, final []ast.Stmt
	if len(handlers) > 0 {
		orelse = p.elseBlock()
	}
	if p.accept(kwFinally) {
		final = p.block()
	} else if len(handlers) == 0 {
		refuse()
	}
	if star {
		p.stmts.push(p.nodes.tryStar.put(ast.TryStar{Range: p.from(start), Body: body, Handlers: handlers, Orelse: orelse, FinalBody: final}))
		return
	}
	p.stmts.push(p.nodes.try.put(ast.Try{Range: p.from(start), Body: body, Handlers: handlers, Orelse: orelse, FinalBody: final}))
}
