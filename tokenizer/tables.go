package tokenizer

// What a byte can mean, as bits of class. The lower bits hold what a token that
// begins with the byte is.
const (
	kindClass = 0x0f // mask

	operatorClass  = 0x0
	nameClass      = 0x1
	digitClass     = 0x2
	quoteClass     = 0x3
	newlineClass   = 0x4
	hashClass      = 0x5
	backslashClass = 0x6
	controlClass   = 0x7

	blankClass   = 0x10  // between tokens: space, tab, form feed
	identClass   = 0x20  // continues a NAME
	longClass    = 0x40  // begins an operator of two or three bytes
	stringClass  = 0x80  // ends the plain run of a STRING
	literalClass = 0x100 // ends the plain run of an f-string's literal text
)

// class has an entry more than there are bytes, for eof.
var class = makeClass()

func makeClass() (class [257]uint16) {
	for c := range 256 {
		switch {
		case c >= 0x80 || c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z':
			class[c] = nameClass | identClass
		case '0' <= c && c <= '9':
			class[c] = digitClass | identClass
		case c == '\n':
			class[c] = newlineClass | stringClass | literalClass
		case c == '"' || c == '\'':
			class[c] = quoteClass | stringClass | literalClass
		case c == '\\':
			class[c] = backslashClass | stringClass | literalClass
		case c == ' ' || c == '\t' || c == '\f':
			class[c] = blankClass
		case c == '#':
			class[c] = hashClass
		case c < ' ' || c == 0x7f:
			class[c] = controlClass
		}
	}
	for _, c := range "!%&*+-/:<=>@^|." {
		class[c] |= longClass
	}
	class['{'] |= literalClass
	class['}'] |= literalClass
	return class
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

// maxKeyword is the length of the longest keyword.
const maxKeyword = len("continue")

// keywords is a hash table without collisions, which a test proves.
var keywords = makeKeywords()

func makeKeywords() (table [128]Keyword) {
	for keyword, name := range keywordNames {
		if name != "" {
			table[keywordHash(name)] = Keyword(keyword)
		}
	}
	return table
}

func keywordHash(name string) uint {
	return (uint(name[0])*116 + uint(name[len(name)>>1])*39 + uint(name[len(name)-1])*62 + uint(len(name))*7) % 128
}

// LookupKeyword returns the keyword that text spells, NotKeyword if none.
func LookupKeyword(text string) Keyword {
	if text == "" || len(text) > maxKeyword {
		return NotKeyword
	}
	return lookupKeyword(text)
}

// lookupKeyword is LookupKeyword for a name of at most maxKeyword bytes.
func lookupKeyword(name string) Keyword {
	if k := keywords[keywordHash(name)]; keywordNames[k] == name {
		return k
	}
	return NotKeyword
}
