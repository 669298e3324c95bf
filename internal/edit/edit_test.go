package edit_test

import (
	"errors"
	"strings"
	"testing"

	"codelinter/internal/edit"
	"codelinter/lint"
	"codelinter/rule"
)

func codes(findings []rule.Finding) string {
	var list []string
	for i := range findings {
		list = append(list, findings[i].Code.String())
	}
	return strings.Join(list, " ")
}

func TestCheck(t *testing.T) {
	gate, err := edit.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const function = "def f(a):\n    b = a\n    if b == None:\n        return 1\n    return b + 1\n"
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(function) }
	for _, test := range []struct {
		name, before, after, added, gone string
		tree, meaning                    edit.Relation
		proof                            string
	}{
		{"itself", function, function, "", "", edit.Same, edit.Same, edit.ByTree},
		{"layout", function, replaced("b + 1", "b+1;", "f(a)", "f( a)"), "E201 E703", "", edit.Same, edit.Same, edit.ByTree},
		{"what a finding asks for", function, replaced("== None", "is None"), "", "E711", edit.Other, edit.Same, edit.ByEdits},
		{"another name", function, replaced("b", "c"), "", "", edit.Other, edit.Same, edit.ByForm},
		{"another number", function, replaced("+ 1", "+ 2"), "", "", edit.Other, edit.Unknown, ""},
		{"broken", function, replaced("return 1", "return (1"), "E999", "E711", edit.Other, edit.Other, ""},
		{"repaired", "f(\n", "f()\n", "F821", "E999", edit.Other, edit.Other, ""},
		{"broken before and after", "f(\n", "g(\n", "", "", edit.Unknown, edit.Unknown, ""},
		{"from nothing", "", "x = 1\n", "", "", edit.Other, edit.Unknown, ""},
		{"line ends and a mark", "x = y\n", "\xef\xbb\xbfx = y\r\n", "", "", edit.Same, edit.Same, edit.ByTree},
	} {
		r, err := gate.Check("spam.py", []byte(test.before), []byte(test.after))
		if err != nil {
			t.Fatal(err)
		}
		if a, g := codes(r.New), codes(r.Gone); a != test.added || g != test.gone || r.Tree != test.tree || r.Meaning != test.meaning || r.Proof != test.proof {
			t.Errorf("%s: new %q, gone %q, tree %v, meaning %v (%s), want %q, %q, %v, %v (%s)", test.name, a, g, r.Tree, r.Meaning, r.Proof, test.added, test.gone, test.tree, test.meaning, test.proof)
		}
	}
}

// What the texts leave open is run, and nothing else.
func TestRun(t *testing.T) {
	gate, err := edit.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ours := errors.New("no room")
	for _, test := range []struct {
		before, after string
		found         edit.Relation
		err           error
		runs          int
		proof         string
	}{
		{"x = 1\n", "x = 2\n", edit.Same, nil, 1, edit.ByRuns},
		{"x = 1\n", "x = 2\n", edit.Other, nil, 1, ""},
		{"x = 1\n", "x = 2\n", edit.Unknown, ours, 1, ""},
		{"x = 1\n", "x=1\n", edit.Same, nil, 0, edit.ByTree},
		{"x = 1\n", "x = (\n", edit.Other, nil, 0, ""},
	} {
		runs := 0
		r, err := gate.Run("spam.py", []byte(test.before), []byte(test.after), func(before, after string, _ []rule.Finding) (edit.Relation, []string, error) {
			runs++
			if before != test.before || after != test.after {
				t.Errorf("%q, %q are run", before, after)
			}
			return test.found, nil, test.err
		})
		if r.Meaning != test.found || err != test.err || runs != test.runs || r.Proof != test.proof {
			t.Errorf("%q, %q: meaning %v (%s), %d runs, %v", test.before, test.after, r.Meaning, r.Proof, runs, err)
		}
	}
}

// Plugins see both texts. Where they do not work there is no result, and no text that is not Python
// is theirs.
func TestForeign(t *testing.T) {
	code, ok := rule.Named("Z10")
	if !ok {
		t.Fatal("no room for a code")
	}
	gate, err := edit.New(lint.Options{ExtendSelect: []string{"Z"}})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	gate.Foreign = func(_ string, text []byte) (found lint.ForeignFindings, err error) {
		for row, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "spam") {
				found.Findings = append(found.Findings, lint.Foreign{Finding: rule.NewForeign(int32(row+1), 1, code, "spam")})
			}
			if strings.Contains(line, "fail") {
				err = broken
			}
		}
		return found, err
	}
	for _, test := range []struct {
		before, after, added, gone string
		err                        error
	}{
		{"spam = 1\n", "x = 1\nspam = 1\n", "", "", nil},
		{"spam = 1\n", "spam = 1\nx = spam\n", "Z10", "", nil},
		{"spam = 1\n", "eggs = 1\n", "", "Z10", nil},
		{"spam = 1\n", "spam = 1  # noqa: Z10\n", "", "Z10", nil},
		{"fail(\n", "spam = 1\n", "Z10", "E999", nil},
		{"fail = 1\n", "x = 1\n", "", "", broken},
		{"x = 1\n", "fail = 1\n", "", "", broken},
	} {
		r, err := gate.Check("spam.py", []byte(test.before), []byte(test.after))
		if a, g := codes(r.New), codes(r.Gone); a != test.added || g != test.gone || !errors.Is(err, test.err) {
			t.Errorf("%q, %q: new %q, gone %q, %v", test.before, test.after, a, g, err)
		}
	}
}

func TestAppendJSON(t *testing.T) {
	gate, err := edit.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := gate.Check("", []byte("x=1\n"), []byte("import os\nx = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	r.Reasons = []string{"a \"b\""}
	const want = `"new": [{"code":"F401","row":1,"column":1,"start":0,"end":9,"message":"'os' imported but unused"}], ` +
		`"gone": [{"code":"E225","row":1,"column":2,"start":1,"end":1,"message":"missing whitespace around operator"}], ` +
		`"found": 1, "tree": "other", "meaning": "same", "proof": "form", "reasons": ["a \"b\""]`
	if got := string(r.AppendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func BenchmarkCheck(b *testing.B) {
	gate, err := edit.New(lint.Options{})
	if err != nil {
		b.Fatal(err)
	}
	before := []byte(strings.Repeat("def f(a, b):\n    if a == b:\n        return [x for x in a]\n    return a + b\n\n\n", 100))
	after := []byte(strings.Replace(string(before), "a + b", "a - b", 1))
	b.SetBytes(int64(len(before)))
	b.ReportAllocs()
	for b.Loop() {
		gate.Check("spam.py", before, after)
	}
}
