package lint

import (
	"fmt"
	"strings"
	"testing"

	"codelinter/rule"
	"codelinter/source"
)

// TestReleases compares what flake8 7.3.0 and 7.5.0 print. pep8 and pyflakes test their
// own differences; here stand those of flake8 itself.
func TestReleases(t *testing.T) {
	for _, test := range []struct {
		name                 string
		target               source.Version
		text                 string
		flake8730, flake8750 string
	}{
		{
			"an IndentationError of the tokenizer in Python", source.Python311,
			"if 1:\n    2\n  \\\n\n3\n",
			"3:2 E999 IndentationError: unindent does not match any outer indentation level",
			"3:3 E999 IndentationError: unindent does not match any outer indentation level",
		},
		{
			"a code that one release has", source.Python315,
			"lazy import os\nos\n",
			"",
			"2:1 F851 eager use of lazily imported 'os' from line 1",
		},
	} {
		for _, release := range rule.Releases() {
			want := test.flake8730
			if release == rule.Flake8750 {
				want = test.flake8750
			}
			o := DefaultOptions()
			o.Release, o.Target = release, test.target
			linter, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, f := range linter.Lint(Input{Data: []byte(test.text)}).Findings {
				lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Row, f.Column, f.Code, f.Message()))
			}
			if got := strings.Join(lines, "\n"); got != want {
				t.Errorf("%s, %v: %q, want %q", test.name, release, got, want)
			}
		}
	}
}

// TestNewerCodes requires that a release cannot select the codes that came later.
func TestNewerCodes(t *testing.T) {
	for _, release := range rule.Releases() {
		o := DefaultOptions()
		o.Release, o.Select = release, []string{"F"}
		linter, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for code := range rule.Codes() {
			if got, want := linter.Enabled(code), strings.HasPrefix(code.String(), "F") && release.Has(code); got != want {
				t.Errorf("%v: %s is enabled: %v, want %v", release, code, got, want)
			}
		}
	}
}
