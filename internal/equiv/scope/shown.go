package scope

import "codelinter/ast"

// This file finds the functions whose names become parts of texts.

// findShown finds the functions whose name becomes part of a text, directly or by
// variables:
//
//	def l(x):
//	    return x
//	return str(l)        # <function f.<locals>.l at 0x7f3c>
//
// One pass over the assignments, from last to first, follows chains in the order
// in which programs have them.
func (r *Table) findShown() {
	if len(r.shown) == 0 {
		return
	}
	for _, u := range r.shown {
		if at := r.Resolve(u.Scope, u.Name); at >= 0 {
			r.Symbols[at].Shown = true
		}
	}
	for i := len(r.values) - 1; i >= 0; i-- {
		store := &r.values[i]
		if !r.Symbols[store.symbol].Shown {
			continue
		}
		from := len(r.shown)
		r.show(store.scope, store.value)
		for _, u := range r.shown[from:] {
			if at := r.Resolve(u.Scope, u.Name); at >= 0 {
				r.Symbols[at].Shown = true
			}
		}
	}
	for i := range r.Symbols {
		s := &r.Symbols[i]
		s.Shown = s.Shown && s.Function
	}
}

// show records the names whose values the text of e may contain.
func (r *Table) show(scope int32, e ast.Expr) {
	switch n := e.(type) {
	case *ast.Name:
		r.shown = append(r.shown, Use{Name: r.id(n.ID, n.Start), Scope: scope})
	case *ast.Starred:
		r.show(scope, n.Value)
	case *ast.NamedExpr:
		r.show(scope, n.Value)
	case *ast.IfExp:
		r.show(scope, n.Body)
		r.show(scope, n.Orelse)
	case *ast.BoolOp:
		r.showAll(scope, n.Values)
	case *ast.Tuple:
		r.showAll(scope, n.Elts)
	case *ast.List:
		r.showAll(scope, n.Elts)
	case *ast.Set:
		r.showAll(scope, n.Elts)
	case *ast.Dict:
		r.showAll(scope, n.Keys)
		r.showAll(scope, n.Values)
	}
}

func (r *Table) showAll(scope int32, list []ast.Expr) {
	for _, e := range list {
		r.show(scope, e)
	}
}

// makesText reports whether a function makes texts of its arguments.
func makesText(f ast.Expr) bool {
	name := ""
	switch f := f.(type) {
	case *ast.Name:
		name = f.ID
	case *ast.Attribute:
		name = f.Attr
	}
	switch name {
	case "str", "repr", "ascii", "format", "format_map", "print", "pprint", "pformat", "__str__", "__repr__", "__format__":
		return true
	}
	return false
}
