package pytext

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/charnames"
)

// An EscapeError is the reason why Python cannot decode the body of a string literal.
//
// CPython rewrites a body before it decodes it: a character beyond ASCII becomes
// ten bytes (\U0001f600), a backslash in front of one becomes six (\u005c).
// Start and End count bytes of that rewritten body, as its message does:
//
//	(unicode error) 'unicodeescape' codec can't decode bytes in position 0-1: truncated \xXX escape
//
// There the positions are Start and End-1. For a bytes literal there is only one Reason, and no
// End:
//
//	(value error) invalid \x escape at position 0
type EscapeError struct {
	Reason     string
	Start, End int
}

// The reasons of an EscapeError.
const (
	truncatedX  = `truncated \xXX escape`
	truncatedU  = `truncated \uXXXX escape`
	truncatedUU = `truncated \UXXXXXXXX escape`
	illegalRune = `illegal Unicode character`
	malformedN  = `malformed \N character escape`
	unknownName = `unknown Unicode character name`
	invalidX    = `invalid \x escape`
)

// simpleEscapes maps the letter of an escape of one letter to its value.
var simpleEscapes = [256]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f',
	'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

// AppendUnescaped appends the value of body to dst, as WTF-8: surrogates are three bytes each. body
// is the text between the quotes of a str literal that is not raw. Escapes that Python does not
// know are not changed. If Python cannot decode body, ok is false and err says why. The names of
// characters are those of the given Unicode.
func AppendUnescaped(dst []byte, body string, u characters.Unicode) (out []byte, err EscapeError, ok bool) {
	return appendUnescaped(dst, body, false, u)
}

// AppendUnescapedBytes is AppendUnescaped for a bytes literal.
func AppendUnescapedBytes(dst []byte, body string) (out []byte, err EscapeError, ok bool) {
	return appendUnescaped(dst, body, true, characters.Latest)
}

func appendUnescaped(dst []byte, body string, isBytes bool, u characters.Unicode) (out []byte, err EscapeError, ok bool) {
	for i := 0; i < len(body); {
		slash := strings.IndexByte(body[i:], '\\')
		if slash < 0 {
			dst = append(dst, body[i:]...)
			break
		}
		dst = append(dst, body[i:i+slash]...)
		start := i + slash
		i = start + 1
		if i == len(body) {
			dst = append(dst, '\\')
			break
		}
		c := body[i]
		if value := simpleEscapes[c]; value != 0 {
			dst = append(dst, value)
			i++
			continue
		}
		if isBytes && (c == 'u' || c == 'U' || c == 'N') {
			c = 0 // bytes have no such escape
		}
		var value rune
		reason := ""
		switch c {
		case '\n':
			i++
			continue
		case '0', '1', '2', '3', '4', '5', '6', '7':
			value, i = octal(body, i)
		case 'x':
			value, i, reason = hexadecimal(body, i+1, 2, truncatedX)
		case 'u':
			value, i, reason = hexadecimal(body, i+1, 4, truncatedU)
		case 'U':
			value, i, reason = hexadecimal(body, i+1, 8, truncatedUU)
		case 'N':
			value, i, reason = named(body, i+1, u)
		default:
			dst = append(dst, '\\')
			continue
		}
		switch {
		case reason != "" && isBytes:
			return dst, EscapeError{Reason: invalidX, Start: start}, false
		case reason != "":
			from := start + rewritten(body[:start])
			return dst, EscapeError{Reason: reason, Start: from, End: from + i - start + rewritten(body[start:i])}, false
		case isBytes:
			dst = append(dst, byte(value))
		default:
			dst = appendCodePoint(dst, value)
		}
	}
	return dst, EscapeError{}, true
}

// hexadecimal reads the digits of an escape at i. If they are no character, it returns the reason,
// which is truncated if there are too few.
func hexadecimal(body string, i, digits int, truncated string) (value rune, next int, reason string) {
	number := uint32(0)
	for range digits {
		if i == len(body) || hexValue[body[i]] < 0 {
			return 0, i, truncated
		}
		number = number<<4 | uint32(hexValue[body[i]])
		i++
	}
	if number > utf8.MaxRune {
		return 0, i, illegalRune
	}
	return rune(number), i, ""
}

// named reads the {NAME} of an escape at i, or returns the reason why there is none.
func named(body string, i int, u characters.Unicode) (value rune, next int, reason string) {
	if i == len(body) || body[i] != '{' {
		return 0, i, malformedN
	}
	i++
	size := strings.IndexByte(body[i:], '}')
	switch {
	case size < 0:
		return 0, len(body), malformedN
	case size == 0:
		return 0, i, malformedN
	}
	value, ok := charnames.Lookup(body[i:i+size], u)
	if !ok {
		reason = unknownName
	}
	return value, i + size + 1, reason
}

// rewritten returns the number of bytes that CPython's rewriting adds to a part of a body.
func rewritten(part string) int {
	if IsASCII(part) {
		return 0
	}
	longer := 0
	for i := 0; i < len(part); {
		if part[i] < utf8.RuneSelf {
			if part[i] == '\\' {
				if i+1 < len(part) && part[i+1] >= utf8.RuneSelf {
					longer += len(`\u005c`) - 1
				} else if i+1 < len(part) {
					i++ // an escaped character begins no escape
				}
			}
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(part[i:])
		longer += len(`\U00000000`) - size
		i += size
	}
	return longer
}

// appendCodePoint is utf8.AppendRune for surrogates too.
func appendCodePoint(dst []byte, value rune) []byte {
	if 0xd800 <= value && value <= 0xdfff {
		return append(dst, 0xe0|byte(value>>12), 0x80|byte(value>>6)&0x3f, 0x80|byte(value)&0x3f)
	}
	return utf8.AppendRune(dst, value)
}

// octal reads one to three octal digits at i.
func octal(body string, i int) (value rune, next int) {
	end := min(i+3, len(body))
	for i < end && '0' <= body[i] && body[i] <= '7' {
		value = value<<3 | rune(body[i]-'0')
		i++
	}
	return value, i
}

// hexValue is the value of a hexadecimal digit, -1 for any other byte.
var hexValue = func() (table [256]int8) {
	for c := range table {
		table[c] = -1
		switch {
		case '0' <= c && c <= '9':
			table[c] = int8(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			table[c] = int8(c | 0x20 - 'a' + 10)
		}
	}
	return table
}()
