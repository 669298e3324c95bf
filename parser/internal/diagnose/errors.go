package diagnose

import (
	"strings"
	"unicode/utf8"

	"codelinter/tokenizer"
)

// The exceptions that flake8 reports.
const (
	syntaxError      = "SyntaxError"
	indentationError = "IndentationError"
	tabError         = "TabError"
)

// fail raises an error, unless there is one already.
func (m *machine) fail(err SyntaxError) {
	if !m.failed {
		m.failed = true
		m.err = err
	}
}

// die raises an exception that is no SyntaxError.
func (m *machine) die(exception, message string) {
	m.fail(SyntaxError{Type: exception, Message: message, Fatal: true})
	m.final = true
}

// overflow raises the error of a text that is nested too deeply.
func (m *machine) overflow() {
	if !m.failed {
		m.die("MemoryError", "Parser stack overflowed - Python source too complex to parse")
	}
}

// place raises an error after the first bytes of a row.
func (m *machine) place(kind, message string, row, bytes int) {
	if m.field != nil {
		m.placeInField(kind, message, row, bytes)
		return
	}
	m.fail(SyntaxError{Type: kind, Message: message, Row: row, Offset: m.characters(row, bytes)})
}

// raiseAt raises an error at a token's first character.
func (m *machine) raiseAt(at int32, kind, message string) {
	t := &m.tokens[at]
	bytes := 0
	if t.hasColumn() {
		bytes = int(t.start-m.file.LineStart(int(t.row))) + 1 + m.shift(t)
	}
	m.place(kind, message, int(t.row), bytes)
}

// raiseLast raises an error at the last token read.
func (m *machine) raiseLast(kind, message string) { m.raiseNear(int32(len(m.tokens)-1), kind, message) }

// raiseNear raises an error at a token's first character. If the token has no column, the error
// is at the tokenizer's current place in the line.
func (m *machine) raiseNear(at int32, kind, message string) {
	if m.tokens[at].hasColumn() {
		m.raiseAt(at, kind, message)
		return
	}
	m.place(kind, message, int(m.tokens[at].row), m.tokenizer.Cursor()-m.tokenizer.Line())
}

// raise raises the error of an alternative that explains one.
func (m *machine) raise(a *action, items *values) {
	if m.failed {
		if !m.features.ReplacesErrors || a.place != atItem && a.place != atItemEnd {
			return
		}
		m.failed = false
	}
	kind := syntaxError
	if a.indent {
		kind = indentationError
	}
	message := a.text
	if strings.IndexByte(message, '<') >= 0 {
		message = m.fill(message, a, items)
	}
	switch a.place {
	case atItem:
		m.raiseAt(m.firstToken(items[a.item]), kind, message)
	case atItemEnd:
		first := &m.tokens[m.firstToken(items[a.item])]
		last := &m.tokens[m.lastToken(items[a.item])]
		end := int(last.end)
		line := strings.LastIndexByte(m.file.Text[:end], '\n') + 1
		m.place(kind, message, int(first.row), end-line+m.shift(last))
	case atLast:
		m.raiseLast(kind, message)
	case atNext:
		if m.ready() {
			m.raiseNear(m.mark, kind, message)
		}
	}
}

// fill replaces the first <kind>, <name N> or <line N> of a message.
func (m *machine) fill(text string, a *action, items *values) string {
	before, rest, _ := strings.Cut(text, "<")
	what, after, _ := strings.Cut(rest, ">")
	what, which, numbered := strings.Cut(what, " ")
	v := items[a.item]
	if numbered {
		v = items[number(which)-1]
	}
	t := &m.tokens[m.firstToken(v)]
	switch what {
	case "kind":
		what = kinds[m.kindOf(v)].called
	case "name":
		what = m.text(t)
	case "line":
		return m.words.Format("%s%d%s", before, m.rowsBefore+int(t.row), after)
	}
	return m.words.Format("%s%s%s", before, what, after)
}

// characters returns the number of characters in the first n bytes of a row. A character that is
// cut off counts. CPython looks at most one byte beyond the line, and sees the newline only in the
// line that it is reading.
func (m *machine) characters(row, n int) int {
	if row > m.file.Lines() { // an empty text has a first row, but no line
		return 0
	}
	read, start := m.tokenizer.Reading()
	if m.features.ColumnsOfFirstLine && read <= row && start < int(m.file.LineStart(read)) {
		lines := strings.TrimSuffix(m.file.Text[start:m.file.LineStart(read+1)], "\n")
		return decodedLength(lines, min(n, len(lines)+2))
	}
	line := strings.TrimSuffix(m.file.Line(row), "\n")
	limit := len(line) + 1
	if row == m.tokenizer.Row() {
		limit++
	}
	return decodedLength(line, min(n, limit))
}

// decodedLength returns the number of characters that CPython decodes from the first n bytes of
// line. Bytes after the line count too.
func decodedLength(line string, n int) int {
	beyond := max(0, n-len(line))
	n -= beyond
	for n > 0 && n < len(line) && !utf8.RuneStart(line[n]) {
		n++ // of a character that is cut off any part counts
	}
	return utf8.RuneCountInString(line[:n]) + beyond
}

// tokenizerError raises the parser's exception for an error of the tokenizer. No other exception
// replaces it.
func (m *machine) tokenizerError() {
	e := m.tokenizer.Err()
	m.final = true
	row, line := m.tokenizer.Row(), m.tokenizer.Line()
	switch {
	case e == nil: // after the end
		m.fail(SyntaxError{Type: syntaxError, Message: "invalid syntax", Row: row})
	case e.Status == tokenizer.Raised:
		m.fail(SyntaxError{Type: e.Type, Message: e.Message, Row: e.Row, Offset: e.Offset})
	case e.Status == tokenizer.EOF && m.tokenizer.Level() > 0:
		m.unclosed()
	case e.Status == tokenizer.EOF:
		m.place(syntaxError, "unexpected EOF while parsing", row, e.Cursor-line)
	case e.Status == tokenizer.Dedent:
		m.place(indentationError, "unindent does not match any outer indentation level", row, e.Cursor-line)
	case e.Status == tokenizer.TabSpace:
		m.place(tabError, "inconsistent use of tabs and spaces in indentation", row, 1)
	case e.Status == tokenizer.TooDeep:
		m.place(indentationError, "too many levels of indentation", row, 1)
	case e.Status == tokenizer.LineCont:
		// CPython counts from the first line that it still holds in memory, up
		// to the first byte after the backslash.
		_, size := utf8.DecodeLastRuneInString(m.file.Text[:min(e.Cursor, len(m.file.Text))])
		m.place(syntaxError, "unexpected character after line continuation character", row, e.Cursor-size+1-e.Buffer)
	}
}

// unclosed raises the error of an open bracket.
func (m *machine) unclosed() {
	at, row := m.tokenizer.Bracket()
	m.place(syntaxError, m.words.Format("'%c' was never closed", m.file.Text[at]), row, at-int(m.file.LineStart(row))+1)
}

// generic raises the error that explains nothing, at the last token of the
// first pass.
func (m *machine) generic(last int32) {
	furthest := last
	if m.features.IndentsOfSecondPass {
		furthest = int32(len(m.tokens) - 1)
	}
	switch tokenizer.Kind(m.tokens[furthest].symbol) {
	case tokenizer.INDENT:
		m.raiseLast(indentationError, "unexpected indent")
		m.final = true
	case tokenizer.DEDENT:
		m.raiseLast(indentationError, "unexpected unindent")
		m.final = true
	default:
		m.raiseAt(last, syntaxError, "invalid syntax")
		m.final = false // whatever the result
	}
}

// readOn tokenizes the rest of the text, in search of a fault that counts more
// than the parser's.
func (m *machine) readOn() {
	row := int(m.tokens[len(m.tokens)-1].row)
	for {
		if _, ok := m.tokenizer.Next(); !ok {
			break
		}
	}
	e := m.tokenizer.Err()
	if e == nil || m.tokenizer.FStrings() > 0 {
		return
	}
	if e.Status == tokenizer.Raised {
		m.err = SyntaxError{Type: e.Type, Message: e.Message, Row: e.Row, Offset: e.Offset}
		return
	}
	if m.tokenizer.Level() > 0 {
		if _, open := m.tokenizer.Bracket(); row > open {
			m.failed = false
			m.unclosed()
		}
	}
}
