package pytext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/internal/python/characters"
)

// MaxIntDigits is the number of digits above which int refuses a decimal text:
// CPython's default of sys.set_int_max_str_digits.
const MaxIntDigits = 4300

// AppendInt appends str(int(text)). int takes signs, underscores between digits,
// blanks around and every digit of u. It returns false, and dst as it was,
// where int raises a ValueError.
func AppendInt(dst []byte, text string, u characters.Unicode) ([]byte, bool) {
	given := dst
	if IsASCII(text) {
		text = strings.Trim(text, " \t\n\v\f\r")
	} else {
		// Here the other blanks of Unicode count as well, but not \x1c to \x1f.
		text = strings.TrimFunc(text, unicode.IsSpace)
	}
	negative := false
	if text != "" && (text[0] == '+' || text[0] == '-') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if negative {
		dst = append(dst, '-')
	}
	first, digits, underscore := len(dst), 0, true
	for _, r := range text {
		value := Decimal(r, u)
		switch {
		case r == '_' && !underscore:
			underscore = true
			continue
		case value < 0:
			return given, false
		}
		underscore = false
		if digits++; digits > MaxIntDigits {
			return given, false
		}
		if len(dst) == first+1 && dst[first] == '0' {
			dst = dst[:first]
		}
		dst = append(dst, byte('0'+value))
	}
	if underscore { // at the end, or no digits at all
		return given, false
	}
	if negative && string(dst[first:]) == "0" {
		return append(given, '0'), true
	}
	return dst, true
}

// zeros are the characters for which unicodedata.decimal is 0 in Unicode 17, CPython 3.15's
// version. The nine characters after each are the digits 1 to 9.
var zeros = [...]rune{
	0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
	0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
	0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
	0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450,
	0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50,
	0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce,
	0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
}

// Decimal returns unicodedata.decimal of r in u: the value of a digit, or -1 if r is no digit.
func Decimal(r rune, u characters.Unicode) int {
	if r < utf8.RuneSelf {
		if '0' <= r && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	for _, zero := range zeros {
		if r < zero {
			break
		}
		if r < zero+10 && u.Has(zero) {
			return int(r - zero)
		}
	}
	return -1
}
