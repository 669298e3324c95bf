package same_test

import (
	"fmt"
	"strings"
	"testing"

	"codelinter/internal/equiv/same"
	"codelinter/internal/testenv/bench"
	"codelinter/lint"
	"codelinter/parser"
	"codelinter/source"
)

func TestMain(m *testing.M) { bench.Main(m) }

// each returns a text of n parts, for numbers from 0.
func each(n int, part string) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
	}
	return all.String()
}

// The time that a program and an answer take grows with their length.
func TestGrowth(t *testing.T) {
	const f = "import quopri\nquopri.x()\n\n\ndef f(a):\n    b = a\n"
	for name, text := range map[string]func(n int) string{
		"branches that leave":      func(n int) string { return f + each(n, "    if b:\n        return 1\n    else:\n        a()\n") },
		"branches that may be odd": func(n int) string { return f + each(n, "    if b == False:\n        return 1\n    b = a()\n") },
		"named values":             func(n int) string { return f + each(n, "    if b:\n        c = a()\n        return c\n") },
		"values without a use":     func(n int) string { return f + each(n, "    b = a\n    1\n    pass\n") },
		"variables":                func(n int) string { return f + each(n, "    c# = a\n    a(c#)\n") },
		"imports":                  func(n int) string { return each(n, "import m#\n") + "import x as q\nimport y as q\n" },
		"repeated imports":         func(n int) string { return each(n, "import m#\nx = 1\nimport m#\n") },
		"classes with super": func(n int) string {
			return f + each(n, "class C#(object):\n    def g(self):\n        super(C#, self).g()\n")
		},
		"texts, and looks by text": func(n int) string { return f + each(n, "    a(\"b c d\", locals())\n") },
		"idioms": func(n int) string {
			return "import contextlib\n" + f + each(n, "    with contextlib.suppress(ValueError):\n        a(dir(c#), '{}'.format(a), list(x for x in a))\n")
		},
		"handlers that have a name": func(n int) string {
			return f + each(n, "    try:\n        a()\n    except Exception as e:\n        a(e)\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			linter, err := lint.New(lint.Options{})
			if err != nil {
				t.Fatal(err)
			}
			bench.Linear(t, 1000, func(n int) func() {
				program := []byte(text(n))
				findings := linter.Lint(lint.Input{Data: program}).Findings
				return func() {
					p, err := same.Read(program)
					if err != nil {
						t.Fatal(err)
					}
					p.Ask(findings)
					var file source.File
					if err := file.Load(program); err != nil {
						t.Fatal(err)
					}
					module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
					if !ok {
						t.Fatal("no Python")
					}
					var c same.Comparer
					c.Read(p, module, file.Text)
					c.Same(p)
				}
			})
		})
	}
}
