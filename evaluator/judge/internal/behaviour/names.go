package behaviour

import (
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

// bound returns the names that statements bind in their own scope: by
// assignment, def, class, import, for, with, except, walrus and match. Those
// within functions, classes and comprehensions are not among them.
func bound(body []ast.Stmt, imports bool) names {
	found := names{}
	var walker ast.Walker
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef:
				found[n.Name] = true
				return false
			case *ast.AsyncFunctionDef:
				found[n.Name] = true
				return false
			case *ast.ClassDef:
				found[n.Name] = true
				return false
			case *ast.Lambda, *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
				return false
			case *ast.Import:
				for _, a := range n.Names {
					if imports {
						found[importedName(a)] = true
					}
				}
			case *ast.ImportFrom:
				for _, a := range n.Names {
					if imports {
						found[importedName(a)] = true
					}
				}
			case *ast.ExceptHandler:
				if n.Name != "" {
					found[n.Name] = true
				}
			case *ast.MatchAs:
				if n.Name != "" {
					found[n.Name] = true
				}
			case *ast.MatchStar:
				if n.Name != "" {
					found[n.Name] = true
				}
			case *ast.Name:
				if n.Ctx == ast.Store {
					found[n.ID] = true
				}
			}
			return true
		})
	}
	return found
}

// parametersOf returns all parameters: those by place, by keyword alone, *args and **kwargs.
func parametersOf(a *ast.Arguments) []*ast.Arg {
	return slices.DeleteFunc(slices.Concat(a.PosOnlyArgs, a.Args, a.KwOnlyArgs, []*ast.Arg{a.VarArg, a.KwArg}), func(a *ast.Arg) bool { return a == nil })
}

// importedName returns the name that an import binds: a of import a.b.
func importedName(a *ast.Alias) string {
	if a.AsName != "" {
		return a.AsName
	}
	for i := range len(a.Name) {
		if a.Name[i] == '.' {
			return a.Name[:i]
		}
	}
	return a.Name
}

// used returns the names that n reads, whoever binds them.
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

// own returns the names that an expression binds for itself alone: those of
// comprehensions and the parameters of lambdas.
func own(e ast.Node) names {
	found := names{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Comprehension:
			ast.Inspect(n.Target, func(n ast.Node) bool {
				if name, is := n.(*ast.Name); is {
					found[name.ID] = true
				}
				return true
			})
		case *ast.Arg:
			found[n.Arg] = true
		}
		return true
	})
	return found
}

// root returns the name that a chain of calls, attributes and subscripts begins
// with: f of f(1).g[0], "" if it begins otherwise.
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
