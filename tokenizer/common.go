package tokenizer

import (
	"math/bits"

	"codelinter/source/pytext"
)

// common reads tokens of the plain text from offset i on, in a row that is not blank so
// far, as long as they are of the common kinds: names of ASCII, operators of one byte,
// numbers of digits, and newlines with the indentation after them. tokens[n] is the
// first to fill. It returns the next to fill, where the text goes on, and whether all is
// blank before that in its row; or sets atBOL and returns the beginning of a row.
//
// It calls no function, so that what it needs stays in registers, and stores tokens field
// by field, as the compiler makes a whole one on the stack first. With all tokens read in
// one loop with calls, tokenizing took 1.2 times the instructions (15 modules of CPython's
// Lib). A name is read whatever comes after it and given back if that is a quote, which
// spares each name the question whether it is a string's prefix.
//
// What no processor foresees is computed and not branched on where it can be: whether a
// name is a keyword, an operator a bracket. That took the time to 0.97. Operators that end
// with = and short strings read here as well did not pay (0.99).
func (t *Tokenizer) common(tokens []Token, n, i int) (next, at int, blank bool) {
	text := t.text
	row := int32(t.row)
	first := n
reading:
	for n < len(tokens) && i+17 <= len(text) {
		token := &tokens[n]
		token.Row = row
		start := i
		c := text[start]
		if c == ' ' {
			start++
			c = text[start]
		}
		k := class[c]
		switch {
		case k&kindClass == nameClass:
			word := pytext.WordAt(text, start)
			stops := nameStops(word)
			end := start
			if stops != 0 {
				end += bits.TrailingZeros64(stops) / 8
				word &= (stops ^ (stops - 1)) >> 8 // the bytes before the first that stops it
				token.Keyword, token.Flags = lookup(word)
			} else {
				rest := pytext.WordAt(text, start+8)
				if stops = nameStops(rest); stops == 0 {
					return n, i, false
				}
				end += 8 + bits.TrailingZeros64(stops)/8
				token.Keyword, token.Flags = NotKeyword, Plain
				if end == start+8 {
					token.Keyword, token.Flags = lookup(word)
				}
				word |= rest & ((stops ^ (stops - 1)) >> 8)
			}
			if word&highBits != 0 {
				return n, i, false
			}
			token.Kind = NAME
			token.Start = int32(start)
			token.End = int32(end)
			i = end

		case k&kindClass == operatorClass:
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
			place := (int(c)<<1 | (start - i)) & (insidePlaces - 1)
			place |= int(uint(-level)>>63) * insidePlaces
			plain := uint32(0)
			if plainPlaces[place]&next != 0 {
				plain = uint32(Plain)
			}
			i = start + 1
			token.Kind = oneByte[c]
			token.Keyword = NotKeyword
			token.Flags = Flags(plain)
			token.Start = int32(start)
			token.End = int32(i)

		case c == '\n':
			kind := NEWLINE
			if t.level > 0 || t.commentNewline {
				kind = NL
				t.commentNewline = false
			}
		nextRow:
			t.readRow, t.readBuffer = t.row, t.buffer
			i = start + 1
			token = &tokens[n]
			token.Kind = kind
			token.Keyword = NotKeyword
			token.Flags = 0
			token.Start = int32(start)
			token.End = int32(i)
			token.Row = row
			n++
			t.row++
			row++
			t.lineStart, t.buffer = i, i
			spaces := 8
			for i+spaces <= len(text) {
				if others := pytext.WordAt(text, i+spaces-8) ^ allSpaces; others != 0 {
					spaces += bits.TrailingZeros64(others)/8 - 8
					break
				}
				spaces += 8
			}
			start = i + spaces
			if n == len(tokens) || start >= len(text) {
				t.atBOL = true
				return n, i, false
			}
			switch k := class[text[start]] & kindClass; {
			case k == newlineClass && start+1 < len(text):
				kind = NL
				goto nextRow
			case k == hashClass:
				return n, start, true
			case k > quoteClass:
				t.atBOL = true
				return n, i, false
			}
			if indent := t.indents[t.indent]; t.level == 0 && (spaces != indent || t.altIndent[t.indent] != indent) {
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
					t.atBOL = true
					return n, i, false
				}
				t.indent = level
			}
			i = start
			continue

		case k&kindClass == digitClass:
			end := start + 1
			for end < len(text) && class[text[end]]&kindClass == digitClass {
				end++
			}
			if end == len(text) || class[text[end]]&identClass != 0 || text[end] == '.' || c == '0' && end > start+1 {
				return n, i, false
			}
			*token = Token{Kind: NUMBER, Flags: Plain, Start: int32(start), End: int32(end), Row: row}
			i = end

		default:
			break reading
		}
		n++
	}
	if n > first && i < len(text) && class[text[i]]&kindClass == quoteClass && tokens[n-1].Kind == NAME {
		n-- // it may be a string's prefix
		i = int(tokens[n].Start)
	}
	return n, i, false
}
