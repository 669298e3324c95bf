package parser

import (
	"codelinter/ast"
	"codelinter/tokenizer"
)

// statement: compound_stmt | simple_stmts
func (p *Parser) statement() {
	switch p.kind {
	case kwDef:
		p.function(p.token.Start, nil, false)
	case kwIf:
		p.ifStatement()
	case kwClass:
		p.class(nil)
	case kwWith:
		p.withStatement(p.token.Start, false)
	case kwFor:
		p.forStatement(p.token.Start, false)
	case kwTry:
		p.tryStatement()
	case kwWhile:
		p.whileStatement()
	case tokenizer.AT:
		p.decorated()
	case kwAsync:
		start := p.token.Start
		p.next()
		p.async(start, nil)
	case tokenizer.NAME:
		if p.token.Keyword == tokenizer.Match && p.isMatch() {
			p.matchStatement()
			return
		}
		p.simpleStatements()
	default:
		p.simpleStatements()
	}
}

// simple_stmts: ';'.simple_stmt+ [';'] NEWLINE
func (p *Parser) simpleStatements() {
	for {
		p.simpleStatement()
		if p.kind == tokenizer.NEWLINE {
			break
		}
		if p.kind != tokenizer.SEMI {
			p.stop()
			return
		}
		p.next()
		if p.kind == tokenizer.NEWLINE {
			break
		}
	}
	p.skip()
}

// simple_stmt: assignment | type_alias | star_expressions | return_stmt
// | ["lazy"] import_stmt | raise_stmt | 'pass' | del_stmt | yield_stmt | assert_stmt
// | 'break' | 'continue' | global_stmt | nonlocal_stmt
func (p *Parser) simpleStatement() {
	start := p.token.Start
	switch p.kind {
	case kwReturn:
		// return_stmt: 'return' [star_expressions]
		p.next()
		var value ast.Expr
		if p.startsExpression() {
			value = p.starExpressions()
		}
		p.stmts.push(p.nodes.returns.put(ast.Return{Range: p.from(start), Value: value}))
	case kwImport:
		p.importStatement(start, false)
	case kwFrom:
		p.importFrom(start, false)
	case kwRaise:
		p.raise()
	case kwPass:
		p.next()
		p.stmts.push(p.nodes.pass.put(ast.Pass{Range: p.from(start)}))
	case kwDel:
		p.deleteStatement()
	case kwAssert:
		p.assert()
	case kwBreak:
		p.next()
		p.stmts.push(p.nodes.breaks.put(ast.Break{Range: p.from(start)}))
	case kwContinue:
		p.next()
		p.stmts.push(p.nodes.continues.put(ast.Continue{Range: p.from(start)}))
	case kwGlobal:
		names := p.names()
		p.stmts.push(p.nodes.global.put(ast.Global{Range: p.from(start), Names: names}))
	case kwNonlocal:
		names := p.names()
		p.stmts.push(p.nodes.nonlocal.put(ast.Nonlocal{Range: p.from(start), Names: names}))
	case tokenizer.NAME:
		if p.token.Keyword == tokenizer.Type && p.typeAlias() || p.token.Keyword == tokenizer.Lazy && p.lazyImport() {
			return
		}
		p.expressionStatement()
	default:
		p.expressionStatement()
	}
}

// augmented holds the operator of each kind of augmented assignment.
var augmented = [...]ast.Operator{
	0:                                        ast.Add, // +=
	tokenizer.MINEQUAL - tokenizer.PLUSEQUAL: ast.Sub,
	tokenizer.STAREQUAL - tokenizer.PLUSEQUAL:        ast.Mult,
	tokenizer.SLASHEQUAL - tokenizer.PLUSEQUAL:       ast.Div,
	tokenizer.PERCENTEQUAL - tokenizer.PLUSEQUAL:     ast.Mod,
	tokenizer.AMPEREQUAL - tokenizer.PLUSEQUAL:       ast.BitAnd,
	tokenizer.VBAREQUAL - tokenizer.PLUSEQUAL:        ast.BitOr,
	tokenizer.CIRCUMFLEXEQUAL - tokenizer.PLUSEQUAL:  ast.BitXor,
	tokenizer.LEFTSHIFTEQUAL - tokenizer.PLUSEQUAL:   ast.LShift,
	tokenizer.RIGHTSHIFTEQUAL - tokenizer.PLUSEQUAL:  ast.RShift,
	tokenizer.DOUBLESTAREQUAL - tokenizer.PLUSEQUAL:  ast.Pow,
	tokenizer.DOUBLESLASHEQUAL - tokenizer.PLUSEQUAL: ast.FloorDiv,
	tokenizer.ATEQUAL - tokenizer.PLUSEQUAL:          ast.MatMult,
}

// expressionStatement: yield_expr or star_expressions or
//
//	assignment: (star_targets '=')+ (yield_expr | star_expressions)
//	    | ('(' single_target ')' | single_subscript_attribute_target) ':' expression
//	        ['=' (yield_expr | star_expressions)]
//	    | single_target augassign (yield_expr | star_expressions)
func (p *Parser) expressionStatement() {
	start := p.token.Start
	var e ast.Expr
	if p.kind == kwYield {
		e = p.yieldExpression() // no target: with = and so on it is refused below
	} else {
		e = p.starExpressions()
	}
	switch {
	case p.kind == tokenizer.EQUAL:
		targets, value := p.assigned(e)
		p.stmts.push(p.nodes.assign.put(ast.Assign{Range: p.from(start), Targets: targets, Value: value}))
	case p.kind == tokenizer.COLON:
		setSingleTarget(e)
		if p.text[start] == '(' && beginsWithTarget(e, start) {
			refuse()
		}
		_, simple := e.(*ast.Name)
		simple = simple && p.text[start] != '('
		p.next()
		annotation := p.expression()
		var value ast.Expr
		if p.accept(tokenizer.EQUAL) {
			value = p.yieldOrStarExpressions()
		}
		p.stmts.push(p.nodes.annAssign.put(ast.AnnAssign{Range: p.from(start), Simple: simple, Target: e, Annotation: annotation, Value: value}))
	case p.kind.IsAugAssign():
		setSingleTarget(e)
		op := augmented[p.kind-tokenizer.PLUSEQUAL]
		p.next()
		value := p.yieldOrStarExpressions()
		p.stmts.push(p.nodes.augAssign.put(ast.AugAssign{Range: p.from(start), Op: op, Target: e, Value: value}))
	default:
		p.stmts.push(p.nodes.exprStmt.put(ast.ExprStmt{Range: p.from(start), Value: e}))
	}
}

// assigned: (star_targets '=')+ (yield_expr | star_expressions), after the first target
func (p *Parser) assigned(e ast.Expr) (targets []ast.Expr, value ast.Expr) {
	setContext(e, ast.Store)
	p.next()
	value = p.yieldOrStarExpressions()
	mark := p.exprs.mark()
	p.exprs.push(e)
	for p.kind == tokenizer.EQUAL {
		setContext(value, ast.Store)
		p.exprs.push(value)
		p.next()
		value = p.yieldOrStarExpressions()
	}
	return p.exprs.take(mark), value
}

// type_alias: "type" NAME [type_params] '=' expression
//
// It returns false, and does nothing, if type is an ordinary name here. In an expression no name
// can follow it.
func (p *Parser) typeAlias() bool {
	next := p.tokens[p.after(p.pos)]
	if next.Kind != tokenizer.NAME || next.Keyword.IsHard() || !p.features.TypeParameters {
		return false
	}
	start := p.token.Start
	p.next()
	name := p.name(ast.Store)
	params := p.typeParameters()
	p.expect(tokenizer.EQUAL)
	value := p.expression()
	p.stmts.push(p.nodes.typeAlias.put(ast.TypeAlias{Range: p.from(start), Name: name, TypeParams: params, Value: value}))
	return true
}

// raise_stmt: 'raise' [expression ['from' expression]]
func (p *Parser) raise() {
	start := p.token.Start
	p.next()
	var exc, cause ast.Expr
	if p.kind != tokenizer.NEWLINE && p.kind != tokenizer.SEMI {
		exc = p.expression()
		if p.accept(kwFrom) {
			cause = p.expression()
		}
	}
	p.stmts.push(p.nodes.raise.put(ast.Raise{Range: p.from(start), Exc: exc, Cause: cause}))
}

// assert_stmt: 'assert' expression [',' expression]
func (p *Parser) assert() {
	start := p.token.Start
	p.next()
	test := p.expression()
	var message ast.Expr
	if p.accept(tokenizer.COMMA) {
		message = p.expression()
	}
	p.stmts.push(p.nodes.assert.put(ast.Assert{Range: p.from(start), Test: test, Msg: message}))
}

// del_stmt: 'del' ','.del_target+ [',']
// del_target: star_target without a star
func (p *Parser) deleteStatement() {
	start := p.token.Start
	p.next()
	mark := p.exprs.mark()
	for {
		target := p.primary()
		setContext(target, ast.Del)
		p.exprs.push(target)
		if !p.accept(tokenizer.COMMA) || !p.startsExpression() {
			break
		}
	}
	p.stmts.push(p.nodes.delete.put(ast.Delete{Range: p.from(start), Targets: p.exprs.take(mark)}))
}

// names: ','.NAME+, after global or nonlocal
func (p *Parser) names() []string {
	p.next()
	mark := p.strings.mark()
	p.strings.push(p.identifier())
	for p.accept(tokenizer.COMMA) {
		p.strings.push(p.identifier())
	}
	return p.strings.take(mark)
}

// lazyImport: "lazy" (import_name | import_from)
//
// It returns false, and does nothing, if lazy is an ordinary name here.
func (p *Parser) lazyImport() bool {
	next := p.tokens[p.after(p.pos)].Keyword
	if next != tokenizer.Import && next != tokenizer.From || !p.features.LazyImports {
		return false
	}
	start := p.token.Start
	p.next()
	if next == tokenizer.Import {
		p.importStatement(start, true)
	} else {
		p.importFrom(start, true)
	}
	return true
}

// import_name: 'import' ','.(dotted_name ['as' NAME])+, of a statement that began at start
func (p *Parser) importStatement(start int32, lazy bool) {
	p.next()
	mark := p.aliases.mark()
	for {
		aliasStart := p.token.Start
		name := p.dottedName()
		p.pushAlias(aliasStart, name)
		if !p.accept(tokenizer.COMMA) {
			break
		}
	}
	p.stmts.push(p.nodes.imports.put(ast.Import{Range: p.from(start), IsLazy: lazy, Names: p.aliases.take(mark)}))
}

// pushAlias: ['as' NAME], after the name that began at start
func (p *Parser) pushAlias(start int32, name string) {
	asName := ""
	if p.accept(kwAs) {
		asName = p.identifier()
	}
	p.aliases.push(p.nodes.alias.put(ast.Alias{Range: p.from(start), Name: name, AsName: asName}))
}

// dotted_name: '.'.NAME+
func (p *Parser) dottedName() string {
	start := p.token.Start
	name := p.identifier()
	if p.kind != tokenizer.DOT {
		return name
	}
	// The name is a part of the text, unless there are blanks in it or
	// characters that Python spells otherwise.
	plain := name == p.text[start:p.last]
	p.scratch = append(p.scratch[:0], name...)
	for p.kind == tokenizer.DOT {
		plain = plain && p.token.Start == p.last
		p.next()
		plain = plain && p.token.Start == p.last
		nameStart := p.token.Start
		name = p.identifier()
		plain = plain && name == p.text[nameStart:p.last]
		p.scratch = append(append(p.scratch, '.'), name...)
	}
	if plain {
		return p.text[start:p.last]
	}
	return p.keepScratch()
}

// import_from: 'from' ('.' | '...')* dotted_name 'import' import_from_targets
// | 'from' ('.' | '...')+ 'import' import_from_targets, of a statement that began at start
func (p *Parser) importFrom(start int32, lazy bool) {
	p.next()
	level := int32(0)
	for {
		if p.kind == tokenizer.DOT {
			level++
		} else if p.kind == tokenizer.ELLIPSIS {
			level += 3
		} else {
			break
		}
		p.next()
	}
	module := ""
	if level == 0 || p.kind != kwImport {
		module = p.dottedName()
	}
	p.expect(kwImport)
	mark := p.aliases.mark()
	p.importTargets()
	names := p.aliases.take(mark)
	if level == 0 && module == "__future__" && p.features.ParserKnowsFutures {
		if lazy {
			refuse()
		}
		for _, alias := range names {
			p.lessGreater = p.lessGreater || alias.Name == "barry_as_FLUFL"
		}
	}
	p.stmts.push(p.nodes.importFrom.put(ast.ImportFrom{Range: p.from(start), IsLazy: lazy, Level: level, Module: module, Names: names}))
}

// import_from_targets: '(' ','.(NAME ['as' NAME])+ [','] ')'
// | ','.(NAME ['as' NAME])+ | '*'
func (p *Parser) importTargets() {
	start := p.token.Start
	if p.kind == tokenizer.STAR {
		p.next()
		p.aliases.push(p.nodes.alias.put(ast.Alias{Range: p.from(start), Name: "*"}))
		return
	}
	parenthesized := p.kind == tokenizer.LPAR
	if parenthesized {
		p.open()
	}
	for {
		start := p.token.Start
		name := p.identifier()
		p.pushAlias(start, name)
		if !p.accept(tokenizer.COMMA) || parenthesized && p.kind == tokenizer.RPAR {
			break
		}
	}
	if parenthesized {
		p.close(tokenizer.RPAR)
	}
}
