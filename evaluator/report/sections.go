package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/rule"
)

// This file is what page/page.html shows above its tasks, as data.

// A runPage is the sections of one run.
type runPage struct {
	Title, Samples, About string
	Scores                []pageScore
	Explain               bool
	Curves                curves
	Notes                 []string
	Codes                 *codeChart
	HasSamples            bool
	Facts                 []facts
	Groups                []groupsTable
}

// A pageScore is one number of the headline.
type pageScore struct {
	Class, Name string
	Unknown     string // why there is no value
	Value, Sure string
}

func (p *Page) newRunPage(about evaluator.About, s *evaluator.Summary) *runPage {
	page := &runPage{
		Title:      about.Title,
		Samples:    fmt.Sprintf("%s, %s%s", count(s.Tasks, "task"), count(s.Samples, "sample"), perTask(s)),
		About:      origins(about),
		Notes:      Unmatched(s),
		HasSamples: s.Samples > 0,
	}
	var lines []curve
	for v := range s.Totals {
		total := &s.Totals[v]
		for i := range total.PassAt {
			average := &total.PassAt[i]
			score := pageScore{Class: "score", Name: several(s.Totals, v) + average.Name()}
			if i == 0 {
				score.Class += " first"
			}
			if math.IsNaN(average.Value) {
				score.Unknown = fmt.Sprintf("%d of %s had fewer than %s; the official formula says %s",
					average.Short, count(s.Tasks, "task"), count(average.K, "sample"), percent(average.Formula))
			} else {
				score.Value = percent(average.Value)
				if known(average) {
					page.Explain = true
					score.Sure = fmt.Sprintf("%.1f to %.1f · ± %.1f", 100*average.Interval.Low, 100*average.Interval.High, 100*average.Stderr)
				}
			}
			page.Scores = append(page.Scores, score)
		}
		lines = append(lines, curve{strings.TrimSpace(several(s.Totals, v)), func(k int) (float64, float64) { return evaluator.PassAt(total.Tallies, k) }})
	}
	page.Curves = newCurves(s.Fewest, lines...)
	if s.Samples == 0 {
		return page
	}
	page.Codes = newCodeChart(s)
	page.Facts = []facts{p.sampleFacts(s)}
	for v := range s.Totals[1:] {
		page.Facts = append(page.Facts, causeFacts(s, v+1))
	}
	page.Facts = append(page.Facts, answerFacts(s))
	page.Groups = append(page.Groups, newGroupsTable("length", s.Totals, s.Lengths))
	if len(s.Prompts) > 1 {
		page.Groups = append(page.Groups, newGroupsTable("prompt", s.Totals, s.Prompts))
	}
	return page
}

// origins says which run it was and what its findings are equal to.
func origins(about evaluator.About) string {
	var parts []string
	if about.Model != "" {
		parts = append(parts, "model "+about.Model)
	}
	if about.Model != "" && about.Created.Unix() > 0 {
		parts = append(parts, "samples of "+about.Created.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if about.Linter != "" {
		parts = append(parts, about.Linter)
	}
	return strings.Join(parts, " · ")
}

// A curve is pass@k of one run or verdict, with its standard error.
type curve struct {
	name string // "" of the only one
	at   func(k int) (value, stderr float64)
}

// curves are drawn in SVG; coordinates are texts with as many digits as are seen.
type curves struct {
	Width, Height float64
	Label         string
	Levels        []level
	Ticks         []tick
	Drawn         []drawn
}

type (
	level struct{ X1, X2, Y, TextX, TextY, Text string }
	tick  struct {
		X, Y string
		K    int
	}
	drawn struct {
		N                int
		Name, Band, Line string
		Dots             []dot
	}
	dot struct{ X, Y, Title string }
)

// newCurves draws pass@k for each k that all tasks have samples for, up to 50.
func newCurves(fewest int, lines ...curve) curves {
	last := min(fewest, 50)
	if last < 2 {
		return curves{}
	}
	const (
		width, height      = 460.0, 206.0
		left, right        = 44.0, 446.0
		top, bottom        = 12.0, 172.0
		confidence         = 1.96
		labelled, dotRange = 10, 20
	)
	x := func(k int) string { return fmt.Sprintf("%.1f", left+(right-left)*float64(k-1)/float64(last-1)) }
	heightOf := func(v float64) float64 { return bottom - (bottom-top)*min(max(v, 0), 1) }
	y := func(v float64) string { return fmt.Sprintf("%.1f", heightOf(v)) }
	c := curves{Width: width, Height: height}
	var label []string
	for i, line := range lines {
		d := drawn{N: i, Name: line.name}
		var points, band, back []string
		for k := 1; k <= last; k++ {
			value, stderr := line.at(k)
			if math.IsNaN(stderr) {
				stderr = 0
			}
			switch k {
			case 1:
				label = append(label, fmt.Sprintf("%s rises from %s", cmp.Or(line.name, "pass@k"), percent(value)))
			case last:
				label[i] += fmt.Sprintf(" at k = 1 to %s at k = %d", percent(value), last)
			}
			points = append(points, x(k)+","+y(value))
			band = append(band, x(k)+","+y(value+confidence*stderr))
			back = append(back, x(k)+","+y(value-confidence*stderr))
			if last <= dotRange {
				d.Dots = append(d.Dots, dot{x(k), y(value), fmt.Sprintf("%spass@%d: %s", strings.TrimLeft(line.name+" ", " "), k, percent(value))})
			}
		}
		slices.Reverse(back)
		d.Line, d.Band = strings.Join(points, " "), strings.Join(append(band, back...), " ")
		c.Drawn = append(c.Drawn, d)
	}
	c.Label = strings.Join(label, "; ")
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		c.Levels = append(c.Levels, level{
			fmt.Sprint(left), fmt.Sprint(right), y(v), fmt.Sprint(left - 8), fmt.Sprintf("%.1f", heightOf(v)+4), fmt.Sprintf("%.0f", 100*v),
		})
	}
	step := max(1, int(math.Ceil(float64(last)/labelled)))
	for k := 1; k <= last; k += step {
		c.Ticks = append(c.Ticks, tick{x(k), fmt.Sprint(bottom + 20), k})
	}
	return c
}

// A codeChart has a row for each code, those after the first dozen in a table of
// their own that is folded away.
type codeChart struct {
	Heading string
	Legend  []cellText
	Heads   []cellText
	Tables  [][]codeRow
	More    string // how many are folded away
	Aside   string
}

// A cellText is a text and its class.
type cellText struct{ Class, Text string }

type codeRow struct {
	Code, Name, Label string
	Parts             []part // of one bar
	Bars              []part // or a bar each
	Cells             []cellText
}

type part struct{ Class, Width string }

// shownCodes is how many codes a chart shows at once.
const shownCodes = 12

// fold parts rows into those that are shown and the others.
func (c *codeChart) fold(rows []codeRow) {
	shown := min(len(rows), shownCodes)
	c.Tables = [][]codeRow{rows[:shown]}
	if shown < len(rows) {
		c.Tables = append(c.Tables, rows[shown:])
		c.More = count(len(rows)-shown, "code")
	}
}

func newCodeRow(code rule.Code) codeRow {
	return codeRow{Code: code.String(), Name: strings.ReplaceAll(code.Rule().Name, "-", " ")}
}

// newCodeChart is the chart of findings; nil if there are none.
func newCodeChart(s *evaluator.Summary) *codeChart {
	codes := changed(s)
	if len(codes) == 0 {
		return nil
	}
	passing := map[string]float64{}
	score := ""
	if averages := s.Official().PassAt; len(averages) > 0 {
		score = averages[0].Name()
		for _, g := range s.Given {
			passing[g.Name] = g.Totals[0].PassAt[0].Value
		}
	}
	widest := 1
	for _, code := range codes {
		c := &s.Codes[code]
		widest = max(widest, c.Given+c.Introduced)
	}
	chart := &codeChart{
		Heading: "Findings by code",
		Legend:  []cellText{{"fixed", "fixed"}, {"left", "left"}, {"introduced", "introduced"}},
		Heads:   []cellText{{"n", "fixed"}, {"n", "left"}, {"n long", "introduced"}, {"n wide", score}},
	}
	if score != "" {
		chart.Aside = score + ", in %, is of the tasks whose program has the code."
	}
	var rows []codeRow
	for _, code := range codes {
		c := &s.Codes[code]
		row := newCodeRow(code)
		row.Label = fmt.Sprintf("%d fixed, %d left, %d introduced", c.Fixed, c.Left, c.Introduced)
		for i, n := range []int{c.Fixed, c.Left, c.Introduced} {
			if n > 0 {
				row.Parts = append(row.Parts, part{chart.Legend[i].Class, fmt.Sprintf("%.2f", 100*float64(n)/float64(widest))})
			}
			row.Cells = append(row.Cells, cellText{"n", fmt.Sprint(n)})
		}
		value := "-"
		if v, ok := passing[code.String()]; ok && !math.IsNaN(v) {
			value = fmt.Sprintf("%.1f", 100*v)
		}
		row.Cells = append(row.Cells, cellText{"n wide", value})
		rows = append(rows, row)
	}
	chart.fold(rows)
	return chart
}

// facts are a table of numbers of samples.
type facts struct {
	Heading string
	Rows    []fact
	Asides  []aside
	of      int
}

type fact struct {
	Class, Text string
	N           int
	Share       string
}

// An aside is a sentence with at most one piece of code in it.
type aside struct{ Before, Code, After string }

func (f *facts) row(n int, class, text string) {
	f.Rows = append(f.Rows, fact{class, text, n, share(n, f.of)})
}

// sampleFacts says how samples pass and fail.
func (p *Page) sampleFacts(s *evaluator.Summary) facts {
	n := func(k kind) int { return int(p.kinds[k].Load()) }
	f := facts{Heading: "How the samples did", of: s.Samples}
	for v := range s.Totals {
		total := &s.Totals[v]
		by := several(s.Totals, v)
		if by != "" {
			by = ", " + strings.TrimSpace(by)
		}
		f.row(total.Passed, "", "pass"+by)
		f.row(s.Samples-total.Passed-total.Unknown, "", "fail"+by)
		if v == 0 {
			f.row(n(invalid), "part", "are no valid Python: E999")
			f.row(n(lacking), "part", "leave findings")
			f.row(n(harmful), "part", "introduce findings")
			f.row(n(both), "part", "do both")
		}
		if total.Unknown > 0 {
			f.row(total.Unknown, "", "not known"+by)
		}
		if total.Errors > 0 {
			f.row(total.Errors, "part", "for an error of ours")
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
		f.row(n, "", outcomeNames[outcome])
		for ; i < next; i++ {
			f.row(list[i].N, "part", causeName(list[i].Cause))
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
	f.row(e.Closed, "", "in closed fences")
	f.row(e.Open, "", "in a fence left open: cut off")
	f.row(e.Whole, "", "in no fence: the whole answer")
	f.row(e.NoPython, "", "only in other languages")
	f.row(e.Several, "", "in several blocks")
	if e.Saved > 0 {
		f.Asides = append(f.Asides, aside{Before: fmt.Sprintf("%s and would pass if fences were read more forgivingly (%s). No score has %s in it.",
			verbed(e.Saved, "sample fails", "samples fail"), forgiven(e), verb(e.Saved, "it", "them"))})
	}
	return f
}

// A groupsTable is the scores of groups of tasks.
type groupsTable struct {
	By    string
	Heads []groupHead
	Rows  []groupRow
	More  int // groups that are left out
}

// Of each verdict, only the first k has room on a narrow screen.
type groupHead struct {
	Verdict, Class string
	K              int
}

type groupRow struct {
	Name   string
	Tasks  int
	Values []cellText
}

func groupClass(k int) string {
	if k > 0 {
		return "n wide"
	}
	return "n"
}

func newGroupsTable(by string, totals []evaluator.Total, groups []evaluator.Group) groupsTable {
	const most = 20
	table := groupsTable{By: by, More: max(len(groups)-most, 0)}
	for v := range totals {
		for i := range totals[v].PassAt {
			table.Heads = append(table.Heads, groupHead{several(totals, v), groupClass(i), totals[v].PassAt[i].K})
		}
	}
	for _, g := range groups[:min(len(groups), most)] {
		row := groupRow{Name: heading(g.Name), Tasks: g.Tasks}
		for v := range g.Totals {
			for i := range g.Totals[v].PassAt {
				value := "-"
				if v := g.Totals[v].PassAt[i].Value; !math.IsNaN(v) {
					value = fmt.Sprintf("%.1f", 100*v)
				}
				row.Values = append(row.Values, cellText{groupClass(i), value})
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// controls are the filters and the head of the table of tasks.
type controls struct {
	Passing string // what the first filter is called
	Choices []choice
	Given   []evaluator.Group
	Columns []column
}

// A choice is one of a filter's, and how many tasks it leaves.
type choice struct {
	Value, Text string
	Tasks       int
}

// A column of the table of tasks after the first. Key names what the script
// sorts it by, and First is "-" where the largest come first.
type column struct{ Heading, Key, First, Class string }
