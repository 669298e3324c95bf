package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/testenv/chromium"
	"codelinter/rule"
)

const hostile = "</script><script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 1\"><!-- <![CDATA["

// scored writes a page of the tasks and samples.
func scored(t testing.TB, tasks []task.Task, samples map[task.ID][]string) []byte {
	t.Helper()
	page, _ := scoredRun(t, tasks, samples)
	return page
}

// scoredRun writes a page of the tasks and samples, and returns their sums as well.
func scoredRun(t testing.TB, tasks []task.Task, samples map[task.ID][]string) ([]byte, *evaluator.Summary) {
	t.Helper()
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: []int{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	page := NewPage(len(tasks))
	var results bytes.Buffer
	for i := range tasks {
		result := scoreAll(t, scorer, &tasks[i], samples[tasks[i].Meta.ID])
		page.Write(page.Encode(nil, result))
		results.Write((&Results{Texts: true}).Encode(nil, result))
	}
	run, err := ReadRun("results", &results)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := page.Render(&out, evaluator.About{Title: "A <b>run</b>"}, run.Summary); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), run.Summary
}

func browserPage(t testing.TB) []byte {
	page, _ := browserRun(t)
	return page
}

func browserRun(t testing.TB) ([]byte, *evaluator.Summary) {
	tasks := []task.Task{
		{Instruction: "Mend {code} {feedback}", Inputs: task.Inputs{Code: "def f(a,b):\n    return a+b\nx = 1\n", Feedback: "{code}"}, Meta: task.Meta{ID: "7"}},
		{Instruction: hostile + "{code}", Inputs: task.Inputs{Code: hostile, Feedback: hostile}, Meta: task.Meta{ID: task.ID(hostile + "/?#%'\"&lt;")}},
		{Instruction: "{code}", Inputs: task.Inputs{Code: "l = 1\r\n"}, Meta: task.Meta{ID: "a\rb\x00\u202ec"}},
		{Instruction: "{code}", Inputs: task.Inputs{Code: "l = 1\n"}, Meta: task.Meta{ID: "last"}},
	}
	return scoredRun(t, tasks, map[task.ID][]string{
		"7": {
			"```python\ndef f(a, b):\n    return a + b\n\n\nx = 1\n```",
			"```python\ndef f(a, b):\n    return a + b\n\n\nx=1\n```",
		},
		tasks[1].Meta.ID: {hostile, "```python\n" + hostile + "\n```\n" + hostile},
		tasks[2].Meta.ID: {"n = 1\n", "l = 1\n", "n = 1\rm=2"},
		"last": {
			"l = 1\n" + strings.Repeat("n = 1\n", 2000) + "m=2\n",
			"ж = '日👨‍👩‍👧'+ имя\n\tx = 1\n",
			"ж = '日👨‍👩‍👧'+ имя\n",
			"x='\u202e\x1b'\n",
			"x = '\u202e'+ y  \n",
		},
	})
}

// renderedPair writes a page of two runs with two verdicts. They differ on task 3, of
// which the second knows nothing.
func renderedPair(t testing.TB) []byte {
	t.Helper()
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{
		K: []int{1, 2}, Judges: []func() (evaluator.Judge, error){newLengthJudge("length")},
	})
	if err != nil {
		t.Fatal(err)
	}
	results := func(ids []task.ID, samples map[task.ID][]string) []byte {
		var out []byte
		for _, id := range ids {
			task := task.Task{Instruction: "Mend {code}", Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: id}}
			out = append(out, (&Results{Texts: true}).Encode(nil, scoreAll(t, scorer, &task, samples[id]))...)
		}
		return out
	}
	a := results([]task.ID{"1", "2", "3", "a"}, map[task.ID][]string{"1": {"x=1\n", "x = 1\n"}, "2": {"x = 1\n", "x = 1\n"}})
	b := results([]task.ID{"3", "2", "1", "b"}, map[task.ID][]string{"1": {"x = 1\n", "x = 2\n"}, "2": {"x = 1\n", "x =1\n"}, "3": {"ł = 1\n"}})
	var runs [2]*Run
	for i, text := range [][]byte{a, b} {
		if runs[i], err = ReadRun("results", bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	page := NewPage(4)
	if err := ReadPages("a", bytes.NewReader(a), "b", bytes.NewReader(b), page); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := page.RenderPair(&out, "before <b>", "after", runs[0], runs[1]); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestMain(m *testing.M) { os.Exit(chromium.Main(m)) }

// within is that no card holds what is wider than it, but for what scrolls by itself.
const within = "[...document.querySelectorAll('.card')].every((card) => card.scrollWidth <= card.clientWidth)"

// A page in a browser: the filters, a task, its marked findings, the keyboard,
// and nothing that a model wrote is run.
func TestBrowser(t *testing.T) {
	tab := chromium.Open(t, 390, 844)
	run, expect, until := tab.Do, tab.Expect, tab.Until
	write := func(name string, page []byte) string { return chromium.Write(t, name, page) }
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

	page, sums := browserRun(t)
	address := write("report.html", page)
	// press clicks on what may be far down.
	press := func(selector string) {
		t.Helper()
		run(chromedp.Evaluate[chromedp.Void](`document.querySelector("` + selector + `").click()`))
	}

	run(chromedp.Navigate(address))
	wait("#tasks")
	expect("document.querySelector('h1').textContent", "A <b>run</b>")
	const hardest = "</scr,last,a\rb\x00\u202e,7"
	expect(visible, hardest)
	expect("document.documentElement.scrollWidth <= innerWidth", "true") // a phone has nothing to scroll sideways
	expect(within, "true")

	// Filters and orders, which stand in the address.
	run(chromedp.SendKeys("#find", "e231", chromedp.NodeReady))
	expect(visible, "7")
	input("passing", "some")
	expect(visible, "7")
	expect("document.getElementById('shown').textContent", "1 of 4 tasks")
	expect("location.hash", "#find=e231&passing=some")
	input("code", "E741")
	expect(visible, "")
	run(chromedp.Click("#reset", chromedp.NodeReady))
	expect(visible, hardest)
	expect("location.hash", "")
	input("code", "E741")
	expect(visible, "last,a\rb\x00\u202e")
	input("code", "")
	input("mark", "new:E225")
	expect(visible, "last,a\rb\x00\u202e,7")
	input("mark", "left:E741")
	expect(visible, "last,a\rb\x00\u202e")
	press(".facts [data-mark=E999]")
	expect("location.hash", "#mark=E999")
	expect(visible, "</scr,last")
	press("#reset")
	const order = "document.querySelector('.tasks [aria-sort]').dataset.sort + ' ' + document.querySelector('.tasks [aria-sort]').ariaSort"
	expect(order, "pass0 ascending")
	press(".tasks th[data-sort=pass0] button")
	expect(visible, "7,a\rb\x00\u202e,</scr,last")
	expect(order, "pass0 descending")
	press(".tasks th[data-sort=place] button")
	expect(visible, "7,</scr,a\rb\x00\u202e,last")
	expect("location.hash", "#sort=place")

	// Every table is saved with what it was made of.
	run(chromedp.Evaluate[chromedp.Void](`{
		const create = URL.createObjectURL;
		URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return create(blob); };
	}`))
	saved := func(what string) string {
		t.Helper()
		run(chromedp.Evaluate[chromedp.Void]("window.saved = null"))
		press(`[aria-label='Save ` + what + `']`)
		until("window.saved")
		return tab.Text("window.saved")
	}
	tasks := "task,samples,passes,codes given,fixed,left,introduced\r\n7,2,1,E231 E305,4,0,1\r\n"
	if csv := saved("tasks as CSV"); !strings.HasPrefix(csv, tasks) || strings.Count(csv, "\r\n") != 5 || !strings.Contains(csv, "\n\"a\rb\x00\u202ec\",3,1,E741,2,1,2\r\n") {
		t.Errorf("tasks are saved as %q", csv)
	}
	scores := fmt.Sprintf("score,official,official low,official high\r\npass@1,%v,%v,%v\r\n", sums.Official().PassAt[0].Value, sums.Official().PassAt[0].Interval.Low, sums.Official().PassAt[0].Interval.High)
	if csv := saved("scores as CSV"); !strings.HasPrefix(csv, scores) {
		t.Errorf("scores are saved as %q, want %q", csv, scores)
	}
	var codes []struct {
		Code                                 string
		Given, Fixed, Lost, Left, Introduced int
	}
	if err := json.Unmarshal([]byte(saved("codes as JSON")), &codes); err != nil || len(codes) != len(changed(sums)) {
		t.Errorf("codes are saved as %v (%v)", codes, err)
	}
	for _, got := range codes {
		code, _ := rule.Find(got.Code)
		if want := sums.Codes.Of(code); want != (evaluator.Changes{Given: got.Given, Fixed: got.Fixed + got.Lost, Left: got.Left, Introduced: got.Introduced}) {
			t.Errorf("saved is %v, want %v", got, want)
		}
	}
	// Five of the answers to the two tasks with E741 have an operator without blanks.
	if csv := saved("introduced by given as CSV"); !strings.HasPrefix(csv, "given,introduced,answers,of\r\n") || !strings.Contains(csv, "\r\nE741,E225,5,8\r\n") {
		t.Errorf("the matrix is saved as %q", csv)
	}

	// Families have the scores of their tasks. They open, bars change, and charts are saved as they
	// are shown.
	const bars = "[...document.querySelectorAll('table.codes tbody tr')].map((row) => row.cells[0].textContent).slice(0, 3).join()"
	expect("[...document.querySelectorAll('table.codes tr.family')].map((row) => row.cells[0].textContent + ' ' + row.cells[8].textContent).slice(0, 3).join()", "E7 16.7,E2 50.0,E9 0.0")
	expect("document.querySelector('.lead a').href.includes('#task=')", "true")
	press("table.codes button.fold")
	press(".choose button:nth-child(2)")
	press("table.codes th[data-sort=code] button")
	expect(bars, "E225,E231,E305")
	chart := saved("codes as SVG")
	decoder, shapes := xml.NewDecoder(strings.NewReader(chart)), map[string]int{}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the chart is no XML: %v", err)
		}
		if element, ok := token.(xml.StartElement); ok {
			shapes[element.Name.Local]++
		}
	}
	if shapes["svg"] != 1+len(codes) || shapes["rect"] < 3*len(codes) || !strings.Contains(chart, ">E225</text>") || !strings.Contains(chart, `fill="rgb(15, 118, 110)"`) {
		t.Errorf("the chart of %d codes has %v", len(codes), shapes)
	}
	if curve := saved("pass at k as SVG"); !strings.Contains(curve, "<path") || !strings.Contains(curve, `stroke="rgb(36, 86, 199)"`) || strings.Contains(curve, "class=") {
		t.Errorf("the curve is saved as %.400s", curve)
	}
	expect("[...document.querySelectorAll('.gallery h3')].map((h) => h.textContent).includes('Samples that are not valid Python (E999)')", "true")
	expect("document.querySelector('.gallery').textContent.includes('<img src=x')", "true")
	expect("document.querySelectorAll('img').length + ' ' + window.hacked", "0 undefined")

	// The keys go through the list.
	tab.Run("document.activeElement.blur()")
	run(chromedp.KeyEvent("n"), chromedp.KeyEvent("n"), chromedp.KeyEvent("n"), chromedp.KeyEvent("p"))
	expect("document.activeElement.closest('tr').dataset.id.slice(0, 5)", "</scr")

	// A task, its prompt, and the finding of its second sample on its line.
	run(chromedp.Click(`tr.task[data-id="7"] a`, chromedp.NodeReady))
	wait(".sample")
	expect("document.querySelector('#prompt').textContent", "Mend def f(a,b):\n    return a+b\nx = 1\n {code}")
	expect("document.querySelectorAll('.sample .finding').length", "1")
	expect("document.querySelector('.sample .finding').dataset.code", "E225")
	expect("document.querySelector('.sample .finding').previousSibling.lastChild.textContent", "x=1")
	expect("document.querySelector('.sample .finding').previousSibling.children[1].textContent", "6")
	expect("document.querySelector('.sample mark').textContent", "=")
	expect("document.querySelector('.sample .finding').lastChild.textContent", "E225 missing whitespace around operator column 2")
	expect("document.querySelector('.sample .keyword').textContent + document.querySelector('.sample .defined').textContent", "deff")
	run(chromedp.Focus(".picks [aria-selected=true]", chromedp.NodeReady), chromedp.KeyEvent(kb.ArrowLeft))
	until("!document.querySelector('.sample .finding')")
	expect("document.activeElement.ariaLabel", "Sample 1, passes")
	expect("document.querySelector('.sample .remove').textContent", "1−removeddef f(a,b):")
	run(chromedp.KeyEvent(kb.ArrowRight))
	wait(".sample .finding")
	expect("document.activeElement.ariaLabel", "Sample 2, fails")

	// Its address leads back to it.
	expect("location.hash", "#sort=place&task=7&sample=2")
	run(chromedp.Reload())
	wait(".sample .finding")
	expect("document.querySelector('.picks [aria-selected=true]').textContent", "2 ✗")

	// The next task is hostile, and only text.
	run(chromedp.KeyEvent("n"))
	until("document.querySelector('#task h1').textContent.startsWith('Task </script>')")
	expect("document.querySelector('#prompt').textContent.startsWith('</script><script>')", "true")
	expect("document.querySelectorAll('#task img, #task script').length", "0")
	expect("window.hacked", "undefined")

	// What HTML's parser changes in an id does not lose the task. A carriage
	// return is a line end, in the task and in the answer.
	const ends = "[...document.querySelectorAll('.sample tr')].map((row) => row.className + (row.cells.length > 2 ? row.cells[1].textContent : '')).join()"
	run(chromedp.KeyEvent("n"))
	until(`document.querySelector('#task h1').textContent === "Task a\rb\0\u202ec"`)
	expect(ends, "same1,finding") // E741
	press(".picks button:nth-child(1)")
	expect(ends, "remove,add1")
	press(".picks button:nth-child(3)")
	expect(ends, "remove,add1,add2,finding,finding")
	expect("document.querySelector('.sample .finding').dataset.code", "E225")

	// Long stretches are folded, but not what is found.
	run(chromedp.KeyEvent("n"))
	until("document.querySelector('#task h1').textContent === 'Task last'")
	expect("document.querySelector('.gap').textContent", "Show 1,394 lines")
	expect("document.querySelectorAll('.sample tr').length < 700", "true")
	expect("[...document.querySelectorAll('.sample mark')].map((mark) => mark.textContent).join()", "l,=")
	press(".gap button")
	expect("document.querySelector('.gap').textContent", "Show 994 lines")

	// pycodestyle counts characters, pyflakes bytes, and E999 is one too far. A
	// mark has the whole of what is seen as one character.
	const marks = "[...document.querySelectorAll('.sample mark')].map((mark) => mark.title.slice(0, 4) + mark.textContent).join()"
	press(".picks button:nth-child(2)")
	expect(marks, "E999\t")
	press(".picks button:nth-child(3)")
	expect(marks, "E225+,F821и")

	// Characters that do not show are shown.
	press(".picks button:nth-child(4)")
	expect("[...document.querySelectorAll('.sample .control')].map((control) => control.textContent).join()", "U+202E␛")
	press(".picks button:nth-child(5)")
	expect(marks, "E225+,F821y,W291 ")

	// Back, by the key and by the browser.
	run(chromedp.KeyEvent(kb.Escape))
	wait("#tasks")
	expect(visible, "7,</scr,a\rb\x00\u202e,last")
	expect("document.activeElement.closest('tr').dataset.id", "last")
	run(chromedp.NavigateBack())
	wait(".sample")
	expect("document.querySelector('#task h1').textContent", "Task last")

	// Of many tasks, the first thousand are laid out.
	var many []task.Task
	for i := range 1500 {
		many = append(many, task.Task{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: task.ID(strconv.Itoa(i))}})
	}
	run(chromedp.Navigate(write("many.html", scored(t, many, nil)) + "#find=7"))
	const shown = `[...document.querySelectorAll("tr.task")].filter((row) => row.getClientRects().length).length`
	wait("#tasks")
	expect(shown, "366")
	input("find", "")
	expect(shown, "1000")
	expect("document.querySelector('#more').textContent", "Show 500 more of 1,500 tasks")
	press("#more button")
	expect(shown, "1500")
	expect("document.activeElement.textContent", "1000")

	// Two runs.
	run(chromedp.Navigate(write("pair.html", renderedPair(t))))
	wait("#tasks")
	expect("document.documentElement.scrollWidth <= innerWidth", "true")
	expect(within, "true")
	expect("document.querySelector('.about thead').textContent", "factA: before <b>B: after")
	expect("document.querySelector('.lead').textContent.replace(/^.*?(?=What)/, '')", "What separates them most: 0.0\u00a0% of A's samples and 33.3\u00a0% of B's pass officially, but not length: accent. Show one.")
	expect("document.querySelector('.lead a').hash", "#task=3&sample=0-1")
	expect("[...document.querySelectorAll('.ways tbody tr')].map((row) => row.lastElementChild.textContent).join()", "+33.3,-8.3")
	expect(visible, "3,1,2")
	press(".tasks th[data-sort=by0] button")
	press(".tasks th[data-sort=by0] button")
	expect(visible, "2,1,3")
	expect("document.querySelectorAll('.scatter')[0].querySelectorAll('circle').length", "3")
	run(chromedp.Evaluate[chromedp.Void](`document.querySelector(".scatter .better:not([data-dot^='0 0 '])").dispatchEvent(new Event("click"))`))
	expect(visible, "1")
	expect("!document.getElementById('chip').hidden && /^A .*%, B .*% \u00d7$/.test(document.getElementById('chip').textContent)", "true")
	run(chromedp.KeyEvent(kb.Escape))
	expect(visible, "2,1,3")
	expect("document.getElementById('chip').hidden", "true")
	run(chromedp.Evaluate[chromedp.Void](`document.querySelector(".scatter .better:not([data-dot^='0 0 '])").dispatchEvent(new Event("click"))`))
	press("#chip")
	expect(visible, "2,1,3")
	input("passing", "better")
	expect(visible, "1,3")
	input("passing", "better-length")
	expect(visible, "1")
	input("passing", "same-length")
	expect(visible, "3")
	input("passing", "worse")
	expect(visible, "2")
	run(chromedp.Click("tr.task:not([hidden]) a", chromedp.NodeReady))
	wait(".sample")
	expect("document.querySelectorAll('.sample').length", "2")
	run(chromedp.Click("#sample-1-1", chromedp.NodeReady))
	expect("location.hash", "#passing=worse&sort=by0&task=2&sample=1-2")
	expect("document.querySelectorAll('#sample-0 .finding').length", "0")
	expect("document.querySelector('#sample-1 .finding').dataset.code", "E225")
}

// On a phone an option in a prompt begins on a line of its own, so that its dashes stay together,
// and differences of two runs stay in their column.
func TestNarrow(t *testing.T) {
	tab := chromium.Open(t, 390, 844)
	const options = "flake8 runs here with options: --doctests --ignore=W503 --max-complexity=4 --max-doc-length=72"
	tasks := []task.Task{
		{Instruction: options + "\n{code}", Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "1"}},
		{Instruction: "{code}", Inputs: task.Inputs{Code: "y=1\n"}, Meta: task.Meta{ID: "2"}},
	}
	tab.Do(chromedp.Navigate(chromium.Write(t, "run.html", scored(t, tasks, map[task.ID][]string{"1": {"x = 1\n"}, "2": {"y=1\n"}}))))
	tab.Until("document.querySelector('.groups .whole')")
	tab.Expect(`[...document.querySelectorAll(".groups .whole")].filter((option) => {
		const dashes = document.createRange();
		dashes.setStart(option.firstChild, 0);
		dashes.setEnd(option.firstChild, 3);
		return new Set([...dashes.getClientRects()].map((at) => at.top)).size !== 1;
	}).map((option) => option.textContent).join()`, "")
	tab.Expect("document.querySelectorAll('.groups .whole').length", "4")
	tab.Expect(within, "true")

	tab.Do(chromedp.Navigate(chromium.Write(t, "pair.html", renderedPair(t))))
	tab.Until("document.querySelector('.codes td')")
	tab.Run("document.querySelectorAll('.codes td:last-child').forEach((cell) => { cell.textContent = '+589.7'; })")
	tab.Expect("[...document.querySelectorAll('.codes td.n')].filter((cell) => cell.getClientRects().length).every((cell) => cell.scrollWidth <= cell.clientWidth)", "true")
	tab.Expect(within, "true")
}

// shownPage is what an app is given in a page.
type shownPage struct {
	pageData
	rows  []pageRow
	tasks []pageTask
}

// shown reads a page as the app does.
func shown(t testing.TB, page []byte) (of shownPage) {
	t.Helper()
	script := func(id string) string {
		_, text, found := strings.Cut(string(page), `<script type="application/json" id="`+id+`">`)
		text, _, ended := strings.Cut(text, "</script>")
		if !found || !ended {
			t.Fatalf("there is no %s in the page", id)
		}
		return text
	}
	if err := json.Unmarshal([]byte(script("data")), &of.pageData); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(script("lines"), "\n"), "\n") {
		var row pageRow
		var task pageTask
		into := any(&row)
		if i%2 > 0 {
			into = &task
		}
		if err := json.Unmarshal([]byte(line), into); err != nil && line != "" {
			t.Fatal(err)
		}
		if i%2 > 0 {
			of.tasks = append(of.tasks, task)
		} else if line != "" {
			of.rows = append(of.rows, row)
		}
	}
	return of
}

// Whatever models write, a page has the scripts that we wrote and no other.
func TestPageIsSafe(t *testing.T) {
	page := strings.Replace(string(browserPage(t)), licensedScript.Get(), "", 1)
	if n := strings.Count(page, "<script"); n != 3 { // the data, the tasks and ours
		t.Errorf("%d scripts, want 3", n)
	}
	if strings.Contains(page, "<img") || strings.Contains(page, "<!--") || strings.Contains(page, "<b>") {
		t.Error("there is HTML of the model's")
	}
	// What others wrote stands in the data, where nothing is an element.
	frame, data, _ := strings.Cut(page, `id="data">`)
	for _, outside := range []string{"http://", "https://", "src="} {
		if at := strings.Index(frame, outside); at >= 0 {
			t.Errorf("the page loads %.60q", frame[at:])
		}
	}
	data, _, _ = strings.Cut(data, "</script>\n<script>")
	if at := strings.Index(strings.Replace(data, "</script>\n<script type=\"application/json\" id=\"lines\">", "", 1), "<"); at >= 0 {
		t.Errorf("there is an element in the data: %.60q", data[at:])
	}
}

func TestPageIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector")
	}
	tasks := make([]task.Task, 2)
	samples := map[task.ID][]string{}
	for i := range tasks {
		id := task.ID(string(rune('a' + i)))
		tasks[i] = task.Task{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: id}}
		samples[id] = []string{"# " + strings.Repeat("<", PageBytes), "x = 1\n"}
	}
	many := make([]string, 2*PageBytes/len(tasks)/sampleBytes)
	for i := range many {
		many[i] = "x = 1\n"
	}
	tasks = append(tasks, task.Task{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "many"}})
	samples["many"] = many
	page := scored(t, tasks, samples)
	if n := bytes.Count(page, []byte(`"source":`)); n != 4+PageBytes/len(tasks)/2/sampleBytes {
		t.Errorf("%d samples are shown", n)
	}
	if len(page) > PageBytes*5/4 {
		t.Errorf("%d MiB", len(page)>>20)
	}
	if n := bytes.Count(page, []byte(fmt.Sprintf(`"cut":%d,`, PageBytes+len("# ")))); n != 2 {
		t.Errorf("of %d samples the page says how long they were, want 2", n)
	}
}

// A page has how many samples pass and fail, and how.
func TestPageCounts(t *testing.T) {
	tasks := []task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "a"}}, {Meta: task.Meta{ID: "none"}}}
	page := shown(t, scored(t, tasks, map[task.ID][]string{"a": {
		"x = 1\n", "", "```js\n```", "```python\nx=1  # NoQA\n```", "# flake8: noqa\nx = (\n", "x=2\n", "import os\n", "x=1\ny=2\n", "x = (\n",
	}}))
	run := page.Run
	if run.Samples != 9 || run.Verdicts[0].Passed != 4 || run.Invalid != 1 || run.Left != 1 || run.Introduced != 2 || run.Both != 1 {
		t.Errorf("%+v", run)
	}
	if e := run.Extraction; e.Empty != 2 || e.EmptyPassed != 1 || e.Noqa != 2 || e.NoqaPassed != 2 {
		t.Errorf("%+v", e)
	}
	if row := page.rows[0]; row.Runs[0].States != "psfssfffx" || row.Runs[0].Passed[0] != 4 || row.Marks["E999"] != 1 {
		t.Errorf("%+v", row)
	}
	if row := page.rows[1]; row.ID != "none" || row.Runs[0].N != 0 || len(row.Marks) > 0 || *row.Changes != [3]int{} {
		t.Errorf("%+v", row)
	}
}

// The rows of two runs have what each verdict of both says.
func TestPairPageVerdicts(t *testing.T) {
	page := shown(t, renderedPair(t))
	for i, want := range []string{"[1 1] [2 2]", "[2 2] [1 1]", "[0 0] [1 0]"} {
		if row := page.rows[i]; fmt.Sprint(row.Runs[0].Passed, " ", row.Runs[1].Passed) != want {
			t.Errorf("task %s: %+v, want %s", row.ID, row.Runs, want)
		}
	}
	for i, want := range []string{"official 2 1 0", "length 1 1 1"} {
		var d struct {
			Name                string
			Better, Worse, Same int
		}
		if err := json.Unmarshal(page.Pair.Verdicts[i], &d); err != nil || fmt.Sprint(d.Name, " ", d.Better, " ", d.Worse, " ", d.Same) != want {
			t.Errorf("%s (%v), want %s", page.Pair.Verdicts[i], err, want)
		}
	}
}

// Pages of nothing are pages.
func TestPageOfLittle(t *testing.T) {
	one := []task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "a"}}}
	for name, samples := range map[string][]string{"no samples": nil, "all pass": {"x = 1\n"}, "none pass": {"x=1\n", "x=1\n"}, "empty": {"", ""}} {
		text := scored(t, one, map[task.ID][]string{"a": samples})
		page := shown(t, text)
		if strings.Contains(string(text[:bytes.Index(text, []byte(`id="data"`))]), "NaN") || len(page.rows) != 1 || len(page.tasks) != 1 || page.Run.Samples != len(samples) {
			t.Errorf("%s: %+v", name, page)
		}
	}
}

func TestMark(t *testing.T) {
	for _, test := range []struct {
		line, code string
		column     int
		want       int
	}{
		{"x=1", "E225", 2, 1}, {"é=1", "E225", 2, 1}, {"é=x", "F821", 4, 2}, {"é(", "E999", 3, 1}, {"(", "E999", 1, 0},
		{"😀=x", "E225", 2, 2}, {"😀=x", "F821", 6, 3}, {"def é():", "C901", 5, 4},
		{"x", "W292", 9, 1}, {"é", "F821", 99, 1}, {"", "W391", 1, 0}, {"x", "E902", -5, 0}, {"x", "", 0, 0},
	} {
		if got := mark(test.line, test.code, test.column); got != test.want {
			t.Errorf("mark(%q, %s, %d) = %d, want %d", test.line, test.code, test.column, got, test.want)
		}
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
