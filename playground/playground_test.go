package playground

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codelinter/internal/tasks/openset"
	"codelinter/internal/testenv/bench"
	"codelinter/internal/testenv/chromium"
	"codelinter/lint"
)

func TestMain(m *testing.M) { os.Exit(chromium.Main(m)) }

// page builds the playground and returns its address.
func page(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "playground.html")
	out, err := exec.Command("./build", path, "fast").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f MB", float64(len(text))/1e6)
	return "file://" + path
}

// The page as a person uses it: it starts with no net, finds things as one types, goes
// to them, explains them, and carries them in its address.
func TestPlayground(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the linter for WebAssembly")
	}
	tab := chromium.Open(t, 390, 844)
	address := page(t)
	text := func(id string) string { return `document.getElementById("` + id + `").textContent` }
	write := func(id, text string) {
		t.Helper()
		quoted, _ := json.Marshal(text)
		tab.Run(`{ const e = document.getElementById("` + id + `"); e.value = ` + string(quoted) + `; e.dispatchEvent(new Event("input", {bubbles: true})); }`)
	}
	first := func() string {
		return tab.Text(`document.querySelector("#findings li")?.innerText.replace(/\s+/g, " ")`)
	}

	tab.Do(chromedp.Navigate(address))
	tab.Until(`!document.getElementById("share").disabled`)
	t.Log("from the address to findings, ms:", tab.Text(`Math.round(performance.now())`))
	tab.Expect(text("count"), "11 findings")
	tab.Expect(`document.documentElement.scrollWidth <= innerWidth`, "true")
	tab.Expect(`performance.getEntriesByType("resource").length`, "0")

	// The text has Python's colours and marks, and is what is typed, wherever marks cut colours.
	tab.Expect(text("paint")+` === document.getElementById("code").value + "\n"`, "true")
	tab.Expect(`[...document.querySelectorAll("#paint .defined")].map((e) => e.textContent).join()`, "greet")
	tab.Expect(`document.querySelectorAll("#paint mark").length > 8`, "true")

	// On a phone the findings follow the code; beside it there is room for them on a tablet.
	const after = `document.querySelector(".found").getBoundingClientRect().top >= document.querySelector(".coding").getBoundingClientRect().bottom - 1`
	const before = `document.querySelector(".found").getBoundingClientRect().bottom <= document.querySelector(".panels").getBoundingClientRect().top + 1`
	tab.Expect(after+" && "+before, "true")
	tab.Do(chromedp.EmulateViewport(768, 1024))
	tab.Expect(`document.querySelector(".found").getBoundingClientRect().left >= document.querySelector(".coding").getBoundingClientRect().right`, "true")
	tab.Expect(`document.documentElement.scrollWidth <= innerWidth`, "true")

	// Themes.
	for _, theme := range []string{"light", "dark"} {
		tab.Run(`document.querySelector(".theme").click()`)
		tab.Expect(`document.documentElement.dataset.theme`, theme)
		accessible(t, tab)
	}
	tab.Expect(`getComputedStyle(document.body).backgroundColor`, "rgb(17, 21, 28)")
	tab.Do(chromedp.EmulateViewport(390, 844))

	// Examples.
	n, err := strconv.Atoi(tab.Text(`document.getElementById("examples").options.length`))
	if err != nil || n < 5 {
		t.Fatalf("%d examples (%v)", n, err)
	}
	for i := range n - 1 {
		tab.Run(fmt.Sprintf(`{ const e = document.getElementById("examples"); e.value = "%d"; e.dispatchEvent(new Event("change")); }`, i))
		tab.Expect(`document.getElementById("problem").hidden && document.getElementById("code").value !== "" && `+text("paint")+` === document.getElementById("code").value + "\n"`, "true")
		tab.Expect(text("count")+` !== "No findings" || !document.getElementById("verdict").hidden`, "true")
	}

	// A letter more, and what it brings.
	write("code", "é = 1\nprint(é )\nimport os\n")
	tab.Expect(text("count"), "3 findings")
	if got := first(); got != "2:8 E202 whitespace before ')'" {
		t.Error(got)
	}
	tab.Do(chromedp.Focus("#code", chromedp.NodeReady), chromedp.KeyEvent(kb.F8), chromedp.KeyEvent(kb.F8))
	tab.Expect(`document.getElementById("code").value.slice(document.getElementById("code").selectionStart)`, "import os\n")
	tab.Expect(`document.querySelector("[aria-current]").innerText.includes("F401")`, "true")
	tab.Expect(`document.activeElement.id`, "code")
	tab.Do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent("\t"))
	tab.Until(`document.getElementById("code").value === "é = 1\nprint(é )\nimport os    \n"`)
	tab.Expect(text("count"), "4 findings")
	tab.Do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("\t"))
	tab.Until(`document.activeElement.id !== "code"`)

	t.Log("from a letter to findings, ms:", tab.Text(`(() => {
		const e = document.getElementById("code"), times = [];
		for (let i = 0; i < 100; i++) {
			const start = performance.now();
			e.value += "a";
			e.dispatchEvent(new Event("input"));
			document.body.offsetHeight;
			times.push(performance.now() - start);
		}
		times.sort((a, b) => a - b);
		return "p50 " + times[50].toFixed(2) + ", p99 " + times[99].toFixed(2);
	})()`))

	// Options, and a page of a rule.
	write("code", "x = lambda: 0\n")
	tab.Expect(text("count"), "1 finding")
	tab.Run(`document.querySelector("#findings .rule").click()`)
	tab.Expect(text("rule-title"), "E731 named-lambda")
	tab.Expect(`document.querySelectorAll("#rule-text pre").length >= 2`, "true")
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Until(`!document.getElementById("rule").open`)
	tab.Run(`{ const e = document.querySelector("[data-option=ignore]"); e.value = "E731, W"; e.dispatchEvent(new Event("input", {bubbles: true})); }`)
	tab.Expect(text("count"), "No findings")
	tab.Expect(text("changed"), "(1 changed)")
	tab.Run(`{ const e = document.querySelector("[data-option=ignore]"); e.value = "?"; e.dispatchEvent(new Event("input", {bubbles: true})); }`)
	tab.Until(`!document.getElementById("problem").hidden`)
	tab.Run(`document.getElementById("reset").click()`)
	tab.Expect(`document.getElementById("problem").hidden`, "true")
	tab.Run(`{ const e = document.getElementById("target"); e.value = "3.10"; e.dispatchEvent(new Event("input", {bubbles: true})); }`)
	write("code", "type X = int\n")
	if got := first(); !strings.HasPrefix(got, "1:7 E999 SyntaxError") {
		t.Error(got)
	}

	// An answer and the program that it mends.
	tab.Run(`document.getElementById("reset").click()`)
	write("code", "def f(a):\n    return a + 1\n")
	write("program", "def f(a):\n  return a+1\n")
	tab.Expect(`document.getElementById("verdict").innerText.replace(/\s+/g, " ")`, "Official pass Findings 1 fixed, 0 left, 0 introduced Guards none refuses it Logic the same tree")
	write("code", "def f(a):\n    return a - 1\n")
	tab.Expect(`document.querySelector("#verdict .unknown").textContent`, "not the same tree: both have to be run")
	write("code", "def g(a):\n    return a - 1\n")
	tab.Expect(`document.querySelector("#verdict .fail").textContent.includes("f is not defined")`, "true")

	// A fix of what is proven, which can be undone as what is typed.
	write("program", "")
	write("code", "# 🐍\nimport os\n\n\ndef f(x) :\n    return x==[]\n\n\nprint(y)\n# 🐍\n")
	tab.Run(`document.getElementById("fix").click()`)
	tab.Expect(`document.getElementById("code").value`, "# 🐍\n\n\ndef f(x):\n    return x == []\n\n\nprint(y)\n# 🐍\n")
	tab.Expect(text("count"), "1 finding")
	tab.Expect(text("fix"), "Fixed")
	tab.Run(`document.execCommand("undo")`)
	tab.Expect(`document.getElementById("code").value`, "# 🐍\nimport os\n\n\ndef f(x) :\n    return x==[]\n\n\nprint(y)\n# 🐍\n")
	tab.Run(`{ const e = document.querySelector("[data-option=ignore]"); e.value = "E,F"; e.dispatchEvent(new Event("input", {bubbles: true})); }`)
	tab.Run(`document.getElementById("fix").click()`)
	tab.Expect(text("fix"), "Nothing to fix")
	tab.Run(`document.getElementById("reset").click()`)
	write("code", "def g(a):\n    return a - 1\n")
	write("program", "def f(a):\n  return a+1\n")

	// The address carries all of it.
	tab.Run(`document.getElementById("share").click()`)
	tab.Until(`location.hash.length > 20`)
	shared := tab.Text("location.href")
	tab.Run(`localStorage.clear()`)
	tab.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(shared))
	tab.Until(`!document.getElementById("share").disabled`)
	tab.Expect(`document.getElementById("code").value`, "def g(a):\n    return a - 1\n")
	tab.Expect(`document.getElementById("program").value`, "def f(a):\n  return a+1\n")
	tab.Expect(`document.getElementById("against").open`, "true")
	tab.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#nonsense"))
	tab.Until(`document.getElementById("problem").textContent.includes("damaged")`)

	// What is large, and what is hostile.
	write("program", "")
	write("code", strings.Repeat("x=1\n", 20_000))
	tab.Until(text("count") + ` === "20,000 findings"`)
	tab.Expect(text("more"), "and 19,000 more")
	write("code", `"</script><img src=x onerror='window.hacked=1'>" + 1`+"\x00\n"+strings.Repeat("(", 100_000))
	tab.Until(text("count") + ` === "1 finding"`)
	tab.Expect(`String(window.hacked)`, "undefined")
	tab.Expect(`document.documentElement.scrollWidth <= innerWidth`, "true")

	t.Run("the same findings as the binary", func(t *testing.T) { testSame(t, tab) })
}

// accessible tries the page with axe-core, where npm has fetched it.
func accessible(t *testing.T, tab *chromium.Tab) {
	t.Helper()
	axe, err := os.ReadFile("../internal/eval/report/app/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Logf("%v: the page is not tried with axe (npm ci)", err)
		return
	}
	tab.Run(string(axe))
	tab.Run(`window.found = null; axe.run().then((results) => { window.found = results.violations.map((one) => one.id + ": " + one.nodes[0].html); })`)
	tab.Until("window.found")
	tab.Expect(`window.found.join()`, "")
}

// testSame lints the files of the goldens and the tasks' programs in the page and here.
func testSame(t *testing.T, tab *chromium.Tab) {
	var programs []string
	for _, text := range bench.Goldens(t) {
		programs = append(programs, strings.ToValidUTF8(text, "\ufffd"))
	}
	tasks, err := openset.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks.All() {
		programs = append(programs, task.Inputs.Code)
	}
	// Cut in the middle, most are no Python.
	for _, program := range programs {
		programs = append(programs, strings.ToValidUTF8(program[:len(program)/2], ""))
	}
	linter, err := lint.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const batch = 100
	for from := 0; from < len(programs); from += batch {
		some := programs[from:min(from+batch, len(programs))]
		quoted, err := json.Marshal(some)
		if err != nil {
			t.Fatal(err)
		}
		reply := tab.Text(`JSON.stringify(` + string(quoted) + `.map((code) => JSON.parse(codelinter(JSON.stringify({code}))).findings))`)
		var got [][]any
		if err := json.Unmarshal([]byte(reply), &got); err != nil {
			t.Fatal(err)
		}
		for i, program := range some {
			text, err := json.Marshal(linter.Lint(lint.Input{Data: []byte(program)}).Findings)
			if err != nil {
				t.Fatal(err)
			}
			want := []any{}
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got[i], cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%.100q: %s", program, diff)
			}
		}
	}
	t.Logf("%d programs", len(programs))
}
