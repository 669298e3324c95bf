package diagnose

import (
	"strings"

	"codelinter/ast"
	"codelinter/tokenizer"
)

// This file skips statements that are known to be valid. Most invalid files have one fault.
// Matching the statements around it, twice, took nine tenths of the time. A skipped
// statement is not tokenized again either: the machine reads its first token and continues
// after its last line. Without skips, a text of 180 bytes with a fault at its end takes 1.8
// times as long.
//
// In the first pass a skip changes nothing. A valid statement matches as a statement in
// any case, and the tokens that are read for it are its own. In the second pass a skip
// matters if an alternative that explains errors also matches a valid statement. In
// CPython's grammar that happens for a few:
//
//	print -1              Missing parentheses in call to 'print'. Did you mean print(...)?
//	match(x=1)            invalid syntax. Maybe you meant '==' or ':=' instead of '='?
//	type X[T=int] = T     the same
//	case[x]: int          case statement must be inside match statement
//	f(*a if b else c)     invalid starred expression. Did you forget to wrap ...
//
// All but the last begin with a word that usually begins a statement of another kind.
// mayMatchExplanation finds those words, and lastOf finds an if after a star. One explanation
// looks past a valid statement, for an elif after an else. A statement that is nested so
// deep that it might exceed the limit on levels is matched too. A statement that must be
// matched in one pass is matched in both.

// Bounds of skipped statements. One level of nesting takes at most sixty of the parser's
// 6,000 levels, so a skipped statement stays far from that limit.
const (
	maxSkippedBrackets = 16
	maxSkippedBlocks   = 16
	maxSkippedPrefixes = 64 // tokens such as not, in a logical line
	maxSkippedElifs    = 64
	// maxSkippingLevel is the deepest level at which a statement is skipped.
	maxSkippingLevel = 1000
)

// A skip is a statement that is skipped.
type skip struct {
	start int32 // of its first token
	to    int32 // the line after it
	row   int32 // of that line
}

// findSkips notes which valid statements are skipped: those in which neither pass can
// find anything. tokens are the fast parser's.
func (m *machine) findSkips(tokens []tokenizer.Token, valid []ast.Range) {
	m.skips, m.nextSkip = m.skips[:0], 0
	i := 0
	for _, statement := range valid {
		for tokens[i].Start < statement.Start || isIndentation(tokens[i].Kind) {
			i++
		}
		s := skip{start: tokens[i].Start}
		if i > 0 && tokens[i-1].Kind == tokenizer.AT {
			s.start = tokens[i-1].Start
		}
		last, next := m.lastOf(tokens, i, statement.End)
		if next == 0 {
			continue
		}
		s.to, s.row = tokens[last].End, tokens[last].Row+1
		// At the end of the text CPython has not read a line that follows.
		if int(s.to) < len(m.file.Text) && !continuesCompound(symbolOf(tokens[next])) {
			m.skips = append(m.skips, s)
		}
	}
}

// isIndentation reports whether a token of the kind stands where another one does.
func isIndentation(kind tokenizer.Kind) bool {
	return kind == tokenizer.INDENT || kind == tokenizer.DEDENT
}

// lastOf returns the index of the NEWLINE that ends the statement from token i up to offset
// end. next is the index of the token after it and after the DEDENT that may follow; it is
// 0 if the statement must not be skipped.
func (m *machine) lastOf(tokens []tokenizer.Token, i int, end int32) (last, next int) {
	level, blocks, prefixes, elifs := 0, 0, 0, 0
	unpacks := false           // a star has been found before an argument of the logical line
	var before tokenizer.Token // the last token that the parser sees, and the one before
	var beforeThat tokenizer.Token
	for ; i < len(tokens); i++ {
		t := tokens[i]
		if t.Kind.IsIgnored() {
			continue
		}
		level += t.Kind.Nesting()
		switch kind := tokenizer.Kind(symbolOf(t)); kind {
		case tokenizer.INDENT:
			blocks++
		case tokenizer.DEDENT:
			blocks--
		case tokenizer.NEWLINE:
			prefixes = 0
			unpacks = false
			last = i
		case tokenizer.MINUS, tokenizer.PLUS, tokenizer.TILDE, tokenizer.DOUBLESTAR, tokenizer.STAR,
			firstKw + tokenizer.Kind(tokenizer.Not), firstKw + tokenizer.Kind(tokenizer.Lambda), firstKw + tokenizer.Kind(tokenizer.Else):
			prefixes++
			unpacks = unpacks || kind == tokenizer.STAR && (before.Kind.IsOpener() || before.Kind == tokenizer.COMMA)
		case firstKw + tokenizer.Kind(tokenizer.If):
			if unpacks && level > 0 && m.features.ExplainsUnpacking {
				return 0, 0
			}
		case firstKw + tokenizer.Kind(tokenizer.Elif):
			elifs++
		}
		if level > maxSkippedBrackets || blocks > maxSkippedBlocks || prefixes > maxSkippedPrefixes || elifs > maxSkippedElifs ||
			m.mayMatchExplanation(beforeThat, before, t.Kind) {
			return 0, 0
		}
		beforeThat, before = before, t
		if t.Start < end {
			continue
		}
		if t.Kind != tokenizer.NEWLINE && t.Kind != tokenizer.DEDENT {
			return 0, 0 // another statement in the same line
		}
		if blocks > 0 {
			continue
		}
		for i++; i < len(tokens) && tokens[i].Kind.IsIgnored(); i++ {
		}
		if i == len(tokens) {
			return 0, 0
		}
		return last, i
	}
	return 0, 0
}

// skipStatement moves past the statement that begins at the next token, if it may be
// skipped. Only that token remains for it.
func (m *machine) skipStatement() bool {
	if len(m.skips) == 0 || m.level > maxSkippingLevel || m.longWay || !m.ready() {
		return false
	}
	first := &m.tokens[m.mark]
	if !first.skipped {
		if int(m.mark)+1 < len(m.tokens) {
			return false
		}
		for m.nextSkip < len(m.skips) && m.skips[m.nextSkip].start < first.start {
			m.nextSkip++
		}
		if m.nextSkip == len(m.skips) || m.skips[m.nextSkip].start != first.start {
			return false
		}
		s := &m.skips[m.nextSkip]
		m.tokenizer.SkipTo(int(s.to), int(s.row))
		first.skipped = true
	}
	m.mark++
	return true
}

const firstKw = tokenizer.Kind(firstKeyword)

// mayMatchExplanation reports whether an alternative of the second pass that explains an error
// might match at t, although t belongs to a valid statement. before is the token before
// t, and next the kind of the token after it.
func (m *machine) mayMatchExplanation(before, t tokenizer.Token, next tokenizer.Kind) bool {
	text := m.file.Text[t.Start:t.End]
	switch t.Kind {
	case tokenizer.NAME:
	case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
		// Whether the string is raw is asked of the tokenizer, which is elsewhere by
		// the second pass.
		return strings.ContainsAny(text, "rR")
	default:
		return false
	}
	switch t.Keyword {
	case tokenizer.Match, tokenizer.Case:
		if before.Kind == tokenizer.DOT || before.Keyword == tokenizer.Def {
			return false
		}
		return next == tokenizer.LPAR || !endsName(next)
	case tokenizer.Type:
		return next == tokenizer.NAME
	case tokenizer.NotKeyword:
		if t.Flags&tokenizer.NonASCII != 0 {
			return true // it may be any of these
		}
		switch text {
		case "print", "exec":
			return !endsName(next)
		}
	}
	return false
}

// continuesCompound reports whether a token of the symbol may continue a compound statement.
func continuesCompound(x symbol) bool {
	switch tokenizer.Kind(x) {
	case firstKw + tokenizer.Kind(tokenizer.Elif), firstKw + tokenizer.Kind(tokenizer.Else),
		firstKw + tokenizer.Kind(tokenizer.Except), firstKw + tokenizer.Kind(tokenizer.Finally):
		return true
	}
	return false
}

// endsName reports whether a name before a token of the kind is a whole expression, because no
// expression begins with that token. After a name, an opening parenthesis belongs to a call.
func endsName(kind tokenizer.Kind) bool {
	switch kind {
	case tokenizer.LPAR, tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE, tokenizer.COLON, tokenizer.COMMA, tokenizer.SEMI,
		tokenizer.DOT, tokenizer.EQUAL, tokenizer.COLONEQUAL, tokenizer.NEWLINE:
		return true
	}
	return false
}
