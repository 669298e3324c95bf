package diagnose

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/parser/charname"
)

// literalBody takes prefix and quotes off a STRING.
func literalBody(literal string) (body string, raw, isBytes bool) {
	i := 0
	for literal[i] != '\'' && literal[i] != '"' {
		switch literal[i] | 0x20 {
		case 'r':
			raw = true
		case 'b':
			isBytes = true
		}
		i++
	}
	body = literal[i:]
	if len(body) >= 6 && body[1] == body[0] && body[2] == body[0] {
		return body[3 : len(body)-3], raw, isBytes
	}
	return body[1 : len(body)-1], raw, isBytes
}

// undecodable returns why CPython cannot decode the escapes of a str literal's
// body, "" if it can.
//
// CPython first replaces every non-ASCII character by a \U escape of ten
// bytes, and counts positions in what comes of that; a backslash before such a
// character becomes \u005c.
func undecodable(body string) string {
	shift := 0 // how far positions lie behind those in body
	for i := 0; i < len(body); {
		c := body[i]
		if c >= utf8.RuneSelf {
			_, size := utf8.DecodeRuneInString(body[i:])
			i += size
			shift += 10 - size
			continue
		}
		i++
		if c != '\\' {
			continue
		}
		if i == len(body) || body[i] >= utf8.RuneSelf {
			shift += len("u005c")
			continue
		}
		end, reason := i+1, ""
		switch body[i] {
		case 'x':
			end, reason = hexEscape(body, i+1, 2, `truncated \xXX escape`)
		case 'u':
			end, reason = hexEscape(body, i+1, 4, `truncated \uXXXX escape`)
		case 'U':
			end, reason = hexEscape(body, i+1, 8, `truncated \UXXXXXXXX escape`)
			if reason == "" {
				if code, _ := strconv.ParseUint(body[i+1:end], 16, 32); code > utf8.MaxRune {
					reason = "illegal Unicode character"
				}
			}
		case 'N':
			end, reason = namedEscape(body, i+1)
		}
		if reason != "" {
			first := i - 1 + shift
			last := end - 1 + shift + growth(body[i:end])
			return fmt.Sprintf("'unicodeescape' codec can't decode bytes in position %d-%d: %s", first, last, reason)
		}
		if end > i+1 {
			shift += growth(body[i:end])
		}
		i = end
	}
	return ""
}

// growth returns by how many bytes text grows when its non-ASCII characters
// are escaped. Text that ends in a backslash must end the body.
func growth(text string) int {
	n := 0
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case c >= utf8.RuneSelf:
			n += 10 - size
		case c == '\\':
			if i == len(text) || text[i] >= utf8.RuneSelf {
				n += len("u005c")
			} else {
				i++
			}
		}
	}
	return n
}

// hexEscape reads n digits at i. It returns the offset where it stopped.
func hexEscape(body string, i, n int, reason string) (end int, failure string) {
	for ; n > 0; n-- {
		if i >= len(body) || !isHex(body[i]) {
			return i, reason
		}
		i++
	}
	return i, ""
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// namedEscape reads the {...} of a \N escape at i.
func namedEscape(body string, i int) (end int, failure string) {
	const malformed = `malformed \N character escape`
	if i >= len(body) || body[i] != '{' {
		return i, malformed
	}
	i++
	n := strings.IndexByte(body[i:], '}')
	if n < 0 {
		return len(body), malformed
	}
	if n == 0 {
		return i, malformed
	}
	if _, ok := charname.Lookup(body[i : i+n]); !ok {
		return i + n + 1, "unknown Unicode character name"
	}
	return i + n + 1, ""
}

// undecodableBytes returns why CPython cannot decode the escapes of a bytes
// literal's body, "" if it can.
func undecodableBytes(body string) string {
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++
		if i < len(body) && body[i] == 'x' {
			if end, failure := hexEscape(body, i+1, 2, "x"); failure != "" {
				return `invalid \x escape at position ` + strconv.Itoa(i-1)
			} else {
				i = end - 1
			}
		}
	}
	return ""
}
