package tokenizer

import (
	"strings"

	"codelinter/source"
)

// number reads a NUMBER from start, a digit or a point before one.
//
//	0x1F 0o17 0b11 1_000 1.5e-3 .5 1j
func (t *Tokenizer) number(token *Token, start int) bool {
	text := t.text
	i := start
	kind := "decimal"
	if kind, isDigit := radixOf(text[i:]); isDigit != nil {
		return t.radix(token, start, kind, isDigit)
	}
	ok := true
	integer := false
	if text[i] != '.' {
		zeros := text[i] == '0'
		if i, ok = t.digits(i); !ok {
			return false
		}
		integer = zeros && strings.Trim(text[start:i], "0_") != ""
	}
	if i < len(text) && text[i] == '.' {
		integer = false
		i++
		if i < len(text) && isDecimal(text[i]) {
			if i, ok = t.digits(i); !ok {
				return false
			}
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		e := i
		i++
		signed := i < len(text) && (text[i] == '+' || text[i] == '-')
		if signed {
			i++
		}
		switch {
		case i < len(text) && isDecimal(text[i]):
			integer = false
			if i, ok = t.digits(i); !ok {
				return false
			}
		case signed:
			t.pos = i
			return t.raise("invalid decimal literal")
		default: // 1else: the number ends before the e
			if !t.endOfNumber(e, kind) {
				return false
			}
			return t.put(token, NUMBER, start, e)
		}
	}
	if i < len(text) && text[i]|0x20 == 'j' {
		integer = false
		kind = "imaginary"
		i++
	}
	if integer && t.strict {
		t.pos = i
		t.raise("leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
		t.placeAt(start)
		return false
	}
	if !t.endOfNumber(i, kind) {
		return false
	}
	return t.put(token, NUMBER, start, i)
}

// digits moves over decimal digits with single underscores between them.
func (t *Tokenizer) digits(i int) (int, bool) {
	text := t.text
	for {
		for i < len(text) && isDecimal(text[i]) {
			i++
		}
		if i >= len(text) || text[i] != '_' {
			return i, true
		}
		i++
		if i >= len(text) || !isDecimal(text[i]) {
			t.pos = i
			return i, t.raise("invalid decimal literal")
		}
	}
}

// radixOf returns the kind of a number with a prefix of two bytes, and what its digits are; nil for
// another number.
func radixOf(text string) (kind string, isDigit func(byte) bool) {
	if len(text) < 2 || text[0] != '0' {
		return "", nil
	}
	switch text[1] | 0x20 {
	case 'x':
		return "hexadecimal", isHex
	case 'o':
		return "octal", isOctal
	case 'b':
		return "binary", isBinary
	}
	return "", nil
}

// radix reads a number with a prefix of two bytes.
func (t *Tokenizer) radix(token *Token, start int, kind string, isDigit func(byte) bool) bool {
	text := t.text
	i := start + 2
	for {
		if i < len(text) && text[i] == '_' {
			i++
		}
		if i >= len(text) || !isDigit(text[i]) {
			return t.badDigit(i, kind)
		}
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		if i >= len(text) || text[i] != '_' {
			break
		}
	}
	if i < len(text) && isDecimal(text[i]) {
		return t.badDigit(i, kind)
	}
	if !t.endOfNumber(i, kind) {
		return false
	}
	return t.put(token, NUMBER, start, i)
}

// badDigit refuses the character at i, as a digit is required.
func (t *Tokenizer) badDigit(i int, kind string) bool {
	if i < len(t.text) && isDecimal(t.text[i]) {
		t.pos = i + 1
		return t.raise("invalid digit '%c' in %s literal", t.text[i], kind)
	}
	t.pos = i
	return t.raise("invalid %s literal", kind)
}

// endOfNumber refuses, in strict mode, a number without a blank before the text at i. Keywords that
// may follow a number in valid code are accepted: `1if x`.
func (t *Tokenizer) endOfNumber(i int, kind string) bool {
	if !t.strict || EndsNumber(t.text[min(i, len(t.text)):], t.features) {
		return true
	}
	t.pos = i
	return t.raise("invalid %s literal", kind)
}

// EndsNumber reports whether rest may follow a number without a blank. It may if it does
// not begin with an ASCII letter, digit or underscore, or if it begins with a keyword: and,
// else, for, if, in, is, or, not. CPython looks at two letters only for if, in and is, and
// in some versions takes no character beyond ASCII.
func EndsNumber(rest string, features *source.Features) bool {
	if rest == "" || rest[0] >= 0x80 && !features.NumbersRefuseLetters || class[rest[0]]&identClass == 0 {
		return true
	}
	switch rest[0] {
	case 'a':
		return startsWithWord(rest, "and")
	case 'e':
		return startsWithWord(rest, "else")
	case 'f':
		return startsWithWord(rest, "for")
	case 'i':
		return len(rest) > 1 && (rest[1] == 'f' || rest[1] == 'n' || rest[1] == 's')
	case 'n':
		return startsWithWord(rest, "not")
	case 'o':
		return startsWithWord(rest, "or")
	}
	return false
}

func startsWithWord(text, word string) bool {
	return strings.HasPrefix(text, word) && (len(text) == len(word) || class[text[len(word)]]&identClass == 0)
}

func isDecimal(c byte) bool { return c-'0' <= 9 }
func isOctal(c byte) bool   { return c-'0' <= 7 }
func isBinary(c byte) bool  { return c-'0' <= 1 }
func isHex(c byte) bool     { return c-'0' <= 9 || c|0x20-'a' <= 5 }
