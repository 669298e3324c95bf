package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"codelinter/internal/stats"
	"codelinter/internal/util/terminal"
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
	head := []string{"", several(len(l.Verdicts), s.Verdict) + "run"}
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
	total := fitRanks(rows, width, keep)
	const least, most = 16, 44
	if length := min(width-total-len("   "), most); len(order) > 1 && (length >= least || width == 0) {
		if width == 0 {
			length = most
		}
		l.drawIntervals(rows, order, s, length)
	}
	rankLayout.write(out, rows)
}

// rankLayout has a line's number, a name, and numbers.
var rankLayout = layout{{gap: 2}, {gap: 2, left: true}, {gap: 3}}

// fitRanks fits rows into width columns. It cuts names, and if that is not enough, it omits cells
// after the first keep. It returns the width of a line.
func fitRanks(rows [][]string, width, keep int) int {
	for {
		line := rankLayout.fit(rows, width, 1, 14)
		if width <= 0 || line <= width || len(rows[0]) <= keep {
			return line
		}
		for i := range rows {
			rows[i] = rows[i][:len(rows[i])-1]
		}
	}
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
	head := []string{"", several(len(l.Verdicts), s.Verdict) + "p"}
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
		fitRanks(rows, width, len(head))
		rankLayout.write(out, rows)
		fmt.Fprintf(out, "  only of each and the one above: this terminal has no room for all %d, which --json and --html show.\n", len(s.Pairings))
		return
	}
	// Columns of numbers are closer together than elsewhere.
	close := layout{{gap: 2}, {gap: 2, left: true}, {gap: 1, least: cell - 1}}
	close.fit(rows, width, 1, names)
	close.write(out, rows)
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
		rows := [][]string{{"", several(len(l.Verdicts), s.Verdict) + "task", "share", fmt.Sprintf("1-%d", len(order))}}
		sum := 0.0
		for i := range shown {
			spread := &shown[i]
			sum += spread.Share
			rates := ""
			for _, place := range order {
				rates += verticalBar(spread.Rates[place].Value())
			}
			rows = append(rows, []string{strconv.Itoa(i + 1), terminal.Printable(spread.ID.String()), fmt.Sprintf("%.2f %%", 100*spread.Share), rates})
		}
		fitRanks(rows, width, 3)
		rankLayout.write(out, rows)
		fmt.Fprintf(out, "  The tasks that separate the runs most. share: of the variance of pass@1 between runs, together %.1f %%; then each run's samples that pass, from none (·) to all (█).\n", 100*sum)
	}
	if s.Solved+s.Unsolved > 0 {
		fmt.Fprintf(out, "  All samples of all runs pass on %s, none on %d: these separate nothing.\n", count(s.Solved, "task"), s.Unsolved)
	}
}

// verticalBar draws a share of 1 as a bar of one column.
func verticalBar(share float64) string {
	if share == 0 {
		return "·"
	}
	const levels = "▁▂▃▄▅▆▇█"
	return string([]rune(levels)[min(int(share*8), 7)])
}
