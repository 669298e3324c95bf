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
	secondClass  = 0x200 // may be the second byte of an operator, or of a number after a point
	bracketClass = 0x400
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
	for _, c := range "=*>/<.0123456789" {
		class[c] |= secondClass
	}
	for _, c := range "()[]{}" {
		class[c] |= bracketClass
	}
	class['{'] |= literalClass
	class['}'] |= literalClass
	return class
}

// maxKeyword is the length of the longest keyword.
const maxKeyword = len("continue")

// keywords is a hash table without collisions, which a test proves. With a map
// tokenizing takes 11 % more instructions (CPython's asyncio).
var keywords = makeKeywords()

func makeKeywords() (table [128]Keyword) {
	for keyword, name := range keywordNames {
		if name != "" {
			table[keywordHash(name)] = Keyword(keyword)
		}
	}
	return table
}

// keywordSizes says which sizes the keywords have that begin with a byte: bit 2 is set
// for 'i', of if, in and is. That no keyword has both spares most names the hash.
var keywordSizes = func() (sizes [256]uint64) {
	for _, name := range keywordNames {
		if name != "" {
			sizes[name[0]] |= 1 << len(name)
		}
	}
	return sizes
}()

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
