package tokenizer

import (
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/source"
)

// IsIdentifier reports whether name is an identifier (PEP 3131) to the CPython of the target,
// keywords included.
func IsIdentifier(name string, target source.Version) bool {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < utf8.RuneSelf && class[c]&identClass == 0 {
			return false
		}
	}
	at, _ := invalidIdentifier(name, characters.Of(target.OrDefault()))
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
