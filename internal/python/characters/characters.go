// Package characters has CPython 3.15's classes of characters: those of identifiers, those that are
// printable, those that \w matches. Its tables follow CPython's version of Unicode, which differs
// from that of Go's package unicode.
//
//	characters.IsIdentifierStart('π') // true
//	characters.IsPrintable('\u200b')  // false
package characters

import "unicode/utf8"

// IsIdentifierStart reports whether c may begin an identifier (PEP 3131).
func IsIdentifierStart(c rune) bool {
	if c < utf8.RuneSelf {
		return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
	}
	return within(identifierStart[:], c)
}

// IsIdentifierContinue reports whether c may be in an identifier after its first
// character.
func IsIdentifierContinue(c rune) bool {
	if c < utf8.RuneSelf {
		return IsIdentifierStart(c) || '0' <= c && c <= '9'
	}
	return within(identifierContinue[:], c)
}

// IsPrintable reports whether Python's str.isprintable is true of c.
func IsPrintable(c rune) bool {
	if c < utf8.RuneSelf {
		return ' ' <= c && c < 0x7f
	}
	return within(printable[:], c)
}

// IsWord reports whether \w matches c in Python. Not all that may be in an identifier
// is matched: combining marks are not.
func IsWord(c rune) bool {
	if c < utf8.RuneSelf {
		return IsIdentifierContinue(c)
	}
	return within(alphanumeric[:], c)
}

// within reports whether c lies in one of ranges, pairs of first and last.
func within(ranges []uint32, c rune) bool {
	low, high := 0, len(ranges)/2
	for low < high {
		mid := int(uint(low+high) >> 1)
		switch {
		case uint32(c) < ranges[2*mid]:
			high = mid
		case uint32(c) > ranges[2*mid+1]:
			low = mid + 1
		default:
			return true
		}
	}
	return false
}
