package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"codelinter/internal/testenv/chromium"
)

// The page of several runs in a browser: tables that sort, files that can be saved, and
// names that are only text.
func TestLeaderboardInBrowser(t *testing.T) {
	tab := chromium.Open(t, 390, 844)
	l := board(t, []string{"step-1", "step-20", "step-300"},
		newRun(t, hostile, 4, 1, 0, 0, 2, 1), newRun(t, "b, \"the\" second", 4, 4, 3, 0, 2, 4), newRun(t, "c", 4, 4, 4, 0, 4, 3))
	if err := l.SetSteps(regexp.MustCompile("step-([0-9]+)")); err != nil {
		t.Fatal(err)
	}
	l.Notes = append(l.Notes, hostile)
	var page bytes.Buffer
	if err := l.Page(&page); err != nil {
		t.Fatal(err)
	}
	if text := strings.Replace(page.String(), licensedScript.Get(), "", 1); strings.Contains(text, "<img") || strings.Contains(text, "http") && strings.Contains(text, "://") {
		t.Error("the page has HTML of a name's, or an address")
	}
	tab.Do(chromedp.Navigate(chromium.Write(t, "board.html", page.Bytes())))
	tab.Until("document.querySelector('.sort')")
	tab.Expect("window.hacked", "undefined")
	tab.Expect("document.querySelectorAll('img').length", "0")
	tab.Expect("document.documentElement.scrollWidth <= innerWidth", "true") // tables scroll within themselves
	tab.Expect(within, "true")
	tab.Expect("performance.getEntriesByType('resource').length", "0")
	tab.Expect("document.querySelector('h1').textContent", "CodeLinterEval, 3 checkpoints")
	tab.Expect("document.querySelector('.runs-table bdi').textContent === "+quoted(hostile), "true")

	// Charts are drawn for the width that they have. Styles that the policy forbids would
	// leave them black.
	tab.Until("document.querySelector('.forest-chart svg')")
	tab.Expect("document.querySelector('.forest-chart svg').getBoundingClientRect().width <= innerWidth", "true")
	tab.Expect("getComputedStyle(document.querySelector('.forest-chart [data-part=rule] line')).strokeWidth", "2.5px")
	tab.Expect("getComputedStyle(document.querySelector('.forest-chart [data-part=rule] line:nth-child(2)')).stroke", "rgb(163, 71, 11)")
	tab.Expect("document.querySelectorAll('figure[data-name^=steps]').length", "2")
	tab.Expect("[...document.querySelectorAll('figure[data-name^=steps] circle:first-of-type')].map((circle) => getComputedStyle(circle).fill).filter((fill, i, all) => all.indexOf(fill) === i).join(' ')", "rgb(36, 86, 199) rgb(163, 71, 11)") // of their verdicts
	tab.Expect(`document.querySelectorAll("figure[data-name='steps official'] circle").length`, "6")                                                                                                                                              // pass@1 and pass@2 of three

	// Orders: down, and up.
	const steps = "[...document.querySelectorAll('.runs-table tbody tr')].map((row) => row.cells[1].textContent).join()"
	sort := func(heading string) {
		t.Helper()
		tab.Run("[...document.querySelectorAll('.runs-table .sort')].find((button) => button.textContent === '" + heading + "').click()")
	}
	tab.Expect(steps, "1,20,300")
	sort("pass@1")
	tab.Expect(steps, "300,20,1")
	tab.Expect("document.querySelector('.runs-table [aria-sort]').ariaSort", "descending")
	sort("pass@1")
	tab.Expect(steps, "1,20,300")
	sort("step")
	tab.Expect(steps, "1,20,300")
	sort("step")
	tab.Expect(steps, "300,20,1")
	tab.Expect("document.querySelectorAll('.runs-table [aria-sort]').length", "1")
	sort("run")
	tab.Expect(steps, "1,20,300") // < b c

	// Differences are the row's less the column's, and of other sign across.
	tab.Expect("[...document.querySelectorAll('.pairs')[0].rows[2].cells].slice(1).map((cell) => cell.firstChild.textContent).join()", "+45.0,–,-10.0")
	tab.Expect("document.querySelectorAll('.pairs')[0].rows[3].cells[1].title.includes('+55.0 points, p =\\u00a00.375')", "true")

	// A run has one number in all tables, by both verdicts.
	tab.Expect("[...document.querySelectorAll('.pairs')].map((table) => [...table.querySelectorAll('tbody .number')].map((number) => number.textContent).join('')).join()", "123,123")
	tab.Expect("[...document.querySelectorAll('.spreads:not(.ways) thead')].every((head) => [...head.querySelectorAll('.number')].map((number) => number.textContent).join('') === '123')", "true")

	// No name stands on end, and none is cut.
	tab.Expect("[...document.querySelectorAll('th, th *')].every((element) => getComputedStyle(element).writingMode === 'horizontal-tb')", "true")
	tab.Expect("[...document.querySelectorAll('.forest-chart [data-part=text]')].map((part) => part.textContent).join('').replaceAll(/\\s/g, '').includes("+quoted(strings.ReplaceAll(hostile, " ", ""))+")", "true")

	// What is saved is what the command line writes, and a chart stands by itself.
	tab.Run(`
		window.saved = [];
		const made = URL.createObjectURL;
		URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text)); return made(blob); };
		HTMLAnchorElement.prototype.click = function () {};
		for (const name of ["scores as CSV", "scores as JSON", "intervals as SVG"]) {
			document.querySelector("[aria-label='Save " + name + "']").click();
		}`)
	tab.Until("window.saved.length === 3")
	var csv bytes.Buffer
	if err := l.CSV(&csv); err != nil {
		t.Fatal(err)
	}
	saved := func(as string) string {
		return "window.saved.find((text) => text.startsWith('" + as + "'))"
	}
	tab.Expect(saved("run,"), csv.String())
	tab.Expect("JSON.parse("+saved("{")+").verdicts[1].pairs.length", "3")
	tab.Expect(`new DOMParser().parseFromString(`+saved("<svg")+`, "image/svg+xml").documentElement.getAttribute("width") > 300`, "true")
	tab.Expect(saved("<svg")+".includes('var(')", "false")
	tab.Expect(saved("<svg")+".includes('stroke=\"rgb(36, 86, 199)\"')", "true")
}

// All tasks that separate runs can be shown.
func TestLeaderboardShowsAllTasks(t *testing.T) {
	tab := chromium.Open(t, 1280, 900)
	var passes [2][]int
	for i := range 120 {
		passes[0], passes[1] = append(passes[0], i%3), append(passes[1], 1+i%2)
	}
	var page bytes.Buffer
	if err := board(t, []string{"a", "b", "c"}, newRun(t, "x", 3, passes[0]...), newRun(t, "y", 3, passes[1]...), newRun(t, "z", 3, passes[0]...)).Page(&page); err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.Navigate(chromium.Write(t, "board.html", page.Bytes())))
	tab.Until("document.querySelector('button.rest')")
	const rows = "document.querySelector('.split .spreads').tBodies[0].rows.length"
	tab.Expect(rows, "15")
	tab.Expect("document.querySelector('button.rest').parentElement.textContent", "These are 15 of 120 tasks. Show all 120")
	// An order is that of all tasks, of which the first are shown.
	const first = "document.querySelector('.split .spreads').tBodies[0].rows[0].cells[0].textContent"
	tab.Run("document.querySelector('.split .spreads [data-sort=task] button').click()")
	tab.Run("document.querySelector('.split .spreads [data-sort=task] button').click()")
	tab.Expect(first, "120")
	tab.Run("document.querySelector('button.rest').click()")
	tab.Expect(rows, "120")
	tab.Expect("document.querySelector('.lead').textContent.startsWith('Best by pass@1, official: y with ')", "true")
}

// quoted is a text as one of JavaScript.
func quoted(text string) string { return "`" + strings.ReplaceAll(text, "`", "\\`") + "`" }
