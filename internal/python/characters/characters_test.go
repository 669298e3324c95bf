package characters

import "testing"

// Counts over all characters but surrogates, and some that tell Unicode 17 and
// CPython's own rules from others.
func TestCounts(t *testing.T) {
	for _, test := range []struct {
		name    string
		is      func(rune) bool
		want    int
		in, out string
	}{
		{"IsIdentifierStart", IsIdentifierStart, wantStart, "aZ_πж℘\u2118日\U000105c0\U00016ea0", "0 \u0301·\u037a$"},
		{"IsIdentifierContinue", IsIdentifierContinue, wantContinue, "aZ_09\u0301·\u0660", " -\u037a\u200b$"},
		{"IsPrintable", IsPrintable, wantPrintable, " ~é日\U0001fae9\U0001faea", "\x00\x7f\u00a0\u00ad\u200b\u2028\ue000\U0010ffff"},
		{"IsWord", IsWord, wantWord, "aZ_09²½Ⅷ\u0660π日", "-\u0301·\u203f"},
	} {
		n := 0
		for c := rune(0); c <= 0x10ffff; c++ {
			if (c < 0xd800 || c > 0xdfff) && test.is(c) {
				n++
			}
		}
		if n != test.want {
			t.Errorf("%s: %d characters, want %d", test.name, n, test.want)
		}
		for _, c := range test.in {
			if !test.is(c) {
				t.Errorf("%s(%q) is false", test.name, c)
			}
		}
		for _, c := range test.out {
			if test.is(c) {
				t.Errorf("%s(%q) is true", test.name, c)
			}
		}
	}
}

// What CPython 3.15 counts by str.isidentifier, str.isprintable and the regular
// expression \w.
const (
	wantStart     = 145894
	wantContinue  = 149221
	wantPrintable = 159613
	wantWord      = 147597
)
