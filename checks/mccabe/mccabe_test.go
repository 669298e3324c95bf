package mccabe_test

import (
	"fmt"
	"strings"
	"testing"

	"codelinter/ast"
	"codelinter/checks/mccabe"
	"codelinter/internal/testenv/bench"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
	"github.com/google/go-cmp/cmp"
)

// parse returns text as a file with its tree.
func parse(t testing.TB, text string) (*source.File, *ast.Module) {
	t.Helper()
	var file source.File
	if err := file.Load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	module, err := parser.Parse(&file, parser.Options{})
	if err != nil {
		t.Fatalf("not Python:\n%s", text)
	}
	return &file, module
}

func complexityOnly() *rule.Set {
	var enabled rule.Set
	enabled.Add(rule.C901)
	return &enabled
}

// Each function of mccabe's own kinds has the complexity, the name and the
// place that mccabe 0.7.0 gives it, above a maximum of 0.
func TestComplexities(t *testing.T) {
	var checker mccabe.Checker
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"x = [y for y in z if y and w]", ""},
		{"def f(): pass", "1:1 'f' is too complex (1)"},
		{"async def f(): pass", "1:1 'f' is too complex (1)"},
		{"@a\n@b\ndef f(): pass", "3:1 'f' is too complex (1)"},
		{"def f():\n if a: b\n", "1:1 'f' is too complex (2)"},
		{"def f():\n if a: b\n else: c\n", "1:1 'f' is too complex (2)"},
		{"def f():\n if a: b\n elif c: d\n elif e: g\n else: h\n", "1:1 'f' is too complex (4)"},
		{"def f():\n if a:\n  if b: c\n else:\n  if d: e\n  g\n", "1:1 'f' is too complex (4)"},
		{"def f():\n for a in b: c\n", "1:1 'f' is too complex (2)"},
		{"def f():\n for a in b: c\n else:\n  if d: e\n", "1:1 'f' is too complex (3)"},
		{"def f():\n while a:\n  if b: break\n else: c\n", "1:1 'f' is too complex (3)"},
		{"async def f():\n async for a in b:\n  if c: d\n else: e\n", "1:1 'f' is too complex (3)"},
		{"def f():\n with a, b:\n  if c: d\n", "1:1 'f' is too complex (2)"},
		{"async def f():\n async with a:\n  if c: d\n", "1:1 'f' is too complex (2)"},
		{"def f():\n try: a\n except B: c\n", "1:1 'f' is too complex (3)"},
		{"def f():\n try: a\n except B: c\n except D: e\n else: g\n", "1:1 'f' is too complex (4)"},
		{"def f():\n try:\n  if a: b\n except C:\n  if d: e\n else:\n  if g: h\n", "1:1 'f' is too complex (6)"},

		// What mccabe never enters.
		{"def f():\n try: a\n finally:\n  if b: c\n", "1:1 'f' is too complex (2)"},
		{"def f():\n try:\n  if a: b\n except* C:\n  if d: e\n", "1:1 'f' is too complex (1)"},
		{"def f():\n match a:\n  case 1:\n   if b: c\n  case 2: d\n", "1:1 'f' is too complex (1)"},
		{"def f():\n return a and b or [c for c in d if c if e] if g else h", "1:1 'f' is too complex (1)"},
		{"f = lambda: a if b else c", ""},
		{"match a:\n case 1:\n  def f(): pass\n", ""},
		{"try: a\nexcept* B:\n def f(): pass\n", ""},

		// Functions in functions count as part of the outer one.
		{"def f():\n def g():\n  if a: b\n", "1:1 'f' is too complex (3)"},
		{"def f():\n def g(): pass\n def h(): pass\n async def i():\n  def j(): pass\n", "1:1 'f' is too complex (5)"},
		{"def f():\n class A:\n  def g(self): pass\n  x = 1\n", "1:1 'f' is too complex (2)"},
		{"def f(a=lambda: b):\n g = lambda: c\n", "1:1 'f' is too complex (1)"},

		// Methods bear the names of their classes.
		{"class A:\n def f(self): pass\n async def g(self): pass\n", "2:2 'A.f' is too complex (1)\n3:2 'A.g' is too complex (1)"},
		{"class A:\n class B:\n  def f(self): pass\n def g(self): pass\n", "3:3 'A.B.f' is too complex (1)\n4:2 'A.g' is too complex (1)"},
		{"class A:\n @property\n def f(self): pass\n", "3:2 'A.f' is too complex (1)"},
		{"class É:\n x = 'é'\n def ﬁ(self): pass\n", "3:2 'É.fi' is too complex (1)"},

		// Statements outside of functions bear the number of their line.
		{"if a:\n b\n", "1:1 'If 1' is too complex (2)"},
		{"\nif a:\n b\nelif c:\n d\n", "2:1 'If 2' is too complex (3)"},
		{"for a in b:\n c\nwhile d:\n e\n", "1:1 'Loop 1' is too complex (2)\n3:1 'Loop 3' is too complex (2)"},
		{"try:\n a\nexcept B:\n c\n", "1:1 'TryExcept 1' is too complex (3)"},
		{"try:\n a\nfinally:\n def f(): pass\n", "1:1 'TryExcept 1' is too complex (2)"},
		{"if a:\n def f():\n  if b: c\n", "1:1 'If 1' is too complex (4)"},
		{"if a:\n class B:\n  def f(): pass\n", "1:1 'If 1' is too complex (3)"},
		{"class A:\n if b:\n  def f(self): pass\n for c in d: e\n", "2:2 'If 2' is too complex (3)\n4:2 'Loop 4' is too complex (2)"},
		{"with a:\n def f(): pass\n if b: c\n", "2:2 'f' is too complex (1)\n3:2 'If 3' is too complex (2)"},

		// The last function of a name stands for all, in the place of the first.
		{"def f(): pass\ndef g(): pass\ndef f():\n if a: b\n", "3:1 'f' is too complex (2)\n2:1 'g' is too complex (1)"},
		{"class A:\n def f(): a\nclass B:\n def f(): b\nclass A:\n def f(): c\n", "6:2 'A.f' is too complex (1)\n4:2 'B.f' is too complex (1)"},
		{"class A:\n def f(): a\ndef A(): b\n", "2:2 'A.f' is too complex (1)\n3:1 'A' is too complex (1)"},
		{"class A:\n class B:\n  def f(): a\nclass A:\n class B:\n  def f(): b\nclass B:\n def f(): c\n", "6:3 'A.B.f' is too complex (1)\n8:2 'B.f' is too complex (1)"},
	} {
		file, module := parse(t, test.text)
		var got []string
		for _, f := range checker.Check(file, module, 0, complexityOnly(), nil) {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Row, f.Column, f.Message()))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%q\n(-want +got)\n%s", test.text, diff)
		}
	}
}

// A function is reported from one above the maximum on, and nothing is if there
// is no maximum or the code is off.
func TestMaximum(t *testing.T) {
	var checker mccabe.Checker
	file, module := parse(t, "def f():\n if a: b\n\ndef g(): pass\n")
	for _, test := range []struct {
		maximum, want int
		enabled       *rule.Set
	}{
		{-1, 0, complexityOnly()},
		{0, 2, complexityOnly()},
		{1, 1, complexityOnly()},
		{2, 0, complexityOnly()},
		{0, 0, new(rule.Set)},
	} {
		if got := len(checker.Check(file, module, test.maximum, test.enabled, nil)); got != test.want {
			t.Errorf("above %d: %d findings, want %d", test.maximum, got, test.want)
		}
	}
}

// Findings are appended, and a Checker works as well after a larger file.
func TestReuse(t *testing.T) {
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "def f%d(): pass\n", i)
		if i%10 == 0 {
			fmt.Fprintf(&many, "class C%d:\n def f%d(): pass\n", i, i-i%100)
		}
	}
	largeFile, large := parse(t, many.String())
	smallFile, small := parse(t, "def f(): pass\nclass f:\n def f(): pass\ndef f(): pass\n")
	var checker mccabe.Checker
	var findings []rule.Finding
	run := func() {
		findings = checker.Check(largeFile, large, 0, complexityOnly(), findings[:0])
		if len(findings) != 1100 {
			t.Fatalf("%d findings, want 1100", len(findings))
		}
		findings = checker.Check(smallFile, small, 0, complexityOnly(), findings)
		if len(findings) != 1102 || findings[1101].Message() != "'f.f' is too complex (1)" {
			t.Fatalf("%d findings, the last is %q", len(findings), findings[len(findings)-1].Message())
		}
	}
	if allocations := testing.AllocsPerRun(10, run); allocations > 3 { // those of complexityOnly and Message
		t.Errorf("%v allocations a run", allocations)
	}
}

// A chain of elif, which is as deep a tree as it is long, takes no stack.
func TestDepth(t *testing.T) {
	const links = 200_000
	module := &ast.Module{}
	body := &module.Body
	for range links {
		n := &ast.If{Body: []ast.Stmt{&ast.Pass{}}}
		*body = []ast.Stmt{n}
		body = &n.Orelse
	}
	var file source.File
	if err := file.Load([]byte("if a: pass\n" + strings.Repeat("elif a: pass\n", links-1))); err != nil {
		t.Fatal(err)
	}
	var checker mccabe.Checker
	findings := checker.Check(&file, module, 10, complexityOnly(), nil)
	if want := fmt.Sprintf("'If 1' is too complex (%d)", links+1); len(findings) != 1 || findings[0].Message() != want {
		t.Errorf("%v, want %s", findings, want)
	}
}

// What the methods of a class share is in memory once.
func TestLongName(t *testing.T) {
	const n = 100_000
	var text strings.Builder
	text.WriteString("class " + strings.Repeat("A", 10*n) + ":\n class B:\n")
	for i := range n {
		fmt.Fprintf(&text, "  def f%d(): pass\n", i)
	}
	file, module := parse(t, text.String())
	var checker mccabe.Checker
	if findings := checker.Check(file, module, 0, complexityOnly(), nil); len(findings) != n {
		t.Errorf("%d findings, want %d", len(findings), n)
	}
}

func BenchmarkCheck(b *testing.B) {
	bench.Run(b, func(files [][]byte) func() {
		var (
			checker  mccabe.Checker
			loaded   []*source.File
			modules  []*ast.Module
			findings []rule.Finding
			enabled  = complexityOnly()
		)
		for _, data := range files {
			file := new(source.File)
			if err := file.Load(data); err != nil {
				b.Fatal(err)
			}
			if module, err := parser.Parse(file, parser.Options{}); err == nil {
				loaded, modules = append(loaded, file), append(modules, module)
			}
		}
		return func() {
			for i := range loaded {
				findings = checker.Check(loaded[i], modules[i], 10, enabled, findings[:0])
			}
		}
	})
}
