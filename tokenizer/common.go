package tokenizer

import (
	"math/bits"

	"codelinter/internal/python/pytext"
)

// common reads tokens of the plain text from offset i on, as long as they are of the common
// kinds: names of ASCII, operators of one byte, decimal integers, and newlines with the
// indentation after them. Only code or nothing may stand before i in its row. tokens[n] is
// the first to fill. common returns the index of the next token to fill and the offset at
// which reading continues. blank reports whether only blanks stand before that offset in
// its row. If a row begins there that common cannot read, it sets atBOL.
//
// Names of less than sixteen bytes and operators, most tokens, are read in an inner loop without
// any call, so that its locals stay in registers. Tokens are stored field by field, as the
// compiler builds a whole one on the stack first. With all tokens read by calls, tokenizing
// took 1.2 times the instructions (15 modules of CPython's Lib). A name is read before the
// byte after it is looked at. If that is a quote, the name is given back, as it may be a
// string's prefix.
//
// Branches that the CPU mispredicts are replaced by arithmetic: whether a name is a
// keyword, and whether an operator is a bracket. That took the time to 0.97. Reading
// operators that end with = and short strings here as well did not pay (0.99).
func (t *Tokenizer) common(tokens []Token, n, i int) (next, at int, blank bool) {
	text := t.text
	first := n
	for {
		row := int32(t.row)
	short:
		for n < len(tokens) && i+17 <= len(text) {
			token := &tokens[n]
			start := i
			c := text[start]
			if c == ' ' {
				start++
				c = text[start]
			}
			k := class[c]
			switch k & kindClass {
			case nameClass:
				word := pytext.WordAt(text, start)
				stops := nameStops(word)
				end, seen := start, word
				if stops != 0 {
					word &= beforeStop(stops)
					seen = word
				} else {
					rest := pytext.WordAt(text, start+8)
					if stops = nameStops(rest); stops == 0 {
						break short // it has sixteen bytes or more
					}
					end += 8
					if rest &= beforeStop(stops); rest != 0 {
						word = noKeyword
					}
					seen |= rest
				}
				if seen&highBits != 0 {
					return n, i, false
				}
				i = end + bits.TrailingZeros64(stops)/8
				token.Keyword, token.Flags = lookup(word, follows[text[i]])
				token.Kind = NAME

			case operatorClass:
				next := follows[text[start+1]]
				if k&next&(longClass|pointClass) != 0 {
					return n, i, false
				}
				level := t.level
				if level >= maxLevel {
					return n, i, false
				}
				t.brackets[level] = bracket{int32(start), row} // counts if it is an opener
				level = max(level+int(bracketSteps[c]), 0)
				t.level = level
				token.Kind = oneByte[c]
				token.Keyword = NotKeyword
				token.Flags = plainOperator(int(c)<<1|(start-i), level, next)
				i = start + 1

			default:
				break short
			}
			token.Start = int32(start)
			token.End = int32(i)
			token.Row = row
			n++
		}
		if n == len(tokens) || i+17 > len(text) {
			break
		}
		start := i
		if text[start] == ' ' {
			start++
		}
		end := 0
		switch class[text[start]] & kindClass {
		case newlineClass:
			var more bool
			if n, i, blank, more = t.rowEnd(tokens, n, start); !more {
				return n, i, blank
			}
			continue
		case nameClass:
			end = t.longName(&tokens[n], start)
		case digitClass:
			end = t.plainNumber(&tokens[n], start)
		}
		if end == 0 {
			break
		}
		i = end
		n++
	}
	if n > first && i < len(text) && class[text[i]]&kindClass == quoteClass && tokens[n-1].Kind == NAME {
		n-- // it may be a string's prefix
		i = int(tokens[n].Start)
	}
	return n, i, false
}

// beforeStop masks the bytes of a word before the first that nameStops marked.
func beforeStop(stops uint64) uint64 { return (stops ^ (stops - 1)) >> 8 }

// longName reads the NAME of ASCII that begins at start and has sixteen bytes or more. It
// returns the offset of its end, or 0 if it is another name or ends too near the text's.
func (t *Tokenizer) longName(token *Token, start int) (end int) {
	text := t.text
	seen := uint64(0)
	for end = start; end+8 <= len(text); end += 8 {
		word := pytext.WordAt(text, end)
		stops := nameStops(word)
		if stops == 0 {
			seen |= word
			continue
		}
		end += bits.TrailingZeros64(stops) / 8
		if (seen|word&beforeStop(stops))&highBits != 0 {
			break
		}
		*token = Token{Kind: NAME, Flags: Plain, Start: int32(start), End: int32(end), Row: int32(t.row)}
		return end
	}
	return 0
}

// plainOperator returns Plain if an operator of one byte is so at a place, see
// plainPlaces, with level brackets open and next after it.
func plainOperator(place, level int, next uint16) Flags {
	return plainIf(plainPlaces[place&(insidePlaces-1)|int(uint(-level)>>63)*insidePlaces] & next)
}

// plainNumber reads the NUMBER of digits alone that begins at start. It returns the offset of
// its end, or 0 if it is a number of another kind.
func (t *Tokenizer) plainNumber(token *Token, start int) (end int) {
	text := t.text
	end = start + 1
	for end < len(text) && class[text[end]]&kindClass == digitClass {
		end++
	}
	if end == len(text) || class[text[end]]&identClass != 0 || text[end] == '.' || text[start] == '0' && end > start+1 {
		return 0
	}
	*token = Token{Kind: NUMBER, Flags: Plain, Start: int32(start), End: int32(end), Row: int32(t.row)}
	return end
}

// rowEnd reads the NEWLINE or NL at start, the rows of blanks after it, and the INDENT or
// DEDENT tokens of the next row. tokens[n] is the first to fill. Its results are common's;
// more is false if common must return them.
func (t *Tokenizer) rowEnd(tokens []Token, n, start int) (next, i int, blank, more bool) {
	text := t.text
	kind := NEWLINE
	if t.level > 0 || t.commentNewline {
		kind = NL
		t.commentNewline = false
	}
	for {
		t.readRow, t.readBuffer = t.row, t.buffer
		i = start + 1
		token := &tokens[n]
		token.Kind = kind
		token.Keyword = NotKeyword
		token.Flags = 0
		token.Start = int32(start)
		token.End = int32(i)
		token.Row = int32(t.row)
		n++
		t.row++
		t.lineStart, t.buffer = i, i
		var others uint64 // bytes that are no space
		for start = i; start+8 <= len(text); start += 8 {
			if others = pytext.WordAt(text, start) ^ allSpaces; others != 0 {
				break
			}
		}
		start += bits.TrailingZeros64(others) / 8
		if n == len(tokens) || others == 0 {
			t.atBOL = true
			return n, i, false, false
		}
		switch k := class[text[start]] & kindClass; {
		case k == newlineClass && start+1 < len(text):
			kind = NL
			continue
		case k == hashClass:
			return n, start, true, false
		case k > quoteClass:
			t.atBOL = true
			return n, i, false, false
		}
		if indent := t.indents[t.indent]; t.level == 0 && (start-i != indent || t.altIndent[t.indent] != indent) {
			var ok bool
			if n, ok = t.dents(tokens, n, i, start); !ok {
				t.atBOL = true
				return n, i, false, false
			}
		}
		return n, start, false, true
	}
}

// dents reads the INDENT or the DEDENT tokens of a row that begins at i and whose first
// token begins at start, with only spaces between. tokens[n] is the first to fill. It
// returns false, and reads none, if the indentation is an error or there is no room.
func (t *Tokenizer) dents(tokens []Token, n, i, start int) (next int, ok bool) {
	spaces, row := start-i, int32(t.row)
	indent := t.indents[t.indent]
	level := t.indent
	for level > 0 && t.indents[level] > spaces {
		level--
	}
	switch dents := t.indent - level; {
	case t.indents[level] == spaces && t.altIndent[level] == spaces && dents <= len(tokens)-n:
		for range dents {
			tokens[n] = Token{Kind: DEDENT, Start: int32(start), End: int32(start), Row: row}
			n++
		}
	case dents == 0 && indent < spaces && t.altIndent[level] < spaces && level+1 < maxIndent:
		level++
		t.indents[level], t.altIndent[level] = spaces, spaces
		tokens[n] = Token{Kind: INDENT, Start: int32(i), End: int32(start), Row: row}
		n++
	default:
		return n, false
	}
	t.indent = level
	return n, true
}
