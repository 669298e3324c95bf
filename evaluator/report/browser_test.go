package report

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"codelinter/evaluator"
	"codelinter/evaluator/dataset"
)

const hostile = "</script><script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 1\"><!-- <![CDATA["

// scored writes a page of the tasks and samples.
func scored(t testing.TB, tasks []dataset.Task, samples map[dataset.ID][]string) []byte {
	t.Helper()
	scorer, err := evaluator.NewScorer(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	page := NewPage(len(tasks))
	var results bytes.Buffer
	for i := range tasks {
		result := scorer.Score(&tasks[i], samples[tasks[i].Meta.ID])
		page.Write(page.Encode(nil, result))
		results.Write(AppendFullResult(nil, result))
	}
	run, err := ReadRun("results", &results)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := page.Render(&out, "A <b>run</b>", run.Summary); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func browserPage(t testing.TB) []byte {
	tasks := []dataset.Task{
		{Instruction: "Mend {code} {feedback}", Inputs: dataset.Inputs{Code: "def f(a,b):\n    return a+b\nx = 1\n", Feedback: "{code}"}, Meta: dataset.Meta{ID: "7"}},
		{Instruction: hostile + "{code}", Inputs: dataset.Inputs{Code: hostile, Feedback: hostile}, Meta: dataset.Meta{ID: dataset.ID(hostile + "/?#%'\"&lt;")}},
		{Instruction: "{code}", Inputs: dataset.Inputs{Code: "l = 1\n"}, Meta: dataset.Meta{ID: "last"}},
	}
	return scored(t, tasks, map[dataset.ID][]string{
		"7": {
			"```python\ndef f(a, b):\n    return a + b\n\n\nx = 1\n```",
			"```python\ndef f(a, b):\n    return a + b\n\n\nx=1\n```",
		},
		tasks[1].Meta.ID: {hostile, "```python\n" + hostile + "\n```\n" + hostile},
		"last":           {"n = 1\n", "l = 1\n"},
	})
}

// A page in a browser: the filters, a task, its marked findings, the keyboard,
// and nothing that a model wrote is run.
func TestBrowser(t *testing.T) {
	var chromium string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = path
			break
		}
	}
	if chromium == "" {
		if os.Getenv("CODELINTER_REQUIRE_BROWSER") == "1" {
			t.Fatal("no Chromium on the path, and CODELINTER_REQUIRE_BROWSER=1")
		}
		t.Skip("no Chromium on the path: the page is not tried in a browser (CODELINTER_REQUIRE_BROWSER=1 makes this a failure)")
	}
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, browserPage(t), 0o666); err != nil {
		t.Fatal(err)
	}

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.WindowSize(390, 844))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, leave := chromedp.NewContext(ctx)
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	run := func(steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(script, want string) {
		t.Helper()
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+script+")"))
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", script, got, want)
		}
	}
	until := func(script string) {
		t.Helper()
		for {
			done, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+script+")"))
			if err != nil {
				t.Fatalf("never %s: %v", script, err)
			}
			if done {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	// wait waits for what is there, and shown.
	wait := func(selector string) {
		t.Helper()
		until(`document.querySelector("` + selector + `")?.getClientRects().length`)
	}
	const visible = `[...document.querySelectorAll("tr.task")].filter((row) => !row.hidden).map((row) => row.dataset.id.slice(0, 5)).join()`
	input := func(id, value string) {
		t.Helper()
		run(chromedp.Evaluate[chromedp.Void](`{ const e = document.getElementById("` + id + `"); e.value = "` + value + `"; e.dispatchEvent(new Event("input")); }`))
	}

	run(chromedp.Navigate((&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()))
	wait("#tasks")
	expect("document.querySelector('h1').textContent", "A <b>run</b>")
	expect(visible, "7,</scr,last")
	expect("document.documentElement.scrollWidth <= innerWidth", "true") // a phone has nothing to scroll sideways

	// Filters.
	run(chromedp.SendKeys("#find", "e231", chromedp.NodeReady))
	expect(visible, "7")
	input("passing", "some")
	expect(visible, "7")
	expect("document.getElementById('shown').textContent", "1 of 3 tasks")
	input("code", "E741")
	expect(visible, "")
	run(chromedp.Click("#reset", chromedp.NodeReady))
	expect(visible, "7,</scr,last")
	input("code", "E741")
	expect(visible, "last")
	input("code", "")
	input("order", "share")
	expect(visible, "</scr,7,last")
	input("order", "")

	// A task, its prompt, and the finding of its second sample on its line.
	run(chromedp.Click(`tr.task[data-id="7"] a`, chromedp.NodeReady))
	wait("#sample")
	expect("document.querySelector('#prompt').textContent", "Mend def f(a,b):\n    return a+b\nx = 1\n {code}")
	expect("document.querySelectorAll('#sample .finding').length", "0")
	expect("document.querySelector('#sample .remove').textContent.trim()", "1−def f(a,b):")
	run(chromedp.Focus(".picks [aria-selected=true]", chromedp.NodeReady), chromedp.KeyEvent(kb.ArrowRight))
	wait("#sample .finding")
	expect("document.querySelectorAll('#sample .finding').length", "1")
	expect("document.querySelector('#sample .finding').dataset.code", "E225")
	expect("document.querySelector('#sample .finding').previousSibling.lastChild.textContent", "x=1")
	expect("document.querySelector('#sample .finding').previousSibling.children[1].textContent", "6")
	expect("document.querySelector('#sample mark').textContent", "=")
	expect("document.querySelector('#sample .finding').lastChild.textContent", " ↑ E225 missing whitespace around operator")

	// The next task is hostile, and only text.
	run(chromedp.KeyEvent("n"))
	until("document.querySelector('#task h1').textContent.startsWith('Task </script>')")
	expect("document.querySelector('#prompt').textContent.startsWith('</script><script>')", "true")
	expect("document.querySelectorAll('#task img, #task script').length", "0")
	expect("window.hacked", "undefined")
	run(chromedp.KeyEvent(kb.Escape))
	wait("#tasks")
	expect(visible, "7,</scr,last")
	expect("document.activeElement.closest('tr').dataset.id.slice(0, 5)", "</scr")
}

// Whatever models write, a page has the scripts that we wrote and its size is
// bounded.
func TestPageIsSafe(t *testing.T) {
	page := string(browserPage(t))
	if n := strings.Count(page, "<script"); n != 4 { // three tasks and ours
		t.Errorf("%d scripts, want 4", n)
	}
	if strings.Contains(page, "<img") || strings.Contains(page, "<!--") || strings.Contains(page, "<b>") {
		t.Error("there is HTML of the model's")
	}
	for _, outside := range []string{"http://", "https://", "src="} {
		if at := strings.Index(page[:strings.Index(page, "<tr class=\"task\"")], outside); at >= 0 {
			t.Errorf("the page loads %.60q", page[at:])
		}
	}
}

func TestPageIsBounded(t *testing.T) {
	tasks := make([]dataset.Task, 2)
	samples := map[dataset.ID][]string{}
	for i := range tasks {
		id := dataset.ID(string(rune('a' + i)))
		tasks[i] = dataset.Task{Inputs: dataset.Inputs{Code: "x=1\n"}, Meta: dataset.Meta{ID: id}}
		samples[id] = []string{"# " + strings.Repeat("<", PageBytes), "x = 1\n"}
	}
	many := make([]string, 2*PageBytes/len(tasks)/sampleBytes)
	for i := range many {
		many[i] = "x = 1\n"
	}
	tasks = append(tasks, dataset.Task{Inputs: dataset.Inputs{Code: "x=1\n"}, Meta: dataset.Meta{ID: "many"}})
	samples["many"] = many
	page := scored(t, tasks, samples)
	if n := bytes.Count(page, []byte(`{"pass":`)); n != 4+PageBytes/len(tasks)/2/sampleBytes {
		t.Errorf("%d samples are shown", n)
	}
	if len(page) > PageBytes*5/4 {
		t.Errorf("%d MiB", len(page)>>20)
	}
	if n := bytes.Count(page, []byte(`"cut":true`)); n != 2 {
		t.Errorf("%d samples are cut, want 2", n)
	}
}

func TestClip(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"a\nb", 3, "a\n"}, {"<<", 11, "<"}, {"é€", 4, "é"}, {"\xffa", 6, "\xff"}, {"", 0, ""},
	} {
		if got, cut := clip(test.text, test.limit); got != test.want || cut != (got != test.text) {
			t.Errorf("clip(%q, %d) = %q, %v", test.text, test.limit, got, cut)
		}
	}
}

func TestDiff(t *testing.T) {
	for _, test := range []struct {
		before, after string
	}{
		{"a\nb\n", "a\nb\n"},
		{"a\nb\nc\n", "a\nx\ny\nc\n"},
		{"", "a"},
		{"a\n", ""},
	} {
		runs := diff(splitLines(test.before), splitLines(test.after))
		same, removed, added := 0, 0, 0
		for i := 0; i < len(runs); i += 3 {
			same += runs[i]
			removed += runs[i+1]
			added += runs[i+2]
		}
		if before, after := len(splitLines(test.before)), len(splitLines(test.after)); same+removed != before || same+added != after {
			t.Errorf("diff(%q, %q) = %v has %d and %d lines", test.before, test.after, runs, same+removed, same+added)
		}
	}
}
