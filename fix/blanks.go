package fix

import (
	"strings"

	"codelinter/rule"
)

// blankRows adds the missing blank rows above a line and the comments right above it.
func blankRows(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	want := 2
	if finding.Code == rule.E301 || finding.Code == rule.E306 {
		want = 1
	}
	row := s.file.Row(finding.Start)
	indent := width(s.indentOf(row))
	for row > 1 && isCommentRow(s.file.Line(row-1)) && width(s.indentOf(row-1)) <= indent {
		row--
	}
	return s.setBlankRows(row, want)
}

// fewerBlankRows removes superfluous blank rows above a line.
func fewerBlankRows(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	want := 2
	row := s.file.Row(finding.Start)
	switch {
	case finding.Code == rule.E304:
		want = 0
	case s.indentOf(row) != "":
		want = 1
	}
	return s.setBlankRows(row, want)
}

// setBlankRows sets the number of blank rows above a row. Rows with a form feed stay.
func (s *analysis) setBlankRows(row, want int) []Edit {
	first := row
	for first > 1 && s.isBlankRow(first-1) {
		first--
	}
	have := row - first
	if have < want {
		at := s.file.LineStart(first)
		return []Edit{{at, at, strings.Repeat("\n", want-have)}}
	}
	var edits []Edit
	for r := first; r < row && have > want; r++ {
		if strings.ContainsAny(s.file.Line(r), "\f\v") {
			continue
		}
		edits = append(edits, Edit{s.file.LineStart(r), s.file.LineStart(r + 1), ""})
		have--
	}
	return edits
}

func isCommentRow(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t\f"), "#")
}
