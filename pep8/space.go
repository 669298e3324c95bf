package pep8

import (
	"strings"
	"unicode/utf8"
)

// isSpace tells what Python's str.isspace does of c, which is also what \s
// matches: Unicode's white space and the four ASCII separators.
func isSpace(c rune) bool {
	switch {
	case c < utf8.RuneSelf:
		return c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f
	case c == 0x85, c == 0xa0, c == 0x1680, 0x2000 <= c && c <= 0x200a,
		c == 0x2028, c == 0x2029, c == 0x202f, c == 0x205f, c == 0x3000:
		return true
	}
	return false
}

// trimRightSpace, trimLeftSpace and trimSpace are Python's rstrip, lstrip and
// strip.
func trimRightSpace(s string) string {
	for len(s) > 0 {
		if c := s[len(s)-1]; c < utf8.RuneSelf {
			if !isSpace(rune(c)) {
				break
			}
			s = s[:len(s)-1]
			continue
		}
		c, size := utf8.DecodeLastRuneInString(s)
		if !isSpace(c) {
			break
		}
		s = s[:len(s)-size]
	}
	return s
}

func trimLeftSpace(s string) string {
	for i, c := range s {
		if !isSpace(c) {
			return s[i:]
		}
	}
	return ""
}

func trimSpace(s string) string { return trimLeftSpace(trimRightSpace(s)) }

// firstWord returns s up to its first space.
func firstWord(s string) string {
	for i, c := range s {
		if isSpace(c) {
			return s[:i]
		}
	}
	return s
}

// isWord tells whether \w matches c, as far as it matters here: of the
// characters beyond ASCII all that a token can begin with count.
func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// expandIndent returns the width of a line's indentation as pycodestyle has it.
// Without any tab in the line, every white space counts as a column.
func expandIndent(line string) int {
	line = strings.TrimRight(line, "\n\r")
	if strings.IndexByte(line, '\t') < 0 {
		rest := trimLeftSpace(line)
		return utf8.RuneCountInString(line[:len(line)-len(rest)])
	}
	width := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\t':
			width = width/8*8 + 8
		case ' ':
			width++
		default:
			return width
		}
	}
	return width
}

// expandTabs returns the width of what stands before a line's first token, as
// flake8 has it: a tab moves to the next multiple of eight.
func expandTabs(prefix string) int {
	width := 0
	for _, c := range prefix {
		if c == '\t' {
			width = width/8*8 + 8
		} else {
			width++
		}
	}
	return width
}
