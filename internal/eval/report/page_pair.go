package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/rule"
)

// ReadPages makes the tasks of a page from the results of two runs, a and b. The
// page has the tasks that both have, in the order of a. [Page.RenderPair] then
// writes it.
func ReadPages(nameA string, a io.Reader, nameB string, b io.Reader, page *Page) error {
	// Each run has half of what samples may have.
	share := page.share / 4
	type part struct {
		task    pageTask
		options string // without versions
		bare    bool
		row     rowRun
		places  map[evaluator.Verdict]int // of its verdicts
		run     json.RawMessage
	}
	after := map[task.ID]part{}
	err := readRecords(nameB, b, func(_ rows.Row, r *record) error {
		if r.NotAsked {
			return nil
		}
		task := newPageTask(r, page.share)
		run := newPageRun(r, task.Code, share)
		run.Name = "B"
		places := map[evaluator.Verdict]int{}
		for v := range r.Scores {
			places[r.Scores[v].Verdict] = v
		}
		after[r.line.ID] = part{task, r.line.Options.Unpinned().String(), run.Bare, newRowRun(r), places, marshal(run)}
		return nil
	})
	if err != nil {
		return err
	}
	return readRecords(nameA, a, func(line rows.Row, r *record) error {
		b, both := after[r.line.ID]
		if !both || r.NotAsked {
			return nil
		}
		task := newPageTask(r, page.share)
		run := newPageRun(r, task.Code, share)
		run.Name = "A"
		switch {
		case r.line.Options.Unpinned().String() != b.options:
			return line.Errorf("the options of task %s are not those which it has in %s", r.line.ID, nameB)
		case run.Bare:
			task = b.task
		case !b.bare && task.Code != b.task.Code:
			return line.Errorf("the program of task %s is not that which it has in %s", r.line.ID, nameB)
		}
		task.Runs = []any{run, b.run}
		row := newPageRow(r)
		row.Runs = []rowRun{newRowRun(r), b.row}
		for i := range row.Runs {
			row.Runs[i].Passed = nil
		}
		// Only verdicts that both have are compared.
		for v := range r.Scores {
			if place, both := b.places[r.Scores[v].Verdict]; both {
				row.Runs[0].Passed = append(row.Runs[0].Passed, r.Scores[v].Passed)
				row.Runs[1].Passed = append(row.Runs[1].Passed, b.row.Passed[place])
			}
		}
		_, err := page.Write(appendTask(nil, &row, &task))
		return err
	})
}

// pairData is the data of two runs without their tasks.
type pairData struct {
	Names    [2]string         `json:"names"`
	Files    [2]string         `json:"files"`
	About    []namedPair       `json:"about"`
	Tasks    int               `json:"tasks"`
	Notes    []string          `json:"notes"`
	Verdicts []json.RawMessage `json:"verdicts"` // see [Difference.page]
	Codes    []pairCode        `json:"codes"`
	Samples  [2]int            `json:"samples"`
	Ways     []boardWay        `json:"ways"`
}

// A namedPair is a fact about each of two runs.
type namedPair struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// pairCode has the findings of a code in 100 answers of each run, see [pairCodes].
type pairCode struct {
	Code string  `json:"code"`
	Name string  `json:"name"`
	A    float64 `json:"a"`
	B    float64 `json:"b"`
}

// RenderPair writes a page of two runs, read from the files a and b.
func (p *Page) RenderPair(w io.Writer, fileA, fileB string, a, b *Run) error {
	c := Compare(a, b)
	names := entryNames([]string{fileA, fileB}, []*Run{a, b})
	pair := &pairData{
		Names: [2]string(names), Files: [2]string{fileA, fileB}, About: originsOf(a, b), Tasks: c.Tasks, Notes: []string{},
		Verdicts: []json.RawMessage{}, Codes: pairCodes(a, b, c.ids),
		Ways: boardWays([]Entry{{Run: a}, {Run: b}}, c.ids, mostApart),
	}
	for _, id := range c.ids {
		pair.Samples[0] += a.rates[id][0].N
		pair.Samples[1] += b.rates[id][0].N
	}
	if c.Tasks == 0 {
		pair.Notes = append(pair.Notes, "No task is in both.")
	}
	pair.Notes = append(pair.Notes, c.notes()...)
	var plain []string
	for i := range c.Verdicts {
		if d := &c.Verdicts[i]; c.Tasks > 0 {
			pair.Verdicts = append(pair.Verdicts, d.page())
			for _, s := range d.Scores {
				plain = append(plain, fmt.Sprintf("%s pass@%d: %s and %s", d.Verdict, s.K, percent(s.A), percent(s.B)))
			}
		}
	}
	return renderPage(w, pageData{Title: fmt.Sprintf("CodeLinterEval, %s and %s", names[0], names[1]), Pair: pair}, p.tasks.Bytes(), plain, a.About, b.About)
}

// originsOf returns facts about both runs, as far as their results have them.
func originsOf(a, b *Run) (pairs []namedPair) {
	for _, fact := range origins(a.About, a.Summary) {
		pairs = append(pairs, namedPair{Name: fact.Name, A: fact.Value})
	}
	for _, fact := range origins(b.About, b.Summary) {
		at := slices.IndexFunc(pairs, func(pair namedPair) bool { return pair.Name == fact.Name })
		if at < 0 {
			at = len(pairs)
			pairs = append(pairs, namedPair{Name: fact.Name})
		}
		pairs[at].B = fact.Value
	}
	return pairs
}

// page returns the difference for a page: the fields of [Comparison.JSON] but for the tasks, and
// the curves of both runs, see [verdictData].
func (d *Difference) page() json.RawMessage {
	curves := d.curves()
	return pyjson.AppendLine(nil, append(pyjson.Object{{"name", d.Verdict}, {"curves", curves}}, d.sums()...))
}

// pairCodes returns the codes found in the answers of both runs to the tasks with these ids, the
// ones that separate the runs most first. The findings in 100 answers are the mean over the tasks
// that a run has samples of. So a task counts the same in both runs, however many samples they
// have. Without samples of both runs there are none.
func pairCodes(a, b *Run, ids []task.ID) []pairCode {
	var found [2]rule.Table[float64]
	for i, run := range []*Run{a, b} {
		answered := 0.0
		for _, id := range ids {
			n := run.rates[id][0].N
			if n == 0 {
				continue
			}
			answered++
			for _, of := range run.found[id] {
				*found[i].At(of.code) += 100 * float64(of.count) / float64(n)
			}
		}
		if answered == 0 {
			return []pairCode{}
		}
		for _, mean := range found[i].All() {
			*mean /= answered
		}
	}
	codes := []pairCode{}
	for code := range found[1].Foreign() {
		found[0].At(code) // so that its codes are those of both
	}
	for code, x := range found[0].All() {
		if y := found[1].Of(code); *x > 0 || y > 0 {
			codes = append(codes, pairCode{code.String(), codeName(code), *x, y})
		}
	}
	slices.SortStableFunc(codes, func(x, y pairCode) int {
		return cmp.Or(cmp.Compare(math.Abs(y.B-y.A), math.Abs(x.B-x.A)), cmp.Compare(y.A+y.B, x.A+x.B))
	})
	return codes
}
