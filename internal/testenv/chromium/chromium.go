// Package chromium lets tests try pages in a browser, if there is one.
package chromium

import (
	"context"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A Tab is one page of the browser, closed at the end of its test. Errors in it fail the test. It
// shares nothing with other tabs but the browser's processes.
type Tab struct {
	t   testing.TB
	ctx context.Context
}

// Main runs the tests of a package, and ends their browser. A package's TestMain exits with what it
// returns.
func Main(m *testing.M) int {
	defer func() { stop() }() // what it is when the tests have run
	return m.Run()
}

var stop = func() {}

// start starts the headless Chromium that all tests of a package share: a start costs more than
// most tests.
var start = sync.OnceValues(func() (context.Context, error) {
	var found string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		return nil, errNone
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.NoSandbox)
	ctx, stopProcess := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(ctx)
	stop = func() {
		leave()
		stopProcess()
	}
	return ctx, chromedp.Do(ctx, chromedp.Navigate("about:blank"))
})

var errNone = errors.New("no Chromium on the path")

// Open opens a page with width by height pixels. One that hangs fails its test a little before go
// test would kill the test binary. Without a Chromium the test is skipped, or fails if
// CODELINTER_REQUIRE_BROWSER is 1.
func Open(t *testing.T, width, height int64) *Tab {
	t.Helper()
	browser, err := start()
	switch {
	case err == errNone && os.Getenv("CODELINTER_REQUIRE_BROWSER") != "1":
		t.Skipf("%v: the page is not tried in a browser (CODELINTER_REQUIRE_BROWSER=1 makes this a failure)", err)
	case err != nil:
		t.Fatal(err)
	}
	ctx, leave := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(leave)
	if deadline, ok := t.Deadline(); ok {
		limited, cancel := context.WithDeadline(ctx, deadline.Add(-10*time.Second))
		t.Cleanup(cancel)
		ctx = limited
	}
	tab := &Tab{t, ctx}
	tab.Do(chromedp.EmulateViewport(width, height))
	return tab
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
