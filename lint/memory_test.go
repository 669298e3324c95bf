package lint_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"codelinter/lint"
	"codelinter/rule"
)

// crowded are texts that have a finding for every byte or two.
var crowded = []string{"x;", "x,", "a;b;", "x\n", "f ()\n", "x=1;y=2\n", "(", "é;"}

// What a text with a finding for each byte takes is bounded by its length, as so many are
// counted first, and the findings are those of a text whose findings are not. What is
// measured is all that was allocated, freed or not, which does not depend on when memory is
// collected.
func TestManyFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	for i, pattern := range crowded {
		size := 9 << 17
		if i > 0 { // the first is as large as it must be, and for the others an eighth of that is large
			size /= 8
			defer lint.LargeFrom(1<<17, 1<<16)()
		}
		linter, err := lint.New(lint.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := []byte(strings.Repeat(pattern, size/len(pattern)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found := linter.Lint(lint.Input{Data: text}).Findings
		runtime.ReadMemStats(&after)
		const most = 520 // of 880 where all findings grow in one list
		if took := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text)); took > most {
			t.Errorf("%q: %.0f bytes for each of the text, want %d at most; %d findings", pattern, took, most, len(found))
		}
		want := linter.Clone().Lint(lint.Input{Data: text, Bounds: lint.Bounds{Findings: 1 << 30}}).Findings
		same := slices.EqualFunc(found, want, func(a, b rule.Finding) bool {
			return a.Row == b.Row && a.Column == b.Column && a.Start == b.Start && a.End == b.End && a.Code == b.Code && (a.Values() == b.Values() || a.Message() == b.Message())
		})
		if !same || len(found) == 0 {
			t.Errorf("%q: %d findings, want %d", pattern, len(found), len(want))
		}
	}
}
