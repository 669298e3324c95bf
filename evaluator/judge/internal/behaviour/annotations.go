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
	undefined := m.undefined()
	text, changed := []byte(m.text), false
	replace := func(annotation ast.Expr) {
		if annotation == nil {
			return
		}
		ast.Inspect(annotation, func(n ast.Node) bool {
			part, is := n.(ast.Expr)
			if !is || root(part) == "" || !undefined[part.Bounds().Start] {
				return true
			}
			at := part.Bounds()
			if at.End-at.Start < 3 {
				at = annotation.Bounds()
			}
			filler := "int"
			if at.End-at.Start < 3 {
				filler = "0"
			}
			for i := at.Start; i < at.End; i++ {
				if text[i] != '\n' {
					text[i] = ' '
				}
			}
			copy(text[at.Start:], filler)
			changed = true
			return false
		})
	}
	each(m.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			replace(n.Returns)
		case *ast.AsyncFunctionDef:
			replace(n.Returns)
		case *ast.Arg:
			replace(n.Annotation)
		case *ast.AnnAssign:
			replace(n.Annotation)
		}
		return true
	})
	if !changed {
		return program // its bytes, whatever its encoding is
	}
	return string(text)
}

// undefined returns the offsets at which the module, before any call, reads a name that nothing has
// bound so far: an annotation there fails before 3.14.
func (m *module) undefined() map[int32]bool {
	var table symbols.Table
	table.Read(&ast.Module{Body: m.body}, &symbols.Callers{})
	since := map[int32]int32{} // by symbol of the module: where it is bound first
	for _, b := range table.Bindings {
		at := b.Offset
		if b.Value != nil && ast.OpensScope(b.Value) {
			at = b.Value.Bounds().End
		}
		if first, known := since[b.Symbol]; b.Scope == 0 && !m.isForCheckers(at) && (!known || at < first) {
			since[b.Symbol] = at
		}
	}
	undefined := map[int32]bool{}
	for i := range table.Uses {
		u := &table.Uses[i]
		at := table.Resolve(u.Scope, u.Name)
		if at < 0 {
			undefined[u.Offset] = !symbols.IsBuiltin(table.Names[u.Name].Text)
			continue
		}
		first, known := since[at]
		undefined[u.Offset] = table.Symbols[at].Scope == 0 && !(known && (first <= u.Offset || table.InFunction(u.Scope)))
	}
	return undefined
}

// isForCheckers reports whether the statement at an offset is for type checkers alone.
func (m *module) isForCheckers(offset int32) bool {
	return slices.ContainsFunc(m.body, func(s ast.Stmt) bool {
		test, is := s.(*ast.If)
		return is && ast.LastName(test.Test) == "TYPE_CHECKING" && test.Body[0].Bounds().Start <= offset && offset < test.Body[len(test.Body)-1].Bounds().End
	})
}
