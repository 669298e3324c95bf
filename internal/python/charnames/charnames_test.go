package charnames

import (
	"testing"

	"golang.org/x/text/unicode/runenames"

	"codelinter/internal/python/characters"
)

func TestLookup(t *testing.T) {
	tests := []struct {
		name string
		want rune // 0 if there is none
	}{
		{"EM DASH", '—'},
		{"em Dash", '—'},
		{"EM  DASH", 0},
		{"LAT\u0131N SMALL LETTER A", 0}, // whose capital is I
		{"LATIN \u017fMALL LETTER A", 0}, // whose capital is S
		{"DASH", 0},
		{"BELL", 0x1f514},
		{"BEL", 7},
		{"BYTE ORDER MARK", 0xfeff},
		{"LATIN SMALL LETTER GHA", 0x1a3}, // a correction, beside the name
		{"LATIN SMALL LETTER OI", 0x1a3},
		{"VS1", 0xfe00},
		{"VS256", 0xe01ef},
		{"VS257", 0},
		{"VS01", 0},
		{"HANGUL SYLLABLE A", 0xc544},
		{"Hangul Syllable Gags", 0xac03},
		{"HANGUL SYLLABLE ", 0},
		{"HANGUL SYLLABLE GAX", 0},
		{"CJK UNIFIED IDEOGRAPH-4e00", 0x4e00},
		{"CJK UNIFIED IDEOGRAPH-04E00", 0},
		{"CJK UNIFIED IDEOGRAPH-A000", 0},
		{"CJK COMPATIBILITY IDEOGRAPH-F900", 0xf900},
		{"TANGUT IDEOGRAPH-18D08", 0x18d08},
		{"EGYPTIAN HIEROGLYPH-143FA", 0x143fa}, // new in Unicode 16
		{"OUTLINED DIGIT NINE", 0x1ccf9},       // new in Unicode 16
		{"KEYCAP DIGIT ONE", 0},                // a sequence
		{"<control>", 0},
		{"SIDETIC LETTER N01", 0x10940},          // new in Unicode 17
		{"CJK UNIFIED IDEOGRAPH-33479", 0x33479}, // new in Unicode 17
		{"CJK UNIFIED IDEOGRAPH-3347A", 0},
		{"", 0},
	}
	for _, test := range tests {
		got, ok := Lookup(test.name, characters.Latest)
		if got != test.want || ok != (test.want != 0) {
			t.Errorf("%q: got %U, %v, want %U", test.name, got, ok, test.want)
		}
	}
}

// TestVersions has names that not every version has, with the first that does. That is
// not that of the character where an alias came later, or before 3.14 for names that are
// put together.
func TestVersions(t *testing.T) {
	for name, since := range map[string]characters.Unicode{
		"EM DASH":                        characters.Unicode13,
		"MYANMAR LETTER KHAMTI LLA":      characters.Unicode14,
		"EM":                             characters.Unicode15,
		"CUNEIFORM SIGN KALAM":           characters.Unicode16,
		"BAMUM LETTER PHASE-A MAEMGBIEE": characters.Unicode16,
		"BAMUM LETTER PHASE-B NGGOM":     characters.Unicode17,
		"SIDETIC LETTER N01":             characters.Unicode17,
		"EGYPTIAN HIEROGLYPH-13460":      characters.Unicode16,
		"TANGUT IDEOGRAPH-17000":         characters.Unicode16,
		"TANGUT IDEOGRAPH-187FF":         characters.Unicode17,
		"CJK UNIFIED IDEOGRAPH-4E00":     characters.Unicode13,
		"CJK UNIFIED IDEOGRAPH-4e00":     characters.Unicode16,
		"CJK UNIFIED IDEOGRAPH-323B0":    characters.Unicode17,
		"Hangul Syllable Gags":           characters.Unicode16,
	} {
		for u := characters.Unicode13; u <= characters.Latest; u++ {
			if _, ok := Lookup(name, u); ok != (u >= since) {
				t.Errorf("%s in version %d: %v", name, u, ok)
			}
		}
	}
}

// Every character has the name that golang.org/x/text has for it, whose Unicode is that of
// Go; and no name is for a character that has another there.
func TestNamesOfAllCharacters(t *testing.T) {
	count := 0
	for r := rune(0); r <= 0x10ffff; r++ {
		name := runenames.Name(r)
		if name == "" || name[0] == '<' || !characters.Latest.Has(r) {
			continue // "<CJK Ideograph>"
		}
		count++
		if got, ok := Lookup(name, characters.Latest); !ok || got != r {
			t.Errorf("%q: got %U, %v, want %U", name, got, ok, r)
		}
	}
	if count < 33000 {
		t.Errorf("%d characters have names", count)
	}
	all, aliases := 0, 0
	for i := range blocks {
		named(blocks[i].last) // inflates the block
		for name, r := range blocks[i].names {
			all++
			if got, ok := named(name); !ok || got != r {
				t.Errorf("%q: got %U, %v, want %U", name, got, ok, r)
			}
			if known := runenames.Name(r); known != "" && known != name {
				aliases++
			}
		}
	}
	if all < count || aliases > 250 {
		t.Errorf("%d names, of which %d are not those of golang.org/x/text", all, aliases)
	}
}

// The first \N of a process inflates the block of its name.
func BenchmarkFirstLookup(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if len(inflate(packed[:blocks[0].end])) == 0 {
			b.Fatal("no names")
		}
	}
}
