package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/internal/pytext"
)

// Before 3.12 the tokenize module was a tokenizer of its own, in Python, with a
// regular expression for what a token may be. It takes line after line, knows
// nothing of what the parser would refuse, and calls a character that begins no
// token an ERRORTOKEN:
//
//	x = $1    # NAME OP ERRORTOKEN' ' ERRORTOKEN'$' NUMBER
//
// The expression begins with the blanks before a token. Where nothing matches
// after them the first blank is the ERRORTOKEN, and the next try begins after
// it: so the blanks before a stray character become ERRORTOKENs as well.
//
// This file is that tokenizer by hand. Where its alternatives overlap, the first
// one counts, as in the expression, not the longest.

// pure tokenizes t.text. It returns the tokens, and on failure t.failed is set.
func (t *Tokenizer) pure(tokens []Token) []Token {
	text := t.text
	indents := append(t.pureIndents[:0], 0)
	defer func() { t.pureIndents = indents[:0] }()
	level, continued := 0, false
	broken := false // a string in single quotes has ended without them, and none over several lines with its own since
	row, at := 0, 0 // of the line to read
	emit := func(kind Kind, flags Flags, start, end, row int) {
		tokens = append(tokens, Token{Kind: kind, Flags: flags, Start: int32(start), End: int32(end), Row: int32(row)})
	}
	lastLine := "" // the one before the line that ended the text
	line := ""
	for {
		lastLine = line
		start := at
		end := t.nextLine(at)
		line = text[start:end]
		at = end
		row++
		pos := start
		if level == 0 && !continued {
			if line == "" {
				break
			}
			column := 0
		blanks:
			for pos < end {
				switch text[pos] {
				case ' ':
					column++
				case '\t':
					column = (column/8 + 1) * 8
				case '\f':
					column = 0
				default:
					break blanks
				}
				pos++
			}
			if pos == end { // only the last line can end in a blank
				at = start
				break
			}
			if c := text[pos]; c == '#' || c == '\n' || c == '\r' {
				if c == '#' {
					comment := strings.TrimRight(text[pos:end], "\r\n")
					emit(COMMENT, 0, pos, pos+len(comment), row)
					pos += len(comment)
				}
				emit(NL, 0, pos, end, row)
				continue
			}
			if column > indents[len(indents)-1] {
				indents = append(indents, column)
				emit(INDENT, 0, start, pos, row)
			}
			if !slices.Contains(indents, column) {
				t.pureError("IndentationError", "unindent does not match any outer indentation level", row, utf8.RuneCountInString(text[start:pos]))
				return tokens
			}
			for column < indents[len(indents)-1] {
				indents = indents[:len(indents)-1]
				emit(DEDENT, 0, pos, pos, row)
			}
		} else {
			if line == "" {
				t.pureError("TokenError", "EOF in multi-line statement", row, 0)
				return tokens
			}
			continued = false
		}

		for pos < end {
			kind, from, to := t.pureToken(pos, end)
			switch kind {
			case noMatch:
				_, size := utf8.DecodeRuneInString(text[pos:])
				emit(ERRORTOKEN, 0, pos, pos+size, row)
				pos += size
				continue
			case NEWLINE:
				if level > 0 {
					kind = NL
				}
				emit(kind, 0, from, to, row)
			case backslashNewline:
				continued = true
			case lineEnd:
			case NAME:
				emit(NAME, 0, from, to, row)
				tokens[len(tokens)-1].Keyword = LookupKeyword(text[from:to])
			case STRING:
				flags := Flags(0)
				if strings.IndexByte(text[from:to], '\\') >= 0 {
					flags = Backslash
				}
				emit(STRING, flags, from, to, row)
			case openString:
				stop, rows, how := t.pureString(from, to, broken)
				broken = how == stringBreaks
				switch how {
				case stringEnds:
					emit(STRING, Multiline|Backslash, from, stop, row)
				case stringBreaks:
					emit(ERRORTOKEN, Multiline, from, stop, row)
				case stringRunsOut:
					t.pureError("TokenError", "EOF in multi-line string", row, utf8.RuneCountInString(text[start:from]))
					return tokens
				}
				// Go on in the line where the string ended.
				row += rows
				start, end = stop, stop
				if how == stringEnds {
					end = t.nextLine(stop)
				} else { // after the newline
					start--
				}
				start = strings.LastIndexByte(text[:start], '\n') + 1
				line = text[start:end]
				at, pos = end, stop
				continue
			default:
				if kind.IsOpener() {
					level++
				} else if kind.IsCloser() {
					level--
				}
				emit(kind, 0, from, to, row)
			}
			pos = to
		}
	}
	if n := len(lastLine); n > 0 && lastLine[n-1] != '\n' && lastLine[n-1] != '\r' && !strings.HasPrefix(strings.TrimLeftFunc(lastLine, pytext.IsSpace), "#") {
		emit(NEWLINE, 0, len(text), len(text), row-1)
	}
	for range indents[1:] {
		emit(DEDENT, 0, at, at, row)
	}
	emit(ENDMARKER, 0, at, at, row)
	return tokens
}

// What pureToken returns besides kinds.
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
	kind = oneByte[c]
	if i+1 < end && class[c]&longClass != 0 {
		if two := twoBytes(c, text[i+1]); two != 0 && (two != NOTEQUAL || c == '!') {
			if i+2 < end {
				if three := threeBytes(two, text[i+2]); three != 0 {
					return three, i, i + 3
				}
			}
			if two != dotDot {
				return two, i, i + 2
			}
		}
	}
	if kind == UNKNOWN || kind == EXCLAMATION {
		return noMatch, 0, 0
	}
	return kind, i, i + 1
}

// pureName matches what \w matches. What begins like no identifier is an
// operator, of whatever kind.
func (t *Tokenizer) pureName(text string, start int) (kind Kind, from, to int) {
	u := t.features.Unicode
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

// pureString follows a string over lines, from its first line, which ends at to.
// It returns the offset where it stops and the rows in between. After a broken
// string, tokenize asks of one in triple quotes too that its lines end in
// backslashes: it does not take back that it does.
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
	i := digitRun(text, 0)
	if i > 0 { // an imaginary number without a point
		if i < len(text) && text[i]|0x20 == 'j' {
			return i + 1
		}
	}
	// A floating-point number has a point, or an exponent, or both.
	float := 0
	if i < len(text) && text[i] == '.' {
		float = i + 1
		if n := digitRun(text, float); n > 0 {
			float = n
		}
	}
	if exponent := max(float, i); exponent > 0 && exponent < len(text) && text[exponent]|0x20 == 'e' {
		at := exponent + 1
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if n := digitRun(text, at); n > 0 {
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
	if len(text) > 1 {
		var isDigit func(byte) bool
		switch text[1] | 0x20 {
		case 'x':
			isDigit = isHex
		case 'o':
			isDigit = isOctal
		case 'b':
			isDigit = isBinary
		}
		if isDigit != nil {
			n := 2
			for {
				at := n
				if at < len(text) && text[at] == '_' {
					at++
				}
				if at >= len(text) || !isDigit(text[at]) {
					break
				}
				n = at + 1
			}
			if n > 2 {
				return n
			}
			return 1
		}
	}
	n := 1 // zeros
	for {
		at := n
		if at < len(text) && text[at] == '_' {
			at++
		}
		if at >= len(text) || text[at] != '0' {
			return n
		}
		n = at + 1
	}
}

// digitRun returns the offset after the decimal digits at i, with single
// underscores between them; 0 if there are none.
func digitRun(text string, i int) int {
	if i >= len(text) || !isDecimal(text[i]) {
		return 0
	}
	for i++; i < len(text); i++ {
		if text[i] == '_' && i+1 < len(text) && isDecimal(text[i+1]) {
			i++
		} else if !isDecimal(text[i]) {
			break
		}
	}
	return i
}
