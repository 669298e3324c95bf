package same_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"codelinter/internal/equiv/same"
	"codelinter/parser"
	"codelinter/source"
)

// proven reports whether a text is proven to be a program, with no edit asked for.
func proven(t *testing.T, program, text string) bool {
	t.Helper()
	p, err := same.Read([]byte(program))
	if err != nil {
		t.Fatalf("%v in\n%s", err, program)
	}
	p.Ask(nil)
	var file source.File
	if err := file.Load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
	if !ok {
		return false
	}
	var c same.Comparer
	c.Read(p, module, file.Text)
	return c.Same(p)
}

// testdata/pairs has run both programs of each pair in CPython.
func TestPairs(t *testing.T) {
	data, err := os.ReadFile("testdata/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	differ, equal := 0, 0
	for line := range bytes.Lines(data) {
		var row struct {
			Kind, A, B      string
			Differs, Proven bool
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Differs {
			differ++
		} else if row.Proven {
			equal++
		}
		if got := proven(t, row.A, row.B); got != row.Proven || got && row.Differs {
			t.Errorf("%s: proven %v, want %v:\n%s---\n%s", row.Kind, got, row.Proven && !row.Differs, row.A, row.B)
		}
	}
	if differ < 200 || equal < 40 {
		t.Errorf("%d pairs differ and %d are proven", differ, equal)
	}
}

// A lazy import of CPython 3.15 may fail when its name is first used, so it is another statement
// than an import, unless it surely succeeds.
func TestLazyImports(t *testing.T) {
	const program = "lazy import numpy as np, scipy\nlazy from .a import b\n\n\ndef f(x):\n    return np.abs(x), scipy, b\n"
	for text, want := range map[string]bool{
		"lazy from .a import b\nlazy import numpy as np\nlazy import scipy\n\n\ndef f(y):\n    return np.abs(y), scipy, b\n": true,
		"lazy from .a import b\nimport numpy as np\nlazy import scipy\n\n\ndef f(x):\n    return np.abs(x), scipy, b\n":      false,
		"lazy import numpy as np, scipy\nfrom .a import b\n\n\ndef f(x):\n    return np.abs(x), scipy, b\n":                  false,
	} {
		if got := proven(t, program, text); got != want {
			t.Errorf("proven %v, want %v:\n%s", got, want, text)
		}
	}
	if !proven(t, "lazy import math\n\n\ndef f(x):\n    return math.pi\n", "import math\n\n\ndef f(x):\n    return math.pi\n") {
		t.Error("a lazy import of math is an import of math")
	}
	for _, text := range []string{"def f():\n    lazy import math\n    return math.pi\n", "lazy from math import *\n\n\ndef f():\n    return pi\n"} {
		if proven(t, text, text+"# x\n") {
			t.Errorf("proven, but CPython does not compile it:\n%s", text)
		}
	}
}

// An import may bind a new name, if nothing but the program's own functions sees it.
func TestImportNames(t *testing.T) {
	for _, test := range []struct {
		program, answer string
		want            bool
	}{
		{"import numpy\n\n\ndef f(a):\n    return numpy.abs(a)\n", "import numpy as np\n\n\ndef f(a):\n    return np.abs(a)\n", true},
		{"try:\n    import numpy\nexcept ImportError:\n    numpy = None\n", "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n", true},
		{"import os.path\n\n\ndef f(a):\n    return os.path.join(a)\n", "import os.path as os\n\n\ndef f(a):\n    return os.path.join(a)\n", false},
		{"import os\nimport re\n\n\ndef f():\n    return os.x, re.y\n", "import os as re\nimport re as os\n\n\ndef f():\n    return os.x, re.y\n", false},
		{"import math\n\n\ndef f(a):\n    return math.pi, np\n", "import math as np\n\n\ndef f(a):\n    return np.pi, np\n", false},
		{"import math\n\n\ndef f(a):\n    return math.pi\n", "import math as max\n\n\ndef f(a):\n    return max.pi\n", false},
		{"import os\n\n\ndef f():\n    return os.sep, globals()\n", "import os as o\n\n\ndef f():\n    return o.sep, globals()\n", false},
		{"__all__ = ['math', 'f']\nimport math\n\n\ndef f():\n    return math.pi\n", "__all__ = ['math', 'f']\nimport math as m\n\n\ndef f():\n    return m.pi\n", false},
		{"import math\n\n\nclass A:\n    b = m\n    m = 3\n\n\ndef f():\n    return math.pi\n", "import math as m\n\n\nclass A:\n    b = m\n    m = 3\n\n\ndef f():\n    return m.pi\n", false},
		{"import math\n\n\nclass A:\n    b = math\n    math = 3\n\n\ndef f():\n    return math.pi\n", "import math as m\n\n\nclass A:\n    b = math\n    math = 3\n\n\ndef f():\n    return m.pi\n", false},
	} {
		if got := proven(t, test.program, test.answer); got != test.want {
			t.Errorf("proven %v, want %v:\n%s---\n%s", got, test.want, test.program, test.answer)
		}
	}
	p, err := same.Read([]byte("import math\n\n\ndef f():\n    return math.pi\n"), "assert math.pi > 3")
	if err != nil {
		t.Fatal(err)
	}
	p.Ask(nil)
	const text = "import math as m\n\n\ndef f():\n    return m.pi\n"
	var file source.File
	if err := file.Load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	module, _ := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
	var c same.Comparer
	if c.Read(p, module, text); c.Same(p) {
		t.Error("a test reads the name")
	}
}
