package terminal

import "testing"

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"e\u0301e\u0301", 2, "e\u0301e\u0301"}, {"", 0, ""}} {
		if got := Shorten(test.text, test.columns); got != test.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", test.text, test.columns, got, test.want)
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
		if got := string(Wrap([]byte(test.text), test.columns)); got != test.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", test.text, test.columns, got, test.want)
		}
	}
}
