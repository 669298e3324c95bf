package report

import (
	"bytes"
	"strings"

	"codelinter/internal/util/terminal"
)

// This file writes tables as text. text/tabwriter cannot: it counts runes as columns, aligns all
// columns to one side, and knows no terminal's width.

// A column says how the cells of one column of a table are written.
type column struct {
	gap   int  // blanks before it
	left  bool // its cells are aligned to the left
	least int  // the least width
}

// A layout has the columns of a table. The last one stands for all that follow.
type layout []column

func (l layout) column(i int) column { return l[min(i, len(l)-1)] }

// widths returns the width of each column of rows, and that of a line. A column without texts takes
// none.
func (l layout) widths(rows [][]string) (each []int, line int) {
	each = make([]int, len(rows[0]))
	for i := range each {
		each[i] = l.column(i).least
		for _, row := range rows {
			each[i] = max(each[i], terminal.Columns(row[i]))
		}
		if each[i] > 0 {
			line += l.column(i).gap + each[i]
		}
	}
	return each, line
}

// fit cuts the cells of a column, but not below so many columns, if lines are wider than width. A
// width of 0 is no limit. It returns the width of a line.
func (l layout) fit(rows [][]string, width, at, least int) int {
	each, line := l.widths(rows)
	if over := line - width; width > 0 && over > 0 && each[at] > least {
		for _, row := range rows {
			row[at] = terminal.Shorten(row[at], max(each[at]-over, least))
		}
		_, line = l.widths(rows)
	}
	return line
}

// write writes rows, a line each.
func (l layout) write(out *bytes.Buffer, rows [][]string) {
	each, _ := l.widths(rows)
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			column := l.column(i)
			line += strings.Repeat(" ", column.gap)
			if column.left {
				line += terminal.PadRight(cell, each[i])
			} else {
				line += terminal.PadLeft(cell, each[i])
			}
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
