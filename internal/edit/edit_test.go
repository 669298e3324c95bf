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
		{"what a finding asks for", function, replaced("== None", "is None"), "", "E711", edit.Other, edit.Same, edit.ByForm},
		{"another name", function, replaced("b", "c"), "", "", edit.Other, edit.Same, edit.ByForm},
		{"another number", function, replaced("+ 1", "+ 2"), "", "", edit.Other, edit.Unknown, ""},
		{"broken", function, replaced("return 1", "return (1"), "E999", "E711", edit.Other, edit.Other, ""},
		{"repaired", "f(\n", "f()\n", "F821", "E999", edit.Other, edit.Other, ""},
		{"broken before and after", "f(\n", "g(\n", "", "", edit.Unknown, edit.Unknown, ""},
		{"from nothing", "", "x = 1\n", "", "", edit.Other, edit.Unknown, ""},
		{"line ends and a mark", "x = y\n", "\xef\xbb\xbfx = y\r\n", "", "", edit.Same, edit.Same, edit.ByTree},
	} {
		r := gate.Check("spam.py", []byte(test.before), []byte(test.after))
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

func TestAppendJSON(t *testing.T) {
	gate, err := edit.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := gate.Check("", []byte("x=1\n"), []byte("import os\nx = 1\n"))
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
