package lint

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"codelinter/rule"
	"codelinter/source"
)

var update = flag.Bool("update", false, "rewrite testdata/extents.txt, which is our own")

// offPlace are the codes whose row and column point at something else than what
// the finding is about, or at nothing.
var offPlace = map[rule.Code]string{
	rule.E125: "a column that the row need not have",
	rule.E129: "a column that the row need not have",
	rule.E502: "counts characters from the last form feed on",
	rule.E902: "a file that cannot be read",
	rule.E999: "one character too far",
	rule.F721: "may be outside of the docstring",
	rule.W505: "counts form feeds for line ends",
}

// extents returns each finding's code and the text that it is about.
func extents(t *testing.T, data []byte, findings []rule.Finding) []string {
	t.Helper()
	var all []string
	for _, f := range findings {
		if f.Start < 0 || f.Start > f.End || int(f.End) > len(data) {
			t.Fatalf("%d:%d %s: extent %d to %d of %d bytes", f.Row, f.Column, f.Code, f.Start, f.End, len(data))
		}
		about := strings.ReplaceAll(string(data[f.Start:f.End]), "\r\n", "\n")
		all = append(all, fmt.Sprintf("%d:%d %s %q", f.Row, f.Column, f.Code, about))
	}
	return all
}

// What the findings of each page's bad example are about, for people to read.
func TestExtentsOfExamples(t *testing.T) {
	const name = "testdata/extents.txt"
	var got strings.Builder
	for code := range rule.Codes() {
		page, _ := rule.Page(code)
		options, stdin, err := parseOptions(append([]string{"--select=" + code.String(), "--ignore="}, page.Options...))
		if err != nil {
			t.Fatal(err)
		}
		linter, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		data := []byte(page.Bad)
		result := linter.Lint(Input{Name: code.String() + ".py", Data: data, Stdin: stdin})
		for _, line := range extents(t, data, result.Findings) {
			fmt.Fprintln(&got, line)
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// For every golden under all of its options: extents lie in the file and begin
// where row and column point.
func TestExtentsBeginAtTheirPlace(t *testing.T) {
	for _, golden := range readGoldens(t) {
		var file source.File
		if err := file.Load(golden.source); err != nil {
			t.Fatal(err)
		}
		for _, section := range golden.sections {
			options, stdin, err := parseOptions(section.options)
			if err != nil {
				t.Fatal(err)
			}
			linter, err := New(options)
			if err != nil {
				t.Fatal(err)
			}
			findings := linter.Lint(Input{Name: path.Base(golden.name) + ".py", Data: golden.source, Stdin: stdin}).Findings
			extents(t, golden.source, findings)
			if stdin || !file.IsGiven() || options.Doctests {
				continue
			}
			for _, f := range findings {
				if offPlace[f.Code] != "" {
					continue
				}
				var start int32
				if code := f.Code.String()[0]; code == 'F' || code == 'C' {
					start = file.LineStart(int(f.Row)) + f.Column - 1
				} else {
					start = file.Offset(int(f.Row), int(f.Column)-1)
				}
				if f.Start != start {
					t.Errorf("%s: %d:%d %s begins at %d, its extent %q at %d",
						golden.name, f.Row, f.Column, f.Code, start, golden.source[f.Start:f.End], f.Start)
				}
			}
		}
	}
}

// A file with a byte order mark and "\r\n", or with one byte a character, gives
// the same findings about the same text.
func TestExtentsInGivenBytes(t *testing.T) {
	options := DefaultOptions()
	options.Select, options.Ignore, options.MaxComplexity = []string{"C", "E", "F", "W"}, []string{}, 1
	linter, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	latin1, marked := 0, 0
	for _, golden := range append(readGoldens(t), golden{name: "latin-1", source: []byte("é = 'é'; è =  [é ,\n 'ÿ' ]\nü = ö  # ä" + strings.Repeat(" ä", 2000) + "\nx=ß\n")}) {
		text := golden.source
		if !utf8.Valid(text) || bytes.ContainsAny(text, "\r\x00") || bytes.Contains(text, []byte("coding")) || bytes.HasPrefix(text, []byte("\ufeff")) {
			continue
		}
		want := extents(t, text, linter.Lint(Input{Name: "spam.py", Data: text}).Findings)

		marked++
		data := []byte("\ufeff" + strings.ReplaceAll(string(text), "\n", "\r\n"))
		if diff := cmp.Diff(want, extents(t, data, linter.Lint(Input{Name: "spam.py", Data: data}).Findings)); diff != "" {
			t.Errorf("%s with a mark and returns:\n%s", golden.name, diff)
		}

		data = data[:0]
		narrow := true
		for _, r := range strings.ReplaceAll(string(text), "\n", "\r\n") {
			narrow = narrow && r <= 0xff
			data = append(data, byte(r))
		}
		if !narrow || utf8.Valid(data) {
			continue
		}
		latin1++
		findings := linter.Lint(Input{Name: "spam.py", Data: data}).Findings
		for i := range findings {
			f := &findings[i]
			var about []byte
			for _, b := range data[f.Start:f.End] {
				about = utf8.AppendRune(about, rune(b))
			}
			got := fmt.Sprintf("%d:%d %s %q", f.Row, f.Column, f.Code, strings.ReplaceAll(string(about), "\r\n", "\n"))
			if i >= len(want) || got != want[i] {
				t.Errorf("%s in latin-1: %s, want %s", golden.name, got, want[min(i, len(want)-1)])
			}
		}
	}
	if latin1 < 3 || marked < 300 {
		t.Errorf("%d files in latin-1 and %d with marks, too few to tell", latin1, marked)
	}
}

// Encodings, and standard input that keeps its carriage returns.
func TestExtentsByEncoding(t *testing.T) {
	for _, test := range []struct {
		name, data string
		stdin      bool
		want       string
	}{
		{"cookie of one byte a character", "# coding: cp1252\n\x80 = '\x80'; x = y\n", false, "$ = "},
		{"code page", "# coding: cp1252\nz = '\x80\x80'; x = y\n", false, "y"},
		{"ascii", "# coding: ascii\r\nx = y\r\n", false, "y"},
		{"two byte order marks", "\ufeff\ufeffx = y\n", false, "y"},
		{"a mark read as latin-1", "\ufeffx = '\xe9'; z = y\n", false, "y"},
		{"bytes of any width", "# coding: shift_jis\nx = '\x82\xa0'; z = y\n", false, ""},
		{"returns in standard input", "# coding: klingon\r\nx = 'é'; z = y\r\n", true, "y"},
		{"a lone return in standard input", "# coding: klingon\r\rx = 'é'\rz = y\r\n", true, "y"},
	} {
		options := DefaultOptions()
		options.Select = []string{"F821", "E999"}
		linter, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		findings := linter.Lint(Input{Name: "spam.py", Data: []byte(test.data), Stdin: test.stdin}).Findings
		if len(findings) != 1 {
			t.Errorf("%s: %d findings", test.name, len(findings))
			continue
		}
		f := findings[0]
		want := test.want
		switch want {
		case "":
			want = test.data
		case "$ = ": // no Python: the euro sign is no letter
			want = "\x80 = '\x80'; x = y"
		}
		if got := test.data[f.Start:f.End]; got != want {
			t.Errorf("%s: %s is about %q, want %q", test.name, f.Code, got, want)
		}
	}
}

// Code in strings: an annotation is all of its string; an example of a doctest is
// found where it reads the same as in the file, else it is the docstring.
func TestExtentsInStrings(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"x: 'spam' = 1\n", "'spam'"},
		{"x: ('sp'\n    'am') = 1\n", "'sp'\n    'am'"},
		{"x: 'list[\"spam\"]' = 1\n", "'list[\"spam\"]'"},
		{"def f():\n    \"\"\"Do.\n\n    >>> 1 + spam\n    \"\"\"\n", "spam"},
		{"def f():\n    \"\"\">>> 1 + spam\"\"\"\n", "\"\"\">>> 1 + spam\"\"\""}, // pyflakes is off there
		{"def f():\n    'Do.\\n>>> spam'\n", "'Do.\\n>>> spam'"},
		{"def f():\n    \"\"\"Do.\n\n    >>> x: 'spam' = 1\n    \"\"\"\n", "'spam'"},
		{"try:\n    import a\nexcept (A  # as b\n        ) as e:\n    pass\n", "except (A  # as b\n        ) as e"},
	} {
		options := DefaultOptions()
		options.Select, options.Doctests = []string{"F821", "F841"}, true
		options.Builtins = []string{"A"}
		linter, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		findings := linter.Lint(Input{Data: []byte(test.text)}).Findings
		if len(findings) != 1 {
			t.Errorf("%q: %v", test.text, extents(t, []byte(test.text), findings))
			continue
		}
		if got := test.text[findings[0].Start:findings[0].End]; got != test.want {
			t.Errorf("%q: %s is about %q, want %q", test.text, findings[0].Code, got, test.want)
		}
	}
}
