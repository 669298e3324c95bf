package codecs

import (
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"codelinter/internal/python/characters"
)

// Every codec decodes each byte, and each two bytes, as CPython does, at a text's
// beginning and after what chooses other tables. sums.txt has CPython's results.
func TestSums(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	sums, err := os.ReadFile("testdata/sums.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var text []byte
	for line := range strings.Lines(string(sums)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		prefix, want, _ := strings.Cut(rest, " ")
		codec, ok := Lookup(name, characters.Latest)
		if !ok {
			t.Fatalf("%s is unknown", name)
		}
		seen[name] = true
		data, _ := hex.DecodeString(prefix) // "-" stands for none
		sum := crc32.NewIEEE()
		try := func(data []byte) {
			if text, ok = codec.Decode(text[:0], data, Whole); !ok {
				text = append(text[:0], 0xff)
			} else if !utf8.Valid(text) {
				t.Errorf("%s: %q gives %q, which is no UTF-8", name, data, text)
			}
			sum.Write(append(text, '\n'))
		}
		n := len(data)
		for a := range 256 {
			try(append(data[:n], byte(a)))
		}
		for ab := 0; ab < 0x10000 && codec.kind != "single"; ab++ {
			try(append(data[:n], byte(ab>>8), byte(ab)))
		}
		if got := fmt.Sprintf("%08x", sum.Sum(nil)); got != want {
			t.Errorf("%s after %s: the sum is %s, CPython's %s", name, prefix, got, want)
		}
	}
	for line := range strings.Lines(names) {
		if fields := strings.Fields(line); fields[0] != "none" && !seen[fields[1]] {
			t.Errorf("%s has no sum", fields[1])
		}
	}
}

func TestDecode(t *testing.T) {
	const fails = "fails"
	for _, test := range []struct{ codec, data, want string }{
		{"big5hkscs", "\x88\x62", "Ê̄"}, // a pair
		{"big5", "\xa1\x45", "•"},       // "‧" in browsers,
		{"gbk", "\x80", fails},          // the euro sign of browsers
		{"gb18030", "\x81\x39\xef\x30\x95\x32\x82\x36", "㐁𠀀"},
		{"gb18030", "\xe3\x32\x9a\x35\xe3\x32\x9a\x36", fails},
		{"gb18030", "\x81\x39\xef", fails},
		{"euc_kr", "\xa4\xd4\xa4\xa1\xa4\xbf\xa4\xd4", "가"},
		{"euc_kr", "\xa4\xd4\xa4\xb1\xa4\xd3\xa4\xa6", "믾"},
		{"euc_kr", "\xa4\xd4\xa4\xa3\xa4\xbf\xa4\xd4", fails}, // a tail for a lead
		{"euc_kr", "\xa4\xd4\xa4\xa1\xa4\xbf\xa4", fails},
		{"euc_jis_2004", "\xa4\xf7\x8f\xa1\xa1", "か゚𠂉"},
		{"shift_jis_2004", "'\\'", "'¥'"},
		{"shift_jis", "'\\'", "'\\'"},
		{"iso2022_jp", "a\x1b$B$\"\x1b(Bb\x1b(J\\~\x7f", "aあb¥‾\x7f"},
		{"iso2022_jp", "\x1b$B\n$\"\n", "\nあ\n"},
		{"iso2022_jp", "\x1b$B$", fails},
		{"iso2022_jp", "\x1b[1m\x1b$B$\"", "\x1b[1m\x1b$B$\""}, // runs up to a capital letter
		{"iso2022_jp", "\x1b$" + strings.Repeat("$", 20) + "B", fails},
		{"iso2022_jp_2", "\x1b.F\x1bNa\x1b$A0!\x1b$(C0!", "α啊가"},
		{"iso2022_jp_3", "\x1b$(O$w\x1b$(P!!", "か゚𠂉"},
		{"iso2022_jp_ext", "\x1b(I1\x1b&@\x1b$B0!", "ｱ亜"},
		{"iso2022_kr", "\x1b$)Ca\x0e0!\x0fb\x0e\n0!", "a가b\n0!"},
		{"hz", "~~~{0!~}~\nb", "~啊b"},
		{"utf-7", "+-+AGEAYg-c+2D3eAA-", "+abc😀"},
		{"utf-7", "+AGE.+AGE", "a.a"},
		{"utf-7", "+AG.", fails},
		{"utf-7", "+AGF.", fails}, // bits left over
		{"utf-7", "+2D0-", fails},
		{"utf-7", "+.", fails},
		{"unicode_escape", `\a\101\x41\u0041\U00000041\N{LATIN SMALL LETTER A}\q` + "\xe9\\\n", "\aAAAAa\\qé"},
		{"unicode_escape", `\ud83d\ude00`, fails},
		{"unicode_escape", `\N{NO SUCH}`, fails},
		{"unicode_escape", `\N`, fails},
		{"raw_unicode_escape", `\\u0041\u0041\n\`, `\\u0041A\n\`},
		{"utf_16_le", "\x3d\xd8\x00\xde", "😀"},
		{"utf_16_be", "\xd8\x3d\xde", fails},
		{"punycode", "# -Map-Wra", "#Ø -Map"},
		{"punycode", "a-99999999999999999999", fails},
		{"idna", "a..b.", "a..b."},
		{"idna", strings.Repeat("a", 1025), fails},
		{"rot13", "a", fails},
		{"undefined", "a", fails},
		{"utf_16", "ab", fails},
	} {
		codec, _ := Lookup(test.codec, characters.Latest)
		text, ok := codec.Decode(nil, []byte(test.data), Whole)
		got := string(text)
		if !ok {
			got = fails
		}
		if got != test.want {
			t.Errorf("%s: %q gives %q, want %q", test.codec, test.data, got, test.want)
		}
	}
}

// What CPython decodes in pieces may not mean the same as whole.
func TestPieces(t *testing.T) {
	for _, test := range []struct {
		codec, data string
		piece       int
		want        string
	}{
		{"unicode_escape", `ab\101`, 4, "ab\x0101"},
		{"unicode_escape", `ab\101`, 5, "ab\b1"},
		{"unicode_escape", `ab\101`, 3, "abA"},
		{"punycode", "xy-ab-", 3, "xyab"},
		{"shift_jis", "\x82\xa0\x82\xa2", 1, "あい"},
	} {
		codec, _ := Lookup(test.codec, characters.Latest)
		if text, ok := codec.Decode(nil, []byte(test.data), test.piece); string(text) != test.want || !ok {
			t.Errorf("%s in pieces of %d: %q gives %q, want %q", test.codec, test.piece, test.data, text, test.want)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"utf-8", "utf_8"},
		{"UTF--8", "utf_8"},
		{"U8", "utf_8"},
		{"utf8.ucs2", "utf_8"},
		{"utf.8", ""}, // a name of its own, no alias
		{"iso.8859.1", "latin_1"},
		{"iso8859_1", "latin_1"},
		{"latin.1", ""},
		{"latin1.", ""},
		{"_latin1_", "latin_1"},
		{"ansi_x3.4_1968", "ascii"},
		{"S-JIS", "shift_jis"},
		{"cshproman8", "hp_roman8"}, // before 3.15 CPython spelt the alias so that it never found it
		{"rot13", "rot_13"},
		{"mbcs", ""}, // of Windows
		{"aliases", ""},
		{"single", ""}, // a word of names.txt
		{"code", ""},
		{"klingon", ""},
		{"", ""},
		{"_", ""},
		{".", ""},
	} {
		if codec, ok := Lookup(test.name, characters.Latest); codec.name != test.want || ok != (test.want != "") {
			t.Errorf("Lookup(%q) = %q, %v; want %q", test.name, codec.name, ok, test.want)
		}
	}
	if codec, _ := Lookup("utf8", characters.Latest); codec != UTF8 {
		t.Errorf("UTF-8 is %+v", codec)
	}
	if codec, _ := Lookup("latin1", characters.Latest); codec != Latin1 {
		t.Errorf("latin-1 is %+v", codec)
	}
}

// What CPython 3.10 to 3.15 made of their codecs.
func TestVersions(t *testing.T) {
	const none = "LookupError"
	for _, test := range []struct {
		codec, data string
		want        [6]string
	}{
		{"windows-31j", "\x82\xa0", [6]string{none, none, none, "あ", "あ", "あ"}},
		{"windows-874", "\xa1", [6]string{none, none, none, none, "ก", "ก"}},
		{"iso_8859-8.e", "\xe0", [6]string{none, none, none, none, "א", "א"}},
		{"cp874", "\xa1", [6]string{"ก", "ก", "ก", "ก", "ก", "ก"}},
		{"palmos", "\x8b\x9b\x9c\x9b", [6]string{"‹\u009bœ\u009b", "‹\u009bœ\u009b", "‹\u009bœ\u009b", "‹\u009bœ\u009b", "‹›œ›", "‹›œ›"}},
		{"unicode_escape", `\N{ARABIC LETTER ALEF WITH ATTACHED FATHA}`, [6]string{"", "\u0870", "\u0870", "\u0870", "\u0870", "\u0870"}},
		{"unicode_escape", `\N{hangul syllable gag}`, [6]string{"", "", "", "", "각", "각"}},
		{"csHPRoman8", "\xa1", [6]string{none, none, none, none, none, "À"}},
		{"mac", "\x80", [6]string{none, none, none, none, none, "Ä"}},
		{"KS_C-5601", "\xa1\xa1", [6]string{"\u3000", "\u3000", "\u3000", "\u3000", "\u3000", "\u3000"}},
		{"korean", "\x81\x41", [6]string{"", "", "", "", "", "갂"}}, // was EUC-KR, is cp949
	} {
		for i, want := range test.want {
			got := none
			if codec, ok := Lookup(test.codec, characters.Unicode13+characters.Unicode(i)); ok {
				text, ok := codec.Decode(nil, []byte(test.data), Whole)
				if got = string(text); !ok {
					got = ""
				}
			}
			if got != want {
				t.Errorf("3.%d: %s of %q: %q, want %q", 10+i, test.codec, test.data, got, want)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for line := range strings.Lines(names) {
		f.Add(strings.Fields(line)[1], []byte("\x1b$B0!\\N{+AGE-~{\x81\x30\x81\x30"), 3)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte, piece int) {
		codec, _ := Lookup(name, characters.Latest)
		text, ok := codec.Decode(nil, data, max(piece, 1))
		if ok && !utf8.Valid(text) {
			t.Errorf("%s: %q gives %q, which is no UTF-8", name, data, text)
		}
	})
}
