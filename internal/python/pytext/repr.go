package pytext

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
)

// quoteFor returns the quote that Python's repr takes: ' unless there are ' and
// no " in the text.
func quoteFor(text string) byte {
	if strings.IndexByte(text, '\'') >= 0 && strings.IndexByte(text, '"') < 0 {
		return '"'
	}
	return '\''
}

const hexDigits = "0123456789abcdef"

// appendASCII appends a byte below 0x80, or any byte of a bytes object, as
// both reprs have it.
func appendASCII(out []byte, b, quote byte) []byte {
	switch {
	case b == '\\' || b == quote:
		return append(out, '\\', b)
	case b == '\n':
		return append(out, `\n`...)
	case b == '\r':
		return append(out, `\r`...)
	case b == '\t':
		return append(out, `\t`...)
	case b < ' ' || b >= 0x7f:
		return append(out, '\\', 'x', hexDigits[b>>4], hexDigits[b&15])
	}
	return append(out, b)
}

// AppendBytesRepr appends repr(value) of a bytes object.
func AppendBytesRepr(out []byte, value string) []byte {
	quote := quoteFor(value)
	out = append(out, 'b', quote)
	for i := range len(value) {
		out = appendASCII(out, value[i], quote)
	}
	return append(out, quote)
}

// AppendRepr appends repr(value) of a str, given as WTF-8. Characters that
// are printable in u are not escaped.
func AppendRepr(out []byte, value string, u characters.Unicode) []byte {
	quote := quoteFor(value)
	out = append(out, quote)
	for i := 0; i < len(value); {
		if b := value[i]; b < utf8.RuneSelf {
			out = appendASCII(out, b, quote)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(value[i:])
		if r == utf8.RuneError && size == 1 && i+2 < len(value) {
			// Only a surrogate is no UTF-8: 0xed 0xa0..0xbf and one more.
			r, size = 0xd000|rune(value[i+1]&0x3f)<<6|rune(value[i+2]&0x3f), 3
		}
		if u.IsPrintable(r) {
			out = append(out, value[i:i+size]...)
		} else {
			out = appendEscape(out, r)
		}
		i += size
	}
	return append(out, quote)
}

// AppendASCII appends ascii(value) of a value whose repr is given.
func AppendASCII(out []byte, repr string) []byte {
	for _, r := range repr {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		} else {
			out = appendEscape(out, r)
		}
	}
	return out
}

// appendEscape appends the escape sequence of a character beyond ASCII.
func appendEscape(out []byte, r rune) []byte {
	letter, width := byte('U'), 8
	switch {
	case r < 0x100:
		letter, width = 'x', 2
	case r < 0x10000:
		letter, width = 'u', 4
	}
	out = append(out, '\\', letter)
	for shift := 4 * (width - 1); shift >= 0; shift -= 4 {
		out = append(out, hexDigits[r>>shift&15])
	}
	return out
}

// FSDecode returns os.fsdecode of text: the bytes of a file's name as a str. Each byte that is not
// valid UTF-8 becomes a surrogate.
func FSDecode(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var out []byte
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			out = appendCodePoint(out, 0xdc00|rune(text[i]))
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// AppendFloatRepr appends repr(value): the shortest digits that read back as value, with an
// exponent below 1e-4 and from 1e16 on. point asks for .0 after a whole number; parts of complex
// numbers have none.
func AppendFloatRepr(out []byte, value float64, point bool) []byte {
	switch size := math.Abs(value); {
	case math.IsNaN(value):
		return append(out, "nan"...)
	case math.IsInf(value, 1):
		return append(out, "inf"...)
	case math.IsInf(value, -1):
		return append(out, "-inf"...)
	case size != 0 && (size < 1e-4 || size >= 1e16):
		return strconv.AppendFloat(out, value, 'e', -1, 64)
	}
	start := len(out)
	out = strconv.AppendFloat(out, value, 'f', -1, 64)
	if point && !bytes.Contains(out[start:], []byte(".")) {
		out = append(out, ".0"...)
	}
	return out
}
