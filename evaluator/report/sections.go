package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/rule"
)

// This file is the sections of a page above its tasks, and the head of their table.

// pageHeadline writes the scores and the curve.
func pageHeadline(out *bytes.Buffer, title string, s *evaluator.Summary) {
	fmt.Fprintf(out, "<header><h1>%s</h1><p>%s, %s%s</p></header>\n",
		html.EscapeString(title), count(s.Tasks, "task"), count(s.Samples, "sample"), perTask(s))
	out.WriteString("<section class=\"hero card\" aria-label=\"Scores\"><div class=\"scores\">\n")
	explain := false
	for i := range s.Official {
		average := &s.Official[i]
		class := "score"
		if i == 0 {
			class += " first"
		}
		fmt.Fprintf(out, `<div class="%s"><h2>%s</h2>`, class, average.Name())
		if math.IsNaN(average.Value) {
			fmt.Fprintf(out, `<p class="value">not known</p><p class="sure">%d of %s had fewer than %s; the official formula says %s</p>`,
				average.Short, count(s.Tasks, "task"), count(average.K, "sample"), percent(average.Formula))
		} else {
			fmt.Fprintf(out, `<p class="value">%s</p>`, percent(average.Value))
			if known(average) {
				explain = true
				fmt.Fprintf(out, `<p class="sure">%.1f to %.1f · ± %.1f</p>`,
					100*average.Interval.Low, 100*average.Interval.High, 100*average.Stderr)
			}
		}
		out.WriteString("</div>\n")
	}
	if explain {
		out.WriteString("<p class=\"explain\">Below a score: its 95&nbsp;% interval, by a bootstrap over tasks, and ± its standard error.</p>\n")
	}
	out.WriteString("</div>\n")
	pageCurves(out, s.Fewest, curve{"", func(k int) (float64, float64) { return evaluator.PassAt(s.Outcomes, k) }})
	out.WriteString("</section>\n")
	for _, note := range unmatched(s) {
		pageNote(out, note)
	}
}

func pageNote(out *bytes.Buffer, text string) {
	fmt.Fprintf(out, "<p class=\"note\">%s</p>\n", html.EscapeString(text))
}

// A curve is pass@k of one run, with its standard error.
type curve struct {
	name string // "" of the only one
	at   func(k int) (value, stderr float64)
}

// pageCurves draws pass@k for each k that all tasks have samples for.
func pageCurves(out *bytes.Buffer, fewest int, curves ...curve) {
	last := min(fewest, 50)
	if last < 2 {
		return
	}
	const (
		width, height      = 460.0, 206.0
		left, right        = 44.0, 446.0
		top, bottom        = 12.0, 172.0
		confidence         = 1.96
		labelled, dotRange = 10, 20
	)
	x := func(k int) float64 { return left + (right-left)*float64(k-1)/float64(last-1) }
	y := func(v float64) float64 { return bottom - (bottom-top)*min(max(v, 0), 1) }
	var drawn strings.Builder
	var label []string
	for i, c := range curves {
		var line, band, dots strings.Builder
		var back []string
		for k := 1; k <= last; k++ {
			value, stderr := c.at(k)
			if math.IsNaN(stderr) {
				stderr = 0
			}
			switch k {
			case 1:
				label = append(label, fmt.Sprintf("%s rises from %s", cmp.Or(c.name, "pass@k"), percent(value)))
			case last:
				label[i] += fmt.Sprintf(" at k = 1 to %s at k = %d", percent(value), last)
			}
			fmt.Fprintf(&line, "%.1f,%.1f ", x(k), y(value))
			fmt.Fprintf(&band, "%.1f,%.1f ", x(k), y(value+confidence*stderr))
			back = append(back, fmt.Sprintf("%.1f,%.1f", x(k), y(value-confidence*stderr)))
			if last <= dotRange {
				fmt.Fprintf(&dots, `<circle cx="%.1f" cy="%.1f" r="3.5"><title>%spass@%d: %s</title></circle>`,
					x(k), y(value), strings.TrimLeft(c.name+" ", " "), k, percent(value))
			}
		}
		slices.Reverse(back)
		fmt.Fprintf(&drawn, `<g class="run%d"><polygon class="band" points="%s%s"/><polyline class="line" points="%s"/>%s</g>`, i, band.String(), strings.Join(back, " "), line.String(), dots.String())
	}
	fmt.Fprintf(out, `<figure class="curve"><svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, width, height, strings.Join(label, "; "))
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(out, `<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text class="tick" x="%g" y="%.1f" text-anchor="end">%.0f</text>`,
			left, right, y(v), y(v), left-8, y(v)+4, 100*v)
	}
	step := max(1, int(math.Ceil(float64(last)/labelled)))
	for k := 1; k <= last; k += step {
		fmt.Fprintf(out, `<text class="tick" x="%.1f" y="%g" text-anchor="middle">%d</text>`, x(k), bottom+20, k)
	}
	out.WriteString(drawn.String())
	out.WriteString("</svg>\n<figcaption>")
	for i, c := range curves {
		if c.name != "" {
			fmt.Fprintf(out, `<span class="key run%d"></span>%s · `, i, c.name)
		}
	}
	out.WriteString("pass@k in % by k, ± 1.96 standard errors</figcaption></figure>\n")
}

// pageCodes writes the chart of findings.
func pageCodes(out *bytes.Buffer, s *evaluator.Summary) {
	codes := changed(s)
	if len(codes) == 0 {
		return
	}
	passing := map[string]float64{}
	score := ""
	if len(s.Official) > 0 {
		score = s.Official[0].Name()
		for _, g := range s.Given {
			passing[g.Name] = g.Official[0].Value
		}
	}
	out.WriteString(`<section class="card" id="codes"><h2>Findings by code</h2>
<p class="legend"><span class="key fixed"></span>fixed <span class="key left"></span>left <span class="key introduced"></span>introduced</p>
`)
	const shown = 12
	widest := 1
	for _, code := range codes {
		c := &s.Codes[code]
		widest = max(widest, c.Given+c.Introduced)
	}
	row := func(code rule.Code) {
		c := &s.Codes[code]
		pageCode(out, code)
		fmt.Fprintf(out, `<td class="chart"><span class="bar" role="img" aria-label="%d fixed, %d left, %d introduced">`, c.Fixed, c.Left, c.Introduced)
		for _, part := range []struct {
			class string
			n     int
		}{{"fixed", c.Fixed}, {"left", c.Left}, {"introduced", c.Introduced}} {
			if part.n > 0 {
				fmt.Fprintf(out, `<i class="%s" style="width:%.2f%%"></i>`, part.class, 100*float64(part.n)/float64(widest))
			}
		}
		value := "-"
		if v, ok := passing[code.String()]; ok && !math.IsNaN(v) {
			value = fmt.Sprintf("%.1f", 100*v)
		}
		fmt.Fprintf(out, `</span></td><td class="n">%d</td><td class="n">%d</td><td class="n">%d</td><td class="n wide">%s</td></tr>`+"\n", c.Fixed, c.Left, c.Introduced, value)
	}
	head := `<div class="scroll" tabindex="0" role="region" aria-label="Findings by code"><table class="chart-table"><thead><tr><th scope="col">code</th><th scope="col" class="name">flake8 flags</th><th scope="col" class="chart"><span class="hidden">chart</span></th>` +
		`<th scope="col" class="n">fixed</th><th scope="col" class="n">left</th><th scope="col" class="n long">introduced</th><th scope="col" class="n wide">` + score + "</th></tr></thead><tbody>\n"
	pageFold(out, head, len(codes), shown, func(i int) { row(codes[i]) })
	if score != "" {
		fmt.Fprintf(out, "<p class=\"aside wide\">%s, in %%, is of the tasks whose program has the code.</p>\n", score)
	}
	out.WriteString("</section>\n")
}

// pageCode writes the start of a row of a chart by code.
func pageCode(out *bytes.Buffer, code rule.Code) {
	name := strings.ReplaceAll(code.Rule().Name, "-", " ")
	fmt.Fprintf(out, `<tr><th scope="row"><button type="button" class="code" data-code="%s" title="Show the tasks with %s: %s">%s</button></th><td class="name">%s</td>`,
		code, code, html.EscapeString(name), code, html.EscapeString(name))
}

// pageFold writes n rows of tables that begin with head, of which those after
// the first shown are folded away.
func pageFold(out *bytes.Buffer, head string, n, shown int, row func(int)) {
	const foot = "</tbody></table></div>\n"
	out.WriteString(head)
	for i := range n {
		if i == shown {
			fmt.Fprintf(out, "%s<details><summary>%s more</summary>\n%s", foot, count(n-shown, "code"), strings.Replace(head, `by code"`, `by code, the rest"`, 1))
		}
		row(i)
	}
	out.WriteString(foot)
	if n > shown {
		out.WriteString("</details>\n")
	}
}

// facts writes a table of numbers of samples.
type facts struct {
	out *bytes.Buffer
	of  int
}

func (f facts) start(heading string) {
	fmt.Fprintf(f.out, "<section class=\"card\"><h2>%s</h2>\n<table class=\"facts\"><thead class=\"hidden\"><tr><th scope=\"col\">what</th><th scope=\"col\">samples</th><th scope=\"col\">share</th></tr></thead><tbody>\n", heading)
}

func (f facts) row(n int, class, text string) {
	fmt.Fprintf(f.out, "<tr class=%q><th scope=\"row\">%s</th><td class=\"n\">%d</td><td class=\"n soft\">%s</td></tr>\n", class, text, n, share(n, f.of))
}

func (f facts) end() { f.out.WriteString("</tbody></table>\n") }

// pageSamples writes how samples pass and fail.
func (p *Page) pageSamples(out *bytes.Buffer, s *evaluator.Summary) {
	n := func(k kind) int { return int(p.kinds[k].Load()) }
	f := facts{out, s.Samples}
	f.start("How the samples did")
	f.row(s.Passed, "", "pass")
	f.row(s.Samples-s.Passed, "", "fail")
	f.row(n(invalid), "part", "are no valid Python: E999")
	f.row(n(lacking), "part", "leave findings")
	f.row(n(harmful), "part", "introduce findings")
	f.row(n(both), "part", "do both")
	f.end()
	note := func(all, pass kind, what string) {
		if all := n(all); all > 0 {
			fmt.Fprintf(out, "<p class=\"aside\">%s %s; %s.</p>\n",
				verbed(all, "answer has", "answers have"), what, verbed(n(pass), "of these passes", "of these pass"))
		}
	}
	note(empty, emptyPass, "no code")
	note(silenced, silentPass, "a <code># noqa</code>")
	out.WriteString("</section>\n")
}

// pageAnswers writes where the code stood.
func pageAnswers(out *bytes.Buffer, s *evaluator.Summary) {
	e := &s.Extraction
	f := facts{out, s.Samples}
	f.start("Where the code stood")
	f.row(e.Closed, "", "in closed fences")
	f.row(e.Open, "", "in a fence left open: cut off")
	f.row(e.Whole, "", "in no fence: the whole answer")
	f.row(e.NoPython, "", "only in other languages")
	f.row(e.Several, "", "in several blocks")
	f.end()
	if e.Saved > 0 {
		fmt.Fprintf(out, "<p class=\"aside\">%s and would pass if fences were read more forgivingly (%s). No score has %s in it.</p>\n",
			verbed(e.Saved, "sample fails", "samples fail"), forgiven(e), verb(e.Saved, "it", "them"))
	}
	out.WriteString("</section>\n")
}

// pageGroups writes the scores by length and by prompt.
func pageGroups(out *bytes.Buffer, s *evaluator.Summary) {
	const most = 20
	table := func(by string, groups []evaluator.Group) {
		fmt.Fprintf(out, `<div><table class="groups"><thead><tr><th scope="col">by %s</th><th scope="col" class="n">tasks</th>`, by)
		for i := range s.Official {
			fmt.Fprintf(out, `<th scope="col" class="n"><span class="hidden">pass</span>@%d</th>`, s.Official[i].K)
		}
		out.WriteString("</tr></thead><tbody>\n")
		for _, g := range groups[:min(len(groups), most)] {
			fmt.Fprintf(out, `<tr><th scope="row" title="%s"><bdi>%s</bdi></th><td class="n">%d</td>`, html.EscapeString(heading(g.Name)), html.EscapeString(heading(g.Name)), g.Tasks)
			for i := range g.Official {
				if value := g.Official[i].Value; math.IsNaN(value) {
					out.WriteString(`<td class="n">-</td>`)
				} else {
					fmt.Fprintf(out, `<td class="n">%.1f</td>`, 100*value)
				}
			}
			out.WriteString("</tr>\n")
		}
		out.WriteString("</tbody></table>\n")
		if n := len(groups) - most; n > 0 {
			fmt.Fprintf(out, "<p class=\"aside\">and %d more</p>\n", n)
		}
		out.WriteString("</div>\n")
	}
	out.WriteString("<section class=\"card\"><h2>pass@k by group, %</h2>\n<div class=\"scroll side\" tabindex=\"0\" role=\"region\" aria-label=\"Scores of groups of tasks\">\n")
	table("length", s.Lengths)
	if len(s.Prompts) > 1 {
		table("prompt", s.Prompts)
	}
	out.WriteString("</div></section>\n")
}

// A choice is one of a filter's, and how many tasks it leaves.
type choice struct {
	value, text string
	tasks       int
}

// A column of the table of tasks after the first. key names what the script
// sorts it by, and first is "-" where the largest come first.
type column struct{ heading, key, first, class string }

// pageControls writes the filters and the start of the table of tasks.
func pageControls(out *bytes.Buffer, given []evaluator.Group, passing string, choices []choice, columns []column) {
	fmt.Fprintf(out, `<section id="tasks" tabindex="-1"><h2>Tasks</h2>
<noscript><p class="note">The filters, the view of a task with its samples, and tasks after the thousandth need JavaScript.</p></noscript>
<form class="filters" role="search" aria-label="Tasks">
<label>Find <input type="search" id="find" placeholder="id or code" autocomplete="off" spellcheck="false"></label>
<label>%s <select id="passing"><option value="">any</option>`, passing)
	for _, c := range choices {
		if c.tasks > 0 {
			fmt.Fprintf(out, `<option value="%s">%s (%d)</option>`, c.value, c.text, c.tasks)
		}
	}
	out.WriteString(`</select></label>
<label>Code <select id="code"><option value="">any</option>`)
	for _, g := range given {
		fmt.Fprintf(out, `<option value="%s">%s (%d)</option>`, g.Name, g.Name, g.Tasks)
	}
	out.WriteString(`</select></label>
<output id="shown"></output>
</form>
<div class="card scroll" tabindex="0" role="region" aria-label="Table of tasks"><table class="tasks early"><thead><tr><th scope="col">task</th>`)
	for _, c := range columns {
		if c.key == "" {
			fmt.Fprintf(out, `<th scope="col" class="%s">%s</th>`, c.class, c.heading)
		} else {
			fmt.Fprintf(out, `<th scope="col" class="%s" data-sort="%s" data-first="%s"><button type="button" class="sort">%s</button></th>`, c.class, c.key, c.first, c.heading)
		}
	}
	out.WriteString("</tr></thead><tbody>\n")
}
