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
	"codelinter/internal/testenv/chromium"
	"codelinter/internal/tools/bundle"
)

// The bundles are made of the sources that stand beside them; where the packages are
// there, they are what these give, byte for byte.
func TestBundle(t *testing.T) {
	const root = "../../.."
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

// A page is a copy of the packages in its script, so it has their licences.
func TestPageHasLicenses(t *testing.T) {
	var page bytes.Buffer
	if err := renderPage(&page, pageData{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("app/licenses/*")
	if err != nil || len(names) == 0 {
		t.Fatal("no licences", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page.String(), strings.TrimSpace(string(text))) {
			t.Errorf("no %s in the page", name)
		}
		if !strings.Contains(page.String(), filepath.Base(name)) {
			t.Errorf("no %s is named in the page", filepath.Base(name))
		}
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

// rgb reads a colour's linear parts, and contrast is that of an element's text with its ground.
const colourScript = `
	const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
	const rgb = (text) => text.match(/[\d.]+/g).slice(0, 3).map((value) => linear(value / 255));
	const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
	const contrast = (element) => {
		const style = getComputedStyle(element);
		const [low, high] = [light(rgb(style.backgroundColor)), light(rgb(style.color))].sort((a, b) => a - b);
		return high / low;
	};`

// Each colour of code has a contrast of at least 4.5 with each ground that code stands on: marks of
// findings too.
func TestColoursOfCode(t *testing.T) {
	tab := chromium.Open(t, 800, 600)
	tab.Do(chromedp.Navigate(chromium.Write(t, "steps.html", stepsPage(t))))
	tab.Until("document.querySelector('.theme')")
	tab.Run(colourScript + `
		window.faint = () => {
			const faults = [];
			const cell = document.createElement("span");
			document.body.append(cell);
			for (const colour of ["text", "keyword", "string", "literal", "comment", "defined"]) {
				for (const ground of ["code", "add", "remove", "mark"]) {
					cell.style.color = "var(--" + colour + ")";
					cell.style.backgroundColor = "var(--" + ground + ")";
					const by = contrast(cell);
					if (by < 4.5) faults.push(colour + " on " + ground + " has a contrast of " + by.toFixed(2));
				}
			}
			cell.remove();
			return faults.join(", ");
		};`)
	for _, theme := range []string{"light", "dark"} {
		tab.Until("document.documentElement.dataset.theme === '" + theme + "' || document.querySelector('.theme').click()")
		if faults := tab.Text("faint()"); faults != "" {
			t.Errorf("%s: %s", theme, faults)
		}
	}
}

// Neighbouring colours of a scale differ by at least 0.075 in OKLab, where 0.02 is about the least
// that is seen, and each has a contrast of at least 4.5 with its text.
func TestColours(t *testing.T) {
	tab := chromium.Open(t, 800, 600)
	tab.Do(chromedp.Navigate(chromium.Write(t, "steps.html", stepsPage(t))))
	tab.Until("document.querySelector('.theme')")
	tab.Run(colourScript + `
		const oklab = ([r, g, b]) => {
			const [l, m, s] = [0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b, 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b].map(Math.cbrt);
			return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
		};
		window.alike = (kind) => {
			const faults = [];
			const card = document.querySelector(".card");
			let before = oklab(rgb(getComputedStyle(card).backgroundColor));
			for (let step = 1; step <= 5; step++) {
				const cell = document.createElement("span");
				cell.className = kind + step;
				card.append(cell);
				const now = oklab(rgb(getComputedStyle(cell).backgroundColor));
				const read = contrast(cell);
				cell.remove();
				const by = Math.hypot(...now.map((value, i) => value - before[i]));
				if (by < 0.075) faults.push(kind + step + " differs by " + by.toFixed(3));
				if (read < 4.5) faults.push(kind + step + " has a contrast of " + read.toFixed(2));
				before = now;
			}
			return faults.join(", ");
		};`)
	for _, theme := range []string{"light", "dark"} {
		tab.Until("document.documentElement.dataset.theme === '" + theme + "' || document.querySelector('.theme').click()")
		for _, kind := range []string{"heat", "level"} {
			if faults := tab.Text("alike('" + kind + "')"); faults != "" {
				t.Errorf("%s: %s", theme, faults)
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
