package newfindings_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"codelinter/internal/newfindings"
	"codelinter/lint"
	"codelinter/rule"
)

// A version is a text with its findings.
type version struct {
	text string
	newfindings.Findings
}

func versionOf(t testing.TB, text string) version {
	t.Helper()
	options := lint.DefaultOptions()
	options.MaxComplexity = 2
	linter, err := lint.New(options)
	if err != nil {
		t.Fatal(err)
	}
	result := linter.Lint(lint.Input{Data: []byte(text)})
	return version{text, newfindings.Findings{List: result.Findings, Invalid: result.Invalid}}
}

func compare(before, after version) (added, gone []bool) {
	var c newfindings.Comparer
	c.Read([]byte(before.text), []byte(after.text))
	return c.Compare(before.Findings, after.Findings)
}

// chosen returns the chosen findings as "row:column CODE".
func chosen(findings []rule.Finding, are []bool) string {
	var list []string
	for i := range findings {
		if are[i] {
			list = append(list, fmt.Sprintf("%d:%d %v", findings[i].Row, findings[i].Column, findings[i].Code))
		}
	}
	return strings.Join(list, " ")
}

const (
	function = "def spam(a):\n    b=a\n    if b == None :\n        return  a\n    return a+1 ;\n"
	other    = "def eggs(a):\n    return a\n"
)

func TestCompare(t *testing.T) {
	indent := func(text string) string { return strings.ReplaceAll("\n"+text, "\n", "\n    ")[1:] }
	for _, test := range []struct {
		name          string
		before, after string
		added, gone   string
	}{
		{"itself", function, function, "", ""},
		{"from nothing", "", "x=1\n", "1:2 E225", ""},
		{"to nothing", "x=1\n", "", "", "1:2 E225"},
		{"a row before", "x=1\n", "y = 1\nx=1\n", "", ""},
		{"a row with a fault before", "x=1\n", "y=1\nx=1\n", "1:2 E225", ""},
		{"the last use of an import", "import os\n\nx=1\nprint(os)\n", "import os\n\nx=1\nprint(x)\n", "1:1 F401", ""},
		{"the first use", "import os\n\nx=1\nprint(x)\n", "import os\n\nx=1\nprint(os)\n", "", "1:1 F401"},
		{"a function moved down", function + "\n\n" + other, other + "\n\n" + function, "", ""},
		{"a function copied", "x = 1\n\n\n" + function, "x = 1\n\n\n" + function + "\n\n" + strings.Replace(function, "spam", "spam2", 1), "12:6 E225 13:10 E711 13:17 E203 14:15 E271 15:15 E203 15:16 E703", ""},
		{"indented anew", function, "if True:\n" + indent(function) + "\n", "1:1 C901 7:1 W293", ""},
		{"a long row indented anew", "if 1:\n    y = '" + strings.Repeat("a", 90) + "'\n", "class A:\n    if 1:\n        y = '" + strings.Repeat("a", 90) + "'\n", "", ""},
		{"a row that gets long by its indent", "y = '" + strings.Repeat("a", 73) + "'\n", "if 1:\n    y = '" + strings.Repeat("a", 73) + "'\n", "2:80 E501", ""},
		{"a row edited after its fault", "value =compute(a, b)\n", "value =compute(a, b, c)\n", "1:22 F821", ""},
		{"a row edited before its fault", "value = compute(a,b)\n", "value = compute_all(x, a,b)\n", "1:9 F821 1:21 F821", "1:9 F821"},
		{"one name of an import", "import os, re\nprint(os)\n", "import os, sys\nprint(os)\n", "1:1 F401", "1:1 F401"},
		{"another row with the same fault", "spam=1\n", "eggs = compute()\nbacon=eggs\n", "1:8 F821 2:6 E225", "1:5 E225"},
		{"the row that a message names", "import os\nimport os\nprint(os)\n", "x = 1\nimport os\nimport os\nprint(os, x)\n", "2:1 E402 3:1 E402", ""},
		{"where an exception says a block begins", "if x:\ny\n", "\nif x:\ny\n", "", ""},
		{"more complex", "def f(a):\n    if a:\n        if a:\n            return 1\n", "def f(a):\n    if a:\n        if a:\n            if a:\n                return 1\n", "1:1 C901", "1:1 C901"},
		{"no line end", "x = 1\ny = 2", "z = 3\nx = 1\ny = 2", "", ""},
		{"no line end any more", "x = 1\ny = 2\n", "x = 1\ny = 2", "2:6 W292", ""},
		{"other line ends", "x=1\ny=2\n", "x=1\r\ny=2\r\n", "", ""},
		{"a blank row more at the end", "x = 1\n\n", "x = 1\n\n\n", "", ""},
		{"equal faults in one row", "f(a,b)\n", "f(a,b)\nf(a,b)\n", "2:1 F821 2:3 F821 2:4 E231 2:5 F821", ""},
		{"a noqa removed", "x=1  # noqa\n", "x=1\n", "1:2 E225", ""},
		{"a row of a text that is not Python", "y=1\nx=1\nf((\n", "y=1\nif 1:\n    x=1\nf(())\n", "4:1 F821", "3:4 E999"},
		{"another error", "y=1\nf((\n1 = 2\n", "y=1\nf(())\n1 = 2\n", "", "2:4 E999"},
		{"to a text that is not Python", "y=1\n", "y=1\nf((\n", "2:4 E999", "1:2 E225"},
		{"characters and bytes", "é = 'é';x=y\n", "é = 'éé';x=y\n", "", ""},
	} {
		before, after := versionOf(t, test.before), versionOf(t, test.after)
		added, gone := compare(before, after)
		if a, g := chosen(after.List, added), chosen(before.List, gone); a != test.added || g != test.gone {
			t.Errorf("%s: added %q, gone %q, want %q, %q", test.name, a, g, test.added, test.gone)
		}
		if added, gone := compare(after, after); slices.Contains(added, true) || slices.Contains(gone, true) {
			t.Errorf("%s: the new text with itself: added %q", test.name, chosen(after.List, added))
		}
	}
}

// Many rows that are the same, or that all differ, take time in proportion to their number.
func TestCompareLarge(t *testing.T) {
	const n = 20_000
	rows := func(format string, from int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, format, from+i)
		}
		return text.String()
	}
	for name, texts := range map[string][2]string{
		"the same rows":   {strings.Repeat("x=1\n", n), strings.Repeat("x=1\n", 2*n)},
		"indented anew":   {strings.Repeat("x=1\n", n), "if x:\n" + strings.Repeat("    x=1\n", n)},
		"all rows edited": {rows("x%d=1\n", 0), rows("y%d=1\n", n)},
		"one row":         {"x=" + strings.Repeat("a,", n), "x=" + strings.Repeat("a,", n+1)},
	} {
		before, after := versionOf(t, texts[0]), versionOf(t, texts[1])
		added, gone := compare(before, after)
		if len(added) != len(after.List) || len(gone) != len(before.List) {
			t.Error(name)
		}
	}
}

// unmarked returns how many findings are neither new nor gone.
func unmarked(marks []bool) (n int) {
	for _, is := range marks {
		if !is {
			n++
		}
	}
	return n
}

func FuzzCompare(f *testing.F) {
	f.Add(function, other)
	f.Add("if x:\ny\n", "\r\n\tif x:\ry\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		before, after := versionOf(t, a), versionOf(t, b)
		added, gone := compare(before, after)
		kept, left := unmarked(added), unmarked(gone)
		if kept != left && !before.Invalid {
			t.Errorf("%d findings are old, and %d stayed", kept, left)
		}
		if added, _ := compare(after, after); slices.Contains(added, true) {
			t.Error("a text has new findings compared with itself")
		}
	})
}

// What both texts begin and end with changes nothing: rows that stayed are there or not.
func TestCompareInside(t *testing.T) {
	random := rand.New(rand.NewPCG(52, 1))
	lines := []string{"x=1\n", "y = 2\n", "    z=3\n", "if x:\n", "\n", "import os\n", "import re\n", "print(os)\n", "f(a,b)\n"}
	text := func(n int) (text string) {
		for range n {
			text += lines[random.IntN(len(lines))]
		}
		return text
	}
	for range 2000 {
		shared, tail := text(random.IntN(6)), text(random.IntN(6))
		before, after := versionOf(t, shared+text(random.IntN(4))+tail), versionOf(t, shared+text(random.IntN(4))+tail)
		added, gone := compare(before, after)
		kept, left := unmarked(added), unmarked(gone)
		if kept != left && !before.Invalid {
			t.Errorf("%q, %q: %d findings are old, and %d stayed", before.text, after.text, kept, left)
		}
		for i := range after.List {
			if row := int(after.List[i].Row); added[i] && row <= strings.Count(shared, "\n") && !before.Invalid {
				if f := &after.List[i]; slices.ContainsFunc(before.List, func(old rule.Finding) bool {
					return old.Row == f.Row && old.Column == f.Column && old.Code == f.Code && old.Message() == f.Message()
				}) {
					t.Errorf("%q, %q: %d:%d %v is new", before.text, after.text, f.Row, f.Column, f.Code)
				}
			}
		}
	}
}

// A row of many findings is compared in time that grows with their number.
func TestCompareLongRow(t *testing.T) {
	row := func(name string) string { return "x = [" + strings.Repeat(name+",", 50_000) + "]\n" }
	for _, texts := range [][2]string{{row("a"), "y = 1\n" + row("a")}, {row("a"), row("b")}, {row("a"), row("a") + row("a")}} {
		before, after := versionOf(t, texts[0]), versionOf(t, texts[1])
		added, _ := compare(before, after)
		if is := slices.Contains(added, true); is != (texts[1][0] == 'x') {
			t.Errorf("%.20q: new findings: %t", texts[1], is)
		}
	}
}

// A blank row with a fault between edited rows stays, however many rows were edited.
func TestManyEdits(t *testing.T) {
	var before, after strings.Builder
	for i := range 300 {
		fmt.Fprintf(&before, "value_%d = %d\n    \nother_%d = %d\nname_%d = 'x'\n", i, i, i, i, i)
		fmt.Fprintf(&after, "value_%d = %d + 1\n    \nother_%d = %d + 1\nname_%d = 'x'\n", i, i, i, i, i)
	}
	old, now := versionOf(t, before.String()), versionOf(t, after.String())
	added, _ := compare(old, now)
	if len(now.List) < 300 || slices.Contains(added, true) {
		t.Errorf("new findings: %s", chosen(now.List, added))
	}
}
