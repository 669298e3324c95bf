package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

// Before 3.12 the tokenize module was a tokenizer of its own, in Python, with a
// regular expression for what a token may be. It takes line after line, knows
// nothing of what the parser would refuse, and calls a character that begins no
// token an ERRORTOKEN:
//
//	x = $1    # NAME OP ERRORTOKEN' ' ERRORTOKEN'$' NUMBER
//
// The expression begins with the blanks before a token. If nothing matches after them, the first
// blank is the ERRORTOKEN, and the next match begins after it. So the blanks before a stray
// character become ERRORTOKENs too.
//
// This file is a hand-written version of that tokenizer. If alternatives overlap, the first one
// counts, as in the expression, not the longest.

// pure tokenizes t.text. It returns the tokens, and on failure t.failed is set.
func (t *Tokenizer) pure(tokens []Token) []Token {
	s := pureScan{t: t, tokens: tokens, indents: append(t.pureIndents[:0], 0)}
	s.scan()
	t.pureIndents = s.indents[:0]
	return s.tokens
}

// A pureScan is the progress of pure.
type pureScan struct {
	t       *Tokenizer
	tokens  []Token
	indents []int // columns of the blocks around, 0 first

	level     int  // of brackets
	continued bool // the line before ends in a backslash
	// broken says that a string in single quotes has ended without a quote. It is reset when a
	// string over several lines ends with its quote.
	broken bool

	row        int // of the line
	start, end int // of the line
	pos        int // in the line
	next       int // where the next line begins
	last       int // where the line before began
}

func (s *pureScan) emit(kind Kind, flags Flags, start, end int) {
	s.tokens = append(s.tokens, Token{Kind: kind, Flags: flags, Start: int32(start), End: int32(end), Row: int32(s.row)})
}

// scan makes the tokens line by line until the text ends or something fails.
func (s *pureScan) scan() {
	for {
		s.last, s.start = s.start, s.next
		s.end = s.t.nextLine(s.next)
		s.next, s.pos = s.end, s.start
		s.row++
		switch empty := s.start == s.end; {
		case s.level != 0 || s.continued: // a closing bracket too many makes the level negative
			if empty {
				s.t.pureError("TokenError", "EOF in multi-line statement", s.row, 0)
				return
			}
			s.continued = false
		case empty || s.skipBlanks() == s.end: // only the last line can end in a blank
			s.finish()
			return
		case s.comment():
			continue
		case !s.indent():
			return
		}
		if !s.line() {
			return
		}
	}
}

// finish makes the tokens at the end of the text.
func (s *pureScan) finish() {
	text := s.t.text
	line := text[s.last:s.start] // the last that has more than blanks
	at := s.start
	if n := len(line); n > 0 && line[n-1] != '\n' && line[n-1] != '\r' && !strings.HasPrefix(strings.TrimLeftFunc(line, pytext.IsSpace), "#") {
		s.row--
		s.emit(NEWLINE, 0, len(text), len(text))
		s.row++
	}
	for range s.indents[1:] {
		s.emit(DEDENT, 0, at, at)
	}
	s.emit(ENDMARKER, 0, at, at)
}

// skipBlanks passes over the blanks that begin the line, and returns where they end.
func (s *pureScan) skipBlanks() int {
	for s.pos < s.end && strings.IndexByte(" \t\f", s.t.text[s.pos]) >= 0 {
		s.pos++
	}
	return s.pos
}

// comment makes the tokens of a line that has no code. It returns false if it has some.
func (s *pureScan) comment() bool {
	text := s.t.text[s.pos:s.end]
	switch text[0] {
	case '#':
		comment := strings.TrimRight(text, "\r\n")
		s.emit(COMMENT, 0, s.pos, s.pos+len(comment))
		s.pos += len(comment)
	case '\n', '\r':
	default:
		return false
	}
	s.emit(NL, 0, s.pos, s.end)
	return true
}

// indent makes the INDENT or the DEDENTs of a line that begins a statement. It returns
// false if no block around has the line's indentation.
func (s *pureScan) indent() bool {
	column := 0
	for _, c := range []byte(s.t.text[s.start:s.pos]) {
		switch c {
		case ' ':
			column++
		case '\t':
			column = (column/8 + 1) * 8
		case '\f':
			column = 0
		}
	}
	if column > s.indents[len(s.indents)-1] {
		s.indents = append(s.indents, column)
		s.emit(INDENT, 0, s.start, s.pos)
	}
	if !slices.Contains(s.indents, column) {
		s.t.pureError("IndentationError", "unindent does not match any outer indentation level", s.row, utf8.RuneCountInString(s.t.text[s.start:s.pos]))
		return false
	}
	for column < s.indents[len(s.indents)-1] {
		s.indents = s.indents[:len(s.indents)-1]
		s.emit(DEDENT, 0, s.pos, s.pos)
	}
	return true
}

// line makes the tokens of the rest of the line, and of the lines to which its strings
// reach. It returns false if one does not end.
func (s *pureScan) line() bool {
	text := s.t.text
	for s.pos < s.end {
		kind, from, to := s.t.pureToken(s.pos, s.end)
		switch kind {
		case noMatch:
			_, size := utf8.DecodeRuneInString(text[s.pos:])
			to = s.pos + size
			s.emit(ERRORTOKEN, 0, s.pos, to)
		case NEWLINE:
			if s.level > 0 {
				kind = NL
			}
			s.emit(kind, 0, from, to)
		case backslashNewline:
			s.continued = true
		case lineEnd:
		case NAME:
			s.emit(NAME, 0, from, to)
			s.tokens[len(s.tokens)-1].Keyword = LookupKeyword(text[from:to])
		case STRING:
			flags := Flags(0)
			if strings.IndexByte(text[from:to], '\\') >= 0 {
				flags = Backslash
			}
			s.emit(STRING, flags, from, to)
		case openString:
			if !s.longString(from, to) {
				return false
			}
			continue
		default:
			s.level += kind.Nesting()
			s.emit(kind, 0, from, to)
		}
		s.pos = to
	}
	return true
}

// longString makes the token of a string that does not end in its line. Reading continues in the
// line where the string ends. It returns false if it does not end.
func (s *pureScan) longString(from, to int) bool {
	text := s.t.text
	stop, rows, how := s.t.pureString(from, to, s.broken)
	s.broken = how == stringBreaks
	switch how {
	case stringEnds:
		s.emit(STRING, Multiline|Backslash, from, stop)
	case stringBreaks:
		s.emit(ERRORTOKEN, Multiline, from, stop)
	case stringRunsOut:
		s.t.pureError("TokenError", "EOF in multi-line string", s.row, utf8.RuneCountInString(text[s.start:from]))
		return false
	}
	s.row += rows
	s.start, s.end = stop, stop
	if how == stringEnds {
		s.end = s.t.nextLine(stop)
	} else { // after the newline
		s.start--
	}
	s.start = strings.LastIndexByte(text[:s.start], '\n') + 1
	s.next, s.pos = s.end, stop
	return true
}

// Results of pureToken besides kinds.
const (
	noMatch          Kind = 255 - iota
	lineEnd               // nothing but blanks is left of the text
	backslashNewline      // of a line that the next one continues
	openString            // a string that the next line continues
)

// nextLine returns the offset after the line that holds offset at.
func (t *Tokenizer) nextLine(at int) int {
	if n := strings.IndexByte(t.text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(t.text)
}

func (t *Tokenizer) pureError(exception, message string, row, column int) {
	t.failed = true
	t.err = Error{Status: Raised, Type: exception, Message: message, Row: row, Offset: column}
}

// pureToken matches a token after the blanks at pos, in the line that ends at
// end.
func (t *Tokenizer) pureToken(pos, end int) (kind Kind, from, to int) {
	text := t.text[:end]
	i := pos
	for i < end && class[text[i]]&kindClass == blankClass {
		i++
	}
	if i == end {
		return lineEnd, end, end
	}
	c := text[i]
	switch class[c] & kindClass {
	case nameClass:
		if n := prefixLength(text[i:]); n > 0 {
			if kind, to := pureQuoted(text, i+n); kind != noMatch {
				return kind, i, to
			}
		}
		return t.pureName(text, i)
	case digitClass:
		return NUMBER, i, i + pureNumber(text[i:])
	case quoteClass:
		kind, to = pureQuoted(text, i)
		return kind, i, to
	case newlineClass:
		return NEWLINE, i, i + 1
	case hashClass:
		n := strings.IndexAny(text[i:], "\r\n")
		if n < 0 {
			n = end - i
		}
		return COMMENT, i, i + n
	case backslashClass:
		if strings.HasPrefix(text[i+1:], "\n") || strings.HasPrefix(text[i+1:], "\r\n") {
			return backslashNewline, i, end
		}
		return noMatch, 0, 0
	case controlClass:
		if strings.HasPrefix(text[i:], "\r\n") {
			return NEWLINE, i, end
		}
		return noMatch, 0, 0
	}
	if c == '.' && i+1 < end && isDecimal(text[i+1]) {
		return NUMBER, i, i + pureNumber(text[i:])
	}
	kind, size := longestOperator(text[i:], false)
	if kind == UNKNOWN || kind == EXCLAMATION {
		return noMatch, 0, 0
	}
	return kind, i, i + size
}

// pureName matches what \w matches. A text that does not begin like an identifier is an operator,
// of any kind.
func (t *Tokenizer) pureName(text string, start int) (kind Kind, from, to int) {
	u := characters.Of(t.features.Version)
	i := start
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if class[c]&identClass == 0 {
				break
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !u.IsWord(r) {
			break
		}
		i += size
	}
	if i == start {
		return noMatch, 0, 0
	}
	if r, _ := utf8.DecodeRuneInString(text[start:]); !u.IsIdentifierStart(r) {
		return UNKNOWN, start, i
	}
	return NAME, start, i
}

// prefixLength returns the length of the string prefix that text begins with and
// that a quote follows, 0 if there is none.
func prefixLength(text string) int {
	quote := strings.IndexAny(text[:min(3, len(text))], `'"`)
	switch quote {
	case 1:
		switch text[0] | 0x20 {
		case 'b', 'f', 'r', 'u':
			return 1
		}
	case 2:
		switch a, b := text[0]|0x20, text[1]|0x20; {
		case a == 'r' && (b == 'b' || b == 'f'), b == 'r' && (a == 'b' || a == 'f'):
			return 2
		}
	}
	return 0
}

// pureQuoted matches a string in a line, from its quote on: a STRING, an
// openString or noMatch.
func pureQuoted(text string, quote int) (kind Kind, to int) {
	q := text[quote]
	i := quote + 1
	if i+1 < len(text) && text[i] == q && text[i+1] == q {
		if end := closingQuotes(text, i+2, q, 3); end > 0 {
			return STRING, end
		}
		return openString, len(text)
	}
	for i < len(text) {
		switch text[i] {
		case q:
			return STRING, i + 1
		case '\n':
			return noMatch, 0
		case '\\':
			if rest := text[i+1:]; rest == "\n" || rest == "\r\n" {
				return openString, len(text)
			}
			i++
		}
		i++
	}
	return noMatch, 0
}

// closingQuotes returns the offset after the closing quotes of a string whose
// text goes on at i; 0 if they are not there.
func closingQuotes(text string, i int, q byte, size int) int {
	seen := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case q:
			if seen++; seen == size {
				return i + 1
			}
			continue
		case '\\':
			i++
		}
		seen = 0
	}
	return 0
}

type stringEnd uint8

const (
	stringEnds    stringEnd = iota // with its quotes
	stringBreaks                   // with a line that has neither quote nor backslash at its end
	stringRunsOut                  // with the text
)

// pureString follows a string over lines, from its first line, which ends at to. It returns
// the offset where the string stops and the number of rows in between. After a broken
// string, tokenize requires backslashes at the ends of a triple-quoted string's lines too:
// it does not reset that state.
func (t *Tokenizer) pureString(from, to int, broken bool) (stop, rows int, how stringEnd) {
	text := t.text
	quote := from + strings.IndexAny(text[from:], `'"`)
	size := 1
	if strings.HasPrefix(text[quote:], `"""`) || strings.HasPrefix(text[quote:], "'''") {
		size = 3
	}
	for to < len(text) {
		rows++
		end := t.nextLine(to)
		line := text[to:end]
		if at := closingQuotes(line, 0, text[quote], size); at > 0 {
			return to + at, rows, stringEnds
		}
		if (size == 1 || broken) && !strings.HasSuffix(line, "\\\n") && !strings.HasSuffix(line, "\\\r\n") {
			return end, rows, stringBreaks
		}
		to = end
	}
	return to, rows, stringRunsOut
}

// pureNumber returns the length of the number that text begins with, a digit or
// a point before one.
func pureNumber(text string) int {
	i := digitRun(text, 0, isDecimal)
	if i > 0 { // an imaginary number without a point
		if i < len(text) && text[i]|0x20 == 'j' {
			return i + 1
		}
	}
	// A floating-point number has a point, or an exponent, or both.
	float := 0
	if i < len(text) && text[i] == '.' {
		float = i + 1
		if n := digitRun(text, float, isDecimal); n > 0 {
			float = n
		}
	}
	if exponent := max(float, i); exponent > 0 && exponent < len(text) && text[exponent]|0x20 == 'e' {
		at := exponent + 1
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if n := digitRun(text, at, isDecimal); n > 0 {
			float = n
		}
	}
	if float > 0 {
		if float < len(text) && text[float]|0x20 == 'j' {
			float++
		}
		return float
	}
	if text[0] != '0' || i == 0 {
		return i
	}
	if _, isDigit := radixOf(text); isDigit != nil {
		digits := 2
		if strings.HasPrefix(text[2:], "_") {
			digits++
		}
		if n := digitRun(text, digits, isDigit); n > 0 {
			return n
		}
	}
	return digitRun(text, 0, func(c byte) bool { return c == '0' })
}

// digitRun returns the offset after the digits at i, with single underscores between them; 0 if
// there are none.
func digitRun(text string, i int, isDigit func(byte) bool) int {
	if i >= len(text) || !isDigit(text[i]) {
		return 0
	}
	for i++; i < len(text); i++ {
		if text[i] == '_' && i+1 < len(text) && isDigit(text[i+1]) {
			i++
		} else if !isDigit(text[i]) {
			break
		}
	}
	return i
}
