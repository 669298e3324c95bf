package pep8

import (
	"codelinter/rule"
	"codelinter/tokenizer"
)

// What an operator is to the rules on missing whitespace, as bits.
const (
	opNeedsSpace = 1 << iota // x = y
	opOptional               // x*y, where both sides must agree
	opUnary                  // optional, and may be unary: -x
	opArithmetic             // E226 rather than E227
)

var operatorTraits = [256]uint8{
	tokenizer.DOUBLESTAREQUAL: opNeedsSpace, tokenizer.STAREQUAL: opNeedsSpace, tokenizer.SLASHEQUAL: opNeedsSpace,
	tokenizer.DOUBLESLASHEQUAL: opNeedsSpace, tokenizer.PLUSEQUAL: opNeedsSpace, tokenizer.MINEQUAL: opNeedsSpace,
	tokenizer.NOTEQUAL: opNeedsSpace, tokenizer.LESS: opNeedsSpace, tokenizer.GREATER: opNeedsSpace,
	tokenizer.PERCENTEQUAL: opNeedsSpace, tokenizer.CIRCUMFLEXEQUAL: opNeedsSpace, tokenizer.AMPEREQUAL: opNeedsSpace,
	tokenizer.VBAREQUAL: opNeedsSpace, tokenizer.EQEQUAL: opNeedsSpace, tokenizer.LESSEQUAL: opNeedsSpace,
	tokenizer.GREATEREQUAL: opNeedsSpace, tokenizer.LEFTSHIFTEQUAL: opNeedsSpace, tokenizer.RIGHTSHIFTEQUAL: opNeedsSpace,
	tokenizer.EQUAL: opNeedsSpace, tokenizer.RARROW: opNeedsSpace, tokenizer.COLONEQUAL: opNeedsSpace,

	tokenizer.DOUBLESTAR: opUnary | opArithmetic, tokenizer.STAR: opUnary | opArithmetic,
	tokenizer.PLUS: opUnary | opArithmetic, tokenizer.MINUS: opUnary | opArithmetic, tokenizer.RIGHTSHIFT: opUnary,

	tokenizer.SLASH: opOptional | opArithmetic, tokenizer.DOUBLESLASH: opOptional | opArithmetic, tokenizer.AT: opOptional | opArithmetic,
	tokenizer.CIRCUMFLEX: opOptional, tokenizer.AMPER: opOptional, tokenizer.VBAR: opOptional,
	tokenizer.LEFTSHIFT: opOptional, tokenizer.PERCENT: opOptional,
}

// keywordTraits are the traits of a line that holds the keyword.
var keywordTraits = [256]trait{
	tokenizer.None: hasSingleton, tokenizer.True: hasSingleton, tokenizer.False: hasSingleton,
	tokenizer.Not: hasNot, tokenizer.In: hasInOrIs, tokenizer.Is: hasInOrIs,
	tokenizer.Type: hasType,
}

// The brackets that scan keeps on its stack, beside ( [ and {.
const (
	inFString = 'f'
	inTString = 't'
	inLambda  = 'l' // between lambda and its colon
)

// Whether the operator before must be followed by a blank.
const (
	spaceFree     = iota
	spaceNeeded   // x = y
	spaceUnwanted // x*y: none stood before it
	spaceWanted   // x *y: one stood before it
)

// scan goes over the tokens of the logical line once. It notes the line's
// tokens of significance and its traits, and reports what the rules that every
// line needs find:
//
//	E211         print (x)
//	E225 - E228  x=1, x*y, x&y, x%y
//	E231         f(x,y)
//	E275         from x import(y)
//
// It returns false if there is nothing but indentation and line ends.
func (c *Checker) scan() bool {
	text := c.text
	tokens := c.tokens
	c.significant = c.significant[:0]
	c.traits = 0
	c.line = summary{}
	started := false

	var prev *tokenizer.Token // the last significant one
	colons := 0               // outside of brackets
	stack := c.brackets[:0]
	depth := 0
	need := spaceFree
	var needRow int      // of the end of the token before the operator
	var needOffset int32 // its offset
	// Before 3.12 the ENDMARKER stands in a last line of blanks: a logical line
	// without text.
	var end *tokenizer.Token
	if n := len(tokens); n > 0 && tokens[n-1].Kind == tokenizer.ENDMARKER {
		end, tokens = &tokens[n-1], tokens[:n-1]
	}
	for i := range tokens {
		t := &tokens[i]
		kind := t.Kind
		switch kind {
		case tokenizer.NEWLINE, tokenizer.NL, tokenizer.INDENT, tokenizer.DEDENT:
			continue
		}
		if !started {
			started = true
			c.first, c.firstEnd = t.Start, t.End
			c.firstRow = int(t.Row)
			c.indentLevel = int(t.Start - c.file.LineStart(c.firstRow))
			if c.indentLevel > 0 {
				c.indentLevel = expandTabs(text[c.file.LineStart(c.firstRow):t.Start])
			}
		}
		if kind == tokenizer.COMMENT {
			c.traits |= hasComment
			continue
		}
		c.significant = append(c.significant, int32(i))

		var blank bool // the logical line has a blank before the token
		adjacent := false
		if prev != nil {
			gap := t.Start - prev.End
			adjacent = gap == 0
			if gap > 0 && !isMiddle(prev) { // a brace may stand after a MIDDLE, never a blank
				blank = true
				if c.sameRow(prev, t) {
					if gap > 1 || text[prev.End] == '\t' {
						c.traits |= wideGap
					}
				} else {
					blank = c.joinsWithBlank(prev, t)
				}
				if blank && prev.Kind.IsOpener() {
					c.traits |= bracketBlank
				}
			}
		}

		switch {
		case kind == tokenizer.NAME:
			if t.Keyword != tokenizer.NotKeyword {
				c.traits |= keywordTraits[t.Keyword]
				if t.Keyword == tokenizer.Lambda {
					stack = append(stack, inLambda)
				}
				if t.Keyword.IsHard() {
					c.blankAfterKeyword(t, tokens[i+1:])
				}
			} else if t.Flags&tokenizer.NonASCII != 0 {
				if name := t.Text(text); wordEnd(name, 0) < len(name) {
					// There may be a keyword in it, to regular expressions.
					c.traits |= brokenName | hasSingleton | hasNot | hasType
				}
			} else if t.End-t.Start == 1 {
				if b := text[t.Start]; b == 'l' || b == 'O' || b == 'I' {
					c.traits |= ambiguousName
				}
			}
		case kind.IsOp():
			switch {
			case kind.IsOpener():
				depth++
				stack = append(stack, text[t.Start])
				if kind != tokenizer.LBRACE && !adjacent && i > 0 {
					c.blankBeforeBracket(t, i)
				}
			case kind.IsCloser():
				depth--
				if len(stack) > 0 {
					stack = stack[:len(stack)-1]
				}
				if blank {
					c.traits |= bracketBlank
				}
			case kind <= tokenizer.SEMI: // a colon, comma or semicolon
				if kind == tokenizer.COLON {
					if len(stack) > 0 && stack[len(stack)-1] == inLambda {
						stack = stack[:len(stack)-1]
					}
					if depth == 0 {
						colons++
					}
				} else if kind == tokenizer.SEMI {
					c.traits |= hasSemicolon
				}
				if blank {
					c.traits |= bracketBlank
				}
				c.blankAfterSeparator(t, stack)
			case kind == tokenizer.EQUAL:
				if depth > 0 {
					c.traits |= equalInBrackets
				}
			case kind == tokenizer.EQEQUAL || kind == tokenizer.NOTEQUAL:
				c.traits |= hasEquality
			}
		case kind == tokenizer.FSTRING_START:
			stack = append(stack, inFString)
		case kind == tokenizer.TSTRING_START:
			stack = append(stack, inTString)
		case kind == tokenizer.FSTRING_END || kind == tokenizer.TSTRING_END:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case kind == tokenizer.ERRORTOKEN:
			// A blank or a part of a name, as it may be. Rules on blanks and on
			// words have to look at the text; those on operators do not see it.
			c.traits |= wideGap | bracketBlank | brokenName | hasSingleton | hasNot | hasType
			continue
		default:
			if t.Flags&tokenizer.Backslash != 0 {
				c.traits |= hasBackslash
			}
		}

		// The blanks around operators.
		if need != spaceFree {
			switch {
			case !adjacent:
				if need == spaceUnwanted {
					c.at(rule.E225, needRow, needOffset, needOffset)
				}
				need = spaceFree
			case prev.Kind == tokenizer.SLASH && (kind == tokenizer.COMMA || kind == tokenizer.RPAR || kind == tokenizer.COLON),
				prev.Kind == tokenizer.RPAR && kind == tokenizer.COLON:
				// def f(a, /): the slash is no operator
			default:
				if need != spaceUnwanted {
					c.missingAfter(rule.E225, prev)
				} else if prev.Kind != tokenizer.DOUBLESTAR {
					code := rule.E227
					switch {
					case prev.Kind == tokenizer.PERCENT:
						code = rule.E228
					case operatorTraits[prev.Kind]&opArithmetic != 0:
						code = rule.E226
					}
					c.at(code, needRow, needOffset, needOffset)
				}
				need = spaceFree
			}
		} else if prev != nil {
			need = spaceFree
			var op uint8
			if kind == tokenizer.NAME {
				switch t.Keyword {
				case tokenizer.And, tokenizer.In, tokenizer.Is, tokenizer.Or:
					op = opNeedsSpace
				}
			} else {
				op = operatorTraits[kind]
			}
			switch {
			case op == 0, kind == tokenizer.EQUAL && takesPlainEqual(stack):
			case op&opNeedsSpace != 0:
				if adjacent {
					c.missingAfter(rule.E225, prev)
				} else {
					need = spaceNeeded
				}
			case op&opUnary == 0 || c.isOperand(prev):
				need = spaceWanted
				if adjacent {
					need = spaceUnwanted
				}
				needRow, needOffset = c.endRow(prev), prev.End
			}
		}
		prev = t
	}
	c.brackets = stack[:0]
	if !started && end != nil {
		started = true
		c.first, c.firstEnd, c.firstRow, c.indentLevel = end.Start, end.End, int(end.Row), 0
	}
	if !started {
		return false
	}
	if prev == nil && len(c.significant) > 0 { // nothing but ERRORTOKENs
		prev = &tokens[c.significant[0]]
	}
	if c.tokens[len(c.tokens)-1].Row != c.tokens[0].Row {
		c.traits |= manyRows
	}
	if prev != nil {
		c.summarize(prev)
		if c.line.colon && depth == 0 {
			colons--
		}
		if colons > 0 {
			c.traits |= innerColon
		}
	}
	return true
}

// missingWhitespace, missingWhitespaceAfterKeyword and whitespaceBeforeParameters
// report what scan has found.
func (c *Checker) missingWhitespace()             { c.release(rule.E225, rule.E231) }
func (c *Checker) missingWhitespaceAfterKeyword() { c.release(rule.E275, rule.E275) }
func (c *Checker) whitespaceBeforeParameters()    { c.release(rule.E211, rule.E211) }

// release reports those findings of scan whose codes lie between first and last.
func (c *Checker) release(first, last rule.Code) {
	for i := range c.scanned {
		if f := &c.scanned[i]; first <= f.Code && f.Code <= last {
			c.put(f)
		}
	}
}

// summarize notes what later lines want to know of this one. last is its last
// significant token.
func (c *Checker) summarize(last *tokenizer.Token) {
	c.traits |= hasText
	c.line.exists = true
	c.line.colon = last.Kind == tokenizer.COLON
	first := &c.tokens[c.significant[0]]
	switch {
	case first.Kind == tokenizer.AT:
		c.line.decorator, c.line.definition = true, true
	case first.Kind == tokenizer.STRING:
		c.line.docstring = isDocstringQuote(first.Text(c.text))
	case first.Keyword == tokenizer.Def || first.Keyword == tokenizer.Class:
		c.line.definition = true
	case first.Keyword == tokenizer.Async && len(c.significant) > 1:
		c.line.definition = c.tokens[c.significant[1]].Keyword == tokenizer.Def
	}
}

// isDocstringQuote reports whether u?r?["'] matches at the string's beginning.
func isDocstringQuote(s string) bool {
	if s != "" && s[0] == 'u' {
		s = s[1:]
	}
	if s != "" && s[0] == 'r' {
		s = s[1:]
	}
	return s != "" && (s[0] == '"' || s[0] == '\'')
}

// sameRow reports whether t begins in the row in which prev ends.
func (c *Checker) sameRow(prev, t *tokenizer.Token) bool {
	return prev.Row == t.Row || prev.Flags&tokenizer.Multiline != 0 && c.endRow(prev) == int(t.Row)
}

// joinsWithBlank reports whether a blank stands in the logical line between
// tokens of different rows.
func (c *Checker) joinsWithBlank(prev, t *tokenizer.Token) bool {
	return prev.Kind == tokenizer.COMMA || !prev.Kind.IsOpener() && !t.Kind.IsCloser() && t.Start != t.End
}

// isMiddle reports whether the token is literal text of an f- or t-string.
func isMiddle(t *tokenizer.Token) bool {
	return t.Kind == tokenizer.FSTRING_MIDDLE || t.Kind == tokenizer.TSTRING_MIDDLE
}

// takesPlainEqual reports whether an = within the brackets of stack needs no
// blanks: f(x=1), lambda x=1: x, f'{x=}'.
func takesPlainEqual(stack []byte) bool {
	n := len(stack)
	if n == 0 {
		return false
	}
	return stack[n-1] == inLambda || stack[n-1] == '(' || inField(stack)
}

// inField reports whether the innermost bracket is a replacement field's brace.
func inField(stack []byte) bool {
	n := len(stack)
	return n > 1 && stack[n-1] == '{' && (stack[n-2] == inFString || stack[n-2] == inTString)
}

// isOperand reports whether an operator after the token is a binary one.
func (c *Checker) isOperand(t *tokenizer.Token) bool {
	if t.Kind.IsOp() {
		return t.Kind.IsCloser()
	}
	if t.Kind != tokenizer.NAME {
		return true
	}
	switch t.Keyword {
	case tokenizer.NotKeyword:
		return t.Text(c.text) != "print"
	case tokenizer.Type:
		return !c.options.Target.Facts().TypeParameters
	case tokenizer.True, tokenizer.False, tokenizer.None:
		return true
	}
	return false
}

// blankAfterSeparator reports E231 for a comma, semicolon or colon.
//
//	f(x,y)    a[1:2] and (x,) are let through, f'{x:>3}' too
func (c *Checker) blankAfterSeparator(t *tokenizer.Token, stack []byte) {
	if int(t.End) >= len(c.text) {
		return
	}
	next := c.text[t.End]
	switch next {
	case ' ', '\t', '\n', '\r':
		return
	}
	switch t.Kind {
	case tokenizer.COLON:
		if len(stack) > 0 && stack[len(stack)-1] == '[' || inField(stack) {
			return
		}
	case tokenizer.COMMA:
		if next == ')' || next == ']' {
			return
		}
	}
	c.textAt(rule.E231, int(t.Row), t.Start, t.End, t.Text(c.text))
}

// blankAfterKeyword reports E275 for a keyword with something else than a blank
// after it.
func (c *Checker) blankAfterKeyword(t *tokenizer.Token, rest []tokenizer.Token) {
	if len(rest) == 0 || rest[0].Start != t.End {
		return
	}
	next := &rest[0]
	switch {
	case next.Kind == tokenizer.COLON, next.Start == next.End,
		next.Kind == tokenizer.NEWLINE && c.text[next.Start] == '\n', next.Kind == tokenizer.NL && c.text[next.Start] == '\n', // not "\r\n"
		t.Keyword == tokenizer.Except && next.Kind == tokenizer.STAR,
		t.Keyword == tokenizer.Yield && next.Kind == tokenizer.RPAR,
		t.Keyword == tokenizer.True, t.Keyword == tokenizer.False, t.Keyword == tokenizer.None:
		return
	}
	c.missingAfter(rule.E275, t)
}

// blankBeforeBracket reports E211 for the opening parenthesis or square bracket
// at index i of the line's tokens, unless what stands before it may be followed
// by a blank.
//
//	print (x)    return (x) and class A (B) are let through
//
// What stands before it may be a DEDENT, which pycodestyle takes for a closing
// bracket as it has no text. Before 3.12 there can be rows between the two:
//
//	    y
//	\
//	(x)
func (c *Checker) blankBeforeBracket(t *tokenizer.Token, i int) {
	prev := &c.tokens[i-1]
	if prev.End == t.Start {
		return
	}
	switch prev.Kind {
	case tokenizer.NAME:
		if prev.Keyword != tokenizer.NotKeyword && prev.Keyword != tokenizer.Type {
			return
		}
	case tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE, tokenizer.DEDENT:
	default:
		return
	}
	if i >= 2 && c.tokens[i-2].Text(c.text) == "class" {
		return
	}
	c.textAt(rule.E211, c.endRow(prev), prev.End, t.Start, t.Text(c.text))
}
