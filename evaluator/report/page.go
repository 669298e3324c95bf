package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"codelinter/evaluator"
	"codelinter/evaluator/dataset"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/stats"
	"codelinter/rule"
	"codelinter/source"
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
// became of each code's findings, and a view of each task with its samples. Or it
// is two runs beside each other, see [ReadPages].
//
// Results are given to it as to a file, by [Page.Encode] and [Page.Write], and
// [Page.Render] then writes the page. Everything that a model or a task's author
// wrote reaches the browser as text: escaped in HTML, and as JSON with "<"
// escaped, which the script puts into text nodes alone. A content security policy
// lets no other script run.
type Page struct {
	share int // bytes of a task's texts
	tasks bytes.Buffer
	kinds [kinds]atomic.Int64
	given [rule.Count]int // tasks of two runs, by code
}

// NewPage returns a page for so many tasks.
func NewPage(tasks int) *Page { return &Page{share: PageBytes / max(tasks, 1)} }

// A kind is something to know of a sample that the sums of a run do not tell.
type kind int

const (
	invalid    kind = iota // fails: no Python at all, E999 or E902
	lacking                // fails: findings that were given are left
	harmful                // fails: there are new findings
	both                   // fails: there are both
	empty                  // nothing is in the code
	emptyPass              // and that passes
	silenced               // the code has a noqa comment
	silentPass             // and passes
	kinds
)

// noqa finds what silences flake8, in a line or a file. It may also be found in
// a string.
var noqa = regexp.MustCompile(`(?i)#\s*(?:flake8[:=]\s*)?noqa`)

func (p *Page) count(s *sample, noqa bool) {
	if !s.Official {
		switch {
		case len(s.Findings) > 0 && (s.Findings[0].Code == rule.E999.String() || s.Findings[0].Code == rule.E902.String()):
			p.kinds[invalid].Add(1)
		case s.Introduced == 0:
			p.kinds[lacking].Add(1)
		case s.Left == 0:
			p.kinds[harmful].Add(1)
		default:
			p.kinds[both].Add(1)
		}
	}
	note := func(is bool, all, pass kind) {
		if is {
			p.kinds[all].Add(1)
			if s.Official {
				p.kinds[pass].Add(1)
			}
		}
	}
	note(s.Bytes <= len("\n"), empty, emptyPass)
	note(noqa, silenced, silentPass)
}

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
	for _, count := range r.Given {
		given += count.N
	}
	for i := range r.Samples {
		fixed += r.Samples[i].Fixed
		left += r.Samples[i].Left
		introduced += r.Samples[i].Introduced
	}
	class := "none"
	switch {
	case r.N == 0:
		class = "empty"
	case r.Official.passed == r.N:
		class = "all"
	case r.Official.passed > 0:
		class = "some"
	}
	dst = appendRow(dst, r, class, fmt.Sprintf(`data-share="%.4f" data-fixed="%d" data-left="%d" data-introduced="%d"`,
		rate(r.rate()), fixed, left, introduced))
	dst = appendMeter(dst, r.rate())
	dst = appendCodes(dst, r)
	dst = fmt.Appendf(dst, `<td class="n">%d</td><td class="n">%d</td><td class="n">%d</td></tr>`, fixed, left, introduced)
	task := newPageTask(r, p.share)
	task.Runs = []any{p.run(r, task.Code, p.share/2)}
	return appendTexts(dst, &task)
}

func (r *record) rate() stats.Rate { return stats.Rate{C: r.Official.passed, N: r.N} }

// appendRow appends the start of a task's row. data are attributes that the
// script sorts by.
func appendRow(dst []byte, r *record, class, data string) []byte {
	id := string(r.ID)
	dst = fmt.Appendf(dst, `<tr class="task" data-id="%s" data-pass="%s" data-codes="%s" %s>`,
		html.EscapeString(id), class, strings.Join(givenCodes(r), " "), data)
	return fmt.Appendf(dst, `<th scope="row"><a href="#task=%s"><bdi>%s</bdi></a></th>`,
		html.EscapeString(url.QueryEscape(id)), html.EscapeString(id))
}

// appendMeter appends a cell with the share of samples that pass.
func appendMeter(dst []byte, r stats.Rate) []byte {
	return fmt.Appendf(dst, `<td class="passes"><span class="meter"><i style="width:%.1f%%"></i></span> %d/%d</td>`, 100*rate(r), r.C, r.N)
}

func appendCodes(dst []byte, r *record) []byte {
	return fmt.Appendf(dst, `<td class="codes">%s</td>`, strings.Join(givenCodes(r), " "))
}

func givenCodes(r *record) []string {
	var codes []string
	for _, count := range r.Given {
		codes = append(codes, count.Code.String())
	}
	return codes
}

// appendTexts appends what the script is told of a task.
func appendTexts(dst []byte, task *pageTask) []byte {
	dst = append(dst, `<script type="application/json" class="texts">`...)
	texts, err := json.Marshal(task) // with "<" as \u003c
	if err != nil {
		panic(err) // of types that always encode
	}
	dst = append(dst, texts...)
	return append(dst, "</script>\n"...)
}

// pageTask is what the script is told of a task.
type pageTask struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt,omitempty"`
	Code   string `json:"code,omitempty"` // as flake8 reads it
	Cut    bool   `json:"cut,omitempty"`  // any of these
	// Options of flake8 as on its command line, where they are not the defaults.
	Options string `json:"options,omitempty"`
	Runs    []any  `json:"runs"` // a [pageRun] each
}

// pageRun is a task's samples.
type pageRun struct {
	Name    string       `json:"name,omitempty"` // where there are several runs
	Bare    bool         `json:"bare,omitempty"` // there are no texts
	N       int          `json:"n"`
	Passed  int          `json:"passed"`
	Samples []pageSample `json:"samples"` // the first of them
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
	Noqa       bool     `json:"noqa,omitempty"`
	// Code is as flake8 reads it, with "\n" for line ends. Row is that of its
	// first line: 2 for code out of fences, whose first line is empty and not in
	// Code.
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
	Row    int32 `json:"row"`
	Column int32 `json:"column"` // as flake8 prints it
	// At is where in its line to mark: see [mark].
	At      int    `json:"at"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// maxPageFindings is how many of a sample's findings a page marks.
const maxPageFindings = 50

// newPageTask returns what a page tells of the task itself, in half of its share.
func newPageTask(r *record, share int) pageTask {
	task := pageTask{ID: string(r.ID)}
	task.Options, _ = clip(r.Options.String(), share/8)
	if r.Task != nil {
		whole := dataset.Task{Instruction: r.Task.Instruction, Inputs: dataset.Inputs{Code: r.Task.Code, Feedback: r.Task.Feedback}}
		var cut [2]bool
		task.Prompt, cut[0] = clip(whole.Prompt(), share/4)
		task.Code, cut[1] = clip(linted(r.Task.Code), share/4)
		task.Cut = cut[0] || cut[1]
	}
	return task
}

// linted returns code as flake8 reads it.
func linted(code string) string {
	var file source.File
	if file.Load([]byte(code)) != nil {
		return code
	}
	return file.Text
}

// run returns what a page tells of a task's samples, in share bytes. program is
// what it has of the task's program.
func (p *Page) run(r *record, program string, share int) pageRun {
	run := pageRun{
		Bare: r.Task == nil, N: r.N, Passed: r.Official.passed,
		Samples: make([]pageSample, min(len(r.Samples), max(1, share/sampleBytes))),
	}
	before := splitLines(program)
	share /= max(len(run.Samples), 1)
	for i := range r.Samples {
		from := &r.Samples[i]
		var found extract.Completion
		silent := false
		if from.Output != nil && r.Task != nil {
			found = extract.Code(*from.Output)
			silent = noqa.MatchString(found.Text)
		}
		p.count(from, silent)
		if i >= len(run.Samples) {
			continue
		}
		to := pageSample{
			Pass: from.Official, Source: from.Extraction, Blocks: from.Blocks, Python: from.Python,
			Fixed: from.Fixed, Left: from.Left, Introduced: from.Introduced,
			Saved: from.Saved, Noqa: silent, Found: from.Found, Row: 1,
		}
		var lines []string
		if from.Output != nil && r.Task != nil {
			text := linted(found.Text)
			if found.Source != extract.Whole {
				text = strings.TrimPrefix(text, "\n")
				to.Row = 2
				to.Output, to.OutCut = clip(*from.Output, share*3/8)
			}
			to.Code, to.Cut = clip(text, share*5/8)
			lines = splitLines(to.Code)
			to.Diff = diff(before, lines)
		}
		for _, f := range from.Findings[:min(len(from.Findings), maxPageFindings, share/64)] {
			text, _ := clip(f.Text, 300)
			at := 0
			if line := int(f.Row) - to.Row; line >= 0 && line < len(lines) {
				at = mark(strings.TrimSuffix(lines[line], "\n"), f.Code, int(f.Column))
			}
			to.Findings = append(to.Findings, pageFinding{f.Row, f.Column, at, f.Code, text})
		}
		run.Samples[i] = to
	}
	return run
}

// mark returns the place in line that a finding is about, in units of UTF-16 as
// JavaScript has them. pycodestyle's columns count characters from 1. Those of
// pyflakes and mccabe count bytes. That of E999 counts characters, and is one
// too large: to a column of CPython's that is from 1 already, flake8 adds 1.
func mark(line, code string, column int) int {
	at := max(column-1, 0)
	switch {
	case code == rule.E999.String():
		at = max(at-1, 0)
		fallthrough
	default:
		for i := range line {
			if at == 0 {
				line = line[:i]
				break
			}
			at--
		}
	case strings.HasPrefix(code, "F"), strings.HasPrefix(code, "C"):
		line = line[:min(at, len(line))]
	}
	units := 0
	for _, r := range line {
		units += utf16.RuneLen(r)
	}
	return units
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
	pageStart(&out, title, "")
	pageHeadline(&out, title, s)
	if s.Samples > 0 {
		pageCodes(&out, s)
		out.WriteString("<div class=\"columns\">\n")
		p.pageSamples(&out, s)
		pageAnswers(&out, s)
		out.WriteString("</div>\n")
		pageGroups(&out, s)
	}
	var passing [4]int
	for _, o := range s.Outcomes {
		switch {
		case o.N == 0:
			passing[3] += o.Tasks
		case o.Passed == o.N:
			passing[0] += o.Tasks
		case o.Passed > 0:
			passing[1] += o.Tasks
		default:
			passing[2] += o.Tasks
		}
	}
	pageControls(&out, s.Given, "Passing", []choice{
		{"all", "all samples", passing[0]}, {"some", "some samples", passing[1]},
		{"none", "no sample", passing[2]}, {"empty", "without samples", passing[3]},
	}, []column{
		{"passes", "share", "", ""}, {"codes given", "", "", "codes"},
		{"fixed", "fixed", "-", "n"}, {"left", "left", "-", "n"}, {"introduced", "introduced", "-", "n"},
	})
	return p.finish(w, &out)
}

// pageStart writes what stands before the headline.
func pageStart(out *bytes.Buffer, title, class string) {
	hash := sha256.Sum256([]byte(pageScript))
	fmt.Fprintf(out, `<!DOCTYPE html>
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
<body class="%s">
<a class="skip" href="#tasks">Skip to the tasks</a>
<main id="run">
`, base64.StdEncoding.EncodeToString(hash[:]), html.EscapeString(title), pageStyle, class)
}

// finish writes out, the tasks, and what stands after them.
func (p *Page) finish(w io.Writer, out *bytes.Buffer) error {
	if _, err := w.Write(out.Bytes()); err != nil {
		return err
	}
	if _, err := w.Write(p.tasks.Bytes()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, `</tbody></table></div>
<p id="more" hidden><button type="button"></button></p>
<p id="nothing" hidden>No task is left. <button type="button" id="reset">Show all</button></p>
</section>
<footer><p>Made by codelinter. The verdict is that of flake8 7.3.0 with its defaults, or with a task's own options; nothing was run.</p>
<p class="keys">Keys: <kbd>/</kbd> finds, <kbd>n</kbd> and <kbd>p</kbd> open the next and previous task, arrows other samples, <kbd>Esc</kbd> goes back.</p></footer>
</main>
<main id="task" hidden tabindex="-1"></main>
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
	if n := len(s.Missing); n > 0 {
		pageNote(out, fmt.Sprintf("%s had no samples and %s as failed: %s", count(n, "task"), verb(n, "counts", "count"), some(s.Missing, n)))
	}
	if n := s.Unknown; n > 0 {
		pageNote(out, fmt.Sprintf("%s of samples %s no task's id and %s left out: %s",
			count(n, "line"), verb(n, "has", "have"), verb(n, "is", "are"), some(s.UnknownIDs, n)))
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
	name := strings.ReplaceAll(rule.Catalog[code].Name, "-", " ")
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
