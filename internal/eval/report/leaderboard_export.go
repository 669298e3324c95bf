package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"codelinter/internal/util/lazy"
)

// CSV writes the leaderboard as comma-separated values (RFC 4180), a line for each run in the order
// of [Leaderboard.Entries]. A line describes the run. Then it has for each verdict the run's
// places, and for each k pass@k, its standard error and the ends of its 95 % interval, as shares of
// 1. With one task the standard error is empty.
func (l *Leaderboard) CSV(w io.Writer) error {
	head := []string{"run", "file", "model"}
	if l.Steps {
		head = append(head, "step")
	}
	head = append(head, "tasks", "left_out", "samples")
	lines := make([][]string, len(l.Entries))
	for i := range l.Entries {
		e := &l.Entries[i]
		lines[i] = []string{e.Name, e.File, e.Run.About.Model}
		if l.Steps {
			lines[i] = append(lines[i], e.step())
		}
		lines[i] = append(lines[i], strconv.Itoa(l.Tasks), strconv.Itoa(e.LeftOut), strconv.Itoa(e.Samples))
	}
	for v := range l.Verdicts {
		s := &l.Verdicts[v]
		name := string(s.Verdict) + "_"
		head = append(head, name+"place_first", name+"place_last")
		for _, k := range s.K {
			column := fmt.Sprintf("%spass@%d", name, k)
			head = append(head, column, column+"_stderr", column+"_low", column+"_high")
		}
		for i := range s.Ranked {
			standing := &s.Ranked[i]
			line := &lines[standing.Entry]
			*line = append(*line, strconv.Itoa(standing.First), strconv.Itoa(standing.Last))
			for _, a := range standing.PassAt {
				*line = append(*line, exact(a.Formula), exact(a.Stderr), exact(a.Interval.Low), exact(a.Interval.High))
			}
		}
	}
	return writeCSV(w, head, lines)
}

// pairsCSV writes a line for each two runs and each verdict.
func (l *Leaderboard) pairsCSV(w io.Writer) error {
	var lines [][]string
	for v := range l.Verdicts {
		s := &l.Verdicts[v]
		for i := range s.Pairings {
			p := &s.Pairings[i]
			lines = append(lines, []string{
				string(s.Verdict), l.Entries[s.Ranked[p.A].Entry].Name, l.Entries[s.Ranked[p.B].Entry].Name,
				exact(s.by(p)), exact(p.P), exact(p.Adjusted), strconv.FormatBool(p.Exact),
			})
		}
	}
	return writeCSV(w, []string{"verdict", "a", "b", "pass@1 of a - b", "p", "p_holm", "exact"}, lines)
}

// spreadsCSV writes a line for each verdict and task: its share, and each run's numbers of passes
// and samples.
func (l *Leaderboard) spreadsCSV(w io.Writer) error {
	head := []string{"verdict", "task", "share"}
	for i := range l.Entries {
		head = append(head, l.Entries[i].Name+" passed", l.Entries[i].Name+" samples")
	}
	var lines [][]string
	for v := range l.Verdicts {
		s := &l.Verdicts[v]
		for i := range s.Spreads {
			spread := &s.Spreads[i]
			line := make([]string, len(head))
			copy(line, []string{string(s.Verdict), spread.ID.String(), exact(spread.Share)})
			for place, r := range spread.Rates {
				at := 3 + 2*s.Ranked[place].Entry
				line[at], line[at+1] = strconv.Itoa(r.C), strconv.Itoa(r.N)
			}
			lines = append(lines, line)
		}
	}
	return writeCSV(w, head, lines)
}

func writeCSV(w io.Writer, head []string, lines [][]string) error {
	out := csv.NewWriter(w)
	if err := out.Write(head); err != nil {
		return err
	}
	return out.WriteAll(lines)
}

// LaTeX writes the leaderboard as a LaTeX tabular with booktabs' rules, in percent, without the
// table around it. Intervals follow pass@1. The runs that no run beats are bold.
func (l *Leaderboard) LaTeX(w io.Writer) error {
	var out strings.Builder
	out.WriteString("% Needs \\usepackage{booktabs}. pass@k in percent, with 95 % intervals (bootstrap over tasks). Bold: no run is\n")
	fmt.Fprintf(&out, "%% better with p < %v (paired permutation test of pass@1, Holm's correction). %s.\n", Significance, l.size())
	columns, over, rules := "l", "", ""
	head := "Run"
	if l.Steps {
		columns += "r"
		head += " & Step"
	}
	first := strings.Count(head, "&") + 2 // number of the next column, from 1
	over = strings.Repeat(" &", first-2)
	for v := range l.Verdicts {
		s := &l.Verdicts[v]
		width := len(s.K) + 1
		columns += "r@{\\hspace{0.5em}}l" + strings.Repeat("r", len(s.K)-1)
		over += fmt.Sprintf(" & \\multicolumn{%d}{c}{%s}", width, latexText(string(s.Verdict)))
		rules += fmt.Sprintf(" \\cmidrule(lr){%d-%d}", first, first+width-1)
		first += width
		head += " & \\multicolumn{2}{c}{pass@1}"
		for _, k := range s.K[1:] {
			head += fmt.Sprintf(" & pass@%d", k)
		}
	}
	fmt.Fprintf(&out, "\\begin{tabular}{%s}\n\\toprule\n", columns)
	if len(l.Verdicts) > 1 {
		fmt.Fprintf(&out, "%s \\\\\n%s\n", strings.TrimSpace(over), strings.TrimSpace(rules))
	}
	fmt.Fprintf(&out, "%s \\\\\n\\midrule\n", head)
	for _, place := range l.order(&l.Verdicts[0]) {
		entry := l.Verdicts[0].Ranked[place].Entry
		e := &l.Entries[entry]
		// A row must not begin with the name: after \\ and \midrule, "[" or "*" would be an
		// argument.
		out.WriteString("{}" + latexText(e.Name))
		if l.Steps {
			out.WriteString(" & " + e.step())
		}
		for v := range l.Verdicts {
			s := &l.Verdicts[v]
			standing := s.of(entry)
			for i, a := range standing.PassAt {
				value := fmt.Sprintf("%.1f", 100*a.Formula)
				if i > 0 {
					out.WriteString(" & " + value)
					continue
				}
				if standing.First == 1 && len(l.Entries) > 1 {
					value = "\\textbf{" + value + "}"
				}
				fmt.Fprintf(&out, " & %s & {\\scriptsize [%.1f, %.1f]}", value, 100*a.Interval.Low, 100*a.Interval.High)
			}
		}
		out.WriteString(" \\\\\n")
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// of returns the standing of an entry.
func (s *Standings) of(entry int) *Standing {
	for i := range s.Ranked {
		if s.Ranked[i].Entry == entry {
			return &s.Ranked[i]
		}
	}
	return nil
}

// latexSpecial are characters that LaTeX does not print as they are in every font encoding (OT1 has
// others for <, > and |) and language (" is special in German).
var latexSpecial = lazy.Value[map[rune]string]{Make: func() map[rune]string {
	return map[rune]string{
		'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
		'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
		'`': "{}`", '"': `\char34{}`,
	}
}}

// latexText escapes text for LaTeX. Empty groups prevent ligatures, such as a dash for --, or an
// inverted ? for ?`.
func latexText(text string) string {
	var out strings.Builder
	last := rune(0)
	for _, r := range text {
		if r == last && strings.ContainsRune("-',", r) {
			out.WriteString("{}")
		}
		switch special, is := latexSpecial.Get()[r]; {
		case is:
			out.WriteString(special)
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			out.WriteByte(' ') // a line end, or a character at which TeX would stop
		}
		last = r
	}
	return out.String()
}

// exact returns a number with all its digits, for programs that compute with it, or "" for NaN.
func exact(value float64) string {
	if math.IsNaN(value) {
		return ""
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}
