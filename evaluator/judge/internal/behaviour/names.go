package behaviour

import (
	"maps"
	"slices"

	"codelinter/ast"
)

// A names is a set of names.
type names map[string]bool

func (s names) hasAny(other names) bool {
	for name := range other {
		if s[name] {
			return true
		}
	}
	return false
}

func union(a, b names) names {
	all := names{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// each visits statements and all in them, in the order of [ast.Walker.Walk].
func each(body []ast.Stmt, visit func(ast.Node) bool) { ast.Inspect(&ast.Module{Body: body}, visit) }

// withoutDoc returns the statements of a function but for a docstring, unless that is all.
func withoutDoc(body []ast.Stmt) []ast.Stmt {
	if len(body) > 1 && ast.IsText(body[0]) {
		return body[1:]
	}
	return body
}

// lastName is [ast.LastName].
func lastName(e ast.Expr) string { return ast.LastName(e) }

// bound returns the names that statements bind in their own scope: by assignment, def,
// class, import, for, with, except, walrus and match. Scopes within are left out.
func bound(body []ast.Stmt, imports bool) names {
	found := names{}
	each(body, func(n ast.Node) bool {
		if imports || n.Kind() != ast.KindAlias {
			found[ast.Binds(n)] = true
		}
		return !ast.OpensScope(n)
	})
	delete(found, "")
	return found
}

// parametersOf returns all parameters, *args and **kwargs included.
func parametersOf(a *ast.Arguments) []*ast.Arg {
	return slices.DeleteFunc(slices.Concat(a.PosOnlyArgs, a.Args, a.KwOnlyArgs, []*ast.Arg{a.VarArg, a.KwArg}), func(a *ast.Arg) bool { return a == nil })
}

// used returns the names that n reads, in any scope.
func used(n ast.Node) names {
	found := names{}
	ast.Inspect(n, func(n ast.Node) bool {
		if name, is := n.(*ast.Name); is && name.Ctx != ast.Store {
			found[name.ID] = true
		}
		return true
	})
	return found
}

// own returns the names that an expression binds: those of comprehensions, the parameters of
// lambdas, and those of :=.
func own(e ast.Node) names {
	found := names{}
	ast.Inspect(e, func(n ast.Node) bool {
		found[ast.Binds(n)] = true
		return true
	})
	delete(found, "")
	return found
}

// root returns the name at the start of a chain of calls, attributes and subscripts, or "":
// f for f(1).g[0].
func root(e ast.Expr) string {
	for {
		switch n := e.(type) {
		case *ast.Name:
			return n.ID
		case *ast.Call:
			e = n.Func
		case *ast.Attribute:
			e = n.Value
		case *ast.Subscript:
			e = n.Value
		default:
			return ""
		}
	}
}
