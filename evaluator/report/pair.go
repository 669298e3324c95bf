package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/rows"
	"codelinter/evaluator/stats"
	"codelinter/evaluator/task"
	"codelinter/rule"
)

// ReadPages makes the part of a page that is of tasks out of the results of two
// runs, a and b. Only tasks of both are in it, in the order of a. The page is then
// written by [Page.RenderPair].
func ReadPages(nameA string, a io.Reader, nameB string, b io.Reader, page *Page) error {
	// Each run has half of what samples may have.
	share := page.share / 4
	type part struct {
		task    pageTask
		options string // but for versions
		bare    bool
		rates   map[evaluator.Verdict]stats.Rate
		run     json.RawMessage

		squares squares
	}
	after := map[task.ID]part{}
	err := readRecords(nameB, b, func(_ rows.Row, r *record) error {
		task := newPageTask(r, page.share)
		run := page.run(r, task.Code, share)
		run.Name = "B"
		text, err := json.Marshal(run)
		rates := map[evaluator.Verdict]stats.Rate{}
		for v := range r.scores {
			rates[r.scores[v].verdict] = r.rate(v)
		}
		after[r.ID] = part{task, r.Options.Unpinned().String(), run.Bare, rates, text, newSquares(r)}
		return err
	})
	if err != nil {
		return err
	}
	var dst []byte
	return readRecords(nameA, a, func(line rows.Row, r *record) error {
		b, both := after[r.ID]
		if !both {
			return nil
		}
		task := newPageTask(r, page.share)
		run := page.run(r, task.Code, share)
		run.Name = "A"
		switch {
		case r.Options.Unpinned().String() != b.options:
			return line.Errorf("the options of task %s are not those which it has in %s", r.ID, nameB)
		case run.Bare:
			task = b.task
		case !b.bare && task.Code != b.task.Code:
			return line.Errorf("the program of task %s is not that which it has in %s", r.ID, nameB)
		}
		for _, count := range r.Given {
			page.given[count.Code]++
		}
		task.Runs = []any{run, b.run}
		row := taskRow{ID: string(r.ID), Codes: r.codes(), Squares: []squares{newSquares(r), b.squares}, Pair: true}
		var keys, classes []string
		for v := range r.scores {
			rateB, both := b.rates[r.scores[v].verdict]
			if !both {
				continue
			}
			change := Change{r.ID, r.rate(v), rateB}
			class := change.class()
			classes = append(classes, passingValue(r.scores[v].verdict, class))
			at := len(row.Verdicts)
			row.Verdicts = append(row.Verdicts, verdictCells{[]stats.Rate{change.A, change.B}, class, exact(change.by()), points(change.by())})
			keys = append(keys, fmt.Sprintf("a%d=%s b%d=%s by%d=%s size%d=%s",
				at, exact(rate(change.A)), at, exact(rate(change.B)), at, exact(change.by()), at, exact(-math.Abs(change.by()))))
		}
		row.Keys = strings.Join(keys, " ")
		row.Passing = strings.Join(classes, " ")
		dst = page.appendRow(dst[:0], &row, &task)
		_, err := page.Write(dst)
		return err
	})
}

// A pairPage is the sections of two runs.
type pairPage struct {
	A, B        string
	About       []namedPair
	Differences []pageDifference
	Notes       []string
	Codes       *codeChart
}

// A namedPair is a fact of each of two runs. Same reports whether they are equal.
type namedPair struct {
	Name, A, B string
	Same       bool
}

// A pageDifference is what lies between both runs by one verdict.
type pageDifference struct {
	Label, Of   string
	Scores      []scoreRow
	Better      string
	Worse, Same int
	P, How      string
	Curves      curves
	Scatter     scatter
}

// RenderPair writes a page of two runs, whose names are nameA and nameB.
func (p *Page) RenderPair(w io.Writer, nameA, nameB string, a, b *Run) error {
	c := Compare(a, b)
	pair := &pairPage{A: nameA, B: nameB, About: originsOf(a, b)}
	if c.Tasks == 0 {
		pair.Notes = append(pair.Notes, "No task is in both.")
	}
	columns, choices := []column{{"task", "place", "", ""}, {"samples of A", "", "", ""}, {"of B", "", "", ""}}, []choice{}
	for i := range c.Verdicts {
		d, name := &c.Verdicts[i], c.several(i)
		if c.Tasks > 0 {
			pair.Differences = append(pair.Differences, newPageDifference(d, i, c.Tasks, name))
		}
		choices = append(choices, passingChoices(d.Verdict, name != "", []choice{
			{"better", "better", d.Better}, {"worse", "worse", d.Worse}, {"same", "as well", d.Same},
		})...)
		at := fmt.Sprint(i)
		columns = append(columns, column{"A " + name + "passes", "a" + at, "", "n more"}, column{"B " + name + "passes", "b" + at, "", "n more"},
			column{name + "B − A", "by" + at, "-", [...]string{"n", "n more"}[min(i, 1)]})
	}
	columns = append(columns, column{"codes given", "", "", "codes"})
	pair.Notes = append(pair.Notes, c.notes()...)
	if a.Summary.Samples > 0 && b.Summary.Samples > 0 {
		pair.Codes = newPairChart(a.Summary, b.Summary)
	}
	var given []evaluator.Group
	for code, n := range p.given {
		if n > 0 {
			given = append(given, evaluator.Group{Name: rule.Code(code).String(), Tasks: n})
		}
	}
	return p.render(w, frame{
		pageHead: newPageHead(fmt.Sprintf("CodeLinterEval, %s and %s", nameA, nameB), pageStyle, script(), a.About, b.About),
		Class:    "pair",
		Pair:     pair,
		Controls: controls{
			Passing: "B against A",
			Choices: choices,
			Given:   given,
			Columns: columns,
			Order:   "size0 -by0 place",
			States:  statesOf(len(c.Verdicts)),
		},
	})
}

// originsOf returns which runs they were, as far as their results say.
func originsOf(a, b *Run) (pairs []namedPair) {
	after := origins(b.About, b.Summary)
	for _, fact := range origins(a.About, a.Summary) {
		pairs = append(pairs, namedPair{Name: fact.Name, A: fact.Value})
	}
	for _, fact := range after {
		at := slices.IndexFunc(pairs, func(pair namedPair) bool { return pair.Name == fact.Name })
		if at < 0 {
			at = len(pairs)
			pairs = append(pairs, namedPair{Name: fact.Name})
		}
		pairs[at].B = fact.Value
		pairs[at].Same = pairs[at].A == fact.Value
	}
	return pairs
}

// newPageDifference is the scores of both runs and what lies between them. name is
// the verdict's in that place, if there are several.
func newPageDifference(d *Difference, place, tasks int, name string) pageDifference {
	page := pageDifference{
		Label: strings.TrimSpace(name + "scores"), Of: name + "of " + count(tasks, "task"),
		Better: count(d.Better, "task"), Worse: d.Worse, Same: d.Same,
		P: chance(d.Test.P), How: d.how(), Scatter: newScatter(d, place, name),
	}
	for i := range d.Scores {
		s := &d.Scores[i]
		row := scoreRow{Name: fmt.Sprintf("pass@%d", s.K)}
		if s.Short > 0 {
			row.Cells = []number{{Class: "n soft", Text: fmt.Sprintf("not known: %s fewer than %s", verbed(s.Short, "task had", "tasks had"), count(s.K, "sample"))}}
		} else {
			row.Cells = []number{
				{Class: "n", Text: percent(s.A), Value: exact(s.A)}, {Class: "n", Text: percent(s.B), Value: exact(s.B)},
				{
					Class: "n by", Text: points(s.B - s.A), Value: exact(s.B - s.A),
					Low: exact(s.By.Low), High: exact(s.By.High), Sure: points(s.By.Low) + " to " + points(s.By.High),
				},
			}
		}
		page.Scores = append(page.Scores, row)
	}
	fewest := 0
	var tallies [2][]evaluator.Tally
	for _, pair := range d.pairs {
		for i, r := range []stats.Rate{pair.A, pair.B} {
			tallies[i] = append(tallies[i], evaluator.Tally{N: r.N, Passed: r.C, Tasks: 1})
			if r.N > 0 && (fewest == 0 || r.N < fewest) {
				fewest = r.N
			}
		}
	}
	at := func(tallies []evaluator.Tally) func(int) (float64, float64) {
		return func(k int) (float64, float64) { return evaluator.PassAt(tallies, k) }
	}
	page.Curves = newCurves(fewest, curve{"A", at(tallies[0])}, curve{"B", at(tallies[1])})
	page.Curves.Name = name
	return page
}

// newPairChart is the chart of what is found in the answers of both runs; nil if
// that is nothing.
func newPairChart(a, b *evaluator.Summary) *codeChart {
	found := func(s *evaluator.Summary, code rule.Code) float64 {
		return 100 * float64(s.Codes[code].Left+s.Codes[code].Introduced) / float64(s.Samples)
	}
	var codes []rule.Code
	for code := range rule.Code(rule.Count) {
		if x, y := found(a, code), found(b, code); x > 0 || y > 0 {
			codes = append(codes, code)
		}
	}
	if len(codes) == 0 {
		return nil
	}
	slices.SortStableFunc(codes, func(x, y rule.Code) int {
		return cmp.Compare(found(a, y)+found(b, y), found(a, x)+found(b, x))
	})
	chart := &codeChart{
		Heading: "Findings in 100 answers, by code",
		Legend:  []cellText{{"run0", "A"}, {"run1", "B"}},
		Heads:   []column{{"A", "a", "-", "n"}, {"B", "b", "-", "n"}, {"B − A", "by", "-", "n"}},
	}
	chart.Rows = byFamily(codes, func(row codeRow, codes []rule.Code) codeRow {
		x, y := 0.0, 0.0
		for _, code := range codes {
			x += found(a, code)
			y += found(b, code)
		}
		row.Label = fmt.Sprintf("A %.1f, B %.1f", x, y)
		row.Parts = []float64{x, y}
		for i, text := range []string{fmt.Sprintf("%.1f", x), fmt.Sprintf("%.1f", y), points((y - x) / 100)} {
			row.Cells = append(row.Cells, number{Class: "n", Text: text, Value: exact([...]float64{x, y, y - x}[i])})
		}
		return row
	})
	widest := 0.0
	for i := range chart.Rows {
		widest = max(widest, chart.Rows[i].Parts[0], chart.Rows[i].Parts[1])
	}
	for i := range chart.Rows {
		for j, n := range chart.Rows[i].Parts {
			chart.Rows[i].Bars = append(chart.Rows[i].Bars, []part{newPart(chart.Legend[j].Class, 0, 100*n/widest)})
		}
	}
	return chart
}
