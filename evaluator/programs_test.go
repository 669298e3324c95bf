package evaluator

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"codelinter/evaluator/task"
	"codelinter/rule"
)

// A program is linted once for all who share what is known, until others have taken
// its place; the same text under other options is another.
func TestPrograms(t *testing.T) {
	var programs Programs
	lints := 0
	lint := func(code string, counts *codeCounts) error {
		lints++
		counts.count(make([]rule.Finding, len(code)%1000))
		return nil
	}
	ask := func(code string, options *task.Options, want int) {
		t.Helper()
		if got, _ := programs.given(program{code, options}, lint); int(got.of[0]) != len(code)%1000 || lints != want {
			t.Errorf("%.10q: %d findings after %d lints, want %d after %d", code, got.of[0], lints, len(code)%1000, want)
		}
	}
	ask("a", nil, 1)
	ask("a", nil, 1)
	ask("a", &task.Options{}, 2)
	ask("aa", nil, 3)
	half := strings.Repeat(" ", programBytes/2)
	for i := range 10 {
		ask(half+fmt.Sprint(i), nil, 4+i)
		ask("a", nil, 4+i) // asked for all the time, and so not forgotten
	}
	ask("aa", nil, 14)
	if size := programs.known.Size(); size > 2*programBytes {
		t.Errorf("%d bytes of programs are kept", size)
	}
}

// Scorers that share what is known of programs give what one of its own gives.
func TestSharedPrograms(t *testing.T) {
	shared := new(Programs)
	var working sync.WaitGroup
	for worker := range 4 {
		working.Go(func() {
			scorer, err := NewScorer(ScorerOptions{Programs: shared, CodesOnly: true, NoSaved: true})
			if err != nil {
				t.Error(err)
				return
			}
			var tk task.Task
			for i := range 200 {
				n := (i*7 + worker) % 50
				tk.Inputs.Code = strings.Repeat("x=1\n", n)
				result, err := scorer.Score(t.Context(), &tk, []string{"x = 1\n", "```py\nx = 1\n```"})
				if err != nil {
					t.Error(err)
					return
				}
				if s := &result.Samples[0]; s.Fixed != n || s.Given != n {
					t.Errorf("%d of %d fixed, want all %d", s.Fixed, s.Given, n)
				}
				if s := &result.Samples[1]; s.Official() || s.Saved != 0 {
					t.Errorf("passes %v, saved by %v", s.Official(), s.Saved)
				}
			}
		})
	}
	working.Wait()
}
