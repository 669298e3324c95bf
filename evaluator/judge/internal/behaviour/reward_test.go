package behaviour

import (
	"os"
	"strings"
	"testing"

	"codelinter/evaluator"
)

func TestReward(t *testing.T) {
	tests := []struct {
		outcome                  evaluator.Outcome
		given, fixed, introduced int
		want, shaped             float64
		known                    bool
	}{
		{evaluator.Pass, 4, 4, 0, 1, 1, true},
		{evaluator.Pass, 4, 3, 1, 1, 0.5, true},
		{evaluator.Pass, 4, 1, 3, 1, 0, true},
		{evaluator.Pass, 0, 0, 0, 1, 1, true},
		{evaluator.Pass, 0, 0, 2, 1, 0, true},
		{evaluator.Fail, 4, 4, 0, 0, 0, true},
		{evaluator.Unknown, 4, 4, 0, 0, 0, false},
	}
	for _, test := range tests {
		v := Verdict{Outcome: test.outcome}
		reward, known := v.Reward()
		shaped, also := v.ShapedReward(test.given, test.fixed, test.introduced)
		if reward != test.want || shaped != test.shaped || known != test.known || also != known {
			t.Errorf("%+v: %v, %v, %t", test, reward, shaped, known)
		}
	}
}

// TestReasonsAreDocumented requires that the page says what each reason means, in
// the same words.
func TestReasonsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/judge.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range Reasons() {
		if row := "| `" + r[0] + "` | " + r[1] + " |\n"; !strings.Contains(string(page), row) {
			t.Errorf("docs/judge.md has no row %s", row)
		}
	}
}
