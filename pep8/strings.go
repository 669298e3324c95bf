package pep8

import (
	"strings"
	"unicode/utf8"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// invalidEscapes reports W605: '\d', as there is no such escape.
func (c *Checker) invalidEscapes() {
	raw := c.brackets[:0] // 1 for each open f-string that is raw, else 0
	for _, i := range c.significantTokens() {
		t := &c.tokens[i]
		switch t.Kind {
		case tokenizer.STRING:
			if t.Flags&tokenizer.Backslash != 0 && !isRaw(t.Text(c.text)) {
				c.escapes(t)
			}
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
			if isRaw(t.Text(c.text)) {
				raw = append(raw, 1)
			} else {
				raw = append(raw, 0)
			}
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			if len(raw) > 0 {
				raw = raw[:len(raw)-1]
			}
		case tokenizer.FSTRING_MIDDLE, tokenizer.TSTRING_MIDDLE:
			if t.Flags&tokenizer.Backslash != 0 && len(raw) > 0 && raw[len(raw)-1] == 0 {
				c.escapes(t)
			}
		}
	}
	c.brackets = raw[:0]
}

// isRaw reports whether the string has an r in its prefix.
func isRaw(s string) bool {
	for i := 0; i < len(s) && s[i] != '"' && s[i] != '\''; i++ {
		if s[i]|0x20 == 'r' {
			return true
		}
	}
	return false
}

// escapes looks at the token's backslashes. One at the end of a literal part
// escapes nothing: f'\{x}'. flake8 crashes there.
func (c *Checker) escapes(t *tokenizer.Token) {
	s := t.Text(c.text)
	row, counted := int(t.Row), 0
	for at := 0; ; {
		n := strings.IndexByte(s[at:], '\\')
		if n < 0 || at+n+1 >= len(s) {
			return
		}
		at += n
		escaped, size := utf8.DecodeRuneInString(s[at+1:])
		if !isEscape(escaped) {
			row += strings.Count(s[counted:at], "\n")
			counted = at
			start := t.Start + int32(at)
			c.textAt(rule.W605, row, start, start+1+int32(size), s[at+1:at+1+size])
		}
		at += 1 + size
	}
}

func isEscape(c rune) bool {
	switch c {
	case '\n', '\\', '\'', '"', 'a', 'b', 'f', 'n', 'r', 't', 'v', '0', '1', '2', '3', '4', '5', '6', '7', 'x', 'N', 'u', 'U':
		return true
	}
	return false
}
