package scope_test

import (
	"testing"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
	"codelinter/parser"
	"codelinter/source"
)

// read returns the names of a text.
func read(t *testing.T, text string) (*scope.Table, *ast.Module) {
	t.Helper()
	var file source.File
	if err := file.Load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	module, err := parser.Parse(&file, parser.Options{Target: source.Newest})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	var table scope.Table
	callers := scope.ReadCallers(nil)
	table.Read(module, &callers)
	return &table, module
}

// Each name belongs to the scope in which CPython's symbol table has it.
func TestResolve(t *testing.T) {
	kinds := map[scope.Kind]string{scope.ModuleScope: "module", scope.ClassScope: "class", scope.FunctionScope: "function", scope.ComprehensionScope: "comprehension"}
	for text, want := range map[string]string{ // the scope of x where the text has its last scope
		"x = 1\ndef f():\n    return x\n":                                      "module",
		"def f():\n    return x\n":                                             "none",
		"x = 1\ndef f():\n    return x\n    x = 2\n":                           "function",
		"x = 1\ndef f(x):\n    return x\n":                                     "function",
		"def f():\n    x = 1\n    def g():\n        return x\n":                "function",
		"x = 1\nclass C:\n    x = 2\n    def f(self):\n        return x\n":     "module",
		"class C:\n    x = 2\n":                                                "class",
		"def f():\n    x = 1\n    def g():\n        global x\n        x = 2\n": "module",
		"def f():\n    y = [x for x in y]\n":                                   "comprehension",
		"def f():\n    y = [(x := z) for z in y]\n":                            "function",
		"def f():\n    import x.y\n    return x\n":                             "function",
		"def f(y):\n    match y:\n        case [x]:\n            return x\n":   "function",
		"def f():\n    try:\n        pass\n    except E as x:\n        x\n":    "function",
	} {
		table, _ := read(t, text)
		got := "none"
		if at := table.Lookup(int32(len(table.Scopes)-1), "x"); at >= 0 {
			got = kinds[table.Scopes[table.Symbols[at].Scope].Kind]
		}
		if got != want {
			t.Errorf("x is of the scope %s, want %s, in\n%s", got, want, text)
		}
	}
}

// A name of a value does nothing else.
func TestNamedValue(t *testing.T) {
	for body, want := range map[string]bool{
		"    r = a()\n    return r\n":                                                true,
		"    r: int = a()\n    return r\n":                                           true,
		"    r = a()\n    'text'\n    return r\n":                                    true,
		"    if a:\n        r = 1\n        return r\n    r = 2\n    return r\n":      true,
		"    if a:\n        raise E\n    else:\n        r = 1\n    return r\n":       true,
		"    r = 'no'\n    raise E(r)\n":                                             true,
		"    r = a()\n    raise E(r)\n":                                              false, // E is evaluated first
		"    r = a()\n    a()\n    return r\n":                                       false,
		"    r = a()\n    return r + r\n":                                            false,
		"    r = a()\n    return r\n    print(r)\n":                                  false,
		"    if a:\n        r = 1\n    return r\n":                                   false,
		"    r = lambda: 1\n    return r\n":                                          false, // may become a def
		"    global r\n    r = a()\n    return r\n":                                  false,
		"    def g():\n        return r\n    r = a()\n    return r\n":                false,
		"    try:\n        r = a()\n        return r\n    finally:\n        del r\n": false,
	} {
		table, _ := read(t, "def f(a):\n"+body)
		at := table.Lookup(1, "r")
		if got := table.OnlyNames(at); got != want {
			t.Errorf("only names a value: %v, want %v, in\n%s", got, want, body)
		}
	}
}

// What CPython does not compile is known, though the parser accepts it.
func TestBroken(t *testing.T) {
	for text, want := range map[string]bool{
		"def f(a, a):\n    pass\n":                                                    true,
		"def f():\n    nonlocal x\n":                                                  true,
		"def f():\n    x = 1\n    global x\n":                                         true,
		"def f():\n    global x\n    x: int = 1\n":                                    true,
		"def f():\n    global x\n    x = 1\n    y: int = 1\n":                         false,
		"def f():\n    x = 1\n    def g():\n        nonlocal x\n        x: int = 1\n": true,
		"f(a=1, a=2)\n": true,
		"try:\n    pass\nexcept:\n    pass\nexcept E:\n    pass\n": true,
	} {
		if table, _ := read(t, text); table.Facts.Broken != want {
			t.Errorf("broken: %v, want %v, in\n%s", table.Facts.Broken, want, text)
		}
	}
}
