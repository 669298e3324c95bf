package tokenizer

import "strings"

// operator reads an operator or delimiter that begins with c.
func (t *Tokenizer) operator(token *Token, start int, c byte) bool {
	text := t.text
	m := &t.modes[len(t.modes)-1]
	if c == ':' && m.exprDepth >= 0 && m.depth-1 == m.exprDepth {
		m.regular = false
		m.inSpec = true
		return t.put(token, COLON, start, start+1)
	}
	kind, size := longestOperator(text[start:], !t.splitLessGreater)
	switch {
	case size > 1:
	case kind.IsOpener():
		if !t.open(m, start) {
			return false
		}
	case kind.IsCloser():
		t.pos = start + 1
		if !t.close(m, c) {
			return false
		}
	}
	return t.put(token, kind, start, start+size)
}

// open puts the opening bracket at offset start on the stack of open ones.
func (t *Tokenizer) open(m *mode, start int) bool {
	if t.level >= maxLevel {
		t.pos = start + 1
		return t.raise("too many nested parentheses")
	}
	t.brackets[t.level] = bracket{int32(start), int32(t.row)}
	t.level++
	m.depth++
	return true
}

// close takes the closing bracket c before t.pos off the stack of open ones.
func (t *Tokenizer) close(m *mode, c byte) bool {
	inFString := len(t.modes) > 1
	if inFString && m.depth == 0 && c == '}' {
		return t.raise("%c-string: single '}' is not allowed", m.letter)
	}
	if t.level == 0 && t.strict {
		return t.raise("unmatched '%c'", c)
	}
	if t.level > 0 {
		t.level--
		open := t.brackets[t.level]
		opener := t.text[open.at]
		matches := c == ")]}"[strings.IndexByte("([{", opener)]
		if !matches && (t.strict || t.features.ChecksFieldBrackets) && inFString && opener == '{' && m.depth-1 == m.exprDepth {
			return t.raise("%c-string: unmatched '%c'", m.letter, c)
		}
		if !matches && t.strict {
			if int(open.row) != t.row {
				return t.raise("closing parenthesis '%c' does not match opening parenthesis '%c' on line %d", c, opener, t.rowsBefore+int(open.row))
			}
			return t.raise("closing parenthesis '%c' does not match opening parenthesis '%c'", c, opener)
		}
	}
	m.depth--
	if inFString {
		if m.depth < 0 {
			return t.raise("%c-string: unmatched '%c'", m.letter, c)
		}
		if c == '}' && m.depth == m.exprDepth {
			m.exprDepth--
			m.regular = false
			m.inSpec = false // even within the spec of an outer field
		}
	}
	return true
}

// oneByte maps the first byte of an operator to the kind it is by itself.
var oneByte = [256]Kind{
	'(': LPAR, '[': LSQB, '{': LBRACE, ')': RPAR, ']': RSQB, '}': RBRACE,
	':': COLON, ',': COMMA, ';': SEMI, '.': DOT, '@': AT, '~': TILDE, '!': EXCLAMATION,
	'+': PLUS, '-': MINUS, '*': STAR, '/': SLASH, '|': VBAR, '&': AMPER, '%': PERCENT,
	'^': CIRCUMFLEX, '<': LESS, '>': GREATER, '=': EQUAL,
	'$': UNKNOWN, '?': UNKNOWN, '`': UNKNOWN,
}

// doubled maps an operator of one byte to the operator of that byte twice: * to **. withEqual
// maps an operator to the one with = after it: ** to **=.
var (
	doubled   = [UNKNOWN + 1]Kind{STAR: DOUBLESTAR, SLASH: DOUBLESLASH, LESS: LEFTSHIFT, GREATER: RIGHTSHIFT}
	withEqual = [UNKNOWN + 1]Kind{
		EQUAL: EQEQUAL, EXCLAMATION: NOTEQUAL, LESS: LESSEQUAL, GREATER: GREATEREQUAL, COLON: COLONEQUAL,
		PLUS: PLUSEQUAL, MINUS: MINEQUAL, STAR: STAREQUAL, SLASH: SLASHEQUAL, PERCENT: PERCENTEQUAL, AT: ATEQUAL,
		AMPER: AMPEREQUAL, VBAR: VBAREQUAL, CIRCUMFLEX: CIRCUMFLEXEQUAL,
		DOUBLESTAR: DOUBLESTAREQUAL, DOUBLESLASH: DOUBLESLASHEQUAL, LEFTSHIFT: LEFTSHIFTEQUAL, RIGHTSHIFT: RIGHTSHIFTEQUAL,
	}
)

// longestOperator returns the longest operator that text begins with, and its size. lessGreater
// says that <> is one.
func longestOperator(text string, lessGreater bool) (kind Kind, size int) {
	kind, size = oneByte[text[0]], 1
	if len(text) == 1 {
		return kind, size
	}
	switch next := text[1]; {
	case kind == MINUS && next == '>':
		return RARROW, 2
	case kind == LESS && next == '>' && lessGreater:
		return NOTEQUAL, 2
	case kind == DOT && strings.HasPrefix(text, "..."):
		return ELLIPSIS, 3
	case next == text[0] && doubled[kind] != 0:
		kind, size = doubled[kind], 2
	}
	if size < len(text) && text[size] == '=' && withEqual[kind] != 0 {
		return withEqual[kind], size + 1
	}
	return kind, size
}
