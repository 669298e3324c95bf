package diagnose

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

// isCharacterName tells whether name is one that Python's \N{name} knows.
func isCharacterName(name string) bool {
	if len(name) > maxNameLength {
		return false
	}
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	name = strings.ToUpper(name)
	if digits, ok := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); ok {
		return isIdeograph(digits)
	}
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		return isSyllable(syllable)
	}
	_, found := slices.BinarySearch(characterNames(), hash(name))
	return found
}

// maxNameLength is more than the longest name has.
const maxNameLength = 128

// extraNames holds, a line each, the aliases that Unicode gives to names, and
// the names that are newer than package runenames.
//
//go:embed names.txt
var extraNames string

// characterNames returns the hashes of all names that are not made by a rule,
// in order. There are 35,000 of them and 64 bits to a hash: no two fall
// together, and that a name which does not exist hits one is out of reach.
var characterNames = sync.OnceValue(func() []uint64 {
	hashes := make([]uint64, 0, 1<<16)
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if name := runenames.Name(c); name != "" && name[0] != '<' {
			hashes = append(hashes, hash(name))
		}
	}
	for name := range strings.Lines(extraNames) {
		hashes = append(hashes, hash(strings.TrimSuffix(name, "\n")))
	}
	slices.Sort(hashes)
	return hashes
})

// hash is the 64-bit FNV-1a hash.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// ideographs are the first and last of each block of CJK unified ideographs.
var ideographs = [...][2]rune{
	{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0x20000, 0x2a6df}, {0x2a700, 0x2b739},
	{0x2b740, 0x2b81d}, {0x2b820, 0x2cea1}, {0x2ceb0, 0x2ebe0}, {0x2ebf0, 0x2ee5d},
	{0x30000, 0x3134a}, {0x31350, 0x323af},
}

func isIdeograph(digits string) bool {
	if len(digits) != 4 && len(digits) != 5 || digits[0] == '0' {
		return false
	}
	code, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return false
	}
	for _, block := range ideographs {
		if block[0] <= rune(code) && rune(code) <= block[1] {
			return true
		}
	}
	return false
}

// The parts of a Hangul syllable's name, empty ones included.
var (
	leads  = strings.Split("G,GG,N,D,DD,R,M,B,BB,S,SS,,J,JJ,C,K,T,P,H", ",")
	vowels = strings.Split("A,AE,YA,YAE,EO,E,YEO,YE,O,WA,WAE,OE,YO,U,WEO,WE,WI,YU,EU,YI,I", ",")
	tails  = strings.Split(",G,GG,GS,N,NJ,NH,D,L,LG,LM,LB,LS,LT,LP,LH,M,B,BS,S,SS,NG,J,C,K,T,P,H", ",")
)

// isSyllable tells whether a name is lead, vowel and tail of a Hangul syllable.
// Each part is the longest that fits, as in CPython.
func isSyllable(name string) bool {
	rest, ok := cutLongest(name, leads)
	if !ok {
		return false
	}
	if rest, ok = cutLongest(rest, vowels); !ok {
		return false
	}
	rest, ok = cutLongest(rest, tails)
	return ok && rest == ""
}

// cutLongest takes the longest of parts off the front of s.
func cutLongest(s string, parts []string) (rest string, ok bool) {
	longest := -1
	for _, part := range parts {
		if len(part) > longest && strings.HasPrefix(s, part) {
			longest = len(part)
		}
	}
	if longest < 0 {
		return "", false
	}
	return s[longest:], true
}
