package pytext

import (
	"fmt"
	"testing"
)

func TestWords(t *testing.T) {
	var w Words
	kind := "hexadecimal"
	for range 2 {
		w.Reset()
		first := w.Format("%s: invalid digit '%c' in %s literal", "SyntaxError", byte('2'), kind)
		for _, r := range []rune{0, 0x7, 0xa0, 0x200b, 0xffff, 0x10000, 0x10ffff} {
			want := fmt.Sprintf("invalid character '%c' (U+%04X) in line %d", r, r, int(r))
			if got := w.Format("invalid character '%c' (U+%04X) in line %d", r, r, int(r)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		if first != "SyntaxError: invalid digit '2' in hexadecimal literal" || w.Format("") != "" {
			t.Errorf("%q", first)
		}
	}
	row := 1000
	if n := testing.AllocsPerRun(100, func() {
		w.Reset()
		w.Format("'%c' in line %d of %s", rune(row), row, kind)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
