// Package charnames has the names of characters, as CPython's unicodedata and \N{...}
// know them:
//
//	c, ok := charnames.Lookup("GREEK SMALL LETTER PI", characters.Latest) // 'π', true
package charnames

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"io"
	"sort"
	"strconv"
	"strings"
	"sync"

	"codelinter/internal/python/characters"
)

// Lookup returns the character that \N{name} stands for in CPython with the given Unicode.
// name is a character's name or formal alias. The case of ASCII's letters does not matter.
func Lookup(name string, u characters.Unicode) (rune, bool) {
	if len(name) > maxName {
		return 0, false
	}
	var memory [maxName]byte
	upper := string(appendCapitals(memory[:0], name)) // of 32 bytes or less it is not allocated
	if u >= characters.Unicode16 {
		r, ok := lookup(upper)
		return r, ok && u.Has(r) && aliased(upper) <= u
	}
	inCapitals := upper == name
	// Before 3.14, computed names had other rules: they had to be in capital letters, the number of
	// an ideograph could have a leading zero, and Tangut had no names.
	if number, ok := strings.CutPrefix(upper, "CJK UNIFIED IDEOGRAPH-"); ok && len(number) == len("04E00") {
		upper = "CJK UNIFIED IDEOGRAPH-" + strings.TrimPrefix(number, "0")
	}
	r, ok := lookup(upper)
	switch {
	case !ok || !u.Has(r) || aliased(upper) > u || strings.HasPrefix(upper, "TANGUT IDEOGRAPH-"):
		return 0, false
	case strings.HasPrefix(upper, "CJK UNIFIED IDEOGRAPH-"), strings.HasPrefix(upper, "HANGUL SYLLABLE "):
		ok = inCapitals
	}
	return r, ok
}

// appendCapitals appends name with ASCII's letters as capitals, and no others: "ı" is no
// "I".
func appendCapitals(dst []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// aliased returns the version in which a name became an alias, if that was after its character was
// added, and 0 for any other name.
func aliased(name string) characters.Unicode {
	switch name {
	case "MYANMAR LETTER KHAMTI LLA":
		return characters.Unicode14
	case "SUNDANESE LETTER ARCHAIC I", "ARABIC SMALL HIGH LIGATURE ALEF WITH YEH BARREE", "EM":
		return characters.Unicode15
	case "CUNEIFORM SIGN KALAM", "BAMUM LETTER PHASE-A MAEMGBIEE", "MENDE KIKAKUI SYLLABLE M172 MBO", "MENDE KIKAKUI SYLLABLE M174 MBOO":
		return characters.Unicode16
	case "BAMUM LETTER PHASE-B NGGOM", "BAMUM LETTER PHASE-B PUNGGAAM", "BAMUM LETTER PHASE-C SHETFON", "BAMUM LETTER PHASE-E NGGOP":
		return characters.Unicode17
	}
	return 0
}

// lookup looks up a name in capitals, in the latest version.
func lookup(name string) (rune, bool) {
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		return hangul(syllable)
	}
	if number, ok := strings.CutPrefix(name, "VS"); ok {
		n, err := strconv.Atoi(number)
		switch {
		case err != nil || number != strconv.Itoa(n) || n < 1 || n > 256:
			return 0, false
		case n <= 16:
			return rune(0xfe00 + n - 1), true
		}
		return rune(0xe0100 + n - 17), true
	}
	if dash := strings.LastIndexByte(name, '-'); dash >= 0 {
		if r, ok := numbered(name[dash+1:], numberedRanges(name[:dash])); ok {
			return r, true
		}
	}
	return named(name)
}

// maxName is more than the longest name has.
const maxName = 256

// numberedRanges returns the characters whose name is this and their number, as pairs of
// first and last.
func numberedRanges(name string) []rune {
	switch name {
	case "CJK UNIFIED IDEOGRAPH":
		return unifiedIdeographs
	case "TANGUT IDEOGRAPH":
		return tangutIdeographs
	case "EGYPTIAN HIEROGLYPH":
		return egyptianHieroglyphs
	}
	return nil
}

// numbered returns the character of the number, which must be in the ranges and
// written as Unicode writes it.
func numbered(number string, ranges []rune) (rune, bool) {
	n, err := strconv.ParseUint(number, 16, 21)
	if err != nil || len(number) != len(strconv.FormatUint(n, 16)) {
		return 0, false
	}
	for i := 0; i < len(ranges); i += 2 {
		if r := rune(n); ranges[i] <= r && r <= ranges[i+1] {
			return r, true
		}
	}
	return 0, false
}

// The romanisations of the parts of a Hangul syllable, in Unicode's order.
var (
	hangulLeads = []string{"G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T", "P", "H"}
	hangulVowel = []string{"A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO", "WE", "WI", "YU", "EU", "YI", "I"}
	hangulTails = []string{
		"", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT",
		"LP", "LH", "M", "B", "BS", "S", "SS", "NG", "J", "C", "K", "T", "P", "H",
	}
)

// hangul returns the syllable of the name's last word: GAG.
func hangul(name string) (rune, bool) {
	lead, name := longestPrefix(name, hangulLeads)
	vowel, name := longestPrefix(name, hangulVowel)
	tail, name := longestPrefix(name, hangulTails)
	if lead < 0 || vowel < 0 || tail < 0 || name != "" {
		return 0, false
	}
	return rune(0xac00 + (lead*len(hangulVowel)+vowel)*len(hangulTails) + tail), true
}

// longestPrefix returns the index of the longest of parts that name begins with,
// -1 for none, and the rest of name.
func longestPrefix(name string, parts []string) (index int, rest string) {
	index = -1
	for i, part := range parts {
		if strings.HasPrefix(name, part) && (index < 0 || len(part) > len(parts[index])) {
			index = i
		}
	}
	if index < 0 {
		return index, name
	}
	return index, name[len(parts[index]):]
}

// packed has all other names, compressed by generate.py to 167 KB. Uncompressed, the names take 1.2
// MB of the binary.
//
//go:embed names.bin
var packed string

// A block is a part of packed with alphabetically adjacent names. Inflating the one block that may
// have a name takes a tenth of the time of indexing all names.
type block struct {
	last string // of its names
	end  int    // of its bytes; they begin at the end of the block before

	once  sync.Once
	names map[string]rune // after once
}

// named looks up a name that is not computed.
func named(name string) (rune, bool) {
	i := sort.Search(len(blocks), func(i int) bool { return name <= blocks[i].last })
	if i == len(blocks) {
		return 0, false
	}
	b := &blocks[i]
	b.once.Do(func() {
		start := 0
		if i > 0 {
			start = blocks[i-1].end
		}
		b.names = inflate(packed[start:b.end])
	})
	r, ok := b.names[name]
	return r, ok
}

// inflate returns the names of a block.
func inflate(packed string) map[string]rune {
	text, err := io.ReadAll(flate.NewReader(strings.NewReader(packed)))
	if err != nil {
		panic(err) // the binary is damaged
	}
	names := make(map[string]rune, bytes.Count(text, []byte("\n")))
	last := 0
	for line := range strings.Lines(string(text)) {
		name, more := strings.TrimSuffix(line, "\n"), 1
		if name[0] <= '9' { // no name begins with a digit
			number, rest, _ := strings.Cut(name, " ")
			more, _ = strconv.Atoi(number)
			name = rest
		}
		last += more
		names[name] = rune(last)
	}
	return names
}
