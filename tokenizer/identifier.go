package tokenizer

import (
	"unicode/utf8"

	"codelinter/internal/characters"
)

// IsIdentifier reports whether name is an identifier in CPython's sense (PEP
// 3131) and in the given Unicode, keywords included.
func IsIdentifier(name string, u characters.Unicode) bool {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < utf8.RuneSelf && class[c]&identClass == 0 {
			return false
		}
	}
	at, _ := invalidIdentifier(name, u)
	return at < 0
}

// invalidIdentifier returns the offset and value of the first character of name that an identifier
// may not have there, or -1 if there is none. It does not check the ASCII characters of name.
func invalidIdentifier(name string, u characters.Unicode) (at int, invalid rune) {
	for i, c := range name {
		if c < utf8.RuneSelf {
			continue
		}
		if i == 0 && !u.IsIdentifierStart(c) || i > 0 && !u.IsIdentifierContinue(c) {
			return i, c
		}
	}
	return -1, 0
}
