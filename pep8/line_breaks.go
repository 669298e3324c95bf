package pep8

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// redundantBackslashes reports E502: a backslash at a row's end within brackets.
//
//	x = (1 + \
//	     2)
func (c *Checker) redundantBackslashes() {
	prevStart, prevEnd := 0, 0
	depth := 0
	comment := false
	backslash := -1 // column of the one at the end of the latest row
	backslashRow := 0
	for i := range c.tokens {
		t := &c.tokens[i]
		row := int(t.Row)
		if t.Kind == tokenizer.COMMENT {
			comment = true
		}
		if row != prevStart && depth > 0 && backslash >= 0 && !comment {
			if c.enabled.Has(rule.E502) {
				line := strings.TrimRight(c.file.Line(backslashRow), "\r\n")
				end := c.file.LineStart(backslashRow) + int32(len(line))
				c.add(rule.Finding{Code: rule.E502, Start: end - 1, End: end}, backslashRow, backslash)
			}
		}
		if row != prevStart {
			comment = false
		}
		if end := c.endRow(t); end != prevEnd {
			backslash, backslashRow = finalBackslash(c.file.Line(end)), end
			prevStart, prevEnd = end, end
		} else {
			prevStart = row
		}
		depth += t.Kind.Nesting()
	}
}

// finalBackslash returns the column of the backslash that ends a row, -1 if none
// does. Columns begin anew after a form feed and whatever else Python's
// str.splitlines takes for the end of a line.
func finalBackslash(line string) int {
	line = strings.TrimRight(line, "\r\n")
	if !strings.HasSuffix(line, "\\") {
		return -1
	}
	last := line
	for line != "" {
		last, line = pytext.CutLine(line)
	}
	return utf8.RuneCountInString(last) - 1
}

// breakAfterOperator reports W504.
//
//	x = (a +
//	     b)
func (c *Checker) breakAfterOperator() {
	c.breaks(func(prev, t *tokenizer.Token, prevBinary, binary bool) {
		if prevBinary && !binary {
			c.atToken(rule.W504, prev)
		}
	})
}

// breakBeforeOperator reports W503.
//
//	x = (a
//	     + b)
func (c *Checker) breakBeforeOperator() {
	c.breaks(func(prev, t *tokenizer.Token, prevBinary, binary bool) {
		if binary && !prevBinary {
			c.atToken(rule.W503, t)
		}
	})
}

// breaks calls report for each two tokens with a line break between them,
// unless an operator there would be a unary one. prevBinary and binary report
// whether they are binary operators.
func (c *Checker) breaks(report func(prev, t *tokenizer.Token, prevBinary, binary bool)) {
	next := 0 // the index of the token after the last break
	for _, at := range c.lineEnds {
		if int(at) < next {
			continue
		}
		next = int(at) + 1
		for next < len(c.tokens) && (c.tokens[next].Kind == tokenizer.COMMENT || isBreak(&c.tokens[next])) {
			next++
		}
		if next == len(c.tokens) {
			return
		}
		before := int(at) - 1
		for before >= 0 && c.tokens[before].Kind == tokenizer.COMMENT {
			before--
		}
		if before < 0 {
			continue
		}
		prev, t := &c.tokens[before], &c.tokens[next]
		if prev.Start == prev.End || prev.Kind.IsOpener() || prev.Kind == tokenizer.COMMA || prev.Kind == tokenizer.SEMI {
			continue // an operator here would be a unary one
		}
		report(prev, t, c.isBinaryOperator(prev), c.isBinaryOperator(t))
	}
}

// isBreak reports whether the token ends a line.
func isBreak(t *tokenizer.Token) bool {
	return (t.Kind == tokenizer.NEWLINE || t.Kind == tokenizer.NL) && t.Start != t.End || isMiddle(t) && t.Flags&tokenizer.Multiline != 0
}

// isBinaryOperator reports whether pycodestyle takes the token for a binary operator. These are all
// tokens but brackets, separators, = and %; a break at = or % is usual.
func (c *Checker) isBinaryOperator(t *tokenizer.Token) bool {
	if !t.Kind.IsOp() {
		k := c.wordOf(t)
		return k == tokenizer.And || k == tokenizer.Or
	}
	switch t.Kind {
	case tokenizer.LPAR, tokenizer.RPAR, tokenizer.LSQB, tokenizer.RSQB, tokenizer.LBRACE, tokenizer.RBRACE,
		tokenizer.COMMA, tokenizer.COLON, tokenizer.SEMI, tokenizer.DOT, tokenizer.AT, tokenizer.EQUAL,
		tokenizer.PERCENT, tokenizer.TILDE, tokenizer.ELLIPSIS:
		return false
	}
	return true
}
