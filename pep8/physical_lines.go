package pep8

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// mayEndRow are the kinds of tokens that physicalLines looks at wherever they
// stand.
var mayEndRow = [256]bool{
	tokenizer.NEWLINE: true, tokenizer.NL: true, tokenizer.FSTRING_START: true, tokenizer.TSTRING_START: true,
	tokenizer.FSTRING_END: true, tokenizer.TSTRING_END: true,
}

// physicalLines checks the physical lines that end with the token at that index of the logical
// line.
//
// flake8 checks a row when it meets the token that ends it: a NEWLINE or NL, or the last
// token before a backslash. Rows within a string are checked when the string ends. So some
// rows are never checked: a backslash alone in its row, the row on which a multi-line
// string and a backslash end, the first rows of an f-string that holds another. Others are
// checked twice: rows with a replacement field that spans rows, or that ends before a
// backslash. We do the same.
func (c *Checker) physicalLines(index int) {
	tokens := c.all
	index += c.begins
	token, rest := &tokens[index], tokens[index+1:]
	switch token.Kind {
	case tokenizer.NEWLINE, tokenizer.NL:
		if token.Start == token.End && !c.options.Target.Features().PEP701 {
			if index == 0 {
				c.at(rule.W292, int(token.Row), token.Start, token.End)
				return
			}
			if last := &tokens[index-1]; last.Row != token.Row {
				c.linesOf(last, int(token.Row))
				return
			}
		}
		c.physicalLine(int(token.Row), false)
		return
	case tokenizer.FSTRING_START:
		c.fstringRow = int(token.Row)
		return
	case tokenizer.TSTRING_START:
		c.tstringRow = int(token.Row)
		return
	}
	multiline := token.Flags&tokenizer.Multiline != 0
	if len(rest) > 0 && !multiline {
		switch {
		case rest[0].Row != token.Row:
			if !c.file.CarriageReturns || c.backslashFollows(token) {
				c.physicalLine(int(token.Row), false)
			}
			return
		case isMiddle(&rest[0]) && rest[0].Flags&tokenizer.Multiline != 0 && c.backslashFollows(token):
			c.physicalLine(int(token.Row), false)
			return
		}
	}
	start, end := int(token.Row), int(token.Row)
	switch {
	case token.Kind == tokenizer.FSTRING_END:
		start = c.fstringRow
	case token.Kind == tokenizer.TSTRING_END:
		start = c.tstringRow
	case token.Kind == tokenizer.STRING && multiline:
		end = c.endRow(token)
	}
	for row := start; row < end; row++ {
		if !c.isPlainRow(row, c.file.LineStart(row+1)-1) {
			c.physicalLine(row, true)
		}
	}
}

// backslashFollows reports whether only a backslash follows the token in its row, even as part of
// an f-string.
//
//	f"{a} \
//	{b}"
func (c *Checker) backslashFollows(token *tokenizer.Token) bool {
	return pytext.TrimLeftSpace(c.text[token.End:c.file.LineStart(int(token.Row)+1)]) == "\\\n"
}

// A physicalLine is a row, or the rows that flake8 takes for one.
type physicalLine struct {
	row   int   // of the findings
	start int32 // offset of text
	text  string
}

// physicalLine checks one row. multiline reports whether it ends within a string.
func (c *Checker) physicalLine(row int, multiline bool) {
	c.checkLine(physicalLine{row, c.file.LineStart(row), c.file.Line(row)}, multiline)
}

// linesOf checks the rows of the last token before an implied NEWLINE as one line, and reports
// findings in the NEWLINE's row. Before 3.12 such a NEWLINE had no line of its own. So flake8 takes
// the line of the token before, even a string of several rows or a token in a row above. If there
// is no such token, it takes an empty line:
//
//	x = a, \
//	<blanks, and the end of the text>
func (c *Checker) linesOf(token *tokenizer.Token, row int) {
	c.checkLine(physicalLine{row, c.file.LineStart(int(token.Row)), c.physical(token)}, false)
}

func (c *Checker) checkLine(l physicalLine, multiline bool) {
	bare := l.text
	if n := len(bare) - 1; n >= 0 && bare[n] == '\n' {
		bare = bare[:n]
	}
	if c.file.CarriageReturns {
		bare = strings.TrimRight(bare, "\r")
	}
	if len(bare) > c.options.MaxLineLength {
		c.lineLength(&l, bare, multiline)
	}
	if c.file.Tabs && len(bare) > 0 && (bare[0] == ' ' || bare[0] == '\t') {
		c.tabs(&l, bare)
	}
	if l.row == c.file.Lines() {
		if bare == "" && l.text != "" {
			c.inLine(rule.W391, &l, 0, len(l.text))
		} else if len(bare) == len(l.text) {
			c.at(rule.W292, l.row, int32(len(c.text)), int32(len(c.text)))
		}
	}
	if n := len(bare); n > 0 && bare[n-1] <= ' ' {
		c.trailingWhitespace(&l, bare)
	}
}

// inLine reports a finding about a part of a line's text.
func (c *Checker) inLine(code rule.Code, l *physicalLine, from, to int) {
	if !c.enabled.Has(code) {
		return
	}
	column := from
	if !c.file.ASCII {
		column = utf8.RuneCountInString(l.text[:from])
	}
	c.add(rule.Finding{Code: code, Start: l.start + int32(from), End: l.start + int32(to)}, l.row, column)
}

// tabs reports E101 and W191, for a row that begins with a blank.
//
//	if x:
//	    y
//		z    # after a tab
func (c *Checker) tabs(l *physicalLine, bare string) {
	if spaces := leadingSpaces(bare); c.indentChar == ' ' && (spaces == len(bare) || bare[spaces] != '\t') {
		return
	}
	indent := bare[:len(bare)-len(strings.TrimLeft(bare, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		c.inLine(rule.W191, l, tab, len(indent))
	}
	if mixed := len(indent) - len(strings.TrimLeft(indent, string(rune(c.indentChar)))); mixed < len(indent) {
		c.inLine(rule.E101, l, mixed, len(indent))
	}
}

// trailingWhitespace reports W291 and W293, for a row that ends with a control
// character or a blank. Form feeds at the end are let through, as in pycodestyle.
func (c *Checker) trailingWhitespace(l *physicalLine, bare string) {
	bare = strings.TrimRight(bare, "\f\r")
	stripped := strings.TrimRight(bare, " \t\v")
	switch {
	case len(stripped) == len(bare):
	case stripped == "":
		c.inLine(rule.W293, l, 0, len(bare))
	default:
		c.inLine(rule.W291, l, len(stripped), len(bare))
	}
}

// lineLength reports E501, for a row with more bytes than the limit of characters. A long word that
// cannot be broken is accepted if it stands alone in a string's row or after the # of a comment.
func (c *Checker) lineLength(l *physicalLine, bare string, multiline bool) {
	limit := c.options.MaxLineLength
	bare = pytext.TrimRightSpace(bare)
	length := len(bare)
	if !c.file.ASCII {
		length = utf8.RuneCountInString(bare)
	}
	if length <= limit || l.row == 1 && strings.HasPrefix(bare, "#!") {
		return
	}
	if multiline || strings.HasPrefix(pytext.TrimLeftSpace(bare), "#") {
		words, word := firstWords(bare)
		if (words == 1 && multiline || words == 2 && firstWordIsHash(bare)) && length-utf8.RuneCountInString(word)+7 < limit {
			return
		}
	}
	if c.enabled.Has(rule.E501) {
		c.add(rule.Finding{
			Code: rule.E501, Start: l.start + int32(skipCharacters(bare, limit)), End: l.start + int32(len(bare)),
		}.With(rule.Values{A: int32(length), B: int32(limit)}), l.row, limit)
	}
}

// firstWords counts the words of line, up to 3, and returns the last counted.
func firstWords(line string) (n int, word string) {
	for n < 3 {
		line = pytext.TrimLeftSpace(line)
		if line == "" {
			break
		}
		word = firstWord(line)
		line = line[len(word):]
		n++
	}
	return n, word
}

func firstWordIsHash(line string) bool { return firstWord(pytext.TrimLeftSpace(line)) == "#" }
