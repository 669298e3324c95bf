// Package charname finds a character by its Unicode name, as \N{name} does in a
// Python string: names of Unicode 16.0, their formal aliases, in any case.
//
//	r, ok := charname.Lookup("Greek small letter alpha") // 'α', true
package charname

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

// Lookup returns the character that CPython 3.14 finds for name.
func Lookup(name string) (rune, bool) {
	if len(name) > maxLength {
		return 0, false
	}
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return 0, false
		}
	}
	name = strings.ToUpper(name)
	for _, d := range derived {
		if digits, ok := strings.CutPrefix(name, d.prefix); ok {
			return byNumber(digits, d.ranges)
		}
	}
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		return bySound(syllable)
	}
	all := entries()
	i, found := slices.BinarySearchFunc(all, hash(name), func(e entry, h uint64) int {
		switch {
		case e.hash < h:
			return -1
		case e.hash > h:
			return 1
		}
		return 0
	})
	if !found {
		return 0, false
	}
	return all[i].char, true
}

// maxLength is more than any name has.
const maxLength = 128

// An entry is a character under the hash of one of its names. There are 36,000
// names and 64 bits to a hash: a test proves that no two fall together, and
// that a name which does not exist hits one by chance is out of reach.
type entry struct {
	hash uint64
	char rune
}

// more holds what package runenames lacks, a number and a name a line: the
// aliases, and the names that are newer than its tables.
//
//go:embed names.txt
var more string

// named are the ranges in which characters have names of their own.
var named = [...][2]rune{
	{0, 0x33ff}, {0x4dc0, 0x4dff}, {0xa000, 0xabff}, {0xd7b0, 0xd7ff}, {0xf900, 0xffff},
	{0x10000, 0x16fff}, {0x18800, 0x18cff}, {0x18d80, 0x1ffff}, {0x2f800, 0x2fa1f}, {0xe0000, 0xe01ff},
}

// entries returns all names that no rule makes, in the order of their hashes.
var entries = sync.OnceValue(func() []entry {
	list := make([]entry, 0, 1<<16)
	for _, r := range named {
		for c := r[0]; c <= r[1]; c++ {
			if name := runenames.Name(c); name != "" && name[0] != '<' {
				list = append(list, entry{hash(name), c})
			}
		}
	}
	for line := range strings.Lines(more) {
		number, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		code, err := strconv.ParseInt(number, 16, 32)
		if err != nil {
			panic(err)
		}
		list = append(list, entry{hash(name), rune(code)})
	}
	slices.SortFunc(list, func(a, b entry) int {
		switch {
		case a.hash < b.hash:
			return -1
		case a.hash > b.hash:
			return 1
		}
		return 0
	})
	return list
})

// hash is the 64-bit FNV-1a hash.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// derived are the names that end in the character's number.
var derived = [...]struct {
	prefix string
	ranges [][2]rune
}{
	{"CJK UNIFIED IDEOGRAPH-", [][2]rune{
		{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0x20000, 0x2a6df}, {0x2a700, 0x2b739},
		{0x2b740, 0x2b81d}, {0x2b820, 0x2cea1}, {0x2ceb0, 0x2ebe0}, {0x2ebf0, 0x2ee5d},
		{0x30000, 0x3134a}, {0x31350, 0x323af},
	}},
	{"TANGUT IDEOGRAPH-", [][2]rune{{0x17000, 0x187f7}, {0x18d00, 0x18d08}}},
	{"EGYPTIAN HIEROGLYPH-", [][2]rune{{0x13460, 0x143fa}}},
}

// byNumber reads a number without leading zeros that lies in ranges.
func byNumber(digits string, ranges [][2]rune) (rune, bool) {
	if len(digits) != 4 && len(digits) != 5 || digits[0] == '0' {
		return 0, false
	}
	code, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return 0, false
	}
	for _, r := range ranges {
		if r[0] <= rune(code) && rune(code) <= r[1] {
			return rune(code), true
		}
	}
	return 0, false
}

// The parts of a Hangul syllable's name; the empty ones are silent.
var (
	leads  = strings.Split("G,GG,N,D,DD,R,M,B,BB,S,SS,,J,JJ,C,K,T,P,H", ",")
	vowels = strings.Split("A,AE,YA,YAE,EO,E,YEO,YE,O,WA,WAE,OE,YO,U,WEO,WE,WI,YU,EU,YI,I", ",")
	tails  = strings.Split(",G,GG,GS,N,NJ,NH,D,L,LG,LM,LB,LS,LT,LP,LH,M,B,BS,S,SS,NG,J,C,K,T,P,H", ",")
)

// bySound reads lead, vowel and tail of a Hangul syllable, each the longest
// that fits.
func bySound(name string) (rune, bool) {
	lead, name := cutLongest(name, leads)
	vowel, name := cutLongest(name, vowels)
	tail, name := cutLongest(name, tails)
	if lead < 0 || vowel < 0 || tail < 0 || name != "" {
		return 0, false
	}
	return rune(0xac00 + (lead*len(vowels)+vowel)*len(tails) + tail), true
}

// cutLongest takes the longest of parts off the front of s. It returns the
// part's index, -1 if none fits.
func cutLongest(s string, parts []string) (index int, rest string) {
	index = -1
	for i, part := range parts {
		if strings.HasPrefix(s, part) && (index < 0 || len(part) > len(parts[index])) {
			index = i
		}
	}
	if index < 0 {
		return -1, s
	}
	return index, s[len(parts[index]):]
}
