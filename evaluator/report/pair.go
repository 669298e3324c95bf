package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"

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
		task pageTask
		bare bool
		rate stats.Rate
		run  json.RawMessage
	}
	after := map[task.ID]part{}
	err := readRecords(nameB, b, func(_ rows.Row, r *record) error {
		task := newPageTask(r, page.share)
		run := page.run(r, task.Code, share)
		run.Name = "B"
		text, err := json.Marshal(run)
		after[r.ID] = part{task, run.Bare, r.rate(), text}
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
		change := Change{r.ID, r.rate(), b.rate}
		class := "same"
		switch by := change.by(); {
		case by > 0:
			class = "better"
		case by < 0:
			class = "worse"
		}
		dst = appendRow(dst[:0], r, class, fmt.Sprintf(`data-a="%.4f" data-b="%.4f" data-by="%.4f"`, rate(change.A), rate(change.B), change.by()))
		dst = appendMeter(dst, change.A)
		dst = appendMeter(dst, change.B)
		dst = fmt.Appendf(dst, `<td class="n %s">%s</td>`, class, points(change.by()))
		dst = append(appendCodes(dst, r), "</tr>"...)
		_, err := page.Write(appendTexts(dst, &task))
		return err
	})
}

// RenderPair writes a page of two runs, whose names are nameA and nameB.
func (p *Page) RenderPair(w io.Writer, nameA, nameB string, a, b *Run) error {
	c := Compare(a, b)
	var out bytes.Buffer
	title := fmt.Sprintf("CodeLinterEval, %s and %s", nameA, nameB)
	pageStart(&out, title, "pair")
	fmt.Fprintf(&out, `<header><h1>CodeLinterEval, two runs</h1><p><span class="key run0"></span>A: <bdi>%s</bdi>, %s<br><span class="key run1"></span>B: <bdi>%s</bdi>, %s</p></header>`+"\n",
		html.EscapeString(nameA), count(a.Summary.Samples, "sample"), html.EscapeString(nameB), count(b.Summary.Samples, "sample"))
	if c.Tasks == 0 {
		pageNote(&out, "No task is in both.")
	} else {
		pageDifference(&out, c)
	}
	for _, note := range c.alone() {
		pageNote(&out, note)
	}
	if a.Summary.Samples > 0 && b.Summary.Samples > 0 {
		pagePairCodes(&out, a.Summary, b.Summary)
	}
	var given []evaluator.Group
	for code, n := range p.given {
		if n > 0 {
			given = append(given, evaluator.Group{Name: rule.Code(code).String(), Tasks: n})
		}
	}
	pageControls(&out, given, "B against A", []choice{
		{"better", "better", c.Better}, {"worse", "worse", c.Worse}, {"same", "as well", c.Same},
	}, []column{
		{"A passes", "a", "", ""}, {"B passes", "b", "", ""}, {"B − A", "by", "", "n"}, {"codes given", "", "", "codes"},
	})
	return p.finish(w, &out)
}

// pageDifference writes the scores of both runs and what lies between them.
func pageDifference(out *bytes.Buffer, c *Comparison) {
	fmt.Fprintf(out, `<section class="hero card" aria-label="Scores"><div>
<div class="scroll" tabindex="0" role="region" aria-label="Scores of both runs"><table class="scores-table"><thead><tr><th scope="col">of %s</th><th scope="col" class="n">A</th><th scope="col" class="n">B</th><th scope="col" class="n">B − A</th><th scope="col" class="n">95&nbsp;%% interval</th></tr></thead><tbody>
`, count(c.Tasks, "task"))
	for i := range c.Scores {
		s := &c.Scores[i]
		if s.Short > 0 {
			fmt.Fprintf(out, `<tr><th scope="row">pass@%d</th><td colspan="4" class="n soft">not known: %s fewer than %s</td></tr>`+"\n",
				s.K, verbed(s.Short, "task had", "tasks had"), count(s.K, "sample"))
			continue
		}
		fmt.Fprintf(out, `<tr><th scope="row">pass@%d</th><td class="n">%s</td><td class="n">%s</td><td class="n"><b>%s</b></td><td class="n">%s to %s</td></tr>`+"\n",
			s.K, percent(s.A), percent(s.B), points(s.B-s.A), points(s.By.Low), points(s.By.High))
	}
	fmt.Fprintf(out, `</tbody></table></div>
<p>B does better on <b>%s</b>, worse on <b>%d</b>, and as well on <b>%d</b>.</p>
<p class="explain">Were A and B equals, pass@1 would differ by so much with p = <b>%s</b> (paired permutation test, %s).</p>
</div>
`, count(c.Better, "task"), c.Worse, c.Same, chance(c.Test.P), c.how())
	fewest := 0
	var outcomes [2][]evaluator.Outcome
	for _, pair := range c.pairs {
		for i, r := range []stats.Rate{pair.A, pair.B} {
			outcomes[i] = append(outcomes[i], evaluator.Outcome{N: r.N, Passed: r.C, Tasks: 1})
			if r.N > 0 && (fewest == 0 || r.N < fewest) {
				fewest = r.N
			}
		}
	}
	at := func(outcomes []evaluator.Outcome) func(int) (float64, float64) {
		return func(k int) (float64, float64) { return evaluator.PassAt(outcomes, k) }
	}
	pageCurves(out, fewest, curve{"A", at(outcomes[0])}, curve{"B", at(outcomes[1])})
	out.WriteString("</section>\n")
}

// pagePairCodes writes the chart of what is found in the answers of both runs.
func pagePairCodes(out *bytes.Buffer, a, b *evaluator.Summary) {
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
		return
	}
	slices.SortStableFunc(codes, func(x, y rule.Code) int {
		return cmp.Compare(found(a, y)+found(b, y), found(a, x)+found(b, x))
	})
	out.WriteString(`<section class="card" id="codes"><h2>Findings in 100 answers, by code</h2>
<p class="legend"><span class="key run0"></span>A <span class="key run1"></span>B</p>
`)
	const head = `<div class="scroll" tabindex="0" role="region" aria-label="Findings by code"><table class="chart-table"><thead><tr><th scope="col">code</th><th scope="col" class="name">flake8 flags</th><th scope="col" class="chart"><span class="hidden">chart</span></th>` +
		`<th scope="col" class="n">A</th><th scope="col" class="n">B</th><th scope="col" class="n">B − A</th></tr></thead><tbody>` + "\n"
	pageFold(out, head, len(codes), 12, func(i int) {
		x, y := found(a, codes[i]), found(b, codes[i])
		pageCode(out, codes[i])
		fmt.Fprintf(out, `<td class="chart"><span class="bars" role="img" aria-label="A %.1f, B %.1f"><span class="bar"><i class="run0" style="width:%.2f%%"></i></span><span class="bar"><i class="run1" style="width:%.2f%%"></i></span></span></td>`,
			x, y, 100*x/widest, 100*y/widest)
		fmt.Fprintf(out, `<td class="n">%.1f</td><td class="n">%.1f</td><td class="n">%+.1f</td></tr>`+"\n", x, y, y-x)
	})
	out.WriteString("</section>\n")
}
