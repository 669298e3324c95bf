package pep8

import (
	"bytes"
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// importsOnOneLine reports E401: import os, sys.
func (c *Checker) importsOnOneLine() {
	if !c.beginsWith(tokenizer.Import) {
		return
	}
	for i := range c.tokens {
		switch t := &c.tokens[i]; t.Kind {
		case tokenizer.SEMI:
			return
		case tokenizer.COMMA:
			c.atToken(rule.E401, t)
			return
		}
	}
}

// beginsWith reports whether the logical line begins with the keyword and a
// blank.
func (c *Checker) beginsWith(keyword tokenizer.Keyword) bool {
	if c.head.Keyword != keyword {
		return false
	}
	next := c.second()
	return next != nil && strings.HasPrefix(c.gap(c.head, next), " ")
}

// importsBelowCode reports E402. An import may follow a docstring, assignments to names like
// __all__, and lines that begin with try, if, with and the like. pycodestyle does not check the end
// of that word, so iffy = 1 is accepted too.
func (c *Checker) importsBelowCode() {
	if c.indentLevel > 0 {
		return
	}
	if c.isImport() {
		if c.seenNonImport {
			c.atLine(rule.Finding{Code: rule.E402})
		}
		return
	}
	if c.seenNonImport {
		return
	}
	first := c.head
	text := first.Text(c.text)
	if first.Kind == tokenizer.NAME {
		if strings.IndexByte("tefwi", text[0]) >= 0 {
			for _, word := range [...]string{"try", "except", "else", "finally", "with", "if", "elif"} {
				if strings.HasPrefix(text, word) {
					return
				}
			}
		}
		if strings.HasPrefix(text, "__") && assignsDunder(c.logicalText()) {
			return
		}
	}
	if first.Kind == tokenizer.STRING && c.isLiteralQuote(text) && !c.seenDocstring {
		c.seenDocstring = true
		return
	}
	c.seenNonImport = true
}

// isImport reports whether the logical line begins with import, from, lazy import or lazy
// from, and a blank. Two blanks after lazy are too many.
func (c *Checker) isImport() bool {
	if c.head.Keyword != tokenizer.Lazy {
		return c.beginsWith(tokenizer.Import) || c.beginsWith(tokenizer.From)
	}
	if len(c.significantTokens()) < 3 || !c.options.Release.Features().LazyImports {
		return false
	}
	keyword := c.significantToken(1).Keyword
	return (keyword == tokenizer.Import || keyword == tokenizer.From) && c.gapBefore(1) == " " && strings.HasPrefix(c.gapBefore(2), " ")
}

// isLiteralQuote reports whether s, a string, has a prefix that a docstring may have:
// [uUbB]?[rR]? or [uUbBrR]?, see [rule.Features.OneLetterPrefixes].
func (c *Checker) isLiteralQuote(s string) bool {
	prefix := strings.IndexAny(s, `"'`)
	switch prefix {
	case 0:
		return true
	case 1:
		return strings.IndexByte("uUbBrR", s[0]) >= 0
	case 2:
		return !c.options.Release.Features().OneLetterPrefixes && strings.IndexByte("uUbB", s[0]) >= 0 && (s[1] == 'r' || s[1] == 'R')
	}
	return false
}

// assignsDunder reports whether the line, which begins with __, matches
//
//	^__([^\s]+)__(?::\s*[a-zA-Z.0-9_\[\]\"]+)? =␣
func assignsDunder(line []byte) bool {
	end := 2
	for end < len(line) && !pytext.IsTokenSpace(line[end]) {
		end++
	}
	for ; end >= 5; end-- {
		if line[end-1] != '_' || line[end-2] != '_' {
			continue
		}
		rest := line[end:]
		if bytes.HasPrefix(rest, []byte(" = ")) {
			return true
		}
		if len(rest) == 0 || rest[0] != ':' {
			continue
		}
		rest = rest[skipSpace(rest, 1):]
		n := 0
		for n < len(rest) && isAnnotationByte(rest[n]) {
			n++
		}
		if n > 0 && bytes.HasPrefix(rest[n:], []byte(" = ")) {
			return true
		}
	}
	return false
}

func isAnnotationByte(b byte) bool {
	return b < 0x80 && characters.IsWord(rune(b)) || b == '.' || b == '[' || b == ']' || b == '"'
}
