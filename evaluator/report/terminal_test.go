package report

import (
	"bytes"
	"strings"
	"testing"

	"codelinter/evaluator/task"
)

// On a terminal nothing is wider than it, and nothing is a command to it.
func TestTablesFit(t *testing.T) {
	s := sums()
	s.Missing = []task.ID{"\x1b[2J", task.ID(strings.Repeat("日本", 40)), "e\u0301"}
	comparison := &Comparison{Tasks: 2, Verdicts: []Difference{{Scores: []ScorePair{{K: 1, A: 1}, {K: 10, Short: 1}}}}}
	for _, id := range s.Missing {
		comparison.Verdicts[0].Changed = append(comparison.Verdicts[0].Changed, Change{ID: id})
	}
	for _, columns := range []int{60, 80, 120} {
		var out bytes.Buffer
		if err := table(&out, columns, "Title\x07", s, Groupings()); err != nil {
			t.Fatal(err)
		}
		if err := comparison.table(&out, columns, "a\n", "b", true); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if cells(line) > columns || line != strings.TrimRight(line, " ") || line != plain(line) {
				t.Errorf("of %d columns, %q has %d", columns, line, cells(line))
			}
		}
	}
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"e\u0301e\u0301", 2, "e\u0301e\u0301"}, {"", 0, ""}} {
		if got := shorten(test.text, test.columns); got != test.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", test.text, test.columns, got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{
		{"  one two three\n", 0, "  one two three\n"},
		{"  one two three\n\nfour\n", 10, "  one two\n  three\n\nfour\n"},
		{"  onetwothree four", 10, "  onetwothree\n  four"},
		{"日本 日本", 5, "日本\n日本"},
	} {
		if got := string(wrap([]byte(test.text), test.columns)); got != test.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", test.text, test.columns, got, test.want)
		}
	}
}
