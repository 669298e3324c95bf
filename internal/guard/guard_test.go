package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"codelinter/internal/guard"
	"codelinter/lint"
)

// check has a fresh Checker judge answer, with callers as what calls the program.
func check(t *testing.T, program, answer string, callers ...string) *guard.Report {
	t.Helper()
	var c guard.Checker
	p, err := c.Program([]byte(program), callers...)
	if err != nil {
		t.Fatalf("%v in\n%s", err, program)
	}
	linter, err := lint.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	result := linter.Lint(lint.Input{Data: []byte(answer), Facts: true})
	return c.Check(p, []byte(answer), result.Facts)
}

// names returns the names of a report's reasons, each once.
func names(r *guard.Report) string {
	var list []string
	seen := map[string]bool{}
	for _, reason := range r.Reasons {
		if !seen[reason.Name] {
			list = append(list, string(reason.Name))
		}
		seen[reason.Name] = true
	}
	return strings.Join(list, " ")
}

func TestDefinitions(t *testing.T) {
	for _, test := range []struct{ name, program, answer, callers, want string }{
		{"same", "def f(a): return a\n", "def f(a):\n    return a\n", "", ""},
		{"dropped", "def f(a): return a\n", "x = 1\n", "", "missing-definition"},
		{"method dropped", "class A:\n  def f(self): return 1\n  def g(self): return 2\n", "class A:\n    def f(self):\n        return 1\n", "", "missing-definition"},
		{"wrapped in a class", "def f(a): return a\n", "class S:\n    def f(a):\n        return a\n", "", "missing-definition"},
		{"under a condition", "def f(a): return a\n", "if False:\n    def f(a):\n        return a\n", "", "missing-definition"},
		{"under the program's condition", "try:\n  import q\nexcept E:\n  def f(a): return a\n", "try:\n    import q\nexcept E:\n    def f(a):\n        return a\n", "", ""},
		{"redefined in an if", "def f(a): return a\n", "def f(a):\n    return a\n\n\nif f:\n    def f(a):\n        return 1\n", "", "redefinition"},
		{"set to None", "def f(a): return a\n", "def f(a):\n    return a\n\n\nf = f and None\n", "", "redefinition"},
		{"global in a function", "def f(a): return a\n", "def f(a):\n    global f\n    f = None\n    return a\n", "", "redefinition"},
		{"deleted", "def f(a): return a\n", "def f(a):\n    return a\n\n\ndel f\n", "", "missing-definition"},
		{"declared global and not bound", "def f(a): return a\n", "def f(a):\n    global f\n    return a\n", "", ""},
		{"a comprehension's variable", "n = 3\n", "x = [n for n in \"ab\"]\n", "assert n == 3\n", "missing-definition"},
		{"a walrus in a comprehension", "n = 3\n", "x = [n := 3 for m in \"a\"]\n", "assert n == 3\n", ""},
		{"a type parameter of that name", "class B: pass\ndef f(b): return b\n", "class B:\n    pass\n\n\ndef f[B](b: B) -> B:\n    return b\n", "", ""},
		{"in a handler", "def f(a): return a\n", "try:\n    pass\nexcept ValueError as f:\n    pass\n", "", "missing-definition"},
		{"alias", "def F(a): return a\n", "def f(a):\n    return a\n\n\nF = f\n", "", ""},
		{"alias of nothing", "def F(a): return a\n", "F = print\n", "", "redefinition"},
		{"program wraps", "def f(a): return a\nf = cache(f)\n", "def f(a):\n    return a\n\n\nf = cache(f)\n", "", ""},
		{"lambda became def", "f = lambda a: a\n", "def f(a):\n    return a\n", "", ""},
		{"first of two", "def f(a): pass\ndef f(a): return a\n", "def f(a):\n    return a\n", "", ""},
		{"def became class", "def f(a): return a\n", "class f:\n    a = 1\n", "", "signature"},
		{"def became async", "def f(a): return a\n", "async def f(a):\n    return a\n", "", "signature"},
		{"decorated", "def f(a): return a\n", "def no(f):\n    return None\n\n\n@no\ndef f(a):\n    return a\n", "", "decorator"},
		{"the program's decorator", "@d\ndef f(a): return a\n", "@d\ndef f(a):\n    return a\n", "", ""},
		{"cached", "def f(a): return a\n", "@functools.cache\ndef f(a):\n    return a\n", "", ""},
		{"base dropped", "class A(dict): n = 1\n", "class A:\n    n = 1\n", "", "missing-definition"},
		{"another base", "class E(ValueError): pass\n", "class E(Exception):\n    pass\n", "", "missing-definition"},
		{"base added", "class A(B): pass\n", "class A(B, C):\n    pass\n", "", ""},
		{"base that all have", "class A(object): pass\n", "class A:\n    pass\n", "", ""},
		{"base in a module", "class A(abc.ABC): pass\n", "class A(ABC):\n    pass\n", "", ""},
		{"another constant", "LIMIT=10\n", "LIMIT = 11\n", "", "redefinition"},
		{"another constant of a class", "class A:\n  n=-1.5\n", "class A:\n    n = 1.5\n", "", "redefinition"},
		{"the same constant", "LIMIT=0x10\n", "LIMIT: int = 16\n", "", ""},
		{"a constant that is calculated", "LIMIT=10*2\n", "LIMIT = 20\n", "", ""},
		{"another constant as a default", "ONE=1\nTWO=2\ndef f(a=ONE): return a\n", "ONE = 1\nTWO = 2\n\n\ndef f(a=TWO):\n    return a\n", "", "signature"},
		{"another constant of a class as a default", "class A:\n  n=1\n  def f(self, a=n): return a\n", "class A:\n    n = 1\n\n    def f(self, a=2):\n        return a\n", "", "signature"},
		{"a name for a default", "def f(a=1): return a\n", "ONE = 1\n\n\ndef f(a=ONE):\n    return a\n", "", ""},
		{"a default that is bound twice", "ONE=1\nONE=2\ndef f(a=ONE): return a\n", "ONE = 1\nONE = 2\n\n\ndef f(a=2):\n    return a\n", "", ""},
		{"a cache of its own", "def f(a): return a\n", "def cache(g):\n    return lambda a: 0\n\n\n@cache\ndef f(a):\n    return a\n", "", "decorator"},
		{"a cache by another name", "def f(a): return a\n", "from operator import truth as cache\n\n\n@cache\ndef f(a):\n    return a\n", "", "decorator"},
		{"a module of its own", "def f(a): return a\n", "class functools:\n    cache = str\n\n\n@functools.cache\ndef f(a):\n    return a\n", "", "decorator"},
		{"a method's decorator of its own", "class A:\n  def f(a): return a\n", "class A:\n    final = str\n\n    @final\n    def f(a):\n        return a\n", "", "decorator"},
		{"an imported cache", "def f(a): return a\n", "from functools import cache\n\n\n@cache\ndef f(a):\n    return a\n", "", ""},
		{"name the tests read", "LIMIT=1\n", "limit = 1\n", "assert LIMIT == 1", "missing-definition"},
		{"name nobody reads", "LIMIT=1\n", "limit = 1\n", "LIMIT = 2\nassert LIMIT == 2", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := names(check(t, test.program, test.answer, test.callers)); got != test.want {
				t.Errorf("refused for %q, want %q", got, test.want)
			}
		})
	}
}

func TestSignature(t *testing.T) {
	for _, test := range []struct {
		program, answer, callers string
		taken                    bool
	}{
		{"a, b", "a, b", "", true},
		{"a, b", "first, second", "", true},
		{"a, b", "first, second", "f(1, 2)", true},
		{"a, b", "first, second", "f(1, b=2)", false},
		{"a, b", "first, second", "f(**x)", false},
		{"a, b", "a", "", false},
		{"a, b", "a, b, c", "", false},
		{"a, b", "a, b, c=1", "", true},
		{"a, b", "a, b=1", "", true},
		{"a, b=1", "a, b", "", false},
		{"a, b=1", "a, b=2", "", false},
		{"a, b=16", "a, b=0x10", "", true},
		{"a, b=-1", "a, b=1", "", false},
		{"a, b=1", "a, b=LIMIT", "", true},
		{"a, b", "*args", "", true},
		{"a, b", "a, /, b", "f(a=1, b=2)", false},
		{"a, /, b", "c, /, b", "g(a=1)", true},
		{"*args", "a", "", false},
		{"*args", "*rest", "", true},
		{"a, **kw", "a", "", false},
		{"a, *, b", "a, *, b", "", true},
		{"a, *, b", "a, b", "", true},
		{"a, *, b=1", "a, b", "", false},
		{"a, *, b", "a, b, /", "", false},
		{"a, *, b", "a, *, c", "", false},
		{"a, *, b=1", "a, *, b", "", false},
		{"a, *, b=1", "a, *, b=2", "", false},
		{"a", "a, *, b", "", false},
		{"a", "a, *, b=1", "", true},
		{"a, *, b", "a, **kw", "", true},
	} {
		t.Run(test.program+" to "+test.answer, func(t *testing.T) {
			r := check(t, "def f("+test.program+"): return 1\n", "def f("+test.answer+"):\n    return 1\n", test.callers)
			if taken := len(r.Reasons) == 0; taken != test.taken {
				t.Errorf("calls taken: %v, want %v; %v", taken, test.taken, r.Reasons)
			}
		})
	}
}

func TestRenamedByPlace(t *testing.T) {
	r := check(t, "def f(a): return l(a)\ndef l(a): return a\nclass I:\n  def O(self): return 1\n",
		"def f(a):\n    return same(a)\n\n\ndef same(a):\n    return a\n\n\nclass One:\n    def one(self):\n        return 1\n")
	if got, want := fmt.Sprint(r.Renamed), "[{l same} {I One} {I.O One.one}]"; got != want || len(r.Reasons) > 0 {
		t.Errorf("found %s, want %s; %v", got, want, r.Reasons)
	}
	if r := check(t, "def total(a): return a\n", "def summe(a):\n    return a\n"); names(r) != "missing-definition" {
		t.Errorf("a name that need not change may: %v", r.Reasons)
	}
}
