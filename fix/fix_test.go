package fix

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codelinter/lint"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

var update = flag.Bool("update", false, "rewrite testdata, which is our own")

func newFixer(t testing.TB, options lint.Options) *Fixer {
	t.Helper()
	f, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// counts returns how many findings of each code a text has.
func counts(t testing.TB, options lint.Options, name string, text []byte) (n [rule.Count]int) {
	t.Helper()
	linter, err := lint.New(options)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range linter.Lint(lint.Input{Name: name, Data: text}).Findings {
		n[finding.Code]++
	}
	return n
}

// project is shared by all calls of fixed, as reading a project for each of its files takes long.
var project = NewProject()

// fixed fixes a text and requires what holds for each: the result parses if the text does,
// no code has more findings than before, what is said to be fixed is gone, and to fix it again
// changes nothing.
func fixed(t testing.TB, options lint.Options, name string, text []byte) Result {
	t.Helper()
	f := newFixer(t, options)
	f.Share(project)
	given := bytes.Clone(text)
	r := f.FixFile(name, text)
	cut := f.cut
	if !bytes.Equal(given, text) {
		t.Errorf("%q: the text given was changed", given)
	}
	before, after := counts(t, options, name, text), counts(t, options, name, r.Text)
	for code := range before {
		if after[code] > before[code] {
			t.Errorf("%q: %d of %v, expected at most %d, in %q", text, after[code], rule.Code(code), before[code], r.Text)
		}
		before[code] -= after[code]
	}
	for i := range r.Fixed {
		before[r.Fixed[i].Finding.Code]--
	}
	for code, n := range before {
		if n != 0 {
			t.Errorf("%q: of %v are %d more gone than were fixed", text, rule.Code(code), n)
		}
	}
	for i := range r.Remaining {
		after[r.Remaining[i].Finding.Code]--
	}
	for code, n := range after {
		if n != 0 {
			t.Errorf("%q: of %v are %d more there than were left", text, rule.Code(code), n)
		}
	}
	if parses(text) && !parses(r.Text) {
		t.Errorf("%q: %q does not parse", text, r.Text)
	}
	if again := f.FixFile(name, r.Text); !cut && !f.cut && !bytes.Equal(again.Text, r.Text) {
		if len(text) > 1000 {
			t.Fatalf("%s: a second run changes it", name)
		}
		t.Errorf("%q: %q becomes %q", text, r.Text, again.Text)
	}
	return r
}

func parses(text []byte) bool {
	var file source.File
	if file.Load(text) != nil {
		return false
	}
	_, err := parser.Parse(&file, parser.Options{Target: source.Newest})
	return err == nil
}

// TestGolden fixes the programs of testdata: what stands above a row of --- becomes what stands
// below it.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for i, part := range strings.Split(string(data), "\n=====\n") {
				if i > 0 {
					out.WriteString("\n=====\n")
				}
				before, _, _ := strings.Cut(part, "\n-----")
				options := lint.DefaultOptions()
				if extra, rest, found := strings.Cut(before, "\n"); found && strings.HasPrefix(extra, "## select ") {
					options.ExtendSelect = strings.Split(strings.TrimPrefix(extra, "## select "), ",")
					out.WriteString(extra + "\n")
					before = rest
				}
				r := fixed(t, options, "t.py", []byte(before+"\n"))
				fmt.Fprintf(&out, "%s\n-----\n%s", before, strings.TrimSuffix(string(r.Text), "\n"))
				for _, left := range r.Remaining {
					if left.Reason == NoEdit {
						continue
					}
					fmt.Fprintf(&out, "\n----- %d: %v: %s", left.Finding.Row, left.Finding.Code, left.Reason)
				}
			}
			if *update {
				if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if out.String() != string(data) {
				t.Errorf("expected:\n%s\nfound:\n%s", data, out.String())
			}
		})
	}
}

// TestExamples fixes the bad example of each rule's page.
func TestExamples(t *testing.T) {
	for code := range rule.Codes() {
		if generators.Get()[code].edits == nil {
			continue
		}
		page, _ := rule.Page(code)
		options := lint.DefaultOptions()
		options.Select = []string{code.String()}
		options.Ignore = []string{}
		options.HangClosing = slices.Contains(page.Options, "--hang-closing")
		if code == rule.W505 {
			options.MaxDocLength = 72
		}
		r := fixed(t, options, "t.py", []byte(page.Bad))
		stays := false
		switch code {
		case rule.E711, rule.E712, rule.F632: // a class may define ==
			stays = true
		case rule.E741, rule.E742, rule.E743: // other modules may use the name
			stays = true
		}
		if stays && r.Changed() || !stays && (len(r.Remaining) > 0 || len(r.Fixed) == 0) {
			t.Errorf("%v: %d fixed, %d left of\n%s\nbecame\n%s", code, len(r.Fixed), len(r.Remaining), page.Bad, r.Text)
		}
		options.Select = nil
		fixed(t, options, "t.py", []byte(page.Bad))
	}
}

// TestLineEnds keeps the ends of rows, the byte order mark, and what a comment silences.
func TestLineEnds(t *testing.T) {
	for _, c := range [...][2]string{
		{"x=1\r\ny=2\r\n", "x = 1\r\ny = 2\r\n"},
		{"x=1\r\ny=2\nz=3\r", "x = 1\r\ny = 2\nz = 3\r"},
		{"\xef\xbb\xbfx=1\n", "\xef\xbb\xbfx = 1\n"},
		{"\xef\xbb\xbfimport os, sys\r\nprint(os, sys)", "\xef\xbb\xbfimport os\r\nimport sys\r\nprint(os, sys)\r\n"},
		{"x=1  # noqa\ny=2\n", "x=1  # noqa\ny = 2\n"},
		{"x=1\n# flake8: noqa\n", "x=1\n# flake8: noqa\n"},
		{"# coding: latin-1\nx=1\n", "# coding: latin-1\nx = 1\n"},
		{"# coding: latin-1\nx='\xe9'\n", "# coding: latin-1\nx='\xe9'\n"},
		{"x = 1 #noqa\n", "x = 1  #noqa\n"},
	} {
		if r := fixed(t, lint.DefaultOptions(), "t.py", []byte(c[0])); string(r.Text) != c[1] {
			t.Errorf("%q became %q, expected %q", c[0], r.Text, c[1])
		}
	}
}

// TestProofs reports which repairs keep the tree, and which need a rule.
func TestProofs(t *testing.T) {
	for _, c := range [...]struct {
		text string
		want map[rule.Code]Proof
	}{
		{"x=1\n", map[rule.Code]Proof{rule.E225: Layout}},
		{"import os,sys\nx=1\nprint(os, sys, x)\n", map[rule.Code]Proof{rule.E401: Rule, rule.E231: Rule, rule.E225: Layout}},
		{"import os.path  ,re\nx=1\n", map[rule.Code]Proof{rule.F401: Rule, rule.E401: Rule, rule.E203: Rule, rule.E231: Rule, rule.E225: Layout}},
		{"def f():\n    global x\n    return x\n\n\nx=1\n", map[rule.Code]Proof{rule.F824: Rule, rule.E225: Layout}},
		{"def f():\n    \"\"\"Doc. \n    \"\"\"\n    x(1 )\n", map[rule.Code]Proof{rule.W291: Rule, rule.E202: Layout}},
	} {
		got := map[rule.Code]Proof{}
		for _, one := range fixed(t, lint.DefaultOptions(), "t.py", []byte(c.text)).Fixed {
			got[one.Finding.Code] = one.Proof
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%q: %v, expected %v", c.text, got, c.want)
		}
	}
}

// TestShadowed moves no import of a module that a file beside the program, or in its package, may
// be.
func TestShadowed(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"json.py", "p/__init__.py", "p/re.py", "p/q/__init__.py"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for module, moves := range map[string]bool{"json": false, "re": false, "os.path": true, "numpy": false} {
		r := fixed(t, lint.DefaultOptions(), filepath.Join(folder, "p", "q", "t.py"), []byte("x = 1\nimport "+module+"\nprint("+module+")\n"))
		if r.Changed() != moves {
			t.Errorf("%s: %q", module, r.Text)
		}
	}
}

// TestUnsafe makes what nothing proves, unless a run refutes it.
func TestUnsafe(t *testing.T) {
	const text = "x = 1\nimport spam\n\n\nfor l in spam.environ:\n    print(l, vars())\n"
	for _, c := range [...]struct {
		want  string
		proof Proof
		same  bool
	}{
		{"import spam\nx = 1\n\n\nfor l_ in spam.environ:\n    print(l_, vars())\n", Run, true},
		{"import spam\nx = 1\n\n\nfor l_ in spam.environ:\n    print(l_, vars())\n", NoProof, true},
		{text, NoProof, false},
	} {
		f := newFixer(t, lint.DefaultOptions())
		runs := 0
		f.Unsafe(func(program, changed string) (Proof, bool) {
			if runs++; program == changed {
				t.Errorf("asked of %q and %q", program, changed)
			}
			return c.proof, c.same
		})
		r := f.Fix([]byte(text))
		if string(r.Text) != c.want || c.same != (len(r.Fixed) == 2) || c.same != (len(r.Remaining) == 0) {
			t.Errorf("%v, %v: %q, %v, %v", c.proof, c.same, r.Text, r.Fixed, r.Remaining)
		}
		for i := range r.Fixed {
			if r.Fixed[i].Proof != c.proof {
				t.Errorf("proof %v, expected %v", r.Fixed[i].Proof, c.proof)
			}
		}
		if again := f.Fix(r.Text); !bytes.Equal(again.Text, r.Text) {
			t.Errorf("%q becomes %q", r.Text, again.Text)
		}
		if runs == 0 || runs > 2*(maxRuns+1) {
			t.Errorf("%d runs", runs)
		}
		runs = 0
		if f.FixOnly("", []byte(text), func(*rule.Finding) bool { return true }); runs > 0 {
			t.Errorf("%d runs for some of the findings", runs)
		}
	}
	if r := fixed(t, lint.DefaultOptions(), "t.py", []byte(text)); r.Changed() {
		t.Errorf("without a runner it became %q", r.Text)
	}
}

func FuzzFix(f *testing.F) {
	for code := range rule.Codes() {
		page, _ := rule.Page(code)
		f.Add([]byte(page.Bad))
	}
	options := lint.DefaultOptions()
	options.Ignore = []string{}
	f.Fuzz(func(t *testing.T, text []byte) {
		fixed(t, options, "t.py", text)
	})
}
