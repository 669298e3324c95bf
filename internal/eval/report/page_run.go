package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator"
	"codelinter/rule"
)

// This file makes a page's data of one run.

// runData is the data of a run without its tasks.
type runData struct {
	Model    string        `json:"model,omitempty"`
	Title    string        `json:"title"`
	About    []named       `json:"about"`
	Tasks    int           `json:"tasks"` // that were asked
	Samples  int           `json:"samples"`
	Notes    []string      `json:"notes"`
	Verdicts []verdictData `json:"verdicts"`
	Codes    []codeData    `json:"codes"`
	Matrix   matrixData    `json:"matrix"`
	// How samples fail officially.
	Invalid    int `json:"invalid"`
	Left       int `json:"left"`
	Introduced int `json:"introduced"`
	Both       int `json:"both"`

	Extraction extraction   `json:"extraction"`
	Groups     []groupsData `json:"groups"`
}

// A named is a fact with its name.
type named struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// verdictData is a run's score by one verdict.
type verdictData struct {
	Name    string      `json:"name"`
	Passed  int         `json:"passed"` // samples
	Unknown int         `json:"unknown"`
	Errors  int         `json:"errors"`
	Noqa    int         `json:"noqa"`  // samples that pass with a noqa
	Empty   int         `json:"empty"` // and without code
	Scores  []scoreData `json:"scores"`
	Curve   [][2]number `json:"curve"`            // pass@k and its standard error for each k from 1
	Causes  []causeData `json:"causes,omitempty"` // of samples that pass officially
}

// scoreData is pass@k. Value is null if it is not known. Low, High and Stderr are null if there is
// no interval.
type scoreData struct {
	K       int    `json:"k"`
	Value   number `json:"value"`
	Low     number `json:"low"`
	High    number `json:"high"`
	Stderr  number `json:"stderr"`
	Short   int    `json:"short,omitempty"` // tasks with samples, but fewer than K
	Formula number `json:"formula"`
}

// causeData is a cause, see [evaluator.Cause]. Mark is the mark by which tasks with such
// a sample are filtered, see [sampleMarks].
type causeData struct {
	Outcome string `json:"outcome"`
	Text    string `json:"text"`
	Mark    string `json:"mark,omitempty"`
	Samples int    `json:"samples"`
}

// codeData counts a code's findings. Those that are lost, see [failures.lost], are not among the
// fixed.
type codeData struct {
	Code string `json:"code"`
	Name string `json:"name"`
	changes
	Lost int `json:"lost"`
}

// matrixData counts what was introduced into the answers to programs with each code.
type matrixData struct {
	Answers map[string]int `json:"answers"` // by the code given
	// Cells are [given, introduced, answers]: the number of answers to programs with the
	// first code that have more findings of the second than were given. They are sorted
	// by descending answers.
	Cells []matrixCell `json:"cells"`
}

type matrixCell [3]any

// groupsData is the scores of groups of tasks.
type groupsData struct {
	By     string      `json:"by"`
	Groups []groupData `json:"groups"`
}

type groupData struct {
	Name   string        `json:"name"`
	Tasks  int           `json:"tasks"`
	Scores [][]scoreData `json:"scores"` // of each verdict
}

// Render writes the whole page. The title of about says what was scored.
func (p *Page) Render(w io.Writer, about evaluator.About, s *evaluator.Summary) error {
	run := p.runData(about, s)
	var plain []string
	for _, v := range run.Verdicts {
		for _, score := range v.Scores {
			plain = append(plain, fmt.Sprintf("%s pass@%d: %s", v.Name, score.K, percent(float64(score.Formula))))
		}
	}
	return renderPage(w, pageData{Title: about.Title, Run: run}, p.tasks.Bytes(), plain, about)
}

func (p *Page) runData(about evaluator.About, s *evaluator.Summary) *runData {
	f := &p.failures
	data := &runData{
		Model: about.Model, Title: about.Title, About: origins(about, s), Tasks: s.Asked, Samples: s.Samples,
		Notes: append([]string{}, notes(s)...), Codes: []codeData{}, Groups: []groupsData{}, Matrix: p.matrix(s),
		Invalid: f.invalid, Left: f.left, Introduced: f.introduced, Both: f.both, Extraction: newExtraction(&s.Extraction),
	}
	at := func(counts []int, v int) int {
		if v < len(counts) {
			return counts[v]
		}
		return 0
	}
	for v := range s.Totals {
		total := &s.Totals[v]
		verdict := verdictData{
			Name: string(total.Verdict), Passed: total.Passed, Unknown: total.Unknown, Errors: total.Errors,
			Noqa: at(f.silenced, v), Empty: at(f.empty, v), Scores: []scoreData{}, Curve: curve(total.Tallies), Causes: causesOf(s, v),
		}
		for i := range total.PassAt {
			verdict.Scores = append(verdict.Scores, newScore(&total.PassAt[i]))
		}
		data.Verdicts = append(data.Verdicts, verdict)
	}
	if s.Samples == 0 {
		return data
	}
	for _, code := range changed(s) {
		one := codeData{code.String(), codeName(code), changes(s.Codes.Of(code)), f.lost.Of(code)}
		one.Fixed -= one.Lost
		data.Codes = append(data.Codes, one)
	}
	data.Groups = append(data.Groups, newGroups("length", s.Totals, s.Lengths))
	if len(s.Prompts) > 1 {
		data.Groups = append(data.Groups, newGroups("prompt", s.Totals, s.Prompts))
	}
	data.Groups = append(data.Groups, newGroups("code", s.Totals, s.Given))
	return data
}

// codeName describes a code's rule.
func codeName(code rule.Code) string { return strings.ReplaceAll(code.Rule().Name, "-", " ") }

func newScore(a *evaluator.Average) scoreData {
	nan := number(math.NaN())
	score := scoreData{K: a.K, Value: number(a.Value), Low: nan, High: nan, Stderr: nan, Short: a.Short, Formula: number(a.Formula)}
	if known(a) {
		score.Low, score.High, score.Stderr = number(a.Interval.Low), number(a.Interval.High), number(a.Stderr)
	}
	return score
}

// maxCurve is the largest k of a curve.
const maxCurve = 50

// curve returns pass@k with its standard error for each k for which all tasks with samples have
// enough.
func curve(tallies []evaluator.Tally) [][2]number {
	points := [][2]number{}
	fewest := 0
	for _, tally := range tallies {
		if tally.N > 0 && (fewest == 0 || tally.N < fewest) {
			fewest = tally.N
		}
	}
	for k := 1; k <= min(fewest, maxCurve); k++ {
		value, stderr := evaluator.PassAt(tallies, k)
		points = append(points, [2]number{number(value), number(stderr)})
	}
	return points
}

// origins returns facts about a run and its linter.
func origins(about evaluator.About, s *evaluator.Summary) []named {
	verdicts := make([]string, len(s.Totals))
	for v := range s.Totals {
		verdicts[v] = string(s.Totals[v].Verdict)
	}
	tasks := thousands(s.Asked)
	if s.Asked < s.Tasks {
		tasks += " of " + thousands(s.Tasks) + " asked"
	}
	facts := []named{
		{"model", cmp.Or(about.Model, "not named")},
		{"tasks", tasks},
		{"samples", thousands(s.Samples) + perTask(s)},
	}
	if about.Temperature != nil {
		facts = append(facts, named{"temperature", strconv.FormatFloat(*about.Temperature, 'f', -1, 64)})
	}
	if about.Model != "" && about.Created.Unix() > 0 {
		facts = append(facts, named{"sampled", about.Created.UTC().Format("2006-01-02 15:04 UTC")})
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

func (p *Page) matrix(s *evaluator.Summary) matrixData {
	m := matrixData{Answers: map[string]int{}, Cells: []matrixCell{}}
	for _, g := range s.Given {
		m.Answers[g.Name] = g.Samples
	}
	for given, row := range p.failures.matrix.All() {
		for introduced, n := range row.All() {
			if *n > 0 {
				m.Cells = append(m.Cells, matrixCell{given.String(), introduced.String(), *n})
			}
		}
	}
	slices.SortStableFunc(m.Cells, func(a, b matrixCell) int { return b[2].(int) - a[2].(int) })
	return m
}

// causesOf returns the causes of the verdict with index v for the samples that pass
// officially.
func causesOf(s *evaluator.Summary, v int) (causes []causeData) {
	if v == 0 || v >= len(s.Causes) {
		return nil
	}
	for _, c := range s.Causes[v].List() {
		cause := causeData{Outcome: c.Outcome.String(), Text: causeName(c.Cause), Samples: c.N}
		if c.Outcome != evaluator.Pass {
			cause.Mark = causeMark(s.Totals[v].Verdict, c.Name)
		}
		causes = append(causes, cause)
	}
	return causes
}

// causeName describes a cause: the name of a reason, which the docs explain, or a
// description of a proof.
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

// manyGroups is the number of groups above which they have only the scores of the first
// k. For a hundred codes, each k would take a hundred bootstraps.
const manyGroups = 20

func newGroups(by string, totals []evaluator.Total, groups []evaluator.Group) groupsData {
	data := groupsData{By: by, Groups: []groupData{}}
	var ks []int
	for i := range totals[0].PassAt {
		ks = append(ks, totals[0].PassAt[i].K)
	}
	if len(groups) > manyGroups && len(ks) > 1 {
		ks = ks[:1]
	}
	for _, g := range groups {
		group := groupData{Name: heading(g.Name, 160), Tasks: g.Tasks}
		for v := range g.Totals {
			scores := []scoreData{}
			for i, interval := range evaluator.Intervals(g.Totals[v].Tallies, ks) {
				average := g.Totals[v].PassAt[i]
				average.Interval = interval
				scores = append(scores, newScore(&average))
			}
			group.Scores = append(group.Scores, scores)
		}
		data.Groups = append(data.Groups, group)
	}
	return data
}
