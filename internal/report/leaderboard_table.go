package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"codelinter/internal/stats"
	"codelinter/internal/terminal"
)

// ShownTasks bounds the tasks that separate runs in a table, unless all are shown.
const ShownTasks = 10

// Table writes the leaderboard for people: for each verdict, a line a run with pass@k and its
// interval, the p-values of all pairs, and the tasks that separate the runs. On a terminal the
// tables fit its width, and the intervals are drawn if there is room.
func (l *Leaderboard) Table(w io.Writer, all bool) error {
	return l.table(w, terminal.Width(w), all)
}

// table is Table for so many columns; 0 is no limit.
func (l *Leaderboard) table(w io.Writer, width int, all bool) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n", l.size())
	for i := range l.Verdicts {
		out.WriteByte('\n')
		l.ranking(&out, width, &l.Verdicts[i])
	}
	if len(l.Entries) > 1 {
		fmt.Fprintf(&out, "\n  place: the first and the last that the run may have, as only runs that differ with a corrected p below %v are told apart.\n", Significance)
	}
	for _, note := range l.Notes {
		fmt.Fprintf(&out, "\n  %s\n", terminal.Printable(note))
	}
	if len(l.Entries) > 1 {
		for i := range l.Verdicts {
			out.WriteByte('\n')
			l.pairings(&out, width, &l.Verdicts[i])
		}
		fmt.Fprintf(&out, "\n  p: were the two equals, the chance that pass@1 differs by so much (paired permutation test, %s), corrected for %s (Holm).\n",
			l.how(), count(len(l.Verdicts[0].Pairings), "pair"))
		for i := range l.Verdicts {
			out.WriteByte('\n')
			l.spreads(&out, width, &l.Verdicts[i], all)
		}
	}
	_, err := w.Write(terminal.Wrap(out.Bytes(), width))
	return err
}

// verdict returns the name of a verdict and a blank, if there are others.
func (l *Leaderboard) verdict(s *Standings) string {
	if len(l.Verdicts) == 1 {
		return ""
	}
	return string(s.Verdict) + " "
}

// how says whether p-values were counted or estimated.
func (l *Leaderboard) how() string {
	exact, drawn := false, false
	for i := range l.Verdicts {
		for _, p := range l.Verdicts[i].Pairings {
			exact, drawn = exact || p.Exact, drawn || !p.Exact
		}
	}
	switch {
	case exact && drawn:
		return "counted over all signs or estimated from random ones"
	case drawn:
		return "estimated from random signs"
	}
	return "counted over all signs"
}

// ranking writes a line for each run: its scores.
func (l *Leaderboard) ranking(out *bytes.Buffer, width int, s *Standings) {
	head := []string{"", l.verdict(s) + "run"}
	if l.Steps {
		head = append(head, "step")
	}
	head = append(head, "pass@1", "95 % interval", "place")
	keep := len(head) // columns that are never omitted
	for _, k := range s.K[1:] {
		head = append(head, fmt.Sprintf("pass@%d", k))
	}
	rows := [][]string{head}
	order := l.order(s)
	for i, place := range order {
		standing := &s.Ranked[place]
		e := &l.Entries[standing.Entry]
		row := []string{strconv.Itoa(i + 1), terminal.Printable(e.Name)}
		if l.Steps {
			row = append(row, e.step())
		}
		for j, a := range standing.PassAt {
			row = append(row, percent(a.Formula))
			if j == 0 {
				row = append(row, fmt.Sprintf("%.1f to %.1f", 100*a.Interval.Low, 100*a.Interval.High), standing.places())
			}
		}
		rows = append(rows, row)
	}
	total := grid(rows, width, keep)
	const least, most = 16, 44
	if length := min(width-total-len("   "), most); len(order) > 1 && (length >= least || width == 0) {
		if width == 0 {
			length = most
		}
		l.drawIntervals(rows, order, s, length)
	}
	writeGrid(out, rows)
}

// drawIntervals adds a column to rows that draws the intervals of pass@1 on one scale.
func (l *Leaderboard) drawIntervals(rows [][]string, order []int, s *Standings, length int) {
	low, high := 1.0, 0.0
	for i := range s.Ranked {
		low, high = min(low, s.Ranked[i].PassAt[0].Interval.Low), max(high, s.Ranked[i].PassAt[0].Interval.High)
	}
	const twentieths = 20 // possible ends of the scale
	low, high = math.Floor(low*twentieths)/twentieths, math.Ceil(high*twentieths)/twentieths
	if high <= low {
		high = low + 1.0/twentieths
	}
	at := func(value float64) int { return int(math.Round((value - low) / (high - low) * float64(length-1))) }
	first, last := fmt.Sprintf("%.0f", 100*low), fmt.Sprintf("%.0f %%", 100*high)
	rows[0] = append(rows[0], first+strings.Repeat(" ", length-len(first)-len(last))+last)
	for i, place := range order {
		a := &s.Ranked[place].PassAt[0]
		cells := []rune(strings.Repeat(" ", length))
		for c := at(a.Interval.Low); c <= at(a.Interval.High); c++ {
			cells[c] = '─'
		}
		cells[at(a.Formula)] = '●'
		rows[i+1] = append(rows[i+1], string(cells))
	}
}

// grid fits rows into width columns. It cuts the second cells, which are names. If that is not
// enough, it omits cells after the first keep. It returns the width.
func grid(rows [][]string, width, keep int) int {
	const least = 14 // of a name
	for {
		total := len("  ")
		names := 0
		for column := range rows[0] {
			widest := 0
			for _, row := range rows {
				widest = max(widest, terminal.Columns(row[column]))
			}
			if column == 1 {
				names = widest
			}
			total += widest + len("   ")
		}
		total -= len("   ")
		over := total - width
		if width <= 0 || over <= 0 {
			return total
		}
		if shortest := max(names-over, min(names, least)); shortest < names {
			for _, row := range rows {
				row[1] = terminal.Shorten(row[1], shortest)
			}
		} else if len(rows[0]) > keep {
			for i := range rows {
				rows[i] = rows[i][:len(rows[i])-1]
			}
		} else {
			return total
		}
	}
}

// writeGrid writes rows in columns, the second to the left and others to the right.
func writeGrid(out *bytes.Buffer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], terminal.Columns(cell))
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			switch i {
			case 0:
				line += " " + terminal.PadLeft(cell, widths[i])
			case 1:
				line += "  " + terminal.PadRight(cell, widths[i])
			default:
				line += "   " + terminal.PadLeft(cell, widths[i])
			}
		}
		out.WriteString(strings.TrimRight(line, " "))
		out.WriteByte('\n')
	}
}

// pairings writes the p-values of all pairs of runs, or, if the terminal has no room, of each run
// and the next.
func (l *Leaderboard) pairings(out *bytes.Buffer, width int, s *Standings) {
	order := l.order(s)
	at := make([]int, len(order)) // line of each index
	for line, place := range order {
		at[place] = line
	}
	tests := make([][]*stats.Pairing, len(order)) // for each line, the tests with the lines before it
	for i := range tests {
		tests[i] = make([]*stats.Pairing, len(order))
	}
	for i := range s.Pairings {
		p := &s.Pairings[i]
		tests[max(at[p.A], at[p.B])][min(at[p.A], at[p.B])] = p
	}
	const cell, names = 6, 14
	fits := width <= 0 || len("  00  ")+names+cell*(len(order)-1) <= width
	head := []string{"", l.verdict(s) + "p"}
	if fits {
		for line := range order[1:] {
			head = append(head, strconv.Itoa(line+1))
		}
	} else {
		head = append(head, "above − this", "p")
	}
	rows := [][]string{head}
	for line, place := range order {
		row := []string{strconv.Itoa(line + 1), terminal.Printable(l.Entries[s.Ranked[place].Entry].Name)}
		for other := range order[1:] {
			switch test := tests[line][other]; {
			case fits && test == nil:
				row = append(row, "")
			case fits:
				row = append(row, shortChance(test.Adjusted))
			case other == line-1:
				by := s.by(test)
				if at[test.A] > at[test.B] {
					by = -by
				}
				row = append(row, points(by), shortChance(test.Adjusted))
			}
		}
		for len(row) < len(head) {
			row = append(row, "")
		}
		rows = append(rows, row)
	}
	if !fits {
		grid(rows, width, len(head))
		writeGrid(out, rows)
		fmt.Fprintf(out, "  only of each and the one above: this terminal has no room for all %d, which --json and --html show.\n", len(s.Pairings))
		return
	}
	// Columns of numbers are closer together than elsewhere.
	widest := 0
	for _, row := range rows {
		widest = max(widest, terminal.Columns(row[1]))
	}
	if width > 0 {
		widest = min(widest, width-len("  00  ")-cell*(len(order)-1))
	}
	for _, row := range rows {
		line := "  " + terminal.PadLeft(row[0], len(strconv.Itoa(len(order)))) + "  " + terminal.PadRight(terminal.Shorten(row[1], widest), widest)
		for _, text := range row[2:] {
			line += terminal.PadLeft(text, cell)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// shortChance returns a probability in five columns.
func shortChance(p float64) string {
	switch {
	case p < 0.001:
		return "<.001"
	case p >= 0.9995:
		return "1"
	}
	return strings.TrimPrefix(fmt.Sprintf("%.3f", p), "0")
}

// spreads writes the tasks that separate the runs the most.
func (l *Leaderboard) spreads(out *bytes.Buffer, width int, s *Standings, all bool) {
	shown := s.Spreads
	if !all {
		shown = shown[:min(len(shown), ShownTasks)]
	}
	order := l.order(s)
	if len(shown) == 0 {
		fmt.Fprintf(out, "  No task separates the runs by the %s verdict: all have the same pass@1.\n", s.Verdict)
	} else {
		rows := [][]string{{"", l.verdict(s) + "task", "share", fmt.Sprintf("1-%d", len(order))}}
		sum := 0.0
		for i := range shown {
			spread := &shown[i]
			sum += spread.Share
			rates := ""
			for _, place := range order {
				rates += tall(rate(spread.Rates[place]))
			}
			rows = append(rows, []string{strconv.Itoa(i + 1), terminal.Printable(spread.ID.String()), fmt.Sprintf("%.2f %%", 100*spread.Share), rates})
		}
		grid(rows, width, 3)
		writeGrid(out, rows)
		fmt.Fprintf(out, "  The tasks that separate the runs most. share: of the variance of pass@1 between runs, together %.1f %%; then each run's samples that pass, from none (·) to all (█).\n", 100*sum)
	}
	if s.Solved+s.Unsolved > 0 {
		fmt.Fprintf(out, "  All samples of all runs pass on %s, none on %d: these separate nothing.\n", count(s.Solved, "task"), s.Unsolved)
	}
}

// tall draws a share of 1 as a bar of one column.
func tall(share float64) string {
	if share == 0 {
		return "·"
	}
	const levels = "▁▂▃▄▅▆▇█"
	return string([]rune(levels)[min(int(share*8), 7)])
}
