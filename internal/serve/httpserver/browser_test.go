package httpserver

import (
	"testing"

	"github.com/chromedp/chromedp"

	"codelinter/internal/testenv/chromium"
)

// The page is tried as a person uses it, on a phone and on a desk: it needs nothing from
// elsewhere, its policy lets its own script run, and nothing scrolls sideways.
func TestPage(t *testing.T) {
	tab := chromium.Open(t, 390, 844)
	until := tab.Until
	s := start(t, Options{Token: "s3cret"})
	address, _ := serve(t, s, "127.0.0.1:0")
	shown := func(id string) string { return `document.getElementById("` + id + `").getClientRects().length` }
	for _, width := range []int64{390, 1280} {
		tab.Do(chromedp.EmulateViewport(width, 844), chromedp.Navigate("http://"+address.String()+"/"))
		until(`document.getElementById("state").textContent === "ready"`)
		until("!" + shown("secret"))
		until("!" + shown("result"))
		until("document.documentElement.scrollWidth <= innerWidth")

		// By the keyboard; a token is asked for when it is needed.
		ask := chromedp.Evaluate[chromedp.Void](`dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true}))`)
		write := func(id, text string) chromedp.Action[chromedp.Void] {
			return chromedp.Evaluate[chromedp.Void](`document.getElementById("` + id + `").value = ` + text)
		}
		tab.Do(ask)
		until(shown("secret"))
		until(`document.getElementById("problem").textContent.includes("Bearer")`)
		tab.Do(write("token", `"s3cret"`), write("answer", `"é = 1\nprint(é )\nimport os\n"`), write("program", `"x=1\n"`), ask)
		until(`document.getElementById("count").textContent === "3 findings in the code"`)
		until("!" + shown("problem"))
		until(`document.getElementById("verdicts").textContent.startsWith("Reward0.0OfficialfailGuardedfail")`)
		until(`document.querySelector("#findings li").textContent === "E2022:8whitespace before ')'"`)
		until("document.documentElement.scrollWidth <= innerWidth")

		// A finding's place is selected in the answer.
		tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#findings button")[1].click()`))
		until(`(() => { const a = document.getElementById("answer"); return a.value.slice(a.selectionStart).startsWith("import os"); })()`)
		tab.Do(write("answer", `"y = 1\n"`), write("program", `""`), write("verdict", `"official"`), ask)
		until(`document.getElementById("count").textContent === "No findings in the code"`)
		until(`document.getElementById("verdicts").textContent === "Reward1.0Officialpass"`)
	}
}
