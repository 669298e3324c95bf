package codecs

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
)

func utf8Bytes(dst, data []byte) ([]byte, bool) { return append(dst, data...), utf8.Valid(data) }

func ascii(dst, data []byte) ([]byte, bool) {
	return append(dst, data...), pytext.IsASCII(pytext.View(data))
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
		rest := bytes.TrimLeft(data, base64Digits)
		units, err := base64.RawStdEncoding.Strict().DecodeString(string(data[:len(data)-len(rest)]))
		if err != nil {
			return dst, false
		}
		var ok bool
		if dst, ok = utf16Decode(dst, units, binary.BigEndian); !ok {
			return dst, false
		}
		data = rest
		if len(data) > 0 && data[0] == '-' {
			data = data[1:]
		}
	}
	return dst, true
}
