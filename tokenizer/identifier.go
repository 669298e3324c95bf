package tokenizer

import "unicode/utf8"

// IsIdentifier tells whether name is an identifier in CPython's sense (PEP
// 3131), keywords included.
func IsIdentifier(name string) bool {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < utf8.RuneSelf && class[c]&identClass == 0 {
			return false
		}
	}
	at, _ := InvalidIdentifier(name)
	return at < 0
}

// InvalidIdentifier returns the offset and value of the first character of name
// that must not stand there in an identifier; -1 if all may. The ASCII
// characters of name are taken to be valid.
func InvalidIdentifier(name string) (at int, invalid rune) {
	for i, c := range name {
		if c < utf8.RuneSelf {
			continue
		}
		if i == 0 && !within(identifierStart[:], c) || i > 0 && !within(identifierContinue[:], c) {
			return i, c
		}
	}
	return -1, 0
}

// IsPrintable tells what Python's str.isprintable does of c.
func IsPrintable(c rune) bool {
	if c < utf8.RuneSelf {
		return ' ' <= c && c < 0x7f
	}
	return within(printable[:], c)
}

// IsWord tells whether \w matches c in Python. It does not match all that may
// stand in an identifier: no mark that combines with a letter, for one.
func IsWord(c rune) bool {
	if c < utf8.RuneSelf {
		return class[c]&identClass != 0
	}
	return within(alphanumeric[:], c)
}

// within tells whether c lies in one of ranges, pairs of first and last.
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
