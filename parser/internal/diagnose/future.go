package diagnose

import (
	"strings"

	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// checkFuture looks for names that `from __future__ import` does not know. Only
// such imports that begin the module count, after a docstring.
func (m *machine) checkFuture() *SyntaxError {
	at := m.skipDocstring(0)
	for m.futureImport(at) {
		at += 3
		for ; !m.endsStatement(at); at++ {
			t := &m.tokens[at]
			switch tokenizer.Kind(t.symbol) {
			case tokenizer.NAME, tokenizer.STAR:
			default:
				continue
			}
			if m.tokens[at-1].symbol == firstKeyword+symbol(tokenizer.As) {
				continue
			}
			name := m.identifier(t)
			if pytext.IsFutureFeature(name) {
				continue
			}
			message := "not a chance"
			if name != "braces" {
				message = m.words.Format("future feature %s is not defined", name[:min(len(name), 100)])
			}
			m.failed = false
			m.raiseAt(int32(at), syntaxError, message)
			m.err.NoDetails = true
			return &m.err
		}
		at++
		if m.tokens[at].symbol == symbol(tokenizer.NEWLINE) {
			at++
		}
	}
	return nil
}

// endsStatement reports whether the token at ends a simple statement.
func (m *machine) endsStatement(at int) bool {
	switch tokenizer.Kind(m.tokens[at].symbol) {
	case tokenizer.NEWLINE, tokenizer.SEMI, tokenizer.ENDMARKER:
		return true
	}
	return false
}

// futureImport reports whether a `from __future__ import` begins at a token.
func (m *machine) futureImport(at int) bool {
	return at+2 < len(m.tokens) &&
		m.tokens[at].symbol == firstKeyword+symbol(tokenizer.From) &&
		m.tokens[at+1].symbol == symbol(tokenizer.NAME) && m.identifier(&m.tokens[at+1]) == "__future__" &&
		m.tokens[at+2].symbol == firstKeyword+symbol(tokenizer.Import)
}

// skipDocstring returns the token after a docstring that begins at a token:
// strings that are no bytes, maybe in parentheses.
func (m *machine) skipDocstring(at int) int {
	begin := at
	open := 0
	for m.tokens[at].symbol == symbol(tokenizer.LPAR) {
		open++
		at++
	}
	strs := 0
	for m.tokens[at].symbol == symbol(tokenizer.STRING) {
		text := m.text(&m.tokens[at])
		if strings.ContainsAny(text[:strings.IndexAny(text, `'"`)], "bB") {
			return begin
		}
		strs++
		at++
	}
	for ; open > 0 && m.tokens[at].symbol == symbol(tokenizer.RPAR); open-- {
		at++
	}
	if strs == 0 || open > 0 || !m.endsStatement(at) || m.tokens[at].symbol == symbol(tokenizer.ENDMARKER) {
		return begin
	}
	at++
	if m.tokens[at].symbol == symbol(tokenizer.NEWLINE) {
		at++
	}
	return at
}
