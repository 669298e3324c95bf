package didyoumean

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	names := []string{"verdict", "reward", "completion", "completions", "items", "id"}
	for name, want := range map[string]string{
		"verdit": "verdict", "vredict": "verdict", "Verdict": "verdict", "verdicts": "verdict", "rewrad": "reward",
		"completons": "completions", "complition": "completion", "completion": "completion", "item": "items",
		"": "", "di": "", "x": "", "no such": "", "verdictverdict": "", strings.Repeat("verdict", 1000): "",
	} {
		if got := Of(name, names...); got != want {
			t.Errorf("%.20q: %q, want %q", name, got, want)
		}
	}
}

func TestOption(t *testing.T) {
	names := []string{"base-url", "max-tokens", "max-line-length", "workers", "output"}
	for name, want := range map[string]string{
		"base": "base-url", "url": "base-url", "line-length": "max-line-length", "work": "workers", "out": "output", "wrokers": "workers",
		"max": "", "ou": "", "length": "max-line-length", "rl": "", "orkers": "workers", "nothing": "",
	} {
		if got := Option(name, names...); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "cab", 2}, {"ca", "abc", 3}, {"kitten", "sitting", 3},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
