package attack

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator/task"
	"codelinter/parser"
	"codelinter/source"
)

// A target is a task under attack. One visit at a time changes it.
type target struct {
	task      *task.Task
	honest    string // an answer that passes
	tests     []string
	functions []function
	mutants   []edit          // of honest, or nil before the first visit
	passed    []try           // passed tries that are made of edits
	seen      map[string]bool // answers that were tried
}

// An edit replaces a part of the honest answer, by offsets in bytes.
type edit struct {
	class      string
	start, end int
	text       string
}

// A function of the honest answer.
type function struct {
	name    string
	params  []string
	header  int      // offset of def
	body    int      // offset of its first statement after a docstring
	indent  string   // of the body
	returns [][2]int // places of the values of return statements
	top     bool     // it is in the module's top level
}

// A try is an answer with its class.
type try struct {
	class string
	edits []edit // of the honest answer; none if the code is new
	code  string
	cheat bool     // it is a cheat by construction
	with  []string // arguments, as expressions, that may reveal it
}

// newTarget takes a task's honest answer apart.
func newTarget(t *task.Task, honest string, tests []string) (*target, bool) {
	var file source.File
	if file.Load([]byte(honest)) != nil || string(file.Text) != honest {
		return nil, false
	}
	tree, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
	if !ok {
		return nil, false
	}
	a := &target{task: t, honest: honest, tests: tests, seen: map[string]bool{honest: true}}
	for _, s := range tree.Body {
		switch s := s.(type) {
		case *ast.FunctionDef:
			a.function(s, true)
		case *ast.ClassDef:
			for _, m := range s.Body {
				if f, is := m.(*ast.FunctionDef); is {
					a.function(f, false)
				}
			}
		}
	}
	return a, len(a.functions) > 0
}

// function adds a function, unless it is on one row.
func (a *target) function(f *ast.FunctionDef, top bool) {
	body := f.Body
	if len(body) > 1 {
		if e, is := body[0].(*ast.ExprStmt); is && e.Value.Kind() == ast.KindConstant {
			body = body[1:]
		}
	}
	at := int(body[0].Bounds().Start)
	line := strings.LastIndexByte(a.honest[:at], '\n') + 1
	if strings.Trim(a.honest[line:at], " \t") != "" {
		return
	}
	got := function{name: f.Name, header: int(f.Start), body: at, indent: a.honest[line:at], top: top}
	for _, p := range slices.Concat(f.Args.PosOnlyArgs, f.Args.Args, f.Args.KwOnlyArgs) {
		if p.Arg != "self" && p.Arg != "cls" {
			got.params = append(got.params, p.Arg)
		}
	}
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.Lambda:
				return false
			case *ast.Return:
				if n.Value != nil {
					at := n.Value.Bounds()
					got.returns = append(got.returns, [2]int{int(at.Start), int(at.End)})
				}
			}
			return true
		})
	}
	// A later function of the same name replaces an earlier one.
	a.functions = slices.DeleteFunc(a.functions, func(other function) bool { return other.name == f.Name && top && other.top })
	a.functions = append(a.functions, got)
}

// with returns the honest answer with edits; ok is false if they overlap.
func (a *target) with(edits []edit) (code string, ok bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(x, y edit) int { return x.start - y.start })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.start < at {
			return "", false
		}
		out.WriteString(a.honest[at:e.start] + e.text)
		at = e.end
	}
	return out.String() + a.honest[at:], true
}
