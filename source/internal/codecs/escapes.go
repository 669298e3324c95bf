package codecs

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

// unicodeEscape decodes latin-1 with the escape sequences of a string literal, the names of u
// among them. A sequence of octal digits ends with the piece.
func unicodeEscape(dst, data []byte, piece int, u characters.Unicode) ([]byte, bool) {
	start, from := len(dst), 0
	for end := 0; end < len(data); {
		end += min(piece, len(data)-end)
		if end < len(data) && !endsInOctal(data[from:end]) {
			continue // no other sequence ends with the piece
		}
		if endsInEscape(data[from:end]) {
			return dst, false
		}
		var ok bool
		if dst, _, ok = pytext.AppendUnescaped(dst, string(latin1(nil, data[from:end])), u); !ok {
			return dst, false
		}
		from = end
	}
	return dst, utf8.Valid(dst[start:])
}

// endsInEscape reports whether data ends in a backslash that begins an escape sequence.
func endsInEscape(data []byte) bool {
	return (len(data)-len(bytes.TrimRight(data, `\`)))%2 != 0
}

// endsInOctal reports whether data ends in one or two octal digits of an escape sequence.
func endsInOctal(data []byte) bool {
	before := bytes.TrimRight(data, "01234567")
	digits := len(data) - len(before)
	return 1 <= digits && digits <= 2 && endsInEscape(before)
}

// rawUnicodeEscape decodes latin-1 with the sequences \u and \U. Any other backslash stays, and so
// does the byte after it.
func rawUnicodeEscape(dst, data []byte) ([]byte, bool) {
	for len(data) > 0 {
		var n int // bytes of the sequence
		switch {
		case bytes.HasPrefix(data, []byte(`\u`)):
			n = len(`\u0000`)
		case bytes.HasPrefix(data, []byte(`\U`)):
			n = len(`\U00000000`)
		default:
			n = 1
			if data[0] == '\\' {
				n = min(2, len(data))
			}
			dst, data = latin1(dst, data[:n]), data[n:]
			continue
		}
		if len(data) < n {
			return dst, false
		}
		r, err := strconv.ParseUint(string(data[2:n]), 16, 32)
		if err != nil || !utf8.ValidRune(rune(r)) {
			return dst, false
		}
		dst, data = utf8.AppendRune(dst, rune(r)), data[n:]
	}
	return dst, true
}
