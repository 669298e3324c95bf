package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync/atomic"

	"codelinter/evaluator"
	"codelinter/evaluator/stats"
	"codelinter/internal/release"
	"codelinter/internal/version"
	"codelinter/rule"
)

var (
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
	//go:embed page/page.html
	pageText string
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
// wrote reaches the browser as text: escaped by html/template, and as JSON with "<"
// escaped, which the script puts into text nodes alone. A content security policy
// lets no other script run.
type Page struct {
	share     int // bytes of a task's texts
	templates *template.Template
	tasks     bytes.Buffer
	kinds     [kinds]atomic.Int64
	given     [rule.Count]int // tasks of two runs, by code
}

// NewPage returns a page for so many tasks.
func NewPage(tasks int) *Page {
	return &Page{
		share:     PageBytes / max(tasks, 1),
		templates: template.Must(template.New("page").Parse(pageText)),
	}
}

// A kind is a fact of a sample that is not in the sums of a run.
type kind int

const (
	invalid kind = iota // fails: not Python, E999 or E902
	lacking             // fails: findings that were given are left
	harmful             // fails: there are new findings
	both                // fails: there are both
	kinds
)

// kindOf returns why a sample fails; ok is false if it passes.
func kindOf(s *sample) (k kind, ok bool) {
	switch {
	case s.Official:
		return 0, false
	case len(s.Findings) > 0 && (s.Findings[0].Code == rule.E999.String() || s.Findings[0].Code == rule.E902.String()):
		return invalid, true
	case s.Introduced == 0:
		return lacking, true
	case s.Left == 0:
		return harmful, true
	}
	return both, true
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
	Passing  string // what the filter goes by: a [passing] for each verdict, with blanks between
	Codes    string
	Verdicts []verdictCells
	Run      *runRow
	Pair     *pairRow
	Texts    template.JS // JSON, with "<" as \u003c
}

// verdictCells are a row's cells of one verdict: how many samples pass, in one run or
// in each of two, and then what lies between the two.
type verdictCells struct {
	Meters        []meter
	Class, Points string // of two runs
}

// passing returns what the filter of tasks selects by: the class alone for the
// official verdict, and with the verdict's name after it for another, as in "some" and
// "some-guarded".
func passing(verdict evaluator.Verdict, class string) string {
	if verdict == evaluator.Official {
		return class
	}
	return class + "-" + string(verdict)
}

// passingChoices are the filter's choices by one verdict: texts for the classes, and how
// many tasks are of each. The texts name the verdict if there are several.
func passingChoices(verdict evaluator.Verdict, several bool, classes []choice) []choice {
	for i := range classes {
		classes[i].Value = passing(verdict, classes[i].Value)
		if several {
			classes[i].Text += ", " + string(verdict)
		}
	}
	return classes
}

// A meter is a share of samples that pass.
type meter struct {
	Width     string
	Passed, N int
}

type runRow struct {
	Share                   string
	Fixed, Left, Introduced int
}

type pairRow struct{ A, B, By string }

func newMeter(r stats.Rate) meter { return meter{fmt.Sprintf("%.1f", 100*rate(r)), r.C, r.N} }

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
	run := &runRow{Share: fmt.Sprintf("%.4f", rate(r.rate(0)))}
	for i := range r.Samples {
		run.Fixed += r.Samples[i].Fixed
		run.Left += r.Samples[i].Left
		run.Introduced += r.Samples[i].Introduced
	}
	row := taskRow{ID: string(r.ID), Codes: r.codes(), Run: run}
	var classes []string
	for v := range r.scores {
		classes = append(classes, passing(r.scores[v].verdict, passingClass(r.N, r.scores[v].Passed)))
		row.Verdicts = append(row.Verdicts, verdictCells{Meters: []meter{newMeter(r.rate(v))}})
	}
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

// A frame is the part of the page around the tasks.
type frame struct {
	Title, Class            string
	Style                   template.CSS
	Script                  template.JS
	ScriptHash              string
	Version, Flake8, Python string

	Run      *runPage
	Pair     *pairPage
	Controls controls
}

// render writes the page around its tasks.
func (p *Page) render(w io.Writer, f frame) error {
	hash := sha256.Sum256([]byte(pageScript))
	f.Style, f.Script, f.ScriptHash = template.CSS(pageStyle), template.JS(pageScript), base64.StdEncoding.EncodeToString(hash[:])
	f.Version, f.Flake8, f.Python = release.Version(), version.Flake8, version.CPython
	if err := p.templates.ExecuteTemplate(w, "start", &f); err != nil {
		return err
	}
	if _, err := w.Write(p.tasks.Bytes()); err != nil {
		return err
	}
	return p.templates.ExecuteTemplate(w, "end", &f)
}

// Render writes the whole page. The title of about says what was scored.
func (p *Page) Render(w io.Writer, about evaluator.About, s *evaluator.Summary) error {
	columns, choices := []column{}, []choice{}
	for v := range s.Totals {
		tasks := map[string]int{}
		for _, t := range s.Totals[v].Tallies {
			tasks[passingClass(t.N, t.Passed)] += t.Tasks
		}
		choices = append(choices, passingChoices(s.Totals[v].Verdict, len(s.Totals) > 1, []choice{
			{"all", "all samples", tasks["all"]}, {"some", "some samples", tasks["some"]},
			{"none", "no sample", tasks["none"]}, {"empty", "without samples", tasks["empty"]},
		})...)
		c := column{Heading: several(s.Totals, v) + "passes"}
		if v == 0 {
			c.Key = "share"
		}
		columns = append(columns, c)
	}
	columns = append(columns, column{"codes given", "", "", "codes"},
		column{"fixed", "fixed", "-", "n"}, column{"left", "left", "-", "n"}, column{"introduced", "introduced", "-", "n"})
	return p.render(w, frame{
		Title: about.Title,
		Run:   p.newRunPage(about, s),
		Controls: controls{
			Passing: "Passing",
			Choices: choices,
			Given:   s.Given,
			Columns: columns,
		},
	})
}
