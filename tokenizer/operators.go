package tokenizer

// operator reads an operator or delimiter that begins with c.
func (t *Tokenizer) operator(token *Token, start int, c byte) bool {
	text := t.text
	m := &t.modes[len(t.modes)-1]
	if c == ':' && m.exprDepth >= 0 && m.depth-1 == m.exprDepth {
		m.regular = false
		m.inSpec = true
		return t.put(token, COLON, start, start+1)
	}
	kind := oneByte[c]
	if start+1 < len(text) && class[c]&longClass != 0 {
		if two := twoBytes(c, text[start+1]); two != 0 && !(t.splitLessGreater && two == NOTEQUAL && c == '<') {
			if start+2 < len(text) {
				if three := threeBytes(two, text[start+2]); three != 0 {
					return t.put(token, three, start, start+3)
				}
			}
			if two != dotDot {
				return t.put(token, two, start, start+2)
			}
		}
	}
	switch {
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
	return t.put(token, kind, start, start+1)
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
		matches := c == closerOf(opener)
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

func closerOf(opener byte) byte {
	switch opener {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// oneByte maps the first byte of an operator to the kind it is by itself.
var oneByte = [256]Kind{
	'(': LPAR, '[': LSQB, '{': LBRACE, ')': RPAR, ']': RSQB, '}': RBRACE,
	':': COLON, ',': COMMA, ';': SEMI, '.': DOT, '@': AT, '~': TILDE, '!': EXCLAMATION,
	'+': PLUS, '-': MINUS, '*': STAR, '/': SLASH, '|': VBAR, '&': AMPER, '%': PERCENT,
	'^': CIRCUMFLEX, '<': LESS, '>': GREATER, '=': EQUAL,
	'$': UNKNOWN, '?': UNKNOWN, '`': UNKNOWN,
}

// dotDot is no token, only the beginning of one.
const dotDot = UNKNOWN + 1

// twoBytes returns the kind of the operator that begins with c and d, 0 if
// there is none.
func twoBytes(c, d byte) Kind {
	if d == '=' {
		switch c {
		case '!':
			return NOTEQUAL
		case '%':
			return PERCENTEQUAL
		case '&':
			return AMPEREQUAL
		case '*':
			return STAREQUAL
		case '+':
			return PLUSEQUAL
		case '-':
			return MINEQUAL
		case '/':
			return SLASHEQUAL
		case ':':
			return COLONEQUAL
		case '<':
			return LESSEQUAL
		case '=':
			return EQEQUAL
		case '>':
			return GREATEREQUAL
		case '@':
			return ATEQUAL
		case '^':
			return CIRCUMFLEXEQUAL
		case '|':
			return VBAREQUAL
		}
		return 0
	}
	switch {
	case c == '*' && d == '*':
		return DOUBLESTAR
	case c == '-' && d == '>':
		return RARROW
	case c == '/' && d == '/':
		return DOUBLESLASH
	case c == '<' && d == '<':
		return LEFTSHIFT
	case c == '<' && d == '>':
		return NOTEQUAL
	case c == '>' && d == '>':
		return RIGHTSHIFT
	case c == '.' && d == '.':
		return dotDot
	}
	return 0
}

// threeBytes returns the kind of the operator that two and c make, 0 if there
// is none.
func threeBytes(two Kind, c byte) Kind {
	switch {
	case two == dotDot && c == '.':
		return ELLIPSIS
	case c != '=':
		return 0
	}
	switch two {
	case DOUBLESTAR:
		return DOUBLESTAREQUAL
	case DOUBLESLASH:
		return DOUBLESLASHEQUAL
	case LEFTSHIFT:
		return LEFTSHIFTEQUAL
	case RIGHTSHIFT:
		return RIGHTSHIFTEQUAL
	}
	return 0
}
