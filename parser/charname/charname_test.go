package charname

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/unicode/runenames"
)

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name string
		want rune
	}{
		{"LATIN SMALL LETTER A", 'a'},
		{"greek Small letter ALPHA", 'α'},
		{"NULL", 0}, {"nul", 0}, {"LINE FEED", '\n'}, {"BELL", '🔔'}, {"ALERT", 7}, // aliases
		{"LATIN CAPITAL LETTER GHA", 'Ƣ'},
		{"VS16", 0xfe0f},
		{"CJK UNIFIED IDEOGRAPH-4E00", '一'}, {"cjk unified ideograph-2ebf0", 0x2ebf0},
		{"CJK COMPATIBILITY IDEOGRAPH-F900", 0xf900},
		{"TANGUT IDEOGRAPH-17000", 0x17000},
		{"EGYPTIAN HIEROGLYPH-13460", 0x13460},
		{"HANGUL SYLLABLE GA", '가'}, {"HANGUL SYLLABLE GAGG", '갂'}, {"HANGUL SYLLABLE A", '아'}, {"hangul syllable hih", '힣'},
		{"GARAY DIGIT ZERO", 0x10d40}, // new in Unicode 16.0
		{"", -1}, {"a", -1}, {"<control>", -1}, {"LATIN SMALL LETTER A ", -1}, {"LATIN SMALL LETTER É", -1},
		{"CJK UNIFIED IDEOGRAPH-04E00", -1}, {"CJK UNIFIED IDEOGRAPH-3000", -1}, {"CJK UNIFIED IDEOGRAPH-", -1},
		{"HANGUL SYLLABLE ", -1}, {"HANGUL SYLLABLE GAX", -1},
		{"KEYCAP DIGIT ONE", -1}, // a sequence
		{strings.Repeat("A", 1000), -1},
	} {
		got, ok := Lookup(c.name)
		if !ok {
			got = -1
		}
		if got != c.want {
			t.Errorf("%q: U+%04X, want U+%04X", c.name, got, c.want)
		}
	}
}

// TestEveryName looks up every name that package runenames has.
func TestEveryName(t *testing.T) {
	n := 0
	for c := rune(0); c <= 0x10ffff; c++ {
		name := runenames.Name(c)
		if name == "" || name[0] == '<' && !strings.HasPrefix(name, "<CJK Ideograph") {
			continue
		}
		if name[0] == '<' {
			name = fmt.Sprintf("CJK UNIFIED IDEOGRAPH-%X", c)
		}
		if got, ok := Lookup(name); !ok || got != c {
			t.Errorf("%s: U+%04X %t, want U+%04X", name, got, ok, c)
		}
		n++
	}
	if n < 130000 {
		t.Errorf("%d names only", n)
	}
}

func TestHashesDiffer(t *testing.T) {
	list := entries()
	for i := 1; i < len(list); i++ {
		if list[i-1].hash == list[i].hash {
			t.Errorf("U+%04X and U+%04X", list[i-1].char, list[i].char)
		}
	}
}

func BenchmarkEntries(b *testing.B) {
	for b.Loop() {
		Lookup("LATIN SMALL LETTER A")
	}
}
