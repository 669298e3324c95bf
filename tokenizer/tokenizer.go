// Package tokenizer splits Python into tokens, as CPython does.
//
// CPython has one tokenizer and two users of it. The tokenize module, which
// flake8 reads, gets every token, comments and blank lines included, and is
// spared some checks: `1if` is a NUMBER and a NAME, a lone `)` is an OP, an
// invalid identifier is a NAME. The parser gets neither comments nor blank
// lines, and every check. [Options.Strict] chooses between the two.
//
//	var t tokenizer.Tokenizer
//	tokens, err := t.Tokenize("if x:\n    pass\n", tokenizer.Options{})
//
// # How it works
//
// Text is read in one of two modes. The regular mode skips blanks and takes
// what follows by its first byte. Inside an f- or t-string the literal mode
// takes everything up to the next replacement field or the closing quote. A
// stack holds one entry an open f-string, because fields hold strings that hold
// fields; the top entry's mode changes at the field's `{`, at a format spec's
// `:` and at the field's `}`.
//
//	f'a{x:>{w}}b'
//	^^          FSTRING_START, pushes an entry in literal mode
//	  ^         FSTRING_MIDDLE
//	   ^^^      { x : in regular mode
//	      ^     the spec, in literal mode again, nested field in regular mode
//
// A text that does not end in a newline is read as if it did; that newline is
// a token without bytes. In the code below it stands at offset len(text), and
// the end of the text behind it.
package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"codelinter/source"
)

// Options choose how to tokenize.
type Options struct {
	// Target is the CPython version to follow; zero means 3.14. The streams
	// of versions before 3.12, where an f-string is one STRING, are not
	// told apart yet.
	Target source.Version
	// Strict gives what CPython's parser sees: no COMMENT and no NL, every
	// check on.
	Strict bool
}

// CPython's limits.
const (
	maxIndent   = 100 // levels of indentation, the unindented one included
	maxLevel    = 200 // open brackets
	maxFStrings = 150 // open f- and t-strings, the plain text included
	maxNesting  = 3   // fields within format specs of fields
)

// Status tells how tokenizing failed.
type Status uint8

// The ways to fail. CPython raises an exception for Raised at once; the others
// are states that its users turn into exceptions of their own wording.
const (
	Raised   Status = iota + 1
	EOF             // the text ended inside brackets or behind a backslash
	Dedent          // an unindent that matches no outer level
	TabSpace        // tabs and spaces mixed so that their order is unclear
	TooDeep         // too many levels of indentation
	LineCont        // something else than a newline behind a backslash
)

// Error is a failure of the tokenizer.
//
// In strict mode Type, Message, Row and Offset are those of the exception that
// CPython's tokenizer raises, and only a Raised error has a Message. Otherwise
// they are those of the exception that Python's tokenize module raises.
type Error struct {
	Status  Status
	Type    string // "SyntaxError", "IndentationError", "TabError", "TokenError"
	Message string
	Row     int // from 1
	Offset  int // CPython's offset in Row, mostly in characters
	Cursor  int // byte offset behind the last byte read, one more behind an implied newline
	Buffer  int // byte offset of the first line that CPython still holds in memory
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: %s: %s", e.Row, e.Offset, e.Type, e.Message)
}

// A mode is an entry of the stack: the plain text, or an open f-string.
type mode struct {
	quote     byte
	size      uint8 // of the quote: 1 or 3
	letter    byte  // 'f' or 't'
	raw       bool
	regular   bool  // reading a field, not literal text
	inSpec    bool  // the literal text is a format spec
	depth     int32 // open brackets within the string
	exprDepth int32 // depth at which the innermost field began, -1 outside
	start     int32 // of the FSTRING_START token
	row       int32
	lineStart int32
}

// bracket is an opening bracket that waits for its closing one.
type bracket struct {
	at  int32 // byte offset
	row int32
}

// A Tokenizer splits one text after the other. The zero Tokenizer is ready for
// use; it is not for concurrent use.
type Tokenizer struct {
	text    string
	strict  bool
	implied bool // a newline is implied behind the text
	hasNUL  bool // the text is cut before a line that holds a NUL
	ended   bool // ENDMARKER was given
	failed  bool

	atBOL          bool // at the beginning of a line
	commentNewline bool // the last COMMENT stood alone on its line
	pending        int  // INDENT (1) or DEDENT (< 0) tokens still to give
	pos            int  // offset of the next byte
	row            int  // row of the last byte read
	lineStart      int  // offset of that row
	buffer         int  // offset of the first line that CPython holds in memory

	indent    int // index of the innermost level
	indents   [maxIndent]int
	altIndent [maxIndent]int // the same with a tab of one column

	level    int
	brackets [maxLevel]bracket

	modes []mode // modes[0] is the plain text
	err   Error

	tokens []Token
}

// Tokenize returns the tokens of text. On failure it returns those before the
// failure, and the error. The slice is overwritten by the next call.
func (t *Tokenizer) Tokenize(text string, options Options) ([]Token, *Error) {
	t.Reset(text, options)
	if cap(t.tokens) == 0 {
		t.tokens = make([]Token, 0, len(text)/4+16)
	}
	tokens := t.tokens[:0]
	for {
		n := len(tokens)
		if n == cap(tokens) {
			tokens = append(tokens, Token{})[:n]
		}
		tokens = tokens[:n+1]
		if !t.next(&tokens[n]) {
			tokens = tokens[:n]
			break
		}
		if tokens[n].Kind == ENDMARKER {
			break
		}
	}
	t.tokens = tokens
	return tokens, t.Err()
}

// Reset makes the Tokenizer ready to read text with Next.
func (t *Tokenizer) Reset(text string, options Options) {
	// CPython looks for a NUL whenever it reads a line, so that the lines
	// before it are tokenized.
	nul := strings.IndexByte(text, 0)
	if t.hasNUL = nul >= 0; t.hasNUL {
		text = text[:strings.LastIndexByte(text[:nul], '\n')+1]
	}
	t.text = text
	t.strict = options.Strict
	t.implied = text != "" && text[len(text)-1] != '\n'
	t.ended, t.failed = false, false
	t.atBOL, t.commentNewline = true, false
	t.pending, t.pos, t.row, t.lineStart, t.buffer = 0, 0, 1, 0, 0
	t.indent, t.level = 0, 0
	t.modes = append(t.modes[:0], mode{regular: true, exprDepth: -1})
}

// Next returns the next token; false behind ENDMARKER and on failure, of which
// Err tells.
func (t *Tokenizer) Next() (Token, bool) {
	if t.ended || t.failed {
		return Token{}, false
	}
	var token Token
	if !t.next(&token) {
		return Token{}, false
	}
	return token, true
}

// Err returns the failure that ended the stream, nil if there was none.
func (t *Tokenizer) Err() *Error {
	if t.failed {
		return &t.err
	}
	return nil
}

// next reads one token into token.
func (t *Tokenizer) next(token *Token) bool {
	if m := &t.modes[len(t.modes)-1]; !m.regular {
		return t.literal(token, m)
	}
	return t.regular(token)
}

// eof is what byteAt returns behind the text.
const eof = 256

// byteAt returns the byte at i, the implied newline, or eof.
func (t *Tokenizer) byteAt(i int) int {
	if i < len(t.text) {
		return int(t.text[i])
	}
	if i == len(t.text) && t.implied {
		return '\n'
	}
	return eof
}

// textEnd returns the offset behind the implied newline.
func (t *Tokenizer) textEnd() int {
	if t.implied {
		return len(t.text) + 1
	}
	return len(t.text)
}

// newLine moves to the line that begins at pos, if there is one. between tells
// that no token is half read, which lets CPython forget the lines before.
func (t *Tokenizer) newLine(pos int, between bool) {
	t.pos = pos
	if pos < len(t.text) {
		t.row++
		t.lineStart = pos
	} else if t.strict {
		return
	}
	if between && (t.strict || len(t.modes) == 1) {
		t.buffer = pos
	}
}

// put fills token and moves behind it.
func (t *Tokenizer) put(token *Token, kind Kind, start, end int) bool {
	*token = Token{Kind: kind, Start: int32(start), End: int32(end), Row: int32(t.row)}
	t.pos = end
	return true
}

// regular reads a token outside of literal text.
func (t *Tokenizer) regular(token *Token) bool {
	text := t.text
nextLine:
	blank := false
	if t.atBOL {
		t.atBOL = false
		var ok bool
		if blank, ok = t.indentation(); !ok {
			return false
		}
	}
	if t.pending != 0 {
		return t.dent(token)
	}

	i := t.pos
again:
	for i < len(text) && class[text[i]]&blankClass != 0 {
		i++
	}
	start := i
	if i >= len(text) {
		if i > len(text) || !t.implied {
			return t.end(token)
		}
		if t.newline(token, start, i, blank) {
			return true
		}
		blank = false
		goto nextLine
	}
	c := text[i]
	switch class[c] & kindClass {
	case nameClass:
		return t.name(token, start)

	case digitClass:
		return t.number(token, start)

	case quoteClass:
		return t.str(token, start, i)

	case newlineClass:
		if t.newline(token, start, i, blank) {
			return true
		}
		goto nextLine

	case hashClass:
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			i = len(text)
		} else {
			i += n
		}
		if !t.strict {
			t.commentNewline = blank
			return t.put(token, COMMENT, start, i)
		}
		// The parser's NEWLINE begins at the comment that stands before it.
		if t.newline(token, start, i, blank) {
			return true
		}
		goto nextLine

	case backslashClass:
		if !t.continuation(i, false) {
			return false
		}
		i = t.pos
		goto again

	case controlClass:
		t.pos = i + 1
		return t.raise("invalid non-printable character U+%04X", c)
	}
	if c == '.' && i+1 < len(text) && class[text[i+1]]&kindClass == digitClass {
		return t.number(token, start)
	}
	return t.operator(token, start, c)
}

// indentation measures the blanks at a line's beginning and notes what INDENT
// or DEDENT tokens are due. blank tells that the line holds no code.
//
// A tab moves to the next multiple of eight columns. A second measure takes it
// as one column: where the two disagree on whether a line is deeper than its
// block, the meaning would depend on the tab's width, and CPython refuses.
func (t *Tokenizer) indentation() (blank, ok bool) {
	text := t.text
	col, alt, contCol := 0, 0, 0
	i := t.pos
loop:
	for i < len(text) {
		switch text[i] {
		case ' ':
			col++
			alt++
		case '\t':
			col = (col/8 + 1) * 8
			alt++
		case '\f':
			col, alt = 0, 0
		case '\\':
			// The indentation before the first backslash counts.
			if contCol == 0 {
				contCol = col
			}
			t.pos = i
			if !t.continuation(i, true) {
				return false, false
			}
			i = t.pos
			continue
		default:
			break loop
		}
		i++
	}
	t.pos = i
	if c := t.byteAt(i); c == '#' || c == '\n' {
		return true, true
	}
	if t.level > 0 {
		return false, true
	}
	if contCol != 0 {
		col, alt = contCol, contCol
	}
	switch {
	case col > t.indents[t.indent]:
		if t.indent+1 >= maxIndent {
			return false, t.status(TooDeep)
		}
		if alt <= t.altIndent[t.indent] {
			return false, t.status(TabSpace)
		}
		t.indent++
		t.pending = 1
		t.indents[t.indent], t.altIndent[t.indent] = col, alt
		return false, true
	case col < t.indents[t.indent]:
		for t.indent > 0 && col < t.indents[t.indent] {
			t.pending--
			t.indent--
		}
		if col != t.indents[t.indent] {
			return false, t.status(Dedent)
		}
	}
	if alt != t.altIndent[t.indent] {
		return false, t.status(TabSpace)
	}
	return false, true
}

// dent gives one of the pending INDENT or DEDENT tokens.
func (t *Tokenizer) dent(token *Token) bool {
	if t.pending > 0 {
		t.pending--
		return t.put(token, INDENT, t.lineStart, t.pos)
	}
	t.pending++
	at := t.pos
	t.put(token, DEDENT, at, at)
	t.trailing(token)
	return true
}

// trailing corrects a token at the end of the text: tokenize gives it a row of
// its own.
func (t *Tokenizer) trailing(token *Token) {
	if int(token.Start) < len(t.text) {
		return
	}
	token.Start, token.End = int32(len(t.text)), int32(len(t.text))
	if !t.strict && len(t.text) > 0 {
		token.Row++
	}
}

// end gives the ENDMARKER.
func (t *Tokenizer) end(token *Token) bool {
	t.pos = t.textEnd()
	if t.hasNUL {
		if len(t.text) > 0 {
			t.row++
		}
		t.lineStart = t.pos
		return t.raise("source code cannot contain null bytes")
	}
	if t.level > 0 {
		return t.status(EOF)
	}
	t.ended = true
	t.put(token, ENDMARKER, t.pos, t.pos)
	t.trailing(token)
	return true
}

// newline gives the NEWLINE or NL for the newline at offset at; false where
// the parser sees no token. start is where the parser's NEWLINE begins.
func (t *Tokenizer) newline(token *Token, start, at int, blank bool) bool {
	t.atBOL = true
	kind := NEWLINE
	if blank || t.level > 0 || t.commentNewline {
		kind = NL
		t.commentNewline = false
	}
	*token = Token{Kind: kind, Start: int32(start), End: int32(min(at+1, len(t.text))), Row: int32(t.row)}
	if t.strict {
		token.End = int32(at)
	}
	t.newLine(at+1, true)
	return kind == NEWLINE || !t.strict
}

// continuation moves behind the backslash at offset i and its newline. between
// tells that no token is half read.
func (t *Tokenizer) continuation(i int, between bool) bool {
	if t.byteAt(i+1) != '\n' {
		t.pos = i + 2
		if i+1 < len(t.text) { // the whole character
			_, size := utf8.DecodeRuneInString(t.text[i+1:])
			t.pos = i + 1 + size
		}
		return t.status(LineCont)
	}
	t.newLine(i+2, between)
	if t.pos >= len(t.text) {
		t.pos = t.textEnd()
		if t.hasNUL {
			return t.end(nil)
		}
		return t.status(EOF)
	}
	return true
}

// name reads a NAME, or the string that a prefix begins.
func (t *Tokenizer) name(token *Token, start int) bool {
	text := t.text
	i := start + 1
	for i < len(text) && class[text[i]]&identClass != 0 {
		i++
	}
	if i < len(text) && class[text[i]]&kindClass == quoteClass && i-start <= 5 {
		if ok, done := t.prefixed(token, start, i); done {
			return ok
		}
	}
	*token = Token{Kind: NAME, Start: int32(start), End: int32(i), Row: int32(t.row)}
	t.pos = i
	if n := i - start; n <= maxKeyword {
		token.Keyword = lookupKeyword(text[start:i])
		if token.Keyword != NotKeyword {
			return true
		}
	}
	for j := start; j < i; j++ {
		if text[j] >= utf8.RuneSelf {
			token.Flags = NonASCII
			if t.strict {
				return t.checkIdentifier(start, i)
			}
			break
		}
	}
	return true
}

// checkIdentifier refuses a name with a character that no identifier has.
func (t *Tokenizer) checkIdentifier(start, end int) bool {
	at, invalid := InvalidIdentifier(t.text[start:end])
	if at < 0 {
		return true
	}
	t.pos = start + at + utf8.RuneLen(invalid)
	if IsPrintable(invalid) {
		return t.raise("invalid character '%c' (U+%04X)", invalid, invalid)
	}
	return t.raise("invalid non-printable character U+%04X", invalid)
}

// prefixed reads the string that begins at start and whose quote stands at
// offset quote, if the letters between are a prefix. done is false if they
// are not.
func (t *Tokenizer) prefixed(token *Token, start, quote int) (ok, done bool) {
	var seen [128]bool
	for i := start; i < quote; i++ {
		c := t.text[i] | 0x20
		if c != 'b' && c != 'r' && c != 'u' && c != 'f' && c != 't' || seen[c] {
			return false, false
		}
		seen[c] = true
	}
	for _, pair := range [...]string{"ub", "ur", "uf", "ut", "bf", "bt", "ft"} {
		if seen[pair[0]] && seen[pair[1]] {
			t.pos = quote + 1
			t.raise("'%c' and '%c' prefixes are incompatible", pair[0], pair[1])
			t.err.Offset = start + 1 - t.lineStart // in bytes, as CPython has it
			return false, true
		}
	}
	if seen['f'] || seen['t'] {
		letter := byte('f')
		if seen['t'] {
			letter = 't'
		}
		return t.startFString(token, start, quote, letter, seen['r']), true
	}
	return t.str(token, start, quote), true
}

// str reads a STRING from start; its quote stands at offset quote.
func (t *Tokenizer) str(token *Token, start, quote int) bool {
	text := t.text
	q := text[quote]
	row := t.row
	i := quote + 1
	size := 1
	if i < len(text) && text[i] == q {
		if i+1 >= len(text) || text[i+1] != q { // ''
			return t.put(token, STRING, start, i+1)
		}
		size = 3
		i += 2
	}
	var flags Flags
	escapedQuote := false
	lineStart := t.lineStart // of the last line begun
	seen := 0                // quotes in a row
	for {
		if i >= len(text) {
			// Behind the implied newline a triple-quoted string still
			// waits, and so does an escaped one.
			return t.unterminated(quote, start, row, size, escapedQuote)
		}
		c := text[i]
		i++
		if class[c]&stringClass == 0 {
			seen = 0
			continue
		}
		switch c {
		case q:
			if seen++; seen == size {
				*token = Token{Kind: STRING, Flags: flags, Start: int32(start), End: int32(i), Row: int32(row)}
				t.pos = i
				t.lineStart = lineStart
				return true
			}
			continue
		case '\\':
			flags |= Backslash
			if i < len(text) {
				c = text[i]
				i++
				if c == q {
					escapedQuote = true
				}
			}
			if c != '\n' {
				break
			}
			flags |= Multiline
			if i < len(text) {
				t.row++
				lineStart = i
			}
		case '\n':
			if size == 1 {
				return t.unterminated(quote, start, row, size, escapedQuote)
			}
			flags |= Multiline
			if i < len(text) {
				t.row++
				lineStart = i
			}
		}
		seen = 0
	}
}

// unterminated raises the error of a string that begins at start in row and
// whose scan ended in t.row.
func (t *Tokenizer) unterminated(quote, start, row, size int, escapedQuote bool) bool {
	if t.hasNUL && (size == 3 || t.textEnd() == len(t.text)) && t.stringRunsOut(quote, size) {
		return t.end(nil)
	}
	detected := t.row
	t.row = row
	t.pos = start + 1
	if m := &t.modes[len(t.modes)-1]; len(t.modes) > 1 && m.quote == t.text[quote] && int(m.size) == size {
		return t.raise("%c-string: expecting '}'", m.letter)
	}
	switch {
	case size == 3:
		return t.raise("unterminated triple-quoted string literal (detected at line %d)", detected)
	case escapedQuote:
		return t.raise("unterminated string literal (detected at line %d); perhaps you escaped the end quote?", detected)
	}
	return t.raise("unterminated string literal (detected at line %d)", detected)
}

// stringRunsOut tells whether the string whose quote stands at offset quote
// ends only with the text, not with its line.
func (t *Tokenizer) stringRunsOut(quote, size int) bool {
	if size == 3 {
		return true
	}
	rest := t.text[quote:]
	for {
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			return true
		}
		slashes := 0
		for n-slashes > 0 && rest[n-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return false
		}
		rest = rest[n+1:]
	}
}

// startFString reads an FSTRING_START or TSTRING_START.
func (t *Tokenizer) startFString(token *Token, start, quote int, letter byte, raw bool) bool {
	text := t.text
	end := quote + 1
	size := 1
	if end+1 < len(text) && text[end] == text[quote] && text[end+1] == text[quote] {
		size = 3
		end += 2
	}
	kind := FSTRING_START
	if letter == 't' {
		kind = TSTRING_START
	}
	t.put(token, kind, start, end)
	if len(t.modes) >= maxFStrings {
		return t.raise("too many nested f-strings or t-strings")
	}
	t.modes = append(t.modes, mode{
		quote: text[quote], size: uint8(size), letter: letter, raw: raw, exprDepth: -1,
		start: int32(start), row: int32(t.row), lineStart: int32(t.lineStart),
	})
	return true
}

// literal reads inside an f-string: its end, a FSTRING_MIDDLE, or, where a
// field begins at once, the field's first token.
func (t *Tokenizer) literal(token *Token, m *mode) bool {
	text := t.text
	start := t.pos
	if start < len(text) && text[start] == '{' && (start+1 >= len(text) || text[start+1] != '{') {
		return t.field(m) && t.regular(token)
	}
	closing := text[start:min(start+int(m.size), len(text))]
	if len(closing) == int(m.size) && strings.Count(closing, string(m.quote)) == int(m.size) {
		kind := FSTRING_END
		if m.letter == 't' {
			kind = TSTRING_END
		}
		t.modes = t.modes[:len(t.modes)-1]
		return t.put(token, kind, start, start+int(m.size))
	}

	kind := FSTRING_MIDDLE
	if m.letter == 't' {
		kind = TSTRING_MIDDLE
	}
	*token = Token{Kind: kind, Start: int32(start), Row: int32(t.row)}
	inSpec := m.inSpec && m.exprDepth >= 0
	named := false // within \N{...}
	seen := 0      // quotes in a row
	i := start
	for {
		c := t.byteAt(i)
		if c == eof || c == '\n' && m.size == 1 {
			return t.unterminatedFString(m, i, c, inSpec)
		}
		i++
		if class[c]&literalClass == 0 {
			seen = 0
			continue
		}
		if c == int(m.quote) {
			if seen++; seen == int(m.size) {
				i -= seen
				break
			}
			continue
		}
		seen = 0
		switch c {
		case '\n':
			token.Flags |= Multiline
			t.newLine(i, false)
		case '{':
			if t.byteAt(i) == '{' && !inSpec {
				token.End = int32(i)
				t.pos = i + 1
				return true
			}
			i--
			token.End = int32(i)
			t.pos = i
			return t.field(m)
		case '}':
			if named {
				token.End = int32(i)
				t.pos = i
				return true
			}
			if t.byteAt(i) == '}' && !inSpec && m.depth == 0 {
				token.End = int32(i)
				t.pos = i + 1
				return true
			}
			i--
			m.regular = true
			m.inSpec = false
			token.End = int32(i)
			t.pos = i
			return true
		case '\\':
			token.Flags |= Backslash
			next := t.byteAt(i)
			if next == eof || next == '{' || next == '}' {
				continue
			}
			i++
			if next == '\n' {
				token.Flags |= Multiline
				t.newLine(i, false)
			} else if next == 'N' && !m.raw && t.byteAt(i) == '{' {
				i++
				named = true
			}
		}
	}
	token.End = int32(i)
	t.pos = i
	return true
}

// field turns to regular mode for the field whose brace comes next.
func (t *Tokenizer) field(m *mode) bool {
	m.exprDepth++
	if m.exprDepth >= maxNesting {
		return t.raise("%c-string: expressions nested too deeply", m.letter)
	}
	m.regular = true
	m.inSpec = false
	return true
}

// unterminatedFString raises the error of an f-string whose scan ended at i.
func (t *Tokenizer) unterminatedFString(m *mode, i, c int, inSpec bool) bool {
	if c == eof && t.hasNUL {
		return t.end(nil)
	}
	if inSpec && c == '\n' {
		t.pos = i + 1
		return t.raise("%c-string: newlines are not allowed in format specifiers for single quoted %c-strings", m.letter, m.letter)
	}
	detected := t.row
	t.row = int(m.row)
	t.lineStart = int(m.lineStart)
	t.pos = int(m.start) + 1
	if m.size == 3 {
		return t.raise("unterminated triple-quoted %c-string literal (detected at line %d)", m.letter, detected)
	}
	return t.raise("unterminated %c-string literal (detected at line %d)", m.letter, detected)
}

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
		if two := twoBytes(c, text[start+1]); two != 0 {
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
		if t.level >= maxLevel {
			t.pos = start + 1
			return t.raise("too many nested parentheses")
		}
		t.brackets[t.level] = bracket{int32(start), int32(t.row)}
		t.level++
		m.depth++
	case kind.IsCloser():
		t.pos = start + 1
		if !t.close(m, c) {
			return false
		}
	}
	return t.put(token, kind, start, start+1)
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
		if t.strict && c != closerOf(opener) {
			if inFString && opener == '{' && m.depth-1 == m.exprDepth {
				return t.raise("%c-string: unmatched '%c'", m.letter, c)
			}
			if int(open.row) != t.row {
				return t.raise("closing parenthesis '%c' does not match opening parenthesis '%c' on line %d", c, opener, open.row)
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

// status fails with a state that is no exception of the tokenizer's own.
func (t *Tokenizer) status(status Status) bool {
	t.failed = true
	switch status {
	case Dedent, TabSpace, TooDeep: // CPython skips the rest of the line
		t.pos = t.lineEnd()
	}
	t.err = Error{Status: status, Row: t.row, Cursor: t.pos, Buffer: t.buffer}
	if t.strict {
		return false
	}
	t.err.Type = "TokenError"
	switch status {
	case EOF:
		t.err.Message = "unexpected EOF in multi-line statement"
		t.err.Offset = t.pos - t.buffer
	case Dedent:
		t.err.Type = "IndentationError"
		t.err.Message = "unindent does not match any outer indentation level"
		t.err.Offset = t.characters(t.lineStart, t.pos)
	case TabSpace:
		t.err.Type = "TabError"
		t.err.Message = "inconsistent use of tabs and spaces in indentation"
		t.err.Offset = t.characters(t.lineStart, t.pos)
	case TooDeep:
		t.err.Type = "IndentationError"
		t.err.Message = "too many levels of indentation"
		t.err.Offset = t.characters(t.lineStart, t.pos)
	case LineCont:
		t.err.Message = "unexpected character after line continuation character"
		t.err.Offset = t.characters(t.buffer, t.lineEnd())
	}
	return false
}

// raise fails as CPython's tokenizer does when it raises an exception: the
// offset counts the characters of the line up to where it stands.
func (t *Tokenizer) raise(format string, args ...any) bool {
	t.failed = true
	t.err = Error{
		Status: Raised, Type: "SyntaxError", Message: fmt.Sprintf(format, args...),
		Row: t.row, Offset: t.characters(t.lineStart, t.pos), Cursor: t.pos, Buffer: t.buffer,
	}
	if !t.strict {
		t.err.Type = "TokenError"
		if strings.HasPrefix(t.err.Message, "unterminated triple-quoted string literal") {
			t.err.Message = "EOF in multi-line string"
		}
	}
	return false
}

// characters counts those from offset start to end, which may lie behind the
// implied newline.
func (t *Tokenizer) characters(start, end int) int {
	behind := max(0, end-len(t.text))
	if start >= len(t.text) {
		return end - start
	}
	return utf8.RuneCountInString(t.text[start:end-behind]) + behind
}

// lineEnd returns the offset behind the current line's newline.
func (t *Tokenizer) lineEnd() int {
	if n := strings.IndexByte(t.text[t.lineStart:], '\n'); n >= 0 {
		return t.lineStart + n + 1
	}
	return t.textEnd()
}
