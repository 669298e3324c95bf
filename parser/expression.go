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
	n := p.nodes.tuple.new()
	n.Range, n.Ctx, n.Elts = p.from(start), ast.Load, p.exprs.take(mark)
	return n
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
	n := p.nodes.starred.new()
	*n = ast.Starred{Range: p.from(start), Value: value}
	return n
}

// starredExpression: '*' expression, of arguments, subscripts and generators
func (p *Parser) starredExpression() *ast.Starred {
	start := p.token.Start
	p.next()
	value := p.expression()
	n := p.nodes.starred.new()
	*n = ast.Starred{Range: p.from(start), Value: value}
	return n
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
	n := p.nodes.namedExpr.new()
	*n = ast.NamedExpr{Range: p.from(start), Target: name, Value: value}
	return n
}

// yield_expr: 'yield' 'from' expression | 'yield' [star_expressions]
func (p *Parser) yieldExpression() ast.Expr {
	start := p.token.Start
	p.next()
	if p.accept(kwFrom) {
		value := p.expression()
		n := p.nodes.yieldFrom.new()
		*n = ast.YieldFrom{Range: p.from(start), Value: value}
		return n
	}
	var value ast.Expr
	if p.startsExpression() {
		value = p.starExpressions()
	}
	n := p.nodes.yield.new()
	*n = ast.Yield{Range: p.from(start), Value: value}
	return n
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
	n := p.nodes.ifExp.new()
	n.Range, n.Test, n.Body, n.Orelse = p.from(start), test, e, orelse
	return n
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
	n := p.nodes.lambda.new()
	*n = ast.Lambda{Range: p.from(start), Args: args, Body: body}
	return n
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
			n := p.nodes.binOp.new()
			n.Range, n.Op, n.Left, n.Right = p.from(start), ast.Operator(operator.op), left, right
			left = n
		case operator.prec == precCompare:
			left = p.compare(start, left)
		default:
			kind := p.kind
			mark := p.exprs.mark()
			p.exprs.push(left)
			for p.accept(kind) {
				p.exprs.push(p.operand(operator.prec + 1))
			}
			n := p.nodes.boolOp.new()
			n.Range, n.Op, n.Values = p.from(start), ast.BoolOperator(operator.op), p.exprs.take(mark)
			left = n
		}
	}
}

// comparison: bitwise_or (compare_op bitwise_or)+, from the first operator on
func (p *Parser) compare(start int32, left ast.Expr) ast.Expr {
	op, right := p.comparison()
	n := p.nodes.compare.new()
	if infix[p.kind].prec != precCompare { // nearly always
		n.Range, n.Left, n.Ops, n.Comparators = p.from(start), left, p.operators.one(op), p.exprs.one(right)
		return n
	}
	mark := p.exprs.mark()
	markOps := p.operators.mark()
	p.operators.push(op)
	p.exprs.push(right)
	for infix[p.kind].prec == precCompare {
		op, right := p.comparison()
		p.operators.push(op)
		p.exprs.push(right)
	}
	n.Range, n.Left, n.Ops, n.Comparators = p.from(start), left, p.operators.take(markOps), p.exprs.take(mark)
	return n
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
		n := p.nodes.await.new()
		*n = ast.Await{Range: p.from(start), Value: value}
		return n
	default:
		refuse() // lambda
	}
	p.next()
	p.deepen(1)
	value := p.operand(operand)
	p.levels--
	n := p.nodes.unaryOp.new()
	n.Range, n.Op, n.Operand = p.from(start), op, value
	return n
}

// primary: atom, then .name, (arguments), [slices] any number of times
func (p *Parser) primary() ast.Expr {
	start := p.token.Start
	var e ast.Expr
	if p.kind == tokenizer.NAME {
		n := p.nodes.name.new()
		n.Range, n.Ctx = ast.Range{Start: start, End: p.token.End}, ast.Load
		if p.token.Flags&tokenizer.NonASCII == 0 {
			n.ID = p.text[start:p.token.End]
			p.next()
		} else {
			n.ID = p.identifierBeyondASCII()
		}
		e = n
	} else {
		e = p.atom()
	}
	for {
		switch p.kind {
		case tokenizer.DOT:
			p.next()
			attr := p.identifier()
			n := p.nodes.attribute.new()
			n.Range, n.Ctx, n.Value, n.Attr = p.from(start), ast.Load, e, attr
			e = n
		case tokenizer.LPAR:
			args, keywords := p.arguments(true)
			n := p.nodes.call.new()
			n.Range, n.Func, n.Args, n.Keywords = p.from(start), e, args, keywords
			e = n
		case tokenizer.LSQB:
			p.open()
			slice := p.slices()
			p.close(tokenizer.RSQB)
			n := p.nodes.subscript.new()
			n.Range, n.Ctx, n.Value, n.Slice = p.from(start), ast.Load, e, slice
			e = n
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
	n := p.nodes.slice.new()
	*n = ast.Slice{Range: p.from(start), Lower: lower, Upper: upper, Step: step}
	return n
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
	n := p.nodes.generatorExp.new()
	*n = ast.GeneratorExp{Range: p.from(start), Elt: element, Generators: generators}
	return n
}

func (p *Parser) pushKeyword(start int32, name string, value ast.Expr) {
	n := p.nodes.keyword.new()
	n.Range, n.Arg, n.Value = p.from(start), name, value
	p.keywords.push(n)
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
	n := p.nodes.constant.new()
	n.Range, n.Type, n.Unicode, n.Text = p.from(start), kind, false, ""
	return n
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
			n := p.nodes.listComp.new()
			*n = ast.ListComp{Range: p.from(start), Elt: first, Generators: generators}
			return n
		}
		p.exprs.push(first)
		p.moreElements(tokenizer.RSQB)
	}
	p.close(tokenizer.RSQB)
	n := p.nodes.list.new()
	n.Range, n.Ctx, n.Elts = p.from(start), ast.Load, p.exprs.take(mark)
	return n
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
		n := p.nodes.setComp.new()
		*n = ast.SetComp{Range: p.from(start), Elt: first, Generators: generators}
		return n
	}
	mark := p.exprs.mark()
	p.exprs.push(first)
	p.moreElements(tokenizer.RBRACE)
	p.close(tokenizer.RBRACE)
	n := p.nodes.set.new()
	*n = ast.Set{Range: p.from(start), Elts: p.exprs.take(mark)}
	return n
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
	n := p.nodes.dict.new()
	n.Range, n.Keys, n.Values = p.from(start), pairs[:size:size], values
	return n
}

// dictComp: for_if_clauses '}', after the element of a dictcomp that began at start
func (p *Parser) dictComp(start int32, key, value ast.Expr) ast.Expr {
	generators := p.comprehensionClauses()
	p.close(tokenizer.RBRACE)
	n := p.nodes.dictComp.new()
	*n = ast.DictComp{Range: p.from(start), Key: key, Value: value, Generators: generators}
	return n
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
		n := p.nodes.comprehension.new()
		*n = ast.Comprehension{Range: p.from(start), Target: target, Iter: iter, Ifs: p.exprs.take(markIfs), IsAsync: async}
		p.comprehensions.push(n)
	}
	return p.comprehensions.take(mark)
}
