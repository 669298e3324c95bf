// Package tokenizer splits Python into tokens, as CPython does.
//
// CPython has one tokenizer with two users. The tokenize module, which flake8 reads, gets every
// token, with comments and blank lines, and fewer checks: `1if` is a NUMBER and a NAME, a lone `)`
// is an OP, an invalid identifier is a NAME. The parser gets no comments and no blank lines, and
// all checks. [Options.Strict] chooses between the two.
//
//	var t tokenizer.Tokenizer
//	tokens, err := t.Tokenize("if x:\n    pass\n", tokenizer.Options{})
//
// # How it works
//
// Text is read in one of two modes. The regular mode skips blanks and chooses the kind of
// token by its first byte. Inside an f- or t-string, the literal mode reads everything up
// to the next replacement field or the closing quote. A stack holds one entry an open
// f-string, because fields hold strings that hold fields; the top entry's mode changes at
// the field's `{`, at a format spec's `:` and at the field's `}`.
//
//	f'a{x:>{w}}b'
//	^^          FSTRING_START, pushes an entry in literal mode
//	  ^         FSTRING_MIDDLE
//	   ^^^      { x : in regular mode
//	      ^     the spec, in literal mode again, nested field in regular mode
//
// A text without a final newline is read as if it had one; that newline is a token without bytes.
// In the code below, this newline stands at offset len(text), and the end of the text follows it.
package tokenizer

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/source"
)

// Options choose how to tokenize.
type Options struct {
	// Target is the CPython version to follow; zero means the default.
	Target source.Version
	// ForParser gives the tokens for parser.Parse. Before 3.12 they differ from those of tokenize.
	ForParser bool
	// Strict gives what CPython's parser sees: no COMMENT and no NL, every
	// check on.
	Strict bool
	// CarriageReturns reports whether the text has carriage returns, see
	// [source.File.CarriageReturns]. Without it they are errors.
	CarriageReturns bool
	// MaxTokens is how many tokens Tokenize makes at most, see
	// [Tokenizer.Exceeded]; 0 for no bound.
	MaxTokens int
	// RowsBefore is how many rows of the file stand before the text. Messages that
	// name a row count them; positions do not.
	RowsBefore int
}

// CPython's limits.
const (
	maxIndent   = 100 // levels of indentation, the unindented one included
	maxLevel    = 200 // open brackets
	maxFStrings = 150 // open f- and t-strings, the plain text included
	maxNesting  = 3   // fields within format specs of fields
)

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

// plainText is the mode outside of all f-strings.
var plainText = mode{regular: true, exprDepth: -1}

// bracket is an opening bracket that waits for its closing one.
type bracket struct {
	at  int32 // byte offset
	row int32
}

// A Tokenizer splits one text after the other. The zero Tokenizer is ready for use. It is not
// safe for concurrent use.
type Tokenizer struct {
	text             string
	features         *source.Features
	strict           bool
	carriageReturns  bool
	withoutCommon    bool // for a test: regular reads all tokens
	rowsBefore       int
	implied          bool // a newline is implied after the text
	hasNUL           bool // the text is cut before a line that holds a NUL
	splitLessGreater bool // <> is two tokens
	ended            bool // ENDMARKER was given
	failed           bool

	atBOL          bool // at the beginning of a line
	commentNewline bool // the last COMMENT stood alone on its line
	pending        int  // INDENT (1) or DEDENT (< 0) tokens still to give
	pos            int  // offset of the next byte
	row            int  // row of the last byte read
	lineStart      int  // offset of that row
	buffer         int  // offset of the first line that CPython holds in memory
	readRow        int  // row of the last newline
	readBuffer     int  // buffer at that newline

	indent    int // index of the innermost level
	indents   [maxIndent]int
	altIndent [maxIndent]int // the same with a tab of one column

	level    int
	brackets [maxLevel]bracket

	modes []mode // modes[0] is the plain text

	pureIndents []int // memory for pure
	err         Error
	words       pytext.Words // of err

	tokens   []Token
	exceeded bool // Tokenize stopped at MaxTokens
}

// Tokenize returns the tokens of text. On failure it returns those before the
// failure, and the error. The slice is overwritten by the next call.
func (t *Tokenizer) Tokenize(text string, options Options) ([]Token, *Error) {
	t.Reset(text, options)
	t.exceeded = false
	if !t.features.PEP701 && !options.Strict && !options.ForParser {
		t.text = text
		t.tokens = t.pure(t.tokens[:0])
		t.exceeded = options.MaxTokens > 0 && len(t.tokens) > options.MaxTokens
		return t.tokens, t.Err()
	}
	most := math.MaxInt
	if options.MaxTokens > 0 {
		most = options.MaxTokens
	}
	if cap(t.tokens) == 0 {
		t.tokens = make([]Token, 0, min(len(text)/4+16, most))
	}
	// The bound is one of capacity, so that tokens within it cost nothing more.
	tokens := t.tokens[:0:min(cap(t.tokens), most)]
	for {
		n := len(tokens)
		if n == cap(tokens) {
			if n >= most {
				t.exceeded = true
				break
			}
			tokens = slices.Grow(tokens, min(t.expect(n), most-n))
			tokens = tokens[:n:min(cap(tokens), most)]
		}
		read, ok := 0, false
		if len(t.modes) == 1 { // outside of f-strings: nearly always
			read, ok = t.regular(tokens[n:cap(tokens)])
		} else {
			read, ok = t.next(tokens[n : n+1])
		}
		tokens = tokens[:n+read]
		if !ok || t.ended {
			break
		}
	}
	t.tokens = tokens
	return tokens, t.Err()
}

// Exceeded reports whether the last Tokenize stopped at [Options.MaxTokens]: there
// are more tokens than it returned, and whether they are without error is not
// known.
func (t *Tokenizer) Exceeded() bool { return t.exceeded }

// expect estimates how many tokens follow the first n, from how many bytes those
// took. It errs on the high side, to make room only once for a dense text.
func (t *Tokenizer) expect(n int) int {
	rest := len(t.text) - t.pos
	return min(rest, int(float64(rest)*float64(n)/float64(max(t.pos, 1))*1.1)) + n/8 + 16
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
	t.features = options.Target.Features()
	t.strict = options.Strict
	t.carriageReturns = options.CarriageReturns
	t.rowsBefore = options.RowsBefore
	t.splitLessGreater = t.features.SplitsLessGreater
	t.implied = text != "" && text[len(text)-1] != '\n'
	t.ended, t.failed = false, false
	t.words.Reset()
	t.atBOL, t.commentNewline = true, false
	t.pending, t.pos, t.row, t.lineStart, t.buffer = 0, 0, 1, 0, 0
	t.readRow, t.readBuffer = 1, 0
	t.indent, t.level = 0, 0
	t.modes = append(t.modes[:0], plainText)
}

// Next returns the next token; false after ENDMARKER and on failure, see Err.
func (t *Tokenizer) Next() (Token, bool) {
	if t.ended || t.failed {
		return Token{}, false
	}
	var tokens [1]Token
	if _, ok := t.next(tokens[:]); !ok {
		return Token{}, false
	}
	return tokens[0], true
}

// Err returns the failure that ended the stream, nil if there was none.
func (t *Tokenizer) Err() *Error {
	if t.failed {
		return &t.err
	}
	return nil
}

// next reads one token into tokens, which has room for one. It returns how many it
// read, and false on failure.
func (t *Tokenizer) next(tokens []Token) (int, bool) {
	m := &t.modes[len(t.modes)-1]
	if m.regular {
		return t.regular(tokens)
	}
	if field, ok := t.literal(&tokens[0], m); !ok {
		return 0, false
	} else if field {
		return t.regular(tokens)
	}
	return 1, true
}

// eof is what byteAt returns after the text.
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

// textEnd returns the offset after the implied newline.
func (t *Tokenizer) textEnd() int {
	if t.implied {
		return len(t.text) + 1
	}
	return len(t.text)
}

// newLine moves to the line that begins at pos, if there is one. between says that no token is
// partly read. Then CPython drops the lines before.
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

// put fills token and moves past it.
func (t *Tokenizer) put(token *Token, kind Kind, start, end int) bool {
	*token = Token{Kind: kind, Start: int32(start), End: int32(end), Row: int32(t.row)}
	t.pos = end
	return true
}

// regular reads tokens outside of literal text, until tokens is full or up to the ENDMARKER or the
// start of an f-string. Within an f-string, tokens must have one item. regular returns the number
// of tokens read, and false on failure.
//
// Most tokens are read by common. It must read the same tokens as token does; a test compares the
// two, token by token.
func (t *Tokenizer) regular(tokens []Token) (n int, ok bool) {
	plain := len(t.modes) == 1
	common := plain && !t.strict && !t.withoutCommon
	blank := false // only blanks stand before in the row
	for n < len(tokens) {
		if t.atBOL || t.pending != 0 {
			if n, blank, ok = t.beginRow(tokens, n); !ok {
				return n, false
			}
			if n == len(tokens) {
				break
			}
		}
		if common && !blank {
			if n, t.pos, blank = t.common(tokens, n, t.pos); t.atBOL || n == len(tokens) {
				continue
			}
		}
		given, ok := t.token(&tokens[n], blank)
		if !ok {
			return n, false
		}
		if given {
			n++
		}
		if t.ended || plain && len(t.modes) > 1 {
			break
		}
		blank = false
	}
	return n, true
}

// beginRow measures the indentation if a row begins, and reads the due INDENT and DEDENT
// tokens that have room. tokens[n] is the first to fill; it returns the next. blank reports
// whether the row holds no code.
func (t *Tokenizer) beginRow(tokens []Token, n int) (next int, blank, ok bool) {
	if t.atBOL {
		t.atBOL = false
		if blank, ok = t.indentation(); !ok {
			return n, false, false
		}
	}
	for ; t.pending != 0 && n < len(tokens); n++ {
		t.pendingIndentation(&tokens[n])
	}
	return n, blank, true
}

// token reads the token at t.pos, after any blanks and backslashes before it. blank says
// that only blanks stand before it in its row. given is false if the parser gets no token,
// at the end of a row without code.
func (t *Tokenizer) token(token *Token, blank bool) (given, ok bool) {
	text := t.text
	flags := Plain
	i := t.pos
	if i < len(text) && text[i] == ' ' {
		i++
	}
again:
	if i >= len(text) {
		t.pos = i
		if i == len(text) && t.implied {
			return t.newline(token, i, i, blank), true
		}
		ok = t.end(token)
		return ok, ok
	}
	c := text[i]
	switch class[c] & kindClass {
	case nameClass:
		return true, t.name(token, i, flags)
	case blankClass:
		flags = 0
		i++
		goto again
	case operatorClass:
		if c == '.' && i+1 < len(text) && class[text[i+1]]&kindClass == digitClass {
			return true, t.number(token, i)
		}
		return true, t.operator(token, i, c)
	case newlineClass:
		t.pos = i
		return t.newline(token, i, i, blank), true
	case digitClass:
		ok = t.number(token, i)
		token.Flags = flags
		return true, ok
	case quoteClass:
		ok = t.str(token, i, i)
		if token.Flags == 0 {
			token.Flags = flags
		}
		return true, ok
	case hashClass:
		return t.comment(token, i, blank), true
	case controlClass:
		if c != '\r' || !t.carriageReturns {
			return true, t.control(token, i)
		}
		if t.byteAt(i+1) != '\\' {
			t.pos = i
			return t.afterReturn(token, i, blank)
		}
		i++
	}
	if !t.continuation(i, false) { // the backslash at i
		return false, false
	}
	flags = 0
	i = t.pos
	goto again
}

// comment reads the COMMENT at start. The parser sees the row's NEWLINE in its place, which
// begins at the comment, or nothing.
func (t *Tokenizer) comment(token *Token, start int, blank bool) (given bool) {
	end := len(t.text)
	if n := strings.IndexByte(t.text[start:], '\n'); n >= 0 {
		end = start + n
	}
	if t.carriageReturns {
		if n := strings.IndexByte(t.text[start:end], '\r'); n >= 0 {
			end = start + n
		}
	}
	if t.strict {
		t.pos = end
		return t.newline(token, start, end, blank)
	}
	t.commentNewline = blank
	return t.put(token, COMMENT, start, end)
}

// control reads the control character at i, which newer versions refuse.
func (t *Tokenizer) control(token *Token, i int) bool {
	if t.features.RefusesControls {
		t.pos = i + 1
		return t.raise("invalid non-printable character U+%04X", t.text[i])
	}
	return t.put(token, UNKNOWN, i, i+1)
}

// afterReturn reads the token after the carriage return at offset start, which becomes part of the
// token. CPython checks for names and comments before it skips a carriage return. So the token is a
// newline, a number, a string, or an operator of any character. given is false if the parser gets
// no token.
func (t *Tokenizer) afterReturn(token *Token, start int, blank bool) (given, ok bool) {
	i := start + 1
	if i == len(t.text) {
		return t.newline(token, start, i, blank), true
	}
	c := t.text[i]
	ok = true
	switch kind := class[c] & kindClass; {
	case kind == digitClass, c == '.' && class[t.byteAt(i+1)]&kindClass == digitClass:
		ok = t.number(token, i)
	case kind == quoteClass:
		ok = t.str(token, i, i)
	case kind == newlineClass:
		return t.newline(token, start, i, blank), true
	case kind == controlClass, c == '\t', c == '\f':
		t.pos = i + 1
		return false, t.raise("invalid non-printable character U+%04X", c)
	case c >= utf8.RuneSelf:
		_, size := utf8.DecodeRuneInString(t.text[i:])
		t.put(token, UNKNOWN, start, i+size)
	default:
		ok = t.operator(token, i, c)
		token.Kind = UNKNOWN
	}
	token.Start = int32(start)
	return true, ok
}

// indentation measures the blanks at a line's beginning and notes what INDENT
// or DEDENT tokens are due. blank reports whether the line holds no code.
//
// A tab moves to the next multiple of eight columns. A second measure counts a tab as one column.
// If the two measures disagree on whether a line is deeper than its block, the meaning would depend
// on the tab's width, so CPython refuses the text.
func (t *Tokenizer) indentation() (blank, ok bool) {
	text := t.text
	i := t.pos
	col, alt, contCol := 0, 0, 0
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
	if c := t.byteAt(i); c == '#' || c == '\n' || c == '\r' && t.carriageReturns {
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

// pendingIndentation gives one of the pending INDENT or DEDENT tokens.
func (t *Tokenizer) pendingIndentation(token *Token) bool {
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
	t.readRow, t.readBuffer = t.row, t.buffer
	t.newLine(at+1, true)
	return kind == NEWLINE || !t.strict
}

// continuation moves past the backslash at offset i and its newline. between
// reports that no token is half read.
func (t *Tokenizer) continuation(i int, between bool) bool {
	if t.carriageReturns && t.byteAt(i+1) == '\r' {
		i++
	}
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

// name reads the NAME that begins at start, or the string that it is the prefix of.
// plain is Plain if nothing before the name keeps it from being so.
func (t *Tokenizer) name(token *Token, start int, plain Flags) bool {
	text := t.text
	seen := text[start] // the bits of all its bytes
	end := start + 1
	for end < len(text) && class[text[end]]&identClass != 0 {
		seen |= text[end]
		end++
	}
	if end < len(text) && class[text[end]]&kindClass == quoteClass && end-start <= 5 {
		if ok, done := t.prefixed(token, start, end); done {
			return ok
		}
	}
	t.put(token, NAME, start, end)
	if seen < utf8.RuneSelf {
		token.Flags = plain
		if end-start <= maxKeyword {
			next := uint16(anyFollows)
			if end < len(text) {
				next = follows[text[end]]
			}
			keyword, flags := lookup(wordOf(text[start:end]), next)
			token.Keyword = keyword
			token.Flags &= flags
		}
		return true
	}
	token.Flags = NonASCII
	return !t.strict || t.checkIdentifier(start, end)
}

// checkIdentifier refuses a name with a character that no identifier has.
func (t *Tokenizer) checkIdentifier(start, end int) bool {
	at, invalid := invalidIdentifier(t.text[start:end], characters.Of(t.features.Version))
	if at < 0 {
		return true
	}
	t.pos = start + at + utf8.RuneLen(invalid)
	if characters.Of(t.features.Version).IsPrintable(invalid) {
		return t.raise("invalid character '%c' (U+%04X)", invalid, invalid)
	}
	return t.raise("invalid non-printable character U+%04X", invalid)
}
