package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"codelinter/evaluator"
	"codelinter/evaluator/stats"
	"codelinter/internal/release"
	"codelinter/rule"
)

var (
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.html
	pageText string
	//go:embed page/head.html
	headText string
	//go:embed page/script
	scripts embed.FS
)

// script is the page's script.
var script = sync.OnceValue(func() string {
	return scriptOf("elements", "python", "listing", "tables", "tasks", "task", "gallery", "page")
})

// scriptOf returns files of page/script one after the other, each of which uses what is
// in those before it.
func scriptOf(names ...string) string {
	var text strings.Builder
	text.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range names {
		file, err := scripts.ReadFile("page/script/" + name + ".js")
		if err != nil {
			panic(err) // it is embedded
		}
		text.Write(file)
	}
	text.WriteString("})();\n")
	return text.String()
}

// PageBytes is about how much of tasks' and samples' texts a [Page] holds, so
// that browsers open it whatever the run. Each task has an equal share, and each
// of its samples an equal share of half of that; what is longer is cut. Samples
// that would have less than [sampleBytes] are left out, the last ones first. The
// page says so where either is done.
const PageBytes = 32 << 20

// sampleBytes is the least of a sample that is worth looking at.
const sampleBytes = 512

// A Page is a run as one file of HTML, which loads nothing else: the scores, what
// became of each code's findings, how samples fail, and a view of each task with its
// samples. Or it is two runs beside each other, see [ReadPages]. Each of its tables can
// be saved as CSV or JSON, and each chart as SVG.
//
// Results are given to it as to a file, by [Page.Encode] and [Page.Write], and
// [Page.Render] then writes the page. Everything that a model or a task's author
// wrote reaches the browser as text: escaped by html/template, and as JSON with "<"
// escaped, which the script puts into text nodes alone. A content security policy
// lets no other script run, and no other style apply.
type Page struct {
	share     int // bytes of a task's texts
	templates *template.Template
	tasks     bytes.Buffer
	failures  failures
	given     [rule.Count]int // tasks of two runs, by code
}

// NewPage returns a page for so many tasks.
func NewPage(tasks int) *Page {
	return &Page{
		share:     PageBytes / max(tasks, 1),
		templates: template.Must(template.New("page").Parse(headText + pageText)),
	}
}

// Encode appends a task's part of the page, on any goroutine.
func (p *Page) Encode(dst []byte, r *evaluator.Result) []byte {
	record := newRecord(r, true)
	return p.append(dst, &record)
}

// Write takes parts that Encode made, in the order of the page.
func (p *Page) Write(parts []byte) (int, error) { return p.tasks.Write(parts) }

// A taskRow is a task's row in the table, and what the script is given for it.
type taskRow struct {
	ID       string
	Passing  string // what the filter goes by: a [passingValue] for each verdict, with blanks between
	Codes    string
	Marks    string // see [taskMarks]
	Squares  []squares
	Verdicts []verdictCells
	Changes  []int       // fixed, left and introduced, of one run
	Pair     bool        // of two runs
	Keys     string      // what the script sorts by: "pass0=0.5 fixed=3"
	Texts    template.JS // JSON, with "<" as \u003c
}

// verdictCells are a row's cells of one verdict: how many samples pass, in one run or
// in each of two, and then what lies between the two, exact and as it is shown.
type verdictCells struct {
	Rates             []stats.Rate
	Class, By, Points string
}

// exact writes a number with all of its digits, for whoever computes with it; "" if
// there is none.
func exact(value float64) string {
	if math.IsNaN(value) {
		return ""
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// passingValue returns what the filter of tasks selects by: the class alone for the
// official verdict, and with the verdict's name after it for another, as in "some" and
// "some-guarded".
func passingValue(verdict evaluator.Verdict, class string) string {
	if verdict == evaluator.Official {
		return class
	}
	return class + "-" + string(verdict)
}

// passingChoices are the filter's choices by one verdict: texts for the classes, and how
// many tasks are of each. The texts name the verdict if there are several.
func passingChoices(verdict evaluator.Verdict, several bool, classes []choice) []choice {
	for i := range classes {
		classes[i].Value = passingValue(verdict, classes[i].Value)
		if several {
			classes[i].Text += ", " + string(verdict)
		}
	}
	return classes
}

// rate is the share that passes by the verdict in place v.
func (r *record) rate(v int) stats.Rate { return stats.Rate{C: r.scores[v].Passed, N: r.N} }

func (r *record) codes() string {
	var codes []string
	for _, count := range r.Given {
		codes = append(codes, count.Code.String())
	}
	return strings.Join(codes, " ")
}

// passingClass says how many of a task's n samples pass.
func passingClass(n, passed int) string {
	switch {
	case n == 0:
		return "empty"
	case passed == n:
		return "all"
	case passed > 0:
		return "some"
	}
	return "none"
}

// append appends the task's row in the table, and its texts for the script.
func (p *Page) append(dst []byte, r *record) []byte {
	p.failures.add(r)
	row := taskRow{
		ID: string(r.ID), Codes: r.codes(), Marks: taskMarks(r),
		Squares: []squares{newSquares(r)}, Changes: make([]int, 3),
	}
	for i := range r.Samples {
		row.Changes[0] += r.Samples[i].Fixed
		row.Changes[1] += r.Samples[i].Left
		row.Changes[2] += r.Samples[i].Introduced
	}
	keys := []string{fmt.Sprintf("fixed=%d left=%d introduced=%d", row.Changes[0], row.Changes[1], row.Changes[2])}
	var classes []string
	for v := range r.scores {
		classes = append(classes, passingValue(r.scores[v].verdict, passingClass(r.N, r.scores[v].Passed)))
		row.Verdicts = append(row.Verdicts, verdictCells{Rates: []stats.Rate{r.rate(v)}})
		if r.N > 0 { // without samples no task is hard: it comes last
			keys = append(keys, fmt.Sprintf("pass%d=%s", v, exact(rate(r.rate(v)))))
		}
	}
	row.Keys = strings.Join(keys, " ")
	row.Passing = strings.Join(classes, " ")
	task := newPageTask(r, p.share)
	task.Runs = []any{p.run(r, task.Code, p.share/2)}
	return p.appendRow(dst, &row, &task)
}

// appendRow appends a row and its texts.
func (p *Page) appendRow(dst []byte, row *taskRow, task *pageTask) []byte {
	texts, err := json.Marshal(task) // with "<" as \u003c
	if err != nil {
		panic(err) // of types that always encode
	}
	row.Texts = template.JS(texts)
	out := bytes.NewBuffer(dst)
	if err := p.templates.ExecuteTemplate(out, "task", row); err != nil {
		panic(err) // of a template of ours and a buffer
	}
	return out.Bytes()
}

// A pageHead is what the head and the foot of each page say.
type pageHead struct {
	Title                 string
	Style                 template.CSS
	Script                template.JS
	StyleHash, ScriptHash string // for the policy, which lets no other style and script be
	Version               string
	Reference             string // what the runs were scored by
}

func newPageHead(title, style, script string, runs ...evaluator.About) pageHead {
	return pageHead{
		Title: title,
		Style: template.CSS(style), StyleHash: hash(style), Script: template.JS(script), ScriptHash: hash(script),
		Version: release.Version(), Reference: cmp.Or(by(referencesOf(runs...)), "flake8"),
	}
}

// A frame is the part of the page around the tasks.
type frame struct {
	pageHead
	Class    string
	Run      *runPage
	Pair     *pairPage
	Controls controls
}

// render writes the page around its tasks.
func (p *Page) render(w io.Writer, f frame) error {
	if err := p.templates.ExecuteTemplate(w, "start", &f); err != nil {
		return err
	}
	if _, err := w.Write(p.tasks.Bytes()); err != nil {
		return err
	}
	return p.templates.ExecuteTemplate(w, "end", &f)
}

// hash is what a content security policy calls a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Render writes the whole page. The title of about says what was scored.
func (p *Page) Render(w io.Writer, about evaluator.About, s *evaluator.Summary) error {
	columns, choices := []column{{"task", "place", "", ""}, {"samples", "", "", ""}}, []choice{}
	order := []string{}
	for v := range s.Totals {
		tasks := map[string]int{}
		for _, t := range s.Totals[v].Tallies {
			tasks[passingClass(t.N, t.Passed)] += t.Tasks
		}
		choices = append(choices, passingChoices(s.Totals[v].Verdict, len(s.Totals) > 1, []choice{
			{"all", "all samples", tasks["all"]}, {"some", "some samples", tasks["some"]},
			{"none", "no sample", tasks["none"]}, {"empty", "without samples", tasks["empty"]},
		})...)
		key := fmt.Sprint("pass", v)
		columns = append(columns, column{several(s.Totals, v) + "passes", key, "", "n"})
		order = append(order, key)
	}
	columns = append(columns, column{"codes given", "", "", "codes"},
		column{"fixed", "fixed", "-", "n more"}, column{"left", "left", "-", "n more"}, column{"introduced", "introduced", "-", "n more"})
	return p.render(w, frame{
		pageHead: newPageHead(about.Title, pageStyle, script(), about),
		Run:      p.newRunPage(about, s),
		Controls: controls{
			Passing: "Passing",
			Choices: choices,
			Given:   s.Given,
			Columns: columns,
			Order:   strings.Join(append(order, "place"), " "),
			States:  statesOf(len(s.Totals)),
		},
	})
}
