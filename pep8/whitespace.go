package pep8

import (
	"slices"
	"strings"

	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// gapBefore returns the blanks that the logical line has before its significant
// token k: those of the file, or one where a row ends between the tokens.
func (c *Checker) gapBefore(k int) string {
	if k == 0 {
		return ""
	}
	return c.gap(c.significantToken(k-1), c.significantToken(k))
}

// gap returns the blanks that the logical line has between two significant tokens that
// follow each other.
func (c *Checker) gap(prev, t *tokenizer.Token) string {
	switch {
	case prev.End == t.Start || isMiddle(prev):
		return ""
	case c.sameRow(prev, t):
		return c.text[prev.End:t.Start]
	case c.joinsWithBlank(prev, t):
		return " "
	}
	return ""
}

// second returns the significant token after the logical line's first, or nil. It does
// without the list of all, which most lines never need.
func (c *Checker) second() *tokenizer.Token {
	first := true
	for i := range c.tokens {
		t := &c.tokens[i]
		if first {
			first = t != c.head
		} else if isSignificant(t) {
			return t
		}
	}
	return nil
}

func (c *Checker) significantToken(k int) *tokenizer.Token {
	return &c.tokens[c.significantTokens()[k]]
}

// extraneousWhitespace reports E201, E202 and E203.
//
//	spam( ham[1], {eggs: 2 }) and x , y
//
// A blank between a comma and a closing bracket is accepted: (x, ). So is a blank before a token
// that an = follows at once. pycodestyle means := but accepts all such tokens: x[1 ]= 2.
func (c *Checker) extraneousWhitespace() {
	for k := 1; k < len(c.significantTokens()); k++ {
		gap := c.gapBefore(k)
		if gap == "" {
			continue
		}
		prev, t := c.significantToken(k-1), c.significantToken(k)
		used := 0
		if prev.Kind.IsOpener() && isBlank(gap[0]) {
			c.textAt(rule.E201, int(prev.Row), prev.End, t.Start, prev.Text(c.text))
			used = 1
		}
		code := rule.E203
		switch {
		case t.Kind == tokenizer.RSQB || t.Kind == tokenizer.RBRACE || t.Kind == tokenizer.RPAR:
			code = rule.E202
		case t.Kind != tokenizer.COMMA && t.Kind != tokenizer.SEMI && t.Kind != tokenizer.COLON:
			continue
		}
		if len(gap) == used || !isBlank(gap[len(gap)-1]) || len(gap) == 1 && prev.Kind == tokenizer.COMMA || c.isAssigned(k) {
			continue
		}
		row, offset := int(t.Row), t.Start-1
		if len(gap) == 1 {
			row, offset = c.endRow(prev), prev.End
		}
		c.textAt(code, row, offset, t.Start, t.Text(c.text))
	}
}

// isAssigned reports whether the significant token k is followed at once by = or
// an operator that begins with it.
func (c *Checker) isAssigned(k int) bool {
	if k+1 == len(c.significantTokens()) {
		return false
	}
	t, next := c.significantToken(k), c.significantToken(k+1)
	return next.Start == t.End && next.Kind.IsOp() && c.text[next.Start] == '='
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// whitespaceAfterDecorator reports E204: @ decorator.
func (c *Checker) whitespaceAfterDecorator() {
	if c.line&isDecoration != 0 && c.gapBefore(min(1, len(c.significantTokens())-1)) != "" {
		c.afterToken(rule.E204, c.head, c.significantToken(1).Start)
	}
}

// whitespaceAfterComma reports E241 and E242, after commas, semicolons and
// colons.
//
//	(1,  2)
func (c *Checker) whitespaceAfterComma() {
	for k := 1; k < len(c.significantTokens()); k++ {
		prev := c.significantToken(k - 1)
		switch prev.Kind {
		case tokenizer.COMMA, tokenizer.SEMI, tokenizer.COLON:
			gap := c.gapBefore(k)
			if strings.Contains(gap, "\t") {
				c.textAt(rule.E242, int(prev.Row), prev.End, c.significantToken(k).Start, prev.Text(c.text))
			} else if strings.Contains(gap, "  ") {
				c.textAt(rule.E241, int(prev.Row), prev.End, c.significantToken(k).Start, prev.Text(c.text))
			}
		}
	}
}

// whitespaceAroundKeywords reports E271 to E274. print counts as a keyword.
//
//	True  and	False
//
// pycodestyle matches the regular expression
//
//	(\s*)\b(?:and|as|...)\b(\s*)
//
// again and again, so that the blanks between two keywords belong to the first
// one: not  in. It finds keywords in names too: if·x.
func (c *Checker) whitespaceAroundKeywords() {
	if c.traits&brokenName == 0 && !slices.ContainsFunc(c.tokens, c.isSpacedKeyword) {
		return // as in tables, whose lines are wide
	}
	line := c.logicalText()
	used := 0 // the end of the match before
	for at := 0; at < len(line); {
		start, end := nextWord(line, at, c.unicode())
		at = end
		if !isSpacedWord(line[start:end]) {
			continue
		}
		before := start
		for before > used && pytext.IsTokenSpace(line[before-1]) {
			before--
		}
		used = skipSpace(line, end)
		at = used
		c.spaces(rule.E274, rule.E272, line[before:start], before)
		c.spaces(rule.E273, rule.E271, line[end:used], end)
	}
}

// isSpacedKeyword reports whether t is a keyword to the rules on the blanks around it.
func (c *Checker) isSpacedKeyword(t tokenizer.Token) bool {
	return t.Keyword.IsHard() || t.Kind == tokenizer.NAME && t.Text(c.text) == "print"
}

// isSpacedWord reports whether a word is a keyword to the rules on the blanks
// around it.
func isSpacedWord(word []byte) bool {
	switch keyword := keywordOf(word); keyword {
	case tokenizer.True, tokenizer.False, tokenizer.None:
		return false
	case tokenizer.NotKeyword:
		return string(word) == "print"
	default:
		return keyword.IsHard()
	}
}

// whitespaceAroundOperators reports E221 to E224.
//
//	a = 4  + 5
//
// pycodestyle matches the regular expression
//
//	(?:[^,\s])(\s*)(?:[-+*/|!<=>%&^]+|:=)(\s*)
//
// repeatedly. A match consumes the blanks after its operator. An operator right after them is then
// the operand at the start of the next match: in x = -  1 only the = counts.
func (c *Checker) whitespaceAroundOperators() {
	line := c.logicalText()
	for at := 0; at < len(line); {
		// The operand's last character.
		if line[at] == ',' || pytext.IsTokenSpace(line[at]) {
			at++
			continue
		}
		before := at + 1
		op := skipSpace(line, before)
		end := op
		for end < len(line) && isOperatorByte(line[end]) {
			end++
		}
		if end == op {
			if end+1 < len(line) && line[end] == ':' && line[end+1] == '=' {
				end += 2
			} else {
				at++
				continue
			}
		}
		next := skipSpace(line, end)
		c.spaces(rule.E223, rule.E221, line[before:op], before)
		c.spaces(rule.E224, rule.E222, line[end:next], end)
		at = next
	}
}

// spaces reports tab for a gap with a tab in it, else many for one wider than a
// column. The gap begins at an offset in the logical line's text.
func (c *Checker) spaces(tab, many rule.Code, gap []byte, offset int) {
	if len(gap) == 0 {
		return
	}
	for _, b := range gap {
		if b == '\t' {
			c.atLogical(rule.Finding{Code: tab}, offset, len(gap))
			return
		}
	}
	if len(gap) > 1 {
		c.atLogical(rule.Finding{Code: many}, offset, len(gap))
	}
}

func skipSpace(line []byte, at int) int {
	for at < len(line) && pytext.IsTokenSpace(line[at]) {
		at++
	}
	return at
}

func isOperatorByte(b byte) bool {
	switch b {
	case '-', '+', '*', '/', '|', '!', '<', '=', '>', '%', '&', '^':
		return true
	}
	return false
}
