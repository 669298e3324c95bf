package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A plainText is a program in one layout: a row for each statement and each header, four
// columns for each level, one way to set blanks, no comments, UTF-8. Programs that differ in
// layout have the same plain text, so no layout and no comment changes a verdict. Only the
// spelling of literals and parentheses that change nothing are kept.
type plainText struct {
	text string
	rows []int32 // of the original, for each row of text; nil if the text is that of the original
	body int     // the offset behind a docstring
}

// newPlainText returns the plain text of a program, or the program itself if that is not
// valid Python.
func newPlainText(program string) plainText {
	m, ok := parse(program)
	if !ok {
		return plainText{text: program}
	}
	list, err := new(tokenizer.Tokenizer).Tokenize(m.text, tokenizer.Options{Target: source.Newest})
	if err != nil {
		return plainText{text: program}
	}
	w := plainWriter{source: m.text, depths: map[int32]int{}, documented: len(m.body) > 0 && ast.IsText(m.body[0])}
	w.depth(m.body, 0)
	for i := range list {
		w.token(&list[i])
	}
	w.end()
	return plainText{w.out.String(), w.rows, w.body}
}

// deferral is the variable that deferred binds. It is no variable of the program.
const deferral = "__deferral__"

// deferred returns a text that runs under the sandbox's CPython as under CPython 3.14, which evaluates
// an annotation on demand. Earlier versions evaluate it at once, and raise a NameError for an undefined
// name:
//
//	class Node:
//	    def add(self, other: Node) -> List[Node]:
//
// A program that reads annotations is not changed.
func (p plainText) deferred() plainText {
	if p.rows == nil || slices.ContainsFunc([]string{"annotations", "get_type_hints", "singledispatch"}, func(reader string) bool { return strings.Contains(p.text, reader) }) {
		return p
	}
	row := strings.Count(p.text[:p.body], "\n")
	p.text = p.text[:p.body] + "from __future__ import annotations as " + deferral + "\n" + p.text[p.body:]
	p.rows = slices.Insert(slices.Clone(p.rows), row, int32(row+1)) // p may be used further
	return p
}

// row returns the row of the original for a row of the plain text.
func (p *plainText) row(row int) int {
	if row < 1 || row > len(p.rows) {
		return row
	}
	return int(p.rows[row-1])
}

// A plainWriter writes a program's tokens.
type plainWriter struct {
	source string
	depths map[int32]int // levels of statements, by their offsets
	out    strings.Builder
	rows   []int32
	level  int              // of indentation in the source
	open   []tokenizer.Kind // brackets
	begun  bool             // the current row has a token
	last   tokenizer.Token  // of the current row
	unary  bool             // last is an operator before an operand
	quoted int              // f-strings that are open
	first  tokenizer.Token  // of the outermost of them

	documented bool // the current row is the docstring
	body       int  // where the row behind it begins
}

// depth records the levels of statements. That of an elif begins at this word.
func (w *plainWriter) depth(body []ast.Stmt, level int) {
	for _, s := range body {
		at := s.Bounds().Start
		level := level
		if s.Kind() == ast.KindIf && strings.HasPrefix(w.source[at:], "elif") {
			level--
		}
		w.depths[at] = level
		inner := level + 1
		if match, is := s.(*ast.Match); is {
			for _, c := range match.Cases {
				w.depths[c.Bounds().Start] = level + 1
			}
			inner++
		}
		for _, block := range ast.Blocks(s) {
			w.depth(block, inner)
		}
	}
}

func (w *plainWriter) token(t *tokenizer.Token) {
	switch t.Kind {
	case tokenizer.INDENT:
		w.level++
	case tokenizer.DEDENT:
		w.level--
	case tokenizer.NEWLINE:
		w.end()
	case tokenizer.NL, tokenizer.COMMENT, tokenizer.ENDMARKER:
	case tokenizer.SEMI:
		w.end()
	case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
		if w.quoted == 0 {
			w.first = *t
		}
		w.quoted++
	case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
		if w.quoted--; w.quoted == 0 {
			w.write(&tokenizer.Token{Kind: tokenizer.STRING, Start: w.first.Start, End: t.End, Row: w.first.Row})
		}
	default:
		if w.quoted == 0 { // fields may show their own text
			w.write(t)
		}
	}
}

// end ends the current row.
func (w *plainWriter) end() {
	if w.begun {
		w.out.WriteByte('\n')
		w.begun = false
		if w.documented {
			w.body, w.documented = w.out.Len(), false
		}
	}
}

func (w *plainWriter) write(t *tokenizer.Token) {
	level, begins := w.depths[t.Start]
	if begins && len(w.open) == 0 {
		w.end()
	}
	text := w.source[t.Start:t.End]
	switch {
	case w.begun:
		if w.spaced(t) {
			w.out.WriteByte(' ')
		}
	default:
		if !begins {
			level = w.level // else, except, another decorator
		}
		w.rows = append(w.rows, t.Row)
		w.out.WriteString(strings.Repeat("    ", level))
	}
	w.out.WriteString(text)
	for i := range strings.Count(text, "\n") {
		w.rows = append(w.rows, t.Row+int32(i)+1)
	}
	w.unary = t.Kind.IsOp() && !t.Kind.IsCloser() && (!w.begun || w.isBefore(&w.last))
	w.begun = true
	switch {
	case t.Kind.IsOpener():
		w.open = append(w.open, t.Kind)
	case t.Kind.IsCloser() && len(w.open) > 0:
		w.open = w.open[:len(w.open)-1]
	}
	w.last = *t
}

// isBefore reports whether an operand follows the token.
func (w *plainWriter) isBefore(t *tokenizer.Token) bool {
	return t.Kind.IsOp() && !t.Kind.IsCloser() && t.Kind != tokenizer.ELLIPSIS || t.Kind == tokenizer.NAME && t.Keyword != 0
}

// spaced reports whether there is a blank between the last token and t.
func (w *plainWriter) spaced(t *tokenizer.Token) bool {
	inside := tokenizer.ENDMARKER
	if len(w.open) > 0 {
		inside = w.open[len(w.open)-1]
	}
	named := inside == tokenizer.LPAR && (t.Kind == tokenizer.EQUAL || w.last.Kind == tokenizer.EQUAL)
	switch t.Kind {
	case tokenizer.GREATER:
		return w.last.Kind != tokenizer.LESS // <> of barry_as_FLUFL
	case tokenizer.DOT:
		return w.last.Kind == tokenizer.NUMBER || w.last.Kind == tokenizer.NAME && w.last.Keyword != 0
	case tokenizer.COMMA, tokenizer.COLON, tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE:
		return false
	case tokenizer.LPAR, tokenizer.LSQB:
		return w.isBefore(&w.last) && !w.last.Kind.IsOpener() && !w.unary && !named
	}
	last := w.last.Kind
	return !named && !w.unary && !last.IsOpener() && (last != tokenizer.DOT || t.Keyword != 0) && (last != tokenizer.COLON || inside != tokenizer.LSQB)
}
