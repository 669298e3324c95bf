package pytext

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// What unicodedata.normalize of CPython 3.15 gives.
func TestNormalName(t *testing.T) {
	for name, want := range map[string]string{
		"spam": "spam", "é": "é", "e\u0301": "é", "ﬁne": "fine", "ｘ１": "x1", "𝐱": "x",
		"x\U0001ccf0": "x0", "\U0001ccd6": "A", // outlined, of Unicode 16
		"\ua7f1": "S", "a\u1aeb\u1add\u1acf": "a\u1add\u1acf\u1aeb", // of Unicode 17
		"\U000105d2\u0307": "\U000105c9", "\U0001611e\U0001611e\U0001611f": "\U00016126", // a pair of a pair
		"a\u0316\u0301": "á\u0316", "a\u0301\u0316": "á\u0316", "\u1100\u1161\u11a8": "각",
	} {
		if got := NormalName(name); got != want {
			t.Errorf("%+q: %+q, want %+q", name, got, want)
		}
	}
}

// What two characters make is what package norm says, which allocates.
func TestPair(t *testing.T) {
	made := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if 0xd800 <= r && r <= 0xdfff || isRecent(r) {
			continue
		}
		parts := []rune(norm.NFD.String(string(r)))
		last := len(parts) - 1
		if last == 0 {
			continue
		}
		want := rune(0)
		first := []rune(norm.NFC.String(string(parts[:last])))
		if len(first) > 1 {
			continue
		}
		if whole := []rune(norm.NFC.String(string(parts))); len(whole) == 1 {
			want = whole[0]
			made++
		}
		if got := pair(first[0], parts[last]); got != want {
			t.Errorf("%U and %U: %U, want %U", first[0], parts[last], got, want)
		}
	}
	if made < 11_172+900 {
		t.Errorf("%d pairs, too few to tell", made)
	}
	for _, two := range [][2]rune{{'a', 'b'}, {'a', 0x345}, {0x1100, 0x1100}, {0xac01, 0x11a8}, {0xac00, 0x11a7}, {0x300, 0x301}} {
		if got := pair(two[0], two[1]); got != 0 {
			t.Errorf("%U and %U: %U, want none", two[0], two[1], got)
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
