package fix

import (
	"strings"
	"testing"

	"codelinter/lint"
)

// TestCounts holds how often a text is linted and proven: a text without findings as often as for
// check, and others by the number of passes that they need, whatever the number of findings.
func TestCounts(t *testing.T) {
	for _, c := range [...]struct {
		name, text    string
		lints, proofs int
	}{
		{"none", "x = 1\n", 1, 0},
		{"no edit", "print(undefined)\n", 1, 0},
		{"layout", strings.Repeat("x=f( a,b )\n", 500), 2, 0},
		{"layout without names", strings.Repeat("x=f( a,b )\n", 500) + "print(f)\n", 2, 0},
		{"docstring", "\"\"\"A text. \n\nMore. \n\"\"\"\n" + strings.Repeat("x=1 \n", 50), 2, 0},
		{"meaning", strings.Repeat("import os\n", 1) + "x = 1\n", 2, 1},
		{"both", "import os\n" + strings.Repeat("x=1 \n", 500), 3, 1},
	} {
		f := newFixer(t, lint.DefaultOptions())
		for range 2 { // the second time with memory that was used
			if f.Fix([]byte(c.text)); f.lints != c.lints || f.proofs != c.proofs {
				t.Errorf("%s: %d lints, %d proofs, expected %d, %d", c.name, f.lints, f.proofs, c.lints, c.proofs)
			}
		}
	}
}

// A text whose tokens stay is not parsed again, unless not only they count.
func TestHasTreeOf(t *testing.T) {
	for _, c := range [...]struct {
		before, after string
		want          bool
	}{
		{"x=1\n", "x = 1\n", true},
		{"int(1,\n  2)  # c\n", "int(1,\n  2) # d\n\n", true},
		{"if int:\n  int()\n", "if int:\n    int()\n", true},
		{"def f():\n    '''A b.\n    '''\n", "def f():\n    '''A\n    b.\n    '''\n", true},
		{"def f():\n    '''A b.\n    '''\n    f.__doc__\n", "def f():\n    '''A\n    b.\n    '''\n    f.__doc__\n", false},
		{"def f():\n    '''A \\\n    b.\n    '''\n", "def f():\n    '''A \\ b.\n    '''\n", false},
		{"x = '''A b.'''\n", "x = '''A  b.'''\n", false},
		{"x = 1\n", "x = 2\n", false},
		{"x = 1\n", "x = 1 + 2\n", false},
		{"x = 1 + 2\n", "x = 1\n", false},
		{"x = 1; y = 1\n", "x = 1\ny = 1\n", false},
		{"x  = f'{int}'\n", "x = f'{int}'\n", true},
		{"x = f'{int =}'\n", "x = f'{int = }'\n", false},
		{"x = 1 if int else 2\n", "x = 1if int else 2\n", false},
		{"if int:\n\tint()\n", "if int:\n    int()\n", false},
		{"import os\n", "import  os\n", false}, // it has a finding about the tree
		{"x = 1 \\\n\n", "x = 1 \\\n", false},
	} {
		f := newFixer(t, lint.DefaultOptions())
		s, _ := f.analyze("", []byte(c.before), nil, nil, true, func(*analysis) bool { return true })
		f.readsDoc(s, 0) // as edits of docstrings ask
		got := false
		linter := f.linter.Clone()
		linter.Lint(lint.Input{Data: []byte(c.after), SkipTree: func(next *lint.Result) bool {
			got = f.hasTreeOf(s, next)
			return got
		}})
		if got != c.want {
			t.Errorf("%q and %q: %v", c.before, c.after, got)
		}
	}
}

// Rows of findings may be beyond the text: pycodestyle counts other separators of lines.
func TestLineSeparators(t *testing.T) {
	options := lint.DefaultOptions()
	options.Ignore, options.MaxDocLength = []string{}, 72
	long := strings.Repeat("y ", 35)
	fixed(t, options, "t.py", []byte("\"\"\"x\x0c"+long+"\n"+long+"\x1d"+long+"\u2028"+long+long+"\n\"\"\"\n"))
}
