package tokenizer

// SkipTo continues at the line that begins at offset to, in the given row, as if the text before it
// had been read. The last skipped token counts as a NEWLINE, and the level of indentation remains
// the same.
func (t *Tokenizer) SkipTo(to, row int) {
	t.readRow, t.readBuffer = row-1, t.buffer
	t.pos, t.lineStart, t.buffer, t.row = to, to, to, row
	t.atBOL, t.level = true, 0
	t.modes = append(t.modes[:0], plainText)
}

// JoinLessGreater makes <> one token from here on, as
// from __future__ import barry_as_FLUFL does.
func (t *Tokenizer) JoinLessGreater() { t.splitLessGreater = false }

// The methods below say where the Tokenizer stands between two calls of Next. CPython's
// parser asks its tokenizer the same questions to word and place an error.

// Row returns the row of the last byte read.
func (t *Tokenizer) Row() int { return t.row }

// Line returns the offset of that row's first byte.
func (t *Tokenizer) Line() int { return t.lineStart }

// Reading returns the last row that CPython has read, and the offset of the first line
// that it holds in memory. CPython reads a line when it needs one, so after a NEWLINE it
// has not read the next. It drops the lines before a token when it reads another line.
func (t *Tokenizer) Reading() (row, buffer int) {
	if t.atBOL {
		return t.readRow, t.readBuffer
	}
	return t.row, t.buffer
}

// Cursor returns the offset after the last byte read, one more after an
// implied newline.
func (t *Tokenizer) Cursor() int { return t.pos }

// Level returns the number of open brackets.
func (t *Tokenizer) Level() int { return t.level }

// Bracket returns the offset and the row of the innermost open bracket. There
// must be one.
func (t *Tokenizer) Bracket() (at, row int) {
	open := t.brackets[t.level-1]
	return int(open.at), int(open.row)
}

// FStrings returns the number of open f- and t-strings.
func (t *Tokenizer) FStrings() int { return len(t.modes) - 1 }

// FString describes the innermost open f- or t-string: its letter, and whether
// it is raw. Outside of all it returns 'f' and false.
func (t *Tokenizer) FString() (letter byte, raw bool) {
	m := &t.modes[len(t.modes)-1]
	if m.letter == 0 {
		return 'f', false
	}
	return m.letter, m.raw
}

// Fields returns how deep the open replacement fields of the innermost open f- or
// t-string are nested.
func (t *Tokenizer) Fields() int { return int(t.modes[len(t.modes)-1].exprDepth) + 1 }
