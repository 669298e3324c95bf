package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
	symbols "codelinter/internal/equiv/scope"
)

// deferred returns a program that runs under the sandbox's CPython as under CPython 3.14. 3.14
// evaluates an annotation on demand. Earlier versions evaluate it at once, and raise a
// NameError for an undefined name:
//
//	class Node:
//	    def add(self, other: Node) -> List[Node]:
//
// An undefined name, with the attributes and subscripts after it, is replaced by int of the
// same length, so offsets and rows stay. A program that reads annotations is not changed.
func deferred(program string) string {
	m, ok := parse(program)
	if !ok {
		return program
	}
	for _, reader := range []string{"annotations", "get_type_hints", "singledispatch", "import *"} {
		if strings.Contains(m.text, reader) {
			return program
		}
	}
	d := deferral{text: []byte(m.text), since: map[string]int32{}}
	for _, s := range m.body {
		if test, is := s.(*ast.If); is && lastName(test.Test) == "TYPE_CHECKING" {
			otherwise := *test
			otherwise.Body = nil
			s = &otherwise
		}
		for name := range bound([]ast.Stmt{s}, true) {
			if _, known := d.since[name]; known {
				continue
			}
			d.since[name] = s.Bounds().Start
			if ast.OpensScope(s) {
				d.since[name] = s.Bounds().End
			}
		}
	}
	d.body(m.body, nil, false)
	if !d.changed {
		return program
	}
	return string(d.text)
}

// A deferral replaces names in annotations.
type deferral struct {
	text    []byte
	since   map[string]int32 // where a name of the module is bound first
	changed bool
}

// body replaces the annotations of statements in the given scopes. called says that the
// statements run in a call of a function, so after the module.
func (d *deferral) body(body []ast.Stmt, scopes []names, called bool) {
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef:
				d.function(n, scopes, called)
				return false
			case *ast.AsyncFunctionDef:
				d.function((*ast.FunctionDef)(n), scopes, called)
				return false
			case *ast.ClassDef:
				if len(n.TypeParams) > 0 { // their names are in a scope of their own
					return false
				}
				d.body(n.Body, append(slices.Clip(scopes), bound(n.Body, true)), called)
				return false
			case *ast.AnnAssign:
				d.annotation(n.Annotation, scopes, called)
			}
			return true
		})
	}
}

func (d *deferral) function(def *ast.FunctionDef, scopes []names, called bool) {
	if len(def.TypeParams) > 0 {
		return
	}
	inner := bound(def.Body, true)
	for _, arg := range parametersOf(def.Args) {
		inner[arg.Arg] = true
		d.annotation(arg.Annotation, scopes, called)
	}
	d.annotation(def.Returns, scopes, called)
	d.body(def.Body, append(slices.Clip(scopes), inner), true)
}

// annotation replaces the undefined names of an annotation.
func (d *deferral) annotation(e ast.Expr, scopes []names, called bool) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		part, is := n.(ast.Expr)
		if !is {
			return true
		}
		name := root(part)
		if name == "" || d.there(name, part.Bounds().Start, scopes, called) {
			return true
		}
		at := part.Bounds()
		if at.End-at.Start < 3 {
			at = e.Bounds()
		}
		filler := "int"[:min(3, at.End-at.Start)]
		if len(filler) < 3 {
			filler = "0"
		}
		for i := at.Start; i < at.End; i++ {
			switch {
			case int(i-at.Start) < len(filler):
				d.text[i] = filler[i-at.Start]
			case d.text[i] != '\n':
				d.text[i] = ' '
			}
		}
		d.changed = true
		return false
	})
}

// there reports whether a name is bound when an annotation at an offset is evaluated.
func (d *deferral) there(name string, at int32, scopes []names, called bool) bool {
	if symbols.IsBuiltin(name) || slices.ContainsFunc(scopes, func(s names) bool { return s[name] }) {
		return true
	}
	since, known := d.since[name]
	return known && (called || since <= at)
}
