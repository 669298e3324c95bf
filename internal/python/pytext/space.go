package pytext

import (
	"strings"
	"unicode/utf8"
)

// IsSpace reports whether str.isspace is true of c. str.strip, str.split and \s use the same
// characters: Unicode's white space and ASCII's four separators, U+001C to U+001F.
func IsSpace(c rune) bool {
	switch {
	case c < utf8.RuneSelf:
		return c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f
	case c < 0x1680:
		return c == 0x85 || c == 0xa0
	}
	return c == 0x1680 || 0x2000 <= c && c <= 0x200a || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000
}

// IsTokenSpace reports whether b may stand between the tokens of a line: a blank,
// a tab or a form feed.
func IsTokenSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\f' }

// TrimSpace returns s.strip().
func TrimSpace(s string) string { return strings.TrimFunc(s, IsSpace) }

// TrimLeftSpace returns s.lstrip().
func TrimLeftSpace(s string) string { return strings.TrimLeftFunc(s, IsSpace) }

// TrimRightSpace returns s.rstrip().
func TrimRightSpace(s string) string { return strings.TrimRightFunc(s, IsSpace) }

// CutLine cuts s after its first line as s.splitlines does, which takes more than
// newlines for the end of a line. line is without its end.
func CutLine(s string) (line, rest string) {
	for i, c := range s {
		switch c {
		case '\r':
			return s[:i], strings.TrimPrefix(s[i+1:], "\n")
		case '\n', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
			return s[:i], s[i+utf8.RuneLen(c):]
		}
	}
	return s, ""
}
