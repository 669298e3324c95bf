package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/evaluator"
	"codelinter/evaluator/dataset"
	"codelinter/evaluator/extract"
	"codelinter/rule"
)

// Groupings are the names that [Table] takes for groups of tasks.
var Groupings = []string{"prompt", "length", "code"}

// Table writes the sums of a run for people to read: pass@k, then what became of
// each code's findings, then the scores of groups of tasks, by each of groupings,
// then where the code stood in the answers. title is the first line's start.
func Table(w io.Writer, title string, s *evaluator.Summary, groupings ...string) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %s, %s%s\n\n", title, count(s.Tasks, "task"), count(s.Samples, "sample"), perTask(s))
	scores(&out, s)
	if s.Samples > 0 {
		out.WriteByte('\n')
		codes(&out, s)
		out.WriteByte('\n')
		for _, by := range groupings {
			groupTable(&out, by, grouped(s, by))
			out.WriteByte('\n')
		}
		answers(&out, s)
	}
	_, err := w.Write(out.Bytes())
	return err
}

func perTask(s *evaluator.Summary) string {
	switch {
	case s.Samples == 0:
		return ""
	case s.Fewest == s.Most:
		return fmt.Sprintf(" (%d a task)", s.Most)
	}
	return fmt.Sprintf(" (%d to %d a task)", s.Fewest, s.Most)
}

// scores writes a line for each k, and what to know about them.
func scores(out *bytes.Buffer, s *evaluator.Summary) {
	var names []string
	for _, average := range s.Official {
		names = append(names, fmt.Sprintf("pass@%d", average.K))
	}
	width := widest(names)
	explain := false
	for i, average := range s.Official {
		fmt.Fprintf(out, "  %-*s  ", width, names[i])
		if math.IsNaN(average.Value) {
			fmt.Fprintf(out, "not known  %d of %s had fewer than %s (the official formula says %s)\n",
				average.Short, count(s.Tasks, "task"), count(average.K, "sample"), percent(average.Formula))
		} else {
			fmt.Fprintf(out, "%8s   %s", percent(average.Value), bar(average.Value))
			if known(&average) {
				fmt.Fprintf(out, "   ± %.1f   %.1f to %.1f", 100*average.Stderr, 100*average.Interval.Low, 100*average.Interval.High)
				explain = true
			}
			out.WriteByte('\n')
		}
	}
	if explain {
		out.WriteString("\n  ±: standard error over tasks; then an interval of 95 % confidence (bootstrap over tasks).\n")
	}
	if n := len(s.Missing); n > 0 {
		fmt.Fprintf(out, "\n  %s had no samples and %s as failed: %s\n", count(n, "task"), verb(n, "counts", "count"), some(s.Missing, n))
	}
	if n := s.Unknown; n > 0 {
		fmt.Fprintf(out, "\n  %s of samples %s no task's id and %s left out: %s\n",
			count(n, "line"), verb(n, "has", "have"), verb(n, "is", "are"), some(s.UnknownIDs, n))
	}
}

// codes writes the table of findings by code.
func codes(out *bytes.Buffer, s *evaluator.Summary) {
	table := [][]string{{"code", "given", "fixed", "", "left", "", "introduced", "", "flake8 flags"}}
	row := func(name string, c evaluator.Changes, flags string) {
		table = append(table, []string{
			name, fmt.Sprint(c.Given),
			fmt.Sprint(c.Fixed), share(c.Fixed, c.Given),
			fmt.Sprint(c.Left), share(c.Left, c.Given),
			fmt.Sprint(c.Introduced), share(c.Introduced, c.Left+c.Introduced),
			flags,
		})
	}
	var all evaluator.Changes
	changed := changed(s)
	for _, code := range changed {
		c := s.Codes[code]
		all.Given += c.Given
		all.Fixed += c.Fixed
		all.Left += c.Left
		all.Introduced += c.Introduced
		row(rule.Catalog[code].Code, c, strings.ReplaceAll(rule.Catalog[code].Name, "-", " "))
	}
	row("all", all, "")
	align(out, table)
	out.WriteString("\n  given: findings in the tasks' programs, once for each sample; given = fixed + left.\n" +
		"  introduced: findings that were not given, and their share of all in the answers.\n")
}

// align writes rows in columns: texts to the left, numbers to the right, and a
// heading over its number and the share beside it.
func align(out *bytes.Buffer, rows [][]string) {
	last := len(rows[0]) - 1
	widths := make([]int, last+1)
	for column := range widths {
		for i, row := range rows {
			if i > 0 || column < 2 || column == last {
				widths[column] = max(widths[column], utf8.RuneCountInString(row[column]))
			}
		}
	}
	for column := 2; column < last; column += 2 {
		heading := len(rows[0][column])
		widths[column] = max(widths[column], heading-widths[column+1]-1)
	}
	for i, row := range rows {
		line := fmt.Sprintf("  %-*s  %*s", widths[0], row[0], widths[1], row[1])
		for column := 2; column < last; column += 2 {
			number, share := widths[column], widths[column+1]
			if i == 0 {
				line += fmt.Sprintf("   %*s", number+1+share, row[column])
			} else {
				line += fmt.Sprintf("   %*s %*s", number, row[column], share, row[column+1])
			}
		}
		out.WriteString(strings.TrimRight(line+"   "+row[last], " "))
		out.WriteByte('\n')
	}
}

// grouped returns the groups called by.
func grouped(s *evaluator.Summary, by string) []evaluator.Group {
	switch by {
	case "prompt":
		return s.Prompts
	case "length":
		return s.Lengths
	}
	return s.Given
}

// groupTable writes a line for each group.
func groupTable(out *bytes.Buffer, by string, groups []evaluator.Group) {
	table := [][]string{{"by " + by, "tasks"}}
	for _, g := range groups {
		row := []string{g.Name, fmt.Sprint(g.Tasks)}
		if by == "prompt" {
			row[0] = heading(g.Name)
		}
		for _, average := range g.Official {
			if len(table) == 1 {
				table[0] = append(table[0], average.Name(), "")
			}
			value, stderr := "-", ""
			if !math.IsNaN(average.Value) {
				value = percent(average.Value)
			}
			if known(&average) {
				stderr = fmt.Sprintf("± %.1f", 100*average.Stderr)
			}
			row = append(row, value, stderr)
		}
		table = append(table, row)
	}
	for i := range table {
		table[i] = append(table[i], "")
	}
	align(out, table)
}

// heading returns the start of a template: its first line that is not blank.
func heading(template string) string {
	const limit = 48
	line, _, _ := strings.Cut(strings.TrimSpace(template), "\n")
	line = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, line)
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return line
}

// answers writes how the samples did and where their code stood.
func answers(out *bytes.Buffer, s *evaluator.Summary) {
	e := s.Extraction
	fmt.Fprintf(out, "  %d of %s %s (%s).\n", s.Passed, count(s.Samples, "sample"),
		verb(s.Passed, "passes", "pass"), percent(float64(s.Passed)/float64(s.Samples)))
	fmt.Fprintf(out, "  Code: %d in closed fences, %d in a fence left open, %d with no fence.\n", e.Closed, e.Open, e.Whole)
	if e.Several > 0 {
		fmt.Fprintf(out, "  %s joined from several blocks.\n", verbed(e.Several, "was", "were"))
	}
	if e.NoPython > 0 {
		fmt.Fprintf(out, "  %s no python block, only other languages.\n", verbed(e.NoPython, "had", "had"))
	}
	if e.Saved > 0 {
		var by []string
		for i, n := range e.SavedBy {
			if n > 0 {
				by = append(by, fmt.Sprintf("%s %d", extract.Leniencies[i], n))
			}
		}
		fmt.Fprintf(out, "  %s and would pass if fences were read more forgivingly (%s); no score has %s in it.\n",
			verbed(e.Saved, "fails", "fail"), strings.Join(by, ", "), verb(e.Saved, "it", "them"))
	}
}

// bar draws a share of 1 in eighths of a cell.
func bar(value float64) string {
	const cells = 30
	eighths := int(math.Round(value * cells * 8))
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text + strings.Repeat("·", cells-utf8.RuneCountInString(text))
}

// percent never rounds to 0 or 100 what is neither.
func percent(value float64) string {
	text := fmt.Sprintf("%.1f %%", 100*value)
	switch {
	case text == "100.0 %" && value < 1:
		return ">99.9 %"
	case text == "0.0 %" && value > 0:
		return "<0.1 %"
	}
	return text
}

func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return percent(float64(part) / float64(whole))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func verbed(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

// some lists the first few of n ids.
func some(ids []dataset.ID, n int) string {
	const few = 10
	var texts []string
	for _, id := range ids[:min(len(ids), few)] {
		texts = append(texts, id.String())
	}
	list := strings.Join(texts, ", ")
	if n > len(texts) {
		list += fmt.Sprintf(" and %d more", n-len(texts))
	}
	return list
}

func widest(texts []string) int {
	width := 0
	for _, text := range texts {
		width = max(width, len(text))
	}
	return width
}
