package lint

import (
	"strings"
	"testing"

	"codelinter/rule"
)

// The bad example of each page gives its code and no other, with every E and W
// code on and for the others every code; the good one gives nothing.
func TestExamples(t *testing.T) {
	linters, gaps := linters{}, readGaps(t)
	for described := range rule.Codes() {
		page, ok := rule.Page(described)
		if !ok {
			continue
		}
		code := described.String()
		if page.Bad == "" {
			continue // the code cannot be had on 3.14
		}
		selected := "--select=E,W,F,C90"
		if code[0] == 'E' || code[0] == 'W' {
			selected = "--select=E,W"
		}
		t.Run(code, func(t *testing.T) {
			options := append([]string{selected, "--ignore="}, page.Options...)
			if since := described.Rule().Since; !rule.Release(0).Has(described) {
				options = append(options, "--flake8-version="+since.String())
			}
			bad := linters.lint(t, options, code+".py", []byte(page.Bad))
			good := linters.lint(t, options, code+".py", []byte(page.Good))
			right := len(bad) > 0 && len(good) == 0
			for _, line := range bad {
				right = right && codeOf(line) == code
			}
			if !right && !excuse(gaps, "rule/"+code) {
				t.Errorf("%s\nthe bad example gives %q:\n%s\nthe good example gives %q:\n%s", code, bad, page.Bad, good, page.Good)
			}
		})
	}
	for _, gap := range gaps {
		if !gap.open && strings.HasPrefix(gap.pattern, "rule/") {
			t.Errorf("gaps.txt: %s is no gap any more, take it out", gap.pattern)
		}
	}
}
