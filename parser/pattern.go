package parser

import (
	"codelinter/ast"
	"codelinter/tokenizer"
)

// isMatch reports whether the line that begins with the name match is a match
// statement: it ends in a colon and an indented case follows. Nothing else that
// begins with a name ends in a colon.
//
//	match(x, y)
//	match[x]: int = y
//	match (x):
//	    case y: pass
func (p *Parser) isMatch() bool {
	if next := p.tokens[p.after(p.pos)]; !expressionStart[next.Kind+keywordKind[next.Keyword]] {
		return false // match = 1, match.x
	}
	i := p.pos
	colon := false
	for {
		i = p.after(i)
		switch p.tokens[i].Kind {
		case tokenizer.NEWLINE:
			if !colon {
				return false
			}
			i = p.after(i)
			if p.tokens[i].Kind != tokenizer.INDENT {
				return false
			}
			return p.tokens[p.after(i)].Keyword == tokenizer.Case
		case tokenizer.COLON:
			colon = true
		case tokenizer.ENDMARKER:
			return false
		default:
			colon = false
		}
	}
}

// match_stmt: "match" subject_expr ':' NEWLINE INDENT case_block+ DEDENT
//
//	subject_expr: star_named_expression ',' [star_named_expressions] | named_expression
//	case_block: "case" patterns ['if' named_expression] block
func (p *Parser) matchStatement() {
	start := p.token.Start
	p.next()
	subjectStart := p.token.Start
	starred := p.kind == tokenizer.STAR
	subject := p.starNamedExpression()
	if p.kind == tokenizer.COMMA {
		mark := p.exprs.mark()
		p.exprs.push(subject)
		p.moreElements(tokenizer.COLON)
		subject = p.newTuple(subjectStart, mark)
	} else if starred {
		refuse()
	}
	p.expect(tokenizer.COLON)
	if p.kind != tokenizer.NEWLINE {
		refuse()
	}
	p.skip()
	if p.kind != tokenizer.INDENT {
		refuse()
	}
	p.skip()
	p.deepen(blockLevels)
	mark := p.cases.mark()
	for p.kind != tokenizer.DEDENT {
		caseStart := p.token.Start
		if p.token.Keyword != tokenizer.Case {
			refuse()
		}
		p.next()
		pattern := p.openPattern(p.token.Start)
		var guard ast.Expr
		if p.accept(kwIf) {
			guard = p.namedExpression()
		}
		body := p.block()
		p.cases.push(p.nodes.matchCase.put(ast.MatchCase{Range: p.from(caseStart), Pattern: pattern, Guard: guard, Body: body}))
	}
	p.levels -= blockLevels
	if !p.stopped {
		p.skip()
	}
	p.stmts.push(p.nodes.match.put(ast.Match{Range: p.from(start), Subject: subject, Cases: p.cases.take(mark)}))
}

// patterns: open_sequence_pattern | pattern
//
// A sequence begins at start.
func (p *Parser) openPattern(start int32) ast.Pattern {
	starred := p.kind == tokenizer.STAR
	first := p.maybeStarPattern()
	if p.kind != tokenizer.COMMA {
		if starred {
			refuse()
		}
		return first
	}
	return p.sequencePattern(start, first)
}

// sequencePattern: (',' maybe_star_pattern)* [','], after the first pattern
func (p *Parser) sequencePattern(start int32, first ast.Pattern) *ast.MatchSequence {
	mark := p.patterns.mark()
	p.patterns.push(first)
	for p.accept(tokenizer.COMMA) {
		switch p.kind {
		case tokenizer.COLON, kwIf, tokenizer.RPAR, tokenizer.RSQB:
		default:
			p.patterns.push(p.maybeStarPattern())
			continue
		}
		break
	}
	return p.nodes.matchSequence.put(ast.MatchSequence{Range: p.from(start), Patterns: p.patterns.take(mark)})
}

// maybe_star_pattern: '*' NAME | pattern
func (p *Parser) maybeStarPattern() ast.Pattern {
	start := p.token.Start
	if !p.accept(tokenizer.STAR) {
		return p.pattern()
	}
	name := ""
	if p.token.Keyword == tokenizer.Underscore {
		p.next()
	} else {
		name = p.captureTarget()
	}
	return p.nodes.matchStar.put(ast.MatchStar{Range: p.from(start), Name: name})
}

// pattern_capture_target: !"_" NAME !('.' | '(' | '=')
func (p *Parser) captureTarget() string {
	if p.token.Keyword == tokenizer.Underscore {
		refuse()
	}
	name := p.identifier()
	switch p.kind {
	case tokenizer.DOT, tokenizer.LPAR, tokenizer.EQUAL:
		refuse()
	}
	return name
}

// pattern: '|'.closed_pattern+ ['as' NAME]
func (p *Parser) pattern() ast.Pattern {
	start := p.token.Start
	pattern := p.closedPattern()
	if p.kind == tokenizer.VBAR {
		mark := p.patterns.mark()
		p.patterns.push(pattern)
		for p.accept(tokenizer.VBAR) {
			p.patterns.push(p.closedPattern())
		}
		pattern = p.nodes.matchOr.put(ast.MatchOr{Range: p.from(start), Patterns: p.patterns.take(mark)})
	}
	if p.accept(kwAs) {
		name := p.captureTarget()
		pattern = p.nodes.matchAs.put(ast.MatchAs{Range: p.from(start), Pattern: pattern, Name: name})
	}
	return pattern
}

// closed_pattern: literal_pattern | capture_pattern | wildcard_pattern
// | value_pattern | group_pattern | sequence_pattern | mapping_pattern
// | class_pattern
func (p *Parser) closedPattern() ast.Pattern {
	start := p.token.Start
	switch p.kind {
	case tokenizer.NAME:
		return p.namePattern()
	case kwNone:
		return p.matchSingleton(ast.None)
	case kwTrue:
		return p.matchSingleton(ast.True)
	case kwFalse:
		return p.matchSingleton(ast.False)
	case tokenizer.LPAR:
		// '(' pattern ')' | '(' [open_sequence_pattern] ')'
		p.open()
		if p.kind == tokenizer.RPAR {
			p.close(tokenizer.RPAR)
			return p.nodes.matchSequence.put(ast.MatchSequence{Range: p.from(start)})
		}
		pattern := p.openPattern(noStart)
		p.close(tokenizer.RPAR)
		if pattern, is := pattern.(*ast.MatchSequence); is && pattern.Start == noStart {
			pattern.Range = p.from(start)
		}
		return pattern
	case tokenizer.LSQB:
		// '[' [maybe_sequence_pattern] ']'
		p.open()
		if p.kind == tokenizer.RSQB {
			p.close(tokenizer.RSQB)
			return p.nodes.matchSequence.put(ast.MatchSequence{Range: p.from(start)})
		}
		n := p.sequencePattern(start, p.maybeStarPattern())
		p.close(tokenizer.RSQB)
		n.End = p.last
		return n
	case tokenizer.LBRACE:
		return p.mappingPattern()
	}
	value := p.patternLiteral()
	return p.nodes.matchValue.put(ast.MatchValue{Range: p.from(start), Value: value})
}

// noStart marks a sequence whose range its parentheses will give.
const noStart = -1

func (p *Parser) matchSingleton(kind ast.ConstantType) ast.Pattern {
	start := p.token.Start
	p.next()
	return p.nodes.matchSingleton.put(ast.MatchSingleton{Range: p.from(start), Value: kind})
}

// namePattern parses the patterns that begin with a name:
//
//	capture_pattern: NAME
//	wildcard_pattern: "_"
//	value_pattern: NAME ('.' NAME)+
//	class_pattern: NAME ('.' NAME)* '(' ... ')'
func (p *Parser) namePattern() ast.Pattern {
	start := p.token.Start
	wildcard := p.token.Keyword == tokenizer.Underscore
	name := p.name(ast.Load)
	if wildcard {
		return p.nodes.matchAs.put(ast.MatchAs{Range: p.from(start)})
	}
	if p.kind != tokenizer.DOT && p.kind != tokenizer.LPAR {
		if p.kind == tokenizer.EQUAL {
			refuse()
		}
		return p.nodes.matchAs.put(ast.MatchAs{Range: p.from(start), Name: name.ID})
	}
	value := p.attributes(start, name)
	if p.kind == tokenizer.LPAR {
		return p.classPattern(start, value)
	}
	if p.kind == tokenizer.EQUAL {
		refuse()
	}
	return p.nodes.matchValue.put(ast.MatchValue{Range: p.from(start), Value: value})
}

// attributes: ('.' NAME)*, after a name
func (p *Parser) attributes(start int32, value ast.Expr) ast.Expr {
	for p.accept(tokenizer.DOT) {
		attr := p.identifier()
		value = p.nodes.attribute.put(ast.Attribute{Range: p.from(start), Ctx: ast.Load, Value: value, Attr: attr})
	}
	return value
}

// class_pattern: name_or_attr '(' [','.pattern+] [','.(NAME '=' pattern)+]
// [','] ')'
func (p *Parser) classPattern(start int32, class ast.Expr) ast.Pattern {
	p.open()
	mark, markNames := p.patterns.mark(), p.strings.mark()
	var positional []ast.Pattern
	keywords := false
	for p.kind != tokenizer.RPAR {
		if p.kind == tokenizer.NAME && p.peek() == tokenizer.EQUAL {
			if !keywords {
				if p.token.Keyword == tokenizer.Underscore && p.patterns.mark() > mark {
					refuse() // A(b, _=c): the _ is a pattern, the second of all
				}
				keywords = true
				positional = p.patterns.take(mark)
			}
			p.strings.push(p.identifier())
			p.next()
		} else if keywords {
			refuse()
		}
		p.patterns.push(p.pattern())
		if !p.accept(tokenizer.COMMA) {
			break
		}
	}
	p.close(tokenizer.RPAR)
	n := p.nodes.matchClass.put(ast.MatchClass{Range: p.from(start), Cls: class, Patterns: positional, KwdAttrs: p.strings.take(markNames)})
	if keywords {
		n.KwdPatterns = p.patterns.take(mark)
	} else {
		n.Patterns = p.patterns.take(mark)
	}
	return n
}

// mapping_pattern: '{' [','.(key ':' pattern)+] [',' '**' NAME] [','] '}'
// key: literal_expr | NAME ('.' NAME)+
func (p *Parser) mappingPattern() ast.Pattern {
	start := p.token.Start
	p.open()
	mark, markKeys := p.patterns.mark(), p.exprs.mark()
	rest := ""
	for p.kind != tokenizer.RBRACE {
		if p.accept(tokenizer.DOUBLESTAR) {
			rest = p.captureTarget()
			p.accept(tokenizer.COMMA)
			break
		}
		p.exprs.push(p.patternKey())
		p.expect(tokenizer.COLON)
		p.patterns.push(p.pattern())
		if !p.accept(tokenizer.COMMA) {
			break
		}
	}
	p.close(tokenizer.RBRACE)
	return p.nodes.matchMapping.put(ast.MatchMapping{Range: p.from(start), Keys: p.exprs.take(markKeys), Patterns: p.patterns.take(mark), Rest: rest})
}

// key: literal_expr | attr
func (p *Parser) patternKey() ast.Expr {
	switch p.kind {
	case kwNone:
		return p.singleton(ast.None)
	case kwTrue:
		return p.singleton(ast.True)
	case kwFalse:
		return p.singleton(ast.False)
	case tokenizer.NAME:
		name := p.name(ast.Load)
		if p.kind != tokenizer.DOT {
			refuse()
		}
		return p.attributes(name.Start, name)
	}
	return p.patternLiteral()
}

// patternLiteral: strings | signed_number !('+' | '-') | complex_number
//
//	signed_number: ['+' | '-'] NUMBER
//	complex_number: ['+' | '-'] real_number ('+' | '-') imaginary_number
func (p *Parser) patternLiteral() ast.Expr {
	start := p.token.Start
	if p.kind.IsStringPart() {
		return p.stringLiterals()
	}
	sign := p.kind
	signed := sign == tokenizer.MINUS || sign == tokenizer.PLUS && p.features.PositivePatterns
	if signed {
		p.next()
	}
	var value ast.Expr
	number := p.patternNumber()
	value = number
	if signed {
		op := ast.USub
		if sign == tokenizer.PLUS {
			op = ast.UAdd
		}
		value = p.nodes.unaryOp.put(ast.UnaryOp{Range: p.from(start), Op: op, Operand: number})
	}
	op := ast.Add
	switch p.kind {
	case tokenizer.PLUS:
	case tokenizer.MINUS:
		op = ast.Sub
	default:
		return value
	}
	p.next()
	imaginary := p.patternNumber()
	if number.Type == ast.Complex || imaginary.Type != ast.Complex {
		refuse()
	}
	return p.nodes.binOp.put(ast.BinOp{Range: p.from(start), Op: op, Left: value, Right: imaginary})
}

func (p *Parser) patternNumber() *ast.Constant {
	if p.kind != tokenizer.NUMBER {
		refuse()
	}
	return p.number()
}
