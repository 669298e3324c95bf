package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"codelinter/lint"
	"codelinter/rule"
)

// A check for a few codes finds what a whole check finds of them.
func TestCodes(t *testing.T) {
	names, err := filepath.Glob("../testdata/flake8-golden/*/*.py")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	options := lint.DefaultOptions()
	options.MaxComplexity, options.Ignore = 1, []string{}
	linter, err := lint.New(options)
	if err != nil {
		t.Fatal(err)
	}
	other := linter.Clone()
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := linter.Lint(lint.Input{Name: name, Data: data})
		byCode := map[rule.Code][]rule.Finding{}
		for _, f := range whole.Findings {
			byCode[f.Code] = append(byCode[f.Code], f)
		}
		for code, want := range byCode {
			var codes rule.Set
			codes.Add(code)
			got := other.Lint(lint.Input{Name: name, Data: data, Codes: &codes})
			same := slices.EqualFunc(got.Findings, want, func(a, b rule.Finding) bool { return a.Bare() == b.Bare() && a.Message() == b.Message() })
			if !same || got.Invalid != whole.Invalid {
				t.Errorf("%s: %d findings of %v, want %d", name, len(got.Findings), code, len(want))
			}
		}
		if got := other.Lint(lint.Input{Name: name, Data: data, Codes: new(rule.Set)}); len(got.Findings) != 0 || got.Invalid != whole.Invalid {
			t.Errorf("%s: %d findings of no code", name, len(got.Findings))
		}
	}
}
