package pytext

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Python normalises names by form NFKC of Unicode 17. Package norm is
// not enough: it implements Unicode 15, inserts joiners into long runs of marks, and
// allocates. It serves as a table that is asked for a character at a time.

// recentClass returns the combining class of a character that Unicode has had
// since version 15.
func recentClass(r rune) uint8 {
	switch {
	case r == 0x1aeb:
		return 234
	case r == 0x1e5ef, r == 0x1add, r == 0x1ae6, r == 0x10efa, r == 0x10efb:
		return 220
	case 0x113ce <= r && r <= 0x113d0, r == 0x1612f:
		return 9
	case r == 0x897, 0x1acf <= r && r <= 0x1adc, 0x1ae0 <= r && r <= 0x1aea, 0x10d69 <= r && r <= 0x10d6d, r == 0x1e5ee,
		r == 0x1e6e3, r == 0x1e6e6, r == 0x1e6ee, r == 0x1e6ef, r == 0x1e6f5:
		return 230
	}
	return 0
}

// recentPairs are the characters composed of two others that Unicode added after version 15.
var recentPairs = [...]struct{ whole, first, second rune }{
	{0x105c9, 0x105d2, 0x307}, {0x105e4, 0x105da, 0x307},
	{0x11383, 0x11382, 0x113c9}, {0x11385, 0x11384, 0x113bb}, {0x1138e, 0x1138b, 0x113c2},
	{0x11391, 0x11390, 0x113c9}, {0x113c5, 0x113c2, 0x113c2}, {0x113c7, 0x113c2, 0x113b8},
	{0x113c8, 0x113c2, 0x113c9},
	{0x16121, 0x1611e, 0x1611e}, {0x16122, 0x1611e, 0x16129}, {0x16123, 0x1611e, 0x1611f},
	{0x16124, 0x16129, 0x1611f}, {0x16125, 0x1611e, 0x16120}, {0x16126, 0x16121, 0x1611f},
	{0x16127, 0x16122, 0x1611f}, {0x16128, 0x16121, 0x16120},
	{0x16d68, 0x16d67, 0x16d67}, {0x16d69, 0x16d63, 0x16d67}, {0x16d6a, 0x16d69, 0x16d67},
}

// isRecent reports whether r is in a block that has characters of recentClass or
// recentPairs, or is plain.
func isRecent(r rune) bool {
	return r == 0x897 || 0x1acf <= r && r <= 0x1aff || r == 0x10efa || r == 0x10efb || 0x105c0 <= r && r <= 0x105ff || 0x10d40 <= r && r <= 0x10d8f || 0x11380 <= r && r <= 0x113ff ||
		0x16100 <= r && r <= 0x1613f || 0x16d40 <= r && r <= 0x16d7f || plain(r) != 0 ||
		0x1e5d0 <= r && r <= 0x1e5ff || 0x1e6c0 <= r && r <= 0x1e6ff
}

// plain returns the letter or digit for an outlined one or a modifier, and 0 for other characters.
// Among the characters that Unicode added after version 15, only these stand for another character.
func plain(r rune) rune {
	switch {
	case r == 0xa7f1:
		return 'S'
	case 0x1ccd6 <= r && r <= 0x1ccef:
		return r - 0x1ccd6 + 'A'
	case 0x1ccf0 <= r && r <= 0x1ccf9:
		return r - 0x1ccf0 + '0'
	}
	return 0
}

// IsNormalName reports whether NFKC leaves a name unchanged, as a quick check can
// tell. It is false for some names that NFKC leaves unchanged, with characters
// younger than Unicode 15 or such as may join with those before them.
func IsNormalName(name string) bool {
	common := true
	for _, r := range name {
		if isRecent(r) {
			return false
		}
		common = common && staysNormal(r)
	}
	return common || norm.NFKC.QuickSpanString(name) == len(name)
}

// staysNormal reports whether r neither decomposes nor joins with its neighbours. It
// is false for some such characters, of rare scripts.
func staysNormal(r rune) bool {
	switch {
	case r < 0x80, 0xc0 <= r && r <= 0x131, 0x391 <= r && r <= 0x3c9,
		0x400 <= r && r <= 0x481, 0x3041 <= r && r <= 0x3096, 0x30a1 <= r && r <= 0x30fa,
		0x4e00 <= r && r <= 0x9fff, 0xac00 <= r && r <= 0xd7a3:
		return true
	}
	return false
}

// NormalName returns the NFKC form of an identifier, the name that Python uses.
func NormalName(name string) string {
	if IsNormalName(name) {
		return name
	}
	return string(AppendNormalName(nil, name))
}

// AppendNormalName appends the NFKC of name to dst: its characters taken apart,
// the marks after each in the order of their classes, and put together again.
func AppendNormalName(dst []byte, name string) []byte {
	var memory [64]rune
	chars := memory[:0]
	for _, r := range name {
		chars = appendParts(chars, r)
	}
	for at := 0; at < len(chars); {
		end := at
		for end < len(chars) && combiningClass(chars[end]) != 0 {
			end++
		}
		slices.SortStableFunc(chars[at:end], func(a, b rune) int { return cmp.Compare(combiningClass(a), combiningClass(b)) })
		at = end + 1
	}

	whole := chars[:0]
	starter := -1     // index of the last character of class 0
	var between uint8 // class of the last mark after it, 0 for none
	for _, r := range chars {
		class := combiningClass(r)
		if starter >= 0 && (starter == len(whole)-1 || between < class) {
			if c := pair(whole[starter], r); c != 0 {
				whole[starter] = c
				continue
			}
		}
		if between = class; class == 0 {
			starter = len(whole)
		}
		whole = append(whole, r)
	}
	for _, r := range whole {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// appendParts appends the decomposition of r.
func appendParts(dst []rune, r rune) []rune {
	if r < utf8.RuneSelf {
		return append(dst, r)
	}
	if p := plain(r); p != 0 {
		return append(dst, p)
	}
	for _, p := range recentPairs {
		if p.whole == r {
			return append(appendParts(dst, p.first), p.second)
		}
	}
	if firstSyllable <= r && r <= lastSyllable {
		r -= firstSyllable
		dst = append(dst, firstLead+r/(vowels*tails), firstVowel+r/tails%vowels)
		if r%tails != 0 {
			dst = append(dst, beforeTails+r%tails)
		}
		return dst
	}
	var buffer [utf8.UTFMax]byte
	parts := norm.NFKD.Properties(buffer[:utf8.EncodeRune(buffer[:], r)]).Decomposition()
	if len(parts) == 0 {
		return append(dst, r)
	}
	for len(parts) > 0 {
		part, size := utf8.DecodeRune(parts)
		dst, parts = append(dst, part), parts[size:]
	}
	return dst
}

// combiningClass returns the class that determines the order of marks, or 0 if r is no mark.
func combiningClass(r rune) uint8 {
	if r < utf8.RuneSelf {
		return 0
	}
	if isRecent(r) {
		return recentClass(r)
	}
	return norm.NFD.PropertiesString(string(r)).CCC()
}

// pair returns the character composed of two, 0 if there is none.
func pair(first, second rune) rune {
	for _, p := range recentPairs {
		if p.first == first && p.second == second {
			return p.whole
		}
	}
	switch {
	case second < utf8.RuneSelf:
		return 0
	case firstLead <= first && first < firstLead+leads && firstVowel <= second && second < firstVowel+vowels:
		return firstSyllable + ((first-firstLead)*vowels+second-firstVowel)*tails
	case firstSyllable <= first && first <= lastSyllable && (first-firstSyllable)%tails == 0 &&
		beforeTails < second && second < beforeTails+tails:
		return first + second - beforeTails
	}
	return pairs()[[2]rune{first, second}]
}

// Hangul is put together and taken apart by arithmetic: a syllable is a lead, a vowel
// and maybe a tail.
const (
	firstSyllable, lastSyllable      = 0xac00, 0xd7a3
	firstLead, firstVowel            = 0x1100, 0x1161
	beforeTails                      = 0x11a7
	leads, vowels, tails        rune = 19, 21, 28 // one of the tails means no tail
)

// pairs maps two characters to the character of Unicode 15 composed of them. It is computed
// for the first name that needs it, which takes a millisecond.
var pairs = sync.OnceValue(func() map[[2]rune]rune {
	found := make(map[[2]rune]rune, 1<<10)
	for _, block := range [...][2]rune{{0xc0, 0x30ff}, {0xf900, 0xfb4f}, {0x11000, 0x1d1ff}} {
		for r := block[0]; r <= block[1]; r++ {
			var buffer [utf8.UTFMax]byte
			parts := []rune(string(norm.NFC.Properties(buffer[:utf8.EncodeRune(buffer[:], r)]).Decomposition()))
			// Those that NFC leaves apart do not count.
			if len(parts) < 2 || norm.NFC.String(string(parts)) != string(r) {
				continue
			}
			last := len(parts) - 1
			if first := []rune(norm.NFC.String(string(parts[:last]))); len(first) == 1 {
				found[[2]rune{first[0], parts[last]}] = r
			}
		}
	}
	return found
})
