package tokenizer

import (
	"math/bits"
	"strings"

	"codelinter/internal/python/pytext"
)

// prefixed reads the string that begins at start, with its quote at offset quote, if the letters
// between are a prefix. Otherwise done is false.
func (t *Tokenizer) prefixed(token *Token, start, quote int) (ok, done bool) {
	seen := uint32(0) // a bit for each letter
	for i := start; i < quote; i++ {
		c := t.text[i] | 0x20
		if c != 'b' && c != 'r' && c != 'u' && c != 'f' && (c != 't' || !t.features.TStrings) || seen&letterBit(c) != 0 {
			return false, false
		}
		seen |= letterBit(c)
	}
	if quote-start > 1 {
		for _, pair := range [...]string{"ub", "ur", "uf", "ut", "bf", "bt", "ft"} {
			if seen&letterBit(pair[0]) == 0 || seen&letterBit(pair[1]) == 0 {
				continue
			}
			if !t.features.PrefixClashes {
				return false, false
			}
			t.pos = quote + 1
			t.raise("'%c' and '%c' prefixes are incompatible", pair[0], pair[1])
			t.placeAt(start)
			return false, true
		}
	}
	if seen&(letterBit('f')|letterBit('t')) != 0 && t.features.PEP701 {
		letter := byte('f')
		if seen&letterBit('t') != 0 {
			letter = 't'
		}
		return t.startFString(token, start, quote, letter, seen&letterBit('r') != 0), true
	}
	return t.str(token, start, quote), true
}

func letterBit(c byte) uint32 { return 1 << (c - 'a') }

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
		if run := plainRun(text, i, q); run > 0 {
			i += run
			seen = 0
		}
		if i >= len(text) {
			// After the implied newline a triple-quoted string still
			// waits, and so does an escaped one.
			return t.unterminated(quote, start, row, size, escapedQuote)
		}
		c := text[i]
		i++
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
				if c == '\r' && t.carriageReturns && i < len(text) {
					c = text[i]
					i++
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

// plainRun returns the number of bytes from offset i on before the next quote, backslash or
// newline, at which the scan of a STRING stops. It reads eight bytes at a time.
func plainRun(text string, i int, quote byte) int {
	quotes := ones * uint64(quote)
	start := i
	for i+8 <= len(text) {
		word := pytext.WordAt(text, i)
		// The lowest byte that is marked is right; a borrow may mark ones above it.
		if stops := zeroBytes(word^quotes) | zeroBytes(word^ones*'\\') | zeroBytes(word^ones*'\n'); stops != 0 {
			return i + bits.TrailingZeros64(stops)/8 - start
		}
		i += 8
	}
	for i < len(text) && class[text[i]]&stringClass == 0 {
		i++
	}
	return i - start
}

const ones = 0x0101010101010101 // a 1 in each byte

// zeroBytes marks the lowest byte of x that is 0, and maybe some above it, by its
// highest bit.
func zeroBytes(x uint64) uint64 { return (x - ones) &^ x & (ones << 7) }

// unterminated raises the error of a string that begins at start in row and
// whose scan ended in t.row.
func (t *Tokenizer) unterminated(quote, start, row, size int, escapedQuote bool) bool {
	if t.hasNUL && (size == 3 || t.textEnd() == len(t.text)) && t.stringRunsOut(quote, size) {
		return t.end(nil)
	}
	detected := t.rowsBefore + t.row
	t.row = row
	t.pos = start + 1
	if m := &t.modes[len(t.modes)-1]; len(t.modes) > 1 && m.quote == t.text[quote] && int(m.size) == size {
		if brace := t.brackets[t.level-int(m.depth-m.exprDepth)]; t.features.NamesOpenField && int(brace.row) != row {
			return t.raise("%c-string: expecting '}' to close '{' on line %d", m.letter, t.rowsBefore+int(brace.row))
		}
		return t.raise("%c-string: expecting '}'", m.letter)
	}
	switch {
	case size == 3:
		return t.raise("unterminated triple-quoted string literal (detected at line %d)", detected)
	case escapedQuote && t.features.EscapedQuoteHint:
		return t.raise("unterminated string literal (detected at line %d); perhaps you escaped the end quote?", detected)
	}
	return t.raise("unterminated string literal (detected at line %d)", detected)
}

// stringRunsOut reports whether the string whose quote stands at offset quote
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

// kindFor returns the kind that a part of an f-string has in a string with the prefix letter.
func kindFor(letter byte, kind Kind) Kind {
	if letter == 't' {
		return kind + TSTRING_START - FSTRING_START
	}
	return kind
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
	t.put(token, kindFor(letter, FSTRING_START), start, end)
	if len(t.modes) >= maxFStrings {
		if !t.features.TStrings {
			return t.raise("too many nested f-strings")
		}
		return t.raise("too many nested f-strings or t-strings")
	}
	t.modes = append(t.modes, mode{
		quote: text[quote], size: uint8(size), letter: letter, raw: raw, exprDepth: -1,
		start: int32(start), row: int32(t.row), lineStart: int32(t.lineStart),
	})
	return true
}

// literal reads inside an f-string: its end, or a FSTRING_MIDDLE. If a field begins at once, it
// reads nothing, and field is true.
func (t *Tokenizer) literal(token *Token, m *mode) (field, ok bool) {
	text := t.text
	start := t.pos
	if start < len(text) && text[start] == '{' && (start+1 >= len(text) || text[start+1] != '{') {
		return true, t.field(m)
	}
	closing := text[start:min(start+int(m.size), len(text))]
	if len(closing) == int(m.size) && strings.Count(closing, string(m.quote)) == int(m.size) {
		t.modes = t.modes[:len(t.modes)-1]
		return false, t.put(token, kindFor(m.letter, FSTRING_END), start, start+int(m.size))
	}

	*token = Token{Kind: kindFor(m.letter, FSTRING_MIDDLE), Start: int32(start), Row: int32(t.row)}
	inSpec := m.inSpec && m.exprDepth >= 0
	named := false // within \N{...}
	seen := 0      // quotes in a row
	i := start
	for {
		c := t.byteAt(i)
		if c == eof || c == '\n' && m.size == 1 {
			if inSpec && c == '\n' && t.features.SpecsEndAtNewline {
				m.regular, m.inSpec = true, false
				break
			}
			return false, t.unterminatedFString(m, i, c, inSpec)
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
				return false, t.endLiteral(token, i, i+1)
			}
			t.endLiteral(token, i-1, i-1)
			return false, t.field(m)
		case '}':
			if named {
				return false, t.endLiteral(token, i, i)
			}
			if t.byteAt(i) == '}' && !inSpec && m.depth == 0 {
				return false, t.endLiteral(token, i, i+1)
			}
			m.regular = true
			m.inSpec = false
			return false, t.endLiteral(token, i-1, i-1)
		case '\\':
			var begins bool
			i, begins = t.literalEscape(token, i)
			if begins && !m.raw && t.byteAt(i) == '{' {
				i++
				named = true
			}
		}
	}
	return false, t.endLiteral(token, i, i)
}

// literalEscape moves past the character after a backslash, unless it is a brace. named reports
// whether it is an N.
func (t *Tokenizer) literalEscape(token *Token, i int) (next int, named bool) {
	token.Flags |= Backslash
	c := t.byteAt(i)
	if c == '\r' && t.carriageReturns {
		i++
		c = t.byteAt(i)
	}
	switch c {
	case eof, '{', '}':
		return i, false
	case '\n':
		token.Flags |= Multiline
		t.newLine(i+1, false)
	}
	return i + 1, c == 'N'
}

// endLiteral ends a FSTRING_MIDDLE. Reading continues at next.
func (t *Tokenizer) endLiteral(token *Token, end, next int) bool {
	token.End = int32(end)
	t.pos = next
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
	detected := t.rowsBefore + t.row
	t.row = int(m.row)
	t.lineStart = int(m.lineStart)
	t.pos = int(m.start) + 1
	if m.size == 3 {
		return t.raise("unterminated triple-quoted %c-string literal (detected at line %d)", m.letter, detected)
	}
	return t.raise("unterminated %c-string literal (detected at line %d)", m.letter, detected)
}
