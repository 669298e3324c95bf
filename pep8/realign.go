package pep8

import (
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A Move moves a row to another column.
type Move struct {
	Row    int
	Column int // in characters from 0
}

// continuationCodes are the codes of continuedIndentation, which [Checker.Realign] heeds.
var continuationCodes = []rule.Code{
	rule.E121, rule.E122, rule.E123, rule.E124, rule.E125, rule.E126, rule.E127, rule.E128, rule.E129, rule.E131, rule.E133,
}

// moves are the moves of a logical line so far.
type moves struct {
	list     []Move
	by       []int // how far each row of the line moves
	brackets []int // the rows of the open brackets
}

func (m *moves) reset(rows int) {
	m.by = zeros(m.by, rows)
	m.brackets = m.brackets[:0]
}

// Realign returns moves of rows after which the enabled codes of E121 to E133 have no
// findings. It runs the check of these codes. If a row fails, Realign tries other columns,
// and checks the next rows with the chosen column. A row keeps its column if that is
// possible, and moves along with the row that opened its bracket. A row for which no column
// passes stays.
func (c *Checker) Realign(file *source.File, tokens []tokenizer.Token, o Options, enabled *rule.Set) []Move {
	var codes rule.Set
	for _, code := range continuationCodes {
		if enabled.Has(code) {
			codes.Add(code)
		}
	}
	c.moves = &moves{}
	o.Full = nil
	c.Check(file, tokens, o, &codes, nil)
	list := c.moves.list
	c.moves = nil
	return list
}

// moveRow finds a column for the row that begins with t, and notes the move.
func (c *Checker) moveRow(t *tokenizer.Token, l *level, column int) (int, tokenizer.Kind) {
	n, m := &c.continuation, c.moves
	row, size := n.row, n.size
	along := 0
	if k := len(m.brackets); k > 0 {
		along = m.by[m.brackets[k-1]]
	}
	base := n.levels[0].first // relative indents count from the first row
	opening := base
	if k := len(l.opening); k > 0 {
		opening = l.opening[k-1]
	}
	hang := size
	if l.hang != noHang && l.hang != 0 {
		hang = l.hang
	}
	if t.Kind.IsCloser() && !c.options.HangClosing {
		hang = 0
	}
	columns := [...]int{
		column + along,
		l.indent,
		c.indentLevel + opening + hang,
		c.indentLevel + opening + size,
		c.indentLevel + opening,
		c.indentLevel + opening + 2*size,
		c.indentLevel + 2*size,
	}
	before, found := *l, len(c.findings)
	own := n.indents[row] // as it is, in which a tab may count
	for i, candidate := range columns {
		indent := candidate - c.indentLevel
		if i == 0 && along == 0 {
			indent = own
		}
		if candidate < 0 || i == 1 && l.indent == 0 {
			continue
		}
		visual := c.checkRow(t, l, candidate, indent)
		ambiguous := n.indentNext && t.Row == n.last.Row && indent == size && c.enabled.Any(rule.E125, rule.E129)
		if len(c.findings) == found && !ambiguous {
			n.indents[row] = indent
			if candidate != column {
				m.by[row] = candidate - column
				m.list = append(m.list, Move{Row: int(t.Row), Column: candidate})
			}
			return candidate, visual
		}
		c.findings = c.findings[:found]
		*l = before
	}
	visual := c.checkRow(t, l, column, own)
	c.findings = c.findings[:found]
	return column, visual
}
