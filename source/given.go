package source

import (
	"sort"
	"unicode/utf8"
)

// given maps offsets in a File's text to offsets in the bytes that were given to Load.
//
// For most files the bytes are the text. For most others, Load drops a byte order mark
// and the "\r" of each "\r\n", and each character has as many bytes as in UTF-8, or one.
// Only encodings such as Shift_JIS and UTF-7 have other widths.
type given struct {
	width   width
	size    int32   // of all bytes
	front   int32   // the number of bytes of the file before Text
	dropped int32   // the number of bytes of the decoded text before Text
	crlfs   []int32 // offsets in the decoded text of each "\n" that was "\r\n"

	// How many characters of Text begin before each multiple of markDistance. It is made on
	// demand, so that finding places in a long row takes time linear in its length.
	marks []int32
}

// width is the number of bytes of a character.
type width uint8

const (
	asUTF8   width = iota // as many as in UTF-8
	oneByte               // one
	anyWidth              // more or less, in any order
)

const markDistance = 1 << 10

// GivenRange returns which of the bytes given to Load became Text[start:end]. After
// LoadUniversal it is about the bytes given to the other file. In an encoding such as
// Shift_JIS or UTF-7 it returns the range of all bytes.
func (f *File) GivenRange(start, end int32) (int32, int32) {
	if f.given.width == anyWidth {
		return 0, f.given.size
	}
	return f.givenOffset(start), f.givenOffset(end)
}

// IsGiven reports whether Text is the bytes that were given to Load, so that
// offsets in both are the same.
func (f *File) IsGiven() bool {
	g := &f.given
	return g.front == 0 && len(g.crlfs) == 0 && (g.width == asUTF8 || g.width == oneByte && f.ASCII)
}

func (f *File) givenOffset(offset int32) int32 {
	g := &f.given
	at := offset
	if g.width == oneByte && !f.ASCII {
		at = f.charactersBefore(offset)
	}
	decoded := offset + g.dropped
	return g.front + at + int32(sort.Search(len(g.crlfs), func(i int) bool { return g.crlfs[i] >= decoded }))
}

// charactersBefore returns the number of characters of Text that begin before offset.
func (f *File) charactersBefore(offset int32) int32 {
	g := &f.given
	if len(g.marks) == 0 {
		count := 0
		for at := 0; at <= len(f.Text); at += markDistance {
			g.marks = append(g.marks, int32(count))
			count += starts(f.Text[at:min(at+markDistance, len(f.Text))])
		}
	}
	mark := offset / markDistance
	return g.marks[mark] + int32(starts(f.Text[mark*markDistance:offset]))
}

// starts returns the number of characters that begin in a part of a text in UTF-8.
func starts(part string) int {
	n := 0
	for i := range len(part) {
		if utf8.RuneStart(part[i]) {
			n++
		}
	}
	return n
}
