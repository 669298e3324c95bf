package parser

import (
	"strings"
	"unsafe"

	"codelinter/ast"
	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// Before 3.12, an f-string of CPython is one STRING. Each of its expressions is a text of its own,
// which CPython puts in parentheses and gives to a second parser. Here the tokens of such a text
// have their offsets in the file. The added parentheses have the offsets of the characters around
// the expression:
//
//	f'{a, b}'    parsed as (a, b), a Tuple from { to }
//
// CPython adds the column of the parenthesis to the columns of tokens that end in the first row. It
// adds nothing to a string that only begins in that row. So such a string, and its own fields in
// that row, are too far to the left.
//
// In the tree, fields and the text between them have the position of all adjacent strings together.

// isFormatted reports whether the STRING token at index i is an f-string.
func (p *Parser) isFormatted(i int) bool {
	text := p.text[p.tokens[i].Start:p.tokens[i].End]
	for j := range 2 {
		switch text[j] {
		case 'f', 'F':
			return true
		case '\'', '"':
			return false
		}
	}
	return false
}

// formattedStrings: STRING+, of which at least one is an f-string.
func (p *Parser) formattedStrings() ast.Expr {
	start := p.token.Start
	whole := ast.Range{Start: start, End: p.token.End}
	for i := p.after(p.pos); p.tokens[i].Kind == tokenizer.STRING; i = p.after(i) {
		whole.End = p.tokens[i].End
	}
	mark := len(p.parts)
	for p.kind == tokenizer.STRING {
		if p.isFormatted(p.pos) {
			p.formattedString(whole)
			continue
		}
		text, isBytes := p.literal()
		if isBytes {
			refuse()
		}
		p.parts = append(p.parts, part{Range: whole, text: text, plain: true})
	}
	values := p.joinParts(mark)
	return p.nodes.joinedStr.put(ast.JoinedStr{Range: whole, Values: values})
}

// formattedString uses the current token, an f-string, and pushes its parts.
func (p *Parser) formattedString(whole ast.Range) {
	token := p.token
	literal := pytext.ParseLiteral(p.text[token.Start:token.End])
	quotes := 1
	if body := int(token.End-token.Start) - len(literal.Body); body >= len(`f""""""`) {
		quotes = 3
	}
	end := int(token.End) - quotes
	f := pytext.NewFString(p.text, end-len(literal.Body), end, literal.Raw)
	p.next()
	p.formattedBody(&f, token, whole, literal.Raw)
}

// formattedBody pushes the parts of an f-string's body, or of a format spec.
func (p *Parser) formattedBody(f *pytext.FString, token tokenizer.Token, whole ast.Range, raw bool) {
	for {
		start, end, again, ok := f.Literal()
		if !ok {
			refuse()
		}
		text := p.text[start:end]
		if !raw && strings.IndexByte(text, '\\') >= 0 {
			text = p.unescape(text, false)
		}
		p.parts = append(p.parts, part{Range: whole, text: text, plain: true})
		if again {
			continue
		}
		if !f.More() {
			return
		}
		p.formattedField(f, token, whole, raw)
	}
}

// formattedField pushes the parts that a field makes.
func (p *Parser) formattedField(f *pytext.FString, token tokenizer.Token, whole ast.Range, raw bool) {
	start, end, ok := f.Expression()
	if !ok {
		refuse()
	}
	value := p.fieldExpression(token, start, end)
	debug, letter, spec, ok := f.Rest()
	if !ok {
		refuse()
	}
	conversion := int8(-1)
	if letter != 0 {
		conversion = int8(letter)
	}
	var formatSpec ast.Expr
	if spec {
		mark := len(p.parts)
		p.formattedBody(f, token, whole, raw)
		if !f.EndSpec() {
			refuse()
		}
		values := p.joinParts(mark)
		own := ast.Range{Start: token.Start, End: token.End}
		if n := len(values); n > 0 {
			if last, is := values[n-1].(*ast.Constant); is {
				last.Range, last.Unicode = own, false
			}
		}
		formatSpec = p.nodes.joinedStr.put(ast.JoinedStr{Range: own, Values: values})
	}
	if !f.Close() {
		refuse()
	}
	if debug != 0 {
		p.parts = append(p.parts, part{Range: whole, text: p.text[start:debug], plain: true})
		if letter == 0 && formatSpec == nil {
			conversion = 'r'
		}
	}
	field := p.nodes.formattedValue.put(ast.FormattedValue{Range: whole, Conversion: conversion, Value: value, FormatSpec: formatSpec})
	p.parts = append(p.parts, part{field: field})
}

// fieldExpression parses the expression at text[start:end] of a field of the
// f-string token.
//
//	fstring_expression: star_expressions
func (p *Parser) fieldExpression(token tokenizer.Token, start, end int) ast.Expr {
	p.fieldText = append(append(append(p.fieldText[:0], '('), p.text[start:end]...), ')')
	tokens, err := p.fields.Tokenize(unsafe.String(&p.fieldText[0], len(p.fieldText)), tokenizer.Options{Target: p.features.Version, ForParser: true})
	if err != nil {
		refuse()
	}
	mark := len(p.fieldTokens)
	p.fieldTokens = append(p.fieldTokens, tokens...)
	inner := p.fieldTokens[mark:]
	rowEnd := int32(start + strings.IndexByte(p.text[start:end], '\n'))
	unshifted := rowEnd // from here to rowEnd the columns are the text's own
	for i := range inner {
		inner[i].Start += int32(start) - 1
		inner[i].End += int32(start) - 1
		if inner[i].Kind == tokenizer.STRING && inner[i].Start < rowEnd && rowEnd < inner[i].End {
			unshifted = inner[i].Start
		}
	}
	// If the expression begins in the next line, CPython places its opening parenthesis at the
	// beginning of the row, or of the f-string in its first row.
	if blanks := strings.TrimLeft(p.text[start:end], " \t\f"); blanks != "" && blanks[0] == '\n' {
		inner[0].Start = token.Start
		if row := strings.LastIndexByte(p.text[token.Start:start], '\n'); row >= 0 {
			inner[0].Start += int32(row) + 1
		}
	}

	outer, pos, last := p.tokens, p.pos, p.last
	levels := p.levels
	p.tokens, p.pos, p.levels = inner, -1, 0
	p.skip()
	value := p.starExpressions()
	if p.kind != tokenizer.NEWLINE {
		refuse()
	}
	p.tokens, p.levels = outer, levels
	p.back(pos, last)
	p.fieldTokens = p.fieldTokens[:mark]
	if unshifted < rowEnd {
		line := strings.LastIndexByte(p.text[:start], '\n') + 1
		ast.Shift(value, unshifted, rowEnd, int32(line-(start-1)))
	}
	return value
}
