package flake8

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// A configuration is read or refused; what is read can be found.
func FuzzConfiguration(f *testing.F) {
	for _, seed := range []string{
		"", "[flake8]\nignore =\n  E1,\n\n  W\nselect: F\n", "[DEFAULT]\na=1\n[flake8]\nb=2", "[a]\n= x\njunk\n  more\n",
		" [a]\n b=1\n  c=2\n[a]\n", "[]]\n[\n]\n", "[a]\nk = v\n# c\n\t; c\n\r\n x\r y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := configuration{}
		err := c.parse(text, "setup.cfg")
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
		for name, s := range c {
			if len(s.keys) != len(s.values) {
				t.Errorf("section %q: %d keys, %d values", name, len(s.keys), len(s.values))
			}
			for key, value := range c.section(name).values {
				if strings.TrimRightFunc(value, pytext.IsSpace) != value {
					t.Errorf("[%s] %s = %q", name, key, value)
				}
			}
		}
	})
}

// A template renders, or says why not.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		"%(path)s:%(row)d", "%", "%(", "%(row)#-+ 010.5x%%", "%s%r", "%(bold)s%(code)c", "%(row)c", "%(col)999999d", "%(text).99999f", "%(row)hhd",
	} {
		f.Add(seed)
	}
	file := &lintedFile{Name: "spam.py", Findings: []rule.Finding{rule.Finding{Row: 1, Column: 80, Code: rule.E501}.With(rule.Values{A: 86, B: 79})}}
	f.Fuzz(func(t *testing.T, text string) {
		out, err := newTemplate(text, true).appendFinding(nil, file, 0)
		if err != nil && !strings.HasPrefix(err.Error(), "--format: ") {
			t.Error(err)
		}
		if utf8.ValidString(text) && err == nil && !utf8.Valid(out) {
			t.Errorf("%q gives %q", text, out)
		}
	})
}

// All patterns of per-file-ignores come from the text, as do the codes.
func FuzzFileIgnores(f *testing.F) {
	for _, seed := range []string{"a.py:E1", "a,b : E1 , W2\nc:F", ":", "E1:E1", "a:E1x", " , ", "é:E\u2003W:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseFileIgnores(text)
		for _, ignores := range all {
			if err != nil || len(ignores.Codes) == 0 || ignores.Pattern == "" || !strings.Contains(text, ignores.Pattern) {
				t.Errorf("%q: %+v, %v", text, ignores, err)
			}
		}
	})
}

// Every argument is used or left over, whatever it is; nothing is made up.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{"-qq -j4 a.py", "--max 1", "a -- b -- c", "a -q b", "--select", "-é -qé", "--=x -= -", "-1 -.5 -x1 -qj=2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, " ")
		for _, files := range []bool{true, false} {
			a := arguments{options: options, files: files, args: args, into: newSettings()}
			if err := a.parse(); err != nil && err.Error() == "" {
				t.Error("an error without a text")
			}
			for _, path := range a.paths {
				if !files || !slices.Contains(args, path) {
					t.Errorf("%q: path %q", args, path)
				}
			}
		}
	})
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 20, ""},
		{"a bb  ccc", 20, "a bb ccc"},
		{"one two three four", 13, "one two three|four"},
		{"a word-with-hyphens", 12, "a word-with-|hyphens"},
		{"--extend-select=E", 11, "--extend-|select=E"},
		{"muchlongerthanthewidth", 11, "muchlongerthanthewidth"},
		{"é é é é é é é", 11, "é é é é é é|é"},
	} {
		if got := strings.Join(wrap(test.text, test.width), "|"); got != test.want {
			t.Errorf("%q in %d: %q, want %q", test.text, test.width, got, test.want)
		}
	}
}
