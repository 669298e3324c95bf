package fix

import (
	_ "embed"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/same"
	"codelinter/internal/util/lazy"
)

//go:embed library.txt
var libraryText string

// library has the names of the modules of Python's library.
var library = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(libraryText) {
		if !strings.HasPrefix(line, "#") {
			names[strings.TrimSpace(line)] = true
		}
	}
	return names
}}

// isOrderIrrelevant reports whether the order of the module's statements in a range does not matter
// to the import among them: all imports are of Python's library, and all others only bind names and
// call nothing. A call may change where imports are found, or leave the module.
func (f *Fixer) isOrderIrrelevant(s *analysis, start, end int32) bool {
	for _, statement := range s.module.Body {
		if r := statement.Bounds(); r.End <= start || r.Start >= end {
			continue
		}
		switch n := statement.(type) {
		case *ast.Import:
			for _, alias := range n.Names {
				if !f.isLibrary(alias.Name) {
					return false
				}
			}
		case *ast.ImportFrom:
			if n.Level > 0 || !f.isLibrary(n.Module) {
				return false
			}
		case *ast.Assign, *ast.AnnAssign, *ast.FunctionDef:
			if !bindsPlainly(n) {
				return false
			}
		case *ast.ExprStmt:
			if n.Value.Kind() != ast.KindConstant {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// importState are names by which a value may show whether a module was imported.
var importState = []string{"modules", "__dict__", "path", "meta_path", "path_hooks", "path_importer_cache", "__path__"}

// isPlainValue reports whether an expression calls nothing, and does not show whether a module was
// imported.
func isPlainValue(n ast.Node) bool {
	plain := same.CallsNothing(n)
	ast.Inspect(n, func(n ast.Node) bool {
		if a, is := n.(*ast.Attribute); is && slices.Contains(importState, a.Attr) {
			plain = false
		}
		return plain
	})
	return plain
}

// bindsPlainly reports whether a statement only binds names to plain values.
func bindsPlainly(statement ast.Stmt) bool {
	switch n := statement.(type) {
	case *ast.Assign:
		return !slices.ContainsFunc(n.Targets, func(e ast.Expr) bool { return e.Kind() != ast.KindName }) && isPlainValue(n.Value)
	case *ast.AnnAssign:
		return n.Target.Kind() == ast.KindName && isPlainValue(n.Annotation) && (n.Value == nil || isPlainValue(n.Value))
	case *ast.FunctionDef:
		return len(n.DecoratorList) == 0 && isPlainValue(n.Args) && (n.Returns == nil || isPlainValue(n.Returns))
	case *ast.AsyncFunctionDef:
		return len(n.DecoratorList) == 0 && isPlainValue(n.Args) && (n.Returns == nil || isPlainValue(n.Returns))
	}
	return false
}

// onlyBinds reports whether the module's statements in a range only bind names. What else there may
// be, such as sys.path.insert(0, "."), os.environ["A"] = "b" or matplotlib.use("Agg"), may change
// what an import finds or reads, and no run in the sandbox shows that: it plays the modules that it
// lacks.
func (f *Fixer) onlyBinds(s *analysis, start, end int32) bool {
	return !slices.ContainsFunc(s.module.Body, func(n ast.Stmt) bool {
		r := n.Bounds()
		return r.End > start && r.Start < end && (!onlyBinds(n) || f.isOwn(n))
	})
}

func onlyBinds(statement ast.Stmt) bool {
	all := func(body []ast.Stmt) bool {
		return !slices.ContainsFunc(body, func(n ast.Stmt) bool { return !onlyBinds(n) })
	}
	switch n := statement.(type) {
	case *ast.Import, *ast.ImportFrom, *ast.Pass:
		return true
	case *ast.ExprStmt:
		return n.Value.Kind() == ast.KindConstant
	case *ast.ClassDef:
		return len(n.DecoratorList)+len(n.Keywords) == 0 && all(n.Body) &&
			!slices.ContainsFunc(n.Bases, func(e ast.Expr) bool { return !isPlainValue(e) })
	case *ast.If:
		return isPlainValue(n.Test) && all(n.Body) && all(n.Orelse)
	case *ast.Try:
		return all(n.Body) && all(n.Orelse) && all(n.FinalBody) && !slices.ContainsFunc(n.Handlers, func(h *ast.ExceptHandler) bool {
			return h.Type != nil && !isPlainValue(h.Type) || !all(h.Body)
		})
	}
	return bindsPlainly(statement)
}

// isLibrary reports whether a module is of Python's library, and no file beside the program or in
// the folders of its package has the same name.
func (f *Fixer) isLibrary(module string) bool {
	name, _, _ := strings.Cut(module, ".")
	return library.Get()[name] && !f.isBeside(name)
}

// isBeside reports whether a file or folder beside the program, or in the folders of its package,
// has the name of a module.
func (f *Fixer) isBeside(name string) bool {
	if f.name == "" {
		return false
	}
	for folder := filepath.Dir(f.name); ; folder = filepath.Join(folder, "..") {
		for _, path := range [...]string{name, name + ".py"} {
			if f.project.isThere(folder, path) {
				return true
			}
		}
		if !f.project.isThere(folder, "__init__.py") {
			return false
		}
	}
}

// isOwn reports whether a statement imports a module of the program's own package or folder. Such a
// module may import the program, and needs what that has bound so far. No run of one file shows
// that.
func (f *Fixer) isOwn(statement ast.Stmt) bool {
	isOwn := func(module string) bool {
		name, _, _ := strings.Cut(module, ".")
		return f.isBeside(name)
	}
	switch n := statement.(type) {
	case *ast.Import:
		return slices.ContainsFunc(n.Names, func(a *ast.Alias) bool { return isOwn(a.Name) })
	case *ast.ImportFrom:
		return n.Level > 0 || isOwn(n.Module)
	}
	return false
}
