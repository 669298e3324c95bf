package asked_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/lint"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// ask lints a program and returns its tree and what its findings ask for.
func ask(t testing.TB, program string) (*ast.Module, *asked.Edits) {
	t.Helper()
	linter, err := lint.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var file source.File
	if err := file.Load([]byte(program)); err != nil {
		t.Fatal(err)
	}
	module, err := parser.Parse(&file, parser.Options{Target: source.Newest})
	if err != nil {
		t.Fatalf("no Python: %s", program)
	}
	return module, asked.Ask(module, file.Text, linter.Lint(lint.Input{Data: []byte(program)}).Findings)
}

// Each rule of comparisons is found where flake8 reports its own code, and nowhere else.
func TestTemplates(t *testing.T) {
	for _, r := range asked.Rules() {
		if r.Edit != asked.Replace {
			continue
		}
		type row struct {
			from      string
			to, truth int
		}
		op, truth := asked.Spelling(r.From), 0
		if r.Code == rule.E712 {
			truth = 1
		}
		rows := []row{{"a " + op + " " + r.Constant, 1, truth}, {r.Constant + " " + op + " a", 2, truth}}
		switch r.Code {
		case rule.E721:
			rows = []row{{"type(a) " + op + " type(b)", 1, 0}}
		case rule.F632:
			rows = []row{{"a " + op + " 'text'", 1, 0}}
		}
		for _, row := range rows {
			t.Run(row.from, func(t *testing.T) {
				module, edits := ask(t, fmt.Sprintf("a = b = 1\nprint(%s)\nprint(a < b)\n", row.from))
				found := 0
				ast.Inspect(module, func(node ast.Node) bool {
					if c, is := node.(*ast.Compare); is {
						value, truth := edits.Expressions(c, false), edits.Expressions(c, true)
						if len(value) > 0 {
							found++
							if len(value) != row.to || len(truth) != row.to+row.truth {
								t.Errorf("%d and %d rewrites, want %d and %d more", len(value), len(truth), row.to, row.truth)
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
}

func TestAskedFor(t *testing.T) {
	const program = "import os, re as r\nfrom a.b import c as c, d\n\n\ndef f(l):\n    x = l \n    '''a \n    '''\n    try:\n        d\n    except:\n        pass\n"
	_, edits := ask(t, program)
	at := func(text string) int32 { return int32(strings.Index(program, text)) }
	var got []bool
	got = append(got,
		edits.Import(0, "", &ast.Alias{Name: "os"}),
		edits.Import(0, "", &ast.Alias{Name: "re", AsName: "r"}),
		edits.Import(at("from"), "a.b", &ast.Alias{Name: "c", AsName: "c"}),
		edits.At(asked.Rename, 5, "l"),
		edits.At(asked.DropTarget, at("x = l"), ""),
		edits.At(asked.Catch, at("except"), ""),
	)
	if slices.Contains(got, false) {
		t.Errorf("not asked for: %v", got)
	}
	got = append(got[:0],
		edits.Import(0, "", &ast.Alias{Name: "re"}),
		edits.Import(at("from"), "a.b", &ast.Alias{Name: "d"}),
		edits.Import(at("from"), "", &ast.Alias{Name: "c"}),
		edits.At(asked.Rename, 6, "l"),
		edits.At(asked.Catch, at("x = l"), ""),
		(*asked.Edits)(nil).At(asked.Catch, at("except"), ""),
	)
	if slices.Contains(got, true) {
		t.Errorf("asked for: %v", got)
	}
}

// Only the blanks that end a line of the file go, not those before a line break that the
// text spells.
func TestTrimmed(t *testing.T) {
	const program = "a = 'a ' \nb = '''b \n \nc \\n d '''\nc = f'''e {a} \nf'''\n"
	module, edits := ask(t, program)
	var got []string
	ast.Inspect(module, func(node ast.Node) bool {
		if c, is := node.(*ast.Constant); is {
			if text, is := edits.Trimmed(c); is {
				got = append(got, text)
			}
		}
		return true
	})
	if want := []string{"b\n\nc \n d ", "\nf"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
