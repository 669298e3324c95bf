package ast

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/source/characters"
)

// AppendRepr appends what Python's repr gives for a str, given as UTF-8 with
// surrogates of three bytes, as Constant.Text has it.
func AppendRepr(out []byte, value string) []byte { return appendStr(out, value) }

// AppendRepr appends what Python's repr gives for the constant's value.
func (c *Constant) AppendRepr(out []byte) []byte { return c.appendRepr(out) }

func (c *Constant) appendRepr(out []byte) []byte {
	switch c.Type {
	case None:
		return append(out, "None"...)
	case False:
		return append(out, "False"...)
	case True:
		return append(out, "True"...)
	case Ellipsis:
		return append(out, "Ellipsis"...)
	case Str:
		return appendStr(out, c.Text)
	case Bytes:
		return appendBytes(out, c.Text)
	case Int:
		if value, ok := c.Int64(); ok {
			return strconv.AppendInt(out, value, 10)
		}
		return c.BigInt().Append(out, 10)
	case Float:
		return appendFloat(out, c.Float64(), true)
	}
	return append(appendFloat(out, c.Float64(), false), 'j')
}

// appendFloat appends repr(value): the shortest digits that read back as value,
// with an exponent below 1e-4 and from 1e16 on. Point asks for .0 behind a
// whole number, which complex numbers go without.
func appendFloat(out []byte, value float64, point bool) []byte {
	if math.IsInf(value, 0) {
		return append(out, "inf"...)
	}
	start := len(out)
	if value != 0 && (math.Abs(value) < 1e-4 || math.Abs(value) >= 1e16) {
		return strconv.AppendFloat(out, value, 'e', -1, 64)
	}
	out = strconv.AppendFloat(out, value, 'f', -1, 64)
	if point && !strings.Contains(string(out[start:]), ".") {
		out = append(out, ".0"...)
	}
	return out
}

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

// appendBytes appends repr(value) of a bytes object.
func appendBytes(out []byte, value string) []byte {
	quote := quoteFor(value)
	out = append(out, 'b', quote)
	for i := range len(value) {
		out = appendASCII(out, value[i], quote)
	}
	return append(out, quote)
}

// appendStr appends repr(value) of a str, given as WTF-8.
func appendStr(out []byte, value string) []byte {
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
		switch {
		case characters.IsPrintable(r):
			out = append(out, value[i:i+size]...)
		case r < 0x100:
			out = append(out, '\\', 'x')
			out = appendHex(out, r, 2)
		case r < 0x10000:
			out = append(out, '\\', 'u')
			out = appendHex(out, r, 4)
		default:
			out = append(out, '\\', 'U')
			out = appendHex(out, r, 8)
		}
		i += size
	}
	return append(out, quote)
}

func appendHex(out []byte, r rune, width int) []byte {
	for shift := 4 * (width - 1); shift >= 0; shift -= 4 {
		out = append(out, hexDigits[r>>shift&15])
	}
	return out
}

// Repr returns what Python's repr gives for a str, given as WTF-8.
func Repr(value string) string { return string(appendStr(nil, value)) }
