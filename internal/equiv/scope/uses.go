package scope

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// This file has questions about a text that its names answer.

// Mentions reports whether the text has an identifier anywhere.
func (r *Table) Mentions(text string) bool {
	_, known := r.IDs[text]
	return known
}

// BindsGlobally returns the module's symbol of a name.
func (r *Table) BindsGlobally(text string) (*Symbol, bool) {
	id, known := r.IDs[text]
	if !known {
		return nil, false
	}
	at, known := r.Bound[key(0, id)]
	if !known || at < 0 {
		return nil, false
	}
	return &r.Symbols[at], true
}

// ModuleObjects returns the modules that each symbol may stand for. A hostile text
// may bind thousands to one name. The first are then enough, as all modules that are
// not free are refused at their import.
func (r *Table) ModuleObjects() map[int32][]string {
	const most = 100 // more than there are free modules
	objects := map[int32][]string{}
	for i := range r.Imports {
		imported := &r.Imports[i]
		if module := imported.Object(); module != "" && imported.Symbol >= 0 {
			if list := objects[imported.Symbol]; len(list) < most && !slices.Contains(list, module) {
				objects[imported.Symbol] = append(list, module)
			}
		}
	}
	return objects
}

// Object returns the module that an import binds a name to, or "" if it is none or
// unknown: collections for import collections.abc.
func (i *Import) Object() string {
	switch {
	case i.Name == "" && i.Alias.AsName == "":
		return ModuleRoot(i.Module)
	case i.Name == "":
		return i.Module
	case Modules()[i.Module+"."+i.Name] != nil:
		return i.Module + "." + i.Name
	}
	return ""
}

// Has reports whether the text binds a module to a symbol for which is returns true.
func (r *Table) Has(module string, is func(*Symbol) bool) bool {
	return slices.ContainsFunc(r.Imports, func(i Import) bool {
		return i.Symbol >= 0 && i.Object() == module && is(&r.Symbols[i.Symbol])
	})
}

// Takes reports whether the text imports or reads a name of a module.
func (r *Table) Takes(module, name string) bool {
	for i := range r.Imports {
		if imported := &r.Imports[i]; imported.Module == module && imported.Name == name {
			return true
		}
	}
	id, known := r.IDs[name]
	if !known {
		return false
	}
	for i := range r.Reads {
		if read := &r.Reads[i]; read.Attribute == id {
			at := r.Resolve(read.Scope, read.Root)
			if at < 0 && r.Names[read.Root].Text == module || at >= 0 && r.ImportedAs(at) == module {
				return true
			}
		}
	}
	return false
}

// IsUnbound reports whether the text uses a name that it does not bind.
func (r *Table) IsUnbound(text string) bool {
	id, known := r.IDs[text]
	return known && r.Names[id].Builtin >= 0
}

// Lacks reports whether the text uses a name that neither it nor Python defines. To
// import the name is a repair of F821.
func (r *Table) Lacks(text string) bool { return r.IsUnbound(text) && ClassOf(text)&Builtin == 0 }

// ModuleRoot returns the package that a module is in: os for os.path.
func ModuleRoot(module string) string {
	root, _, _ := strings.Cut(module, ".")
	return root
}

// ImportedAs returns the module that a symbol stands for, or "".
func (r *Table) ImportedAs(at int32) string {
	if i := r.Symbols[at].module; i > 0 {
		return r.Imports[i-1].Object()
	}
	return ""
}

// TypeChecking returns the symbol by which a test names typing's TYPE_CHECKING, which is false when a
// program runs, or -1.
func (r *Table) TypeChecking(in int32, test ast.Expr) int32 {
	root := RootName(test)
	if root == nil {
		return -1
	}
	at := r.Lookup(in, root.ID)
	if at < 0 || r.Symbols[at].Stores != 1 {
		return -1
	}
	attribute, isAttribute := test.(*ast.Attribute)
	if isAttribute && attribute.Value == ast.Expr(root) && attribute.Attr == "TYPE_CHECKING" && r.ImportedAs(at) == "typing" {
		return at
	}
	if !isAttribute && slices.ContainsFunc(r.Imports, func(i Import) bool { return i.Symbol == at && i.Module == "typing" && i.Name == "TYPE_CHECKING" }) {
		return at
	}
	return -1
}

func (r *Table) ImportsModule(module string) bool {
	return slices.ContainsFunc(r.Imports, func(i Import) bool { return i.Module == module })
}

// UsesModule reports whether the text uses a module or a part of it. An import that
// nothing reads does not count; a name that is used but not imported does.
func (r *Table) UsesModule(root string) bool {
	for i := range r.Imports {
		imported := &r.Imports[i]
		if ModuleRoot(imported.Module) != root {
			continue
		}
		if imported.Name == "*" || imported.Symbol < 0 || r.Symbols[imported.Symbol].Loads > 0 {
			return true
		}
	}
	return r.IsUnbound(root)
}

func (r *Table) StoresAttribute(root, attribute string) bool {
	return slices.ContainsFunc(r.Stores, func(s Access) bool {
		return r.Names[s.Root].Text == root && r.Names[s.Attribute].Text == attribute
	})
}

// FullModule returns the module with its dots, as flake8 names it.
func (i *Import) FullModule() string {
	if i.Level == 0 && i.Name == "" {
		return "" // import a.b
	}
	return strings.Repeat(".", int(i.Level)-min(int(i.Level), 1)) + i.Module
}
