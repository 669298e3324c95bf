// Package codecs decodes bytes as CPython's codecs do, for every name in a coding cookie, with
// "strict" error handling.
//
//	codec, ok := codecs.Lookup("Shift-JIS", characters.Latest)
//	text, ok := codec.Decode(nil, []byte("\x82\xa0"), codecs.Whole) // "あ", true
//
// CPython's GBK, Big5 and Shift_JIS differ in hundreds of characters from those of browsers and of
// golang.org/x/text, and a dozen codecs exist only in CPython. So the tables come from CPython:
// generate.py decodes each byte and each pair of bytes with it. The tables are stored by families
// of codecs that have most characters in common. A family is inflated when a text first needs it,
// which takes a millisecond.
//
// Two things are code and not tables: the choice of a table by escape sequences (iso2022.go), and
// codecs that compute (unicode.go, escapes.go, punycode.go).
package codecs

import (
	"bytes"
	_ "embed" // for names.txt
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

// names has a line a codec: kind, name, aliases, as generate.py describes them.
//
//go:embed names.txt
var names string

// A Codec decodes bytes; two of the same codec are equal. The zero Codec decodes
// nothing.
type Codec struct {
	kind   string // the family of tables, "code" or "none"
	name   string // of CPython's module
	number int    // of the table in its family

	// unicode is the Unicode of CPython's version, for the codecs that changed with it.
	unicode characters.Unicode
}

// The codecs that callers may have faster ways for.
var (
	UTF8   = Codec{kind: "code", name: "utf_8"}
	Latin1 = Codec{kind: "code", name: "latin_1"}
)

// The sizes of pieces for [Codec.Decode].
const (
	FilePiece = 8192
	Whole     = math.MaxInt
)

// Lookup returns the codec that CPython finds by a name or an alias. Case does not
// matter. A run of characters other than letters, digits and dots counts as one "_".
// Lookup returns false where CPython raises a LookupError. Some codecs, such as base64,
// exist in CPython but cannot read files: the codec returned for these decodes nothing.
// The Unicode u tells which version of CPython looks up.
func Lookup(name string, u characters.Unicode) (Codec, bool) {
	var memory [32]byte // more than any name has
	name = string(fold(memory[:0], name))
	at := find(name, u)
	if at < 0 && strings.Contains(name, ".") {
		// A dot in an alias may be read as "_", one in a codec's own name not.
		at = find(strings.ReplaceAll(name, ".", "_"), u)
		if at >= 0 && strings.LastIndexByte(names[:at], ' ') <= strings.LastIndexByte(names[:at], '\n') {
			at = -1
		}
	}
	if at < 0 {
		return Codec{}, false
	}
	line := strings.LastIndexByte(names[:at], '\n') + 1
	kind, rest, _ := strings.Cut(names[line:line+strings.IndexByte(names[line:], '\n')], " ")
	own, _, _ := strings.Cut(rest, " ")
	codec := Codec{kind: kind, name: own}
	if codec.kind != "code" {
		for before := range strings.Lines(names[:line]) {
			if word, _, _ := strings.Cut(before, " "); word == codec.kind {
				codec.number++
			}
		}
	}
	switch codec.name {
	case "palmos", "unicode_escape":
		codec.unicode = u
	}
	return codec, true
}

// find returns the offset in names of the blank before a name, or -1 if the CPython with u does not
// have the name.
func find(name string, u characters.Unicode) int {
	if name == "" {
		return -1
	}
	for from := 1; ; {
		at := strings.Index(names[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		from = at + len(name)
		if names[at-1] == ' ' && isKnown(names[from:], u) {
			return at - 1
		}
	}
}

// isKnown reports whether the CPython with u has the name that ends where rest begins: one
// without a mark, or with a mark of versions that takes in u.
func isKnown(rest string, u characters.Unicode) bool {
	switch rest[0] {
	case ' ', '\n':
		return true
	case '@':
		first, last, bounded := strings.Cut(rest[1:strings.IndexAny(rest, " \n")], "-")
		return unicodeOf(first) <= u && (!bounded || u <= unicodeOf(last))
	}
	return false
}

// unicodeOf returns the Unicode of a CPython, such as "3.14".
func unicodeOf(version string) characters.Unicode {
	minor, _ := strconv.Atoi(strings.TrimPrefix(version, "3."))
	return characters.Of(uint8(minor))
}

// fold appends a codec's name as CPython's encodings package folds it.
func fold(dst []byte, name string) []byte {
	gap := false
	for i := range len(name) {
		c := pytext.Lower(name[i])
		if c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' {
			if gap && len(dst) > 0 {
				dst = append(dst, '_')
			}
			gap = false
			dst = append(dst, c)
		} else {
			gap = true
		}
	}
	return dst
}

// SingleByte reports whether the codec reads each byte as one character.
func (c Codec) SingleByte() bool {
	return c.kind == "single" || c == Latin1 || c.kind == "code" && c.name == "ascii"
}

// Decode appends the text of data to dst, in UTF-8. It returns false if CPython raises an
// exception, or if the text has a lone surrogate, which CPython can decode but not parse.
//
// CPython decodes a file in pieces of [FilePiece] bytes, and other texts in one piece, [Whole]. The
// result of a few codecs depends on the pieces.
func (c Codec) Decode(dst, data []byte, piece int) ([]byte, bool) {
	switch c.name {
	case "ascii":
		return ascii(dst, data)
	case "gb18030":
		return chinese().decode(dst, data, c.number, (*family).fourBytes)
	case "euc_jis_2004":
		return japanese().decode(dst, data, c.number, (*family).jis2004Plane2)
	case "euc_jisx0213":
		return japanese().decode(dst, data, c.number, (*family).jisx0213Plane2)
	case "euc_jp":
		return japanese().decode(dst, data, c.number, (*family).jisx0212)
	case "euc_kr":
		return korean().decode(dst, data, c.number, (*family).composedSyllable)
	case "hz":
		return hz(dst, data)
	case "idna":
		return idna(dst, data)
	case "latin_1":
		return latin1(dst, data), true
	case "punycode":
		return punycode(dst, data, piece)
	case "raw_unicode_escape":
		return rawUnicodeEscape(dst, data)
	case "unicode_escape":
		return unicodeEscape(dst, data, piece, c.unicode)
	case "utf_16_be":
		return utf16Decode(dst, data, binary.BigEndian)
	case "utf_16_le":
		return utf16Decode(dst, data, binary.LittleEndian)
	case "utf_7":
		return utf7(dst, data)
	case "utf_8", "utf_8_sig":
		return utf8Bytes(dst, data)
	}
	switch c.kind {
	case "chinese":
		return chinese().decode(dst, data, c.number, nil)
	case "japanese":
		return japanese().decode(dst, data, c.number, nil)
	case "korean":
		return korean().decode(dst, data, c.number, nil)
	case "taiwanese":
		return taiwanese().decode(dst, data, c.number, nil)
	case "single":
		start := len(dst)
		dst, ok := single().decode(dst, data, c.number, nil)
		if c.name == "palmos" && c.unicode < characters.Unicode16 {
			// Before 3.14 it took one more byte for a control character.
			dst = append(dst[:start], bytes.ReplaceAll(dst[start:], []byte("›"), []byte("\u009b"))...)
		}
		return dst, ok
	case "code":
		return iso2022(dst, data, c.name)
	}
	return dst, false
}
