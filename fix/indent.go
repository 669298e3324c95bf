package fix

import (
	"slices"
	"strings"

	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// indentation indents a block by as many blanks as its depth says, and the comments in it
// likewise. The rows of a statement after the first move as the first does. A block and all in it
// move together, so that the edits of a line at the top level with all that is below it are one
// proposal.
func indentation(s *sight, finding *rule.Finding, f *Fixer) []Edit {
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
	widths := []int{0} // of the blocks around, by depth
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
func (s *sight) row(line int) int { return int(s.tokens[s.lines[line].first].Row) }

// commentDepth returns the depth that a comment belongs to: of those that it may have, the
// deepest that is not indented more than it is. widths are those of the blocks that the line
// before is in.
func (s *sight) commentDepth(at, old int, widths []int) int {
	next := max(at, s.code) // the next line that is no comment: comments are asked for in their order
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

// moveLine indents a logical line, of which the first row has indent from now on, and the
// others move as far.
func (s *sight) moveLine(edits []Edit, l *line, by, indent int) []Edit {
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

// indentRow gives a row an indentation of that many blanks.
func (s *sight) indentRow(edits []Edit, row, columns int) []Edit {
	old := s.indentOf(row)
	kept := strings.Count(old, "\f")
	want := strings.Repeat("\f", kept) + strings.Repeat(" ", columns)
	if old == want {
		return edits
	}
	start := s.file.LineStart(row)
	return append(edits, Edit{start, start + int32(len(old)), want})
}

// realign moves the rows of a statement after the first to where the rules on continuation
// lines let them be.
func realign(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	at := s.lineAt(finding.Start)
	l := &s.lines[at]
	row := s.row(at)
	if !f.once(at, rule.E128, "") || strings.Contains(s.indentOf(row), "\t") {
		return nil
	}
	if !s.aligned {
		s.aligned = true
		s.moves = f.pep8.Realign(&s.file, s.tokens, f.pep8Options(), f.enabled)
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
