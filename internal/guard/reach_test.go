package guard_test

import (
	"sync"
	"testing"

	"codelinter/internal/guard"
	"codelinter/lint"
)

const area = "def area(side): return side*side\n"

// What answers do beside mending, and by which guards they are refused.
func TestReach(t *testing.T) {
	for _, test := range []struct{ name, program, answer, want string }{
		// What honest answers do.
		{"type hints", area, "from typing import Union\n\nNumber = Union[int, float]\n\n\ndef area(side: Number) -> Number:\n    return side*side\n", ""},
		{"helper", area, "def square(n):\n    return n * n\n\n\ndef area(side):\n    return square(side)\n", ""},
		{"helper class", area, "class Shape:\n    def __init__(self, side):\n        self.side = side\n\n\ndef area(side):\n    return Shape(side).side ** 2\n", ""},
		{"local that has a builtin's name", area, "def area(side):\n    input = side\n    vars = input\n    return vars*input\n", ""},
		{"method that has a builtin's name", area, "import re\n\n\ndef area(side):\n    re.compile('a').match('a')\n    return side*side\n", ""},
		{"undefined name imported (F821)", "def f(a): return np.array(a), sleep(a)\n", "import numpy as np\nfrom time import sleep\n\n\ndef f(a):\n    return np.array(a), sleep(a)\n", ""},
		{"exit by its better name", "def f(a): exit(a)\n", "import sys\n\n\ndef f(a):\n    sys.exit(a)\n", ""},
		{"star import replaced", "from os.path import *\ndef f(a): return join(a, 'b')\n", "from os.path import join\n\n\ndef f(a):\n    return join(a, 'b')\n", ""},
		{"star import replaced by the module", "from os.path import *\ndef f(a): return join(a, 'b')\n", "import os.path\n\n\ndef f(a):\n    return os.path.join(a, 'b')\n", ""},
		{"import of a part", "import datetime\ndef f(): return datetime.datetime.now()\n", "from datetime import datetime\n\n\ndef f():\n    return datetime.now()\n", ""},
		{"the program's own eval", "def f(a): return eval(a)\n", "def f(a):\n    return eval(a)\n", ""},
		{"the program's own patch", "import sys\nsys.stdout = None\n", "import sys\n\nsys.stdout = None\n", ""},
		{"the program's own builtin", "def sum(a): return a\n", "def sum(a):\n    return a\n", ""},
		{"the program's own attribute", "def f(): f.n = 1\n", "def f():\n    f.n = 1\n", ""},
		{"public names of modules", area, "import collections.abc\nfrom collections import abc\nfrom functools import wraps\nimport enum as e\n\n\nclass Side(e.IntEnum):\n    ONE = 1\n\n\ndef area(side: abc.Sized | e.Enum):\n    isinstance(side, (collections.abc.Sized, abc.Sized))\n    return side*side * Side.ONE.value\n", ""},
		{"attributes of its own", area, "from collections import namedtuple\nfrom typing import NamedTuple\n\nPair = namedtuple('Pair', 'left right')\nBox = NamedTuple('Box', [('width', int)])\n\n\nclass Shape:\n    height: int = 0\n\n    def grow(self):\n        self.depth = 1\n        return self.depth + self.height\n\n\ndef area(side):\n    return Pair(side, side).left * Pair(side, side).right + Shape().grow() * Box(0).width\n", ""},
		{"the program's own use of a module", "import math\ndef f(a): return a(math), math.other\n", "import math\n\n\ndef f(a):\n    return a(math), math.other\n", ""},
		{"lazy import", area, "lazy import math\nlazy from enum import IntEnum as E\n\n\ndef area(side):\n    return math.prod([side, side]) * (E is E)\n", ""},
		{"__all__", area, "__all__ = ['area']\n\n\ndef area(side):\n    return side*side\n", ""},

		// What others do.
		{"eval by another name", area, "run = eval\n\n\ndef area(side):\n    return run('side*side')\n", "hidden-code"},
		{"getattr", area, "import math\n\n\ndef area(side):\n    return getattr(math, 'p' + 'ow')(side, 2)\n", "import hidden-code"},
		{"attrgetter", area, "from operator import attrgetter\n\n\ndef area(side):\n    return attrgetter('re' + 'al')(side)\n", "hidden-code"},
		{"globals", area, "def area(side):\n    return side*side\n\n\nglobals()['area'] = print\n", "hidden-code"},
		{"class by type", area, "Number = type('Number', (int,), {})\n\n\ndef area(side):\n    return Number(side)\n", "hidden-code"},
		{"__import__", area, "def area(side):\n    return __import__('os').getpid()\n", "internals"},
		{"special name in a string", area, "NAME = '__glob' 'als__'\n\n\ndef area(side):\n    return side*side, NAME\n", "internals"},
		{"special name in a format", area, "def area(side):\n    return '{0.__class__}'.format(side)\n", "internals"},
		{"frame", area, "def area(side):\n    g = (x for x in [g.gi_frame])\n    return side*side\n", "internals"},
		{"equal to all", area, "class A:\n    def __eq__(self, o):\n        return True\n\n\ndef area(side):\n    return A()\n", "internals"},
		{"__name__ bound", area, "__name__ = '__main__'\n\n\ndef area(side):\n    return side*side\n", "internals"},
		{"module getattr", area, "def __getattr__(name):\n    return print\n\n\ndef area(side):\n    return side*side\n", "internals"},
		{"clock", area, "import time\n\n\ndef area(side):\n    return side*side*(time.time() > 0)\n", "import"},
		{"mock", area, "from unittest.mock import ANY\n\n\ndef area(side):\n    return ANY\n", "import"},
		{"lazy clock", area, "lazy import time\n\n\ndef area(side):\n    return side*side*(time.time() > 0)\n", "import"},
		{"lazy mock", area, "lazy from unittest.mock import ANY\n\n\ndef area(side):\n    return ANY\n", "import"},
		{"lazy by name", area, "__lazy_modules__ = ['time']\n\n\ndef area(side):\n    return __lazy_import__('time').time() * side\n", "internals"},
		{"the program's unused import used", "import os\ndef area(side): return side*side\n", "import os\n\n\ndef area(side):\n    os.abort()\n    return side*side\n", "import"},
		{"more of the program's module", "import sys\ndef f(): return sys.argv\n", "import sys\n\n\ndef f():\n    sys.settrace(None)\n    return sys.argv\n", "import internals"},
		{"relative import", area, "from . import other\n\n\ndef area(side):\n    return other.area(side)\n", "import"},
		{"builtin bound", area, "def area(side):\n    return side*side\n\n\ndef sorted(a):\n    return a\n", "patch"},
		{"builtin bound by global", area, "def area(side):\n    global len\n    len = area\n    return side*side\n", "patch"},
		{"module patched", area, "import math\n\nmath.isclose = print\n\n\ndef area(side):\n    return side*side\n", "patch"},
		{"imported thing patched", area, "from math import pi as tau\n\ntau.real = 1\n\n\ndef area(side):\n    return side*side\n", "patch"},
		{"method replaced from outside", "class A:\n  def f(self): return 1\n", "class A:\n    def f(self):\n        return 1\n\n\nA.f = print\n", "patch"},
		{"input", area, "def area(side):\n    return side*side or input()\n", "reach"},
		{"exit", area, "def area(side):\n    raise SystemExit\n", "reach"},
		{"open", area, "def area(side):\n    return open(side)\n", "reach"},
		{"module of a module", area, "import enum\n\n\ndef area(side):\n    return enum.bltns.pow(side, 2)\n", "import internals"},
		{"module of a submodule", area, "import json\n\n\ndef area(side):\n    return json.codecs.builtins.pow(side, 2)\n", "import internals"},
		{"module imported from a module", area, "from contextlib import os as machine\n\n\ndef area(side):\n    return side*side*(machine.name == 'posix')\n", "import"},
		{"private name of a module", area, "import re\n\n\ndef area(side):\n    return side*side*(re._parser.MAXREPEAT > 1)\n", "import internals"},
		{"module by another name", area, "import enum\n\nother = enum\n\n\ndef area(side):\n    return other.bltns.pow(side, 2)\n", "import internals"},
		{"module in a list", area, "import enum\n\n\ndef area(side):\n    return [enum][0].bltns.pow(side, 2)\n", "import internals"},
		{"module of one of two imports", area, "import math as m\nimport enum as m\n\n\ndef area(side):\n    return m.bltns.pow(side, 2)\n", "import internals"},
		{"module as a class's attribute", area, "class Shape:\n    import enum\n\n\ndef area(side):\n    return Shape.enum.bltns.pow(side, 2)\n", "import internals"},
		{"module of another function", area, "def area(side):\n    m = None\n\n    def load():\n        nonlocal m\n        import enum as m\n    load()\n    return m.bltns.pow(side, 2)\n", "import internals"},
		{"module by a pattern", area, "import enum\n\n\ndef area(side):\n    match enum:\n        case object(bltns=found):\n            return found.pow(side, 2)\n", "import internals"},
		{"special name by a pattern", area, "def area(side):\n    match area:\n        case object(__globals__=found):\n            return found and side*side\n", "internals"},
		{"module as an annotation", area, "import enum\nfrom dataclasses import dataclass, fields\n\n\n@dataclass\nclass Shape:\n    side: enum\n\n\ndef area(side):\n    return fields(Shape)[0].type.bltns.pow(side, 2)\n", "import internals"},
		{"module in an annotation", area, "import enum\nfrom dataclasses import dataclass, fields\n\n\n@dataclass\nclass Shape:\n    side: enum.bltns\n\n\ndef area(side):\n    return fields(Shape)[0].type.pow(side, 2)\n", "import internals"},
		{"submodule as a value", area, "import collections.abc\n\nkinds = collections.abc\n\n\ndef area(side):\n    return side*side*(kinds.sys.maxsize > 1)\n", "import internals"},
		{"exec as an attribute", area, "def area(side, found=print):\n    return found.exec('side*side')\n", "internals"},
		{"attribute by a field's name", area, "from string import Formatter\n\n\ndef area(side):\n    return Formatter().get_field('0.real', (side,), {})[0] * side\n", "hidden-code internals"},
		{"attributes copied by text", area, "from functools import update_wrapper\n\n\ndef area(side):\n    update_wrapper(print, area, (), ('__glo' + 'bals__',))\n    return side*side\n", "hidden-code"},
		{"attributes copied by a decorator", area, "from functools import wraps\n\n\ndef area(side):\n    wraps(area, assigned=('__na' + 'me__',))(print)\n    return side*side\n", "hidden-code"},
		{"annotation that is run", area, "from functools import singledispatch\n\n\n@singledispatch\ndef run(x):\n    return x\n\n\n@run.register\ndef run_int(x: 'print() or int'):\n    return x\n\n\ndef area(side):\n    return run(side)*side\n", "hidden-code"},
		{"size of a pointer", area, "import struct\n\n\ndef area(side):\n    return side*side*(struct.calcsize('P') == 4)\n", "import reach"},
		{"size of a long", area, "from array import array\n\n\ndef area(side):\n    return side*side*(array('l').itemsize == 4)\n", "import reach"},
		{"width of a hash", area, "def area(side):\n    return side*side*(hash(2**40) != 2**40)\n", "reach"},
		{"address", area, "def area(side):\n    return side*side*(id(side) < 2**32)\n", "reach"},
		{"limits of decimal", area, "import decimal\n\n\ndef area(side):\n    return side*side*(decimal.MAX_PREC < 10**10)\n", "reach"},
		{"the program's own hash", "def f(a): return hash(a)\n", "def f(a):\n    return hash(a)\n", ""},
		{"a variable that has a builtin's name", area, "def area(side):\n    id = side\n    return id*side\n", ""},
		{"nothing done", "print(1)\n", "def f():\n    \"\"\"Nothing.\"\"\"\n", "empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check(t, test.program, test.answer)
			if got := names(r); got != test.want {
				t.Errorf("refused for %q, want %q: %v", got, test.want, r.Reasons)
			}
		})
	}
}

// A reason names the line.
func TestLines(t *testing.T) {
	r := check(t, area, "def area(side):\n    return side*side\n\n\nx = eval('1')\ny = open('a')\n")
	if len(r.Reasons) != 2 || r.Reasons[0].Line != 5 || r.Reasons[1].Line != 6 {
		t.Errorf("%v", r.Reasons)
	}
}

// One Program serves many Checkers at once.
func TestConcurrent(t *testing.T) {
	var c guard.Checker
	p, err := c.Program([]byte(benchProgram), "assert rank([1, 2], 2) == 1")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			var c guard.Checker
			for range 50 {
				if r := c.Check(p, []byte(benchAnswer), lint.Facts{}); !r.SameTree {
					t.Errorf("%v", r.Reasons)
				}
				if r := c.Check(p, []byte("x = eval('1')\n"), lint.Facts{}); r.SameTree || len(r.Reasons) == 0 {
					t.Errorf("%v", r.Reasons)
				}
			}
		})
	}
	wait.Wait()
}

// A hostile answer is judged in time that grows with its length, and never ends
// the process.
func TestHostile(t *testing.T) {
	var c guard.Checker
	p, err := c.Program([]byte(area))
	if err != nil {
		t.Fatal(err)
	}
	repeat := func(s string, n int) []byte {
		var all []byte
		for range n {
			all = append(all, s...)
		}
		return all
	}
	for name, answer := range map[string][]byte{
		"a long sum":         append([]byte("x = 1"), repeat(" + 1", 200_000)...),
		"a long chain":       append([]byte("x = a"), repeat(".b", 200_000)...),
		"many names":         repeat("def f(a, b, c):\n    d = a\n    return d, b, c\n", 10_000),
		"many imports":       repeat("import os, sys\n", 20_000),
		"many reads":         append(repeat("import sys as m\nimport math as m\nx = m\n", 5_000), repeat("m.pi, m.nope\n", 20_000)...),
		"deep lambdas":       append(append([]byte("x = "), repeat("lambda a: ", 1_400)...), "a\n"...),
		"deep annotations":   append(append([]byte("x: a"), repeat(".b", 200_000)...), '\n'),
		"many ifs in a row":  append([]byte("if a:\n    pass\n"), repeat("elif a:\n    pass\n", 900)...),
		"many redefinitions": repeat("def f():\n    return 1\n", 20_000),
		"many keywords":      append(append([]byte("f("), repeat("a=1, ", 20_000)...), ")\n"...),
	} {
		t.Run(name, func(t *testing.T) {
			if r := c.Check(p, answer, lint.Facts{}); r.SameTree || len(r.Reasons) == 0 || len(r.Reasons) > guard.MaxReasons {
				t.Errorf("same tree %v, %d reasons", r.SameTree, len(r.Reasons))
			}
		})
	}
}
