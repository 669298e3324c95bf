package source

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

func TestLoad(t *testing.T) {
	for _, c := range []struct{ name, bytes, want string }{
		{"ascii", "x = 1\n", "x = 1\n"},
		{"empty", "", ""},
		{"utf-8", "x = 'é'\n", "x = 'é'\n"},
		{"carriage returns", "a\r\nb\rc\r\r\nd\r", "a\nb\nc\n\nd\n"},
		{"byte order mark", "\xef\xbb\xbfx\n", "x\n"},
		{"two byte order marks", "\xef\xbb\xbf\xef\xbb\xbfx\n", "x\n"},
		{"three byte order marks", "\xef\xbb\xbf\xef\xbb\xbf\xef\xbb\xbfx\n", "\ufeffx\n"},
		{"bad utf-8 is latin-1", "x = '\xe9'\r\n", "x = 'é'\n"},
		{"bad utf-8 after a mark", "\xef\xbb\xbfx = '\xe9'\n", "x = 'é'\n"},
		{"latin-1 cookie", "# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n"},
		{"latin-1 cookie over utf-8", "# coding: latin-1\nx = 'é'\n", "# coding: latin-1\nx = 'Ã©'\n"},
		{"cookie on line 2", "#!x\n# vim: set fileencoding=iso-8859-15 :\n\xa4\n", "#!x\n# vim: set fileencoding=iso-8859-15 :\n€\n"},
		{"cookie after a form feed", " \t\f# coding=cp1252\n\x80\n", " \t\f# coding=cp1252\n€\n"},
		{"cookie after code is none", "x\n# coding: latin-1\né\n", "x\n# coding: latin-1\né\n"},
		{"cookie on line 3 is none", "#\n#\n# coding: latin-1\né\n", "#\n#\n# coding: latin-1\né\n"},
		{"second coding of a line", "# coding coding: latin-1\né\n", "# coding coding: latin-1\nÃ©\n"},
		{"unknown cookie", "# coding: klingon\né\n", "# coding: klingon\nÃ©\n"},
		{"mark and latin-1 cookie", "\xef\xbb\xbf# coding: latin-1\né\n", "# coding: latin-1\nÃ©\n"},
		{"mark and utf-8 cookie", "\xef\xbb\xbf# coding: utf-8\né\n", "# coding: utf-8\né\n"},
		{"mark and utf8 cookie", "\xef\xbb\xbf# coding: utf8\né\n", "# coding: utf8\nÃ©\n"},
		{"undefined in cp1252", "# coding: cp1252\n\x81é\n", "# coding: cp1252\n\u0081Ã©\n"},
		{"ascii cookie with é", "# coding: ascii\né\n", "# coding: ascii\nÃ©\n"},
		{"C1 controls of iso-8859-5", "# coding: iso-8859-5\n\xd0\x91\n", "# coding: iso-8859-5\nа\u0091\n"},
		{"iso-8859-5 by its older name", "# coding: Cyrillic\n\xd0\n", "# coding: Cyrillic\nа\n"},
		{"a byte that iso-8859-7 lacks", "# coding: greek\n\xff\n", "# coding: greek\nÿ\n"},
		{"EBCDIC", "# coding: cp037\n", "\u0083\u0080Ä?ÀÑ>Å\u009a\u0080Äø\u0090\u0093\x04\u008e"},
		{"shift_jis", "# coding: shift_jis\n\x82\xa0\n", "# coding: shift_jis\nあ\n"},
		{"a cookie's line in its own encoding", "# \xe9 coding: cp1252 \x80\n", "# é coding: cp1252 €\n"},
		{"the line before a cookie too", "# \x80\n# coding: cp1252\n", "# €\n# coding: cp1252\n"},
		{"NUL before a cookie", "# \x00\n# coding: cp1252\n\x80\n", "# \x00\n# coding: cp1252\n\u0080\n"},
		{"NUL far after a cookie", "# coding: cp1252\n\n\x80\x00\n", "# coding: cp1252\n\n€\x00\n"},
		{"no text encoding", "# coding: rot13\né\n", "# coding: rot13\nÃ©\n"},
		{"utf-16 without a mark", "# coding: utf-16 \na ", "# coding: utf-16 \na "},
		{"utf-16-le", "# coding: utf-16-le\n\x42\x30", "‣潣楤杮›瑵ⵦ㘱氭\u0a65あ"},
		{"utf-16-le, half a character short in its first line", "# coding: utf-16-le \na", "# coding: utf-16-le \na"},
		{"line ends that a codec makes", "# coding: utf-7\n+AA0ACg-a+AA0-b\r\n", "# coding: utf-7\n\na\nb\n"},
		{"escapes", "# coding: unicode_escape\nx = '\\N{BULLET}\\\\n'\r\n", "# coding: unicode_escape\nx = '•\\n'\n"},
		{"utf-8 with a tail", "# coding: UTF_8-unix\né\n", "# coding: UTF_8-unix\né\n"},
	} {
		var f File
		if err := f.Load([]byte(c.bytes)); err != nil || f.Text != c.want {
			t.Errorf("%s: Load(%q) = %q, %v; want %q", c.name, c.bytes, f.Text, err, c.want)
		}
	}
}

func TestLoadStdin(t *testing.T) {
	for _, c := range []struct{ name, bytes, want, parsed string }{
		{"unknown cookie", "# coding: klingon\né\n", "# coding: klingon\né\n", ""},
		{"known cookie", "# coding: latin-1\n\xe9\r\n\r", "# coding: latin-1\né\n\n", ""},
		{"line ends", "# coding: klingon\r\né\r\n", "# coding: klingon\r\né\r\n", "# coding: klingon\né\n"},
		{"carriage returns", "# coding: klingon\ré\r\r\n", "# coding: klingon\ré\r\r\n", "# coding: klingon\né\n\n"},
		{"no UTF-8 either", "# coding: klingon\r\xe9\n", "# coding: klingon\né\n", ""},
	} {
		var f, parsed File
		f.LoadStdin([]byte(c.bytes))
		if f.CarriageReturns {
			parsed.LoadUniversal(&f)
		}
		if f.Text != c.want || parsed.Text != c.parsed {
			t.Errorf("%s: LoadStdin(%q) = %q, for the parser %q; want %q and %q", c.name, c.bytes, f.Text, parsed.Text, c.want, c.parsed)
		}
		if lines := strings.Count(c.parsed, "\n"); f.CarriageReturns && parsed.Lines() != lines {
			t.Errorf("%s: %d lines for the parser, want %d", c.name, parsed.Lines(), lines)
		}
	}
}

// Lines, tabs and ASCII are what a look at each byte finds, wherever in a word they stand.
func TestLines(t *testing.T) {
	pieces := []string{"\n", "\n", "\t", "\r", "\x00", "\x1f", "\x20", "\x7f", "é", "\u2028", "x", "some words", "\ufeff"}
	random := rand.New(rand.NewPCG(3, 4))
	var file File
	for range 20000 {
		var text strings.Builder
		allowed := pieces[:1+random.IntN(len(pieces))]
		for range random.IntN(20) {
			text.WriteString(allowed[random.IntN(len(allowed))])
		}
		if err := file.Load([]byte(text.String())); err != nil {
			t.Fatal(err)
		}
		want := strings.TrimPrefix(strings.TrimPrefix(text.String(), "\ufeff"), "\ufeff")
		want = strings.ReplaceAll(strings.ReplaceAll(want, "\r\n", "\n"), "\r", "\n")
		if !file.FellBack && file.Text != want { // it falls back for a NUL in the first lines
			t.Fatalf("%q: text %q, want %q", text.String(), file.Text, want)
		}
		checkLines(t, &file)
		if err := file.LoadStdin([]byte(text.String() + "\xff")[:text.Len()+random.IntN(2)]); err != nil {
			t.Fatal(err)
		}
		checkLines(t, &file)
	}
}

func checkLines(t *testing.T, file *File) {
	t.Helper()
	lines := strings.SplitAfter(file.Text, "\n")
	if last := len(lines) - 1; lines[last] == "" && (last > 0 || file.given.dropped == 0) {
		lines = lines[:last]
	}
	ascii := strings.IndexFunc(file.Text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
	if file.Lines() != len(lines) || file.ASCII != ascii || file.Tabs != strings.Contains(file.Text, "\t") {
		t.Fatalf("%q: %d lines, ASCII %v, tabs %v", file.Text, file.Lines(), file.ASCII, file.Tabs)
	}
	for i, line := range lines {
		if file.Line(i+1) != line {
			t.Fatalf("%q: line %d is %q", file.Text, i+1, file.Line(i+1))
		}
	}
}

func TestPositions(t *testing.T) {
	for _, text := range []string{"", "\n", "a", "a\nbé😀c\n\nd", "é\n", "\n\nx"} {
		var f File
		f.Load([]byte(text))
		row, column := 1, 0
		for offset, c := range text {
			if r, col := f.Position(int32(offset)); r != row || col != column {
				t.Errorf("%q: Position(%d) = %d, %d; want %d, %d", text, offset, r, col, row, column)
			}
			if back := f.Offset(row, column); back != int32(offset) {
				t.Errorf("%q: Offset(%d, %d) = %d; want %d", text, row, column, back, offset)
			}
			if column++; c == '\n' {
				row, column = row+1, 0
			}
		}
		want := strings.Count(text, "\n")
		if text != "" && !strings.HasSuffix(text, "\n") {
			want++
		}
		if f.Lines() != want {
			t.Errorf("%q: %d lines, want %d", text, f.Lines(), want)
		}
		joined := ""
		for r := 1; r <= f.Lines(); r++ {
			joined += f.Line(r)
		}
		if joined != text {
			t.Errorf("%q: lines make %q", text, joined)
		}
		if r, _ := f.Position(int32(len(text))); r != row {
			t.Errorf("%q: end lies in row %d, want %d", text, r, row)
		}
	}
}

func TestLongRow(t *testing.T) {
	var f File
	f.Load([]byte("x\n" + strings.Repeat("aé", 2000) + "\n"))
	for _, i := range []int{0, 1, 1999, 3, 1000, 999, 1001, 1999, 0, 500} {
		if got := f.Column(2, int32(2+3*i)); got != 2*i {
			t.Errorf("column of offset %d is %d, want %d", 2+3*i, got, 2*i)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"", "x\r\n", "\xef\xbb\xbfé", "# coding: utf-16\n\xff", "# coding: gbk\n\x81\r"} {
		f.Add([]byte(seed))
	}
	var file File
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, load := range []func([]byte) error{file.Load, file.LoadStdin} {
			if err := load(data); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(file.Text, "\r") != file.CarriageReturns || strings.ToValidUTF8(file.Text, "") != file.Text {
				t.Fatalf("%q: text %q", data, file.Text)
			}
			joined := 0
			for row := 1; row <= file.Lines(); row++ {
				joined += len(file.Line(row))
			}
			if joined != len(file.Text) {
				t.Fatalf("%q: lines make %d of %d bytes", data, joined, len(file.Text))
			}
		}
	})
}

// Before 3.14 the lines that may hold a cookie are read as UTF-8, whatever it
// declares; since then they have to be text in the encoding by themselves.
func TestCookieLinesByVersion(t *testing.T) {
	for _, c := range []struct {
		data       string
		older, now string
	}{
		{"\n# coding: utf-16-le\nx = 'é'\n", "\u230a\u6320\u646f\u6e69\u3a67\u7520\u6674\u312d\u2d36\u656c\u780a\u3d20\u2720\ua9c3\u0a27", "\n# coding: utf-16-le\nx = 'Ã©'\n"},
		{"# coding: cp1252 \x80\nx = '\x80'\n", "# coding: cp1252 \u0080\nx = '\u0080'\n", "# coding: cp1252 €\nx = '€'\n"},
		{"# coding: cp1252\nx = '\x80'\n", "# coding: cp1252\nx = '€'\n", "# coding: cp1252\nx = '€'\n"},
	} {
		for _, v := range []Version{Python310, Python313, Python314} {
			want := c.older
			if v == Python314 {
				want = c.now
			}
			file := File{Target: v}
			file.Load([]byte(c.data))
			if file.Text != want {
				t.Errorf("%v: %q is %q, want %q", v, c.data, file.Text, want)
			}
		}
	}
}
