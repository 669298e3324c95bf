package guard_test

import (
	"strings"
	"testing"

	"codelinter/internal/guard"
	"codelinter/lint"
)

// sameTree reports whether the answer is proven to be the program, with no guard asked.
// asks says that the edits count that the program's findings ask for.
func sameTree(t *testing.T, asks bool, program, answer string, callers ...string) bool {
	t.Helper()
	var c guard.Checker
	p, err := c.Program([]byte(program), callers...)
	if err != nil {
		t.Fatalf("%v in\n%s", err, program)
	}
	if !asks {
		p.Ask(nil)
	}
	r := c.Check(p, []byte(answer), lint.Facts{})
	if len(r.Reasons) > 0 && r.Reasons[0].Name == guard.Syntax {
		t.Fatalf("no Python:\n%s", answer)
	}
	proven := c.Proven(p)
	if proven {
		q, err := c.Program([]byte(answer), callers...)
		if err != nil {
			t.Fatal(err)
		}
		if c.Check(q, []byte(answer), lint.Facts{}); !c.Proven(q) {
			t.Errorf("not the same as itself:\n%s", answer)
		}
	}
	return proven
}

// Each rule has texts that it takes for the program, and near misses: texts like these that do
// something else, or may, and that no finding asks for.
func TestSame(t *testing.T) {
	for _, test := range []struct {
		name, program string
		same, other   []string
	}{
		{
			name:    "layout",
			program: "def f(a,b):\n  return ( a+\\\n   b )*0x10+len('x' \"y\");\n",
			same: []string{
				"def f(a, b):\n    # sum\n    return (a + b) * 16 + len(\"xy\")\n",
				"def f(a, b):\n    return (((a) + b)) * 1_6 + len('''xy''')\n",
				"def f(a, b): return (a + b) * 0b10000 + len('\\x78y')\n",
			},
			other: []string{
				"def f(a, b):\n    return a + b * 16 + len('xy')\n",
				"def f(a, b):\n    return (a + b) * 16. + len('xy')\n",
				"def f(a, b):\n    return (a + b) * 16 + len(b'xy')\n",
				"def f(a, b):\n    return (a + b) * 16 + len(('x', 'y'))\n",
				"def f(a, b):\n    return (b + a) * 16 + len('xy')\n",
			},
		},
		{
			name:    "escapes (W605)",
			program: "import re\nP = '\\d+\\.'\n",
			same:    []string{"import re\nP = r'\\d+\\.'\n", "P = '\\\\d+\\\\.'\n"},
			other:   []string{"P = '\\\\d+.'\n", "P = r'\\\\d+\\.'\n"},
		},
		{
			name:    "numbers",
			program: "X = [1e3, 0xff, 1_000, 1j, 0.5]\n",
			same:    []string{"X = [1000.0, 255, 1000, 1.0j, 5e-1]\n"},
			other:   []string{"X = [1000, 255, 1000, 1j, 0.5]\n", "X = [1e3, 0xff, 1_000, 1.0, 0.5]\n", "X = [1e3, 0xfe, 1_000, 1j, 0.5]\n"},
		},
		{
			name:    "large ints",
			program: "X = 0x8000000000000000\n",
			same:    []string{"X = 9223372036854775808\n", "X = 9_223372036854775808\n"},
			other:   []string{"X = 9223372036854775807\n", "X = -9223372036854775808\n", "X = 0x80000000000000000\n"},
		},
		{
			name:    "statements on one line (E701, E702, E703)",
			program: "def f(a):\n  x = a; y = a;\n  if x: return y\n  return a\n",
			same:    []string{"def f(a):\n    x = a\n    y = a\n    if x:\n        return y\n    return a\n"},
			other:   []string{"def f(a):\n    x = a\n    y = a\n    if x:\n        return y\n        return a\n", "def f(a):\n    y = a\n    if y:\n        return y\n    return a\n"},
		},
		{
			name:    "pass and constants",
			program: "def f(a):\n    pass\n    if a:\n        pass\n    else:\n        g(a)\n    return a\n",
			same:    []string{"def f(a):\n    if a:\n        ...\n    else:\n        g(a)\n    return a\n", "def f(a):\n    \"\"\"Text.\"\"\"\n    if a:\n        \"text\"\n    else:\n        g(a)\n        1\n    return a\n"},
			other:   []string{"def f(a):\n    if not a:\n        pass\n    else:\n        g(a)\n    return a\n", "def f(a):\n    g(a)\n    return a\n", "def f(a):\n    if a:\n        b\n    else:\n        g(a)\n    return a\n"},
		},
		{
			name:    "names as statements",
			program: "def f(a):\n    b = a + 1\n    b\n    a, b\n    return b\n",
			same:    []string{"def f(a):\n    b = a + 1\n    return b\n", "def f(a):\n    b = a + 1\n    len\n    return b\n"},
			other:   []string{"def f(a):\n    b\n    b = a + 1\n    return b\n", "def f(a):\n    b = a + 1\n    c\n    return b\n", "def f(a):\n    b = a + 1\n    b.c\n    return b\n"},
		},
		{
			name:    "a name that may not be bound",
			program: "def f(a):\n    if a:\n        b = 1\n    b\n    return a\n",
			same:    []string{"def f(a):\n    if a:\n        c = 1\n    c\n    return a\n"},
			other:   []string{"def f(a):\n    if a:\n        b = 1\n    return a\n", "def f(a):\n    return a\n"},
		},
		{
			name:    "a name that is deleted",
			program: "def f(a):\n    del a\n    a\n",
			same:    []string{"def f(a):\n    del a\n    a\n    pass\n"},
			other:   []string{"def f(a):\n    del a\n"},
		},
		{
			name:    "return None",
			program: "def f(a):\n    if a:\n        return None\n    print(a)\n    return None\n",
			same:    []string{"def f(a):\n    if a:\n        return\n    print(a)\n", "def f(a):\n    if a:\n        return\n    print(a)\n    return\n"},
			other:   []string{"def f(a):\n    if a:\n        return 0\n    print(a)\n", "def f(a):\n    if a:\n        pass\n    print(a)\n", "def f(a):\n    if a:\n        return\n    return\n    print(a)\n"},
		},
		{
			name:    "else after return",
			program: "def f(a):\n    if a > 1:\n        return 1\n    elif a > 0:\n        raise E\n    else:\n        b = a\n    return b\n",
			same:    []string{"def f(a):\n    if a > 1:\n        return 1\n    if a > 0:\n        raise E\n    b = a\n    return b\n"},
			other:   []string{"def f(a):\n    if a > 1:\n        return 1\n    if a > 0:\n        pass\n    b = a\n    return b\n", "def f(a):\n    if a > 1:\n        pass\n    elif a > 0:\n        raise E\n    else:\n        b = a\n    return b\n"},
		},
		{
			name:    "else after a branch that goes on",
			program: "def f(a):\n    if a:\n        g(a)\n    else:\n        a = 2\n    return a\n",
			other:   []string{"def f(a):\n    if a:\n        g(a)\n    a = 2\n    return a\n"},
		},
		{
			name:    "local names (E741)",
			program: "def f(a):\n    l = [x for x in a]\n    for O in l:\n        a = O\n    return l, a\n",
			same:    []string{"def f(a):\n    items = [y for y in a]\n    for item in items:\n        a = item\n    return items, a\n"},
			other: []string{
				"def f(a):\n    items = [y for y in a]\n    for item in items:\n        b = item\n    return items, a\n",
				"def f(a):\n    a = [y for y in a]\n    for item in a:\n        a = item\n    return a, a\n",
			},
		},
		{
			name:    "names in closures",
			program: "def f(a):\n    n = 0\n    def g():\n        nonlocal n\n        n += a\n        return n\n    return g\n",
			same:    []string{"def f(a):\n    total = 0\n\n    def g():\n        nonlocal total\n        total += a\n        return total\n    return g\n"},
			other: []string{
				"def f(a):\n    n = 0\n\n    def g():\n        n = a\n        return n\n    return g\n",
				"def f(a):\n    n = 0\n\n    def g():\n        global n\n        n += a\n        return n\n    return g\n",
				"def f(a):\n    n = 0\n\n    def g(n):\n        n += a\n        return n\n    return g\n",
			},
		},
		{
			name:    "a local name and a global",
			program: "n = 1\ndef f():\n    n = 2\n    return n\ndef g():\n    return n\n",
			same:    []string{"n = 1\n\n\ndef f():\n    m = 2\n    return m\n\n\ndef g():\n    return n\n"},
			other:   []string{"n = 1\n\n\ndef f():\n    global n\n    n = 2\n    return n\n\n\ndef g():\n    return n\n", "m = 1\n\n\ndef f():\n    n = 2\n    return n\n\n\ndef g():\n    return m\n"},
		},
		{
			name:    "a comprehension's names",
			program: "def f(a):\n    x = 1\n    b = [x for x in a if x]\n    return b, x\n",
			same:    []string{"def f(a):\n    x = 1\n    b = [y for y in a if y]\n    return b, x\n"},
			other:   []string{"def f(a):\n    x = 1\n    b = [x for y in a if y]\n    return b, x\n", "def f(a):\n    x = 1\n    b = [x for x in x if x]\n    return b, x\n"},
		},
		{
			name:    "the first iterable belongs outside",
			program: "class A:\n    n = [1]\n    m = [x for x in n]\n",
			same:    []string{"class A:\n    n = [1]\n    m = [y for y in n]\n"},
			other:   []string{"class A:\n    n = [1]\n    m = [n for x in n]\n", "class A:\n    k = [1]\n    m = [x for x in k]\n"},
		},
		{
			name:    "walrus",
			program: "def f(a):\n    if (n := len(a)) > 1:\n        return n\n    return [m := x for x in a], m\n",
			same:    []string{"def f(a):\n    if (count := len(a)) > 1:\n        return count\n    return [last := x for x in a], last\n"},
			other:   []string{"def f(a):\n    if (n := len(a)) > 1:\n        return a\n    return [m := x for x in a], m\n", "def f(a):\n    if (n := len(a)) > 1:\n        return n\n    return [m := x for x in a], n\n"},
		},
		{
			name:    "names that are looked at",
			program: "def f(a):\n    l = a\n    return locals()\n",
			same:    []string{"def f(a):\n    l = (a)\n    return locals()\n", "def f(a):\n    l: int = a\n    return locals()\n"},
			other:   []string{"def f(a):\n    items = a\n    return locals()\n"},
		},
		{
			name:    "names of builtins that are no builtins",
			program: "import re\ndef f(dir):\n    l = re.compile('x')\n    stack = [dir]\n    return l, stack\n",
			same:    []string{"import re\n\n\ndef f(dir):\n    pattern = re.compile('x')\n    stack = [dir]\n    return pattern, stack\n"},
		},
		{
			name:    "names by another name",
			program: "def f(a):\n    l = a\n    g = vars\n    return g()\n",
			other:   []string{"def f(a):\n    n = a\n    g = vars\n    return g()\n"},
		},
		{
			name:    "names that exceptions tell",
			program: "def f(a):\n    try:\n        if a.b:\n            l = a.b\n        a(l)\n        return l\n    except NameError as e:\n        return str(e)\n",
			other:   []string{"def f(a):\n    try:\n        if a.b:\n            items = a.b\n        a(items)\n        return items\n    except NameError as e:\n        return str(e)\n"},
		},
		{
			name:    "names in an f-string with =",
			program: "def f(a):\n    l = a\n    return f'{l=}'\n",
			other:   []string{"def f(a):\n    items = a\n    return f'{items=}'\n"},
		},
		{
			name:    "parameters",
			program: "def f(l, n):\n    return l[n]\n",
			same:    []string{"def f(items, n):\n    return items[n]\n", "def f(list, n):\n    return list[n]\n"},
			other:   []string{"def f(n, l):\n    return l[n]\n", "def f(items, n):\n    return n[items]\n", "def f(items, n=0):\n    return items[n]\n", "def f(items, *n):\n    return items[n]\n", "def f(items, /, n):\n    return items[n]\n"},
		},
		{
			name:    "a parameter that is given by keyword",
			program: "def f(l):\n    return l\ndef g():\n    return f(l=1)\n",
			other:   []string{"def f(items):\n    return items\n\n\ndef g():\n    return f(l=1)\n", "def f(items):\n    return items\n\n\ndef g():\n    return f(items=1)\n"},
		},
		{
			name:    "definitions (E742, E743)",
			program: "def l(a):\n    return a\nclass I:\n    pass\ndef f(a):\n    return l(a)\n",
			same:    []string{"def same(a):\n    return a\n\n\nclass I:\n    pass\n\n\ndef f(a):\n    return same(a)\n"},
			other:   []string{"def l(a):\n    return a\n\n\nclass I:\n    pass\n\n\ndef g(a):\n    return l(a)\n", "def len(a):\n    return a\n\n\nclass I:\n    pass\n\n\ndef f(a):\n    return len(a)\n"},
		},
		{
			name:    "names in classes",
			program: "class A:\n    l = 1\n    def f(self):\n        return self.l\n",
			other:   []string{"class A:\n    n = 1\n\n    def f(self):\n        return self.n\n", "class B:\n    l = 1\n\n    def f(self):\n        return self.l\n", "class A:\n    l = 1\n\n    def g(self):\n        return self.l\n"},
		},
		{
			name:    "private names",
			program: "class A:\n    def f(self):\n        __n = 1\n        return __n + __n\n",
			other:   []string{"class A:\n    def f(self):\n        n = 1\n        return n + n\n"},
		},
		{
			name:    "imports (E401, E402, F401)",
			program: "import os, sys\ndef f(a):\n    return math.sqrt(a), sys.argv\nimport math\nfrom re import sub, match\nX = sub\n",
			same:    []string{"import math\nimport sys\nfrom re import sub\n\n\ndef f(a):\n    return math.sqrt(a), sys.argv\n\n\nX = sub\n"},
			other:   []string{"import cmath as math\nimport sys\nfrom re import sub\n\n\ndef f(a):\n    return math.sqrt(a), sys.argv\n\n\nX = sub\n", "import sys\nfrom re import sub\n\n\ndef f(a):\n    return math.sqrt(a), sys.argv\n\n\nX = sub\n", "import math\nimport sys\nfrom re import match as sub\n\n\ndef f(a):\n    return math.sqrt(a), sys.argv\n\n\nX = sub\n"},
		},
		{
			name:    "a lazy import",
			program: "import os, sys\n\ndef f(a):\n    import re\n    return os.path, sys.argv, re.match(a)\n",
			same:    []string{"lazy import os\nlazy import sys\n\n\ndef f(a):\n    import re\n    return os.path, sys.argv, re.match(a)\n"},
			other: []string{
				"import os\nimport sys\n\n\ndef f(a):\n    lazy import re\n    return os.path, sys.argv, re.match(a)\n",
				"lazy import ntpath as os\nlazy import sys\n\n\ndef f(a):\n    import re\n    return os.path, sys.argv, re.match(a)\n",
			},
		},
		{
			name:    "a lazy import that may fail",
			program: "import numpy\nX = numpy\n",
			same:    []string{"import numpy\n\nX = numpy\n"},
			other:   []string{"lazy import numpy\nX = numpy\n", "lazy from numpy import *\nX = numpy\n"},
		},
		{
			name:    "an import behind a use",
			program: "print(math)\nimport math\n",
			other:   []string{"import math\nprint(math)\n", "print(math)\n"},
		},
		{
			name:    "an import behind a call of what uses it",
			program: "def f():\n    return math.pi\nprint(f())\nimport math\n",
			other:   []string{"import math\n\n\ndef f():\n    return math.pi\n\n\nprint(f())\n"},
		},
		{
			name:    "an import that may not happen",
			program: "if X:\n    import math\nY = math\n",
			other:   []string{"import math\nY = math\n", "import math\nif X:\n    pass\nY = math\n"},
		},
		{
			name:    "an import that may fail",
			program: "import numpy\nfrom math import nothing\nX = 1\n",
			other:   []string{"from math import nothing\nX = 1\n", "import numpy\nX = 1\n", "X = 1\n"},
		},
		{
			name:    "an import from a module that was changed",
			program: "import math\nmath.pi = 3\nfrom math import pi\nX = pi\n",
			other:   []string{"import math\nfrom math import pi\nmath.pi = 3\nX = pi\n"},
		},
		{
			name:    "an import once more from a module that was changed",
			program: "import math\nfrom math import pi\nm = math\nm.pi = 3\nfrom math import pi\nX = pi\n",
			other:   []string{"import math\nfrom math import pi\nm = math\nm.pi = 3\nX = pi\n"},
		},
		{
			name:    "an import from a module that setattr changed",
			program: "import math\nsetattr(math, 'pi', 3)\nfrom math import pi\nX = pi\n",
			other:   []string{"import math\nfrom math import pi\nsetattr(math, 'pi', 3)\nX = pi\n"},
		},
		{
			name:    "an import of what others exchange",
			program: "import io\nimport contextlib\ncontextlib.redirect_stdout(io.StringIO()).__enter__()\nfrom sys import stdout\nX = stdout\n",
			other:   []string{"import io\nimport contextlib\nfrom sys import stdout\ncontextlib.redirect_stdout(io.StringIO()).__enter__()\nX = stdout\n"},
		},
		{
			name:    "an unused generator that has something to say at its end",
			program: "def g():\n    try:\n        yield 1\n    except BaseException:\n        print(1)\ndef f(a):\n    x = a(g)\n    return 1\n",
			other:   []string{"def g():\n    try:\n        yield 1\n    except BaseException:\n        print(1)\ndef f(a):\n    a(g)\n    return 1\n"},
		},
		{
			name:    "a truth that is asked for twice",
			program: "class A:\n    def __bool__(self):\n        return next(self.values)\ndef f(a):\n    if bool(a and 1):\n        return 1\n",
			other:   []string{"class A:\n    def __bool__(self):\n        return next(self.values)\ndef f(a):\n    if a and 1:\n        return 1\n"},
		},
		{
			name:    "a name that is looked up by text",
			program: "f = lambda x: x\ndef g():\n    return getattr(f, '__name__')\n",
			other:   []string{"def f(x):\n    return x\ndef g():\n    return getattr(f, '__name__')\n"},
		},
		{
			name:    "a name that is looked up by a text that is made",
			program: "f = lambda x: x\ndef g():\n    return getattr(f, '__na' + 'me__'), getattr(f, 'a')\n",
			other:   []string{"def f(x):\n    return x\ndef g():\n    return getattr(f, '__na' + 'me__'), getattr(f, 'a')\n"},
		},
		{
			name:    "attributes by constants",
			program: "h = lambda l: getattr(l, 'a', 0)\n",
			same:    []string{"def h(l):\n    return getattr(l, 'a', 0)\n"},
			other:   []string{"def h(l):\n    return getattr(l, 'b', 0)\n"},
		},
		{
			name:    "annotations that a dataclass keeps",
			program: "from __future__ import annotations\nfrom dataclasses import dataclass, fields\n@dataclass\nclass A:\n    x: int\n",
			other:   []string{"from dataclasses import dataclass, fields\n@dataclass\nclass A:\n    x: int\n"},
		},
		{
			name:    "an import of another binding",
			program: "import math\nmath = None\nX = math\n",
			other:   []string{"math = None\nimport math\nX = math\n", "math = None\nX = math\n"},
		},
		{
			name:    "an import that hides a builtin",
			program: "from math import pow\nX = 1\n",
			other:   []string{"X = 1\n"},
		},
		{
			name:    "redefinitions (F811)",
			program: "def f(a):\n    return 1\nX = 1\ndef f(a):\n    return a\n",
			same:    []string{"X = 1\n\n\ndef f(a):\n    return a\n"},
			other:   []string{"X = 1\n\n\ndef f(a):\n    return 1\n", "X = 1\n"},
		},
		{
			name:    "redefinitions with something between",
			program: "def f(a):\n    return 1\nX = f(0)\ndef f(a):\n    return a\n",
			other:   []string{"X = f(0)\n\n\ndef f(a):\n    return a\n", "def f(a):\n    return a\n\n\nX = f(0)\n"},
		},
		{
			name:    "redefinitions with a decorator",
			program: "class A:\n    @property\n    def f(self):\n        return 1\n    @f.setter\n    def f(self, a):\n        print(a)\n",
			other:   []string{"class A:\n    @f.setter\n    def f(self, a):\n        print(a)\n"},
		},
		{
			name:    "a redefinition that does not compile",
			program: "def f(a):\n    return a\n",
			other:   []string{"def f(a):\n    break\n\n\ndef f(a):\n    return a\n", "def f(a):\n    nonlocal b\n\n\ndef f(a):\n    return a\n", "def f(a, a):\n    return 1\n\n\ndef f(a):\n    return a\n", "def f(a):\n    await a\n\n\ndef f(a):\n    return a\n", "def f(a):\n    g(b=1, b=2)\n\n\ndef f(a):\n    return a\n"},
		},
		{
			name:    "unused variables (F841)",
			program: "def f(a):\n    x = a\n    y = g(a)\n    z = w = 1\n    p, q = 1, 2\n    with a as b:\n        pass\n    try:\n        g(a)\n    except ValueError as e:\n        pass\n    return w + p\n",
			same:    []string{"def f(a):\n    g(a)\n    w = 1\n    p, q = 1, 2\n    with a:\n        pass\n    try:\n        g(a)\n    except ValueError:\n        pass\n    return w + p\n"},
			other: []string{
				"def f(a):\n    w = 1\n    p, q = 1, 2\n    with a:\n        pass\n    try:\n        g(a)\n    except ValueError:\n        pass\n    return w + p\n",
				"def f(a):\n    g(a)\n    w = 1\n    p, q = 2, 1\n    with a:\n        pass\n    try:\n        g(a)\n    except ValueError:\n        pass\n    return w + p\n",
				"def f(a):\n    g(a)\n    w = 1\n    p, q = 1, 2\n    try:\n        g(a)\n    except ValueError:\n        pass\n    return w + p\n",
			},
		},
		{
			name:    "a variable that a closure reads",
			program: "def f(a):\n    x = 1\n    def g():\n        return x\n    return g\n",
			other:   []string{"def f(a):\n    def g():\n        return x\n    return g\n"},
		},
		{
			name:    "a value that may fail",
			program: "def f(a):\n    x = a.b\n    y = a[0]\n    z = undefined\n    return a\n",
			same:    []string{"def f(a):\n    a.b\n    a[0]\n    undefined\n    return a\n"},
			other:   []string{"def f(a):\n    a[0]\n    undefined\n    return a\n", "def f(a):\n    a.b\n    undefined\n    return a\n", "def f(a):\n    a.b\n    a[0]\n    return a\n"},
		},
		{
			name:    "a value that does something when it goes",
			program: "class A:\n    def __del__(self):\n        print(1)\ndef f():\n    a = A()\n    print(2)\n",
			other:   []string{"class A:\n    def __del__(self):\n        print(1)\n\n\ndef f():\n    A()\n    print(2)\n"},
		},
		{
			name:    "a global that nobody reads",
			program: "X = 1\nY = 2\n",
			other:   []string{"X = 1\n", "Y = 2\nX = 1\n"},
		},
		{
			name:    "lambdas (E731)",
			program: "f = lambda a, b=1, *c: a + b\nclass A:\n    g = lambda self: None\n",
			same:    []string{"def f(a, b=1, *c):\n    return a + b\n\n\nclass A:\n    def g(self):\n        return None\n", "def f(a, b=1, *c):\n    return a + b\n\n\nclass A:\n    def g(self):\n        pass\n"},
			other:   []string{"def f(a, b=1, *c):\n    a + b\n\n\nclass A:\n    def g(self):\n        return None\n", "def f(a, b=2, *c):\n    return a + b\n\n\nclass A:\n    def g(self):\n        return None\n", "def f(a, b=1, **c):\n    return a + b\n\n\nclass A:\n    def g(self):\n        return None\n"},
		},
		{
			name:    "lambdas whose name is read",
			program: "f = lambda a: a\nprint(f.__name__)\n",
			other:   []string{"def f(a):\n    return a\n\n\nprint(f.__name__)\n"},
		},
		{
			name:    "functions whose name gets into a text",
			program: "def f():\n    def l(x):\n        return x\n    return str(l)\n",
			other:   []string{"def f():\n    def inner(x):\n        return x\n    return str(inner)\n"},
		},
		{
			name:    "functions whose name gets into a text, by ways",
			program: "def f(a):\n    def l(x):\n        return x\n    I = a\n    O = I or l\n    k = l\n    return f'{(1, k)!r}'\n",
			other:   []string{"def f(a):\n    def inner(x):\n        return x\n    I = a\n    O = I or inner\n    k = inner\n    return f'{(1, k)!r}'\n"},
		},
		{
			name:    "lambdas whose name gets into a text",
			program: "f = lambda a: a\nprint('%s' % f)\n",
			other:   []string{"def f(a):\n    return a\n\n\nprint('%s' % f)\n"},
		},
		{
			name:    "functions whose values get into a text",
			program: "def f(O):\n    def l(x):\n        return x\n    I = l(O)\n    g = lambda: 1\n    print(I, O, l(3), g())\n    return str(l(I)), map(l, [1])\n",
			same:    []string{"def f(a):\n    def inner(x):\n        return x\n    b = inner(a)\n\n    def g():\n        return 1\n    print(b, a, inner(3), g())\n    return str(inner(b)), map(inner, [1])\n"},
		},
		{
			name:    "not in, is not (E713, E714)",
			program: "def f(a, b):\n    return not a in b, not a is b, not (a not in b)\n",
			same:    []string{"def f(a, b):\n    return a not in b, a is not b, a in b\n"},
			other:   []string{"def f(a, b):\n    return a in b, a is not b, a in b\n", "def f(a, b):\n    return a not in b, a != b, a in b\n", "def f(a, b):\n    return (not a) in b, a is not b, a in b\n"},
		},
		{
			name:    "a negated equality",
			program: "def f(a, b):\n    return not a == b\n",
			other:   []string{"def f(a, b):\n    return a != b\n"},
		},
		{
			name:    "None (E711)",
			program: "def f(a):\n    return a == None, None != a, not a == None\n",
			same:    []string{"def f(a):\n    return a is None, a is not None, a is not None\n", "def f(a):\n    return None is a, None is not a, a is not None\n"},
			other:   []string{"def f(a):\n    return a is not None, a is not None, a is not None\n", "def f(a):\n    return not a, a is not None, a is not None\n", "def f(a):\n    return a == 0, a is not None, a is not None\n"},
		},
		{
			name:    "None where == is defined",
			program: "class A:\n    def __eq__(self, o):\n        return True\ndef f(a):\n    return a == None\n",
			other:   []string{"class A:\n    def __eq__(self, o):\n        return True\n\n\ndef f(a):\n    return a is None\n"},
		},
		{
			name:    "None where a module may define ==",
			program: "import numpy\ndef f(a):\n    return numpy.array(a) == None\n",
			other:   []string{"import numpy\n\n\ndef f(a):\n    return numpy.array(a) is None\n"},
		},
		{
			name:    "bools (E712)",
			program: "def f(a, b):\n    done = False\n    while done == False:\n        done = a < b\n    if isinstance(a, int) == True and (a in b) != False:\n        return done is True\n",
			same:    []string{"def f(a, b):\n    done = False\n    while not done:\n        done = a < b\n    if isinstance(a, int) and a in b:\n        return done is True\n", "def f(a, b):\n    done = False\n    while done is False:\n        done = a < b\n    if isinstance(a, int) and a in b:\n        return done is True\n"},
			other:   []string{"def f(a, b):\n    done = False\n    while done:\n        done = a < b\n    if isinstance(a, int) and a in b:\n        return done\n", "def f(a, b):\n    done = False\n    while not done:\n        done = a < b\n    if isinstance(a, int) and a in b:\n        return not done\n", "def f(a, b):\n    done = False\n    while not done:\n        done = a < b\n    if isinstance(a, int) and a not in b:\n        return done\n"},
		},
		{
			name:    "what may be no bool",
			program: "def f(a):\n    b = a\n    c = True\n    c = 1\n    if a == True or b == True or c == True:\n        return 1\n",
			other:   []string{"def f(a):\n    b = a\n    c = True\n    c = 1\n    if a or b == True or c == True:\n        return 1\n", "def f(a):\n    b = a\n    c = True\n    c = 1\n    if a == True or b or c == True:\n        return 1\n", "def f(a):\n    b = a\n    c = True\n    c = 1\n    if a == True or b == True or c:\n        return 1\n", "def f(a):\n    b = a\n    c = True\n    c = 1\n    if a is True or b == True or c == True:\n        return 1\n"},
		},
		{
			name:    "a bool that a loop may bind",
			program: "def f(a):\n    c = True\n    for c in a:\n        pass\n    return c == True\n",
			other:   []string{"def f(a):\n    c = True\n    for c in a:\n        pass\n    return c\n"},
		},
		{
			name:    "types (E721)",
			program: "def f(a, b):\n    return type(a) == type(b), type(a) != int, type(a) == tuple\n",
			same:    []string{"def f(a, b):\n    return type(a) is type(b), type(a) is not int, type(a) is tuple\n"},
			other:   []string{"def f(a, b):\n    return type(a) is type(b), not isinstance(a, int), type(a) is tuple\n", "def f(a, b):\n    return type(a) is type(a), type(a) is not int, type(a) is tuple\n", "def f(a, b):\n    return type(a) is type(b), type(a) is not int, type(a) is list\n"},
		},
		{
			name:    "types beside a class with ==",
			program: "class A:\n    def __eq__(self, o):\n        return not type(self) == type(o) or type(o) == o\n",
			same:    []string{"class A:\n    def __eq__(self, o):\n        return type(self) is not type(o) or type(o) == o\n"},
			other:   []string{"class A:\n    def __eq__(self, o):\n        return type(self) is not type(o) or type(o) is o\n"},
		},
		{
			name:    "types of types",
			program: "class M(type):\n    def __eq__(self, o):\n        return True\nclass A(metaclass=M):\n    pass\ndef f(a, b):\n    return type(a) == type(b)\n",
			other:   []string{"class M(type):\n    def __eq__(self, o):\n        return True\n\n\nclass A(metaclass=M):\n    pass\n\n\ndef f(a, b):\n    return type(a) is type(b)\n"},
		},
		{
			name:    "types of types by another name",
			program: "T = type(int)\nclass M(T):\n    def __eq__(self, o):\n        return True\nA = M('A', (), {})\ndef f(a, b):\n    return type(a) == type(b)\n",
			other:   []string{"T = type(int)\n\n\nclass M(T):\n    def __eq__(self, o):\n        return True\n\n\nA = M('A', (), {})\n\n\ndef f(a, b):\n    return type(a) is type(b)\n"},
		},
		{
			name:    "a type of one's own",
			program: "def type(a):\n    return a\ndef f(a, b):\n    return type(a) == type(b)\n",
			other:   []string{"def type(a):\n    return a\n\n\ndef f(a, b):\n    return type(a) is type(b)\n"},
		},
		{
			name:    "bare except (E722)",
			program: "def f(a):\n    try:\n        return int(a)\n    except:\n        return 0\n",
			same:    []string{"def f(a):\n    try:\n        return int(a)\n    except BaseException:\n        return 0\n", "def f(a):\n    try:\n        return int(a)\n    except Exception:\n        return 0\n"},
			other:   []string{"def f(a):\n    try:\n        return int(a)\n    except ValueError:\n        return 0\n", "def f(a):\n    try:\n        return int(a)\n    except (Exception, OSError):\n        return 0\n", "def f(a):\n    return int(a)\n"},
		},
		{
			name:    "bare except where something exits",
			program: "import sys\ndef f(a):\n    try:\n        sys.exit(a)\n    except:\n        return 0\n",
			same:    []string{"import sys\n\n\ndef f(a):\n    try:\n        sys.exit(a)\n    except BaseException:\n        return 0\n"},
			other:   []string{"import sys\n\n\ndef f(a):\n    try:\n        sys.exit(a)\n    except Exception:\n        return 0\n"},
		},
		{
			name:    "bare except in a generator",
			program: "def f(a):\n    try:\n        yield a\n    except:\n        g(a)\n",
			other:   []string{"def f(a):\n    try:\n        yield a\n    except Exception:\n        g(a)\n"},
		},
		{
			name:    "an Exception of one's own",
			program: "Exception = ValueError\ntry:\n    f()\nexcept:\n    g()\n",
			other:   []string{"Exception = ValueError\ntry:\n    f()\nexcept Exception:\n    g()\n"},
		},
		{
			name:    "f-strings (F541)",
			program: "def f(a):\n    return f'x' 'y' f\"{a}z\" f'{{}}'\n",
			same:    []string{"def f(a):\n    return f'xy{a}z{{}}'\n"},
			other:   []string{"def f(a):\n    return 'xy{a}z{}'\n", "def f(a):\n    return f'xy{a!r}z{{}}'\n", "def f(a):\n    return f'xy{a:}z{{}}' + ''\n"},
		},
		{
			name:    "f-strings without places",
			program: "X = f'a{{b'\n",
			same:    []string{"X = 'a{b'\n"},
			other:   []string{"X = 'a{{b'\n"},
		},
		{
			name:    "ints and is (F632)",
			program: "def f(a):\n    n = len(a)\n    return len(a) is 0, n is not 256\n",
			same:    []string{"def f(a):\n    n = len(a)\n    return len(a) == 0, n != 256\n"},
			other:   []string{"def f(a):\n    n = len(a)\n    return len(a) != 0, n != 256\n"},
		},
		{
			name:    "is where == may differ",
			program: "def f(a):\n    return a is 0, len(a) is 257, a is 'x', a is ()\n",
			other:   []string{"def f(a):\n    return a == 0, len(a) is 257, a is 'x', a is ()\n", "def f(a):\n    return a is 0, len(a) == 257, a is 'x', a is ()\n", "def f(a):\n    return a is 0, len(a) is 257, a == 'x', a is ()\n", "def f(a):\n    return a is 0, len(a) is 257, a is 'x', a == ()\n"},
		},
		{
			name:    "annotations",
			program: "def f(a, b=1):\n    c = a\n    return c\nX = 1\nclass A:\n    n = 1\n",
			same:    []string{"from typing import List\n\n\ndef f(a: List[int], b: int = 1) -> 'int | None':\n    c: int = a\n    return c\n\n\nX: int = 1\n\n\nclass A:\n    n: int = 1\n    m: str\n"},
			other:   []string{"def f(a: List[int], b: int):\n    c: int = a\n    return c\n\n\nX: int = 1\n\n\nclass A:\n    n: int = 1\n", "def f(a, b=1):\n    c: int\n    return c\n\n\nX: int = 1\n\n\nclass A:\n    n: int = 1\n"},
		},
		{
			name:    "annotations that are read",
			program: "from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int = 1\n    m: int = 2\n",
			same:    []string{"from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    \"\"\"Two numbers.\"\"\"\n\n    n: int = 1\n    m: int = 2\n"},
			other:   []string{"from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    n = 1\n    m: int = 2\n", "from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    m: int = 2\n    n: int = 1\n"},
		},
		{
			name:    "imports that annotations of classes need",
			program: "from dataclasses import dataclass\nfrom typing import ClassVar\n@dataclass\nclass A:\n    n: ClassVar[int] = 1\n",
			other:   []string{"from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    n: ClassVar[int] = 1\n"},
		},
		{
			name:    "names that a context manager may tell",
			program: "class A:\n    def __enter__(self):\n        pass\n    def __exit__(self, kind, value, trace):\n        print(value)\ndef f(a):\n    with A():\n        if a:\n            l = a\n        a(l)\n        return l\n",
			other:   []string{"class A:\n    def __enter__(self):\n        pass\n\n    def __exit__(self, kind, value, trace):\n        print(value)\n\n\ndef f(a):\n    with A():\n        if a:\n            n = a\n        a(n)\n        return n\n"},
		},
		{
			name:    "annotations of a tuple",
			program: "from typing import NamedTuple\nclass A(NamedTuple):\n    n: int\n    m: int\n",
			other:   []string{"from typing import NamedTuple\n\n\nclass A(NamedTuple):\n    n: int\n"},
		},
		{
			name:    "annotations that are asked for",
			program: "from functools import singledispatch\n@singledispatch\ndef f(a):\n    return 0\n@f.register\ndef _(a: int):\n    return 1\n",
			other:   []string{"from functools import singledispatch\n\n\n@singledispatch\ndef f(a):\n    return 0\n\n\n@f.register\ndef _(a):\n    return 1\n", "from functools import singledispatch\n\n\n@singledispatch\ndef f(a):\n    return 0\n\n\n@f.register\ndef _(a: str):\n    return 1\n"},
		},
		{
			name:    "annotations that do not compile",
			program: "def f(a):\n    return a\n",
			other:   []string{"def f(a: (yield)):\n    return a\n", "def f(a: g(b=1, b=2)):\n    return a\n", "def f(a: (b := 1)):\n    return a\n", "def f(a):\n    global b\n    b: int\n    return a\n"},
		},
		{
			name:    "docstrings that are read",
			program: "def f(a):\n    'One.'\n    return f.__doc__\n",
			same:    []string{"def f(a):\n    \"\"\"One.\"\"\"\n    return f.__doc__\n"},
			other:   []string{"def f(a):\n    'Two.'\n    return f.__doc__\n", "def f(a):\n    return f.__doc__\n", "def f(a):\n    f'One.'\n    return f.__doc__\n", "def f(a):\n    pass\n    'One.'\n    return f.__doc__\n"},
		},
		{
			name:    "what does not compile",
			program: "def f(a):\n    global b\n    b = a\n",
			other:   []string{"def f(a):\n    b = a\n    global b\n", "def f(a):\n    nonlocal b\n    b = a\n", "def f(a):\n    b = a\n"},
		},
		{
			name:    "future imports",
			program: "def f(a):\n    return a\n",
			same:    []string{"\"\"\"Text.\"\"\"\nfrom __future__ import annotations\n\n\ndef f(a: int):\n    return a\n"},
			other:   []string{"def f(a):\n    return a\n\n\nfrom __future__ import annotations\n", "...\nfrom __future__ import annotations\n\n\ndef f(a):\n    return a\n"},
		},
		{
			name:    "order of evaluation",
			program: "def f(a, b):\n    g(a)\n    g(b)\n    return a() + b(), [a(), b()], {a(): b()}\n",
			other:   []string{"def f(a, b):\n    g(b)\n    g(a)\n    return a() + b(), [a(), b()], {a(): b()}\n", "def f(a, b):\n    g(a)\n    g(b)\n    return b() + a(), [a(), b()], {a(): b()}\n", "def f(a, b):\n    g(a)\n    g(b)\n    return a() + b(), [b(), a()], {a(): b()}\n"},
		},
		{
			name:    "match",
			program: "def f(a):\n    match a:\n        case [x, *l] if x:\n            return l\n        case {'k': I, **rest}:\n            return I, rest\n        case A(n=b) | A(m=b):\n            return b\n        case None:\n            return 0\n",
			same:    []string{"def f(a):\n    match a:\n        case [first, *others] if first:\n            return others\n        case {'k': value, **more}:\n            return value, more\n        case A(n=c) | A(m=c):\n            return c\n        case None:\n            return 0\n"},
			other:   []string{"def f(a):\n    match a:\n        case [x, *l] if l:\n            return l\n        case {'k': I, **rest}:\n            return I, rest\n        case A(n=b) | A(m=b):\n            return b\n        case None:\n            return 0\n", "def f(a):\n    match a:\n        case [x, *l] if x:\n            return l\n        case {'k': I, **rest}:\n            return I, rest\n        case A(m=b) | A(m=b):\n            return b\n        case None:\n            return 0\n", "def f(a):\n    match a:\n        case [x, *l] if x:\n            return l\n        case {'k': I, **rest}:\n            return I, rest\n        case A(n=b) | A(m=b):\n            return b\n        case True:\n            return 0\n"},
		},
		{
			name:    "async",
			program: "async def f(a):\n    l = await a\n    async with l as b:\n        async for c in b:\n            yield c\n    return\n",
			same:    []string{"async def f(a):\n    items = await a\n    async with items as d:\n        async for e in d:\n            yield e\n"},
			other:   []string{"def f(a):\n    l = a\n    with l as b:\n        for c in b:\n            yield c\n", "async def f(a):\n    l = await a\n    async with l as b:\n        async for c in b:\n            yield c\n    return None\n"},
		},
		{
			name:    "type parameters",
			program: "def f[T](a: T) -> T:\n    return a\n",
			same:    []string{"def f[T](a: T) -> T:\n\n    return (a)\n"},
			other:   []string{"def f[S](a: S) -> S:\n    return a\n", "def f(a):\n    return a\n"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !sameTree(t, false, test.program, test.program) {
				t.Errorf("not the same as itself:\n%s", test.program)
			}
			for _, answer := range test.same {
				if !sameTree(t, true, test.program, answer) {
					t.Errorf("not proven:\n%s\n%s", test.program, answer)
				}
			}
			for _, answer := range test.other {
				if sameTree(t, false, test.program, answer) {
					t.Errorf("taken for the same:\n%s\n%s", test.program, answer)
				}
			}
		})
	}
}

// What calls a program counts: names that it reads, arguments that it gives by
// keyword, values with comparisons of their own.
func TestCallers(t *testing.T) {
	for _, test := range []struct {
		name, program, answer, callers string
		same                           bool
	}{
		{"import that tests read", "import math\n", "", "assert math.isclose(f(1), 2)", false},
		{"import that tests bind", "import math\nX = 1\n", "X = 1\n", "import math\nassert math.isclose(f(1), 2)", true},
		{"parameter by position", "def f(l):\n  return l\n", "def f(a):\n    return a\n", "assert f(1) == 1", true},
		{"parameter by keyword", "def f(l):\n  return l\n", "def f(a):\n    return a\n", "assert f(l=1) == 1", false},
		{"parameter by mapping", "def f(l):\n  return l\n", "def f(a):\n    return a\n", "assert f(**x) == 1", false},
		{"new name by keyword", "def f(l, **k):\n  return l\n", "def f(a, **k):\n    return a\n", "assert f(1, a=2) == 1", false},
		{"values of one's own", "def f(a):\n  return a == None\n", "def f(a):\n    return a is None\n", "class A:\n    pass\nassert f(A())", false},
		{"values of numpy", "def f(a):\n  return a == None\n", "def f(a):\n    return a is None\n", "import numpy\nassert f(numpy.array(1))", false},
		{"annotations that tests read", "def f(a):\n  return a\n", "def f(a: int):\n    return a\n", "assert f.__annotations__ == {}", false},
		{"names that tests read", "f = lambda a: a\n", "def f(a):\n    return a\n", "assert f.__name__ == 'f'", false},
		{"docstrings that tests read", "def f(a):\n  return a\n", "def f(a):\n    'One.'\n    return a\n", "assert f.__doc__ is None", false},
		{"exceptions that tests read", "def f(a):\n  if a:\n    l = a\n  a(l)\n  return l\n", "def f(a):\n    if a:\n        n = a\n    a(n)\n    return n\n", "try:\n  f(1)\nexcept NameError as e:\n  print(e)", false},
		{"a bool that tests bind", "done = True\ndef f():\n  return done == True\n", "done = True\n\n\ndef f():\n    return done\n", "done = 5\nassert f()", false},
		{"renamed global that tests bind", "l = 1\ndef f():\n  return l\n", "n = 1\n\n\ndef f():\n    return n\n", "l = 2\nassert f() == 2", false},
		{"callers that exit", "def f(a):\n  try:\n    a()\n  except:\n    pass\n", "def f(a):\n    try:\n        a()\n    except Exception:\n        pass\n", "assert f(exit) is None", false},
		{"renamed global that tests read", "l = 1\nX = l\n", "n = 1\nX = n\n", "assert l == 1", false},
		{"renamed global", "l = 1\nX = l\n", "n = 1\nX = n\n", "assert X == 1", true},
		{"callers that are no Python", "def f(l):\n  return l\n", "def f(a):\n    return a\n", "assert f(", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := sameTree(t, test.same, test.program, test.answer, test.callers); got != test.same {
				t.Errorf("same tree: %v, want %v", got, test.same)
			}
		})
	}
}

// What was read before leaves nothing: here types of names.
func TestForgets(t *testing.T) {
	const body = "    x = a\n    y = x\n    z = y\n    if "
	var c guard.Checker
	p, err := c.Program([]byte("def f(a):\n" + body + "z:\n        return 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	c.Check(p, []byte("def f(a):\n    b = True\n    x = True\n    y = True\n    z = True\n    return b, x, y, z\n"), lint.Facts{})
	if c.Check(p, []byte("def f(a):\n"+body+"z is True:\n        return 1\n"), lint.Facts{}); c.Proven(p) {
		t.Error("the types of the text before count")
	}
}

// TestForgetsAlike requires that what is alike for ordinary values in one answer is not taken for it in the
// next, whose tree has the same memory.
func TestForgetsAlike(t *testing.T) {
	var c guard.Checker
	check := func(program, answer string) *guard.Report {
		p, err := c.Program([]byte(program))
		if err != nil {
			t.Fatal(err)
		}
		return c.Check(p, []byte(answer), lint.Facts{})
	}
	for range 3 {
		if r := check("def total(a):\n    return sum(b for b in a) \n", "def total(a):\n    return sum([b for b in a])\n"); r.SameTree || !r.Alike {
			t.Errorf("%+v", r)
		}
		if r := check("def total(a):\n    return tup([b for b in a]) \n", "def total(a):\n    return tup([b for b in a])\n"); !r.SameTree {
			t.Errorf("not the same: %+v", r)
		}
	}
}

// An identical text is the same program even where there is no pattern.
func TestIdentical(t *testing.T) {
	for _, program := range []string{
		"import sys\nprint(sys._getframe().f_lineno)\n",
		"x = " + strings.Repeat("-", 2000) + "1\n",
		"x = a" + strings.Repeat(".b", 100_000) + "\n",
		"break\n",
		"def f():\n    x = 1\n    global x\n",
	} {
		if !sameTree(t, false, program, program) {
			t.Errorf("not the same as itself: %.60q", program)
		}
	}
}
