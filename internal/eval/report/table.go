package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/util/terminal"
	"codelinter/rule"
)

// Groupings returns the names of groupings for [Table].
func Groupings() []string { return []string{"prompt", "length", "code"} }

// Table writes the sums of a run as text: pass@k, how samples pass, where their code was, the
// scores of groups of tasks for each of groupings, and the fate of each code's findings. title
// begins the first line. Unless all is set, only the most frequent codes are listed, and only the
// groups by code with the most tasks. If w is a terminal, the table fits in it.
func Table(w io.Writer, title string, s *evaluator.Summary, all bool, groupings ...string) error {
	return table(w, terminal.Width(w), title, s, all, groupings)
}

// table is Table for so many columns; 0 is no limit.
func table(w io.Writer, columns int, title string, s *evaluator.Summary, all bool, groupings []string) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %s, %s%s\n\n", terminal.Printable(title), askedOf(s), count(s.Samples, "sample"), perTask(s))
	scores(&out, columns, s)
	if s.Samples > 0 {
		out.WriteByte('\n')
		answers(&out, s)
		for _, by := range groupings {
			out.WriteByte('\n')
			groupTable(&out, columns, by, grouped(s, by), all)
		}
		out.WriteByte('\n')
		codes(&out, columns, s, all)
	}
	_, err := w.Write(terminal.Wrap(out.Bytes(), columns))
	return err
}

// perTask returns the number of samples for a task that was asked.
func perTask(s *evaluator.Summary) string {
	each := fmt.Sprint(s.Fewest)
	if s.Fewest != s.Most {
		each = fmt.Sprintf("%d to %d", s.Fewest, s.Most)
	}
	if s.Samples == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s a task)", each)
}

// askedOf says how many tasks were asked: "121 tasks", or "5 of 121 tasks asked".
func askedOf(s *evaluator.Summary) string {
	if s.Asked == s.Tasks {
		return count(s.Tasks, "task")
	}
	return fmt.Sprintf("%d of %s asked", s.Asked, count(s.Tasks, "task"))
}

// several returns the name of a verdict and a blank, if there are others.
func several(verdicts int, verdict evaluator.Verdict) string {
	if verdicts == 1 {
		return ""
	}
	return string(verdict) + " "
}

// scores writes a line for each verdict and k, and notes.
func scores(out *bytes.Buffer, columns int, s *evaluator.Summary) {
	width := 0
	for v := range s.Totals {
		for i := range s.Totals[v].PassAt {
			width = max(width, len(several(len(s.Totals), s.Totals[v].Verdict)+s.Totals[v].PassAt[i].Name()))
		}
	}
	const most = 30
	length := most // of a bar
	if columns > 0 {
		length = min(max(columns-width-40, 0), most)
	}
	explain := false
	for v := range s.Totals {
		for _, average := range s.Totals[v].PassAt {
			fmt.Fprintf(out, "  %-*s  ", width, several(len(s.Totals), s.Totals[v].Verdict)+average.Name())
			if math.IsNaN(average.Value) {
				fmt.Fprintf(out, "not known  %d of %s had fewer than %s (the official formula says %s)\n",
					average.Short, count(s.Asked, "task"), count(average.K, "sample"), percent(average.Formula))
				continue
			}
			fmt.Fprintf(out, "%8s   %s", percent(average.Value), bar(average.Value, length))
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
	for _, note := range notes(s) {
		fmt.Fprintf(out, "\n  %s\n", note)
	}
}

// notes returns notes for readers of the scores.
func notes(s *evaluator.Summary) []string {
	notes := unmatched(s)
	if note := strictNote(s); note != "" {
		notes = append([]string{note}, notes...)
	}
	if r := &s.Resemblance; r.OfOthers() {
		notes = append(notes, Foreign(s))
	}
	tasks := 0
	var reasons []string
	for _, reason := range evaluator.TaskReasons() {
		if n := s.Undecided[reason]; n > 0 {
			tasks += n
			reasons = append(reasons, fmt.Sprintf("%d %s", n, reason))
		}
	}
	if tasks > 0 {
		notes = append(notes, fmt.Sprintf("%s cannot be decided, so that answers pass by their tree alone: %s", count(tasks, "task"), strings.Join(reasons, ", ")))
	}
	if s.Adequacies > 0 {
		notes = append(notes, fmt.Sprintf("adequacy %.3f: of a program's mutants (one token changed) the guarded verdict's calls tell this share apart, as the mean of %s", s.Adequacy, count(s.Adequacies, "task")))
	}
	return notes
}

// strictNote says that not all tasks were asked, and what the scores over all are.
func strictNote(s *evaluator.Summary) string {
	if s.Asked == s.Tasks {
		return ""
	}
	var scores []string
	for v := range s.Totals {
		total := &s.Totals[v]
		for i := range total.Strict {
			e := &total.Strict[i]
			if math.IsNaN(total.PassAt[i].Value) {
				continue
			}
			scores = append(scores, fmt.Sprintf("%spass@%d %s", several(len(s.Totals), total.Verdict), e.K, percent(e.Value)))
		}
	}
	note := fmt.Sprintf("%d of %s %s asked, and the scores are over %s.", s.Asked, count(s.Tasks, "task"), verb(s.Asked, "was", "were"), verb(s.Asked, "it", "these"))
	if len(scores) > 0 {
		note += fmt.Sprintf(" Over all %d, if those that were not asked count as failed: %s.", s.Tasks, strings.Join(scores, ", "))
	}
	return note
}

// Foreign says that the samples look like answers to other tasks.
func Foreign(s *evaluator.Summary) string {
	return fmt.Sprintf("these look like answers to other tasks: of the first answers to %s, %d share few or no names with the task's program",
		count(s.Resemblance.Answers, "task"), s.Resemblance.Foreign)
}

// Unmatched returns a note on tasks of the set without samples, whether they were asked or not, and
// one on samples without a task.
func Unmatched(s *evaluator.Summary) []string {
	all := *s
	all.Missing = slices.Concat(s.Missing, s.NotAsked)
	return unmatched(&all)
}

// unmatched returns notes on tasks that were asked and have no samples, and on samples without a
// task.
func unmatched(s *evaluator.Summary) (notes []string) {
	if n := len(s.Missing); n > 0 {
		notes = append(notes, fmt.Sprintf("%s had no samples and %s as failed: %s",
			count(n, "task"), verb(n, "counts", "count"), some(s.Missing, n)))
	}
	if n := s.Unknown; n > 0 {
		notes = append(notes, fmt.Sprintf("%s of samples %s no task's id and %s left out: %s",
			count(n, "line"), verb(n, "has", "have"), verb(n, "is", "are"), some(s.UnknownIDs, n)))
	}
	return notes
}

// codes writes the table of findings by code.
func codes(out *bytes.Buffer, columns int, s *evaluator.Summary, all bool) {
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
	var sum evaluator.Changes
	changed := changed(s)
	shown := len(changed)
	if !all {
		shown = min(shown, shownCodes)
	}
	for i, code := range changed {
		c := s.Codes.Of(code)
		sum.Add(c)
		if i < shown {
			row(code.String(), c, codeName(code))
		}
	}
	row("all", sum, "")
	align(out, columns, table)
	if more := len(changed) - shown; more > 0 {
		fmt.Fprintf(out, "  and %s more, which --all, --json and --html show.\n", count(more, "code"))
	}
	out.WriteString("\n  given: findings in the tasks' programs, once for each sample; given = fixed + left.\n" +
		"  introduced: findings that were not given, and their share of all in the answers.\n")
	if e := &s.Extraction; e.Hidden > 0 {
		fmt.Fprintf(out, "  fixed: %d of them only because %s %s no code that is valid Python, where flake8 sees nothing else", e.Hidden, count(e.Blank, "answer"), verb(e.Blank, "has", "have"))
		if rest := sum.Fixed - e.Hidden + sum.Left; rest > 0 {
			fmt.Fprintf(out, "; of the others' findings, %s are fixed", share(sum.Fixed-e.Hidden, rest))
		}
		out.WriteString(".\n")
	}
}

// align writes rows of a text, a number, numbers each with the share beside it, and a text. A
// heading stands over a number and its share. If the rows are too wide for a terminal, the last
// column is cut or omitted, then the first is cut, and then shares are omitted.
func align(out *bytes.Buffer, columns int, rows [][]string) {
	layout := layout{{gap: 2, left: true}, {gap: 2}}
	for range (len(rows[0]) - 3) / 2 {
		layout = append(layout, column{gap: 3})
	}
	layout = append(layout, column{gap: 3, left: true})
	joined := joinShares(rows)
	const least = 16
	last := len(layout) - 1
	if columns > 0 && layout.fit(joined, columns, last, least) > columns {
		for _, row := range joined {
			row[last] = ""
		}
		if layout.fit(joined, columns, 0, least) > columns {
			for i, row := range rows {
				row[0], row[len(row)-1] = joined[i][0], ""
				for share := 3; i > 0 && share < len(row)-1; share += 2 {
					row[share] = ""
				}
			}
			joined = joinShares(rows)
		}
	}
	layout.write(out, joined)
}

// joinShares returns rows for [align] with each number and its share in one cell.
func joinShares(rows [][]string) [][]string {
	joined := make([][]string, len(rows))
	for i, row := range rows {
		joined[i] = slices.Clone(row[:2])
	}
	pair := layout{{}, {gap: 1}}
	for at := 2; at < len(rows[0])-1; at += 2 {
		pairs := [][]string{{"", ""}} // not the heading
		for _, row := range rows[1:] {
			pairs = append(pairs, row[at:at+2])
		}
		each, _ := pair.widths(pairs)
		joined[0] = append(joined[0], rows[0][at])
		for i, cells := range pairs[1:] {
			joined[i+1] = append(joined[i+1], terminal.PadLeft(cells[0], each[0])+" "+terminal.PadLeft(cells[1], each[1]))
		}
	}
	for i, row := range rows {
		joined[i] = append(joined[i], row[len(row)-1])
	}
	return joined
}

// grouped returns the groups of a grouping.
func grouped(s *evaluator.Summary, by string) []evaluator.Group {
	switch by {
	case "prompt":
		return s.Prompts
	case "length":
		return s.Lengths
	}
	return s.Given
}

// The numbers of codes, and of groups by code, that are listed unless all are.
const (
	shownCodes  = 20
	shownGroups = 12
)

// groupTable writes a line for each group.
func groupTable(out *bytes.Buffer, columns int, by string, groups []evaluator.Group, all bool) {
	table := [][]string{{"by " + by, "tasks"}}
	more := 0
	if by == "code" && !all && len(groups) > shownGroups {
		groups = slices.Clone(groups)
		slices.SortStableFunc(groups, func(a, b evaluator.Group) int { return b.Tasks - a.Tasks })
		more, groups = len(groups)-shownGroups, groups[:shownGroups]
	}
	for _, g := range groups {
		row := []string{g.Name, fmt.Sprint(g.Tasks)}
		if by == "prompt" {
			row[0] = heading(g.Name, 48)
		}
		for v := range g.Totals {
			for _, average := range g.Totals[v].PassAt {
				if len(table) == 1 {
					table[0] = append(table[0], several(len(g.Totals), g.Totals[v].Verdict)+average.Name(), "")
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
		}
		table = append(table, row)
	}
	for i := range table {
		table[i] = append(table[i], "")
	}
	align(out, columns, table)
	if more > 0 {
		fmt.Fprintf(out, "  and %s of fewer tasks, which --all, --json and --html show.\n", count(more, "code"))
	}
}

// heading returns the start of a template's first line that is not blank, up to columns.
func heading(template string, columns int) string {
	line, _, _ := strings.Cut(strings.TrimSpace(template), "\n")
	line = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, line)
	return terminal.Shorten(line, columns)
}

// answers writes how samples pass and fail, and where their code is.
func answers(out *bytes.Buffer, s *evaluator.Summary) {
	e := s.Extraction
	for v := range s.Totals {
		total := &s.Totals[v]
		by, unknown := "", ""
		if len(s.Totals) > 1 {
			by = " by the " + string(total.Verdict) + " verdict"
		}
		if total.Unknown > 0 {
			unknown = fmt.Sprintf("; of %d it is not known", total.Unknown)
		}
		if total.Errors > 0 {
			unknown += fmt.Sprintf(", of %d for an error of ours", total.Errors)
		}
		fmt.Fprintf(out, "  %d of %s %s%s (%s)%s.\n", total.Passed, count(s.Samples, "sample"),
			verb(total.Passed, "passes", "pass"), by, percent(float64(total.Passed)/float64(s.Samples)), unknown)
		if v > 0 && v < len(s.Causes) {
			causes(out, s.Causes[v].List())
		}
	}
	if n := s.Codes.Of(rule.E999).Left + s.Codes.Of(rule.E999).Introduced; n > 0 {
		fmt.Fprintf(out, "  %s not valid Python: E999 (%s).\n", verbed(n, "is", "are"), share(n, s.Samples))
	}
	for _, passed := range []struct {
		n   int
		how string
	}{
		{e.EmptyPassed, "without any code, as the official rules allow"},
		{e.NoqaPassed, "with a noqa comment, which silences flake8"},
		{e.EncodedPassed, "with a coding cookie that is not UTF-8's, by which flake8 reads another text"},
	} {
		if passed.n > 0 {
			fmt.Fprintf(out, "  %s %s (%s of all samples).\n", verbed(passed.n, "passes", "pass"), passed.how, share(passed.n, s.Samples))
		}
	}
	fmt.Fprintf(out, "  Code: %d in closed fences, %d in a fence left open, %d with no fence.\n", e.Closed, e.Open, e.Whole)
	if e.Several > 0 {
		fmt.Fprintf(out, "  %s joined from several blocks.\n", verbed(e.Several, "was", "were"))
	}
	if e.NoPython > 0 {
		fmt.Fprintf(out, "  %s no python block, only other languages.\n", verbed(e.NoPython, "had", "had"))
	}
	if e.Saved > 0 {
		fmt.Fprintf(out, "  %s and would pass if fences were read more forgivingly (%s); no score has %s in it.\n",
			verbed(e.Saved, "fails", "fail"), forgiven(&e), verb(e.Saved, "it", "them"))
	}
}

// causes writes a line with the reasons for each outcome of another verdict on samples that
// pass officially.
func causes(out *bytes.Buffer, list []evaluator.CauseCount) {
	for i := 0; i < len(list); {
		outcome, n := list[i].Outcome, 0
		var why []string
		for ; i < len(list) && list[i].Outcome == outcome; i++ {
			n += list[i].N
			why = append(why, fmt.Sprintf("%s %d", causeName(list[i].Cause), list[i].N))
		}
		fmt.Fprintf(out, "    of the official passes, %d %s: %s.\n", n, outcomeVerb(outcome, n), strings.Join(why, ", "))
	}
}

func outcomeVerb(outcome evaluator.Outcome, n int) string {
	switch outcome {
	case evaluator.Pass:
		return verb(n, "passes", "pass")
	case evaluator.Fail:
		return verb(n, "fails", "fail")
	}
	return verb(n, "is not known", "are not known")
}

// forgiven lists the leniencies that would have let answers pass, with their numbers.
func forgiven(e *evaluator.Extraction) string {
	var by []string
	for i, n := range e.SavedBy {
		if n > 0 {
			by = append(by, fmt.Sprintf("%s %d", extract.Leniencies()[i], n))
		}
	}
	return strings.Join(by, ", ")
}

// bar draws a share of 1 in cells, with a precision of an eighth.
func bar(value float64, cells int) string {
	eighths := int(math.Round(value * float64(cells) * 8))
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text + strings.Repeat("·", cells-utf8.RuneCountInString(text))
}

// percent returns a share in percent. It rounds to 0 or 100 only exact values.
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

// idColumns bounds the columns of an id in a line.
const idColumns = 40

// some lists the first few of n ids.
func some(ids []task.ID, n int) string {
	const few = 10
	var texts []string
	for _, id := range ids[:min(len(ids), few)] {
		texts = append(texts, terminal.Shorten(terminal.Printable(id.String()), idColumns))
	}
	list := strings.Join(texts, ", ")
	if n > len(texts) {
		list += fmt.Sprintf(" and %d more", n-len(texts))
	}
	return list
}
