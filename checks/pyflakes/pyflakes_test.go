package pyflakes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/checks/pyflakes"
	"codelinter/internal/testenv/bench"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) { bench.Main(m) }

// everyCode returns the set of all codes.
func everyCode() (all rule.Set) {
	for code := range rule.Code(rule.Count) {
		all.Add(code)
	}
	return all
}

// A checkTest is a program and what flake8 says about it, in pyflakes's order.
type checkTest struct{ text, want string }

// testCheck runs one checker over all tests. They are flake8 7.3.0's on CPython 3.14
// unless the options say otherwise.
func testCheck(t *testing.T, o pyflakes.Options, tests []checkTest) {
	t.Helper()
	if o.Release == 0 {
		o.Release = rule.Flake8730
	}
	if o.Target == 0 {
		o.Target = source.Python314
	}
	enabled := everyCode()
	var c pyflakes.Checker
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			t.Helper()
			got, ok := check(&c, test.text, o, &enabled)
			if !ok {
				t.Fatal("not Python")
			}
			if diff := cmp.Diff(strings.Split(test.want, " | "), strings.Split(got, " | ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func check(c *pyflakes.Checker, text string, o pyflakes.Options, enabled *rule.Set) (string, bool) {
	var file source.File
	if file.Load([]byte(text)) != nil {
		return "", false
	}
	module, err := parser.Parse(&file, parser.Options{Target: o.Target})
	if err != nil {
		return "", false
	}
	var lines []string
	for _, f := range c.Check(&file, module, o, enabled, nil) {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Row, f.Column, f.Code.String(), f.Message()))
	}
	return strings.Join(lines, " | "), true
}

// In the file that makes a package, __path__ is defined and exports may be
// modules that are not.
func TestPackage(t *testing.T) {
	for _, name := range []string{"__init__.py", "spam/__init__.py"} {
		testCheck(t, pyflakes.Options{Filename: name}, []checkTest{
			{"__path__", ""},
			{"def f(): return __path__, __spam__", "1:27 F821 undefined name '__spam__'"},
			{"__all__ = ['spam']", ""},
			{"import os\n__all__ = ['os']", ""},
			{"import os\n__all__ = ['spam']", "1:1 F401 'os' imported but unused"},
			{"from spam import *\n__all__ = ['eggs']", "1:1 F403 'from spam import *' used; unable to detect undefined names | 2:1 F405 'eggs' may be undefined, or defined from star imports: spam"},
		})
	}
}

// Older Pythons have fewer builtins, no scopes for type parameters, and
// annotations that are evaluated where they stand.
func TestTargets(t *testing.T) {
	tests := []struct {
		target source.Version
		tests  []checkTest
	}{
		{source.Python310, []checkTest{
			{"ExceptionGroup", "1:1 F821 undefined name 'ExceptionGroup'"},
			{"def f(a=(x := 1)): pass\nx", ""},
		}},
		{source.Python311, []checkTest{
			{"ExceptionGroup, PythonFinalizationError", "1:17 F821 undefined name 'PythonFinalizationError'"},
			{"class A:\n    def f(self, a=__module__): pass", ""},
		}},
		{source.Python312, []checkTest{
			{"def f(a=(x := 1)): pass\nx", "2:1 F821 undefined name 'x'"},
			{"class A: __firstlineno__", "1:10 F821 undefined name '__firstlineno__'"},
		}},
		{source.Python313, []checkTest{
			{"class A: __firstlineno__", ""},
			{"PythonFinalizationError, _IncompleteInputError", ""},
			{"x: y\ny = 1", "1:4 F821 undefined name 'y'"},
			{"from __future__ import annotations\nx: y\ny = 1", ""},
			{"y: int\nx: y", "2:4 F821 undefined name 'y'"},
			{"from __future__ import annotations\ny: int\nx: y", ""},
			{"def f(a: y = z): pass\ny = 1", "1:10 F821 undefined name 'y' | 1:14 F821 undefined name 'z'"},
			{"x: 'y'\ny = 1", ""},
		}},
		{source.Python314, []checkTest{{"x: y\ny = 1", ""}}},
	}
	for _, test := range tests {
		t.Run(test.target.String(), func(t *testing.T) {
			testCheck(t, pyflakes.Options{Filename: "spam.py", Target: test.target}, test.tests)
		})
	}
}

// Where pyflakes dies of an exception, the other checks go on.
func TestCrashes(t *testing.T) {
	testCheck(t, pyflakes.Options{Filename: "spam.py"}, []checkTest{
		{"def f():\n    from __future__ import annotations\nspam", "3:1 F821 undefined name 'spam' | 2:5 F404 from __future__ imports must occur at the beginning of the file"},
		{"from x import __all__\n__all__ += ['spam']", "2:1 F822 undefined name 'spam' in __all__"},
	})
}

// Names are found in deep scopes as they are in flat ones.
func TestDeepScopes(t *testing.T) {
	lambdas := strings.Repeat("lambda y: ", 20)
	testCheck(t, pyflakes.Options{Filename: "spam.py"}, []checkTest{{
		"w = 1\n" + strings.Repeat("[x for x in w], ", 10) + "\n" +
			"class A:\n" +
			"    x = 1\n" +
			"    lambda x: " + lambdas + "(x, (lambda: (x, x := y)), (lambda: (w, w := 2)), [x for x in x], __class__, q)\n" +
			"    def f():\n" +
			"        x: int\n" +
			"        " + lambdas + "(x, __module__)\n",
		"5:292 F821 undefined name 'q' | " +
			"8:210 F821 undefined name 'x' | " +
			"8:213 F821 undefined name '__module__' | " +
			"5:229 F823 local variable 'x' defined in enclosing scope on line 5 referenced before assignment | " +
			"5:252 F823 local variable 'w' defined in enclosing scope on line 1 referenced before assignment | " +
			"5:232 F841 local variable 'x' is assigned to but never used | " +
			"5:255 F841 local variable 'w' is assigned to but never used",
	}})
}

// Codes that are not wanted are not reported, and what is found does not change
// with the number of files that a checker has seen.
func TestReuse(t *testing.T) {
	var one rule.Set
	one.Add(rule.F401)
	all := everyCode()
	var c pyflakes.Checker
	o := pyflakes.Options{Filename: "spam.py"}
	const text = "import os\nspam\ndef f(): global spam, x\n'%s' % (1, 2)\n{1: 1, 1: 2}\n"
	for range 3 {
		if got, _ := check(&c, text, o, &one); got != "1:1 F401 'os' imported but unused" {
			t.Errorf("with F401 alone: %s", got)
		}
		if got, _ := check(&c, text, o, &all); strings.Count(got, "|") != 5 || strings.Contains(got, "F821") {
			t.Errorf("with every code: %s", got)
		}
		o.Builtins = append(o.Builtins, "spam")
	}
}

// Builtins stay defined for one file after the other, however many there are.
func TestManyBuiltins(t *testing.T) {
	o := pyflakes.Options{Filename: "spam.py"}
	for i := range 2000 {
		o.Builtins = append(o.Builtins, fmt.Sprint("spam", i))
	}
	text := strings.Join(o.Builtins, "\n") + "\nprint(eggs)\n"
	enabled := everyCode()
	var c pyflakes.Checker
	for range 3 {
		if got, _ := check(&c, text, o, &enabled); got != "2001:7 F821 undefined name 'eggs'" {
			t.Error(got)
		}
	}
}

// A checker that has seen a file allocates nothing for it.
func TestAllocations(t *testing.T) {
	text := "import os, a.b\nfrom c import *\n__all__ = ['x']\n__all__ += ['y']\n" +
		"def f(a: 'b' = [c for c in d], *e):\n    global g\n    x = {1: 1, 1: 2}\n    '%s' % (h,)\n    try: i\n    except j as k: pass\n"
	var file source.File
	if err := file.Load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	module, err := parser.Parse(&file, parser.Options{})
	if err != nil {
		t.Fatal("not Python")
	}
	enabled := everyCode()
	var c pyflakes.Checker
	var findings []rule.Finding
	run := func() {
		findings = c.Check(&file, module, pyflakes.Options{Filename: "spam.py"}, &enabled, findings[:0])
	}
	run()
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Long and deep programs take time linear in their length.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds of processor time")
	}
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	enabled := everyCode()
	var c pyflakes.Checker
	for name, text := range map[string]func(n int) string{
		"sum":        func(n int) string { return "x" + strings.Repeat(" + x", 4*n) },
		"attributes": func(n int) string { return "x" + strings.Repeat(".x", 10*n) },
		"calls":      func(n int) string { return "x" + strings.Repeat("()", 10*n) },
		"subscripts": func(n int) string { return "x" + strings.Repeat("[0]", 10*n) },
		"annotation": func(n int) string { return "x: '" + strings.Repeat("x + ", n) + "x'" },
		"exports":    func(n int) string { return "__all__ = []\n" + strings.Repeat("__all__ += ['x']\n", n) },
		"globals": func(n int) string {
			return numbered(n, "x#\n") + "def f():\n" + numbered(n, "    global x#\n") + numbered(n, "    x# = 1\n")
		},
		"redefinitions": func(n int) string { return "if x:\n" + strings.Repeat("    import x\n", n) },
		"arguments":     func(n int) string { return "import x\n" + strings.Repeat("def f(x): pass\n", n) },
		"walruses":      func(n int) string { return "import spam" + numbered(n, ", x#") + "\n0" + numbered(n, " + (x# := 1)") },
		"equal keys":    func(n int) string { return "{" + strings.Repeat("1: 1, ", n) + "}" },
		"other keys":    func(n int) string { return "{" + numbered(n, "#: x, ") + numbered(n, "#.0: y, ") + "}" },
		"doctest":       func(n int) string { return "def f():\n    '''\n" + strings.Repeat("    >>> x\n", n) + "    '''" },
		"one example": func(n int) string {
			return "def f():\n    '''\n    >>> if x:\n" + strings.Repeat("    ...     y\n", n) + "    ...     " + strings.Repeat("y;", 2*n) + "\n    '''"
		},
		"casts": func(n int) string {
			return "from typing import cast\n" + strings.Repeat("cast(", 60) + "x" + strings.Repeat(", y)", 60)
		},
		"lambdas": func(n int) string { return strings.Repeat("lambda: ", 2000) + "x" },
		"nots":    func(n int) string { return strings.Repeat("not ", 5000) + "x" },
		"deep scopes": func(n int) string {
			return strings.Repeat("lambda x: ", 2800) + "[" + strings.Repeat("(lambda: (x, x := y)), [x for x in x], z, ", n) + "]"
		},
		"close keys": func(n int) string { return "{" + numbered(n, "9007199254740992#: x, ") + "}" },
		"unpackings": func(n int) string { return "{" + strings.Repeat("**x, ", n) + "}" },
		"stars": func(n int) string {
			return numbered(n, "from x# import *\n") + numbered(n, "y#\n") + "__all__ = [" + numbered(n, "'z#', ") + "]"
		},
		"star by star": func(n int) string { return numbered(n, "from x# import *\ny#\n") },
		"long star":    func(n int) string { return "from " + strings.Repeat("x", n) + " import *\n" + numbered(n, "y#\n") },
		"long module":  func(n int) string { return "from " + strings.Repeat("x", n) + " import y" + numbered(n, ", y#") },
		"two modules": func(n int) string {
			return "from " + strings.Repeat("x", n) + " import y" + numbered(n, ", y#") + "\n" +
				"from " + strings.Repeat("z", n) + " import y" + strings.ReplaceAll(numbered(n, ", y#"), "0,", "1,")
		},
		"functions": func(n int) string { return numbered(n, "def f#(self, x): return x\n") },
	} {
		t.Run(name, func(t *testing.T) {
			bench.Linear(t, 12_500, func(n int) func() {
				var file source.File
				if err := file.Load([]byte(text(n))); err != nil {
					t.Fatal(err)
				}
				module, err := parser.Parse(&file, parser.Options{})
				if err != nil {
					t.Fatal("not Python")
				}
				return func() {
					// Not their messages: together they may well be that long.
					c.Check(&file, module, pyflakes.Options{Filename: "spam.py", Doctests: true}, &enabled, nil)
				}
			})
		})
	}
}

// FuzzCheck requires that a checker's findings lie in the text, and do not
// depend on what it has checked before.
func FuzzCheck(f *testing.F) {
	paths, err := filepath.Glob("../../testdata/flake8-golden/pyflakes/*.py")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, text := range []string{
		"def f(a: 'b', *c: List['d']):\n    '''\n    >>> x = 1\n    ... y\n    '''\n    global e\n    del e\n",
		"match a:\n    case [b, *c] | {'d': e, **f} if (g := h): import os\n",
		"from typing import *\nfrom typing import cast, overload\ncast('x', y)\nclass A[T: 'U'](T): x: int\n",
	} {
		f.Add(text)
	}
	enabled := everyCode()
	var reused pyflakes.Checker
	f.Fuzz(func(t *testing.T, text string) {
		o := pyflakes.Options{Filename: "spam.py", Doctests: true}
		got, ok := check(&reused, text, o, &enabled)
		if !ok {
			return
		}
		var fresh pyflakes.Checker
		want, _ := check(&fresh, text, o, &enabled)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a reused checker differs from a fresh one\n%s", diff)
		}
	})
}
