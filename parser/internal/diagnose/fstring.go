package diagnose

import (
	"strings"

	"codelinter/internal/python/pytext"
)

// Before 3.12, CPython reads adjacent strings whole and finds the fields of f-strings afterwards.
// Each expression is put in parentheses and gets a parser and a tokenizer of its own. The parser's
// errors begin with "f-string: " and count columns in that text; the tokenizer's errors do not.

// A fieldPlace is the place of a field's text in the text around it, which may be
// a field's too.
type fieldPlace struct {
	row    int // of the opening parenthesis
	column int // in bytes, from 0
}

// literals decodes adjacent strings and joins them.
func literals(m *machine, start int32, items *values) value {
	joined := kindString
	for at := m.children(items[0]); at != 0; at = m.cells[at].next {
		token := int32(^m.cells[at].value)
		t := &m.tokens[token]
		text := m.text(t)
		prefix := text[:strings.IndexAny(text, `'"`)]
		formatted := strings.ContainsAny(prefix, "fF")
		kind := kindString
		if !formatted {
			var ok bool
			if kind, ok = m.decodeLiteral(token); !ok {
				return 0
			}
		}
		if token != start && (kind == kindBytes) != (joined == kindBytes) {
			m.raiseLast(syntaxError, "cannot mix bytes and nonbytes literals")
			return 0
		}
		if joined != kindJoinedStr {
			joined = kind
		}
		if formatted {
			joined = kindJoinedStr
			literal := pytext.ParseLiteral(text)
			quotes := (len(text) - len(prefix) - len(literal.Body)) / 2
			end := int(t.end) - quotes
			f := pytext.NewFString(m.file.Text, end-len(literal.Body), end, literal.Raw)
			f.NamesEmpty = m.features.NamesEmptyFields
			if !m.formattedBody(&f, t, literal.Raw) {
				return 0
			}
		}
	}
	return m.newNode(joined, start, 0)
}

// formattedBody checks the body of an f-string, or of a format spec.
func (m *machine) formattedBody(f *pytext.FString, t *token, raw bool) bool {
	for {
		start, end, again, ok := f.Literal()
		if !ok {
			m.raiseLast(syntaxError, f.Err)
			return false
		}
		if text := m.file.Text[start:end]; !raw && strings.IndexByte(text, '\\') >= 0 {
			if message := m.undecodable(text); message != "" {
				m.raiseLast(syntaxError, m.words.Format("(unicode error) %s", message))
				return false
			}
		}
		if again {
			continue
		}
		if !f.More() {
			return true
		}
		if !m.formattedField(f, t, raw) {
			if f.Err != "" {
				m.raiseLast(syntaxError, f.Err)
			}
			return false
		}
	}
}

// formattedField checks a field. If it is wrong, f.Err is set or an error has been raised.
func (m *machine) formattedField(f *pytext.FString, t *token, raw bool) bool {
	start, end, ok := f.Expression()
	if !ok || !m.expression(t, start, end) {
		return false
	}
	_, _, spec, ok := f.Rest()
	if !ok {
		return false
	}
	if spec && !(m.formattedBody(f, t, raw) && f.EndSpec()) {
		return false
	}
	return f.Close()
}

// expression parses the expression at an offset of the text of a STRING. It raises
// the error that CPython's inner parser raises.
func (m *machine) expression(t *token, start, end int) bool {
	if m.inner == nil {
		m.inner = &machine{}
	}
	inner := m.inner
	inner.grammar = m.grammar
	inner.fieldPlace = m.placeOf(t, start)
	inner.field = &inner.fieldPlace
	inner.fieldText = append(append(append(inner.fieldText[:0], '('), m.file.Text[start:end]...), ')')
	if inner.fieldFile.Load(inner.fieldText) != nil {
		return false
	}
	inner.reset(&inner.fieldFile, m.features.Version, m.rowsBefore+inner.field.row-1)
	if inner.parses(m.grammar.field) {
		return true
	}
	err := inner.err
	if err.Row > 0 {
		err.Row += inner.field.row - 1
	}
	if err.Fatal {
		m.final = true
	}
	m.fail(err)
	return false
}

// placeOf returns CPython's position for the parenthesis in front of an expression. It is the
// position of the field's brace. If the expression begins in the next line, it is the beginning of
// the row, or of the token in its first row.
func (m *machine) placeOf(t *token, start int) fieldPlace {
	before := m.file.Text[t.start : start-1]
	f := fieldPlace{row: int(t.row) + strings.Count(before, "\n")}
	column := int(t.start-m.file.LineStart(int(t.row))) + m.shift(t)
	line := strings.LastIndexByte(before, '\n') + 1
	if line > 0 {
		column = 0
	}
	f.column = column
	if rest := strings.TrimLeft(m.file.Text[start:], " \t\f"); rest == "" || rest[0] != '\n' {
		f.column += len(before) - line
	}
	return f
}

// shift returns the number that CPython adds to the columns of a token of a field's text: the
// column of the parenthesis, if the token ends in the first row. If the token only begins there,
// CPython adds nothing:
//
//	f'''{"""
//	""" x}'''
func (m *machine) shift(t *token) int {
	if m.field == nil || t.row > 1 || strings.IndexByte(m.text(t), '\n') >= 0 {
		return 0
	}
	return m.field.column
}

// placeInField is place for the text of a field. CPython subtracts the parenthesis' column from the
// error's column, whether or not shift had added it.
func (m *machine) placeInField(kind, message string, row, bytes int) {
	bytes -= m.field.column
	offset := bytes
	if m.features.FieldErrorsInCharacters {
		if bytes < 0 {
			m.die("SystemError", "Negative size passed to PyUnicode_New")
			return
		}
		offset = m.characters(row, bytes)
	}
	m.fail(SyntaxError{Type: kind, Message: m.words.Format("f-string: %s", message), Row: row, Offset: offset})
}
