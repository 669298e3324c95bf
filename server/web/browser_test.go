package web

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The page is tried as a person uses it, on a phone and on a desk: it needs nothing from
// elsewhere, its policy lets its own script run, and nothing scrolls sideways.
func TestPage(t *testing.T) {
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
	s := start(t, Options{Token: "s3cret"})
	address, _ := serve(t, s, "127.0.0.1:0")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, leave := chromedp.NewContext(ctx)
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
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
			time.Sleep(20 * time.Millisecond)
		}
	}
	shown := func(id string) string { return `document.getElementById("` + id + `").getClientRects().length` }
	for _, width := range []int64{390, 1280} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate("http://"+address.String()+"/")); err != nil {
			t.Fatal(err)
		}
		until(`document.getElementById("state").textContent === "ready"`)
		until("!" + shown("secret"))
		until("!" + shown("result"))
		until("document.documentElement.scrollWidth <= innerWidth")

		// By the keyboard; a token is asked for when it is needed.
		ask := chromedp.Evaluate[chromedp.Void](`dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true}))`)
		write := func(id, text string) chromedp.Action[chromedp.Void] {
			return chromedp.Evaluate[chromedp.Void](`document.getElementById("` + id + `").value = ` + text)
		}
		if err := chromedp.Do(ctx, ask); err != nil {
			t.Fatal(err)
		}
		until(shown("secret"))
		until(`document.getElementById("problem").textContent.includes("Bearer")`)
		if err := chromedp.Do(ctx, write("token", `"s3cret"`), write("answer", `"é = 1\nprint(é )\nimport os\n"`), write("program", `"x=1\n"`), ask); err != nil {
			t.Fatal(err)
		}
		until(`document.getElementById("count").textContent === "3 findings in the code"`)
		until("!" + shown("problem"))
		until(`document.getElementById("verdicts").textContent.startsWith("Reward0.0OfficialfailGuardedfail")`)
		until(`document.querySelector("#findings li").textContent === "E2022:8whitespace before ')'"`)
		until("document.documentElement.scrollWidth <= innerWidth")

		// A finding's place is selected in the answer.
		if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#findings button")[1].click()`)); err != nil {
			t.Fatal(err)
		}
		until(`(() => { const a = document.getElementById("answer"); return a.value.slice(a.selectionStart).startsWith("import os"); })()`)
		if err := chromedp.Do(ctx, write("answer", `"y = 1\n"`), write("program", `""`), write("verdict", `"official"`), ask); err != nil {
			t.Fatal(err)
		}
		until(`document.getElementById("count").textContent === "No findings in the code"`)
		until(`document.getElementById("verdicts").textContent === "Reward1.0Officialpass"`)
	}
}
