package pytext

import (
	"strings"
	"testing"

	"codelinter/internal/python/characters"
)

// All the decimal digits of Unicode are known, and nothing else is one.
func TestDecimal(t *testing.T) {
	count := 0
	for i, zero := range zeros {
		if i > 0 && zero < zeros[i-1]+10 {
			t.Errorf("%U stands after %U", zero, zeros[i-1])
		}
		for value := range 10 {
			if got := Decimal(zero+rune(value), characters.Latest); got != value {
				t.Errorf("%U has value %d, want %d", zero+rune(value), got, value)
			}
		}
	}
	for r := rune(-1); r <= 0x10ffff; r++ {
		if Decimal(r, characters.Latest) >= 0 {
			count++
		}
	}
	if count != 10*len(zeros) {
		t.Errorf("%d digits, want %d", count, 10*len(zeros))
	}
	if got := Decimal('\U00011de3', characters.Unicode16); got != -1 {
		t.Errorf("a digit of Unicode 17 has value %d in Unicode 16", got)
	}
}

func TestAppendInt(t *testing.T) {
	zeros := strings.Repeat("0", MaxIntDigits)
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "+7": "7", "007": "7", "-0_0_12": "-12", " \t\n\v\f\r1\r ": "1", "\u00a0٣\u3000": "3",
		"99999999999999999999": "99999999999999999999", "٣_०": "30", zeros: "0", "-" + zeros: "0",
		zeros[1:] + "٣": "3",
	} {
		if got, ok := AppendInt([]byte("x"), text, characters.Latest); !ok || string(got) != "x"+want {
			t.Errorf("%.20q: %q, %v, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", " ", "_1", "1_", "1__0", "+-1", "- 1", "1 0", "x", "1.0", "0x1", "\x1f1", "\x1c٣", "²", "½", "-", "+_1",
		zeros + "0", "\xed\xa0\x80",
	} {
		if got, ok := AppendInt([]byte("x"), text, characters.Latest); ok || string(got) != "x" {
			t.Errorf("%.20q: %q, %v", text, got, ok)
		}
	}
}
