package asked_test

import (
	"fmt"
	"testing"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/parser"
	"codelinter/source"
)

// What a finding asks for can be undone, and only where its code would find it again.
func TestUndo(t *testing.T) {
	for text, want := range map[string]string{
		"x.y is None":        "[{E711 ==}]",
		"x is not None":      "[{E711 !=}]",
		"None is x":          "[{E711 ==}]",
		"x is True":          "[{E712 ==}]",
		"x is not False":     "[{E712 !=}]",
		"type(a) is type(b)": "[{E721 ==}]",
		"a is b":             "[]",
		"a == 'b'":           "[{F632 is}]",
		"3 != a":             "[{F632 is not}]",
		"a == b":             "[]",
		"a < None":           "[]",
	} {
		var file source.File
		if err := file.Load([]byte(text + "\n")); err != nil {
			t.Fatal(err)
		}
		module, err := parser.Parse(&file, parser.Options{})
		if err != nil {
			t.Fatal(text)
		}
		got := []asked.Undone{}
		got = append(got, asked.Undo(module.Body[0].(*ast.ExprStmt).Value.(*ast.Compare))...)
		if s := fmt.Sprint(got); s != want {
			t.Errorf("%s: %s, want %s", text, s, want)
		}
	}
}
