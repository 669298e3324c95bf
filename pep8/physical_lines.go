package pep8

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/pytext"
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

// physicalLine checks one row. multiline reports whether it ends within a string.
func (c *Checker) physicalLine(row int, multiline bool) {
	line := c.file.Line(row)
	bare := line
	if n := len(line) - 1; n >= 0 && line[n] == '\n' {
		bare = line[:n]
	}
	if c.file.CarriageReturns {
		bare = strings.TrimRight(bare, "\r")
	}
	if len(bare) > c.options.MaxLineLength {
		c.lineLength(row, bare, multiline)
	}
	if c.file.Tabs && len(bare) > 0 && (bare[0] == ' ' || bare[0] == '\t') {
		c.tabs(row, bare)
	}
	if row == c.file.Lines() {
		if bare == "" && line != "" {
			c.at(rule.W391, row, c.file.LineStart(row), int32(len(c.text)))
		} else if len(bare) == len(line) {
			c.at(rule.W292, row, int32(len(c.text)), int32(len(c.text)))
		}
	}
	if n := len(bare); n > 0 && bare[n-1] <= ' ' {
		c.trailingWhitespace(row, bare)
	}
}

// linesOf checks the rows of the last token before an implied NEWLINE as one line, and reports
// findings in the NEWLINE's row. Before 3.12 such a NEWLINE had no line of its own. So flake8 takes
// the line of the token before, even a string of several rows or a token in a row above. If there
// is no such token, it takes an empty line:
//
//	x = a, \
//	<blanks, and the end of the text>
func (c *Checker) linesOf(token *tokenizer.Token, row int) {
	start := c.file.LineStart(int(token.Row))
	line := c.physical(token)
	column := func(bytes int) int { return utf8.RuneCountInString(line[:bytes]) }
	report := func(code rule.Code, from, to, column int) {
		if c.enabled.Has(code) {
			c.add(rule.Finding{Code: code, Start: start + int32(from), End: start + int32(to)}, row, column)
		}
	}
	if length := utf8.RuneCountInString(pytext.TrimRightSpace(line)); length > c.options.MaxLineLength && c.enabled.Has(rule.E501) {
		words, word := firstWords(line)
		if words != 2 || !firstWordIsHash(line) || length-utf8.RuneCountInString(word)+7 >= c.options.MaxLineLength {
			c.add(rule.Finding{
				Code: rule.E501, Start: start + int32(skipCharacters(line, c.options.MaxLineLength)), End: start + int32(len(line)),
			}.With(rule.Values{A: int32(length), B: int32(c.options.MaxLineLength)}), row, c.options.MaxLineLength)
		}
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if tab := strings.IndexByte(line[:indent], '\t'); tab >= 0 {
		report(rule.W191, tab, indent, tab)
	}
	for i := range indent {
		if line[i] != c.indentChar {
			report(rule.E101, i, indent, i)
			break
		}
	}
	end := int32(len(c.text))
	switch strings.TrimRight(line, "\r\n") {
	case "":
		report(rule.W391, 0, len(line), 0)
	case line:
		c.at(rule.W292, row, end, end)
	}
	bare := strings.TrimRight(strings.TrimSuffix(line, "\n"), "\f\r")
	switch stripped := strings.TrimRight(bare, " \t\v"); stripped {
	case bare:
	case "":
		report(rule.W293, 0, len(bare), 0)
	default:
		report(rule.W291, len(stripped), len(bare), column(len(stripped)))
	}
}

// tabs reports E101 and W191, for a row that begins with a blank.
//
//	if x:
//	    y
//		z    # after a tab
func (c *Checker) tabs(row int, bare string) {
	if spaces := leadingSpaces(bare); c.indentChar == ' ' && (spaces == len(bare) || bare[spaces] != '\t') {
		return
	}
	tab, mixed := -1, -1
	i := 0
	for ; i < len(bare) && (bare[i] == ' ' || bare[i] == '\t'); i++ {
		if bare[i] == '\t' && tab < 0 {
			tab = i
		}
		if bare[i] != c.indentChar && mixed < 0 {
			mixed = i
		}
	}
	start := c.file.LineStart(row)
	if tab >= 0 {
		c.at(rule.W191, row, start+int32(tab), start+int32(i))
	}
	if mixed >= 0 {
		c.at(rule.E101, row, start+int32(mixed), start+int32(i))
	}
}

// trailingWhitespace reports W291 and W293, for a row that ends with a control
// character or a blank. Form feeds at the end are let through, as in pycodestyle.
func (c *Checker) trailingWhitespace(row int, bare string) {
	bare = strings.TrimRight(bare, "\f\r")
	stripped := strings.TrimRight(bare, " \t\v")
	start := c.file.LineStart(row)
	end := start + int32(len(bare))
	switch {
	case len(stripped) == len(bare):
	case stripped == "":
		c.at(rule.W293, row, start, end)
	default:
		c.at(rule.W291, row, start+int32(len(stripped)), end)
	}
}

// lineLength reports E501, for a row with more bytes than the limit of characters. A long word that
// cannot be broken is accepted if it stands alone in a string's row or after the # of a comment.
func (c *Checker) lineLength(row int, bare string, multiline bool) {
	limit := c.options.MaxLineLength
	bare = pytext.TrimRightSpace(bare)
	length := len(bare)
	if !c.file.ASCII {
		length = utf8.RuneCountInString(bare)
	}
	if length <= limit || row == 1 && strings.HasPrefix(bare, "#!") {
		return
	}
	if multiline || strings.HasPrefix(pytext.TrimLeftSpace(bare), "#") {
		words, word := firstWords(bare)
		if (words == 1 && multiline || words == 2 && firstWordIsHash(bare)) && length-utf8.RuneCountInString(word)+7 < limit {
			return
		}
	}
	if c.enabled.Has(rule.E501) {
		start := c.file.LineStart(row)
		c.add(rule.Finding{
			Code: rule.E501, Start: c.file.Offset(row, limit), End: start + int32(len(bare)),
		}.With(rule.Values{A: int32(length), B: int32(limit)}), row, limit)
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
