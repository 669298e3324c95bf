package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/rule"
)

// This file is what page/page.html shows above its tasks, as data.

// A runPage is the sections of one run.
type runPage struct {
	Title      string
	About      []named
	Scores     scoresTable
	Curves     curves
	Notes      []string
	Codes      *codeChart
	Matrix     template.JS // JSON of a [matrix], with "<" as \u003c
	HasSamples bool
	Facts      []facts
	Groups     []groupsTable
}

// A named is a fact and its name.
type named struct{ Name, Value string }

func (p *Page) newRunPage(about evaluator.About, s *evaluator.Summary) *runPage {
	page := &runPage{
		Title:      about.Title,
		About:      origins(about, s),
		Scores:     p.newScoresTable(s),
		Notes:      notes(s),
		HasSamples: s.Samples > 0,
	}
	var lines []curve
	for v := range s.Totals {
		total := &s.Totals[v]
		lines = append(lines, curve{strings.TrimSpace(several(s.Totals, v)), func(k int) (float64, float64) { return evaluator.PassAt(total.Tallies, k) }})
	}
	page.Curves = newCurves(s.Fewest, lines...)
	if s.Samples == 0 {
		return page
	}
	page.Codes = newCodeChart(s)
	page.Matrix = p.newMatrix(s)
	page.Facts = []facts{p.sampleFacts(s)}
	for v := range s.Totals[1:] {
		page.Facts = append(page.Facts, causeFacts(s, v+1))
	}
	page.Facts = append(page.Facts, answerFacts(s))
	page.Groups = append(page.Groups, newGroupsTable("length", s.Totals, s.Lengths))
	if len(s.Prompts) > 1 {
		page.Groups = append(page.Groups, newGroupsTable("prompt", s.Totals, s.Prompts))
	}
	page.Groups = append(page.Groups, newGroupsTable("code", s.Totals, s.Given))
	return page
}

// origins says which run it was and what its findings are equal to.
func origins(about evaluator.About, s *evaluator.Summary) []named {
	verdicts := make([]string, len(s.Totals))
	for v := range s.Totals {
		verdicts[v] = string(s.Totals[v].Verdict)
	}
	facts := []named{
		{"model", cmp.Or(about.Model, "not named")},
		{"tasks", thousands(s.Tasks)},
		{"samples", thousands(s.Samples) + perTask(s)},
	}
	if about.Temperature != nil {
		facts = append(facts, named{"temperature", exact(*about.Temperature)})
	}
	if about.Model != "" && about.Created.Unix() > 0 {
		facts = append(facts, named{"samples of", about.Created.UTC().Format("2006-01-02 15:04 UTC")})
	}
	facts = append(facts, named{"verdicts", strings.Join(verdicts, ", ")})
	if about.References != nil {
		facts = append(facts, named{"scored by", by(about.References)})
	}
	if about.Linter != "" {
		facts = append(facts, named{"checked by", about.Linter})
	}
	return facts
}

// thousands writes a number with commas between its thousands.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// A scoresTable is the headline: a column for each verdict, and below its scores what
// passes by it that no one would call fixed.
type scoresTable struct {
	Verdicts []string
	Scores   []scoreRow
	Explain  bool
	Asides   []scoreRow
}

type scoreRow struct {
	Name  string
	Cells []number
}

func (p *Page) newScoresTable(s *evaluator.Summary) (table scoresTable) {
	row := func(name string, cell func(v int, total *evaluator.Total) number) scoreRow {
		row := scoreRow{Name: name}
		for v := range s.Totals {
			row.Cells = append(row.Cells, cell(v, &s.Totals[v]))
		}
		return row
	}
	for v := range s.Totals {
		table.Verdicts = append(table.Verdicts, string(s.Totals[v].Verdict))
	}
	for i := range s.Official().PassAt {
		table.Scores = append(table.Scores, row(s.Official().PassAt[i].Name(), func(v int, total *evaluator.Total) number {
			average := &total.PassAt[i]
			if math.IsNaN(average.Value) {
				return number{Class: "unknown", Text: "not known", Sure: fmt.Sprintf("%d of %s had fewer than %s; the official formula says %s",
					average.Short, count(s.Tasks, "task"), count(average.K, "sample"), percent(average.Formula))}
			}
			cell := number{Text: percent(average.Value), Value: exact(average.Value)}
			if known(average) {
				table.Explain = true
				cell.Low, cell.High = exact(average.Interval.Low), exact(average.Interval.High)
				cell.Sure = fmt.Sprintf("%.1f to %.1f · ± %.1f", 100*average.Interval.Low, 100*average.Interval.High, 100*average.Stderr)
			}
			return cell
		}))
	}
	if s.Samples == 0 {
		return table
	}
	samples := func(name string, of func(v int, total *evaluator.Total) (n, all int)) {
		table.Asides = append(table.Asides, row(name, func(v int, total *evaluator.Total) number {
			n, all := of(v, total)
			cell := whole("", n)
			if cell.Text = thousands(n); all > 0 && n > 0 {
				cell.Sure = share(n, all)
			}
			return cell
		}))
	}
	at := func(counts []int, v int) int {
		if v < len(counts) {
			return counts[v]
		}
		return 0
	}
	samples("samples that pass", func(_ int, total *evaluator.Total) (int, int) { return total.Passed, s.Samples })
	samples("of these, with a noqa", func(v int, total *evaluator.Total) (int, int) { return at(p.failures.silenced, v), total.Passed })
	samples("of these, without code", func(v int, total *evaluator.Total) (int, int) { return at(p.failures.empty, v), total.Passed })
	if len(s.Totals) > 1 {
		samples("not known, so no pass", func(_ int, total *evaluator.Total) (int, int) { return total.Unknown, s.Samples })
	}
	return table
}

// A matrix is what was introduced into the answers to programs with each code. The
// script makes a table of it.
type matrix struct {
	Answers map[string]int `json:"answers"` // by the code given
	Cells   []matrixCell   `json:"cells"`   // the most answers first
}

// A matrixCell is [given, introduced, answers]: in so many of the answers to programs
// with the first code there are more findings of the second than were given.
type matrixCell [3]any

func (p *Page) newMatrix(s *evaluator.Summary) template.JS {
	m := matrix{Answers: map[string]int{}, Cells: []matrixCell{}}
	for _, g := range s.Given {
		m.Answers[g.Name] = g.Samples
	}
	for given := range p.failures.matrix {
		for introduced, n := range p.failures.matrix[given] {
			if n > 0 {
				m.Cells = append(m.Cells, matrixCell{rule.Code(given).String(), rule.Code(introduced).String(), n})
			}
		}
	}
	slices.SortStableFunc(m.Cells, func(a, b matrixCell) int { return b[2].(int) - a[2].(int) })
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // of types that always encode
	}
	return template.JS(text)
}

// facts are a table of numbers of samples.
type facts struct {
	Heading string
	Rows    []fact
	Asides  []aside
	of      int
}

// Mark is what the tasks with such a sample are filtered by, see [sampleMarks]; "" if by
// nothing.
type fact struct {
	Class, Text, Mark string
	N                 int
	Share             string
}

// An aside is a sentence with at most one piece of code in it.
type aside struct{ Before, Code, After string }

func (f *facts) row(n int, class, text, mark string) {
	if n == 0 {
		mark = ""
	}
	f.Rows = append(f.Rows, fact{class, text, mark, n, share(n, f.of)})
}

// sampleFacts says how samples pass and fail.
func (p *Page) sampleFacts(s *evaluator.Summary) facts {
	f := facts{Heading: "How the samples did", of: s.Samples}
	for v := range s.Totals {
		total := &s.Totals[v]
		by := several(s.Totals, v)
		if by != "" {
			by = ", " + strings.TrimSpace(by)
		}
		f.row(total.Passed, "", "pass"+by, "")
		f.row(s.Samples-total.Passed-total.Unknown, "", "fail"+by, "")
		if v == 0 {
			f.row(p.failures.invalid, "part", "are no valid Python: E999", "E999")
			f.row(p.failures.left, "part", "leave findings", "")
			f.row(p.failures.introduced, "part", "introduce findings", "")
			f.row(p.failures.both, "part", "do both", "")
		}
		if total.Unknown > 0 {
			f.row(total.Unknown, "", "not known"+by, "unknown")
		}
		if total.Errors > 0 {
			f.row(total.Errors, "part", "for an error of ours", "")
		}
	}
	e := &s.Extraction
	for _, kind := range []struct {
		all, passed         int
		before, code, after string
	}{
		{e.Empty, e.EmptyPassed, "no code", "", ""},
		{e.Noqa, e.NoqaPassed, "a ", "# noqa", ""},
		{e.Encoded, e.EncodedPassed, "a coding cookie that is not UTF-8's", "", ""},
	} {
		if kind.all > 0 {
			f.Asides = append(f.Asides, aside{
				verbed(kind.all, "answer has", "answers have") + " " + kind.before, kind.code,
				kind.after + "; " + verbed(kind.passed, "of these passes", "of these pass") + ".",
			})
		}
	}
	return f
}

// causeFacts says what another verdict made of the samples that pass officially.
func causeFacts(s *evaluator.Summary, v int) facts {
	f := facts{Heading: "Official passes, by the " + string(s.Totals[v].Verdict) + " verdict", of: s.Official().Passed}
	if v >= len(s.Causes) {
		return f
	}
	list := s.Causes[v].List()
	for i := 0; i < len(list); {
		outcome, n, next := list[i].Outcome, 0, i
		for ; next < len(list) && list[next].Outcome == outcome; next++ {
			n += list[next].N
		}
		f.row(n, "", outcomeNames[outcome], "")
		for ; i < next; i++ {
			mark := ""
			if list[i].Outcome != evaluator.Pass {
				mark = causeMark(s.Totals[v].Verdict, list[i].Name)
			}
			f.row(list[i].N, "part", causeName(list[i].Cause), mark)
		}
	}
	return f
}

var outcomeNames = [...]string{evaluator.Pass: "pass", evaluator.Fail: "fail", evaluator.Unknown: "not known"}

// causeName is a cause for people to read: a reason's own name, which the docs
// explain, and what a proof is.
func causeName(c evaluator.Cause) string {
	switch {
	case c.Outcome != evaluator.Pass:
		return cmp.Or(c.Name, "for no reason that was told")
	case c.Name == "tree":
		return "by the same tree"
	case c.Name == "runs":
		return "by the same behaviour"
	case c.Name == "tests":
		return "by the tests"
	}
	return c.Name
}

// answerFacts says where in the answers the code is.
func answerFacts(s *evaluator.Summary) facts {
	e := &s.Extraction
	f := facts{Heading: "Where the code is", of: s.Samples}
	f.row(e.Closed, "", "in closed fences", "")
	f.row(e.Open, "", "in a fence left open: cut off", "open")
	f.row(e.Whole, "", "in no fence: the whole answer", "")
	f.row(e.NoPython, "", "only in other languages", "")
	f.row(e.Several, "", "in several blocks", "")
	if e.Saved > 0 {
		f.Asides = append(f.Asides, aside{Before: fmt.Sprintf("%s and would pass if fences were read more forgivingly (%s). No score has %s in it.",
			verbed(e.Saved, "sample fails", "samples fail"), forgiven(e), verb(e.Saved, "it", "them"))})
	}
	return f
}

// A groupsTable is the scores of groups of tasks.
type groupsTable struct {
	By     string
	Heads  []groupHead
	Rows   []groupRow
	Small  bool // there are small groups
	Folded bool
}

// Of each verdict, only the first k has room on a narrow screen.
type groupHead struct {
	Key, Class string
}

type groupRow struct {
	Name, Code string // Code is what the tasks are filtered by
	Tasks      int
	Small      bool // fewer than smallGroup tasks
	Values     []number
	Forest     []forestLine // of the first k, by each verdict
}

// smallGroup is how many tasks a group needs for its interval to say something: of
// fewer, a bootstrap draws from too little to be any wider than they are alike.
const smallGroup = 10

// A forestLine is an interval as a line with a dot in it.
type forestLine struct {
	N        int // the verdict
	X1, X2   string
	X, Y     string
	Interval bool
}

func groupClass(k int) string {
	if k > 0 {
		return "n more"
	}
	return "n"
}

func newGroupsTable(by string, totals []evaluator.Total, groups []evaluator.Group) groupsTable {
	table := groupsTable{By: by, Folded: len(groups) > 20}
	var ks []int
	for i := range totals[0].PassAt {
		ks = append(ks, totals[0].PassAt[i].K)
	}
	if table.Folded && len(ks) > 1 {
		ks = ks[:1] // of a hundred codes, each k would be a hundred bootstraps
	}
	for v := range totals {
		for i := range ks {
			table.Heads = append(table.Heads, groupHead{several(totals, v) + totals[v].PassAt[i].Name(), groupClass(i)})
		}
	}
	for _, g := range groups {
		row := groupRow{Name: heading(g.Name), Tasks: g.Tasks, Small: g.Tasks < smallGroup}
		if by == "code" {
			row.Code = g.Name
		}
		table.Small = table.Small || row.Small
		for v := range g.Totals {
			intervals := evaluator.Intervals(g.Totals[v].Tallies, ks)
			for i, interval := range intervals {
				value := shareNumber(groupClass(i), g.Totals[v].PassAt[i].Value)
				if value.Value != "" && g.Tasks > 1 {
					value.Low, value.High = exact(interval.Low), exact(interval.High)
					if i == 0 { // the others' are in what is saved
						value.Sure = fmt.Sprintf("%.0f–%.0f", 100*interval.Low, 100*interval.High)
					}
				}
				row.Values = append(row.Values, value)
				if i == 0 && value.Value != "" {
					row.Forest = append(row.Forest, forestLine{
						N: v, X1: percentage(interval.Low), X2: percentage(interval.High), X: percentage(g.Totals[v].PassAt[i].Value),
						Y: fmt.Sprint(100*(v+1)/(len(g.Totals)+1)) + "%", Interval: value.Low != "",
					})
				}
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// percentage is a place in a chart with some room at both its ends.
func percentage(share float64) string { return fmt.Sprintf("%.2f%%", 3+94*share) }

// controls are the filters and the head of the table of tasks.
type controls struct {
	Passing string // what the first filter is called
	Choices []choice
	Given   []evaluator.Group
	Columns []column
	Order   string   // keys of columns, by which the table is sorted at first
	States  []string // what squares of each state mean
}

// Legend is a square of each state and what it means.
func (c *controls) Legend() (legend []legendSquare) {
	for state, text := range c.States {
		if text == "" {
			continue
		}
		legend = append(legend, legendSquare{square{stateNames[state], "M1 1" + shapes[state]}, text})
	}
	return legend
}

type legendSquare struct {
	square
	Text string
}

// A choice is one of a filter's, and how many tasks it leaves.
type choice struct {
	Value, Text string
	Tasks       int
}

// A column of a table after the first. Key names what the script sorts it by, and First
// is "-" where the largest come first.
type column struct{ Heading, Key, First, Class string }
