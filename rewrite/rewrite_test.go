package rewrite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codelinter/ast"
	"codelinter/lint"
	"codelinter/parser"
	"codelinter/rewrite"
	"codelinter/source"
)

// ask lints a program and returns its tree and what its findings ask for.
func ask(t testing.TB, program string) (*ast.Module, *rewrite.Asked) {
	t.Helper()
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	var file source.File
	if err := file.Load([]byte(program)); err != nil {
		t.Fatal(err)
	}
	module, ok := parser.Parse(&file, parser.Options{Target: source.Newest})
	if !ok {
		t.Fatalf("no Python: %s", program)
	}
	return module, rewrite.Ask(module, file.Text, linter.Lint(lint.Input{Data: []byte(program)}).Findings)
}

// Each template is found where flake8 reports its own code, and nowhere else.
func TestTemplates(t *testing.T) {
	for _, r := range rewrite.Rules() {
		if r.Edit != rewrite.Replace {
			continue
		}
		t.Run(r.From, func(t *testing.T) {
			from := r.From
			switch {
			case r.Code.String() == "E721":
				from = "type(a) " + from[2:4] + " type(b)"
			case r.Code.String() == "F632":
				from = from[:len(from)-1] + "'text'"
			}
			module, asked := ask(t, fmt.Sprintf("a = b = 1\nprint(%s)\nprint(a < b)\n", from))
			found := 0
			ast.Inspect(module, func(node ast.Node) bool {
				if c, is := node.(*ast.Compare); is {
					value, truth := asked.Expressions(c, false), asked.Expressions(c, true)
					if len(value) > 0 {
						found++
						if len(value) != len(r.To) || len(truth) != len(r.To)+len(r.Truth) {
							t.Errorf("%d and %d rewrites, want %d and %d more", len(value), len(truth), len(r.To), len(r.Truth))
						}
					}
				}
				return true
			})
			if found != 1 {
				t.Errorf("%d places ask for a rewrite, want 1", found)
			}
		})
	}
}

func TestAskedFor(t *testing.T) {
	const program = "import os, re as r\nfrom a.b import c as c, d\n\n\ndef f(l):\n    x = l \n    '''a \n    '''\n    try:\n        d\n    except:\n        pass\n"
	_, asked := ask(t, program)
	at := func(text string) int32 { return int32(strings.Index(program, text)) }
	var got []bool
	got = append(got,
		asked.Import(0, "", &ast.Alias{Name: "os"}),
		asked.Import(0, "", &ast.Alias{Name: "re", AsName: "r"}),
		asked.Import(at("from"), "a.b", &ast.Alias{Name: "c", AsName: "c"}),
		asked.Renamed(5, "l"),
		asked.At(rewrite.DropTarget, at("x = l")),
		asked.At(rewrite.Catch, at("except")),
	)
	if slices.Contains(got, false) {
		t.Errorf("not asked for: %v", got)
	}
	got = append(got[:0],
		asked.Import(0, "", &ast.Alias{Name: "re"}),
		asked.Import(at("from"), "a.b", &ast.Alias{Name: "d"}),
		asked.Import(at("from"), "", &ast.Alias{Name: "c"}),
		asked.Renamed(6, "l"),
		asked.At(rewrite.Catch, at("x = l")),
		(*rewrite.Asked)(nil).At(rewrite.Catch, at("except")),
	)
	if slices.Contains(got, true) {
		t.Errorf("asked for: %v", got)
	}
}

// Only the blanks that end a line of the file go, not those before a line break that the
// text spells.
func TestTrimmed(t *testing.T) {
	const program = "a = 'a ' \nb = '''b \n \nc \\n d '''\nc = f'''e {a} \nf'''\n"
	module, asked := ask(t, program)
	var got []string
	ast.Inspect(module, func(node ast.Node) bool {
		if c, is := node.(*ast.Constant); is {
			if text, is := asked.Trimmed(c); is {
				got = append(got, text)
			}
		}
		return true
	})
	if want := []string{"b\n\nc \n d ", "\nf"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
