package synth

import (
	"strings"

	"codelinter/ast"
	"codelinter/fix"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// This file has the faults of whole rows: blank lines, long rows, statements that share a row.

// maxLineLength is flake8's default. Programs are linted with defaults.
const maxLineLength = 79

// blankLines finds the faults of blank lines around definitions.
func (f *finder) blankLines() {
	for row := 2; row < len(f.firstOf); row++ {
		if f.firstOf[row] < 0 || f.strings[row] || f.isBlank(row) {
			continue
		}
		blanks := 0
		for before := row - 1; before > 0 && f.isBlank(before); before-- {
			blanks++
		}
		if row-1-blanks < 1 || f.strings[row] || f.inBrackets(row) {
			continue
		}
		f.blankLinesAt(row, blanks)
	}
}

// blankLinesAt finds the faults of the blank rows before a row.
func (f *finder) blankLinesAt(row, blanks int) {
	first := &f.tokens[f.firstOf[row]]
	at := f.LineStart(row)
	before := row - 1 - blanks
	was := &f.tokens[max(f.firstOf[before], 0)]
	isDefinition := f.isDefinition(f.firstOf[row])
	indent := f.indent(row)
	if was.Kind == tokenizer.AT && f.firstOf[before] >= 0 && blanks == 0 {
		f.add(rule.E304, insert(at, "\n"))
		return
	}
	if blanks == 0 {
		return
	}
	most := 2
	if indent > 0 {
		most = 1
	}
	if blanks == most {
		f.add(rule.E303, insert(at, "\n"))
	} else if blanks == 1 {
		f.add(rule.E303, insert(at, "\n\n"))
	}
	if first.Kind == tokenizer.COMMENT {
		return // the definition below it decides
	}
	gone := remove(f.LineStart(before+1), at)
	one := remove(f.LineStart(before+1), f.LineStart(before+2))
	switch {
	case isDefinition && indent == 0 && blanks == 2:
		f.add(rule.E302, gone)
		f.add(rule.E302, one)
	case isDefinition && indent > 0 && f.isMethod(first.Start):
		f.add(rule.E301, gone)
	case isDefinition && indent > 0:
		f.add(rule.E306, gone)
	case indent == 0 && blanks == 2:
		f.add(rule.E305, gone)
		f.add(rule.E305, one)
	}
}

// isDefinition reports whether a token begins a definition or its decorator.
func (f *finder) isDefinition(i int32) bool {
	switch t := &f.tokens[i]; {
	case t.Keyword == tokenizer.Def, t.Keyword == tokenizer.Class, t.Kind == tokenizer.AT:
		return true
	case t.Keyword == tokenizer.Async:
		return f.tokens[i+1].Keyword == tokenizer.Def
	}
	return false
}

// isMethod reports whether the definition at an offset is in the body of a class: the nearest row
// above with less indentation is a class's.
func (f *finder) isMethod(at int32) bool {
	row := f.Row(at)
	indent := f.indent(row)
	for row--; row > 0; row-- {
		if f.firstOf[row] >= 0 && !f.isBlank(row) && !f.isComment(row) && !f.strings[row] && f.indent(row) < indent && !f.inBrackets(row) {
			return f.tokens[f.firstOf[row]].Keyword == tokenizer.Class
		}
	}
	return false
}

// continuations finds the faults of brackets of several rows, and of those that could have several.
func (f *finder) continuations() {
	var opened []int // indices of brackets
	for i := range f.tokens {
		t := &f.tokens[i]
		switch {
		case t.Kind == tokenizer.FSTRING_START || t.Kind == tokenizer.TSTRING_START:
			opened = append(opened, -1)
		case t.Kind == tokenizer.FSTRING_END || t.Kind == tokenizer.TSTRING_END:
			opened = opened[:max(len(opened)-1, 0)]
		case t.Kind.IsOpener():
			opened = append(opened, i)
		case t.Kind.IsCloser() && len(opened) > 0:
			open := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			if open < 0 || len(opened) > 0 && opened[len(opened)-1] < 0 {
				continue // a field of an f-string
			}
			if f.tokens[open].Row == t.Row {
				f.split(open, i)
				continue
			}
			if len(opened) == 0 {
				f.join(open, i)
			}
			f.shift(open, i)
		}
	}
}

// split finds the faults that break a bracket on one row at one of its commas.
func (f *finder) split(open, end int) {
	row := int(f.tokens[open].Row)
	if f.strings[row] || f.firstOf[row] < 0 || f.inBrackets(row) {
		return
	}
	indent := f.indent(row)
	visual := f.Column(row, f.tokens[open].End)
	depth := 0
	for i := open + 1; i < end; i++ {
		t := &f.tokens[i]
		switch {
		case t.Kind.IsOpener() || t.Kind == tokenizer.FSTRING_START:
			depth++
		case t.Kind.IsCloser() || t.Kind == tokenizer.FSTRING_END:
			depth--
		}
		if depth > 0 || t.Kind != tokenizer.COMMA || f.tokens[i+1].Kind.IsCloser() {
			continue
		}
		n := &f.tokens[i+1]
		for _, column := range [...]int{indent + 4, visual - 1, indent + 8, visual - 4} {
			if column < visual && column > indent {
				f.add(rule.E128, replace(t.End, n.Start, "\n"+strings.Repeat(" ", column)))
			}
		}
		f.add(rule.E127, replace(t.End, n.Start, "\n"+strings.Repeat(" ", visual+1)))
		f.add(rule.E127, replace(t.End, n.Start, "\n"+strings.Repeat(" ", visual+4)))
	}
	last := &f.tokens[end]
	if end > open+1 && f.tokens[end-1].Kind != tokenizer.COMMA {
		f.add(rule.E124, replace(f.tokens[end-1].End, last.Start, "\n"+strings.Repeat(" ", indent)))
	}
	if k := f.tokens[f.firstOf[row]].Keyword; end > open+1 && (k == tokenizer.Def || k == tokenizer.If || k == tokenizer.For || k == tokenizer.While || k == tokenizer.With || k == tokenizer.Class) {
		n := &f.tokens[open+1]
		f.add(rule.E125, replace(f.tokens[open].End, n.Start, "\n"+strings.Repeat(" ", indent+4)))
	}
}

// shift finds the faults that indent rows of a bracket otherwise.
func (f *finder) shift(open, end int) {
	bracket := &f.tokens[open]
	row := int(bracket.Row)
	if f.strings[row] {
		return
	}
	hanging := !isInk(&f.tokens[open+1])
	indent := f.indent(row)
	visual := f.Column(row, bracket.End)
	depth, seen := 0, 0
	for i := open + 1; i <= end; i++ {
		t := &f.tokens[i]
		if f.firstOf[t.Row] == int32(i) && int(t.Row) != row && depth == 0 && isInk(t) && !f.strings[t.Row] {
			f.shiftRow(int(t.Row), indent, visual, hanging, i == end, seen)
			seen++
		}
		switch {
		case t.Kind.IsOpener():
			depth++
		case t.Kind.IsCloser():
			depth--
		}
	}
}

// shiftRow finds the faults of one row in a bracket. seen counts the bracket's rows before it.
func (f *finder) shiftRow(row, indent, visual int, hanging, closes bool, seen int) {
	at := f.LineStart(row)
	is := f.indent(row)
	to := func(code rule.Code, column int) {
		if column >= 0 && column != is {
			f.add(code, replace(at, at+int32(is), strings.Repeat(" ", column)))
		}
	}
	switch {
	case closes && hanging && is == indent:
		to(rule.E123, indent+4)
		to(rule.E124, indent+1)
	case closes:
		to(rule.E124, is-1)
		to(rule.E124, indent)
	case hanging && is == indent+4:
		if seen == 0 {
			to(rule.E126, indent+8)
			to(rule.E121, indent+2)
		} else {
			to(rule.E131, indent+8)
			to(rule.E131, indent+6)
		}
		to(rule.E122, indent)
	case !hanging && is == visual:
		to(rule.E127, visual+1)
		to(rule.E127, visual+4)
		to(rule.E128, visual-1)
		to(rule.E128, indent+4)
	}
}

// join finds a bracket of several rows that would be too long on one row.
func (f *finder) join(open, end int) {
	row := int(f.tokens[open].Row)
	var edits []fix.Edit
	length := width(f.Text[f.LineStart(row):f.tokens[open].End])
	for i := open + 1; i <= end; i++ {
		t, p := &f.tokens[i], &f.tokens[i-1]
		if t.Kind == tokenizer.COMMENT || t.Flags&tokenizer.Multiline != 0 {
			return
		}
		if t.Kind != tokenizer.NL {
			if isInk(p) {
				length += width(f.Text[p.End:t.End])
			} else {
				length += width(t.Text(f.Text))
			}
			continue
		}
		next := i + 1
		for f.tokens[next].Kind == tokenizer.NL {
			next++
		}
		n := &f.tokens[next]
		from, between := p.End, " "
		switch {
		case p.Kind.IsOpener(), n.Kind == tokenizer.DOT:
			between = ""
		case n.Kind.IsCloser():
			between = ""
			if p.Kind == tokenizer.COMMA && f.isCall(open, next) {
				from = p.Start
				length--
			}
		}
		length += len(between)
		edits = append(edits, replace(from, n.Start, between))
		i = next - 1
		if i+1 <= end {
			length += width(n.Text(f.Text))
			i++
		}
	}
	if len(edits) > 0 && length > maxLineLength && length <= 3*maxLineLength {
		f.add(rule.E501, edits...)
	}
}

// isCall reports whether the bracket that closes at a token belongs to a call or a def, where a
// last comma has no meaning.
func (f *finder) isCall(open, end int) bool {
	depth := 0
	for i := end; i >= open; i-- {
		switch k := f.tokens[i].Kind; {
		case k.IsCloser():
			depth++
		case k.IsOpener():
			if depth--; depth == 0 {
				p := &f.tokens[max(i-1, 0)]
				return k == tokenizer.LPAR && (p.Kind == tokenizer.NAME && p.Keyword == tokenizer.NotKeyword || p.Kind.IsCloser()) || k == tokenizer.LBRACE || k == tokenizer.LSQB && !p.Kind.IsCloser() && p.Kind != tokenizer.NAME
			}
		}
	}
	return false
}

// blocks finds the faults of statements and of their blocks.
func (f *finder) blocks(body []ast.Stmt) {
	todo := [][]ast.Stmt{body}
	for len(todo) > 0 {
		body := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i, s := range body {
			if i > 0 {
				f.semicolon(body[i-1], s)
			}
			for _, block := range ast.Blocks(s) {
				todo = append(todo, block)
				f.block(s, block)
				if ast.OpensScope(s) {
					f.documented(block)
				}
			}
		}
	}
}

// isSimple reports whether a statement is simple and on one row.
func (f *finder) isSimple(s ast.Stmt) bool {
	b := s.Bounds()
	return ast.Blocks(s) == nil && f.Row(b.Start) == f.Row(max(b.End-1, b.Start))
}

// endsRow reports whether nothing follows an offset in its row.
func (f *finder) endsRow(at int32) bool { return int(at) < len(f.Text) && f.Text[at] == '\n' }

// semicolon finds two statements that may share a row.
func (f *finder) semicolon(a, b ast.Stmt) {
	if !f.isSimple(a) || !f.isSimple(b) {
		return
	}
	from, to := a.Bounds().End, b.Bounds().Start
	if f.Row(from)+1 == f.Row(to) && f.endsRow(from) && f.endsRow(b.Bounds().End) {
		f.add(rule.E702, replace(from, to, "; "))
	}
}

// block finds the faults of a statement's block: moved to the row of its colon, or with another
// indentation.
func (f *finder) block(s ast.Stmt, block []ast.Stmt) {
	if len(block) == 0 {
		return
	}
	first, last := block[0].Bounds(), block[len(block)-1].Bounds()
	i := f.tokenAt(first.Start)
	newline := i - 1
	for newline > 0 && (f.tokens[newline].Kind == tokenizer.INDENT || f.tokens[newline].Kind == tokenizer.NL) {
		newline--
	}
	if newline < 1 || f.tokens[newline].Kind != tokenizer.NEWLINE || f.tokens[newline-1].Kind != tokenizer.COLON {
		return // an elif, a block below comments, or a decorated definition
	}
	colon := &f.tokens[newline-1]
	header, row := f.Row(colon.Start), f.Row(first.Start)
	if len(block) == 1 && f.isSimple(block[0]) && row == header+1 && f.endsRow(first.End) {
		code := rule.E701
		switch s.(type) {
		case *ast.FunctionDef, *ast.AsyncFunctionDef:
			code = rule.E704
		}
		f.add(code, replace(colon.End, first.Start, " "))
	}
	f.reindent(row, f.Row(max(last.End-1, last.Start)), f.indent(row))
}

// reindent finds the faults of another indentation of a block's rows.
func (f *finder) reindent(from, to, indent int) {
	if to-from > 12 || indent < 4 {
		return // people make this mistake in small blocks
	}
	nested := false
	for row := from; row <= to; row++ {
		if f.strings[row] {
			return // the string would change
		}
		nested = nested || !f.isBlank(row) && f.indent(row) > indent
	}
	for _, by := range [...]int{-2, -1, 1, 4} {
		var edits []fix.Edit
		for row := from; row <= to; row++ {
			if f.isBlank(row) {
				continue
			}
			at := f.LineStart(row)
			if by < 0 {
				edits = append(edits, remove(at, at-int32(by)))
			} else {
				edits = append(edits, insert(at, strings.Repeat(" ", by)))
			}
		}
		switch {
		case by == 4:
			f.add(rule.E117, edits...)
		case !nested:
			f.add(rule.E111, edits...)
		}
	}
}

// tabs finds the fault of tabs in place of blanks, in all indented rows.
func (f *finder) tabs() {
	var edits []fix.Edit
	for row := 1; row < len(f.firstOf); row++ {
		indent := f.indent(row)
		if indent == 0 || f.isBlank(row) {
			continue
		}
		if f.strings[row] || indent%4 != 0 || f.firstOf[row] >= 0 && f.inBrackets(row) {
			return // a string would change, or blanks would be needed as well
		}
		at := f.LineStart(row)
		edits = append(edits, replace(at, at+int32(indent), strings.Repeat("\t", indent/4)))
	}
	if len(edits) > 0 {
		f.add(rule.W191, edits...)
	}
}
