package main

import (
	"os"
	"strings"
	"testing"

	"codelinter/evaluator/judge"
	"codelinter/fix"
	"codelinter/lint"
)

func TestDiffName(t *testing.T) {
	for name, want := range map[string]string{
		"a.py":          "a.py",
		"a b.py":        "a b.py\t",
		"ä.py":          "ä.py",
		"a\nb.py":       `"a\nb.py"`,
		"a \"\\\x01.py": "\"a \\\"\\\\\\001.py\"\t",
	} {
		if got := diffName(name); got != want {
			t.Errorf("%q became %q, expected %q", name, got, want)
		}
	}
}

// TestFixedPrograms fixes programs that were made after public reports of fixers, and requires that
// each does in the sandbox what it did before.
func TestFixedPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs hundreds of programs")
	}
	data, err := os.ReadFile("testdata/fixed_programs.txt")
	if err != nil {
		t.Fatal(err)
	}
	judges := judge.New(judge.Options{})
	defer judges.Close()
	j := &fixJudge{Judges: judges, ctx: t.Context()}
	fixer, err := fix.New(lint.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	changed, compared := 0, 0
	for _, program := range strings.Split(string(data), "\n#### ")[1:] {
		report, text, _ := strings.Cut(program, "\n")
		text += "\n"
		result := fixer.Fix([]byte(text))
		if !result.Changed() {
			continue
		}
		changed++
		same, known, err := j.sameRuns(text, string(result.Text))
		if err != nil {
			t.Fatal(err)
		}
		if !same {
			t.Errorf("%s:\n%s\nbecame\n%s\nwhich does something else", report, text, result.Text)
		}
		if known {
			compared++
		}
	}
	if compared < 250 {
		t.Errorf("%d of %d programs were compared, expected 250", compared, changed)
	}
}

// TestSameRuns compares what programs write, too.
func TestSameRuns(t *testing.T) {
	judges := judge.New(judge.Options{})
	defer judges.Close()
	j := &fixJudge{Judges: judges, ctx: t.Context()}
	for _, c := range []struct {
		before, after string
		same          bool
	}{
		{"print(1)\n", "print( 1 )\n", true},
		{"print(1)\n", "print(2)\n", false},
		{"import sys\nprint('a', file=sys.stderr)\n", "import sys\n\nprint('a', file=sys.stderr)\n", true},
		{"import sys\nprint('a', file=sys.stderr)\n", "import sys\nprint('b', file=sys.stderr)\n", false},
		{"import sys\nprint('a', file=sys.stderr)\nsys.exit(2)\n", "import sys\nprint('b', file=sys.stderr)\nsys.exit(2)\n", false},
		{"import warnings\nwarnings.warn('a')\n", "import warnings\n\nwarnings.warn( 'a' )\n", true},
		{"import warnings\nwarnings.warn('a')\n", "import warnings\nwarnings.warn('b')\n", false},
		{"1 // 0\n", "\n\n1  //  0\n", true},
		{"with open('a', 'w') as f:\n    f.write('1')\n", "with open('a', 'w') as f:\n    f.write('2')\n", false},
	} {
		if same, known, err := j.sameRuns(c.before, c.after); same != c.same || !known || err != nil {
			t.Errorf("%q and %q: %v, %v, %v", c.before, c.after, same, known, err)
		}
	}
}
