package tokenizer

// The bits of class say what a byte can mean. The lower bits give the kind of token that begins
// with the byte.
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
	blankClass     = 0x8 // between tokens: space, tab, form feed

	identClass   = 0x20  // continues a NAME
	longClass    = 0x40  // begins an operator of two or three bytes
	stringClass  = 0x80  // ends the plain run of a STRING
	literalClass = 0x100 // ends the plain run of an f-string's literal text
	pointClass   = 0x200 // begins a number or an ellipsis, or is a token by itself
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
	class['.'] |= pointClass
	class['{'] |= literalClass
	class['}'] |= literalClass
	return class
}

// What follows an operator or a keyword at once, as bits of follows.
const (
	anyFollows    = 1 << iota // every byte
	inkFollows                // neither blank nor control nor backslash
	closerFollows             // ) or ]
	spaceFollows
	newlineFollows
	colonFollows
)

// follows[b] holds b's class as a byte after an operator or a keyword, and the classes of the bytes
// that it may form one token with.
var follows = makeFollows()

func makeFollows() (follows [256]uint16) {
	for c := range follows {
		follows[c] = anyFollows
		if c > ' ' && c != '\\' {
			follows[c] |= inkFollows
		}
	}
	follows[')'] |= closerFollows
	follows[']'] |= closerFollows
	follows[' '] |= spaceFollows
	follows['\n'] |= newlineFollows
	follows[':'] |= colonFollows
	for _, c := range "=*>/<" {
		follows[c] |= longClass
	}
	for _, c := range ".0123456789" {
		follows[c] |= pointClass
	}
	return follows
}

// bracketSteps is what a byte adds to the number of open brackets.
var bracketSteps = [256]int8{'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}

// plainPlaces says what may follow a Plain operator of one byte, as bits of follows. Each
// byte has two places: one for an operator with nothing before it, one for an operator
// after a space. The upper half has the same places for operators in brackets.
var plainPlaces = makePlainPlaces()

const insidePlaces = 512

func makePlainPlaces() (places [2 * insidePlaces]uint16) {
	const (
		tight  = 0
		spaced = 1
	)
	for _, inside := range [...]int{0, insidePlaces} {
		set := func(operators string, gap int, follows uint16) {
			for _, c := range operators {
				places[inside|int(c)<<1|gap] = follows
			}
		}
		set(".~", tight, anyFollows)
		set(".~", spaced, anyFollows)
		set(")]}", tight, anyFollows)
		set("([{", tight, inkFollows|newlineFollows)
		set("{", spaced, inkFollows|newlineFollows)
		set(",", tight, spaceFollows|newlineFollows|closerFollows)
		set("+-*/%&|^<>@", spaced, spaceFollows)
		if inside == 0 {
			set("=", spaced, spaceFollows)  // x = y
			set(":", tight, newlineFollows) // if x:
		} else {
			set("=", tight, inkFollows)                  // f(x=y)
			set(":", tight, spaceFollows|newlineFollows) // {x: y}
		}
	}
	return places
}

// keywords is a hash table of the keywords as words. In a word, the bytes of "if" are the two
// lowest, and the rest is 0. A test proves that the table has no collisions. With a map, tokenizing
// took 11 % more instructions (CPython's asyncio).
//
// Names that a rule reports for their spelling alone (E741) have entries too, as NotKeyword.
var keywords = makeKeywords()

// A keywordEntry is a name of at most eight bytes.
type keywordEntry struct {
	word    uint64
	keyword Keyword
	plain   uint16 // what must follow the name at once for it to be Plain, as bits of follows
}

func makeKeywords() (table [1 << keywordBits]keywordEntry) {
	for keyword := NotKeyword + 1; int(keyword) < keywordCount; keyword++ {
		word := wordOf(keyword.String())
		entry := keywordEntry{word: word, keyword: keyword}
		switch keyword {
		case False, None, True, And, In, Is, Not, Or: // which rules compare or take for operators
		default:
			if keyword.IsHard() {
				entry.plain = spaceFollows | colonFollows | newlineFollows
			}
		}
		table[hashKeyword(word)] = entry
	}
	for _, name := range ambiguousNames {
		table[hashKeyword(wordOf(name))] = keywordEntry{word: wordOf(name)}
	}
	return table
}

var ambiguousNames = [...]string{"l", "O", "I"}

const (
	maxKeyword    = 8 // bytes of the longest
	keywordBits   = 7
	keywordFactor = 0x44cc02d30951571b
)

// hashKeyword returns the place of a word in keywords.
func hashKeyword(word uint64) uint64 { return word * keywordFactor >> (64 - keywordBits) }

// wordOf returns a name of at most eight bytes as a word.
func wordOf(name string) (word uint64) {
	for i := range len(name) {
		word |= uint64(name[i]) << (8 * i)
	}
	return word
}

const noKeyword = ^uint64(0) // a word that no name is

// lookup returns the keyword that a word spells, NotKeyword if none, and whether the name is
// Plain with next after it, bits of follows.
func lookup(word uint64, next uint16) (Keyword, Flags) {
	entry := &keywords[hashKeyword(word)]
	found, keyword, plain := uint32(entry.keyword), uint32(NotKeyword), uint16(anyFollows)
	if entry.word == word { // compiled to no branch, as the CPU would mispredict it
		keyword, plain = found, entry.plain
	}
	return Keyword(keyword), plainIf(plain & next)
}

// plainIf returns Plain if there are bits, without a branch.
func plainIf(bits uint16) Flags {
	plain := uint32(0)
	if bits != 0 {
		plain = uint32(Plain)
	}
	return Flags(plain)
}

// LookupKeyword returns the keyword that text spells, NotKeyword if none.
func LookupKeyword(text string) Keyword {
	if text == "" || len(text) > maxKeyword {
		return NotKeyword
	}
	keyword, _ := lookup(wordOf(text), 0)
	return keyword
}

const (
	highBits  = ones << 7
	allSpaces = ones * ' '
)

// nameStops sets the highest bit of each byte of a word that cannot be part of a NAME.
// Bytes of characters beyond ASCII can be. A name needs no loop over its bytes then: the
// CPU would mispredict the end of that loop.
func nameStops(word uint64) uint64 {
	low := word &^ highBits
	letter := low | ones*0x20
	// A sum has the highest bit from a bound on, so two that differ enclose the byte.
	letters := (letter + ones*(0x80-'a')) ^ (letter + ones*(0x80-'z'-1))
	digits := (low + ones*(0x80-'0')) ^ (low + ones*(0x80-'9'-1))
	notUnderscore := low ^ ones*'_' + ones*0x7f
	return notUnderscore &^ (letters ^ digits | word) & highBits
}
