package pep8

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// whitespaceBeforeComments reports E261, E262, E265 and E266.
//
//	x = 1 # two blanks belong before this
//	#and one here
func (c *Checker) whitespaceBeforeComments() {
	var prev *tokenizer.Token // the last one that is neither a comment nor an NL
	for i := range c.tokens {
		t := &c.tokens[i]
		if t.Kind != tokenizer.COMMENT {
			if t.Kind != tokenizer.NL {
				prev = t
			}
			continue
		}
		row := int(t.Row)
		if c.isUsualComment(prev, t) {
			continue
		}
		inline := pytext.TrimSpace(c.text[c.file.LineStart(row):t.Start]) != ""
		if inline && prev != nil && c.endRow(prev) == row &&
			utf8.RuneCountInString(c.text[prev.End:t.Start]) < 2 {
			c.at(rule.E261, row, prev.End, t.Start)
		}
		symbol, comment, _ := strings.Cut(t.Text(c.text), " ")
		if symbol == "#" || symbol == "#:" {
			if inline && (strings.HasPrefix(comment, " ") || strings.HasPrefix(comment, "\t") || strings.HasPrefix(comment, "\u00a0")) {
				c.atToken(rule.E262, t)
			}
			continue
		}
		bad := strings.TrimLeft(symbol, "#")
		switch {
		case inline:
			c.atToken(rule.E262, t)
		case bad == "":
			if comment != "" {
				c.atToken(rule.E266, t)
			}
		case bad[0] != '!' || row > 1: // #!/usr/bin/python
			c.atToken(rule.E265, t)
		}
	}
}

// isUsualComment reports whether the comment t is "# " and text, and is alone in its row or two
// blanks after prev, the last token before it that is not an NL.
func (c *Checker) isUsualComment(prev, t *tokenizer.Token) bool {
	text := t.Text(c.text)
	return len(text) > 2 && text[1] == ' ' && ' ' < text[2] && text[2] < utf8.RuneSelf &&
		(prev == nil || t.Start-prev.End >= 2 || prev.Flags&tokenizer.Multiline == 0 && prev.Row != t.Row)
}

// docLineLength reports W505, for comments that stand alone and for strings that
// are statements of their own.
func (c *Checker) docLineLength() {
	limit := c.options.MaxDocLength
	code := false // the line has more than strings and comments
	for _, i := range c.significantTokens() {
		if c.tokens[i].Kind != tokenizer.STRING {
			code = true
			break
		}
	}
	before := true // the token before is no code
	for i := range c.tokens {
		t := &c.tokens[i]
		if t.Kind == tokenizer.STRING && code {
			continue
		}
		if (t.Kind == tokenizer.STRING || t.Kind == tokenizer.COMMENT) && before {
			if !c.docRows(t, limit) {
				return
			}
		}
		switch t.Kind {
		case tokenizer.NEWLINE, tokenizer.NL, tokenizer.INDENT, tokenizer.DEDENT:
			before = true
		default:
			before = false
		}
	}
}

// docRows checks the rows of one comment or string; false at a #! line, after
// which pycodestyle looks no further. More characters end a row here than do in
// a file.
func (c *Checker) docRows(t *tokenizer.Token, limit int) bool {
	rest := c.physical(t)
	end := c.file.LineStart(c.endRow(t) + 1)
	shebang := strings.HasPrefix(rest, "#!")
	for row := int(t.Row); rest != ""; row++ {
		var line string
		start := end - int32(len(rest))
		line, rest = pytext.CutLine(rest)
		if row == 1 && shebang {
			return false
		}
		if len(line) <= limit {
			continue
		}
		length := utf8.RuneCountInString(line)
		if length <= limit {
			continue
		}
		words, word := firstWords(line)
		alone := length-utf8.RuneCountInString(word) < 72
		if alone && (words == 2 && t.Kind == tokenizer.COMMENT || words == 1 && rest != "") {
			continue
		}
		if c.enabled.Has(rule.W505) {
			c.add(rule.Finding{
				Code: rule.W505, Start: start + int32(skipCharacters(line, limit)), End: start + int32(len(line)),
			}.With(rule.Values{A: int32(length), B: int32(limit)}), row, limit)
		}
	}
	return true
}

// skipCharacters returns the offset of character n of line, counted from 0, or of the first
// character if n is negative.
func skipCharacters(line string, n int) int {
	for i := range line {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(line)
}
