package parser_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
)

// A golden is a snippet and what CPython makes of it; testdata/parser/goldens.py
// writes them.
type golden struct {
	name string // its file, or file and line: "accepted.jsonl:12"
	Code string
	Dump string // "" if CPython refuses the code
}

func snippets(t testing.TB, name string) []golden {
	t.Helper()
	file, err := os.Open("../testdata/parser/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []golden
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var row golden
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		row.name = fmt.Sprint(name, ":", len(rows)+1)
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// programs returns the programs of the goldens with their trees.
func programs(t testing.TB) []golden {
	t.Helper()
	names, err := filepath.Glob("../testdata/parser/programs/*.py")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var rows []golden
	for _, name := range names {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dump, err := os.ReadFile(strings.TrimSuffix(name, ".py") + ".ast")
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, golden{filepath.Base(name), string(code), strings.TrimSuffix(string(dump), "\n")})
	}
	return rows
}

func load(t testing.TB, code string) *source.File {
	t.Helper()
	file := new(source.File)
	if err := file.Load([]byte(code)); err != nil {
		t.Fatal(err)
	}
	return file
}

// lines breaks a dump up so that a difference is seen.
func lines(dump string) []string { return strings.SplitAfter(dump, "(") }

func TestTrees(t *testing.T) {
	var reused parser.Parser
	for _, row := range append(programs(t), snippets(t, "accepted.jsonl")...) {
		t.Run(row.name, func(t *testing.T) {
			file := load(t, row.Code)
			module, ok := reused.ParseText(file.Text, parser.Options{Target: source.Python314})
			if !ok {
				t.Fatalf("%q is refused", row.Code)
			}
			if got := ast.Dump(module, file, source.Python314); got != row.Dump {
				t.Errorf("%q (-want +got):\n%s", row.Code, cmp.Diff(lines(row.Dump), lines(got)))
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	var reused parser.Parser
	for _, row := range snippets(t, "refused.jsonl") {
		t.Run(row.name, func(t *testing.T) {
			if _, ok := reused.ParseText(load(t, row.Code).Text, parser.Options{Target: source.Python314}); ok {
				t.Errorf("%q is accepted", row.Code)
			}
		})
	}
}

// TestPython315 requires the trees and the refusals of 3.15.
func TestPython315(t *testing.T) {
	var reused parser.Parser
	for _, row := range snippets(t, "python315.jsonl") {
		t.Run(row.name, func(t *testing.T) {
			file := load(t, row.Code)
			got := ""
			if module, ok := reused.ParseText(file.Text, parser.Options{Target: source.Python315}); ok {
				got = ast.Dump(module, file, source.Python315)
				ast.Inspect(module, func(n ast.Node) bool {
					checkChildren(t, n)
					return true
				})
			}
			if got != row.Dump {
				t.Errorf("%q (-want +got):\n%s", row.Code, cmp.Diff(lines(row.Dump), lines(got)))
			}
		})
	}
}

// TestWalk proves that the goldens hold every kind of node, that a walk visits
// all of them, and that children lie within their parents.
func TestWalk(t *testing.T) {
	seen := map[ast.Kind]bool{}
	for _, row := range programs(t) {
		module, err := parser.Parse(load(t, row.Code), parser.Options{})
		if err != nil {
			t.Fatalf("%q is refused", row.Code)
		}
		ast.Inspect(module, func(n ast.Node) bool {
			seen[n.Kind()] = true
			checkChildren(t, n)
			return true
		})
	}
	for kind := ast.KindModule; kind <= ast.KindMatchCase; kind++ {
		if !seen[kind] {
			t.Errorf("no %s was visited", kind)
		}
	}
}

// checkChildren compares AppendChildren with what reflection finds.
func checkChildren(t *testing.T, n ast.Node) {
	t.Helper()
	want := map[ast.Node]bool{}
	add := func(v reflect.Value) {
		if child, is := v.Interface().(ast.Node); is && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			want[child] = true
		}
	}
	value := reflect.ValueOf(n).Elem()
	for i := range value.NumField() {
		field := value.Field(i)
		if value.Type().Field(i).Anonymous {
			continue // the range
		}
		if field.Kind() == reflect.Slice {
			for j := range field.Len() {
				add(field.Index(j))
			}
		} else {
			add(field)
		}
	}
	decorators := map[ast.Node]bool{}
	switch n := n.(type) {
	case *ast.FunctionDef:
		for _, d := range n.DecoratorList {
			decorators[d] = true
		}
	case *ast.AsyncFunctionDef:
		for _, d := range n.DecoratorList {
			decorators[d] = true
		}
	case *ast.ClassDef:
		for _, d := range n.DecoratorList {
			decorators[d] = true
		}
	}
	bounds := n.Bounds()
	for _, child := range ast.AppendChildren(nil, n) {
		if !want[child] {
			t.Errorf("%s has %T as a child twice, or not in a field", n.Kind(), child)
		}
		delete(want, child)
		if b := child.Bounds(); !decorators[child] && (b.Start < bounds.Start || b.End > bounds.End || b.End < b.Start) {
			t.Errorf("%s %v holds %s %v", n.Kind(), bounds, child.Kind(), b)
		}
	}
	for child := range want {
		t.Errorf("%s: the child %s is left out", n.Kind(), child.Kind())
	}
}

func TestParseExpression(t *testing.T) {
	tests := []struct {
		in   string
		want string // "" if refused
	}{
		{"int", "Name(id='int', ctx=Load())"},
		{"a.b", "Attribute(value=Name(id='a', ctx=Load()), attr='b', ctx=Load())"},
		{"(a,\r\n b)", "Tuple(elts=[Name(id='a', ctx=Load()), Name(id='b', ctx=Load())], ctx=Load())"},
		{"a; b", ""},
		{"a = b", ""},
		{"", ""},
		{"a b", ""},
		{" a", ""},
		{"(", ""},
	}
	var p parser.Parser
	tree, _ := p.ParseText("x: 'spam'", parser.Options{})
	before := ast.Dump(tree, nil, source.Python314)
	for _, test := range tests {
		got := ""
		if e, ok := p.ParseExpression(test.in, parser.Options{}); ok {
			got = ast.Dump(e, nil, source.Python314)
		}
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.in, got, test.want)
		}
	}
	if after := ast.Dump(tree, nil, source.Python314); after != before {
		t.Errorf("an earlier tree became %s", after)
	}
}

// TestSteadyState proves that a reused Parser allocates nothing, but for names
// that are looked up or spelt otherwise.
func TestSteadyState(t *testing.T) {
	var p parser.Parser
	for _, row := range programs(t) {
		if strings.Contains(row.Code, `\N`) {
			continue
		}
		file := load(t, row.Code)
		p.ParseText(file.Text, parser.Options{})
		if n := testing.AllocsPerRun(5, func() { p.ParseText(file.Text, parser.Options{}) }); n > 0 {
			t.Errorf("%.40q: %v allocations", row.Code, n)
		}
	}
}

// TestBounds parses what is long or deep. Nothing may take long, and nothing
// may exhaust Go's stack.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	const million, many = 1_000_000, 100_000
	tests := []struct {
		name string
		text string
		ok   bool
	}{
		{"sum", "a" + strings.Repeat("+a", million), true},
		{"attributes", "a" + strings.Repeat(".a", many), true},
		{"subscripts", "a" + strings.Repeat("[0]", many), true},
		{"calls", "a" + strings.Repeat("()", many), true},
		{"comparison", "a" + strings.Repeat("<a", many), true},
		{"or", "a" + strings.Repeat(" or a", many), true},
		{"targets", strings.Repeat("a=", many) + "a", true},
		{"strings", strings.Repeat("'a' ", many), true},
		{"f-strings", strings.Repeat("f'{a}b' ", many), true},
		{"list", "[" + strings.Repeat("a,", many) + "]", true},
		{"dict", "{" + strings.Repeat("a:a,", many) + "}", true},
		{"import", "import a" + strings.Repeat(".a", many), true},
		{"patterns", "match a:\n case " + strings.Repeat("a.a|", many) + "a: pass", true},
		{"statements", strings.Repeat("a\n", many), true},
		{"semicolons", strings.Repeat("match a;", many), false},
		{"comprehension", "[a" + strings.Repeat(" for a in a", many) + "]", true},
		{"elif", "if a: a\n" + strings.Repeat("elif a: a\n", 5965), true},
		{"too many elif", "if a: a\n" + strings.Repeat("elif a: a\n", 100_000), false},
		{"not", strings.Repeat("not ", 5969) + "a", true},
		{"too many not", strings.Repeat("not ", many) + "a", false},
		{"too many minus", strings.Repeat("-", many) + "a", false},
		{"lambda", strings.Repeat("lambda:", 2984) + "a", true},
		{"too many lambda", strings.Repeat("lambda:", many) + "a", false},
		{"too many defaults", strings.Repeat("lambda a=", many), false},
		{"too many powers", strings.Repeat("a**", many) + "a", false},
		{"too many conditions", strings.Repeat("a if a else ", many) + "a", false},
		{"brackets", strings.Repeat("(", 200) + strings.Repeat(")", 200), true},
		{"too many brackets", strings.Repeat("[", many), false},
		{"brackets one after another", strings.Repeat("()\n", many) + strings.Repeat("(", 200) + strings.Repeat(")", 200), true},
		{"brackets and not", strings.Repeat("(", 100) + strings.Repeat("not ", 5969-100*26) + "a" + strings.Repeat(")", 100), true},
		{"brackets and too many not", strings.Repeat("(", 100) + strings.Repeat("not ", 5970-100*26) + "a" + strings.Repeat(")", 100), false},
		{"nested debug texts", nestedFStrings(140, "(a"+strings.Repeat(" # b\n+a", 100_000)+")"), false},
		{"fewer debug texts", nestedFStrings(10, "(a"+strings.Repeat(" # b\n+a", 100_000)+")"), true},
	}
	var p parser.Parser
	var w ast.Walker
	for _, test := range tests {
		file := load(t, test.text)
		module, ok := p.ParseText(file.Text, parser.Options{Target: source.Python314})
		if ok != test.ok {
			t.Errorf("%s: accepted: %v", test.name, ok)
			continue
		}
		if !ok {
			continue
		}
		nodes := 0
		w.Walk(module, func(ast.Node) bool { nodes++; return true })
		if dump := ast.Dump(module, nil, source.Python314); len(dump) < nodes {
			t.Errorf("%s: %d nodes are dumped as %d bytes", test.name, nodes, len(dump))
		}
	}
}

// nestedFStrings returns f-strings that show the text of f-strings, that of the
// innermost being inner.
func nestedFStrings(depth int, inner string) string {
	return strings.Repeat("f'''a{", depth) + inner + "\n" + strings.Repeat("=}'''", depth)
}

func FuzzParse(f *testing.F) {
	for _, row := range programs(f) {
		f.Add(row.Code)
	}
	for _, name := range []string{"accepted.jsonl", "refused.jsonl"} {
		for _, row := range snippets(f, name) {
			f.Add(row.Code)
		}
	}
	var reused parser.Parser
	f.Fuzz(func(t *testing.T, code string) {
		file := load(t, code)
		module, ok := reused.ParseText(file.Text, parser.Options{})
		again, errAgain := parser.Parse(file, parser.Options{})
		if ok != (errAgain == nil) {
			t.Fatalf("accepted by a reused parser: %v, by a new one: %v", ok, errAgain)
		}
		if !ok {
			return
		}
		if dump := ast.Dump(module, file, source.Python314); dump != ast.Dump(again, file, source.Python314) {
			t.Fatalf("a reused parser and a new one differ on %q", code)
		}
		ast.Inspect(module, func(n ast.Node) bool {
			if b := n.Bounds(); b.Start < 0 || b.End < b.Start || int(b.End) > len(file.Text) {
				t.Fatalf("%s has the range %v of %d bytes", n.Kind(), b, len(file.Text))
			}
			return true
		})
	})
}
