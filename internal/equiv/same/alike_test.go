package same_test

import (
	"testing"

	"codelinter/internal/equiv/same"
	"codelinter/parser"
	"codelinter/source"
)

// What is alike does the same for ordinary values, and is not proven to do the same.
func TestAlike(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"if a == b:\n        return True\n    return False", "return a == b", true},
		{"if a == b:\n        return True\n    return False", "return a != b", false},
		{"if a and b:\n        return False\n    return True", "return not (a and b)", true},
		{"if a and b:\n        return True\n    return False", "return bool(a and b)", true},
		{"if a and b:\n        return True\n    return False", "return a and b", false},
		{"if a == 1:\n        return True\n    if b > 2 and a:\n        return True\n    return False", "if a == 1:\n        return True\n    return bool(b > 2 and a)", true},
		{"if a == 1:\n        return False\n    if b > 2 and a:\n        return True\n    return False", "if a == 1:\n        return False\n    return bool(b > 2 and a)", true},
		{"if a == 1:\n        return False\n    if b > 2 and a:\n        return True\n    return False", "return a != 1 and bool(b > 2 and a)", false},
		{"if a == 1:\n        return True\n    if b > 2:\n        return True\n    return False", "if a == 1:\n        return False\n    return b > 2", false},
		{"return 0 == a, 1 < b", "return a == 0, b > 1", true},
		{"return 1 < b", "return b < 1", false},
		{"return a == 1 or a == 'x'", "return a in {1, 'x'}", true},
		{"return a == 1 or b == 2", "return a in (1, 2)", false},
		{"return a == None or a == 1", "return a in (None, 1)", false},
		{"if a != 1 and a != 2:\n        return b", "if a not in [1, 2]:\n        return b", true},
		{"a = a + 1\n    return a", "a += 1\n    return a", true},
		{"a = a + b\n    return a", "a += b\n    return a", false},
		{"a = a * 2\n    return a", "a *= 2\n    return a", false},
		{"return '%s: %r%%' % (a.x, b)", "return f'{a.x}: {b!r}%'", true},
		{"return '%d' % (a,)", "return f'{a}'", false},
		{"return '%s' % a", "return f'{a}'", false},
		{"return '%s' % a.__name__", "return f'{a.__name__}'", true},
		{"return '%s %s' % (a, b.pop())", "return f'{a} {b.pop()}'", false},
		{"return '{} {}'.format(a, b.x)", "return f'{a} {b.x}'", true},
		{"return sum([c * 2 for c in a])", "return sum(c * 2 for c in a)", true},
		{"return any([b(c) for c in a])", "return any(b(c) for c in a)", false},
		{"return [c for c in a]", "return (c for c in a)", false},
	} {
		const def = "def f(a, b):\n    "
		p, err := same.Read([]byte(def + test.a + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		p.Ask(nil)
		p.AskAlike(nil)
		var file source.File
		if err := file.Load([]byte(def + test.b + "\n")); err != nil {
			t.Fatal(err)
		}
		module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
		if !ok {
			t.Fatalf("no Python: %s", test.b)
		}
		var c same.Comparer
		c.Read(p, module, file.Text)
		if c.Same(p) {
			t.Errorf("proven: %s\n%s", test.a, test.b)
		}
		if got := c.Alike(p); got != test.want {
			t.Errorf("alike %v, want %v: %s\n%s", got, test.want, test.a, test.b)
		}
	}
}
