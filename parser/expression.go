package parser

import (
	"codelinter/ast"
	"codelinter/tokenizer"
)

// Precedence of operators, weakest first. An operand that is parsed at a precedence includes the
// operators of this and of stronger precedences.
const (
	precNone = iota
	precIf   // of spam if eggs else ham, which only expression takes in
	precOr
	precAnd
	precNot
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precSum
	precTerm
	precFactor
	precPower
)

// infix holds what each kind of token is between two operands.
var infix = func() (table [256]struct {
	prec uint8
	op   uint8 // an ast.Operator, ast.CompareOperator or ast.BoolOperator
}) {
	set := func(prec uint8, kind tokenizer.Kind, op uint8) {
		table[kind].prec, table[kind].op = prec, op
	}
	set(precIf, kwIf, 0)
	set(precOr, kwOr, uint8(ast.Or))
	set(precAnd, kwAnd, uint8(ast.And))
	set(precCompare, tokenizer.EQEQUAL, uint8(ast.Eq))
	set(precCompare, tokenizer.NOTEQUAL, uint8(ast.NotEq))
	set(precCompare, tokenizer.LESS, uint8(ast.Lt))
	set(precCompare, tokenizer.LESSEQUAL, uint8(ast.LtE))
	set(precCompare, tokenizer.GREATER, uint8(ast.Gt))
	set(precCompare, tokenizer.GREATEREQUAL, uint8(ast.GtE))
	set(precCompare, kwIs, uint8(ast.Is))
	set(precCompare, kwIn, uint8(ast.In))
	set(precCompare, kwNot, uint8(ast.NotIn))
	set(precBitOr, tokenizer.VBAR, uint8(ast.BitOr))
	set(precBitXor, tokenizer.CIRCUMFLEX, uint8(ast.BitXor))
	set(precBitAnd, tokenizer.AMPER, uint8(ast.BitAnd))
	set(precShift, tokenizer.LEFTSHIFT, uint8(ast.LShift))
	set(precShift, tokenizer.RIGHTSHIFT, uint8(ast.RShift))
	set(precSum, tokenizer.PLUS, uint8(ast.Add))
	set(precSum, tokenizer.MINUS, uint8(ast.Sub))
	set(precTerm, tokenizer.STAR, uint8(ast.Mult))
	set(precTerm, tokenizer.SLASH, uint8(ast.Div))
	set(precTerm, tokenizer.DOUBLESLASH, uint8(ast.FloorDiv))
	set(precTerm, tokenizer.PERCENT, uint8(ast.Mod))
	set(precTerm, tokenizer.AT, uint8(ast.MatMult))
	set(precPower, tokenizer.DOUBLESTAR, uint8(ast.Pow))
	return table
}()

// starExpressions: ','.(star_expression)+ [',']
func (p *Parser) starExpressions() ast.Expr {
	start := p.token.Start
	var first ast.Expr
	if p.kind == tokenizer.STAR {
		first = p.starredBitOr()
	} else {
		first = p.expression()
	}
	if p.kind != tokenizer.COMMA {
		return first
	}
	mark := p.exprs.mark()
	p.exprs.push(first)
	for p.accept(tokenizer.COMMA) {
		if !p.startsExpression() {
			break
		}
		p.exprs.push(p.starExpression())
	}
	return p.newTuple(start, mark)
}

// newTuple makes a tuple of the expressions since mark.
func (p *Parser) newTuple(start int32, mark int) *ast.Tuple {
	return p.nodes.tuple.put(ast.Tuple{Range: p.from(start), Ctx: ast.Load, Elts: p.exprs.take(mark)})
}

// startsExpression reports whether the current token may begin an expression or
// *expression, so that a comma before it was no trailing one.
func (p *Parser) startsExpression() bool { return expressionStart[p.kind] }

var expressionStart = func() (table [256]bool) {
	for _, kind := range []tokenizer.Kind{
		tokenizer.NAME, tokenizer.NUMBER, tokenizer.STRING,
		tokenizer.FSTRING_START, tokenizer.TSTRING_START,
		tokenizer.LPAR, tokenizer.LSQB, tokenizer.LBRACE, tokenizer.ELLIPSIS,
		tokenizer.TILDE, tokenizer.PLUS, tokenizer.MINUS, tokenizer.STAR,
		kwFalse, kwNone, kwTrue, kwAwait, kwLambda, kwNot,
	} {
		table[kind] = true
	}
	return table
}()

// star_expression: '*' bitwise_or | expression
func (p *Parser) starExpression() ast.Expr {
	if p.kind == tokenizer.STAR {
		return p.starredBitOr()
	}
	return p.expression()
}

// starredBitOr: '*' bitwise_or
func (p *Parser) starredBitOr() ast.Expr {
	start := p.token.Start
	p.next()
	value := p.operand(precBitOr)
	return p.nodes.starred.put(ast.Starred{Range: p.from(start), Value: value})
}

// starredExpression: '*' expression, of arguments, subscripts and generators
func (p *Parser) starredExpression() *ast.Starred {
	start := p.token.Start
	p.next()
	value := p.expression()
	return p.nodes.starred.put(ast.Starred{Range: p.from(start), Value: value})
}

// isBitwiseOr reports whether an expression that begins at start is a bitwise_or: one
// with weaker operators is, too, in parentheses.
func isBitwiseOr(e ast.Expr, start int32) bool {
	if e.Bounds().Start != start {
		return true // in parentheses
	}
	switch e := e.(type) {
	case *ast.BoolOp, *ast.Compare, *ast.IfExp, *ast.Lambda:
		return false
	case *ast.UnaryOp:
		return e.Op != ast.Not
	}
	return true
}

// beginsClauses reports whether the clauses of a comprehension begin at the current
// token, which follows an element; an unpacked one only if the version allows it.
func (p *Parser) beginsClauses(unpacked bool) bool {
	return (p.kind == kwFor || p.kind == kwAsync) && (!unpacked || p.features.UnpackingComprehensions)
}

// star_named_expression: '*' bitwise_or | named_expression
func (p *Parser) starNamedExpression() ast.Expr {
	if p.kind == tokenizer.STAR {
		return p.starredBitOr()
	}
	return p.namedExpression()
}

// named_expression: NAME ':=' expression | expression !':='
func (p *Parser) namedExpression() ast.Expr {
	start := p.token.Start
	e := p.expression()
	if p.kind == tokenizer.COLONEQUAL {
		return p.assignmentExpression(start, e)
	}
	return e
}

// assignmentExpression: NAME ':=' expression, from := on
func (p *Parser) assignmentExpression(start int32, target ast.Expr) ast.Expr {
	name, is := target.(*ast.Name)
	if !is || name.Start != start {
		refuse()
	}
	name.Ctx = ast.Store
	p.next()
	value := p.expression()
	return p.nodes.namedExpr.put(ast.NamedExpr{Range: p.from(start), Target: name, Value: value})
}

// yield_expr: 'yield' 'from' expression | 'yield' [star_expressions]
func (p *Parser) yieldExpression() ast.Expr {
	start := p.token.Start
	p.next()
	if p.accept(kwFrom) {
		value := p.expression()
		return p.nodes.yieldFrom.put(ast.YieldFrom{Range: p.from(start), Value: value})
	}
	var value ast.Expr
	if p.startsExpression() {
		value = p.starExpressions()
	}
	return p.nodes.yield.put(ast.Yield{Range: p.from(start), Value: value})
}

// yieldOrStarExpressions: yield_expr | star_expressions
func (p *Parser) yieldOrStarExpressions() ast.Expr {
	if p.kind == kwYield {
		return p.yieldExpression()
	}
	return p.starExpressions()
}

// expression: disjunction ['if' disjunction 'else' expression] | lambdef
func (p *Parser) expression() ast.Expr {
	start := p.token.Start
	var e ast.Expr
	if prefix[p.kind] {
		if p.kind == kwLambda {
			return p.lambda()
		}
		e = p.unary(precOr)
	} else {
		e = p.primary()
	}
	if infix[p.kind].prec == precNone {
		return e // as most do: no more calls for a name than this and primary's
	}
	e = p.infix(start, e, precOr)
	if p.kind != kwIf {
		return e
	}
	p.next()
	test := p.operand(precOr)
	p.expect(kwElse)
	levels := p.levels
	p.deepen(1)
	if p.features.IfExpIsRule {
		p.deepen(1)
	}
	orelse := p.expression()
	p.levels = levels
	return p.nodes.ifExp.put(ast.IfExp{Range: p.from(start), Test: test, Body: e, Orelse: orelse})
}

// lambdef: 'lambda' [lambda_params] ':' expression
func (p *Parser) lambda() ast.Expr {
	start := p.token.Start
	p.next()
	p.deepen(lambdaLevels)
	args := p.parameters(tokenizer.COLON)
	p.expect(tokenizer.COLON)
	body := p.expression()
	p.levels -= lambdaLevels
	return p.nodes.lambda.put(ast.Lambda{Range: p.from(start), Args: args, Body: body})
}

// operand parses an operand with all operators of the precedence or stronger.
func (p *Parser) operand(prec uint8) ast.Expr {
	start := p.token.Start
	var e ast.Expr
	if prefix[p.kind] {
		e = p.unary(prec)
	} else {
		e = p.primary()
	}
	if infix[p.kind].prec < prec {
		return e
	}
	return p.infix(start, e, prec)
}

// prefix holds the kinds of tokens that an expression begins with and a primary does
// not.
var prefix = [256]bool{
	kwLambda: true, kwNot: true, kwAwait: true,
	tokenizer.MINUS: true, tokenizer.PLUS: true, tokenizer.TILDE: true,
}

// infix continues after the left operand that began at start.
//
//	disjunction: conjunction ('or' conjunction)*
//	conjunction: inversion ('and' inversion)*
//	comparison: bitwise_or (compare_op bitwise_or)*
//	bitwise_or: bitwise_or '|' bitwise_xor, and so on down to term
//	power: await_primary ['**' factor]
func (p *Parser) infix(start int32, left ast.Expr, prec uint8) ast.Expr {
	for {
		operator := infix[p.kind]
		switch {
		case operator.prec < prec:
			return left
		case operator.prec > precCompare:
			p.next()
			var right ast.Expr
			if operator.prec == precPower {
				p.deepen(powerLevels)
				right = p.operand(precFactor)
				p.levels -= powerLevels
			} else {
				right = p.operand(operator.prec + 1)
			}
			left = p.nodes.binOp.put(ast.BinOp{Range: p.from(start), Op: ast.Operator(operator.op), Left: left, Right: right})
		case operator.prec == precCompare:
			left = p.compare(start, left)
		default:
			kind := p.kind
			mark := p.exprs.mark()
			p.exprs.push(left)
			for p.accept(kind) {
				p.exprs.push(p.operand(operator.prec + 1))
			}
			left = p.nodes.boolOp.put(ast.BoolOp{Range: p.from(start), Op: ast.BoolOperator(operator.op), Values: p.exprs.take(mark)})
		}
	}
}

// comparison: bitwise_or (compare_op bitwise_or)+, from the first operator on
func (p *Parser) compare(start int32, left ast.Expr) ast.Expr {
	mark, markOps := p.exprs.mark(), p.operators.mark()
	for infix[p.kind].prec == precCompare {
		op, right := p.comparison()
		p.operators.push(op)
		p.exprs.push(right)
	}
	return p.nodes.compare.put(ast.Compare{Range: p.from(start), Left: left, Ops: p.operators.take(markOps), Comparators: p.exprs.take(mark)})
}

// comparison: compare_op bitwise_or
func (p *Parser) comparison() (ast.CompareOperator, ast.Expr) {
	op := ast.CompareOperator(infix[p.kind].op)
	switch p.kind {
	case kwIs:
		p.next()
		if p.accept(kwNot) {
			op = ast.IsNot
		}
	case kwNot:
		p.next()
		p.expect(kwIn)
	case tokenizer.LESS:
		p.next()
		if p.lessGreater && p.features.SplitsLessGreater && p.kind == tokenizer.GREATER && p.token.Start == p.last {
			op = ast.NotEq
			p.next()
		}
	case tokenizer.NOTEQUAL:
		// from __future__ import barry_as_FLUFL trades != for <>.
		if p.lessGreater != (p.text[p.token.Start] == '<') {
			refuse()
		}
		p.next()
	default:
		p.next()
	}
	return op, p.operand(precBitOr)
}

// unary parses an operand that begins with an operator.
//
//	inversion: 'not' inversion
//	factor: ('+' | '-' | '~') factor | power
//	await_primary: 'await' primary
func (p *Parser) unary(prec uint8) ast.Expr {
	start := p.token.Start
	var op ast.UnaryOperator
	operand := uint8(precFactor)
	switch p.kind {
	case kwNot:
		if prec > precNot {
			refuse()
		}
		op, operand = ast.Not, precNot
	case tokenizer.MINUS:
		op = ast.USub
	case tokenizer.PLUS:
		op = ast.UAdd
	case tokenizer.TILDE:
		op = ast.Invert
	case kwAwait:
		p.next()
		value := p.primary()
		return p.nodes.await.put(ast.Await{Range: p.from(start), Value: value})
	default:
		refuse() // lambda
	}
	p.next()
	p.deepen(1)
	value := p.operand(operand)
	p.levels--
	return p.nodes.unaryOp.put(ast.UnaryOp{Range: p.from(start), Op: op, Operand: value})
}

// name uses the current token, a NAME.
func (p *Parser) name(ctx ast.Context) *ast.Name {
	at, id := ast.Range{Start: p.token.Start, End: p.token.End}, p.spelled()
	p.next()
	return p.nodes.name.put(ast.Name{Range: at, ID: id, Ctx: ctx})
}

// primary: atom, then .name, (arguments), [slices] any number of times
func (p *Parser) primary() ast.Expr {
	start := p.token.Start
	var e ast.Expr
	if p.kind == tokenizer.NAME {
		e = p.name(ast.Load)
	} else {
		e = p.atom()
	}
	for {
		switch p.kind {
		case tokenizer.DOT:
			p.next()
			attr := p.identifier()
			e = p.nodes.attribute.put(ast.Attribute{Range: p.from(start), Ctx: ast.Load, Value: e, Attr: attr})
		case tokenizer.LPAR:
			args, keywords := p.arguments(true)
			e = p.nodes.call.put(ast.Call{Range: p.from(start), Func: e, Args: args, Keywords: keywords})
		case tokenizer.LSQB:
			p.open()
			slice := p.slices()
			p.close(tokenizer.RSQB)
			e = p.nodes.subscript.put(ast.Subscript{Range: p.from(start), Ctx: ast.Load, Value: e, Slice: slice})
		default:
			return e
		}
	}
}

// slices: slice !',' | ','.(slice | starred_expression)+ [',']
func (p *Parser) slices() ast.Expr {
	start := p.token.Start
	starred := p.kind == tokenizer.STAR
	first := p.slice()
	if p.kind != tokenizer.COMMA && !starred {
		return first
	}
	mark := p.exprs.mark()
	p.exprs.push(first)
	for p.accept(tokenizer.COMMA) {
		if p.kind == tokenizer.RSQB {
			break
		}
		p.exprs.push(p.slice())
	}
	return p.newTuple(start, mark)
}

// slice: [expression] ':' [expression] [':' [expression]] | named_expression
// | starred_expression
func (p *Parser) slice() ast.Expr {
	if p.kind == tokenizer.STAR && p.features.PEP646 {
		return p.starredExpression()
	}
	start := p.token.Start
	var lower, upper, step ast.Expr
	if p.kind != tokenizer.COLON {
		lower = p.expression()
		if p.kind == tokenizer.COLONEQUAL {
			return p.assignmentExpression(start, lower)
		}
		if p.kind != tokenizer.COLON {
			return lower
		}
	}
	p.next()
	if p.startsExpression() {
		upper = p.expression()
	}
	if p.accept(tokenizer.COLON) && p.startsExpression() {
		step = p.expression()
	}
	return p.nodes.slice.put(ast.Slice{Range: p.from(start), Lower: lower, Upper: upper, Step: step})
}

// arguments: '(' [args [',']] ')', or with generator set also genexp
//
//	args: ','.(starred_expression | named_expression !'=')+ [',' kwargs] | kwargs
//	kwargs: ','.(NAME '=' expression | starred_expression)+
//	        then ','.(NAME '=' expression | '**' expression)+
func (p *Parser) arguments(generator bool) ([]ast.Expr, []*ast.Keyword) {
	open := p.token.Start
	p.open()
	mark := p.exprs.mark()
	markKeywords := p.keywords.mark()
	keywords, unpacked := false, false // name=value and **mapping were seen
	for p.kind != tokenizer.RPAR {
		start := p.token.Start
		switch p.kind {
		case tokenizer.STAR:
			if unpacked {
				refuse()
			}
			e := p.starredExpression()
			if generator && p.exprs.mark() == mark && p.keywords.mark() == markKeywords && p.beginsClauses(true) {
				return p.exprs.one(p.generator(open, e)), nil
			}
			p.exprs.push(e)
		case tokenizer.DOUBLESTAR:
			unpacked = true
			p.next()
			value := p.expression()
			p.pushKeyword(start, "", value)
		default:
			e := p.expression()
			if p.kind == tokenizer.EQUAL {
				name, is := e.(*ast.Name)
				if !is || name.Start != start {
					refuse()
				}
				keywords = true
				p.next()
				value := p.expression()
				p.pushKeyword(start, name.ID, value)
				break
			}
			if keywords || unpacked {
				refuse()
			}
			if p.kind == tokenizer.COLONEQUAL {
				e = p.assignmentExpression(start, e)
			}
			if p.kind == kwFor || p.kind == kwAsync {
				if !generator || p.exprs.mark() != mark {
					refuse()
				}
				return p.exprs.one(p.generator(open, e)), nil
			}
			if p.kind == tokenizer.RPAR && p.exprs.mark() == mark {
				p.close(tokenizer.RPAR)
				return p.exprs.one(e), nil
			}
			p.exprs.push(e)
		}
		if !p.accept(tokenizer.COMMA) {
			break
		}
	}
	p.close(tokenizer.RPAR)
	return p.exprs.take(mark), p.keywords.take(markKeywords)
}

// generator: for_if_clauses ')', after the element of a genexp that began at start
func (p *Parser) generator(start int32, element ast.Expr) ast.Expr {
	generators := p.comprehensionClauses()
	p.close(tokenizer.RPAR)
	return p.nodes.generatorExp.put(ast.GeneratorExp{Range: p.from(start), Elt: element, Generators: generators})
}

func (p *Parser) pushKeyword(start int32, name string, value ast.Expr) {
	p.keywords.push(p.nodes.keyword.put(ast.Keyword{Range: p.from(start), Arg: name, Value: value}))
}

// atom: NAME | 'True' | 'False' | 'None' | strings | NUMBER | '...'
// | (tuple | group | genexp) | (list | listcomp)
// | (dict | set | dictcomp | setcomp)
//
// A NAME is left to primary.
func (p *Parser) atom() ast.Expr {
	switch p.kind {
	case tokenizer.STRING, tokenizer.FSTRING_START, tokenizer.TSTRING_START:
		return p.stringLiterals()
	case tokenizer.NUMBER:
		return p.number()
	case tokenizer.LPAR:
		return p.parenthesized()
	case tokenizer.LSQB:
		return p.list()
	case tokenizer.LBRACE:
		return p.braces()
	case kwNone:
		return p.singleton(ast.None)
	case kwTrue:
		return p.singleton(ast.True)
	case kwFalse:
		return p.singleton(ast.False)
	case tokenizer.ELLIPSIS:
		return p.singleton(ast.Ellipsis)
	}
	refuse()
	return nil
}

// singleton uses the current token: None, True, False or an ellipsis.
func (p *Parser) singleton(kind ast.ConstantType) ast.Expr {
	start := p.token.Start
	p.next()
	return p.nodes.constant.put(ast.Constant{Range: p.from(start), Type: kind})
}

// parenthesized parses an expression that begins with a parenthesis:
//
//	tuple: '(' [star_named_expression ',' [star_named_expressions]] ')'
//	group: '(' (yield_expr | named_expression) ')'
//	genexp: '(' (named_expression | starred_expression) for_if_clauses ')'
func (p *Parser) parenthesized() ast.Expr {
	start := p.token.Start
	p.open()
	mark := p.exprs.mark()
	switch p.kind {
	case tokenizer.RPAR:
		p.close(tokenizer.RPAR)
		return p.newTuple(start, mark)
	case kwYield:
		e := p.yieldExpression()
		p.close(tokenizer.RPAR)
		return e
	}
	var first ast.Expr
	unpacked := p.kind == tokenizer.STAR
	if unpacked {
		valueStart := p.tokens[p.after(p.pos)].Start
		starred := p.starredExpression()
		if p.kind == tokenizer.COMMA && !isBitwiseOr(starred.Value, valueStart) {
			refuse()
		}
		first = starred
	} else {
		first = p.namedExpression()
	}
	if p.kind == tokenizer.COMMA {
		p.exprs.push(first)
		p.moreElements(tokenizer.RPAR)
		p.close(tokenizer.RPAR)
		return p.newTuple(start, mark)
	}
	if p.beginsClauses(unpacked) {
		return p.generator(start, first)
	}
	if unpacked {
		refuse()
	}
	p.close(tokenizer.RPAR)
	return first
}

// moreElements: (',' star_named_expression)* [','], up to the closing bracket
func (p *Parser) moreElements(closer tokenizer.Kind) {
	for p.accept(tokenizer.COMMA) {
		if p.kind == closer {
			break
		}
		p.exprs.push(p.starNamedExpression())
	}
}

// list: '[' [star_named_expressions] ']'
// listcomp: '[' star_named_expression for_if_clauses ']'
func (p *Parser) list() ast.Expr {
	start := p.token.Start
	p.open()
	mark := p.exprs.mark()
	if p.kind != tokenizer.RSQB {
		unpacked := p.kind == tokenizer.STAR
		first := p.starNamedExpression()
		if p.beginsClauses(unpacked) {
			generators := p.comprehensionClauses()
			p.close(tokenizer.RSQB)
			return p.nodes.listComp.put(ast.ListComp{Range: p.from(start), Elt: first, Generators: generators})
		}
		p.exprs.push(first)
		p.moreElements(tokenizer.RSQB)
	}
	p.close(tokenizer.RSQB)
	return p.nodes.list.put(ast.List{Range: p.from(start), Ctx: ast.Load, Elts: p.exprs.take(mark)})
}

// braces parses an expression that begins with a brace:
//
//	dict: '{' [','.(expression ':' expression | '**' bitwise_or)+ [',']] '}'
//	dictcomp: '{' (expression ':' expression | '**' expression) for_if_clauses '}'
//	set: '{' star_named_expressions '}'
//	setcomp: '{' star_named_expression for_if_clauses '}'
func (p *Parser) braces() ast.Expr {
	start := p.token.Start
	p.open()
	if p.kind == tokenizer.RBRACE || p.kind == tokenizer.DOUBLESTAR {
		return p.dict(start, nil)
	}
	unpacked := p.kind == tokenizer.STAR
	firstStart := p.token.Start
	var first ast.Expr
	if unpacked {
		first = p.starredBitOr()
	} else {
		first = p.expression()
		if p.kind == tokenizer.COLON {
			return p.dict(start, first)
		}
		if p.kind == tokenizer.COLONEQUAL {
			first = p.assignmentExpression(firstStart, first)
		}
	}
	if p.beginsClauses(unpacked) {
		generators := p.comprehensionClauses()
		p.close(tokenizer.RBRACE)
		return p.nodes.setComp.put(ast.SetComp{Range: p.from(start), Elt: first, Generators: generators})
	}
	mark := p.exprs.mark()
	p.exprs.push(first)
	p.moreElements(tokenizer.RBRACE)
	p.close(tokenizer.RBRACE)
	return p.nodes.set.put(ast.Set{Range: p.from(start), Elts: p.exprs.take(mark)})
}

// dict continues after the brace and, if it is not nil, the first key.
func (p *Parser) dict(start int32, key ast.Expr) ast.Expr {
	// Keys and values alternate on the stack, and are parted at the end.
	mark := p.exprs.mark()
	for p.kind != tokenizer.RBRACE {
		if key == nil && p.accept(tokenizer.DOUBLESTAR) {
			valueStart := p.token.Start
			value := p.expression()
			if p.exprs.mark() == mark && p.beginsClauses(true) {
				return p.dictComp(start, value, nil)
			}
			if !isBitwiseOr(value, valueStart) {
				refuse()
			}
			p.exprs.push(nil)
			p.exprs.push(value)
		} else {
			if key == nil {
				key = p.expression()
			}
			p.expect(tokenizer.COLON)
			value := p.expression()
			if p.exprs.mark() == mark && p.beginsClauses(false) {
				return p.dictComp(start, key, value)
			}
			p.exprs.push(key)
			p.exprs.push(value)
			key = nil
		}
		if !p.accept(tokenizer.COMMA) {
			break
		}
	}
	p.close(tokenizer.RBRACE)
	pairs := p.exprs.take(mark)
	size := len(pairs) / 2
	for i := range size {
		p.exprs.push(pairs[2*i+1])
	}
	values := p.exprs.take(mark)
	for i := range size {
		pairs[i] = pairs[2*i]
	}
	return p.nodes.dict.put(ast.Dict{Range: p.from(start), Keys: pairs[:size:size], Values: values})
}

// dictComp: for_if_clauses '}', after the element of a dictcomp that began at start
func (p *Parser) dictComp(start int32, key, value ast.Expr) ast.Expr {
	generators := p.comprehensionClauses()
	p.close(tokenizer.RBRACE)
	return p.nodes.dictComp.put(ast.DictComp{Range: p.from(start), Key: key, Value: value, Generators: generators})
}

// for_if_clauses: (['async'] 'for' star_targets 'in' disjunction ('if'
// disjunction)*)+
func (p *Parser) comprehensionClauses() []*ast.Comprehension {
	mark := p.comprehensions.mark()
	for p.kind == kwFor || p.kind == kwAsync {
		start := p.token.Start
		async := p.accept(kwAsync)
		p.expect(kwFor)
		target := p.starTargets()
		p.expect(kwIn)
		iter := p.operand(precOr)
		markIfs := p.exprs.mark()
		for p.accept(kwIf) {
			p.exprs.push(p.operand(precOr))
		}
		p.comprehensions.push(p.nodes.comprehension.put(ast.Comprehension{Range: p.from(start), Target: target, Iter: iter, Ifs: p.exprs.take(markIfs), IsAsync: async}))
	}
	return p.comprehensions.take(mark)
}
