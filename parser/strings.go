package parser

import (
	"strings"

	"codelinter/ast"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// Strings are joined as CPython joins them, which shows in the tree: 'a' f'b{c}' 'd' is one
// JoinedStr of a Constant 'ab', a field and a Constant 'd'. The first Constant extends from the
// first literal's first quote to the b. So literals are split into parts of plain text and fields,
// and adjacent plain texts are joined.

// A part of string literals that stand next to each other.
type part struct {
	ast.Range
	text  string   // of plain text
	field ast.Expr // a FormattedValue or Interpolation, nil for plain text
	plain bool     // a whole literal, not a part of an f-string
}

// strings: (STRING | fstring)+ | tstring+
func (p *Parser) stringLiterals() ast.Expr {
	start := p.token.Start
	if p.kind == tokenizer.TSTRING_START {
		return p.templates()
	}
	if !p.features.PEP701 {
		for i := p.pos; p.tokens[i].Kind == tokenizer.STRING; i = p.after(i) {
			if p.isFormatted(i) {
				return p.formattedStrings()
			}
		}
	}
	mark := len(p.parts)
	str, byteStr, fString := false, false, false
	if p.kind == tokenizer.STRING {
		value, isBytes := p.literal()
		if !p.kind.IsStringPart() { // nearly always
			return p.stringConstant(start, value, isBytes)
		}
		str, byteStr = !isBytes, isBytes
		p.parts = append(p.parts, part{Range: p.from(start), text: value, plain: true})
	}
	for p.kind == tokenizer.STRING || p.kind == tokenizer.FSTRING_START {
		if p.kind == tokenizer.FSTRING_START {
			fString = true
			p.formatted()
			continue
		}
		start := p.token.Start
		value, isBytes := p.literal()
		str, byteStr = str || !isBytes, byteStr || isBytes
		p.parts = append(p.parts, part{Range: p.from(start), text: value, plain: true})
	}
	if byteStr && (str || fString) || p.kind == tokenizer.TSTRING_START {
		refuse()
	}
	if !fString {
		value := p.join(p.parts[mark:])
		p.parts = p.parts[:mark]
		return p.stringConstant(start, value, byteStr)
	}
	values := p.joinParts(mark)
	return p.nodes.joinedStr.put(ast.JoinedStr{Range: p.from(start), Values: values})
}

// stringConstant makes the node of a string or bytes.
func (p *Parser) stringConstant(start int32, value string, isBytes bool) *ast.Constant {
	kind := ast.Str
	if isBytes {
		kind = ast.Bytes
	}
	return p.nodes.constant.put(ast.Constant{Range: p.from(start), Type: kind, Unicode: p.text[start] == 'u', Text: value})
}

// templates: tstring+
func (p *Parser) templates() ast.Expr {
	start := p.token.Start
	mark := len(p.parts)
	for p.kind == tokenizer.TSTRING_START {
		p.formatted()
	}
	if p.kind.IsStringPart() && p.kind != tokenizer.TSTRING_MIDDLE && p.kind != tokenizer.TSTRING_END {
		refuse()
	}
	values := p.joinParts(mark)
	return p.nodes.templateStr.put(ast.TemplateStr{Range: p.from(start), Values: values})
}

// literal uses the current token, a STRING, and returns its value.
func (p *Parser) literal() (value string, isBytes bool) {
	literal := pytext.ParseLiteral(p.text[p.token.Start:p.token.End])
	escaped := !literal.Raw && p.token.Flags&tokenizer.Backslash != 0
	p.next()
	if literal.Bytes && !pytext.IsASCII(literal.Body) {
		refuse()
	}
	if escaped {
		return p.unescape(literal.Body, literal.Bytes), literal.Bytes
	}
	return literal.Body, literal.Bytes
}

// unescape returns the value of a literal's body.
func (p *Parser) unescape(body string, isBytes bool) string {
	ok := false
	if isBytes {
		p.scratch, _, ok = pytext.AppendUnescapedBytes(p.scratch[:0], body)
	} else {
		p.scratch, _, ok = pytext.AppendUnescaped(p.scratch[:0], body, characters.Of(p.features.Version))
	}
	if !ok {
		refuse()
	}
	return p.keepScratch()
}

// keepScratch returns p.scratch as a string that lasts as long as the tree.
//
// If f-strings nest a hundred deep, each may need a copy of the same text. So the copies are
// bounded, far above any real file's need: the text may be copied twice, for its escapes and its
// joined strings.
func (p *Parser) keepScratch() string {
	if p.copied += len(p.scratch); p.copied > maxCopied+2*len(p.text) {
		refuse()
	}
	return pytext.View(p.nodes.text.keep(p.scratch))
}

// maxCopied is how many bytes may be copied beyond that.
const maxCopied = 64 << 20

func (p *Parser) join(parts []part) string {
	if len(parts) == 1 {
		return parts[0].text
	}
	p.scratch = p.scratch[:0]
	for _, part := range parts {
		p.scratch = append(p.scratch, part.text...)
	}
	return p.keepScratch()
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
			p.exprs.push(p.nodes.constant.put(ast.Constant{Range: ast.Range{Start: p.parts[first].Start, End: p.parts[i-1].End}, Type: ast.Str, Unicode: p.parts[first].plain && p.text[p.parts[first].Start] == 'u', Text: text}))
		}
	}
	p.parts = p.parts[:mark]
	return p.exprs.take(markExprs)
}

// formatted is what matters of an f- or t-string within it.
type formatted struct {
	middle   tokenizer.Kind // of its literal text
	raw      bool
	template bool // a t-string
}

// fstring: FSTRING_START (FSTRING_MIDDLE | replacement_field)* FSTRING_END
//
// It pushes the parts of the f- or t-string.
func (p *Parser) formatted() {
	s := formatted{middle: tokenizer.FSTRING_MIDDLE}
	end := tokenizer.FSTRING_END
	if p.kind == tokenizer.TSTRING_START {
		s = formatted{middle: tokenizer.TSTRING_MIDDLE, template: true}
		end = tokenizer.TSTRING_END
	}
	s.raw = strings.ContainsAny(p.text[p.token.Start:p.token.End], "rR")
	p.next()
	var kept fieldText
	for {
		switch p.kind {
		case s.middle:
			p.middle(s.raw, &kept)
		case tokenizer.LBRACE:
			p.field(&s, &kept, 0)
		default:
			p.expect(end)
			return
		}
	}
}

// middle uses the current token, literal text of an f- or t-string. Between the
// braces of a doubled pair the token ends, but the node reaches beyond the second
// one. In raw text a backslash is one.
func (p *Parser) middle(raw bool, kept *fieldText) {
	start := p.token.Start
	text := p.text[start:p.token.End]
	escaped := !raw && p.token.Flags&tokenizer.Backslash != 0
	p.next()
	end := p.last
	if end < p.token.Start && (p.text[end] == '{' || p.text[end] == '}') {
		if p.text[end] == '{' {
			kept.begin, kept.end = end, -1
		}
		end++
	}
	if escaped {
		text = p.unescape(text, false)
	}
	if text != "" {
		p.parts = append(p.parts, part{Range: ast.Range{Start: start, End: end}, text: text})
	}
}

// A fieldText follows what CPython's tokenizer keeps of the text of an f-string's
// fields, for {x=} and for t-strings. It keeps one text an f-string, not one a
// field, so that fields in a format spec show the text of their neighbours:
//
//	f'{x:{y}{z=}}' shows "y}{z=" and the value of z
//
// If a colon ends a text, the kept text ends at the last ! before the colon, even if the ! belongs
// to a !=:
//
//	f'{x != y = :>9}' shows "x " and the value of x != y
//
// On 3.12 a text that has ended stays so: at the first !, colon or brace.
//
//	f'{x:{y}{z=}}' shows "y", f'{x != y = }' shows "x "
//
// Since 3.15 each field has its own text, see exactText.
type fieldText struct {
	begin, end int32 // end is -1 while the text is open
	debug      bool  // after the = of {x=}
	spec       bool  // after the colon of a format spec
}

// endAt ends the text there, unless it has ended for good.
func (f *fieldText) endAt(at int32, once bool) {
	if !once || f.end < 0 {
		f.end = at
	}
}

// kept reports whether the tokenizer keeps text at the depth. It always does in an f-string's own
// fields, and sometimes in the fields of format specs.
func (f *fieldText) kept(depth int) bool {
	return depth == 0 || depth == 1 && (f.debug || f.spec)
}

// replacement_field: '{' (yield_expr | star_expressions) ['='] ['!' NAME]
// [':' format_spec] '}'
//
// A t-string's fields are Interpolations, but those in its format specs are
// FormattedValues. Fields in format specs have a depth.
func (p *Parser) field(s *formatted, kept *fieldText, depth int) {
	start := p.token.Start
	before := p.tokens[p.pos-1]
	switch {
	case before.Kind == s.middle && before.End == start && p.text[start-1] != '}': // of \N{...}
		kept.begin, kept.end, kept.spec = p.token.End, -1, false
	case kept.kept(depth):
		kept.begin, kept.end = p.token.End, -1
	}
	first := p.pos
	p.open()
	value := p.yieldOrStarExpressions()
	if kept.kept(depth) {
		if at := p.exclamation(first); at >= 0 && p.features.FieldTextsEndAtExclamation {
			kept.endAt(at, p.features.FieldTextsEndOnce)
		}
	}
	equal := p.token.Start
	debug := p.accept(tokenizer.EQUAL)
	kept.debug = kept.debug || debug
	if debug && !kept.kept(depth) {
		refuse() // CPython has kept no text, and raises ValueError
	}
	end := p.token.Start
	if kept.kept(depth) && (p.kind != tokenizer.COLON || kept.end < 0) {
		kept.endAt(end, p.features.FieldTextsEndOnce)
	}
	interpolation := s.template && depth == 0
	text, str := "", ""
	switch {
	case !debug && !interpolation:
	case !p.features.ExactFieldTexts:
		text = p.withoutComments(p.text[kept.begin:kept.end])
		str = strings.TrimRight(text, " \t\n\f=")
	default:
		text = p.exactText(first, end)
		if str = text; debug && interpolation {
			str = p.exactText(first, equal)
		}
	}
	conversion := p.conversion()
	var spec ast.Expr
	if p.kind == tokenizer.COLON {
		spec = p.formatSpec(s, kept, depth+1)
	}
	if kept.kept(depth) {
		kept.endAt(p.token.Start, p.features.FieldTextsEndOnce)
	}
	kept.debug, kept.spec = false, false
	p.close(tokenizer.RBRACE)
	if debug && conversion < 0 && spec == nil {
		conversion = 'r'
	}
	if debug {
		if p.features.UnescapesFieldTexts && depth == 0 && !s.raw && strings.IndexByte(text, '\\') >= 0 {
			text = p.unescape(text, false)
		}
		p.parts = append(p.parts, part{Range: ast.Range{Start: start + 1, End: end}, text: text})
	}
	if interpolation {
		n := p.nodes.interpolation.put(ast.Interpolation{Range: p.from(start), Conversion: conversion, Value: value, Str: str, FormatSpec: spec})
		p.parts = append(p.parts, part{field: n})
		return
	}
	n := p.nodes.formattedValue.put(ast.FormattedValue{Range: p.from(start), Conversion: conversion, Value: value, FormatSpec: spec})
	p.parts = append(p.parts, part{field: n})
}

// conversion: ['!' NAME]
//
// It returns the letter, or -1 if there is none.
func (p *Parser) conversion() int8 {
	if !p.accept(tokenizer.EXCLAMATION) {
		return -1
	}
	if p.kind != tokenizer.NAME || p.token.Start != p.last || p.token.End-p.token.Start != 1 {
		refuse()
	}
	letter := p.text[p.token.Start]
	if letter != 's' && letter != 'r' && letter != 'a' {
		refuse()
	}
	p.next()
	return int8(letter)
}

// format_spec: ':' (FSTRING_MIDDLE | replacement_field)*
func (p *Parser) formatSpec(s *formatted, kept *fieldText, depth int) ast.Expr {
	start := p.token.Start
	kept.spec = true
	p.next()
	mark := len(p.parts)
	for {
		if p.kind == s.middle {
			p.middle(s.raw && p.features.RawSpecs, kept)
			kept.spec = kept.spec && p.kind != tokenizer.RBRACE
			continue
		}
		if p.kind != tokenizer.LBRACE {
			break
		}
		p.field(s, kept, depth)
	}
	if parts := p.parts[mark:]; len(parts) > 1 && allText(parts) {
		// Two pieces of text and no field: CPython joins them as it joins
		// literals. It takes a \N{...} for a piece's end.
		n := p.nodes.constant.put(ast.Constant{Range: p.from(start), Type: ast.Str, Text: p.join(parts)})
		p.parts = p.parts[:mark]
		return n
	}
	values := p.joinParts(mark)
	return p.nodes.joinedStr.put(ast.JoinedStr{Range: p.from(start), Values: values})
}

func allText(parts []part) bool {
	for i := range parts {
		if parts[i].field != nil {
			return false
		}
	}
	return true
}

// exclamation returns the offset of the last ! or != outside of brackets between the field's brace,
// which is token number first, and the current token, or -1. For texts that have ended it is the
// first instead of the last.
func (p *Parser) exclamation(first int) int32 {
	if strings.IndexByte(p.text[p.tokens[first].End:p.token.Start], '!') < 0 {
		return -1
	}
	at, depth := int32(-1), 0
	for i := p.pos - 1; i > first; i-- {
		switch t := p.tokens[i]; {
		case t.Kind.IsCloser():
			depth++
		case t.Kind.IsOpener():
			depth--
		case depth == 0 && t.Kind == tokenizer.NOTEQUAL && p.text[t.Start] == '!':
			at = t.Start
			if !p.features.FieldTextsEndOnce {
				return at
			}
		}
	}
	return at
}

// exactText returns the text of a field up to end. The field's brace is token number first.
// Comments are removed, except those in f-strings within the field.
func (p *Parser) exactText(first int, end int32) string {
	begin := p.tokens[first].End
	if strings.IndexByte(p.text[begin:end], '#') < 0 {
		return p.text[begin:end]
	}
	p.scratch = p.scratch[:0]
	inner := 0
	for i := first + 1; p.tokens[i].Start < end; i++ {
		switch t := &p.tokens[i]; t.Kind {
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
			inner++
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			inner--
		case tokenizer.COMMENT:
			if inner == 0 {
				p.scratch = append(p.scratch, p.text[begin:t.Start]...)
				begin = t.End
			}
		}
	}
	p.scratch = append(p.scratch, p.text[begin:end]...)
	return p.keepScratch()
}

func (p *Parser) withoutComments(text string) string {
	if strings.IndexByte(text, '#') < 0 {
		return text
	}
	p.scratch = pytext.AppendWithoutComments(p.scratch[:0], text, p.features.CommentsRespectQuotes)
	return p.keepScratch()
}
