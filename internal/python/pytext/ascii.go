package pytext

import (
	"unicode/utf8"
	"unsafe"
)

// IsASCII reports whether text.isascii() is true. It tests 32 bytes at a time, as
// four words, which takes a third of the instructions of one word at a time.
func IsASCII(text string) bool {
	at := 0
	for ; at+32 <= len(text); at += 32 {
		words := (*[4]uint64)(unsafe.Add(unsafe.Pointer(unsafe.StringData(text)), at))
		if (words[0]|words[1]|words[2]|words[3])&0x8080808080808080 != 0 {
			return false
		}
	}
	for ; at < len(text); at++ {
		if text[at] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// RuneCount returns the number of characters in a valid UTF-8 text: of bytes that continue no
// character. It counts eight bytes at a time.
func RuneCount(text string) int {
	const ones = 0x0101010101010101
	count, at := len(text), 0
	for ; at+8 <= len(text); at += 8 {
		word := WordAt(text, at)
		continued := word >> 7 &^ (word >> 6) & ones // 1 for each 10xxxxxx
		count -= int(continued * ones >> 56)
	}
	for ; at < len(text); at++ {
		if !utf8.RuneStart(text[at]) {
			count--
		}
	}
	return count
}

// Word returns the first eight bytes of text as a little-endian number. It panics if text
// is shorter. It compiles to one load.
func Word(text string) uint64 {
	s := text[:8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// WordAt returns Word(text[at:]) with less than half of the instructions.
func WordAt(text string, at int) uint64 { return Word(text[at : at+8]) }

// View returns data as a string that shares its memory. It is valid until data changes.
func View(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// Lower returns the lower-case form of an ASCII letter, and any other byte unchanged.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}
