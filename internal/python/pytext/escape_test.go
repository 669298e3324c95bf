package pytext

import (
	"testing"

	"codelinter/internal/python/characters"
)

func TestAppendUnescaped(t *testing.T) {
	tests := []struct{ body, want string }{
		{`plain`, "plain"},
		{`\a\b\f\n\r\t\v\\\'\"`, "\a\b\f\n\r\t\v\\'\""},
		{"a\\\nb", "ab"},
		{`\0\12\377\777\8`, "\x00\nÿǿ\\8"},
		{`\x41\u00e9\U0001f600`, "Aé😀"},
		{`\ud83d\ude00`, "\xed\xa0\xbd\xed\xb8\x80"},
		{`\N{EM DASH}\N{em dash}`, "——"},
		{`\é\q\`, "\\é\\q\\"},
	}
	for _, test := range tests {
		got, err, ok := AppendUnescaped(nil, test.body, characters.Latest)
		if !ok || string(got) != test.want {
			t.Errorf("%q: got %q, %v, want %q", test.body, got, err, test.want)
		}
	}
}

// The positions are those of CPython's messages, the end one more.
func TestEscapeError(t *testing.T) {
	tests := []struct {
		body string
		want EscapeError
	}{
		{`\x`, EscapeError{truncatedX, 0, 2}},
		{`ab\x1`, EscapeError{truncatedX, 2, 5}},
		{`\xg`, EscapeError{truncatedX, 0, 2}},
		{`\u12`, EscapeError{truncatedU, 0, 4}},
		{`\U0011`, EscapeError{truncatedUU, 0, 6}},
		{`\U00110000\x`, EscapeError{illegalRune, 0, 10}},
		{`\N`, EscapeError{malformedN, 0, 2}},
		{`\Na`, EscapeError{malformedN, 0, 2}},
		{`\N{`, EscapeError{malformedN, 0, 3}},
		{`\N{}`, EscapeError{malformedN, 0, 3}},
		{`\N{a`, EscapeError{malformedN, 0, 4}},
		{`\N{DASH}a`, EscapeError{unknownName, 0, 8}},
		{`\\N{}` + "\\\n" + `\N{DASH}ab`, EscapeError{unknownName, 7, 15}},
		{`é\x`, EscapeError{truncatedX, 10, 12}},
		{`\é\x`, EscapeError{truncatedX, 16, 18}},
		{`\\é\x`, EscapeError{truncatedX, 12, 14}},
		{`\N{é}`, EscapeError{unknownName, 0, 14}},
		{`\ud800é\u12é`, EscapeError{truncatedU, 16, 20}},
	}
	for _, test := range tests {
		_, err, ok := AppendUnescaped(nil, test.body, characters.Latest)
		if ok || err != test.want {
			t.Errorf("%q: got %+v, want %+v", test.body, err, test.want)
		}
	}
}

func TestAppendUnescapedBytes(t *testing.T) {
	tests := []struct {
		body, want string
		failure    int // position of a bad \x, -1 for none
	}{
		{`\x41\xff\n\0\777\q\8`, "A\xff\n\x00\xff\\q\\8", -1},
		{`\N{DASH}\u0041`, `\N{DASH}\u0041`, -1},
		{"a\\\nb", "ab", -1},
		{`ab\x4`, "", 2},
		{`\xg0`, "", 0},
	}
	for _, test := range tests {
		got, err, ok := AppendUnescapedBytes(nil, test.body)
		switch {
		case test.failure < 0 && (!ok || string(got) != test.want):
			t.Errorf("%q: got %q, %v, want %q", test.body, got, err, test.want)
		case test.failure >= 0 && (ok || err.Start != test.failure || err.Reason != invalidX):
			t.Errorf("%q: got %+v, want a bad \\x at %d", test.body, err, test.failure)
		}
	}
}
