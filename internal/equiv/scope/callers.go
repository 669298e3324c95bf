package scope

import (
	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
)

// Callers describes how other texts, such as the task's asserts, use a program's
// definitions.
type Callers struct {
	// free has the names that the texts read and do not bind.
	free map[string]bool
	// Bound has the names that the texts bind. They may replace the program's.
	Bound map[string]bool
	// Keywords has the names of keyword arguments.
	Keywords map[string]bool
	// spread reports whether a call passes **mapping, which may have any name.
	spread bool
	// Strange reports whether values in the texts may have methods of their own:
	// the texts define classes, import modules that are not plain, or do not
	// parse.
	Strange bool
	// Class is the union of the classes of all identifiers.
	Class Class
}

// Reads reports whether the texts read a name that they do not bind.
func (c *Callers) Reads(name string) bool { return c.free[name] }

// Keyword reports whether a call in the texts may have a keyword argument of that name.
func (c *Callers) Keyword(name string) bool { return c.Keywords[name] || c.spread }

// ReadCallers reads texts that use a program. One that is no Python may do anything.
func ReadCallers(texts []string) Callers {
	bound := map[string]bool{}
	c := Callers{free: map[string]bool{}, Keywords: map[string]bool{}, Bound: bound}
	var file source.File
	for _, text := range texts {
		if file.Load([]byte(text)) != nil {
			c.Strange, c.spread = true, true
			continue
		}
		module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
		if !ok {
			c.Strange, c.spread = true, true
			continue
		}
		ast.Inspect(module, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Attribute:
				c.Class |= ClassOf(n.Attr)
				if n.Attr == "__name__" {
					c.Class |= ReadsNames
				}
			case *ast.Name:
				c.Class |= ClassOf(n.ID)
				if n.Ctx == ast.Load {
					c.free[n.ID] = true
				} else {
					bound[n.ID] = true
				}
			case *ast.Keyword:
				if n.Arg == "" {
					c.spread = true
				}
				c.Keywords[n.Arg] = true
			case *ast.ExceptHandler:
				if n.Name != "" {
					bound[n.Name] = true
					c.Class |= ReadsNames // an exception's text may contain a variable's name
				}
			case *ast.Global:
				for _, name := range n.Names {
					bound[name] = true
				}
			case *ast.FunctionDef:
				bound[n.Name] = true
			case *ast.ClassDef:
				bound[n.Name] = true
				c.Strange = true
			case *ast.Arg:
				bound[n.Arg] = true
			case *ast.Import:
				for _, alias := range n.Names {
					bound[alias.Bound()] = true
					c.imports(alias.Name, alias)
				}
			case *ast.ImportFrom:
				for _, alias := range n.Names {
					bound[alias.Bound()] = true
					c.imports(n.Module, alias)
				}
			}
			return true
		})
	}
	for name := range bound {
		delete(c.free, name)
	}
	return c
}

func (c *Callers) imports(module string, alias *ast.Alias) {
	c.Class |= ClassOf(alias.Name)
	if m := Modules()[module]; m == nil || !m.Plain {
		c.Strange = true
	}
}
