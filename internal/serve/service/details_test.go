package service

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/internal/serve/api"
)

// Whoever asks has the code, its findings, and what became of each code's; whoever does not has
// none.
func TestDetails(t *testing.T) {
	s := start(t, Options{Workers: 1})
	item := api.Item{
		Task:        api.Task{Inline: []byte(`{"program": "import os\nx=1\ny=2\n"}`)},
		Verdict:     evaluator.Official,
		Completions: texts("```python\nx = 1\ny=2\nz = ';'; \n```", "x = (", "x = 1\n"),
	}
	want := []string{
		`2 1 2 "\nx = 1\ny=2\nz = ';'; \n" E225 E703 W291 E225[1 1 0] E703[0 0 1] W291[0 0 1] F401[1 0 0] +3 -2`,
		`0 3 1 "x = (" E999 E225[0 2 0] E999[0 0 1] F401[0 1 0] +1 -3`,
		`3 0 0 "x = 1\n" E225[2 0 0] F401[1 0 0] +1 -3`,
	}
	for _, details := range []bool{true, false, true} {
		item.Details = details
		scores, err := s.Score(t.Context(), "me", []api.Item{item})
		if err != nil {
			t.Fatal(err)
		}
		for i, score := range scores[0] {
			if !details {
				if score.Details != nil {
					t.Errorf("details that nobody asked for: %+v", score.Details)
				}
				continue
			}
			got := fmt.Sprintf("%d %d %d %q", score.Fixed, score.Left, score.Introduced, score.Details.Code)
			for _, finding := range strings.Split(string(score.Details.Findings), `"code":"`)[1:] {
				got += " " + finding[:4]
			}
			for _, c := range score.Details.Changes {
				got += fmt.Sprintf(" %s[%d %d %d]", c.Code, c.Fixed, c.Left, c.Introduced)
			}
			got += fmt.Sprintf(" +%d -%d", score.Details.Added, score.Details.Removed)
			if got != want[i] {
				t.Errorf("%s\nwant %s", got, want[i])
			}
		}
	}
}

// Details take room, as the findings of a file do.
func TestDetailsTakeRoom(t *testing.T) {
	s := start(t, Options{Workers: 1, MaxQueue: 64 << 10})
	item := api.Item{Verdict: evaluator.Official, Details: true, Completions: texts(strings.Repeat("x=1\n", 5000))}
	if _, err := s.Score(t.Context(), "me", []api.Item{item}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want %v", err, ErrTooLarge)
	}
	item.Details = false
	if _, err := s.Score(t.Context(), "me", []api.Item{item}); err != nil {
		t.Error(err)
	}
	if stats := s.Stats(); stats.QueuedBytes != 0 {
		t.Errorf("%d bytes are still taken", stats.QueuedBytes)
	}
}
