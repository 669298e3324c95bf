package pep8

import (
	"strings"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// ambiguousIdentifiers reports E741, E742 and E743.
//
//	l = 1        class I: pass        def O(): pass        lambda l: 0
//
// pycodestyle compares texts and not types, so brackets in the literal part of an f-string count
// too. It uses Python's in, which finds the empty text in any other. So a DEDENT after the first,
// or an empty literal part, counts as an opening bracket.
func (c *Checker) ambiguousIdentifiers() {
	const none = -1 << 30
	depth := 0            // of the brackets; below 0 after a line's first, which is not counted
	functionDepth := none // of the brackets when def or lambda came
	afterColon := false   // the parameters are over
	for i := 1; i < len(c.tokens); i++ {
		prev, t := &c.tokens[i-1], &c.tokens[i]
		before := c.wordOf(prev)
		if before == tokenizer.Def || before == tokenizer.Lambda {
			functionDepth = depth
			afterColon = false
		} else if depth == functionDepth && c.reads(t, ":") {
			afterColon = true
		}
		if c.reads(t, "([{") {
			depth++
		} else if c.reads(t, ")]}") {
			depth--
		}
		var found *tokenizer.Token
		if (t.Kind == tokenizer.COLONEQUAL || t.Kind == tokenizer.EQUAL && depth == 0) && c.isAmbiguous(prev) {
			found = prev
		}
		if !c.isAmbiguous(t) {
			if found != nil {
				c.textAt(rule.E741, int(found.Row), found.Start, found.End, found.Text(c.text))
			}
			continue
		}
		switch before {
		case tokenizer.As, tokenizer.For, tokenizer.Global, tokenizer.Nonlocal:
			found = t
		case tokenizer.Class:
			c.textAt(rule.E742, int(t.Row), t.Start, t.End, t.Text(c.text))
		case tokenizer.Def:
			c.textAt(rule.E743, int(t.Row), t.Start, t.End, t.Text(c.text))
		}
		if functionDepth != none && !afterColon && i+1 < len(c.tokens) && endsParameter(&c.tokens[i+1]) {
			switch prev.Kind {
			case tokenizer.COMMA, tokenizer.STAR, tokenizer.DOUBLESTAR, tokenizer.LPAR:
				found = t
			default:
				if before == tokenizer.Lambda {
					found = t
				}
			}
		}
		if found != nil {
			c.textAt(rule.E741, int(found.Row), found.Start, found.End, found.Text(c.text))
		}
	}
}

// reads reports whether the text of an operator, of a literal part of an
// f-string or of an empty token is found in set.
func (c *Checker) reads(t *tokenizer.Token, set string) bool {
	return (t.Kind.IsOp() || isMiddle(t) || t.Start == t.End) && strings.Contains(set, t.Text(c.text))
}

// wordOf returns the keyword that the token reads like, be it a NAME or the
// literal part of an f-string: where pycodestyle compares texts, it takes both.
func (c *Checker) wordOf(t *tokenizer.Token) tokenizer.Keyword {
	if isMiddle(t) {
		return tokenizer.LookupKeyword(t.Text(c.text))
	}
	return t.Keyword
}

func (c *Checker) isAmbiguous(t *tokenizer.Token) bool {
	if t.End-t.Start != 1 {
		return false
	}
	b := c.text[t.Start]
	return b == 'l' || b == 'O' || b == 'I'
}

// endsParameter reports whether the token may follow a parameter's name.
func endsParameter(t *tokenizer.Token) bool {
	switch t.Kind {
	case tokenizer.COLON, tokenizer.COMMA, tokenizer.EQUAL, tokenizer.RPAR:
		return true
	}
	return t.Start == t.End
}
