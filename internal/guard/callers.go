package guard

import (
	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
)

// callers describes how other texts, such as the task's asserts, use a program's
// definitions.
type callers struct {
	// free has the names that the texts read and do not bind.
	free map[string]bool
	// bound has the names that the texts bind. They may replace the program's.
	bound map[string]bool
	// keywords has the names of keyword arguments.
	keywords map[string]bool
	// spread reports whether a call passes **mapping, which may have any name.
	spread bool
	// strange reports whether values in the texts may have methods of their own:
	// the texts define classes, import modules that are not plain, or do not
	// parse.
	strange bool
	// class is the union of the classes of all identifiers.
	class identifierClass
}

func (c *callers) reads(name string) bool   { return c.free[name] }
func (c *callers) keyword(name string) bool { return c.keywords[name] || c.spread }

func readCallers(texts []string) callers {
	bound := map[string]bool{}
	c := callers{free: map[string]bool{}, keywords: map[string]bool{}, bound: bound}
	var file source.File
	for _, text := range texts {
		if file.Load([]byte(text)) != nil {
			c.strange, c.spread = true, true
			continue
		}
		module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: source.Newest})
		if !ok {
			c.strange, c.spread = true, true
			continue
		}
		ast.Inspect(module, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Attribute:
				c.class |= classOf(n.Attr)
				if n.Attr == "__name__" {
					c.class |= readsNames
				}
			case *ast.Name:
				c.class |= classOf(n.ID)
				if n.Ctx == ast.Load {
					c.free[n.ID] = true
				} else {
					bound[n.ID] = true
				}
			case *ast.Keyword:
				if n.Arg == "" {
					c.spread = true
				}
				c.keywords[n.Arg] = true
			case *ast.ExceptHandler:
				if n.Name != "" {
					bound[n.Name] = true
					c.class |= readsNames // an exception's text may contain a variable's name
				}
			case *ast.Global:
				for _, name := range n.Names {
					bound[name] = true
				}
			case *ast.FunctionDef:
				bound[n.Name] = true
			case *ast.ClassDef:
				bound[n.Name] = true
				c.strange = true
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

func (c *callers) imports(module string, alias *ast.Alias) {
	c.class |= classOf(alias.Name)
	if m := modules()[module]; m == nil || !m.plain {
		c.strange = true
	}
}
