package codecs

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"codelinter/internal/characters"
	"codelinter/internal/charnames"
)

// unicodeEscape decodes latin-1 with the escape sequences of a string literal.
// The backslash of any other sequence stays. A sequence of octal digits ends with
// the piece. The names of \N{NAME} are those of u.
func unicodeEscape(dst, data []byte, piece int, u characters.Unicode) ([]byte, bool) {
	size := len(data)
	for len(data) > 0 {
		c := data[0]
		data = data[1:]
		if c != '\\' {
			dst = utf8.AppendRune(dst, rune(c))
			continue
		}
		if len(data) == 0 {
			return dst, false
		}
		c = data[0]
		data = data[1:]
		if at := strings.IndexByte("\\'\"abfnrtv", c); at >= 0 {
			dst = append(dst, "\\'\"\a\b\f\n\r\t\v"[at])
			continue
		}
		var r rune
		n := 0 // bytes of data that the sequence takes besides c
		switch {
		case c == '\n':
			continue
		case '0' <= c && c <= '7':
			r = rune(c - '0')
			for n < 2 && n < len(data) && '0' <= data[n] && data[n] <= '7' && (size-len(data)+n)%piece != 0 {
				r = r<<3 | rune(data[n]-'0')
				n++
			}
		case c == 'x':
			r, n = hexadecimal(data, 2)
		case c == 'u':
			r, n = hexadecimal(data, 4)
		case c == 'U':
			r, n = hexadecimal(data, 8)
		case c == 'N':
			r, n = named(data, u)
		default:
			dst = append(dst, '\\')
			r = rune(c)
		}
		if !utf8.ValidRune(r) {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
		data = data[n:]
	}
	return dst, true
}

// rawUnicodeEscape decodes latin-1 with the sequences \u and \U. Any other backslash stays, and so
// does the byte after it.
func rawUnicodeEscape(dst, data []byte) ([]byte, bool) {
	for len(data) > 0 {
		c := data[0]
		data = data[1:]
		dst = utf8.AppendRune(dst, rune(c))
		if c != '\\' || len(data) == 0 {
			continue
		}
		size := 4
		switch data[0] {
		case 'U':
			size = 8
		case 'u':
		default:
			dst = utf8.AppendRune(dst, rune(data[0]))
			data = data[1:]
			continue
		}
		r, n := hexadecimal(data[1:], size)
		if !utf8.ValidRune(r) {
			return dst, false
		}
		dst = utf8.AppendRune(dst[:len(dst)-1], r)
		data = data[1+n:]
	}
	return dst, true
}

// hexadecimal returns the number in the first size digits of data, and size. It
// returns -1 if there are fewer, or the number is too large for a character.
func hexadecimal(data []byte, size int) (rune, int) {
	if len(data) < size {
		return -1, 0
	}
	n := uint32(0)
	for _, c := range data[:size] {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return -1, 0
		}
		n = n<<4 | uint32(digit)
	}
	if n > utf8.MaxRune {
		return -1, 0
	}
	return rune(n), size
}

// named returns the character of the {NAME} that data begins with, and the
// number of its bytes, -1 if there is none.
func named(data []byte, u characters.Unicode) (rune, int) {
	end := bytes.IndexByte(data, '}')
	if end < 0 || data[0] != '{' {
		return -1, 0
	}
	r, ok := charnames.Lookup(string(data[1:end]), u)
	if !ok {
		return -1, 0
	}
	return r, end + 1
}
