package pep8

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/internal/bench"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// everything is the set of all E and W codes.
func everything() *rule.Set {
	var all rule.Set
	for code := rule.E101; code <= rule.W605; code++ {
		all.Add(code)
	}
	return &all
}

// check returns the findings of text as "row:column code message" lines.
func check(text string, o Options) string {
	var file source.File
	var checker Checker
	if err := file.Load([]byte(text)); err != nil {
		return err.Error()
	}
	tokens, _ := new(tokenizer.Tokenizer).Tokenize(file.Text, tokenizer.Options{})
	var lines []string
	for _, f := range checker.Check(&file, tokens, o, everything(), nil) {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Row, f.Column, f.Code, f.Message()))
	}
	return strings.Join(lines, "\n")
}

// The goldens of package lint cover every rule. Here stand the cases that show
// how pycodestyle's own habits are kept, each with what flake8 prints.
func TestHabits(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x[1 ]= 2\n", "1:6 E225 missing whitespace around operator"},
		{"if x:\n    if y:\n        z = 1\nl = 2\n", ""}, // two DEDENTs: one more bracket to E741
		{"if x:\n    z = 1\nl = 2\n", "3:1 E741 ambiguous variable name 'l'"},
		{"x = -  1\n", ""},
		{"x = None == None\n", "1:10 E711 comparison to None should be 'if cond is None:'"},
		{"x == None == y\n", "1:3 E711 comparison to None should be 'if cond is None:'"},
		{"x = None == (y)\n", ""},
		{"iffy = 1\nimport os\n", ""},
		{"x = 1if  y else 2\n", ""},
		{"x = not a.b  in y\n", "1:5 E713 test for membership should be 'not in'\n1:12 E272 multiple spaces before keyword"},
		{"x = not\t\ta\tin y\n", "1:5 E713 test for membership should be 'not in'\n1:8 E273 tab after keyword\n1:11 E274 tab before keyword"},
		{"x = ( )\n", "1:6 E201 whitespace after '('"},
		{"f'''a\n  {f'{x}'} \n'''\n", "2:11 W291 trailing whitespace"},
	} {
		if got := check(c.text, DefaultOptions()); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestSearches requires that what one look around for the enclosing definition
// remembers does not mislead the next.
func TestSearches(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "class A%d:\n    x = 1\n    def f(self):\n        def g():\n            y = 1\n            def h():\n                pass\n", i)
	}
	got := check(text.String(), DefaultOptions())
	for code, want := range map[string]int{"E301": 40, "E306": 40, "E302": 39} {
		if n := strings.Count(got, code); n != want {
			t.Errorf("%d findings of %s, want %d", n, code, want)
		}
	}
}

// Texts that take long if some check is more than linear in them.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, text := range map[string]func(n int) string{
		"decorators":       func(n int) string { return strings.Repeat("@a\n", n) + "def f(): pass\n" },
		"methods":          func(n int) string { return "class A:\n" + strings.Repeat("    def f(): pass\n", n) },
		"rows of brackets": func(n int) string { return "x = [\n" + strings.Repeat("    (a,\n     b),\n", n) + "]\n" },
		"one row":          func(n int) string { return "x = [" + strings.Repeat("(a), ", n) + "\n]\n" },
		"indents": func(n int) string {
			return "x = [\n" + strings.Repeat("(a,\n b),\n  (a,\n b),\n   (a,\n b),\n", n/3) + "]\n"
		},
		"tabs": func(n int) string {
			return "x = not" + strings.Repeat("\t", n) + "a" + strings.Repeat("\t", n) + "in y\n"
		},
		"nots":             func(n int) string { return "x = " + strings.Repeat("not a or ", n) + "b in c\n" },
		"types":            func(n int) string { return "x = " + strings.Repeat("type(a) == b, ", n) + "\n" },
		"dunder":           func(n int) string { return "__" + strings.Repeat("a__", n) + " = 1\n" },
		"semicolons":       func(n int) string { return strings.Repeat("x = 1; ", n) + "\n" },
		"escapes":          func(n int) string { return "x = '''" + strings.Repeat("\\d\n", n) + "'''\n" },
		"strings":          func(n int) string { return "x = ('a'" + strings.Repeat("\n'b'", n) + ")\n" },
		"nested f-strings": func(n int) string { return "x = f'" + strings.Repeat("{f\"{x}\"}", n) + "'\n" },
		"comments":         func(n int) string { return strings.Repeat("#a\n", n) },
		"wide row": func(n int) string {
			return "x = '" + strings.Repeat("é", n) + "'; " + strings.Repeat("é=1;", n) + "\n"
		},
		"wide comments": func(n int) string { return "x = (1,  # é" + strings.Repeat("é", n) + "\n 2)\n" },
		"blank lines":   func(n int) string { return strings.Repeat("\n", n) + "x\n" },
	} {
		t.Run(name, func(t *testing.T) {
			bench.Linear(t, 50_000, func(n int) func() {
				text := text(n)
				return func() { check(text, Options{MaxLineLength: 79, MaxDocLength: 72, IndentSize: 4}) }
			})
		})
	}
}

func FuzzCheck(f *testing.F) {
	names, err := filepath.Glob("../testdata/flake8-golden/*.py")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
	}
	var file source.File
	var tokens tokenizer.Tokenizer
	var checker Checker
	all := everything()
	f.Fuzz(func(t *testing.T, data []byte, hanging bool) {
		if err := file.Load(data); err != nil {
			t.Fatal(err)
		}
		o := Options{MaxLineLength: 20, MaxDocLength: 10, IndentSize: 4, HangClosing: hanging}
		list, _ := tokens.Tokenize(file.Text, tokenizer.Options{})
		for _, finding := range checker.Check(&file, list, o, all, nil) {
			// W505 counts a form feed as the end of a row.
			if finding.Row < 1 || int(finding.Row) > file.Lines() && finding.Code != rule.W505 {
				t.Fatalf("%q: %+v", data, finding)
			}
			if finding.Message() == "" {
				t.Fatalf("%q: no message for %s", data, finding.Code)
			}
		}
	})
}
