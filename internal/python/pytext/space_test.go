package pytext

import (
	"strings"
	"testing"
)

// The characters that str.isspace of CPython 3.14 takes.
const spaces = "\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

func TestIsSpace(t *testing.T) {
	for r := rune(-1); r <= 0x10ffff; r++ {
		if want := r >= 0 && (r < 0xd800 || r > 0xdfff) && strings.ContainsRune(spaces, r); IsSpace(r) != want {
			t.Errorf("%U: %v", r, !want)
		}
	}
	for _, text := range []string{"", "x", "x y", "é"} {
		if got := TrimSpace(spaces + text + spaces); got != text {
			t.Errorf("%q: %q", text, got)
		}
		if got := TrimLeftSpace(spaces + text); got != text {
			t.Errorf("%q on the left: %q", text, got)
		}
		if got := TrimRightSpace(text + spaces); got != text {
			t.Errorf("%q on the right: %q", text, got)
		}
	}
}

func TestCutLine(t *testing.T) {
	for _, text := range []string{"\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"} {
		if line, rest := CutLine("a\x1f b" + text + "c\n"); line != "a\x1f b" || rest != "c\n" {
			t.Errorf("%q: %q and %q", text, line, rest)
		}
	}
	if line, rest := CutLine("spam"); line != "spam" || rest != "" {
		t.Errorf("%q and %q", line, rest)
	}
}
