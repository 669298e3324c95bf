package pep8

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/tokenizer"
)

// firstWord returns s up to its first space.
func firstWord(s string) string {
	if end := strings.IndexFunc(s, pytext.IsSpace); end >= 0 {
		return s[:end]
	}
	return s
}

// unicode returns the Unicode of the CPython that is followed.
func (c *Checker) unicode() characters.Unicode { return characters.Of(c.options.Target.OrDefault()) }

// wordEnd returns the offset after the characters from at on that \w matches.
func wordEnd[T string | []byte](text T, at int, u characters.Unicode) int {
	for at < len(text) {
		c, size := rune(text[at]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(string(text[at:min(at+utf8.UTFMax, len(text))]))
		}
		if !u.IsWord(c) {
			break
		}
		at += size
	}
	return at
}

// nextWord returns the start and end of the next word of text after an offset that is in no word.
// Both are len(text) if there is none. A regular expression may split an identifier into several
// words: \w does not match the middle dot of if·x.
func nextWord[T string | []byte](text T, at int, u characters.Unicode) (start, end int) {
	for at < len(text) {
		if end := wordEnd(text, at, u); end > at {
			return at, end
		}
		at++
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
	}
	return at, at
}

func keywordOf(word []byte) tokenizer.Keyword {
	if len(word) > len("continue") { // the longest
		return tokenizer.NotKeyword
	}
	return tokenizer.LookupKeyword(string(word))
}

// leadingKeyword returns the keyword that is the logical line's first word, be it
// one of several in a name.
func (c *Checker) leadingKeyword() tokenizer.Keyword {
	t := c.head
	if c.traits&brokenName == 0 || t.Kind != tokenizer.NAME {
		return t.Keyword
	}
	text := t.Text(c.text)
	return tokenizer.LookupKeyword(text[:wordEnd(text, 0, c.unicode())])
}

// beginsFunction reports whether the logical line's first words are def or async
// def.
func (c *Checker) beginsFunction() bool {
	switch c.leadingKeyword() {
	case tokenizer.Def:
		return true
	case tokenizer.Async:
		next := c.second()
		return c.head.Keyword == tokenizer.Async && next != nil && next.Keyword == tokenizer.Def
	}
	return false
}

// leadingSpaces returns how many spaces line begins with.
func leadingSpaces(line string) (n int) {
	for ; n+8 <= len(line); n += 8 {
		if others := pytext.WordAt(line, n) ^ eightSpaces; others != 0 {
			return n + bits.TrailingZeros64(others)/8
		}
	}
	for n < len(line) && line[n] == ' ' {
		n++
	}
	return n
}

const eightSpaces = 0x2020202020202020

// plainIndent returns the width of a line's indentation if that is spaces before
// a character of ASCII, as it nearly always is.
func plainIndent(line string) (width int, ok bool) {
	width = leadingSpaces(line)
	return width, width < len(line) && ' ' < line[width] && line[width] < utf8.RuneSelf
}

// expandIndent returns the width of a line's indentation as pycodestyle has it.
// Without any tab in the line, every white space counts as a column.
func expandIndent(line string) int {
	if width, ok := plainIndent(line); ok {
		return width
	}
	line = strings.TrimRight(line, "\n\r")
	if strings.IndexByte(line, '\t') < 0 {
		rest := pytext.TrimLeftSpace(line)
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

// expandTabs returns the width of the prefix before a line's first token, as in flake8: a tab moves
// to the next multiple of eight.
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
