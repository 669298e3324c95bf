package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/evanw/esbuild/pkg/api"

	"codelinter/evaluator"
	"codelinter/internal/bundle"
	"codelinter/internal/chromium"
)

// The bundles are made of the sources that stand beside them; where the packages are
// there, they are what these give, byte for byte.
func TestBundle(t *testing.T) {
	const root = "../.."
	for _, page := range bundle.Pages() {
		t.Run(page.Out, func(t *testing.T) {
			read := func(name string) string {
				text, err := os.ReadFile(filepath.Join(root, name))
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			digest, err := page.Digest(root)
			if err != nil {
				t.Fatal(err)
			}
			script := read(page.Out + ".js")
			if first, _, _ := strings.Cut(script, "\n"); first+"\n" != bundle.Banner(digest) {
				t.Fatalf("%s.js is older than its sources: make page", page.Out)
			}
			if _, err := os.Stat(filepath.Join(root, page.Modules, "node_modules")); err != nil {
				t.Skipf("%v: that the bundle is what its sources give is not tried (npm ci)", err)
			}
			full, err := filepath.Abs(root)
			if err != nil {
				t.Fatal(err)
			}
			built, err := page.Build(full)
			if err != nil {
				t.Fatal(err)
			}
			if string(built.Script) != script || string(built.Style) != read(page.Out+".css") {
				t.Errorf("%s is not what its sources give: make page", page.Out)
			}
			for name, text := range built.Licenses {
				if read(filepath.Join(page.Licenses, name)) != string(text) {
					t.Errorf("%s is not the package's licence: make page", name)
				}
			}
		})
	}
}

// The app's own tests, in app/test.
func TestApp(t *testing.T) {
	if _, err := os.Stat("app/node_modules"); err != nil {
		t.Skipf("%v: the app's logic is not tried (npm ci)", err)
	}
	result := api.Build(api.BuildOptions{EntryPoints: []string{"app/test/main.ts"}, Bundle: true, Target: api.ES2023, Charset: api.CharsetASCII})
	if len(result.Errors) > 0 {
		t.Fatal(result.Errors[0].Text)
	}
	tab := chromium.Open(t, 800, 600)
	tab.Run(string(result.OutputFiles[0].Contents))
	var failures []string
	if err := json.Unmarshal([]byte(tab.Text("JSON.stringify(window.failures)")), &failures); err != nil {
		t.Fatal(err)
	}
	for _, failure := range failures {
		t.Error(failure)
	}
}

// axe-core finds nothing on any page, in the light and in the dark.
func TestAccessibility(t *testing.T) {
	axe, err := os.ReadFile("app/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skipf("%v: the pages are not tried with axe (npm ci)", err)
	}
	tab := chromium.Open(t, 1280, 900)
	_, results := runOpen(t, (&Results{Texts: true}).Encode)
	run, err := ReadRun("r", bytes.NewReader(results))
	if err != nil {
		t.Fatal(err)
	}
	var one, many bytes.Buffer
	page := NewPage(run.Summary.Tasks)
	if err := ReadPage("r", bytes.NewReader(results), page); err != nil {
		t.Fatal(err)
	}
	if err := page.Render(&one, evaluator.About{Title: "A run"}, run.Summary); err != nil {
		t.Fatal(err)
	}
	if err := board(t, []string{"a", "b", "c"}, run, run, run).Page(&many); err != nil {
		t.Fatal(err)
	}
	pair := chromium.Write(t, "pair.html", renderedPair(t))
	single := chromium.Write(t, "run.html", one.Bytes())
	for _, address := range []string{single, single + "#task=17", pair, pair + "#task=1", chromium.Write(t, "board.html", many.Bytes()), chromium.Write(t, "steps.html", stepsPage(t))} {
		for _, theme := range []string{"light", "dark"} {
			tab.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
			tab.Until("document.querySelector('.theme') && !document.querySelector('.chart:empty')?.clientWidth")
			tab.Until("document.documentElement.dataset.theme === '" + theme + "' || document.querySelector('.theme').click()")
			tab.Run(string(axe))
			tab.Run("axe.run().then((results) => { window.found = results.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 200)).slice(0, 3).join(' | ')); })")
			tab.Until("window.found")
			if found := tab.Text("window.found.join('\\n')"); found != "" {
				t.Errorf("%s, %s: %s", filepath.Base(address), theme, found)
			}
		}
	}
}

func stepsPage(t *testing.T) []byte {
	var page bytes.Buffer
	if err := checkpoints(t).Page(&page); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}
