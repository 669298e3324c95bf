package lint

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/rule"
	"codelinter/source"
)

func TestMain(m *testing.M) { bench.Main(m) }

// render gives findings as "row:column CODE", a blank between two.
func render(findings []rule.Finding) string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%d:%d %s", f.Row, f.Column, f.Code))
	}
	return strings.Join(lines, " ")
}

func newLinter(t testing.TB, change func(*Options)) *Linter {
	t.Helper()
	o := DefaultOptions()
	if change != nil {
		change(&o)
	}
	linter, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return linter
}

// What flake8 prints for each text.
func TestLint(t *testing.T) {
	linter := newLinter(t, nil)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"x = 1\n", ""},
		{"x = 1 \n", "1:6 W291"},
		{"x=1 \n", "1:2 E225 1:4 W291"},
		// By row and column, not in the order in which rules find them.
		{"x = 1\nif x :\n    y = (1,2) \nz=1", "2:5 E203 3:11 E231 3:14 W291 4:2 E225 4:4 W292"},
		// A "# noqa" governs its line ...
		{"x=1  # noqa\ny=1\n", "2:2 E225"},
		{"x=1  # noqa:E225\n", ""},
		{"x=1  # noqa:E2,W\n", ""},
		{"x=1  # noqa:E501\n", "1:2 E225"},
		{"x=1  # noqa: E225 \n", "1:18 W291"},
		{"x=1  # qa\n# noqa\ny=1\n", "1:2 E225 3:2 E225"},
		// ... which is all rows of a string and of a continued statement ...
		{"x=1 ; y = '''\n# noqa\n'''\nz=1\n", "4:2 E225"},
		{"x=1 + \\\n    2  # noqa\n", ""},
		{"x=f'''{\n1}# noqa\n'''\n", "1:2 E225"},
		// ... but each row alone within brackets.
		{"x=(1 ,\n   2 ,  # noqa\n   3 ,)\n", "1:2 E225 1:5 E203 3:5 E203"},
		{"x = (1 ,  # noqa\n\n     2 ,)\n", "3:7 E203"},
		// The first of a line counts.
		{"x=1 ; y = '# noqa:E7'  # noqa\n", "1:2 E225 1:4 E203"},
		{"x=1\n# flake8: noqa\n", ""},
		{"x=1  # flake8: noqa\n", "1:2 E225"},
		// What does not parse is one finding, if no comment silences it; its row
		// stands for itself.
		{"x=1\ny = 'a\n", "2:6 E999"},
		{"x=1\ny = 'a  # noqa\n", ""},
		{"x=1\ny = 'a\n\n# noqa\n", "2:6 E999"},
		{"x=1  # noqa\ny = 'a\n", "2:6 E999"},
		// Rows that hold no token have no line.
		{"\\\nx=1  # noqa\n", ""},
	} {
		if got := render(linter.Lint(Input{Data: []byte(test.text)}).Findings); got != test.want {
			t.Errorf("%q:\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

// CodesOnly gives the same findings, an E999 without what is said of it unless
// it had to be known whether a comment silences it.
func TestCodesOnly(t *testing.T) {
	linter := newLinter(t, nil)
	texts := []string{
		"x = (\n", "x=1\ny = 'a  # noqa\n", "x=1\ny = 'a\n# noqa\n", "x = (  # noqa: E5\n", "# flake8: noqa\nx = (\n", "import os\nimport os\n",
		// Beyond CPython's depth, and not quite: the parser's count is close, package
		// diagnose's exact.
		"x = " + strings.Repeat("not ", 6000) + "y\n",
		"x = " + strings.Repeat("(", 150) + strings.Repeat("not ", 4000) + "y" + strings.Repeat(")", 150) + "\n",
	}
	for _, golden := range readGoldens(t) {
		texts = append(texts, string(golden.source))
	}
	placed, unplaced := 0, 0
	for _, text := range texts {
		worded := linter.Lint(Input{Data: []byte(text), Facts: true})
		want := slices.Clone(worded.Findings)
		for i := range want {
			want[i] = want[i].Clone()
		}
		unworded := linter.Lint(Input{Data: []byte(text), CodesOnly: true, Facts: true})
		got := unworded.Findings
		if len(want) == 1 && want[0].Code == rule.E999 {
			if len(got) == 1 && got[0].Values().Text == "" {
				unplaced++
				want[0] = rule.Finding{Row: 1, Column: 1, Start: got[0].Start, End: got[0].End, Code: rule.E999}
			} else {
				placed++
			}
		}
		if got, want := fmt.Sprint(messages(got)), fmt.Sprint(messages(want)); got != want {
			t.Errorf("%.60q:\n got %s\nwant %s", text, got, want)
		}
		if unworded.Facts != worded.Facts {
			t.Errorf("%.60q: %+v, want %+v", text, unworded.Facts, worded.Facts)
		}
	}
	if placed < 4 || unplaced < 50 {
		t.Errorf("%d texts with their E999 placed and %d without, too few to tell", placed, unplaced)
	}
}

func messages(findings []rule.Finding) (all []string) {
	for i := range findings {
		f := &findings[i]
		all = append(all, fmt.Sprintf("%d:%d %d-%d %s %s", f.Row, f.Column, f.Start, f.End, f.Code, f.Message()))
	}
	return all
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Options)
		text   string
		want   string
	}{
		{"select", func(o *Options) { o.Select = []string{"W"} }, "x=1 \n", "1:4 W291"},
		{"ignore", func(o *Options) { o.Ignore = []string{"W"} }, "x=1 \n", "1:2 E225"},
		{"nothing", func(o *Options) { o.Select = []string{} }, "x=1 \n", ""},
		{"no E999", func(o *Options) { o.Select = []string{"W"} }, "x='a \n", ""},
		{"disable noqa", func(o *Options) { o.DisableNoqa = true }, "# flake8: noqa\nx=1  # noqa\n", "2:2 E225"},
		{"line length", func(o *Options) { o.MaxLineLength = 4 }, "x = 1\n", "1:5 E501"},
		{"doc length", func(o *Options) { o.MaxDocLength = 4 }, "# spam spam\n", "1:5 W505"},
		{"indent size", func(o *Options) { o.IndentSize = 2 }, "if 1:\n  y = 1\n", ""},
		{"negative doc length", func(o *Options) { o.MaxDocLength = -3 }, "'''a\n\n'''\n", "2:-2 W505 3:-2 W505"},
		{"negative line length", func(o *Options) { o.MaxLineLength = -3 }, "x = 1\n\n", "1:-2 E501 2:-2 E501 2:1 W391"},
		{"negative indent size", func(o *Options) { o.IndentSize = -4 }, "if 1:\n  y = 1\nif 1:\n    y = 1\n", "2:3 E111"},
		{"no indent size", func(o *Options) { o.IndentSize = 0 }, "if 1:\n  y = 1\n", ""},
		{"huge numbers", func(o *Options) {
			o.MaxLineLength, o.MaxDocLength, o.IndentSize = math.MinInt, math.MaxInt, math.MaxInt
		}, "if 1:\n    1\n", "1:-2147483646 E501 2:-2147483646 E501 2:5 E111"},
		{"builtins", func(o *Options) { o.Builtins = []string{"spam"} }, "spam(eggs)\n", "1:6 F821"},
		{"complexity", func(o *Options) { o.MaxComplexity = 1 }, "def f(x):\n    if x:\n        return 1\n", "1:1 C901"},
		{"doctests", func(o *Options) { o.Doctests = true }, "def f():\n    '''\n    >>> spam\n    '''\n", "3:9 F821"},
		{"hang closing", func(o *Options) { o.HangClosing = true }, "x = [\n    1,\n]\n", "3:1 E133"},
	} {
		if got := render(newLinter(t, test.change).Lint(Input{Data: []byte(test.text)}).Findings); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
	for _, change := range []func(*Options){
		func(o *Options) { o.Target = source.Python315 + 1 },
		func(o *Options) { o.Target = source.Python310 - 1 },
		func(o *Options) { o.Target = 1 },
	} {
		o := DefaultOptions()
		change(&o)
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// A Linter that has had other options is as a new one.
func TestSetOptions(t *testing.T) {
	linter := newLinter(t, nil)
	text := []byte("import os\nx=spam  # noqa: W291\n\n\ndef f(): return x\n")
	for _, test := range []struct {
		change func(*Options)
		want   string
	}{
		{func(*Options) {}, "1:1 F401 2:2 E225 2:3 F821"},
		{func(o *Options) { o.MaxComplexity, o.Builtins = 0, []string{"spam"} }, "1:1 F401 2:2 E225 5:1 C901"},
		{func(o *Options) { o.Select = []string{"E"} }, "2:2 E225 5:1 E704"},
		{func(o *Options) { o.Ignore = []string{} }, "1:1 F401 2:2 E225 2:3 F821 5:1 E704"},
		{func(*Options) {}, "1:1 F401 2:2 E225 2:3 F821"},
	} {
		o := DefaultOptions()
		test.change(&o)
		if err := linter.SetOptions(o); err != nil {
			t.Fatal(err)
		}
		if got := render(linter.Lint(Input{Data: text}).Findings); got != test.want {
			t.Errorf("%+v: got %s, want %s", o, got, test.want)
		}
		if fresh := render(newLinter(t, test.change).Lint(Input{Data: text}).Findings); fresh != test.want {
			t.Errorf("%+v: a new linter gives %s, want %s", o, fresh, test.want)
		}
	}
	if err := linter.SetOptions(Options{Target: source.Python315 + 1}); err == nil {
		t.Error("options without a meaning are accepted")
	}
	if got := render(linter.Lint(Input{Data: text}).Findings); got != "1:1 F401 2:2 E225 2:3 F821" {
		t.Errorf("after a refusal: %s", got)
	}
}

func TestStdin(t *testing.T) {
	linter := newLinter(t, nil)
	// A file that is not UTF-8 is latin-1, standard input only if it must be.
	text := []byte("# coding: spam\nx = 'é' \n")
	if got := render(linter.Lint(Input{Data: text}).Findings); got != "2:9 W291" {
		t.Errorf("file: %s", got)
	}
	if got := render(linter.Lint(Input{Name: "stdin", Data: text, Stdin: true}).Findings); got != "2:8 W291" {
		t.Errorf("stdin: %s", got)
	}
	// Where the tokens fail, flake8 reads the line from a file of that name.
	text = []byte("x = 'a  # noqa\n")
	if got := render(linter.Lint(Input{Data: text}).Findings); got != "" {
		t.Errorf("file: %s", got)
	}
	if got := render(linter.Lint(Input{Name: "stdin", Data: text, Stdin: true}).Findings); got == "" {
		t.Error("stdin: E999 is silenced")
	}
	saved := func(file string, err error) func(string) ([]byte, error) {
		return func(string) ([]byte, error) { return []byte(file), err }
	}
	text = []byte("x = 1\ny = 'a\n")
	for _, test := range []struct {
		read func(string) ([]byte, error)
		want string
	}{
		{nil, "2:6 E999"},
		{saved("", os.ErrNotExist), "2:6 E999"},
		{saved("x = 1\ny = a  # noqa\n", nil), ""},
		{saved("x = 1\ny = a  # noqa: E9", nil), ""},
		{saved("x = 1  # noqa\ny = a  # noqa: E501\nz  # noqa", nil), "2:6 E999"},
		{saved("x = 1  # noqa\n", nil), "2:6 E999"},
		{saved("# coding: utf-8\ny = \xff  # noqa\n", nil), "2:6 E999"},
	} {
		if got := render(linter.Lint(Input{Name: "stdin", Data: text, Stdin: true, Saved: test.read}).Findings); got != test.want {
			t.Errorf("stdin, with a file of its name: %s, want %s", got, test.want)
		}
	}
	if got := render(linter.Lint(Input{Name: "stdin", Data: []byte("x=1\n"), Stdin: true, Saved: saved("x=1  # noqa\n", nil)}).Findings); got != "1:2 E225" {
		t.Errorf("what tokenizes is silenced by a file: %s", got)
	}
	// Before 3.12 no NEWLINE ends a comment after a backslash in the last row.
	text = []byte("x=1\n\\\n# noqa")
	for _, test := range []struct {
		target source.Version
		read   func(string) ([]byte, error)
		want   string
	}{
		{source.Python311, nil, "1:2 E225 3:7 W292"},
		{source.Python311, saved("x=1  # noqa\n\n# noqa\n", nil), "1:2 E225"},
		{source.Python311, saved("x=1  # noqa\n\n# E501", nil), "1:2 E225 3:7 W292"},
		{source.Python312, nil, "1:2 E225"},
	} {
		linter := newLinter(t, func(o *Options) { o.Target = test.target })
		if got := render(linter.Lint(Input{Name: "stdin", Data: text, Stdin: true, Saved: test.read}).Findings); got != test.want {
			t.Errorf("stdin, %s: %s, want %s", test.target, got, test.want)
		}
		if got := render(linter.Lint(Input{Data: text}).Findings); got != "1:2 E225" {
			t.Errorf("file, %s: %s", test.target, got)
		}
	}
	if got := render(linter.Lint(Input{Data: []byte("x = 1\x00  # noqa\n")}).Findings); got == "" {
		t.Error("NUL: E999 is silenced")
	}
	if got := render(linter.Lint(Input{Data: []byte("x = 'a\xe9  # noqa\n")}).Findings); got == "" {
		t.Error("bad UTF-8: E999 is silenced")
	}
}

// Standard input that cannot be decoded keeps its carriage returns. Python's
// parser takes them for line ends, its tokenizer for parts of tokens.
func TestCarriageReturns(t *testing.T) {
	linter := newLinter(t, nil)
	for _, test := range []struct{ text, want string }{
		{"x=1 \r\n", "2:2 E225 2:4 W291"},
		{"for x in ():\r\n    pass\r\n", "3:9 E275"}, // which wants \n after a keyword
		{"x = (1 \\\r\n     + 2)\r\n\r\n", "2:8 E502 4:1 W391"},
		{"x = \"\"\"a\\\r\nb\"\"\"\r\n", "2:9 W605"},
		{"x = 1\rb=2\n", "2:8 E225"},
		{"x = 1\r", ""},
		{"x = 1  # noqa\rb=2\n", ""}, // one line
		{"x = 1\r\r\n", "2:8 E902"},
		{"y=1\nx = 1 \\\r    + 2\n", "2:2 E225 3:17 E902"},
		{"x = 'a\rb'\n", "2:6 E999"}, // two lines
		{"x = 1\rimport os\n", "3:1 F401"},
		{"if x:\r\t1\r\n", "2:4 F821 2:8 E902"},
	} {
		got := render(linter.Lint(Input{Name: "stdin", Data: []byte("# coding: spam\n" + test.text), Stdin: true}).Findings)
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
}

func TestTooLarge(t *testing.T) {
	findings := newLinter(t, nil).Lint(Input{Data: make([]byte, source.MaxSize+1)}).Findings
	if len(findings) != 1 || findings[0].Code != rule.E902 || findings[0].Row != 0 || findings[0].Column != 1 ||
		findings[0].Message() != "OSError: file is larger than 128 MiB" {
		t.Errorf("got %v", findings)
	}
}

// A text of more tokens or lines than MaxTokens and MaxLines is refused before they take memory,
// and one of as many is linted.
func TestTooMany(t *testing.T) {
	if testing.Short() {
		t.Skip("lints texts of four million tokens")
	}
	linter := newLinter(t, func(o *Options) { o.Select = []string{"E9", "W605"} })
	for _, test := range []struct {
		text string
		want string
	}{
		{strings.Repeat("x;", MaxTokens/2-1), ""}, // and NEWLINE, ENDMARKER
		{strings.Repeat("x;", MaxTokens/2), "0:1 E902 OSError: file has more than 4194304 tokens"},
		{`"""` + strings.Repeat("\n", MaxLines-1) + `"""`, ""},
		{`"""` + strings.Repeat("\n", MaxLines) + `"""`, "0:1 E902 OSError: file has more than 4194304 lines"},
	} {
		got := ""
		for _, finding := range linter.Lint(Input{Data: []byte(test.text)}).Findings {
			got += fmt.Sprintf("%d:%d %v %s", finding.Row, finding.Column, finding.Code, finding.Message())
		}
		if got != test.want {
			t.Errorf("%.10q of %d bytes: %q, want %q", test.text, len(test.text), got, test.want)
		}
	}
	if findings := linter.Lint(Input{Data: []byte("x = '\\d'\n")}).Findings; len(findings) != 1 {
		t.Errorf("the next file has %d findings", len(findings))
	}
}

// The sizes are those of flake8 7.5.0 under --benchmark.
func TestSizes(t *testing.T) {
	for _, test := range []struct {
		text   string
		target source.Version
		want   Sizes
	}{
		{"x = 1\n", source.Python315, Sizes{1, 1, 4}},
		{"# flake8: noqa\nx = 1\n", source.Python315, Sizes{0, 2, 0}},
		{"print 'x'\n", source.Python315, Sizes{0, 1, 0}},
		{"print 'x'\n", source.Python311, Sizes{0, 1, 0}},
		{"x = (1,\n", source.Python315, Sizes{0, 1, 0}},
		{"x = \"\"\"abc\n", source.Python311, Sizes{0, 1, 0}},
		{"if x:\n        y = 2\n    z = 3\n", source.Python315, Sizes{0, 3, 0}},
		{"if x:\n    y\n  \\\n\nz\n", source.Python315, Sizes{3, 5, 11}},
		{"if x:\n    y\n  \\\n\nz\n", source.Python311, Sizes{0, 5, 7}}, // Python, and tokenize fails
	} {
		result := newLinter(t, func(o *Options) { o.Target = test.target }).Lint(Input{Data: []byte(test.text)})
		if got := result.Sizes(); got != test.want {
			t.Errorf("%q on %v: %+v, want %+v", test.text, test.target, got, test.want)
		}
	}
}

// One file leaves no trace in the next.
func TestReuse(t *testing.T) {
	texts := []string{
		"x = 'a\n", "x=1  # noqa\n", "", "# flake8: noqa\nx=1\n", "if x :\n\ty = 1 \n", "\xff = 1 \r\n", "def f():\n  pass\n\n\n\n\nx=1",
	}
	linter := newLinter(t, nil)
	for _, text := range slices.Concat(texts, texts) {
		want := render(newLinter(t, nil).Lint(Input{Data: []byte(text)}).Findings)
		if got := render(linter.Lint(Input{Data: []byte(text)}).Findings); got != want {
			t.Errorf("%q: %s, alone %s", text, got, want)
		}
		if got := render(linter.Clone().Lint(Input{Data: []byte(text)}).Findings); got != want {
			t.Errorf("%q: %s, by a clone %s", text, got, want)
		}
	}
}

func TestAllocations(t *testing.T) {
	linter := newLinter(t, nil)
	for name, text := range map[string]string{
		"clean":  strings.Repeat("x = 1\n", 1000),
		"dirty":  strings.Repeat("x=(1 ,2)  # noqa : E501\nif x :\n\ty = 1 \n", 1000),
		"noqa":   strings.Repeat("x=1  # noqa:E501,E225\ny=1  # noqa\nz=1\n", 1000),
		"latin1": strings.Repeat("x='\xff' \r\n", 1000),
		"cookie": "# -*- coding: Windows-1251 -*-\nx = '\xff'\n",
		"utf8":   "# coding: UTF_8\n",
		// Names that are others, or may be.
		"names": "e\u0301 = ﬁ = 각 = \u1100\u1161 = a\u0316\u0301 = ｘ\n",
		// What the parser, the tokenizer and both find wrong.
		"fault":     strings.Repeat("def f(a, b=1):\n    return a\n\n\n", 100) + "x = = 1\n",
		"name":      "print 'x'\n",
		"block":     "if x:\ny\n",
		"assigned":  "f(x) = 1\n",
		"colon":     "class A\n    pass\n",
		"unclosed":  "x = (1,\ny = 2\n",
		"brackets":  strings.Repeat("\n", 1000) + "x = (1]\n",
		"quote":     strings.Repeat("\n", 1000) + "x = 'a\n",
		"number":    "x = 0b12\n",
		"character": "x = “a”\n",
		"escape":    "x = '\\x1'\n",
		"field":     "x = f'{a!z}'\n",
	} {
		data := []byte(text)
		linter.Lint(Input{Data: data})
		if n := testing.AllocsPerRun(5, func() { linter.Lint(Input{Data: data}) }); n != 0 {
			t.Errorf("%s: %v allocations a file", name, n)
		}
	}
}

// Texts that are made to take long, or to break something.
func TestHostile(t *testing.T) {
	size := 1 << 18
	if testing.Short() {
		size = 1 << 14
	}
	type repeater func(text string) string // repeats text up to a size
	linter := newLinter(t, func(o *Options) { o.Ignore, o.MaxDocLength = []string{}, 79 })
	for name, text := range map[string]func(repeat repeater) string{
		"one long line":        func(repeat repeater) string { return "x = '" + repeat("a") + "'\n" },
		"one long statement":   func(repeat repeater) string { return "x = 1" + repeat(" + 1") + "\n" },
		"one long list":        func(repeat repeater) string { return "x = [" + repeat("1, ") + "]\n" },
		"one row, statements":  func(repeat repeater) string { return repeat("x=1;") },
		"row of blanks":        func(repeat repeater) string { return repeat(" ") },
		"rows":                 func(repeat repeater) string { return repeat("\n") },
		"blank rows":           func(repeat repeater) string { return repeat(" \n") },
		"brackets":             func(repeat repeater) string { return strings.Repeat("(", 10000) + strings.Repeat(")", 10000) + "\n" },
		"open brackets":        func(repeat repeater) string { return repeat("(") },
		"closed brackets":      func(repeat repeater) string { return repeat(")") },
		"open braces, strings": func(repeat repeater) string { return repeat("f'{") },
		"indentation":          func(repeat repeater) string { return deep(2000) },
		"backslashes":          func(repeat repeater) string { return repeat("\\\n") },
		"quotes":               func(repeat repeater) string { return repeat("'") },
		"triple quotes":        func(repeat repeater) string { return repeat("'''\n") },
		"comments":             func(repeat repeater) string { return repeat("#x\n") },
		"comment":              func(repeat repeater) string { return repeat("#") },
		"NUL":                  func(repeat repeater) string { return repeat("x\x00") },
		"binary":               func(repeat repeater) string { return repeat("\x7fELF\x02\xff\xfe\x80\r\n") },
		"carriage returns":     func(repeat repeater) string { return repeat("x=1\r") },
		"form feeds":           func(repeat repeater) string { return repeat("\f\n") },
		"tabs":                 func(repeat repeater) string { return repeat("\t") },
		"names":                func(repeat repeater) string { return repeat("é") },
		"noqa in brackets":     func(repeat repeater) string { return "x = [\n" + repeat("1 ,  # noqa:E2\n") + "]\n" },
		"noqa in a string":     func(repeat repeater) string { return "x='''\n" + repeat("# noqa:E501\n") + "'''\n" },
		"noqa on one row":      func(repeat repeater) string { return repeat("x=1;") + repeat("# noqa:E501,W291 ") },
		"continued rows":       func(repeat repeater) string { return "x = [\n" + repeat("1,\n") + "]\n" },
		"operators":            func(repeat repeater) string { return repeat("+-*/") },
		"colons":               func(repeat repeater) string { return repeat(":") },
		"decorators":           func(repeat repeater) string { return repeat("@x\n") },
		"lambdas":              func(repeat repeater) string { return repeat("lambda: ") },
	} {
		t.Run(name, func(t *testing.T) {
			bench.Linear(t, size, func(n int) func() {
				data := []byte(text(func(text string) string { return strings.Repeat(text, n/len(text)) }))
				return func() { linter.Lint(Input{Data: data}) }
			})
		})
	}
}

// deep gives blocks within blocks.
func deep(levels int) string {
	var text strings.Builder
	for i := range levels {
		text.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return text.String() + strings.Repeat(" ", levels) + "pass\n"
}
