package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/rule"
)

var (
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// PageBytes is about how much of tasks' and samples' texts a [Page] holds, so
// that browsers open it whatever the run. Each task has an equal share, and each
// of its samples an equal share of half of that; what is longer is cut. Samples
// that would have less than [sampleBytes] are left out, the last ones first. The
// page says so where either is done.
const PageBytes = 32 << 20

// sampleBytes is the least of a sample that is worth looking at.
const sampleBytes = 512

// A Page is a run as one file of HTML, which loads nothing else: the scores, what
// became of each code's findings, and a view of each task with its samples.
//
// Results are given to it as to a file, by [Page.Encode] and [Page.Write], and
// [Page.Render] then writes the page. Everything that a model or a task's author
// wrote reaches the browser as text: escaped in HTML, and as JSON with "<"
// escaped, which the script puts into text nodes alone. A content security policy
// lets no other script run.
type Page struct {
	share int // bytes of a task's texts
	tasks bytes.Buffer
}

// NewPage returns a page for so many tasks.
func NewPage(tasks int) *Page { return &Page{share: PageBytes / max(tasks, 1)} }

// Encode appends a task's part of the page, on any goroutine.
func (p *Page) Encode(dst []byte, r *evaluator.Result) []byte {
	record := newRecord(r, true)
	return p.append(dst, &record)
}

// Write takes parts that Encode made, in the order of the page.
func (p *Page) Write(parts []byte) (int, error) { return p.tasks.Write(parts) }

// append appends the task's row in the table, and its texts for the script.
func (p *Page) append(dst []byte, r *record) []byte {
	given, fixed, left, introduced := 0, 0, 0, 0
	var codes []string
	for _, count := range r.Given {
		given += count.N
		codes = append(codes, count.Code.String())
	}
	for i := range r.Samples {
		fixed += r.Samples[i].Fixed
		left += r.Samples[i].Left
		introduced += r.Samples[i].Introduced
	}
	id := string(r.ID)
	class, share := "none", 0.0
	switch {
	case r.N == 0:
		class = "empty"
	case r.Official.passed == r.N:
		class, share = "all", 1
	case r.Official.passed > 0:
		class, share = "some", float64(r.Official.passed)/float64(r.N)
	}
	dst = fmt.Appendf(dst, `<tr class="task" data-id="%s" data-pass="%s" data-share="%.4f" data-codes="%s" data-given="%d" data-left="%d" data-introduced="%d">`,
		html.EscapeString(id), class, share, strings.Join(codes, " "), given, left, introduced)
	dst = fmt.Appendf(dst, `<th scope="row"><a href="#task/%s">%s</a></th>`, html.EscapeString(url.PathEscape(id)), html.EscapeString(id))
	dst = fmt.Appendf(dst, `<td class="passes"><span class="meter"><i style="width:%.1f%%"></i></span> %d/%d</td><td class="codes">`, 100*share, r.Official.passed, r.N)
	for i, code := range codes {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, code...)
	}
	dst = fmt.Appendf(dst, `</td><td class="n">%d</td><td class="n">%d</td><td class="n">%d</td></tr>`, fixed, left, introduced)
	dst = append(dst, `<script type="application/json" class="texts">`...)
	texts, err := json.Marshal(p.texts(r)) // with "<" as \u003c
	if err != nil {
		panic(err) // of types that always encode
	}
	dst = append(dst, texts...)
	return append(dst, "</script>\n"...)
}

// pageTask is what the script is told of a task.
type pageTask struct {
	ID          string       `json:"id"`
	Instruction string       `json:"instruction,omitempty"`
	Code        string       `json:"code,omitempty"`
	Feedback    string       `json:"feedback,omitempty"`
	Cut         bool         `json:"cut,omitempty"`  // any of these
	Bare        bool         `json:"bare,omitempty"` // there are no texts
	N           int          `json:"n"`
	Passed      int          `json:"passed"`
	Samples     []pageSample `json:"samples"` // the first of them
}

type pageSample struct {
	Pass       bool     `json:"pass"`
	Source     string   `json:"source"`
	Blocks     int      `json:"blocks"`
	Python     int      `json:"python"`
	Fixed      int      `json:"fixed"`
	Left       int      `json:"left"`
	Introduced int      `json:"introduced"`
	Saved      []string `json:"saved,omitempty"`
	// Row is that of the code's first line: 2 for code out of fences, whose
	// first line is empty and not in Code.
	Row  int    `json:"row"`
	Code string `json:"code"`
	Cut  bool   `json:"cut,omitempty"`
	// Diff has three numbers again and again: how many lines of the task's
	// program and of Code are the same, how many of the program's are then
	// removed, and how many of Code's are added.
	Diff     []int         `json:"diff,omitempty"`
	Output   string        `json:"output,omitempty"`
	OutCut   bool          `json:"outputCut,omitempty"`
	Found    int           `json:"found"`
	Findings []pageFinding `json:"findings,omitempty"`
}

type pageFinding struct {
	Row     int32  `json:"row"`
	Column  int32  `json:"column"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// maxPageFindings is how many of a sample's findings a page marks.
const maxPageFindings = 50

func (p *Page) texts(r *record) pageTask {
	shown := min(len(r.Samples), max(1, p.share/2/sampleBytes))
	task := pageTask{ID: string(r.ID), Bare: r.Task == nil, N: r.N, Passed: r.Official.passed, Samples: make([]pageSample, shown)}
	var program []string
	if r.Task != nil {
		var cut [3]bool
		task.Code, cut[0] = clip(r.Task.Code, p.share/4)
		task.Instruction, cut[1] = clip(r.Task.Instruction, p.share/8)
		task.Feedback, cut[2] = clip(r.Task.Feedback, p.share/8)
		task.Cut = slices.Contains(cut[:], true)
		program = splitLines(task.Code)
	}
	share := p.share / 2 / max(shown, 1)
	for i := range task.Samples {
		from := &r.Samples[i]
		to := pageSample{
			Pass: from.Official, Source: from.Extraction, Blocks: from.Blocks, Python: from.Python,
			Fixed: from.Fixed, Left: from.Left, Introduced: from.Introduced,
			Saved: from.Saved, Found: from.Found, Row: 1,
		}
		for _, f := range from.Findings[:min(len(from.Findings), maxPageFindings, share/64)] {
			text, _ := clip(f.Text, 300)
			to.Findings = append(to.Findings, pageFinding{f.Row, f.Column, f.Code, text})
		}
		if from.Output != nil && r.Task != nil {
			found := extract.Code(*from.Output)
			if found.Source != extract.Whole {
				found.Text = strings.TrimPrefix(found.Text, "\n")
				to.Row = 2
			}
			to.Code, to.Cut = clip(found.Text, share*5/8)
			to.Diff = diff(program, splitLines(to.Code))
			if found.Source != extract.Whole {
				to.Output, to.OutCut = clip(*from.Output, share*3/8)
			}
		}
		task.Samples[i] = to
	}
	return task
}

// splitLines cuts text after each newline. A last line without one is a line.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// diff compares lines as [pageSample] has them.
func diff(before, after []string) []int {
	var runs []int
	at := 0
	for _, d := range lcs.DiffLines(before, after) {
		runs = append(runs, d.Start-at, d.End-d.Start, d.ReplEnd-d.ReplStart)
		at = d.End
	}
	if at < len(before) {
		runs = append(runs, len(before)-at, 0, 0)
	}
	return runs
}

// clip cuts text so that it has at most limit bytes as JSON in a page.
func clip(text string, limit int) (string, bool) {
	bytes := 0
	for i, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '"' || r == '\\' || r == '\r':
			bytes += 2
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError:
			bytes += 6
		default:
			bytes += utf8.RuneLen(r)
		}
		if bytes > limit {
			return text[:i], true
		}
	}
	return text, false
}

// Render writes the whole page. title says what was scored.
func (p *Page) Render(w io.Writer, title string, s *evaluator.Summary) error {
	var out bytes.Buffer
	hash := sha256.Sum256([]byte(pageScript))
	fmt.Fprintf(&out, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<a class="skip" href="#tasks">Skip to the tasks</a>
<main id="run">
`, base64.StdEncoding.EncodeToString(hash[:]), html.EscapeString(title), pageStyle)
	pageHeadline(&out, title, s)
	if s.Samples > 0 {
		pageCodes(&out, s)
		out.WriteString("<div class=\"columns\">\n")
		pageAnswers(&out, s)
		pageGroups(&out, s)
		out.WriteString("</div>\n")
	}
	pageControls(&out, s)
	if _, err := w.Write(out.Bytes()); err != nil {
		return err
	}
	if _, err := w.Write(p.tasks.Bytes()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, `</tbody></table></div>
<p id="nothing" hidden>No task is left. <button type="button" id="reset">Show all</button></p>
</section>
<footer>Made by codelinter. The verdict is that of flake8 7.3.0 with its defaults; nothing was run.</footer>
</main>
<main id="task" hidden tabindex="-1"></main>
<noscript><p class="note">The filters and the view of a task need JavaScript.</p></noscript>
<script>%s</script>
</body>
</html>
`, pageScript)
	return err
}

// pageHeadline writes the scores and the curve.
func pageHeadline(out *bytes.Buffer, title string, s *evaluator.Summary) {
	fmt.Fprintf(out, "<header><h1>%s</h1><p>%s, %s%s</p></header>\n",
		html.EscapeString(title), count(s.Tasks, "task"), count(s.Samples, "sample"), perTask(s))
	out.WriteString("<section class=\"hero card\" aria-label=\"Scores\"><div class=\"scores\">\n")
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
				fmt.Fprintf(out, `<p class="sure" title="95 %% interval by a bootstrap over tasks; standard error over tasks">%.1f to %.1f · ± %.1f</p>`,
					100*average.Interval.Low, 100*average.Interval.High, 100*average.Stderr)
			}
		}
		out.WriteString("</div>\n")
	}
	out.WriteString("</div>\n")
	pageCurve(out, s)
	out.WriteString("</section>\n")
	if n := len(s.Missing); n > 0 {
		fmt.Fprintf(out, `<p class="note">%s had no samples and %s as failed: %s</p>`+"\n",
			count(n, "task"), verb(n, "counts", "count"), html.EscapeString(some(s.Missing, n)))
	}
	if n := s.Unknown; n > 0 {
		fmt.Fprintf(out, `<p class="note">%s of samples %s no task's id and %s left out: %s</p>`+"\n",
			count(n, "line"), verb(n, "has", "have"), verb(n, "is", "are"), html.EscapeString(some(s.UnknownIDs, n)))
	}
}

// pageCurve draws pass@k for each k that all tasks have samples for.
func pageCurve(out *bytes.Buffer, s *evaluator.Summary) {
	last := min(s.Fewest, 50)
	if last < 2 {
		return
	}
	const (
		width, height      = 460.0, 210.0
		left, right        = 40.0, 446.0
		top, bottom        = 12.0, 176.0
		confidence         = 1.96
		labelled, dotRange = 10, 20
	)
	x := func(k int) float64 { return left + (right-left)*float64(k-1)/float64(last-1) }
	y := func(v float64) float64 { return bottom - (bottom-top)*min(max(v, 0), 1) }
	var line, band, back, dots strings.Builder
	var first, end float64
	for k := 1; k <= last; k++ {
		value, stderr := evaluator.PassAt(s.Outcomes, k)
		if math.IsNaN(stderr) {
			stderr = 0
		}
		if k == 1 {
			first = value
		}
		end = value
		fmt.Fprintf(&line, "%.1f,%.1f ", x(k), y(value))
		fmt.Fprintf(&band, "%.1f,%.1f ", x(k), y(value+confidence*stderr))
		if last <= dotRange {
			fmt.Fprintf(&dots, `<circle cx="%.1f" cy="%.1f" r="3.5"><title>pass@%d: %s</title></circle>`, x(k), y(value), k, percent(value))
		}
	}
	for k := last; k >= 1; k-- {
		value, stderr := evaluator.PassAt(s.Outcomes, k)
		if math.IsNaN(stderr) {
			stderr = 0
		}
		fmt.Fprintf(&back, "%.1f,%.1f ", x(k), y(value-confidence*stderr))
	}
	fmt.Fprintf(out, `<figure class="curve"><svg viewBox="0 0 %g %g" role="img" aria-label="pass@k rises from %s at k = 1 to %s at k = %d">`,
		width, height, percent(first), percent(end), last)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(out, `<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text class="tick" x="%g" y="%.1f" text-anchor="end">%.0f</text>`,
			left, right, y(v), y(v), left-8, y(v)+4, 100*v)
	}
	step := max(1, int(math.Ceil(float64(last)/labelled)))
	for k := 1; k <= last; k += step {
		fmt.Fprintf(out, `<text class="tick" x="%.1f" y="%g" text-anchor="middle">%d</text>`, x(k), bottom+18, k)
	}
	fmt.Fprintf(out, `<polygon class="band" points="%s%s"/><polyline class="line" points="%s"/>%s</svg>`, band.String(), back.String(), line.String(), dots.String())
	out.WriteString("<figcaption>pass@k, %, by k; the band is 1.96 standard errors</figcaption></figure>\n")
}

// pageCodes writes the chart of findings.
func pageCodes(out *bytes.Buffer, s *evaluator.Summary) {
	codes := changed(s)
	if len(codes) == 0 {
		return
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
		name := strings.ReplaceAll(rule.Catalog[code].Name, "-", " ")
		fmt.Fprintf(out, `<tr><th scope="row"><button type="button" class="code" data-code="%s" title="Show the tasks with %s">%s</button></th><td class="name">%s</td>`,
			code, code, code, html.EscapeString(name))
		fmt.Fprintf(out, `<td class="chart"><span class="bar" role="img" aria-label="%d fixed, %d left, %d introduced">`, c.Fixed, c.Left, c.Introduced)
		for _, part := range []struct {
			class string
			n     int
		}{{"fixed", c.Fixed}, {"left", c.Left}, {"introduced", c.Introduced}} {
			if part.n > 0 {
				fmt.Fprintf(out, `<i class="%s" style="width:%.2f%%"></i>`, part.class, 100*float64(part.n)/float64(widest))
			}
		}
		fmt.Fprintf(out, `</span></td><td class="n">%d</td><td class="n">%d</td><td class="n">%d</td></tr>`+"\n", c.Fixed, c.Left, c.Introduced)
	}
	const head = `<table class="chart-table"><thead><tr><th scope="col">code</th><th scope="col" class="name">flake8 flags</th><th scope="col" class="chart"><span class="hidden">chart</span></th>` +
		`<th scope="col" class="n">fixed</th><th scope="col" class="n">left</th><th scope="col" class="n">introd.</th></tr></thead><tbody>` + "\n"
	out.WriteString(head)
	for i, code := range codes {
		if i == shown {
			fmt.Fprintf(out, "</tbody></table>\n<details><summary>%s more</summary>\n%s", count(len(codes)-shown, "code"), head)
		}
		row(code)
	}
	out.WriteString("</tbody></table>\n")
	if len(codes) > shown {
		out.WriteString("</details>\n")
	}
	out.WriteString("</section>\n")
}

// pageAnswers writes where the code stood.
func pageAnswers(out *bytes.Buffer, s *evaluator.Summary) {
	e := &s.Extraction
	out.WriteString("<section class=\"card\"><h2>Where the code stood</h2>\n<dl class=\"facts\">\n")
	fact := func(n int, text string) {
		fmt.Fprintf(out, "<div><dt>%s</dt><dd>%d <small>%s</small></dd></div>\n", text, n, share(n, s.Samples))
	}
	fact(e.Closed, "in closed fences")
	fact(e.Open, "in a fence left open: cut off")
	fact(e.Whole, "in no fence: the whole answer")
	fact(e.NoPython, "only in other languages")
	fact(e.Several, "in several blocks")
	out.WriteString("</dl>\n")
	if e.Saved > 0 {
		var by []string
		for i, n := range e.SavedBy {
			if n > 0 {
				by = append(by, fmt.Sprintf("%s %d", extract.Leniencies[i], n))
			}
		}
		fmt.Fprintf(out, "<p class=\"aside\">%s and would pass if fences were read more forgivingly (%s). No score has %s in it.</p>\n",
			verbed(e.Saved, "sample fails", "samples fail"), strings.Join(by, ", "), verb(e.Saved, "it", "them"))
	}
	out.WriteString("</section>\n")
}

// pageGroups writes the scores by length and by prompt.
func pageGroups(out *bytes.Buffer, s *evaluator.Summary) {
	const most = 20
	table := func(by string, groups []evaluator.Group) {
		fmt.Fprintf(out, `<table class="groups"><thead><tr><th scope="col">by %s</th><th scope="col" class="n">tasks</th>`, by)
		for i := range s.Official {
			fmt.Fprintf(out, `<th scope="col" class="n">@%d</th>`, s.Official[i].K)
		}
		out.WriteString("</tr></thead><tbody>\n")
		for _, g := range groups[:min(len(groups), most)] {
			fmt.Fprintf(out, `<tr><th scope="row" title="%s">%s</th><td class="n">%d</td>`, html.EscapeString(heading(g.Name)), html.EscapeString(heading(g.Name)), g.Tasks)
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
	}
	out.WriteString("<section class=\"card\"><h2>pass@k by group, %</h2>\n<div class=\"scroll\">\n")
	table("length", s.Lengths)
	if len(s.Prompts) > 1 {
		table("prompt", s.Prompts)
	}
	out.WriteString("</div></section>\n")
}

// pageControls writes the filters and the start of the table of tasks.
func pageControls(out *bytes.Buffer, s *evaluator.Summary) {
	out.WriteString(`<section id="tasks"><h2>Tasks</h2>
<form class="filters" role="search" aria-label="Tasks">
<label>Find <input type="search" id="find" placeholder="id or code" autocomplete="off" spellcheck="false"></label>
<label>Passing <select id="passing"><option value="">any</option><option value="all">all samples</option><option value="some">some samples</option><option value="none">no sample</option><option value="empty">without samples</option></select></label>
<label>Code <select id="code"><option value="">any</option>`)
	for _, g := range s.Given {
		fmt.Fprintf(out, `<option value="%s">%s (%d)</option>`, g.Name, g.Name, g.Tasks)
	}
	out.WriteString(`</select></label>
<label>Order <select id="order"><option value="">as in the file</option><option value="share">fewest passes first</option><option value="-share">most passes first</option><option value="-left">most findings left</option><option value="-introduced">most introduced</option></select></label>
<output id="shown" aria-live="polite"></output>
</form>
<div class="card scroll"><table class="tasks"><thead><tr><th scope="col">task</th><th scope="col">passes</th><th scope="col" class="codes">codes given</th><th scope="col" class="n">fixed</th><th scope="col" class="n">left</th><th scope="col" class="n">introd.</th></tr></thead><tbody>
`)
}
