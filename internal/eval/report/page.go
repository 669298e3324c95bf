package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"strings"

	"codelinter/evaluator"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/util/lazy"
	"codelinter/internal/version"
)

// The page is an app: TypeScript and CSS in app/src, which `make page` bundles into app/dist.
// The page has its data as JSON. The data's types are in app/src/data.ts, and here as structs.
var (
	//go:embed app/page.html
	pageText string
	//go:embed app/dist/report.js
	pageScript string
	//go:embed app/dist/report.css
	pageStyle string
	//go:embed app/licenses
	pageLicenses embed.FS
)

// licensedScript returns the page's script after the licences of the packages in it, which ask
// to be in every copy. Packages with the same licence share one text.
var licensedScript = lazy.Value[string]{Make: func() string {
	const folder = "app/licenses"
	entries, err := pageLicenses.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	var texts []string
	packages := map[string][]string{}
	for _, entry := range entries {
		data, err := pageLicenses.ReadFile(folder + "/" + entry.Name())
		if err != nil {
			panic(err)
		}
		text := strings.TrimSpace(string(data))
		if packages[text] == nil {
			texts = append(texts, text)
		}
		packages[text] = append(packages[text], entry.Name())
	}
	var all strings.Builder
	for _, text := range texts {
		all.WriteString("/*\n" + strings.Join(packages[text], ", ") + "\n\n" + text + "\n*/\n")
	}
	return all.String() + pageScript
}}

// PageBytes bounds the texts of tasks and samples in a [Page], so that browsers can open it for
// every run. Each task has an equal share, and its samples divide half of the share equally. Longer
// texts are cut. Samples that would have less than [sampleBytes] are left out, the last ones first.
// The page says what was cut or left out.
const PageBytes = 32 << 20

// sampleBytes is the least part of a sample that is worth showing.
const sampleBytes = 512

// A Page shows a run as one file of HTML, which loads nothing else. It has the scores, the
// fate of each code's findings, the kinds of failures, and a view of each task with its
// samples. Or it is two runs beside each other, see [ReadPages]. Each of its tables can be
// saved as CSV or JSON, and each chart as SVG.
//
// [Page.Encode] and [Page.Write] take results as for a file. Tasks that were not asked are left
// out. [Page.Render] then writes the page. Everything that a model or a task's author wrote reaches
// the browser as JSON with "<" escaped, which the app puts into text nodes and attributes alone. A
// content security policy lets no other script run, and no other style apply.
type Page struct {
	share    int          // bytes of a task's texts
	tasks    bytes.Buffer // two lines a task: a [pageRow] and a [pageTask]
	failures failures
}

// NewPage returns a page for so many tasks.
func NewPage(tasks int) *Page { return &Page{share: PageBytes / max(tasks, 1)} }

// Encode appends a task's part of the page, on any goroutine.
func (p *Page) Encode(dst []byte, r *evaluator.Result) []byte {
	return p.append(dst, &record{Result: r})
}

// Write writes results of Encode, in the order of the page.
func (p *Page) Write(parts []byte) (int, error) { return p.tasks.Write(parts) }

// append appends the task's row and its view.
func (p *Page) append(dst []byte, r *record) []byte {
	if r.NotAsked {
		return dst
	}
	p.failures.add(r)
	row := newPageRow(r)
	row.Runs = []rowRun{newRowRun(r)}
	row.Marks, row.Fine = taskMarks(r)
	row.Changes = &[3]int{}
	for i := range r.Samples {
		s := &r.Samples[i]
		if !blank(s) {
			row.Changes[0] += s.Fixed
		}
		row.Changes[1] += s.Left
		row.Changes[2] += s.Introduced
	}
	task := newPageTask(r, p.share)
	task.Runs = []any{newPageRun(r, task.Code, p.share/2)}
	return appendTask(dst, &row, &task)
}

// appendTask appends a row and a view, a line each.
func appendTask(dst []byte, row *pageRow, task *pageTask) []byte {
	for _, part := range []any{row, task} {
		dst = append(append(dst, marshal(part)...), '\n')
	}
	return dst
}

// marshal returns JSON with "<" as \u003c, so that no text ends the script element around it.
func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // these types always encode
	}
	return text
}

// A pageFile has the values for app/page.html.
type pageFile struct {
	Title                 string
	Style                 template.CSS
	Script                template.JS
	StyleHash, ScriptHash string      // for the policy, which allows no other style and script
	Data                  template.JS // a [pageData]
	Tasks                 template.JS // lines of a [pageRow] and a [pageTask]
	Plain                 []string    // sentences for browsers without scripts
}

// pageData has a page's data without its tasks. One of Run, Pair and Board is set.
type pageData struct {
	Title     string     `json:"title"`
	Version   string     `json:"version"`
	Reference string     `json:"reference"` // the versions that scored the runs
	Run       *runData   `json:"run,omitempty"`
	Pair      *pairData  `json:"pair,omitempty"`
	Board     *boardData `json:"board,omitempty"`
}

// renderPage writes a page of data, and of tasks if it has any.
func renderPage(w io.Writer, data pageData, tasks []byte, plain []string, runs ...evaluator.About) error {
	data.Version, data.Reference = version.Version(), cmp.Or(by(referencesOf(runs...)), "flake8")
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	return page.Execute(w, &pageFile{
		Title: data.Title,
		Style: template.CSS(pageStyle), StyleHash: hash(pageStyle), Script: template.JS(licensedScript.Get()), ScriptHash: hash(licensedScript.Get()),
		Data: template.JS(marshal(data)), Tasks: template.JS(tasks), Plain: plain,
	})
}

// hash returns a text's hash in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// A number is null in JSON if it is NaN.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) { return pyjson.Number(float64(n)), nil }
