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
			c.spread = true
			continue
		}
		module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
		if !ok {
			c.spread = true
			continue
		}
		ast.Inspect(module, func(n ast.Node) bool {
			if name := ast.Binds(n); name != "" {
				bound[name] = true
			}
			switch n := n.(type) {
			case *ast.Attribute:
				c.Class |= ClassOf(n.Attr)
				if n.Attr == "__name__" {
					c.Class |= ReadsNames
				}
			case *ast.Name:
				c.Class |= ClassOf(n.ID)
				switch n.Ctx {
				case ast.Load:
					c.free[n.ID] = true
				case ast.Del:
					bound[n.ID] = true
				}
			case *ast.Keyword:
				c.spread = c.spread || n.Arg == ""
				c.Keywords[n.Arg] = true
			case *ast.ExceptHandler:
				if n.Name != "" {
					c.Class |= ReadsNames // an exception's text may contain a variable's name
				}
			case *ast.Global:
				for _, name := range n.Names {
					bound[name] = true
				}
			case *ast.Alias:
				c.Class |= ClassOf(n.Name)
			}
			return true
		})
	}
	for name := range bound {
		delete(c.free, name)
	}
	return c
}
