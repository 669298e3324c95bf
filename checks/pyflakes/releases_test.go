package pyflakes_test

import (
	"testing"

	"codelinter/checks/pyflakes"
	"codelinter/rule"
	"codelinter/source"
)

// A releaseTest is a program and what flake8 7.3.0 and 7.5.0 say about it on CPython
// 3.15, in pyflakes's order.
type releaseTest struct{ text, flake8730, flake8750 string }

// same stands for what 7.3.0 says.
const same = "same"

// TestReleases compares the releases, feature by feature.
func TestReleases(t *testing.T) {
	for _, feature := range []struct {
		name  string // of the field of rule.Features
		tests []releaseTest
	}{
		{"DefersWholeStrings", []releaseTest{
			{"x: 'a b'",
				"1:1 F722 syntax error in forward annotation 'a b'",
				"1:4 F722 syntax error in forward annotation 'a b'"},
			{"def f(\n    a: 'a b',\n    b: '1 +',\n): pass",
				"1:1 F722 syntax error in forward annotation 'a b' | 1:1 F722 syntax error in forward annotation '1 +'",
				"2:8 F722 syntax error in forward annotation 'a b' | 3:8 F722 syntax error in forward annotation '1 +'"},
			{"x: 'y'\ny: int",
				"", same},
			{"x: 'spam'\ndel x",
				"1:4 F821 undefined name 'spam'", same},
			{"def f(a: 'spam', b: eggs) -> 'ham': pass",
				"1:10 F821 undefined name 'spam' | 1:21 F821 undefined name 'eggs' | 1:30 F821 undefined name 'ham'",
				"1:21 F821 undefined name 'eggs' | 1:10 F821 undefined name 'spam' | 1:30 F821 undefined name 'ham'"},
		}},
		{"DefersAliases", []releaseTest{
			{"from typing import TypeAlias\nx: TypeAlias = y\ny = 1",
				"",
				"2:16 F821 undefined name 'y'"},
			{"from typing import TypeAlias\nx: TypeAlias = 'y'\ny = 1",
				"", same},
			{"import typing\ny: int\nx: typing.TypeAlias = y",
				"", same},
		}},
		{"AliasBeforeParameters", []releaseTest{
			{"import T\ndef f():\n    type T[T] = int",
				"3:10 F841 local variable 'T' is assigned to but never used | 1:1 F401 'T' imported but unused | 3:10 F811 redefinition of unused 'T' from line 1",
				"3:10 F841 local variable 'T' is assigned to but never used | 1:1 F401 'T' imported but unused | 3:12 F811 redefinition of unused 'T' from line 1 | 3:10 F811 redefinition of unused 'T' from line 1"},
			{"import T\ntype T[T] = int",
				"2:6 F811 redefinition of unused 'T' from line 1", same},
			{"from spam import T, U\ntype U[T] = T",
				"2:6 F811 redefinition of unused 'U' from line 1 | 1:1 F401 'spam.T' imported but unused | 2:8 F811 redefinition of unused 'T' from line 1", same},
		}},
		{"AnnotatesLiteral", []releaseTest{
			{"Literal: int\nx: Literal['a b']",
				"2:4 F821 undefined name 'Literal'",
				""},
			{"from typing import Literal\nx: Literal['spam eggs', ham]",
				"2:25 F821 undefined name 'ham'", same},
			{"x: 'spam'.Literal['a b']",
				"",
				"1:4 F821 undefined name 'spam'"},
		}},
		{"TypingCalls", []releaseTest{
			{"from typing import cast\nfrom spam import A, B\ncast('A', 'B')",
				"2:1 F401 'spam.B' imported but unused", same},
			{"from typing import cast\nfrom spam import A, B\ncast(typ='A', val='B')",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.B' imported but unused",
				"2:1 F401 'spam.B' imported but unused"},
			{"from typing import cast\ncast()\ncast('a b')\ncast(a)",
				"4:6 F821 undefined name 'a' | 4:6 F821 undefined name 'a' | 3:6 F722 syntax error in forward annotation 'a b'",
				"4:6 F821 undefined name 'a' | 3:6 F722 syntax error in forward annotation 'a b'"},
			{"from typing import assert_type\nfrom spam import A, B, C\nassert_type('A', 'B', typ='C')",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.B' imported but unused | 2:1 F401 'spam.C' imported but unused",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.C' imported but unused"},
			{"from typing import TypeVar\nfrom spam import A, B, C, D\nTypeVar('A', 'B', bound='C', default='D')",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.D' imported but unused",
				"2:1 F401 'spam.A' imported but unused"},
			{"from typing import TypeVar\nT = TypeVar(T, int)",
				"",
				"2:13 F821 undefined name 'T'"},
			{"from typing import ParamSpec, TypeVarTuple\nfrom spam import A, B, C, D, E\nParamSpec('A', 'B', bound='C', default='D', name='E'), TypeVarTuple('A', default='B')",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.B' imported but unused | 2:1 F401 'spam.C' imported but unused | 2:1 F401 'spam.D' imported but unused | 2:1 F401 'spam.E' imported but unused",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.E' imported but unused"},
			{"import typing\nfrom spam import A, B, C, D\ntyping.NewType('A', 'B'), typing.NewType(name='C', tp='D')",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.B' imported but unused | 2:1 F401 'spam.C' imported but unused | 2:1 F401 'spam.D' imported but unused",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.C' imported but unused"},
			{"from typing import TypedDict\nfrom spam import A, B, C, D\nTypedDict('A', {'B': 'C', **D}, total='D')",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.B' imported but unused", same},
			{"from typing import TypedDict\nfrom spam import A\nTypedDict('T', x='A')",
				"",
				"2:1 F401 'spam.A' imported but unused"},
			{"from typing import TypedDict\nTypedDict('T', {x: 'a b', (y := 1): y}, total=z)\nx = z = 1",
				"2:17 F821 undefined name 'x' | 2:47 F821 undefined name 'z' | 2:20 F722 syntax error in forward annotation 'a b'", same},
			{"from typing import NamedTuple\nfrom spam import A, B, C, D\nNamedTuple('A', [('B', 'C'), 'D', ('x', 'a b', 'c d')])",
				"2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.B' imported but unused | 2:1 F401 'spam.C' imported but unused | 2:1 F401 'spam.D' imported but unused",
				"3:41 F722 syntax error in forward annotation 'a b' | 3:48 F722 syntax error in forward annotation 'c d' | 2:1 F401 'spam.A' imported but unused | 2:1 F401 'spam.B' imported but unused | 2:1 F401 'spam.D' imported but unused"},
			{"from typing import NamedTuple\nfrom spam import A\nNamedTuple('T', x='A')",
				"",
				"2:1 F401 'spam.A' imported but unused"},
			{"from typing import NamedTuple\nNamedTuple((x := 'a'), [((y := x), y)])",
				"2:32 F821 undefined name 'x'",
				""},
			{"from typing import cast\nx: cast('a b', 'c d')",
				"2:9 F722 syntax error in forward annotation 'a b' | 2:9 F722 syntax error in forward annotation 'a b' | 2:16 F722 syntax error in forward annotation 'c d'",
				"2:9 F722 syntax error in forward annotation 'a b'"},
			{"from typing import cast\ncast('A', (lambda A: A))",
				"2:6 F821 undefined name 'A'", same},
			{"from typing import cast\ndef f():\n    a = 1\n    cast(locals, 1)",
				"", same},
			{"from typing import TypeVar\ndef f():\n    a = 1\n    TypeVar('T', bound=locals)",
				"",
				"3:5 F841 local variable 'a' is assigned to but never used"},
		}},
		{"DictInPairs", []releaseTest{
			{"{1: (y := 2), y: 3}",
				"1:15 F821 undefined name 'y'",
				""},
			{"{(y := 1): 2, 3: y}",
				"", same},
			{"{**(x := {}), x: x}",
				"1:15 F821 undefined name 'x'",
				""},
		}},
		{"OuterIterables", []releaseTest{
			{"[x for x in (yield)]",
				"",
				"1:14 F704 'yield' outside function"},
			{"class A:\n    {x for x in __module__}",
				"2:17 F821 undefined name '__module__'",
				""},
			{"class A:\n    (x for x in __qualname__ if __module__)",
				"2:17 F821 undefined name '__qualname__' | 2:33 F821 undefined name '__module__'",
				"2:33 F821 undefined name '__module__'"},
			{"def f():\n    a = 1\n    return [x for x in locals()]",
				"2:5 F841 local variable 'a' is assigned to but never used",
				""},
			{"y = 1\ndef f():\n    [x for x in y]\n    y = 2",
				"4:5 F841 local variable 'y' is assigned to but never used",
				"3:17 F823 local variable 'y' defined in enclosing scope on line 1 referenced before assignment | 4:5 F841 local variable 'y' is assigned to but never used"},
			{"y = 1\ndef f():\n    [x for z in 'a' for x in y]\n    y = 2",
				"4:5 F841 local variable 'y' is assigned to but never used", same},
			{"[x for x in x]",
				"1:13 F821 undefined name 'x'", same},
			{"{x: y for x, y in (await z)}\nz = 1",
				"1:26 F821 undefined name 'z'",
				"1:20 F704 'yield' outside function"},
			{"def f():\n    return (locals() for x in locals())",
				"", same},
			{"[y for x in (y := 1) if y]",
				"", same},
		}},
		{"RootlessLoops", []releaseTest{
			{"try:\n    import spam\nexcept ImportError:\n    [0 for spam in 'eggs']",
				"2:5 F401 'spam' imported but unused",
				"2:5 F401 'spam' imported but unused | 4:12 F811 redefinition of unused 'spam' from line 2"},
			{"try:\n    import spam\nexcept ImportError:\n    [0 for eggs in 'eggs' for spam in 'eggs']",
				"2:5 F401 'spam' imported but unused", same},
			{"try:\n    import spam\nexcept ImportError:\n    [0 for eggs in 'eggs' if (spam := eggs)]",
				"2:5 F401 'spam' imported but unused",
				"2:5 F401 'spam' imported but unused | 4:31 F811 redefinition of unused 'spam' from line 2"},
			{"try:\n    import spam\nexcept ImportError:\n    [(spam := eggs) for eggs in 'eggs']",
				"2:5 F401 'spam' imported but unused", same},
			{"try:\n    import spam\nexcept ImportError:\n    {0 for eggs in (spam := 'eggs')}",
				"2:5 F401 'spam' imported but unused",
				"4:21 F811 redefinition of unused 'spam' from line 2 | 2:5 F401 'spam' imported but unused"},
			{"if 1:\n    import spam\nelse:\n    [0 for eggs in 'eggs' if (lambda spam: 0)]",
				"2:5 F401 'spam' imported but unused | 4:38 F811 redefinition of unused 'spam' from line 2", same},
		}},
		{"ParametersOfFunction", []releaseTest{
			{"def f(\n    a,\n):\n    def g():\n        a\n        a = 1\n        return a",
				"5:9 F823 local variable 'a' defined in enclosing scope on line 1 referenced before assignment",
				"5:9 F823 local variable 'a' defined in enclosing scope on line 2 referenced before assignment"},
			{"import spam\nfor x in 'eggs':\n    def f(spam): pass",
				"3:11 F402 import 'spam' from line 1 shadowed by loop variable | 1:1 F401 'spam' imported but unused",
				"1:1 F401 'spam' imported but unused | 3:11 F811 redefinition of unused 'spam' from line 1"},
			{"import spam\nfor x in lambda spam: 0:\n    pass",
				"2:17 F402 import 'spam' from line 1 shadowed by loop variable | 1:1 F401 'spam' imported but unused",
				"1:1 F401 'spam' imported but unused | 2:17 F811 redefinition of unused 'spam' from line 1"},
		}},
		{"GlobalHooks", []releaseTest{
			{"def f():\n    __tracebackhide__ = True\n    del __tracebackhide__",
				"2:5 F841 local variable '__tracebackhide__' is assigned to but never used",
				""},
			{"def f():\n    del __traceback_info__",
				"",
				"2:9 F821 undefined name '__traceback_info__'"},
			{"def f():\n    __debuggerskip__ = 1\n    del __debuggerskip__\n    __debuggerskip__ = 2",
				"4:5 F841 local variable '__debuggerskip__' is assigned to but never used",
				""},
			{"__tracebackhide__ = 1\ndef f():\n    __tracebackhide__\n    __tracebackhide__ = 2",
				"",
				"3:5 F823 local variable '__tracebackhide__' defined in enclosing scope on line 1 referenced before assignment"},
		}},
		{"LazyImports", []releaseTest{
			{"lazy import os",
				"1:1 F401 'os' imported but unused", same},
			{"lazy import os\nos",
				"",
				"2:1 F851 eager use of lazily imported 'os' from line 1"},
			{"lazy import os, sys as s\nclass A(os.x):\n    y = s\n    def f(self, z=os): return os",
				"",
				"2:9 F851 eager use of lazily imported 'os' from line 1 | 3:9 F851 eager use of lazily imported 's' from line 1 | 4:19 F851 eager use of lazily imported 'os' from line 1"},
			{"lazy import os.path\nos",
				"",
				"2:1 F851 eager use of lazily imported 'os' from line 1"},
			{"lazy from os import path as p\np += 1",
				"",
				"2:1 F851 eager use of lazily imported 'p' from line 1"},
			{"lazy from .. import spam\n@spam\ndef f(): pass",
				"",
				"2:2 F851 eager use of lazily imported 'spam' from line 1"},
			{"lazy import os\n[os for x in os], (os for x in [os]), {x: os for x in 'a'}, lambda: os",
				"",
				"2:14 F851 eager use of lazily imported 'os' from line 1 | 2:2 F851 eager use of lazily imported 'os' from line 1 | 2:33 F851 eager use of lazily imported 'os' from line 1 | 2:43 F851 eager use of lazily imported 'os' from line 1"},
			{"lazy import os\n(x for x in os)",
				"",
				"2:13 F851 eager use of lazily imported 'os' from line 1"},
			{"lazy import os\n([os for y in os] for x in 'a')",
				"", same},
			{"lazy import os\nx: os = 1\nx: 'os'\ndef f(a: os): pass",
				"", same},
			{"lazy import os\ndel os",
				"", same},
			{"lazy import os\nimport os\nos",
				"2:1 F811 redefinition of unused 'os' from line 1", same},
			{"import os\nlazy import os\nos",
				"2:1 F811 redefinition of unused 'os' from line 1",
				"2:1 F811 redefinition of unused 'os' from line 1 | 3:1 F851 eager use of lazily imported 'os' from line 2"},
			{"lazy import os\nos = 1\nos",
				"2:1 F811 redefinition of unused 'os' from line 1", same},
			{"lazy import spam as os, os.path\nspam, os",
				"2:1 F821 undefined name 'spam'",
				"2:1 F821 undefined name 'spam' | 2:7 F851 eager use of lazily imported 'os' from line 1"},
			{"def f():\n    lazy import os\n    return os",
				"",
				"2:5 F708 lazy import must be at module scope | 3:12 F821 undefined name 'os'"},
			{"class A:\n    lazy from os import path\n    path",
				"",
				"2:5 F708 lazy import must be at module scope | 3:5 F821 undefined name 'path'"},
			{"try:\n    lazy import os\nexcept E:\n    lazy import sys\nelse:\n    lazy import a\nfinally:\n    lazy import b",
				"3:8 F821 undefined name 'E' | 2:5 F401 'os' imported but unused | 4:5 F401 'sys' imported but unused | 6:5 F401 'a' imported but unused | 8:5 F401 'b' imported but unused",
				"2:5 F708 lazy import must be at module scope | 3:8 F821 undefined name 'E' | 4:5 F708 lazy import must be at module scope | 6:5 F708 lazy import must be at module scope | 8:5 F708 lazy import must be at module scope"},
			{"try:\n    if 1:\n        lazy from os import *\nexcept* E:\n    pass",
				"3:9 F403 'from os import *' used; unable to detect undefined names | 4:9 F405 'E' may be undefined, or defined from star imports: os",
				"3:9 F708 lazy import must be at module scope | 4:9 F821 undefined name 'E'"},
			{"with a:\n    lazy import os\nif b:\n    lazy import sys\n    sys",
				"1:6 F821 undefined name 'a' | 3:4 F821 undefined name 'b' | 2:5 F401 'os' imported but unused",
				"1:6 F821 undefined name 'a' | 3:4 F821 undefined name 'b' | 5:5 F851 eager use of lazily imported 'sys' from line 4 | 2:5 F401 'os' imported but unused"},
			{"lazy from os import *\nx",
				"1:1 F403 'from os import *' used; unable to detect undefined names | 2:1 F405 'x' may be undefined, or defined from star imports: os",
				"1:1 F709 'lazy from os import *' is not allowed | 2:1 F821 undefined name 'x'"},
			{"lazy from ..spam import *",
				"1:1 F403 'from ..spam import *' used; unable to detect undefined names | 1:1 F401 '..spam.*' imported but unused",
				"1:1 F709 'lazy from ..spam import *' is not allowed"},
			{"def f():\n    lazy from os import *",
				"2:5 F406 'from os import *' only allowed at module level",
				"2:5 F708 lazy import must be at module scope"},
			{"lazy import typing\nx: typing.Literal['a b']\ntyping.cast('a b', 1)",
				"3:13 F722 syntax error in forward annotation 'a b'",
				"3:1 F851 eager use of lazily imported 'typing' from line 1 | 3:13 F722 syntax error in forward annotation 'a b'"},
			{"__all__ = ['os']\nlazy import os",
				"", same},
			{"lazy import __class__\nclass A: __class__",
				"1:1 F401 '__class__' imported but unused", same},
			{"lazy import print\nprint >> 1",
				"",
				"2:1 F851 eager use of lazily imported 'print' from line 1"},
			{"lazy = 1\nlazy\nimport os",
				"3:1 F401 'os' imported but unused", same},
		}},
	} {
		var older, newer []checkTest
		differ := 0
		for _, test := range feature.tests {
			older = append(older, checkTest{test.text, test.flake8730})
			if test.flake8750 == same {
				test.flake8750 = test.flake8730
			}
			if test.flake8750 != test.flake8730 {
				differ++
			}
			newer = append(newer, checkTest{test.text, test.flake8750})
		}
		if differ == 0 {
			t.Errorf("%s: no program shows the feature", feature.name)
		}
		t.Run(feature.name+"/7.3.0", func(t *testing.T) {
			testCheck(t, pyflakes.Options{Filename: "spam.py", Release: rule.Flake8730, Target: source.Python315}, older)
		})
		t.Run(feature.name+"/7.5.0", func(t *testing.T) {
			testCheck(t, pyflakes.Options{Filename: "spam.py", Release: rule.Flake8750, Target: source.Python315}, newer)
		})
	}
}

// Since 3.13 the keywords of a TypedDict are no fields, and since 3.15 those of a
// NamedTuple. Only pyflakes 4.1.0 knows.
func TestFieldKeywords(t *testing.T) {
	const typed = "from typing import TypedDict as T\nfrom spam import A\nT('T', x='A')"
	const named = "from typing import NamedTuple as T\nfrom spam import A\nT('T', x='A')"
	const unused = "2:1 F401 'spam.A' imported but unused"
	for target, tests := range map[source.Version][]checkTest{
		source.Python312: {{typed, ""}, {named, ""}},
		source.Python313: {{typed, unused}, {named, ""}},
		source.Python314: {{typed, unused}, {named, ""}},
		source.Python315: {{typed, unused}, {named, unused}},
	} {
		t.Run(target.String(), func(t *testing.T) {
			testCheck(t, pyflakes.Options{Filename: "spam.py", Release: rule.Flake8750, Target: target}, tests)
		})
	}
}
