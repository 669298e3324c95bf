package parser

import (
	"strings"
	"unsafe"

	"codelinter/ast"
	"codelinter/tokenizer"
)

// Strings are joined as CPython joins them, which shows in the tree: 'a' f'b{c}'
// 'd' is one JoinedStr of a Constant 'ab', a field and a Constant 'd', and that
// first Constant reaches from the first literal's first quote to the b. So
// literals are taken apart into parts, plain text and fields, and neighbours
// of plain text are joined.

// A part of string literals that stand next to each other.
type part struct {
	ast.Range
	text  string   // of plain text
	field ast.Expr // a FormattedValue or Interpolation, nil for plain text
	plain bool     // a whole literal, not a part of an f-string
}

// texts keeps strings that are no part of the parsed text, in pages.
type texts struct {
	page  []byte
	pages [][]byte
	next  int
}

// textPage is the size of the smallest page of texts.
const textPage = 256

// keep returns a copy of text that lasts until the next reset.
func (t *texts) keep(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if len(text) > cap(t.page)-len(t.page) {
		size := max(min(2*cap(t.page), 64*textPage), textPage, len(text))
		if t.next == len(t.pages) {
			t.pages = append(t.pages, make([]byte, 0, size))
		} else if cap(t.pages[t.next]) < len(text) {
			t.pages[t.next] = make([]byte, 0, size)
		}
		t.page = t.pages[t.next][:0]
		t.next++
	}
	start := len(t.page)
	t.page = append(t.page, text...)
	return unsafe.String(&t.page[start], len(text))
}

func (t *texts) reset() { t.page, t.next = nil, 0 }

// literalBody takes a STRING token apart.
func literalBody(text string) (body string, isBytes, raw bool) {
	i := 0
	for ; ; i++ {
		switch text[i] {
		case 'b', 'B':
			isBytes = true
			continue
		case 'r', 'R':
			raw = true
			continue
		case 'u', 'U':
			continue
		}
		break
	}
	quote := 1
	if len(text)-i >= 6 && text[i+1] == text[i] && text[i+2] == text[i] {
		quote = 3
	}
	return text[i+quote : len(text)-quote], isBytes, raw
}

// strings: (STRING | fstring)+ | tstring+
func (p *Parser) stringLiterals() ast.Expr {
	start := p.start
	if p.kind == tokenizer.TSTRING_START {
		return p.templates()
	}
	if p.kind == tokenizer.STRING && !p.peek().IsStringPart() {
		value, isBytes := p.literal()
		n := p.nodes.constant.new()
		*n = ast.Constant{Range: p.from(start), Type: ast.Str, Unicode: p.text[start] == 'u', Text: value}
		if isBytes {
			n.Type = ast.Bytes
		}
		return n
	}

	mark := len(p.parts)
	str, byteStr, fString := false, false, false
	for {
		if p.kind == tokenizer.STRING {
			start := p.start
			value, isBytes := p.literal()
			str, byteStr = str || !isBytes, byteStr || isBytes
			p.parts = append(p.parts, part{Range: p.from(start), text: value, plain: true})
			continue
		}
		if p.kind == tokenizer.FSTRING_START {
			fString = true
			p.formatted(tokenizer.FSTRING_MIDDLE, tokenizer.FSTRING_END)
			continue
		}
		break
	}
	if byteStr && (str || fString) || p.kind == tokenizer.TSTRING_START {
		refuse()
	}
	if !fString {
		value := p.join(p.parts[mark:])
		p.parts = p.parts[:mark]
		n := p.nodes.constant.new()
		*n = ast.Constant{Range: p.from(start), Type: ast.Str, Unicode: p.text[start] == 'u', Text: value}
		if byteStr {
			n.Type = ast.Bytes
		}
		return n
	}
	values := p.joinParts(mark)
	n := p.nodes.joinedStr.new()
	*n = ast.JoinedStr{Range: p.from(start), Values: values}
	return n
}

// templates: tstring+
func (p *Parser) templates() ast.Expr {
	start := p.start
	mark := len(p.parts)
	for p.kind == tokenizer.TSTRING_START {
		p.formatted(tokenizer.TSTRING_MIDDLE, tokenizer.TSTRING_END)
	}
	if p.kind.IsStringPart() && p.kind != tokenizer.TSTRING_MIDDLE && p.kind != tokenizer.TSTRING_END {
		refuse()
	}
	values := p.joinParts(mark)
	n := p.nodes.templateStr.new()
	*n = ast.TemplateStr{Range: p.from(start), Values: values}
	return n
}

// literal uses the current token, a STRING, and returns its value.
func (p *Parser) literal() (value string, isBytes bool) {
	body, isBytes, raw := literalBody(p.text[p.start:p.end])
	escaped := !raw && p.tokens[p.pos].Flags&tokenizer.Backslash != 0
	p.next()
	if isBytes && hasHighByte(body) {
		refuse()
	}
	if escaped {
		body = p.unescape(body, isBytes)
	}
	return body, isBytes
}

// unescape returns the value of a literal's body.
func (p *Parser) unescape(body string, isBytes bool) string {
	var err *EscapeError
	if isBytes {
		p.scratch, err = AppendUnescapedBytes(p.scratch[:0], body)
	} else {
		p.scratch, err = AppendUnescaped(p.scratch[:0], body)
	}
	if err != nil {
		refuse()
	}
	return p.nodes.text.keep(p.scratch)
}

// join returns the texts of parts as one.
func (p *Parser) join(parts []part) string {
	if len(parts) == 1 {
		return parts[0].text
	}
	p.scratch = p.scratch[:0]
	for _, part := range parts {
		p.scratch = append(p.scratch, part.text...)
	}
	return p.nodes.text.keep(p.scratch)
}

// joinParts makes nodes of the parts since mark, and pops them. Plain text that
// is empty leaves nothing.
func (p *Parser) joinParts(mark int) []ast.Expr {
	markExprs := p.exprs.mark()
	for i := mark; i < len(p.parts); {
		if p.parts[i].field != nil {
			p.exprs.push(p.parts[i].field)
			i++
			continue
		}
		first := i
		for i < len(p.parts) && p.parts[i].field == nil {
			i++
		}
		if text := p.join(p.parts[first:i]); text != "" {
			n := p.nodes.constant.new()
			*n = ast.Constant{
				Range:   ast.Range{Start: p.parts[first].Start, End: p.parts[i-1].End},
				Type:    ast.Str,
				Unicode: p.parts[first].plain && p.text[p.parts[first].Start] == 'u',
				Text:    text,
			}
			p.exprs.push(n)
		}
	}
	p.parts = p.parts[:mark]
	return p.exprs.take(markExprs)
}

// fstring: FSTRING_START (FSTRING_MIDDLE | replacement_field)* FSTRING_END
//
// It pushes the string's parts; the kinds are those of an f- or a t-string.
func (p *Parser) formatted(middle, end tokenizer.Kind) {
	template := end == tokenizer.TSTRING_END
	raw := strings.ContainsAny(p.text[p.start:p.end], "rR")
	p.next()
	for {
		switch p.kind {
		case middle:
			p.middle(raw)
		case tokenizer.LBRACE:
			p.field(middle, raw, template)
		default:
			p.expect(end)
			return
		}
	}
}

// middle uses the current token, literal text of an f- or t-string. Between the
// braces of a doubled pair the token ends, but the node reaches to the second
// one, where the next token begins.
func (p *Parser) middle(raw bool) {
	start := p.start
	text := p.text[start:p.end]
	escaped := !raw && p.tokens[p.pos].Flags&tokenizer.Backslash != 0
	p.next()
	if escaped {
		text = p.unescape(text, false)
	}
	if text != "" {
		p.parts = append(p.parts, part{Range: ast.Range{Start: start, End: p.start}, text: text})
	}
}

// replacement_field: '{' (yield_expr | star_expressions) ['='] ['!' NAME]
// [':' format_spec] '}'
//
// A t-string's fields are Interpolations, but those in its format specs are
// FormattedValues.
func (p *Parser) field(middle tokenizer.Kind, raw, interpolation bool) {
	start := p.start
	p.open()
	value := p.yieldOrStarExpressions()
	debug := p.accept(tokenizer.EQUAL)
	textEnd := p.start // of the field's text, as the tokenizer keeps it for debug
	conversion := int8(-1)
	if p.kind == tokenizer.EXCLAMATION {
		p.next()
		if p.kind != tokenizer.NAME || p.start != p.last || p.end-p.start != 1 {
			refuse()
		}
		conversion = int8(p.text[p.start])
		if conversion != 's' && conversion != 'r' && conversion != 'a' {
			refuse()
		}
		p.next()
	}
	var spec ast.Expr
	if p.kind == tokenizer.COLON {
		spec = p.formatSpec(middle, raw)
	}
	p.close(tokenizer.RBRACE)
	if debug && conversion < 0 && spec == nil {
		conversion = 'r'
	}
	if debug {
		text := p.fieldText(start+1, textEnd)
		p.parts = append(p.parts, part{Range: ast.Range{Start: start + 1, End: textEnd}, text: text})
	}
	if !interpolation {
		n := p.nodes.formattedValue.new()
		*n = ast.FormattedValue{Range: p.from(start), Conversion: conversion, Value: value, FormatSpec: spec}
		p.parts = append(p.parts, part{field: n})
		return
	}
	str := strings.TrimRight(p.fieldText(start+1, textEnd), " \t\n\f\v=")
	n := p.nodes.interpolation.new()
	*n = ast.Interpolation{Range: p.from(start), Conversion: conversion, Value: value, Str: str, FormatSpec: spec}
	p.parts = append(p.parts, part{field: n})
}

// format_spec: ':' (FSTRING_MIDDLE | replacement_field)*
func (p *Parser) formatSpec(middle tokenizer.Kind, raw bool) ast.Expr {
	start := p.start
	p.next()
	mark := len(p.parts)
	for {
		if p.kind == middle {
			p.middle(raw)
			continue
		}
		if p.kind != tokenizer.LBRACE {
			break
		}
		p.field(middle, raw, false)
	}
	values := p.joinParts(mark)
	n := p.nodes.joinedStr.new()
	*n = ast.JoinedStr{Range: p.from(start), Values: values}
	return n
}

// fieldText returns the text of a field's expression without its comments.
// Like CPython, it finds a comment by counting quotes.
func (p *Parser) fieldText(start, end int32) string {
	text := p.text[start:end]
	if strings.IndexByte(text, '#') < 0 {
		return text
	}
	comment := false
	quote := byte(0)
	for i := 0; i < len(text) && !comment; i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			if quote == 0 {
				quote = c
			} else if quote == c {
				quote = 0
			}
		case c == '#' && quote == 0:
			comment = true
		}
	}
	if !comment {
		return text
	}
	p.scratch = p.scratch[:0]
	quote = 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\'' || c == '"' {
			if quote == 0 {
				quote = c
			} else if quote == c {
				quote = 0
			}
		} else if c == '#' && quote == 0 {
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				break
			}
			i += n
			c = '\n'
		}
		p.scratch = append(p.scratch, c)
	}
	return p.nodes.text.keep(p.scratch)
}
