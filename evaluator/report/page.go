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
	"net/url"
	"strings"
	"sync/atomic"

	"codelinter/evaluator"
	"codelinter/evaluator/stats"
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

func (p *Page) count(s *sample) {
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
	note(s.Noqa, silenced, silentPass)
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
	fixed, left, introduced := 0, 0, 0
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
