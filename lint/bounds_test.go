package lint

import (
	"fmt"
	"strings"
	"testing"

	"codelinter/rule"
)

// With a bound, the findings are the first of those without, and the others are
// counted.
func TestBoundFindings(t *testing.T) {
	plain := newLinter(t, nil)
	bounded := newLinter(t, nil)
	const most = 10
	for _, text := range []string{
		"x = 1\n",
		strings.Repeat("x=1;\n", 50_000),
		strings.Repeat("x;", 60_000),
		strings.Repeat("x=1 # noqa: E225\n", 50_000),
		"x=1  # noqa\n" + strings.Repeat("y =1\t\n\n\n\n\n", 30_000),
		"\ufeff" + strings.Repeat("é=1 ;\r\n", 40_000),
		strings.Repeat("x=1;\n", 50_000) + "(",
		"# flake8: noqa\n" + strings.Repeat("x=1;\n", 50_000),
		"import os\n" + strings.Repeat("f( x )\n", 50_000),
	} {
		bounded.SetBounds(Bounds{Findings: most})
		var want [rule.Count]int
		all := plain.Lint([]byte(text))
		for i := range all {
			want[all[i].Code]++
		}
		got := bounded.Lint([]byte(text))
		if got, want := fmt.Sprint(messages(got)), fmt.Sprint(messages(all[:min(len(all), most)])); got != want {
			t.Errorf("%.20q:\n got %s\nwant %s", text, got, want)
		}
		beyond, counts := bounded.Beyond()
		if beyond != max(len(all)-most, 0) {
			t.Errorf("%.20q: %d findings beyond, want %d", text, beyond, len(all)-most)
		}
		for i := range got {
			want[got[i].Code]--
		}
		if *counts != want {
			t.Errorf("%.20q: other counts beyond", text)
		}
		if got, want := bounded.Facts(), plain.Facts(); got != want {
			t.Errorf("%.20q: %+v, want %+v", text, got, want)
		}
	}
}

func TestBoundTokens(t *testing.T) {
	linter := newLinter(t, nil)
	const most = 1000
	linter.SetBounds(Bounds{Tokens: most})
	for text, want := range map[string]bool{
		strings.Repeat("x;", most/2-1):       false, // and NEWLINE, ENDMARKER
		strings.Repeat("x;", most/2):         true,
		strings.Repeat("\n", most-1):         false,
		strings.Repeat("\n", most):           true,
		strings.Repeat("#", 100*most) + "\n": false,
		strings.Repeat("(", 10*most):         false, // an error before
	} {
		findings := linter.Lint([]byte(text))
		if got := linter.TooLarge(); got != want || got && len(findings) > 0 {
			t.Errorf("%.20q of %d bytes: too large is %v, %d findings", text, len(text), got, len(findings))
		}
	}
	linter.Lint([]byte(strings.Repeat("x;", most)))
	if linter.Lint([]byte("# flake8: noqa\n")); linter.TooLarge() {
		t.Error("a file that is exempt is too large for what the last one had")
	}
	if len(linter.Lint([]byte("x=1\n"))) != 1 || linter.TooLarge() {
		t.Error("the next file is not linted")
	}
}
