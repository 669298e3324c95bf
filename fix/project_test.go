package fix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codelinter/lint"
)

// write writes files below a folder.
func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUsedByOthers keeps the imports that other files of a project use.
func TestUsedByOthers(t *testing.T) {
	for name, c := range map[string]struct {
		others map[string]string
		want   string // of import json, and sys
	}{
		"nobody":            {nil, ""},
		"an attribute":      {map[string]string{"p/b.py": "from p import a\nprint(a.json)\n"}, "import json\n"},
		"another name":      {map[string]string{"p/b.py": "from p import a\nprint(a.jsonpath)\n"}, ""},
		"another module":    {map[string]string{"p/b.py": "from p import b\nprint(b.json)\n"}, ""},
		"another project":   {map[string]string{"../b.py": "from p import a\nprint(a.json)\n"}, ""},
		"an alias":          {map[string]string{"p/b.py": "import p.a as c\nprint(c.json)\n"}, "import json\n"},
		"from":              {map[string]string{"tests/b.py": "from p.a import json\nprint(json)\n"}, "import json\n"},
		"from, unused":      {map[string]string{"tests/b.py": "from p.a import json\n"}, ""},
		"from, in a circle": {map[string]string{"p/b.py": "from .a import json\n", "p/c.py": "from p.b import json\n", "p/d.py": "from .c import json\n"}, ""},
		"from another":      {map[string]string{"p/b.py": "from p import a\nfrom q import json\nprint(a, json)\n"}, ""},
		"from ..":           {map[string]string{"p/q/b.py": "from .. import a, json\nprint(a, json)\n"}, "import json\n"},
		"from, as itself":   {map[string]string{"p/b.py": "from .a import json as json\n"}, "import json\n"},
		"from, in __all__":  {map[string]string{"p/b.py": "from .a import json\n__all__ = ['json']\n"}, "import json\n"},
		"from, in a try":    {map[string]string{"p/b.py": "try:\n    from .a import json\nexcept ImportError:\n    pass\n"}, "import json\n"},
		"a package":         {map[string]string{"p/__init__.py": "from .a import json\n"}, "import json\n"},
		"by way of another": {map[string]string{"p/b.py": "from .a import json\n", "p/c.py": "from . import b\nprint(b.json)\n"}, "import json\n"},
		"all":               {map[string]string{"p/b.py": "from .a import *\nprint(json)\n"}, "import json\n"},
		"a patch":           {map[string]string{"tests/b.py": "import mock\nmock.patch('p.a.json')\n"}, "import json\n"},
		"a loaded module":   {map[string]string{"p/b.py": "a = sys.modules['p']\na.json\n"}, "import json\n"},
		"its name":          {map[string]string{"p/b.py": "b = sys.modules['a']\nb.json\n"}, "import json\n"},
		"getattr":           {map[string]string{"p/b.py": "from . import a\ngetattr(a, 'json')\n"}, "import json\n"},
		"dir":               {map[string]string{"p/b.py": "import p.a as c\nprint(dir(c))\n"}, "import json\nimport sys\n"},
		"vars":              {map[string]string{"p/b.py": "from . import a\nprint(vars(a))\n"}, "import json\nimport sys\n"},
		"__dict__":          {map[string]string{"p/b.py": "from . import a\nprint(a.__dict__)\n"}, "import json\nimport sys\n"},
		"getmembers":        {map[string]string{"p/b.py": "from . import a\ninspect.getmembers(a)\n"}, "import json\nimport sys\n"},
		"dir of another":    {map[string]string{"p/b.py": "from . import a, c\nprint(dir(c), a)\n"}, ""},
		"an entry point":    {map[string]string{"pyproject.toml": "[project.scripts]\nx = \"p.a:json\"\n"}, "import json\n"},
		"another point":     {map[string]string{"pyproject.toml": "[project.scripts]\nx = \"p.a:jsonpath\"\ny = \"p.b:json\"\n"}, ""},
		"a Procfile":        {map[string]string{"Procfile": "web: gunicorn p.a:json\n"}, "import json\n"},
		"a page":            {map[string]string{"docs/a.rst": "    >>> from p.a import sys, json\n"}, "import json\nimport sys\n"},
		"a text":            {map[string]string{"p/b.py": "load('p.a:json')\n"}, "import json\n"},
		"code in a text":    {map[string]string{"p/b.py": "exec('from p.a import x, json; json.loads()')\n"}, "import json\n"},
		"no Python":         {map[string]string{"p/b.py": "from p import a\nprint a.json\n"}, ""},
		"hidden":            {map[string]string{".p/b.py": "from p import a\nprint(a.json)\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "project")
			const text = "import json\nimport sys\n\n\ndef f():\n    return 1\n"
			write(t, folder, map[string]string{"setup.py": "", "p/__init__.py": "", "p/a.py": text})
			write(t, folder, c.others)
			want := c.want + "\n\ndef f():\n    return 1\n"
			if c.want == "" {
				want = "def f():\n    return 1\n"
			}
			if r := fixed(t, lint.DefaultOptions(), filepath.Join(folder, "p", "a.py"), []byte(text)); string(r.Text) != want {
				t.Errorf("%q, expected %q", r.Text, want)
			}
		})
	}
}

// TestUnmarkedFolder reads only the packages of a folder that is no project's root: a home folder
// may have anything below it.
func TestUnmarkedFolder(t *testing.T) {
	folder := t.TempDir()
	if _, marked := NewProject().rootOf(folder); marked {
		t.Skip("the temporary folder is part of a project")
	}
	const use = "import a\nprint(a.json)\n"
	write(t, folder, map[string]string{"a.py": "import json\n", "other/b.py": use})
	is := func(want bool) {
		t.Helper()
		if r := newFixer(t, lint.DefaultOptions()).FixFile(filepath.Join(folder, "a.py"), []byte("import json\n")); r.Changed() == want {
			t.Errorf("used: expected %v, but it became %q", want, r.Text)
		}
	}
	is(false)
	write(t, folder, map[string]string{"package/b.py": use, "package/__init__.py": ""})
	is(true)
}

// TestRefresh looks at files again that have changed.
func TestRefresh(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"tox.ini": "", "a.py": "import json\n", "b.py": "import a\n"})
	f := newFixer(t, lint.DefaultOptions())
	project := NewProject()
	f.Share(project)
	a, b := filepath.Join(folder, "a.py"), filepath.Join(folder, "b.py")
	is := func(want bool) {
		t.Helper()
		if r := f.FixFile(a, []byte("import json\n")); r.Changed() == want {
			t.Errorf("used: expected %v, but it became %q", want, r.Text)
		}
	}
	is(false)
	write(t, folder, map[string]string{"b.py": "import a\nprint(a.json)\n"})
	is(false)
	project.Refresh()
	is(true)
	write(t, folder, map[string]string{"b.py": "import a\nprint(a.xxxx)\n"}) // of the same size
	if err := os.Chtimes(b, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	project.Refresh()
	is(false)
}

// TestComparesTypes finds the metaclasses with an == in other files, whether they are worth parsing
// or not.
func TestComparesTypes(t *testing.T) {
	for text, want := range map[string]bool{
		"class A(type):\n    def __eq__(self, other): return True\n":                                        true,
		"class A(\n    abc.ABCMeta\n):\n    def __eq__(self, other): return True\n":                         true,
		"class A(B):\n    def __eq__(cls, other): return True\n":                                            true,
		"class A(B):\n    def __eq__(self, other): return True\nclass C(metaclass = A): pass\n":             true,
		"class A(B):\n    def __eq__(self, other): return True\nclass C(D, metaclass=m.A): pass\n":          true,
		"class A(B):\n    def __eq__(self, other): return True\nclass C(metaclass=ABCMeta): pass\n":         false,
		"class A(B):\n    def __eq__(self, other): return True\n":                                           false,
		"class TypeMeta:\n    def __eq__(self, other): return True\n":                                       false,
		"# a class of type:\nclass A(B):\n    def __eq__(self, other): return type(self) == type(other)\n":  false,
		"if x:\n    class A(EnumMeta): # spam:\n        __ne__ = lambda a, b: True\n        x = '__eq__'\n": true,
	} {
		folder := t.TempDir()
		write(t, folder, map[string]string{"setup.py": "", "a.py": "x = type(a) == type(b)\n", "b.py": text})
		if got := NewProject().comparesTypes(filepath.Join(folder, "a.py")); got != want {
			t.Errorf("%q: %v, expected %v", text, got, want)
		}
	}
}

// TestParameters renames an ambiguous parameter only if nothing but the file's own code can pass it
// by its name.
func TestParameters(t *testing.T) {
	const text = "def f(l):\n    return l + 1\n\n\nprint(f(1))\n"
	for name, c := range map[string]struct {
		text   string
		others map[string]string
		want   bool
	}{
		"a script":              {text, nil, true},
		"another file":          {text, map[string]string{"b.py": "import a\nl = 1\nprint(a.f(l))\n"}, false},
		"a file without l":      {text, map[string]string{"b.py": "import a\nprint(a.f(1))\n"}, true},
		"a package":             {text, map[string]string{"__init__.py": ""}, false},
		"a project":             {text, map[string]string{"pyproject.toml": ""}, false},
		"a call by keyword":     {strings.Replace(text, "f(1)", "f(l=1)", 1), nil, false},
		"arguments in a text":   {strings.Replace(text, "f(1)", "f(**{'l': 1})", 1), nil, false},
		"a decorator":           {"import spam\n\n\n@spam.eggs\n" + text, nil, false},
		"a method":              {"class A:\n    def f(self, l):\n        return l\n", nil, false},
		"an attribute":          {"class A:\n    l = 1\n", nil, false},
		"a reader of names":     {"import inspect\n\n\n" + text + "print(inspect.signature(f))\n", nil, false},
		"a variable":            {"l = 1\nprint(l)\n", nil, true},
		"a variable of another": {"l = 1\nprint(l)\n", map[string]string{"b.py": "import a\nprint(a.l)\n"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, folder, map[string]string{".hg": "", "a.py": c.text})
			write(t, folder, c.others)
			r := newFixer(t, lint.DefaultOptions()).FixFile(filepath.Join(folder, "a.py"), []byte(c.text))
			if r.Changed() != c.want {
				t.Errorf("it became %q", r.Text)
			}
		})
	}
}

// TestLoading keeps an unused import of a module that does something when it is loaded.
func TestLoading(t *testing.T) {
	const base = "class Base:\n    pass\n"
	for name, c := range map[string]struct {
		imports string
		files   map[string]string
		kept    bool
	}{
		"constants":                  {"import b", map[string]string{"b.py": "\"\"\"Text.\"\"\"\nx = 1\ny: int = len('a')\n__all__ = ['x']\n__all__ += ['y']\n"}, false},
		"definitions":                {"import b", map[string]string{"b.py": "import abc\n\n\nclass A(abc.ABC):\n    x = 1\n\n    @property\n    def f(self): pass\n\n    @f.setter\n    def f(self, x): pass\n\n\nclass C(A): pass\n"}, false},
		"calls of the library":       {"import b", map[string]string{"b.py": "import re\nimport logging\nx = re.compile('a').pattern\ny = logging.getLogger(__name__)\n"}, false},
		"main":                       {"import b", map[string]string{"b.py": "if __name__ == '__main__':\n    print(1)\n"}, false},
		"for checkers":               {"import b", map[string]string{"b.py": "import typing\nif typing.TYPE_CHECKING:\n    import c\n", "c.py": "print(1)\n"}, false},
		"a print":                    {"import b", map[string]string{"b.py": "print(1)\n"}, true},
		"a call of its own":          {"import b", map[string]string{"b.py": "def f(): pass\nx = f()\n"}, true},
		"a call in a comprehension":  {"import b", map[string]string{"b.py": "x = [print(i) for i in range(2)]\n"}, true},
		"a default":                  {"import b", map[string]string{"b.py": "def f(x=print(1)): pass\n"}, true},
		"a class that prints":        {"import b", map[string]string{"b.py": "class A:\n    print(1)\n"}, true},
		"a base of the project":      {"import b", map[string]string{"b.py": "from c import Base\nclass A(Base): pass\n", "c.py": base}, true},
		"a base of another":          {"import b", map[string]string{"b.py": "from spam import Base\nclass A(Base): pass\n"}, true},
		"a decorator":                {"import b", map[string]string{"b.py": "from c import mark\n@mark\ndef f(): pass\n", "c.py": "def mark(f): return f\n"}, true},
		"a decorator of a variable":  {"import b", map[string]string{"b.py": "import spam\napp = spam.App()\n@app.get('/')\ndef f(): pass\n"}, true},
		"a decorator of the library": {"import b", map[string]string{"b.py": "import functools\n@functools.lru_cache(5)\ndef f(): pass\n"}, false},
		"an item":                    {"import b", map[string]string{"b.py": "import c\nc.x['a'], y = 1, 2\n", "c.py": "x = {}\n"}, true},
		"an assert":                  {"import b", map[string]string{"b.py": "from c import x\nassert x.setdefault('a', 1)\n", "c.py": "x = {}\n"}, true},
		"a match":                    {"import b", map[string]string{"b.py": "match 1:\n    case 1:\n        print(1)\n"}, true},
		"no Python":                  {"import b", map[string]string{"b.py": "print 1\n"}, true},
		"what it imports":            {"import b", map[string]string{"b.py": "import c\nx = c\n", "c.py": "from d import x\ny = x\n", "d.py": "x = 1\nprint(x)\n"}, true},
		"a circle":                   {"import b", map[string]string{"b.py": "import c\nx = c\n", "c.py": "import b\nx = b\n"}, false},
		"a package":                  {"import p.b", map[string]string{"p/__init__.py": "print(1)\n", "p/b.py": ""}, true},
		"a package without a file":   {"import p.b", map[string]string{"p/b.py": "print(1)\n"}, true},
		"a module of a package":      {"from p import b", map[string]string{"p/__init__.py": "", "p/b.py": "print(1)\n"}, true},
		"a name of a package":        {"from p import b", map[string]string{"p/__init__.py": "b = 1\n"}, false},
		"a module beside":            {"from p.q import b", map[string]string{"p/__init__.py": "", "p/q/__init__.py": "from . import c\n", "p/q/b.py": "", "p/q/c.py": "print(1)\n"}, true},
		"of the folder src":          {"import p", map[string]string{"src/p/__init__.py": "print(1)\n"}, true},
		"that stays anyhow":          {"from b import x, y\nprint(x)", map[string]string{"b.py": "x = y = 1\nprint(x)\n"}, false},
		"of another project":         {"import spam.eggs", nil, false},
		"called for it":              {"import spam.signals", nil, true},
		"known for it":               {"import readline", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, folder, map[string]string{"setup.py": ""})
			write(t, folder, c.files)
			text := c.imports + "\n"
			r := newFixer(t, lint.DefaultOptions()).FixFile(filepath.Join(folder, "a.py"), []byte(text))
			if r.Changed() == c.kept {
				t.Errorf("it became %q", r.Text)
			}
		})
	}
}

// TestFramesOfOthers keeps unused variables if an imported module reads the variables of its
// callers.
func TestFramesOfOthers(t *testing.T) {
	const reader = "import sys\n\n\ndef show():\n    return sys._getframe(1).f_locals\n"
	for imports, kept := range map[string]bool{"from b import show": true, "import b": true, "import p.b": true, "from c import show": false} {
		folder := t.TempDir()
		text := imports + "\n\n\ndef f():\n    x = 1\n    return show, b, p\n"
		write(t, folder, map[string]string{"setup.py": "", "a.py": text, "b.py": reader, "p/b.py": reader, "c.py": "def show():\n    pass\n"})
		if r := newFixer(t, lint.DefaultOptions()).FixFile(filepath.Join(folder, "a.py"), []byte(text)); strings.Contains(string(r.Text), "x = 1") != kept {
			t.Errorf("%s: it became %q", imports, r.Text)
		}
	}
}

// TestDocstringsOfOthers breaks no row of a docstring that another file reads.
func TestDocstringsOfOthers(t *testing.T) {
	const text = "def f():\n    \"\"\"A docstring that goes far beyond the limit of 79 characters, and has more words.\"\"\"\n"
	for others, kept := range map[string]bool{
		"import a\nprint(a.f)\n":                          false,
		"import a\nprint(a.f.__doc__)\n":                  true,
		"from a import f as g\nprint(g.__doc__)\n":        true,
		"import a\nimport b\nprint(a.f, b.f.__doc__)\n":   false,
		"import a as b\nprint(getdoc(b.f))\n":             true,
		"import a\nprint([getdoc(x) for x in vars(a)])\n": true,
		"import a\nimport fire\nfire.Fire(a)\n":           true,
		"import fire\nfire.Fire(b)\n":                     false,
	} {
		folder := t.TempDir()
		write(t, folder, map[string]string{"setup.py": "", "a.py": text, "c.py": others})
		if r := newFixer(t, lint.DefaultOptions()).FixFile(filepath.Join(folder, "a.py"), []byte(text)); r.Changed() == kept {
			t.Errorf("%q: it became %q", others, r.Text)
		}
	}
}

// TestPassedByOthers renames no parameter, without a proof either, that another file passes by its
// name.
func TestPassedByOthers(t *testing.T) {
	const text = "def f(l):\n    return l\n"
	for others, kept := range map[string]bool{
		"import a\nprint(a.f(1))\n":              false,
		"import a\nprint(a.f(l=1))\n":            true,
		"import a\nprint(a.f(**{}))\n":           true,
		"import b\nprint(b.f(l=1), b.f(**{}))\n": false,
	} {
		folder := t.TempDir()
		write(t, folder, map[string]string{"setup.py": "", "a.py": text, "c.py": others})
		f := newFixer(t, lint.DefaultOptions())
		f.Unsafe(func(string, string) (Proof, bool) { return Run, true })
		if r := f.FixFile(filepath.Join(folder, "a.py"), []byte(text)); r.Changed() == kept {
			t.Errorf("%q: it became %q", others, r.Text)
		}
	}
}

func TestIsWordByte(t *testing.T) {
	for b := range 256 {
		c := byte(b)
		want := c == '_' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if isWordByte(c) != want {
			t.Errorf("%q", c)
		}
	}
}
