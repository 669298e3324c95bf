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
	rows := 50_000
	if testing.Short() {
		rows = 5_000
	}
	for _, text := range []string{
		"x = 1\n",
		strings.Repeat("x=1;\n", rows),
		strings.Repeat("x;", rows),
		strings.Repeat("x=1 # noqa: E225\n", rows),
		"x=1  # noqa\n" + strings.Repeat("y =1\t\n\n\n\n\n", rows),
		"\ufeff" + strings.Repeat("é=1 ;\r\n", rows),
		strings.Repeat("x=1;\n", rows) + "(",
		"# flake8: noqa\n" + strings.Repeat("x=1;\n", rows),
		"import os\n" + strings.Repeat("f( x )\n", rows),
	} {
		var want [rule.Count]int
		unbounded := plain.Lint(Input{Data: []byte(text), Facts: true})
		all := unbounded.Findings
		for i := range all {
			want[all[i].Code]++
		}
		result := bounded.Lint(Input{Data: []byte(text), Facts: true, Bounds: Bounds{Findings: most}})
		got := result.Findings
		if got, want := fmt.Sprint(messages(got)), fmt.Sprint(messages(all[:min(len(all), most)])); got != want {
			t.Errorf("%.20q:\n got %s\nwant %s", text, got, want)
		}
		if result.Omitted != max(len(all)-most, 0) {
			t.Errorf("%.20q: %d findings beyond, want %d", text, result.Omitted, len(all)-most)
		}
		for i := range got {
			want[got[i].Code]--
		}
		for code, want := range want {
			if got := result.OmittedOf(rule.Code(code)); got != want {
				t.Errorf("%.20q: %d findings beyond of %s, want %d", text, got, rule.Code(code), want)
			}
		}
		if got, want := result.Facts, unbounded.Facts; got != want {
			t.Errorf("%.20q: %+v, want %+v", text, got, want)
		}
	}
}

func TestBoundTokens(t *testing.T) {
	linter := newLinter(t, nil)
	const most = 1000
	bounds := Bounds{Tokens: most}
	for text, want := range map[string]bool{
		strings.Repeat("x;", most/2-1):       false, // and NEWLINE, ENDMARKER
		strings.Repeat("x;", most/2):         true,
		strings.Repeat("\n", most-1):         false,
		strings.Repeat("\n", most):           true,
		strings.Repeat("#", 100*most) + "\n": false,
		strings.Repeat("(", 10*most):         false, // an error before
	} {
		result := linter.Lint(Input{Data: []byte(text), Bounds: bounds})
		if got := result.TooLarge; got != want || got && len(result.Findings) > 0 {
			t.Errorf("%.20q of %d bytes: too large is %v, %d findings", text, len(text), got, len(result.Findings))
		}
	}
	large := strings.Repeat("x;", most)
	linter.Lint(Input{Data: []byte(large), Bounds: bounds})
	for _, input := range []Input{
		{Data: []byte("# flake8: noqa\n"), Bounds: bounds},
		{Data: []byte("# flake8: noqa\n" + large), Bounds: bounds, Facts: true},
	} {
		if linter.Lint(input).TooLarge {
			t.Errorf("%.20q: too large, and exempt", input.Data)
		}
	}
	if result := linter.Lint(Input{Data: []byte("x=1\n"), Bounds: bounds}); len(result.Findings) != 1 || result.TooLarge {
		t.Error("the next file is not linted")
	}
}
