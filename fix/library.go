package fix

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"codelinter/ast"
	"codelinter/internal/guard"
)

//go:embed library.txt
var libraryText string

// library has the names of the modules of Python's library.
var library = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(libraryText) {
		if !strings.HasPrefix(line, "#") {
			names[strings.TrimSpace(line)] = true
		}
	}
	return names
})

// cannotMatter reports whether the order of the module's statements in a range does not matter to
// the import among them: all imports are of Python's library, and all others only bind names
// and call nothing. A call may change where imports are found, or leave the module.
func (f *Fixer) cannotMatter(s *sight, start, end int32) bool {
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
		case *ast.Assign:
			for _, target := range n.Targets {
				if target.Kind() != ast.KindName {
					return false
				}
			}
			if !guard.CallsNothing(n.Value) {
				return false
			}
		case *ast.AnnAssign:
			if n.Target.Kind() != ast.KindName || !guard.CallsNothing(n.Annotation) || n.Value != nil && !guard.CallsNothing(n.Value) {
				return false
			}
		case *ast.FunctionDef:
			if len(n.DecoratorList) > 0 || !guard.CallsNothing(n.Args) || n.Returns != nil && !guard.CallsNothing(n.Returns) {
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

// isLibrary reports whether a module is of Python's library, and no file beside the program or in
// the folders of its package has the same name.
func (f *Fixer) isLibrary(module string) bool {
	name, _, _ := strings.Cut(module, ".")
	if !library()[name] {
		return false
	}
	if f.name == "" {
		return true
	}
	for folder := filepath.Dir(f.name); ; folder = filepath.Join(folder, "..") {
		for _, path := range [...]string{name, name + ".py"} {
			if _, err := os.Stat(filepath.Join(folder, path)); err == nil {
				return false
			}
		}
		if _, err := os.Stat(filepath.Join(folder, "__init__.py")); err != nil {
			return true
		}
	}
}
