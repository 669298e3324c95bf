package diagnose

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/tokenizer"
)

// This file skips statements that are known to be Python. Most texts that are not
// have one fault, and matching what surrounds it, twice, was nine tenths of the
// work.
//
// In the first pass a statement that is whole matches as a statement, whatever is
// tried below it, and the tokens read for it are its own: skipping it changes
// nothing that anybody sees. In the second pass it does if an alternative that
// explains errors takes a statement for wrong that is right, which CPython's
// grammar does to a few:
//
//	print -1              Missing parentheses in call to 'print'. Did you mean print(...)?
//	match(x=1)            invalid syntax. Maybe you meant '==' or ':=' instead of '='?
//	type X[T=int] = T     the same
//
// All of these begin with a name that only a statement of another kind begins
// with; mayMislead finds those names. One explanation looks past a statement that
// is whole, for the elif after an else. A statement so deep that the limit on
// levels might end it is matched as well.

// Bounds of what is skipped. A level of any of these takes the parser some sixty
// levels at most, of the 6,000 that it has, so they keep far away from its limit.
const (
	maxSkippedBrackets = 16
	maxSkippedBlocks   = 16
	maxSkippedPrefixes = 64 // tokens such as not, in a logical line
	maxSkippedElifs    = 64
	// maxSkippingLevel is the deepest level at which a statement is skipped.
	maxSkippingLevel = 1000
)

// skipStatement moves past the statement that begins at the next token, if it is
// whole and the pass has nothing to find in it.
func (m *machine) skipStatement() bool {
	if len(m.whole) == 0 || m.level > maxSkippingLevel || m.longWay || !m.ready() {
		return false
	}
	first := &m.tokens[m.mark]
	start := first.start
	if tokenizer.Kind(first.symbol) == tokenizer.AT {
		if int(m.mark)+1 == len(m.tokens) && !m.read() {
			return false
		}
		start = m.tokens[m.mark+1].start
	}
	n, found := slices.BinarySearchFunc(m.whole, start, func(r ast.Range, start int32) int { return int(r.Start - start) })
	if !found {
		return false
	}
	end := m.whole[n].End
	blocks, prefixes, elifs := 0, 0, 0
	for i := int(m.mark); ; i++ {
		if i == len(m.tokens) && !m.read() {
			return false
		}
		t := &m.tokens[i]
		switch kind := tokenizer.Kind(t.symbol); kind {
		case tokenizer.INDENT:
			blocks++
		case tokenizer.DEDENT:
			blocks--
		case tokenizer.NEWLINE:
			prefixes = 0
		case tokenizer.MINUS, tokenizer.PLUS, tokenizer.TILDE, tokenizer.DOUBLESTAR, tokenizer.STAR,
			firstKw + tokenizer.Kind(tokenizer.Not), firstKw + tokenizer.Kind(tokenizer.Lambda), firstKw + tokenizer.Kind(tokenizer.Else):
			prefixes++
		case firstKw + tokenizer.Kind(tokenizer.Elif):
			elifs++
		}
		if t.level > maxSkippedBrackets || blocks > maxSkippedBlocks || prefixes > maxSkippedPrefixes || elifs > maxSkippedElifs ||
			m.secondPass && i > int(m.mark) && m.mayMislead(i-1) {
			return false
		}
		if t.start < end {
			continue
		}
		switch tokenizer.Kind(t.symbol) {
		case tokenizer.NEWLINE, tokenizer.DEDENT:
			if blocks == 0 {
				if m.secondPass && (i+1 == len(m.tokens) && !m.read() || goesOn(m.tokens[i+1].symbol)) {
					return false
				}
				m.mark = int32(i + 1)
				return true
			}
		default:
			return false // another statement in the same line
		}
	}
}

const firstKw = tokenizer.Kind(firstKeyword)

// mayMislead reports whether the token at index i, which another one follows,
// might let an alternative of the second pass match that explains an error,
// although it belongs to a statement that is whole.
func (m *machine) mayMislead(i int) bool {
	t := &m.tokens[i]
	switch tokenizer.Kind(t.symbol) {
	case tokenizer.NAME:
	case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
		// Whether the string is raw is asked of the tokenizer, which is elsewhere by
		// the second pass.
		return strings.ContainsAny(m.text(t), "rR")
	default:
		return false
	}
	next := tokenizer.Kind(m.tokens[i+1].symbol)
	switch t.keyword {
	case tokenizer.Match, tokenizer.Case:
		if i > 0 {
			switch tokenizer.Kind(m.tokens[i-1].symbol) {
			case tokenizer.DOT, firstKw + tokenizer.Kind(tokenizer.Def):
				return false
			}
		}
		return next == tokenizer.LPAR || !endsName(next)
	case tokenizer.Type:
		return next == tokenizer.NAME
	case tokenizer.NotKeyword:
		if t.flags&tokenizer.NonASCII != 0 {
			return true // it may stand for any of these
		}
		switch m.text(t) {
		case "print", "exec":
			return !endsName(next)
		}
	}
	return false
}

// goesOn reports whether a token of the symbol may go on with a compound statement.
func goesOn(x symbol) bool {
	switch tokenizer.Kind(x) {
	case firstKw + tokenizer.Kind(tokenizer.Elif), firstKw + tokenizer.Kind(tokenizer.Else),
		firstKw + tokenizer.Kind(tokenizer.Except), firstKw + tokenizer.Kind(tokenizer.Finally):
		return true
	}
	return false
}

// endsName reports whether no expression begins with a token of the kind, and so
// none stands after a name before it. An opening parenthesis is a call's.
func endsName(kind tokenizer.Kind) bool {
	switch kind {
	case tokenizer.LPAR, tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE, tokenizer.COLON, tokenizer.COMMA, tokenizer.SEMI,
		tokenizer.DOT, tokenizer.EQUAL, tokenizer.COLONEQUAL, tokenizer.NEWLINE:
		return true
	}
	return false
}
