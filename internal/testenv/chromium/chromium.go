// Package chromium lets tests try pages in a browser, if there is one.
package chromium

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A Tab is one page of a browser that ends with its test. Errors in it fail the test.
type Tab struct {
	t   testing.TB
	ctx context.Context
}

// Open starts a headless Chromium with width by height pixels. A page that hangs fails
// its test a little before go test would kill the test binary. Without a Chromium the
// test is skipped, or fails if CODELINTER_REQUIRE_BROWSER is 1.
func Open(t *testing.T, width, height int) *Tab {
	t.Helper()
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
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.WindowSize(width, height))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, leave := chromedp.NewContext(ctx)
	t.Cleanup(leave)
	if deadline, ok := t.Deadline(); ok {
		limited, cancel := context.WithDeadline(ctx, deadline.Add(-10*time.Second))
		t.Cleanup(cancel)
		ctx = limited
	}
	return &Tab{t, ctx}
}

// Do performs steps in order.
func (tab *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	if err := chromedp.Do(tab.ctx, steps...); err != nil {
		tab.t.Fatal(err)
	}
}

// Run runs a script and ignores its value.
func (tab *Tab) Run(script string) {
	tab.t.Helper()
	tab.Do(chromedp.Evaluate[chromedp.Void](script))
}

// Text returns the value of a JavaScript expression as text.
func (tab *Tab) Text(script string) string {
	tab.t.Helper()
	text, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		tab.t.Fatal(err)
	}
	return text
}

// Expect reports an error if an expression has another value.
func (tab *Tab) Expect(script, want string) {
	tab.t.Helper()
	if got := tab.Text(script); got != want {
		tab.t.Errorf("%s is %q, want %q", script, got, want)
	}
}

// Until waits until an expression is true.
func (tab *Tab) Until(script string) {
	tab.t.Helper()
	for {
		done, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool]("Boolean("+script+")"))
		if err != nil {
			tab.t.Fatalf("never %s: %v", script, err)
		}
		if done {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Write writes a page to a file of the test's, and returns its address.
func Write(t testing.TB, name string, page []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, page, 0o666); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
