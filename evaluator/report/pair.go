package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
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
		task  pageTask
		bare  bool
		rates map[evaluator.Verdict]stats.Rate
		run   json.RawMessage
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
		after[r.ID] = part{task, run.Bare, rates, text}
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
		case task.Options != b.task.Options:
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
		row := taskRow{ID: string(r.ID), Codes: r.codes()}
		var classes []string
		for v := range r.scores {
			rateB, both := b.rates[r.scores[v].verdict]
			if !both {
				continue
			}
			change := Change{r.ID, r.rate(v), rateB}
			class := change.class()
			classes = append(classes, passing(r.scores[v].verdict, class))
			row.Verdicts = append(row.Verdicts, verdictCells{[]meter{newMeter(change.A), newMeter(change.B)}, class, points(change.by())})
			if v == 0 {
				row.Pair = &pairRow{
					fmt.Sprintf("%.4f", rate(change.A)), fmt.Sprintf("%.4f", rate(change.B)), fmt.Sprintf("%.4f", change.by()),
				}
			}
		}
		row.Passing = strings.Join(classes, " ")
		dst = page.appendRow(dst[:0], &row, &task)
		_, err := page.Write(dst)
		return err
	})
}

// A pairPage is the sections of two runs.
type pairPage struct {
	A, B, SamplesA, SamplesB string
	About                    string
	Differences              []pageDifference
	Notes                    []string
	Codes                    *codeChart
}

// A pageDifference is what lies between both runs by one verdict.
type pageDifference struct {
	Label, Of   string
	Scores      []pageScorePair
	Better      string
	Worse, Same int
	P, How      string
	Curves      curves
}

type pageScorePair struct{ Name, Unknown, A, B, By, Interval string }

// RenderPair writes a page of two runs, whose names are nameA and nameB.
func (p *Page) RenderPair(w io.Writer, nameA, nameB string, a, b *Run) error {
	c := Compare(a, b)
	pair := &pairPage{
		A: nameA, B: nameB,
		SamplesA: count(a.Summary.Samples, "sample"), SamplesB: count(b.Summary.Samples, "sample"),
		About: originsOf(a, b),
	}
	if c.Tasks == 0 {
		pair.Notes = append(pair.Notes, "No task is in both.")
	}
	columns, choices := []column{}, []choice{}
	for i := range c.Verdicts {
		d, name := &c.Verdicts[i], c.several(i)
		if c.Tasks > 0 {
			pair.Differences = append(pair.Differences, newPageDifference(d, c.Tasks, name))
		}
		choices = append(choices, passingChoices(d.Verdict, name != "", []choice{
			{"better", "better", d.Better}, {"worse", "worse", d.Worse}, {"same", "as well", d.Same},
		})...)
		of := []column{{Heading: "A " + name + "passes"}, {Heading: "B " + name + "passes"}, {Heading: name + "B − A", Class: "n"}}
		if i == 0 {
			of[0].Key, of[1].Key, of[2].Key = "a", "b", "by"
		}
		columns = append(columns, of...)
	}
	columns = append(columns, column{"codes given", "", "", "codes"})
	pair.Notes = append(pair.Notes, c.alone()...)
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
		Title: fmt.Sprintf("CodeLinterEval, %s and %s", nameA, nameB),
		Class: "pair",
		Pair:  pair,
		Controls: controls{
			Passing: "B against A",
			Choices: choices,
			Given:   given,
			Columns: columns,
		},
	})
}

// originsOf returns which runs they were, as far as their results say.
func originsOf(a, b *Run) string {
	before, after := origins(a.About), origins(b.About)
	switch {
	case before == after:
		return before
	case before == "":
		return "B: " + after
	case after == "":
		return "A: " + before
	}
	return "A: " + before + " · B: " + after
}

// newPageDifference is the scores of both runs and what lies between them. name is
// the verdict's, if there are several.
func newPageDifference(d *Difference, tasks int, name string) pageDifference {
	page := pageDifference{
		Label: strings.TrimSpace(name + "Scores"), Of: name + "of " + count(tasks, "task"),
		Better: count(d.Better, "task"), Worse: d.Worse, Same: d.Same,
		P: chance(d.Test.P), How: d.how(),
	}
	for i := range d.Scores {
		s := &d.Scores[i]
		score := pageScorePair{Name: fmt.Sprintf("pass@%d", s.K)}
		if s.Short > 0 {
			score.Unknown = fmt.Sprintf("not known: %s fewer than %s", verbed(s.Short, "task had", "tasks had"), count(s.K, "sample"))
		} else {
			score.A, score.B, score.By = percent(s.A), percent(s.B), points(s.B-s.A)
			score.Interval = points(s.By.Low) + " to " + points(s.By.High)
		}
		page.Scores = append(page.Scores, score)
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
	return page
}

// newPairChart is the chart of what is found in the answers of both runs; nil if
// that is nothing.
func newPairChart(a, b *evaluator.Summary) *codeChart {
	found := func(s *evaluator.Summary, code rule.Code) float64 {
		return 100 * float64(s.Codes[code].Left+s.Codes[code].Introduced) / float64(s.Samples)
	}
	var codes []rule.Code
	widest := 0.0
	for code := range rule.Code(rule.Count) {
		if x, y := found(a, code), found(b, code); x > 0 || y > 0 {
			codes = append(codes, code)
			widest = max(widest, x, y)
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
		Heads:   []cellText{{"n", "A"}, {"n", "B"}, {"n", "B − A"}},
	}
	var rows []codeRow
	for _, code := range codes {
		x, y := found(a, code), found(b, code)
		row := newCodeRow(code)
		row.Label = fmt.Sprintf("A %.1f, B %.1f", x, y)
		row.Bars = []part{{"run0", fmt.Sprintf("%.2f", 100*x/widest)}, {"run1", fmt.Sprintf("%.2f", 100*y/widest)}}
		row.Cells = []cellText{{"n", fmt.Sprintf("%.1f", x)}, {"n", fmt.Sprintf("%.1f", y)}, {"n", fmt.Sprintf("%+.1f", y-x)}}
		rows = append(rows, row)
	}
	chart.fold(rows)
	return chart
}
