package synth

import (
	"strings"

	"codelinter/ast"
	"codelinter/fix"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// This file has the faults of blanks within a row, E2 and W2, and of single characters: a
// backslash, a semicolon.

func (f *finder) spaces() {
	var brackets []tokenizer.Kind // open brackets: LBRACE, LSQB, LPAR
	fstrings := 0
	for i := range f.tokens {
		t := &f.tokens[i]
		switch t.Kind {
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
			fstrings++
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			fstrings--
		}
		if fstrings > 0 || i == 0 {
			continue
		}
		p := &f.tokens[i-1]
		if isInk(p) && isInk(t) && f.Row(p.End) == int(t.Row) {
			f.between(p, t, i, brackets)
		}
		switch t.Kind {
		case tokenizer.LPAR, tokenizer.LSQB, tokenizer.LBRACE:
			brackets = append(brackets, t.Kind)
		case tokenizer.RPAR, tokenizer.RSQB, tokenizer.RBRACE:
			if len(brackets) > 0 {
				brackets = brackets[:len(brackets)-1]
			}
		case tokenizer.EQUAL:
			if len(brackets) > 0 {
				f.parameterEquals(i)
			}
		}
		f.operator(i, len(brackets) > 0)
	}
}

// isInk reports whether a token is visible and not a comment.
func isInk(t *tokenizer.Token) bool {
	switch t.Kind {
	case tokenizer.NEWLINE, tokenizer.NL, tokenizer.INDENT, tokenizer.DEDENT, tokenizer.ENDMARKER, tokenizer.COMMENT:
		return false
	}
	return true
}

// between finds the faults of the blanks between two tokens on one row.
func (f *finder) between(p, t *tokenizer.Token, i int, brackets []tokenizer.Kind) {
	gap := f.Text[p.End:t.Start]
	isWord := t.Keyword.IsHard() && t.Keyword > tokenizer.True
	wasWord := p.Keyword.IsHard() && p.Keyword > tokenizer.True
	if gap == "" {
		if p.Kind.IsOpener() && !t.Kind.IsCloser() {
			f.add(rule.E201, insert(t.Start, " "))
		}
		if t.Kind.IsCloser() && !p.Kind.IsOpener() && p.Kind != tokenizer.COMMA {
			f.add(rule.E202, insert(t.Start, " "))
		}
		inSubscript := len(brackets) > 0 && brackets[len(brackets)-1] == tokenizer.LSQB
		if t.Kind == tokenizer.COMMA || t.Kind == tokenizer.COLON && !inSubscript {
			f.add(rule.E203, insert(t.Start, " "))
		}
		if p.Kind == tokenizer.AT && int(p.Row) < len(f.firstOf) && f.firstOf[p.Row] == int32(i-1) {
			f.add(rule.E204, insert(t.Start, " "))
		}
		if (t.Kind == tokenizer.LPAR || t.Kind == tokenizer.LSQB) && !wasWord &&
			(p.Kind == tokenizer.NAME && p.Keyword == tokenizer.NotKeyword || p.Kind.IsCloser()) &&
			!(i >= 2 && f.tokens[i-2].Keyword == tokenizer.Class) {
			f.add(rule.E211, insert(t.Start, " "))
		}
		return
	}
	if gap != " " {
		return
	}
	if p.Kind == tokenizer.COMMA || p.Kind == tokenizer.COLON {
		f.add(rule.E231, remove(p.End, t.Start))
	}
	if p.Kind == tokenizer.COMMA {
		f.add(rule.E241, insert(t.Start, " "))
		f.add(rule.E242, replace(p.End, t.Start, "\t"))
	}
	if wasWord {
		f.add(rule.E271, insert(t.Start, " "))
		f.add(rule.E273, replace(p.End, t.Start, "\t"))
		if t.Kind == tokenizer.LPAR && p.Keyword != tokenizer.Yield && p.Keyword != tokenizer.Except {
			f.add(rule.E275, remove(p.End, t.Start))
		}
	}
	if isWord && !wasWord && p.Kind != tokenizer.COMMA && !isOperator(p.Kind) {
		f.add(rule.E272, insert(t.Start, " "))
		f.add(rule.E274, replace(p.End, t.Start, "\t"))
	}
}

// isOperator reports whether flake8 wants blanks around an operator.
func isOperator(k tokenizer.Kind) bool {
	switch k {
	case tokenizer.RARROW, tokenizer.COLONEQUAL:
		return true
	case tokenizer.TILDE, tokenizer.EXCLAMATION, tokenizer.UNKNOWN, tokenizer.AT, tokenizer.ELLIPSIS, tokenizer.DOT,
		tokenizer.COMMA, tokenizer.COLON, tokenizer.SEMI:
		return false
	}
	return k > tokenizer.AT && !k.IsCloser() && !k.IsOpener()
}

// operator finds the faults of the blanks around an operator with one on each side.
func (f *finder) operator(i int, inBrackets bool) {
	t := &f.tokens[i]
	if !isOperator(t.Kind) || i+1 == len(f.tokens) {
		return
	}
	p, n := &f.tokens[i-1], &f.tokens[i+1]
	if !isInk(p) || !isInk(n) || f.Text[p.End:t.Start] != " " || f.Text[t.End:n.Start] != " " {
		return
	}
	if t.Kind == tokenizer.EQUAL && inBrackets {
		return // of an annotated parameter: see parameterEquals
	}
	f.add(rule.E221, insert(t.Start, " "))
	f.add(rule.E222, insert(t.End, " "))
	f.add(rule.E223, replace(p.End, t.Start, "\t"))
	f.add(rule.E224, replace(t.End, n.Start, "\t"))
	both := [...]fix.Edit{remove(p.End, t.Start), remove(t.End, n.Start)}
	switch t.Kind {
	case tokenizer.PLUS, tokenizer.MINUS, tokenizer.STAR, tokenizer.SLASH, tokenizer.DOUBLESLASH, tokenizer.DOUBLESTAR:
		f.add(rule.E226, both[:]...)
	case tokenizer.LEFTSHIFT, tokenizer.RIGHTSHIFT, tokenizer.VBAR, tokenizer.AMPER, tokenizer.CIRCUMFLEX:
		f.add(rule.E227, both[:]...)
	case tokenizer.PERCENT:
		f.add(rule.E228, both[:]...)
	case tokenizer.RARROW:
		f.add(rule.E225, both[:]...)
		return
	default:
		f.add(rule.E225, both[:]...)
	}
	f.add(rule.E225, both[0])
	f.add(rule.E225, both[1])
}

// parameterEquals finds the faults around the = of an argument or a default value.
func (f *finder) parameterEquals(i int) {
	t := &f.tokens[i]
	if i+1 == len(f.tokens) {
		return
	}
	p, n := &f.tokens[i-1], &f.tokens[i+1]
	if !isInk(p) || !isInk(n) {
		return
	}
	switch before, after := f.Text[p.End:t.Start], f.Text[t.End:n.Start]; {
	case before == "" && after == "":
		f.add(rule.E251, insert(t.Start, " "), insert(t.End, " "))
	case before == " " && after == " ":
		f.add(rule.E252, remove(p.End, t.Start), remove(t.End, n.Start))
	}
}

func (f *finder) comments() {
	for i := range f.tokens {
		t := &f.tokens[i]
		if t.Kind != tokenizer.COMMENT {
			continue
		}
		text := t.Text(f.Text)
		if len(text) < 4 || text[1] != ' ' || text[2] == ' ' || text[2] == '#' || strings.Contains(strings.ToLower(text), "noqa") {
			continue // banners, shebangs, comments that other tools read
		}
		row := int(t.Row)
		if f.firstOf[row] == int32(i) {
			f.add(rule.E265, remove(t.Start+1, t.Start+2))
			f.add(rule.E266, insert(t.Start, "#"))
			f.commentIndent(row)
			f.joinComments(i)
			f.lowerComment(i)
			continue
		}
		f.add(rule.E262, remove(t.Start+1, t.Start+2))
		if i > 0 && strings.HasSuffix(f.Text[:t.Start], "  ") {
			p := &f.tokens[i-1]
			f.add(rule.E261, replace(p.End, t.Start, " "))
			f.add(rule.E261, remove(p.End, t.Start))
		}
	}
}

// commentIndent finds the faults of the indentation of a comment on its own row.
func (f *finder) commentIndent(row int) {
	at, indent := f.LineStart(row), f.indent(row)
	next := row + 1
	for next < len(f.firstOf) && (f.isBlank(next) || f.isComment(next)) {
		next++
	}
	if next >= len(f.firstOf) || f.firstOf[next] < 0 || f.indent(next) != indent || f.isComment(row-1) || f.isComment(row+1) || f.inBrackets(row) {
		return
	}
	before := row - 1
	for before > 0 && f.isBlank(before) {
		before--
	}
	if before > 0 && f.indent(before) < indent { // the first row of a block
		f.add(rule.E115, remove(at, at+int32(indent-f.indent(before))))
		return
	}
	f.add(rule.E116, insert(at, "    "))
	f.addWith(rule.E114, []rule.Code{rule.E116}, insert(at, " "))
}

// isComment reports whether a row has only a comment.
func (f *finder) isComment(row int) bool {
	return row > 0 && row < len(f.firstOf) && f.firstOf[row] >= 0 && f.tokens[f.firstOf[row]].Kind == tokenizer.COMMENT
}

// inBrackets reports whether a row begins within brackets.
func (f *finder) inBrackets(row int) bool {
	first := f.firstOf[row]
	return f.heads[first] >= 0 && f.heads[first] != first
}

// joinComments finds two rows of comments that are too long as one.
func (f *finder) joinComments(i int) {
	t := &f.tokens[i]
	row := int(t.Row)
	if !f.isComment(row+1) || f.indent(row) != f.indent(row+1) {
		return
	}
	next := f.tokens[f.firstOf[row+1]]
	text := next.Text(f.Text)
	if len(text) < 4 || text[1] != ' ' || text[2] < 'a' || text[2] > 'z' {
		return
	}
	if width(f.Text[f.LineStart(row):t.End])+width(text)-1 > maxLineLength {
		f.add(rule.E501, replace(t.End, next.Start+1, ""))
	}
}

// lowerComment finds a comment above a statement that is too long behind it.
func (f *finder) lowerComment(i int) {
	t := &f.tokens[i]
	row := int(t.Row)
	if row+1 >= len(f.firstOf) || f.firstOf[row+1] < 0 || f.isBlank(row+1) || f.isComment(row+1) || f.isComment(row-1) || f.indent(row) != f.indent(row+1) || f.inBrackets(row) {
		return
	}
	last := int(f.firstOf[row+1])
	for last+1 < len(f.tokens) && f.tokens[last].Kind != tokenizer.NEWLINE {
		last++
	}
	end := &f.tokens[last]
	if int(end.Row) != row+1 || f.tokens[last-1].Kind == tokenizer.COMMENT || f.tokens[last-1].Kind == tokenizer.COLON {
		return
	}
	text := t.Text(f.Text)
	above := remove(f.LineStart(row), f.LineStart(row+1))
	if width(f.Text[f.LineStart(row+1):end.Start])+2+width(text) > maxLineLength {
		f.add(rule.E501, above, insert(end.Start, "  "+text))
	} else {
		f.add(rule.E261, above, insert(end.Start, " "+text))
	}
}

// maxComment bounds in bytes a comment made of a docstring.
const maxComment = 3 * maxLineLength / 2

// documented repeats the docstring of a function or class as a comment below it, if that is too
// long for a row.
func (f *finder) documented(body []ast.Stmt) {
	if len(body) < 2 {
		return
	}
	s, is := body[0].(*ast.ExprStmt)
	if !is {
		return
	}
	doc, is := s.Value.(*ast.Constant)
	row := f.Row(s.End)
	if !is || doc.Type != ast.Str || !f.endsRow(s.End) || row+1 >= len(f.firstOf) || f.isComment(row+1) {
		return
	}
	var text strings.Builder
	text.WriteString("#")
	for _, word := range strings.Fields(doc.Text) {
		if text.Len()+len(word) >= maxComment {
			break
		}
		text.WriteString(" " + word)
	}
	indent := f.indent(f.Row(s.Start))
	if comment := text.String(); indent+width(comment) > maxLineLength && isPlain(comment) {
		f.add(rule.E501, insert(f.LineStart(row+1), strings.Repeat(" ", indent)+comment+"\n"))
	}
}

// isPlain reports whether a comment is plain text: no tool reads it, and it causes no other code.
func isPlain(comment string) bool {
	return len(comment) > 2 && isLetter(comment[2]) && !strings.ContainsFunc(comment, func(r rune) bool { return r < ' ' || r > '~' || r == ':' })
}

func isLetter(c byte) bool { return c|' ' >= 'a' && c|' ' <= 'z' }

// rowEnds finds the faults at the ends of rows.
func (f *finder) rowEnds() {
	depth := 0
	for i := range f.tokens {
		t := &f.tokens[i]
		switch {
		case t.Kind.IsOpener():
			depth++
		case t.Kind.IsCloser():
			depth--
		}
		if (t.Kind != tokenizer.NEWLINE && t.Kind != tokenizer.NL) || i == 0 || t.Start == t.End {
			continue
		}
		row := int(t.Row)
		p := &f.tokens[i-1]
		if f.isBlank(row) {
			if row > 1 && f.indent(row-1) > 0 {
				f.add(rule.W293, insert(t.Start, strings.Repeat(" ", f.indent(row-1))))
			}
			f.add(rule.W293, insert(t.Start, "    "))
			continue
		}
		f.add(rule.W291, insert(t.Start, " "))
		if t.Kind == tokenizer.NL && depth > 0 && isInk(p) && row+1 < len(f.firstOf) && !f.isBlank(row+1) && !f.isComment(row+1) {
			f.add(rule.E502, insert(t.Start, " \\"))
		}
		if t.Kind == tokenizer.NEWLINE && isInk(p) && p.Kind != tokenizer.COLON && p.Kind != tokenizer.SEMI && f.tokens[f.heads[i]].Kind != tokenizer.AT {
			f.add(rule.E703, insert(p.End, ";"))
		}
	}
	if strings.HasSuffix(f.Text, "\n") && len(f.Text) > 1 {
		end := int32(len(f.Text))
		f.add(rule.W292, remove(end-1, end))
		f.add(rule.W391, insert(end, "\n"))
		f.add(rule.W391, insert(end, "\n\n"))
	}
}
