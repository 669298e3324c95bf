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
	if _, marked := rootOf(folder); marked {
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

// TestComparesTypes finds the metaclasses with an == in other files, whether they are worth parsing or not.
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

// TestParameters renames an ambiguous parameter only if nothing but the file's own code can pass it by its name.
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
