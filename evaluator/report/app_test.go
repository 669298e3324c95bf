package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

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
