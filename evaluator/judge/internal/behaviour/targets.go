package behaviour

import (
	"maps"
	"slices"
	"strings"

	"codelinter/ast"
)

// A target is a function or a method of the program.
type target struct {
	path        string
	first, last int  // rows of its body
	oneLine     bool // the body is on the row of the def, which the module runs, so rows show no call
}

// reachedBy reports whether a trial runs through the target and shows something that can be
// compared.
func (t *target) reachedBy(list []trial) bool {
	return slices.ContainsFunc(list, func(tr trial) bool {
		return tr.binding && (tr.evidence || tr.played) && (t.oneLine && tr.probe.callee == t.path || slices.ContainsFunc(tr.covered, func(key uint64) bool { return key>>63 == 0 && int(key) >= t.first && int(key) <= t.last }))
	})
}

// ownCalls returns the calls of the program's definitions at its top level and
// in docstrings.
func (p *Plan) ownCalls() []*probe {
	b := scriptBuilder{module: p.reference.module, ours: p.reference.defined, prepared: names{}}
	var walk func(body []ast.Stmt)
	walk = func(body []ast.Stmt) {
		for _, s := range body {
			switch s := s.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
			case *ast.If:
				walk(s.Body)
			default:
				b.gather(p.reference.text, s, nil)
			}
		}
	}
	walk(p.reference.body)
	for _, s := range p.reference.body {
		ast.Inspect(s, func(n ast.Node) bool {
			constant, is := n.(*ast.Constant)
			if !is || constant.Type != ast.Str || !strings.Contains(constant.Text, ">>> ") {
				return true
			}
			for line := range strings.Lines(constant.Text) {
				if example, is := strings.CutPrefix(strings.TrimSpace(line), ">>> "); is {
					if m, ok := parse(example); ok {
						for _, s := range m.body {
							b.gather(m.text, s, nil)
						}
					}
				}
			}
			return true
		})
	}
	// An answer may rename or drop variables.
	variables := maps.Clone(p.reference.defined)
	for _, s := range p.reference.body {
		if ast.OpensScope(s) {
			delete(variables, ast.Binds(s))
		}
	}
	var list []*probe
	for i := range b.calls[:min(len(b.calls), 200)] {
		if !variables.hasAny(b.calls[i].reads) {
			list = append(list, &b.calls[i])
		}
	}
	return list
}

// targets returns the functions of the reference's top level and its methods, in
// the order of their paths.
func (p *Plan) targets() []target {
	var list []target
	found := definitions(p.reference.body)
	for _, path := range sortedKeys(found) {
		def := found[path]
		if strings.HasSuffix(path, ".__init__") {
			continue // the path of a class stands for its constructor
		}
		first := withoutDoc(def.Body)[0]
		t := target{path: path, first: p.reference.file.Row(first.Bounds().Start), last: p.reference.file.Row(def.Body[len(def.Body)-1].Bounds().End)}
		t.oneLine = t.first == p.reference.file.Row(def.Start) && len(def.DecoratorList) == 0
		list = append(list, t)
	}
	return list
}

func decoratedBy(f *ast.FunctionDef, name string) bool {
	return slices.ContainsFunc(f.DecoratorList, func(e ast.Expr) bool { return ast.LastName(e) == name })
}
