package codecs

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func utf8Bytes(dst, data []byte) ([]byte, bool) { return append(dst, data...), utf8.Valid(data) }

func ascii(dst, data []byte) ([]byte, bool) {
	for _, c := range data {
		if c >= utf8.RuneSelf {
			return dst, false
		}
	}
	return append(dst, data...), true
}

func latin1(dst, data []byte) []byte {
	for _, c := range data {
		dst = utf8.AppendRune(dst, rune(c))
	}
	return dst
}

// utf16Decode decodes UTF-16 without a byte order mark. (With one a text cannot
// have a cookie.)
func utf16Decode(dst, data []byte, order binary.ByteOrder) ([]byte, bool) {
	if len(data)%2 != 0 {
		return dst, false
	}
	for len(data) > 0 {
		r := rune(order.Uint16(data))
		data = data[2:]
		if utf16.IsSurrogate(r) {
			if len(data) == 0 {
				return dst, false
			}
			r = utf16.DecodeRune(r, rune(order.Uint16(data)))
			data = data[2:]
			if r == utf8.RuneError {
				return dst, false
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, true
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// utf7 decodes UTF-7: ASCII with parts in base64, which hold UTF-16. Such a part begins with "+"
// and ends at "-" or at any byte that is no base64 digit; "+" is such a digit. "+-" is a plus.
func utf7(dst, data []byte) ([]byte, bool) {
	for len(data) > 0 {
		c := data[0]
		data = data[1:]
		if c >= utf8.RuneSelf {
			return dst, false
		}
		if c != '+' {
			dst = append(dst, c)
			continue
		}
		if len(data) > 0 && data[0] == '-' {
			dst = append(dst, '+')
			data = data[1:]
			continue
		}
		if len(data) > 0 && strings.IndexByte(base64Digits, data[0]) < 0 {
			return dst, false
		}
		buffer, bits := uint32(0), 0 // digits that make no unit yet
		high := rune(0)              // the first half of a surrogate pair
		for ; len(data) > 0; data = data[1:] {
			digit := strings.IndexByte(base64Digits, data[0])
			if digit < 0 {
				break
			}
			buffer, bits = buffer<<6|uint32(digit), bits+6
			if bits < 16 {
				continue
			}
			bits -= 16
			unit := rune(buffer >> bits)
			buffer &= 1<<bits - 1
			switch {
			case high != 0:
				r := utf16.DecodeRune(high, unit)
				if r == utf8.RuneError {
					return dst, false
				}
				dst = utf8.AppendRune(dst, r)
				high = 0
			case !utf16.IsSurrogate(unit):
				dst = utf8.AppendRune(dst, unit)
			case unit < 0xdc00:
				high = unit
			default:
				return dst, false
			}
		}
		if bits >= 6 || buffer != 0 || high != 0 {
			return dst, false
		}
		if len(data) > 0 && data[0] == '-' {
			data = data[1:]
		}
	}
	return dst, true
}
