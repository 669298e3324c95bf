package fix

import (
	"strings"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// dropGap removes the blanks at a finding.
//
//	f( x )      f(x)
func dropGap(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	start, end := s.gap(finding.Start, finding.End)
	if finding.Code == rule.E251 { // the gap may span rows
		i := s.tokenAt(finding.Start)
		for i < len(s.tokens) && s.tokens[i].Kind == tokenizer.NL {
			i++
		}
		if i == 0 || i == len(s.tokens) {
			return nil
		}
		end = s.tokens[i].Start
	}
	return s.replaceGap(start, end, "")
}

// widen leaves some blanks at a finding.
//
//	x  = 1      x = 1
func widen(blanks string) func(*analysis, *rule.Finding, *Fixer) []Edit {
	return func(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
		start, end := s.gap(finding.Start, finding.Start)
		return s.replaceGap(start, end, blanks)
	}
}

// putBlank inserts a blank at a finding.
func putBlank(_ *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	return []Edit{{finding.Start, finding.Start, " "}}
}

// spaceAfter inserts a blank after the finding's extent.
//
//	f(x,y)      f(x, y)
func spaceAfter(_ *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	return []Edit{{finding.End, finding.End, " "}}
}

// replaceGap replaces the text between two tokens, if it has only blanks and line ends.
func (s *analysis) replaceGap(start, end int32, blanks string) []Edit {
	old := s.text[start:end]
	if old == blanks || strings.Trim(old, " \t\f\n") != "" {
		return nil
	}
	return []Edit{{start, end, blanks}}
}

// spaceOperator puts one blank on each side of an operator. The finding points at the
// operator or at its end.
//
//	x=1      x = 1
func spaceOperator(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	i := s.tokenAt(finding.Start)
	if i == len(s.tokens) {
		return nil
	}
	if !isOperator(&s.tokens[i]) || s.tokens[i].Start > finding.Start {
		if i == 0 || s.tokens[i-1].End != finding.Start || !isOperator(&s.tokens[i-1]) {
			if !isOperator(&s.tokens[i]) {
				return nil
			}
		} else {
			i--
		}
	}
	if i == 0 || i+1 == len(s.tokens) {
		return nil
	}
	before, t, after := &s.tokens[i-1], &s.tokens[i], &s.tokens[i+1]
	var edits []Edit
	if before.End == t.Start {
		edits = append(edits, Edit{t.Start, t.Start, " "})
	}
	if t.End == after.Start && after.Kind != tokenizer.NL && after.Kind != tokenizer.NEWLINE {
		edits = append(edits, Edit{t.End, t.End, " "})
	}
	return edits
}

func isOperator(t *tokenizer.Token) bool {
	return t.Kind.IsOp() || t.Keyword == tokenizer.In || t.Keyword == tokenizer.Is || t.Keyword == tokenizer.And || t.Keyword == tokenizer.Or || t.Keyword == tokenizer.Not
}

// dropFound removes the finding's extent: blanks at the end of a row.
func dropFound(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	if i := s.tokenAt(finding.Start); i < len(s.tokens) && s.tokens[i].Start < finding.Start && s.tokens[i].Kind.IsStringPart() {
		if f.kept != Documented {
			f.kept = Valued
		}
		return nil // it is in a string
	}
	return []Edit{{finding.Start, finding.End, ""}}
}

// finalNewline adds the newline of the last row.
func finalNewline(s *analysis, _ *rule.Finding, _ *Fixer) []Edit {
	end := int32(len(s.text))
	return []Edit{{end, end, "\n"}}
}

// finalBlankRows drops the blank rows at the end of the file.
func finalBlankRows(s *analysis, _ *rule.Finding, _ *Fixer) []Edit {
	end := int32(len(s.text))
	start := int32(len(strings.TrimRight(s.text, " \t\f\r\v\n")))
	if start > 0 {
		row := s.file.Row(start - 1)
		start = s.file.LineStart(row + 1)
	}
	if start >= end {
		return nil
	}
	return []Edit{{start, end, ""}}
}

// dropBackslash removes a backslash at the end of a row between brackets, with the
// blanks before it.
func dropBackslash(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	if s.text[finding.Start:finding.End] != "\\" {
		return nil
	}
	start, _ := s.gap(finding.Start, finding.Start)
	return []Edit{{start, finding.End, ""}}
}

// moveOperator moves a binary operator to the other side of a line break.
//
//	a +         a
//	b           + b
func moveOperator(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	i := s.tokenAt(finding.Start)
	isCode := func(i int) bool {
		return !s.tokens[i].Kind.IsIgnored() && s.tokens[i].Kind != tokenizer.COMMENT && s.tokens[i].Kind != tokenizer.NL
	}
	for i < len(s.tokens) && !isCode(i) {
		i++
	}
	if i+1 >= len(s.tokens) {
		return nil
	}
	first, last := i, i // not in and is not are two tokens
	if next := &s.tokens[i+1]; s.tokens[i].Keyword == tokenizer.Not && next.Keyword == tokenizer.In || s.tokens[i].Keyword == tokenizer.Is && next.Keyword == tokenizer.Not {
		last++
	}
	before, after := first-1, last+1
	for before >= 0 && s.tokens[before].Kind.IsIgnored() {
		before--
	}
	for after < len(s.tokens) && s.tokens[after].Kind.IsIgnored() {
		after++
	}
	if before < 0 || after == len(s.tokens) {
		return nil
	}
	operator := s.text[s.tokens[first].Start:s.tokens[last].End]
	if strings.Contains(operator, "\n") {
		return nil
	}
	if finding.Code == rule.W503 {
		end := s.tokens[before].End
		return []Edit{{end, end, " " + operator}, {s.tokens[first].Start, s.tokens[last+1].Start, ""}}
	}
	at := s.tokens[after].Start
	return []Edit{{s.tokens[before].End, s.tokens[last].End, ""}, {at, at, operator + " "}}
}
