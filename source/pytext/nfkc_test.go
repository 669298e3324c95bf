package pytext

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// What unicodedata.normalize of CPython 3.14 gives.
func TestNormalName(t *testing.T) {
	for name, want := range map[string]string{
		"spam": "spam", "é": "é", "e\u0301": "é", "ﬁne": "fine", "ｘ１": "x1", "𝐱": "x",
		"x\U0001ccf0": "x0", "\U0001ccd6": "A", // outlined, of Unicode 16
		"\U000105d2\u0307": "\U000105c9", "\U0001611e\U0001611e\U0001611f": "\U00016126", // a pair of a pair
		"a\u0316\u0301": "á\u0316", "a\u0301\u0316": "á\u0316", "\u1100\u1161\u11a8": "각",
	} {
		if got := NormalName(name); got != want {
			t.Errorf("%+q: %+q, want %+q", name, got, want)
		}
	}
}

// What a character is made of is what package norm says, which allocates.
func TestAppendParts(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if 0xd800 <= r && r <= 0xdfff || plain(r) != 0 || isRecent(r) {
			continue
		}
		if got, want := string(appendParts(nil, r)), norm.NFKD.String(string(r)); got != want {
			t.Errorf("%U: %+q, want %+q", r, got, want)
		}
	}
}
