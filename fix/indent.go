package fix

import (
	"slices"
	"strings"

	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// indentation indents a block and its comments by its depth. The further rows of a statement
// move by as much as its first row. A top-level line and everything below it are one proposal,
// as they must move together.
func indentation(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	at := s.lineAt(finding.Start)
	if s.tops == nil {
		s.tops = make([]int, len(s.lines))
		for i := range s.lines {
			if s.tops[i] = i; i > 0 && (s.lines[i].depth > 0 || s.lines[i].comment && s.lines[i].first < s.lines[i].last && s.indentOf(s.row(i)) != "") {
				s.tops[i] = s.tops[i-1]
			}
		}
	}
	first := s.tops[at]
	if !f.once(first, rule.E111, "") {
		return nil
	}
	s.code = 0
	var edits []Edit
	widths := []int{0} // indentations of the blocks around, by depth
	for i := first; i < len(s.lines) && (i == first || s.lines[i].depth > 0 || s.lines[i].comment); i++ {
		l := &s.lines[i]
		if l.first == l.last {
			continue
		}
		row := s.row(i)
		old := width(s.indentOf(row))
		depth := l.depth
		if l.comment {
			depth = s.commentDepth(i, old, widths)
		} else if depth < len(widths) {
			widths = widths[:depth+1]
			widths[depth] = old
		} else {
			widths = append(widths, old)
		}
		edits = s.moveLine(edits, l, depth*f.size-old, depth*f.size)
	}
	return edits
}

// row returns the row of a logical line's first token.
func (s *analysis) row(line int) int { return int(s.tokens[s.lines[line].first].Row) }

// commentDepth returns the depth of a comment: the deepest possible one whose indentation is
// not more than the comment's. widths are the indentations of the blocks around the line
// before.
func (s *analysis) commentDepth(at, old int, widths []int) int {
	next := max(at, s.code) // the next line that is not a comment: comments are asked for in order
	for next < len(s.lines) && s.lines[next].comment {
		next++
	}
	s.code = next
	below := 0
	if next < len(s.lines) {
		below = s.lines[next].depth
	}
	if below >= len(widths) {
		return below // above the first line of a block
	}
	depth := len(widths) - 1
	for depth > below && widths[depth] > old {
		depth--
	}
	return depth
}

// moveLine sets the indentation of a logical line's first row, and moves the other rows by as
// much.
func (s *analysis) moveLine(edits []Edit, l *line, by, indent int) []Edit {
	row := int(s.tokens[l.first].Row)
	edits = s.indentRow(edits, row, indent)
	end := row // the last row of the token before
	for i := l.first; i < l.last; i++ {
		t := &s.tokens[i]
		for r := max(row+1, end+1); r <= int(t.Row); r++ {
			if r == int(t.Row) && !s.isBlankRow(r) {
				edits = s.indentRow(edits, r, max(0, width(s.indentOf(r))+by))
			}
		}
		end = max(end, int(t.Row))
		if t.Flags&tokenizer.Multiline != 0 {
			end = max(end, s.file.Row(t.End))
		}
	}
	return edits
}

// indentRow sets the indentation of a row.
func (s *analysis) indentRow(edits []Edit, row, columns int) []Edit {
	old := s.indentOf(row)
	kept := strings.Count(old, "\f")
	want := strings.Repeat("\f", kept) + strings.Repeat(" ", columns)
	if old == want {
		return edits
	}
	start := s.file.LineStart(row)
	return append(edits, Edit{start, start + int32(len(old)), want})
}

// realign moves the further rows of a statement to where the rules for continuation lines allow
// them.
func realign(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	at := s.lineAt(finding.Start)
	l := &s.lines[at]
	row := s.row(at)
	if !f.once(at, rule.E128, "") || strings.Contains(s.indentOf(row), "\t") {
		return nil
	}
	if !s.aligned {
		s.aligned = true
		s.moves = f.pep8.Realign(s.file, s.tokens, f.pep8Options(), f.enabled)
	}
	first, _ := slices.BinarySearchFunc(s.moves, row, func(m pep8.Move, row int) int { return m.Row - row })
	var edits []Edit
	for _, m := range s.moves[first:] {
		if m.Row > int(s.tokens[l.last].Row) {
			break
		}
		edits = s.indentRow(edits, m.Row, m.Column)
	}
	return edits
}
