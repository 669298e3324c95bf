package codecs

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// maxPunycode bounds the bytes of a text in punycode, because each insertion moves all of the text
// after it. A larger text is not decoded; it has a line of that length.
const maxPunycode = 1 << 16

// punycode decodes the pieces of data, each by itself.
func punycode(dst, data []byte, piece int) ([]byte, bool) {
	ok := len(data) <= maxPunycode
	for ok && len(data) > 0 {
		n := min(piece, len(data))
		dst, ok = punycodePiece(dst, data[:n])
		data = data[n:]
	}
	return dst, ok
}

// punycodePiece decodes Punycode, RFC 3492: ASCII, and after its last "-" the insertions of other
// characters. An insertion is a number, its distance from the one before. A distance beyond the
// text's end continues from the text's start, with the next higher character.
func punycodePiece(dst, data []byte) ([]byte, bool) {
	dash := bytes.LastIndexByte(data, '-')
	text := bytes.Runes(data[:max(dash, 0)])
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return dst, false
		}
	}
	c, at, bias := 0x80, -1, 72
	for rest := data[dash+1:]; len(rest) > 0; {
		delta, n := insertion(rest, bias, (utf8.MaxRune+1)*(len(text)+1))
		if n == 0 {
			return dst, false
		}
		at += delta + 1
		c += at / (len(text) + 1)
		at %= len(text) + 1
		if !utf8.ValidRune(rune(c)) {
			return dst, false
		}
		text = slices.Insert(text, at, rune(c))
		first := len(rest) == len(data)-dash-1
		bias = adapt(delta, len(text), first)
		rest = rest[n:]
	}
	for _, c := range text {
		dst = utf8.AppendRune(dst, c)
	}
	return dst, true
}

// insertion reads a number and returns it with the number of its bytes. n is 0 if the number is
// malformed, or not less than limit.
func insertion(data []byte, bias, limit int) (number, n int) {
	weight := 1
	for threshold := 36 - bias; n < len(data); threshold += 36 {
		var digit int
		switch c := data[n]; {
		case '0' <= c && c <= '9':
			digit = int(c-'0') + 26
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
			digit = int(c|0x20) - 'a'
		default:
			return 0, 0
		}
		n++
		t := min(max(threshold, 1), 26)
		if number += digit * weight; number >= limit {
			return 0, 0
		}
		if digit < t {
			return number, n
		}
		weight *= 36 - t
	}
	return 0, 0
}

// adapt returns the bias of the next number.
func adapt(delta, length int, first bool) int {
	if first {
		delta /= 700
	} else {
		delta /= 2
	}
	delta += delta / length
	bias := 0
	for ; delta > 455; delta /= 35 {
		bias += 36
	}
	return bias + 36*delta/(delta+38)
}

// idna decodes ASCII. Labels, which end in dots, must not be too long for CPython. Labels with
// the prefix "xn--" of encoded names are not decoded here.
func idna(dst, data []byte) ([]byte, bool) {
	const maxLabel = 1024
	for label := range bytes.SplitSeq(data, []byte(".")) {
		if len(label) > maxLabel || len(label) >= 4 && bytes.EqualFold(label[:4], []byte("xn--")) {
			return dst, false
		}
	}
	return ascii(dst, data)
}
