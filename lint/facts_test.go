package lint

import (
	"strings"
	"testing"
)

// What a comment took away shows where flake8 would print more without it.
func TestFactsSilenced(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"no comment", "import os\n", false},
		{"a clean line", "x = 1  # noqa\n", false},
		{"a finding", "import os  # noqa\n", true},
		{"its code", "import os  # noqa: F401\n", true},
		{"another code", "import os  # noqa: E501\n", false},
		{"another line", "import os\nx = 1  # noqa\n", false},
		{"a code that is off", "x = 1*2 + 3  # noqa: E226\n", false},
		{"one of two", "import os, sys  # noqa: E401\n", true},
		{"in a string", "import os; '# noqa'\n", true},
		{"the whole file", "# flake8: noqa\nimport os\n", true},
		{"the whole file, clean", "# flake8: noqa\nx = 1\n", false},
		{"the whole file, no Python", "# flake8: noqa\nx = (\n", true},
		{"no-break space", "# flake8:\u00a0noqa\nimport os\n", true},
		{"vertical tab", "# flake8:\x0bnoqa\nimport os\n", true},
		{"file separator", "# flake8:\x1cnoqa\nimport os\n", true},
		{"next line", "# flake8:\u0085noqa\nimport os\n", true},
		{"ideographic space", "# flake8:\u3000noqa\nimport os\n", true},
		{"Kelvin sign", "# fla\u212ae8: noqa\nimport os\n", true},
		{"raw_unicode_escape", "# coding: raw_unicode_escape\nimport os  \\u0023 no\\u0071a\n", true},
		{"unicode_escape", "# coding: unicode_escape\nimport os  \\x23 no\\x71a\n", true},
		{"unicode_escape, the whole file", "# coding: unicode_escape\n# flake8: no\\x71a\nimport os\n", true},
		{"utf-7", "# coding: utf-7\nimport os  # no+AHE-a\n", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			result := l.Lint(Input{Data: []byte(test.text), Facts: true})
			kept := len(result.Findings)
			if got := result.Facts.Silenced; got != test.want {
				t.Errorf("silenced: %v, want %v", got, test.want)
			}
			// By the definition.
			o := DefaultOptions()
			o.DisableNoqa = true
			if err := l.SetOptions(o); err != nil {
				t.Fatal(err)
			}
			result = l.Lint(Input{Data: []byte(test.text), Facts: true})
			if all := len(result.Findings); (all > kept) != test.want {
				t.Errorf("%d findings of %d kept", kept, all)
			}
			if result.Facts.Silenced {
				t.Error("silenced with noqa disabled")
			}
		})
	}
}

// The saved file's comments count for standard input that does not tokenize.
func TestFactsOfStdin(t *testing.T) {
	l, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	saved := func(string) ([]byte, error) { return []byte("x = (  # noqa\n"), nil }
	input := Input{Name: "spam.py", Data: []byte("x = (\n"), Stdin: true, Saved: saved, Facts: true}
	if !l.Lint(input).Facts.Silenced {
		t.Error("not silenced by the saved file")
	}
	input.Saved = nil
	if l.Lint(input).Facts.Silenced {
		t.Error("silenced without a saved file")
	}
}

func TestFactsEncoding(t *testing.T) {
	for _, test := range []struct {
		text, want string
		fellBack   bool
	}{
		{"x = 1\n", "", false},
		{"# coding: utf-8\n", "", false},
		{"# coding: UTF8\n", "", false},
		{"# vim: set fileencoding=utf_8_sig :\n", "", false},
		{"# coding: latin-1\n", "latin-1", false},
		{"#!x\n# coding: Shift_JIS\n", "Shift_JIS", false},
		{"# coding: ascii\n", "ascii", false},
		{"# coding: klingon\n", "klingon", true},
		{"# coding: rot13\n", "rot13", true},
		{"\xef\xbb\xbfx = 1\n", "", false},
		{"\xef\xbb\xbf# coding: utf-8\n", "", false},
		{"\xef\xbb\xbf# coding: u8\n", "", true},
		{"\xef\xbb\xbf# coding: latin-1\n", "latin-1", true},
		{"x = '\xe9'\n", "", true},
		{"# coding: ascii\nx = '\xe9'\n", "ascii", true},
		{"x = 1\n# coding: latin-1\n", "", false},
	} {
		l, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Lint(Input{Data: []byte(test.text), Facts: true}).Facts; got.Encoding != test.want || got.FellBack != test.fellBack {
			t.Errorf("%q: %+v", test.text, got)
		}
	}
}

// Facts of one file do not stick to the next, and cost nothing.
func TestFactsAreOfTheLastFile(t *testing.T) {
	l, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := [][]byte{
		[]byte("# coding: latin-1\nimport os  # noqa\n"), []byte("x = 1\n"),
		[]byte("# flake8: noqa\nimport os\n"), []byte("x = 1\n"),
		[]byte(strings.Repeat("x = 1\n", 100)),
	}
	want := []Facts{{Silenced: true, NoqaLine: 2, Encoding: "latin-1"}, {}, {Silenced: true, Exempt: true, NoqaLine: 1}, {}, {}}
	for i, data := range files {
		if got := l.Lint(Input{Data: data, Facts: true}).Facts; got != want[i] {
			t.Errorf("file %d: %+v, want %+v", i, got, want[i])
		}
	}
	if got := l.Lint(Input{Data: files[2]}).Facts; got != (Facts{}) {
		t.Errorf("facts that nobody asked for: %+v", got)
	}
	if got := l.Lint(Input{Data: files[1], Facts: true}).Facts; got != (Facts{}) {
		t.Error("an exempt file that nobody asked about sticks to the next")
	}
	if n := testing.AllocsPerRun(10, func() {
		for _, data := range files[1:] {
			l.Lint(Input{Data: data, Facts: true})
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The line is that of the comment that counts, wherever the finding stands.
func TestFactsNoqaLine(t *testing.T) {
	l, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"import os\n": 0,
		"x = 1  # noqa\nimport os  # noqa: E501\n":                   0,
		"import os\nimport re  # noqa\n":                             2,
		"x = 1  # noqa\nimport re  # noqa\nimport os  # noqa\n":      2,
		"x=1  # noqa\n\n\nimport re  # noqa\n":                       1, // found after the import
		"import os; s = '''\n# noqa\n# noqa\n'''\n":                  2, // one line to flake8
		"x = 1\n# flake8: noqa\nimport os\n":                         2,
		"import os  # noqa\n# flake8: noqa\n":                        2,
		"import os\n\n# flake8: noqa\n# flake8: noqa\nx = 1  # noqa": 3,
	} {
		if got := l.Lint(Input{Data: []byte(text), Facts: true}).Facts.NoqaLine; got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}

// A comment for the whole file counts where it stands, whatever it silences.
func TestFactsExempt(t *testing.T) {
	l, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"# flake8: noqa\nx = 1\n":        true,
		"# flake8: noqa: E501\nx = 1\n":  true,
		"# flake8: noqa\nimport os\n":    true,
		"x = '''\n# flake8: noqa\n'''\n": true,
		"x = 1  # flake8: noqa\n":        false,
		"import os  # noqa\n":            false,
		"x = 1\n":                        false,
	} {
		if got := l.Lint(Input{Data: []byte(text), Facts: true}).Facts.Exempt; got != want {
			t.Errorf("%q exempt: %v, want %v", text, got, want)
		}
	}
}
