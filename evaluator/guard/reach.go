package guard

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// This file holds the guards that look at what an answer does beside what the
// program does: which modules, builtins and special names it uses that the
// program does not. Mending style needs next to nothing of that: type hints, a
// comparison that becomes isinstance, a demo under if __name__ == "__main__".

// reaches runs those guards on the answer in c.normal.
func (c *Checker) reaches(p *Program, module *ast.Module) {
	n := &c.normal
	if n.facts.tooDeep && !p.normal.facts.tooDeep {
		c.refuse(Depth, -1, "the code is nested %d deep and more", maxDepth)
		return
	}
	if !acts(module.Body) && acts(p.module.Body) {
		c.refuse(Empty, -1, "no statement does anything")
	}
	c.builtins(p)
	c.special(p)
	c.modules(p)
	c.patches(p)
}

// acts reports whether a statement does something: more than to import, to pass,
// or to define what does nothing.
func acts(body []ast.Stmt) bool {
	for _, statement := range body {
		switch s := statement.(type) {
		case *ast.Pass, *ast.Import, *ast.ImportFrom, *ast.Global, *ast.Nonlocal:
		case *ast.ExprStmt:
			if _, constant := s.Value.(*ast.Constant); !constant {
				return true
			}
		case *ast.FunctionDef:
			if acts(s.Body) {
				return true
			}
		case *ast.AsyncFunctionDef:
			if acts(s.Body) {
				return true
			}
		case *ast.ClassDef:
			if acts(s.Body) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// uses reports whether the text mentions an identifier, wherever it stands.
func (r *names) mentions(text string) bool {
	_, known := r.ids[text]
	return known
}

// builtins refuses builtins that hide code or leave the program.
func (c *Checker) builtins(p *Program) {
	for i := range c.normal.names.names {
		name := &c.normal.names.names[i]
		if name.class&(hides|reaches) == 0 || p.normal.mentions(name.text) {
			continue
		}
		at := name.builtin
		if at < 0 && name.class&isBuiltin == 0 {
			at = name.first // an attribute or an imported name
		}
		switch {
		case at < 0: // a variable, or a method of that name
		case name.class&hides != 0:
			c.refuse(HiddenCode, at, "%s can run or find what the linter does not see, and the program does not use it", name.text)
		default:
			c.refuse(Reach, at, "the program does not use %s", name.text)
		}
	}
	if c.normal.class&makesTypes != 0 && p.normal.class&makesTypes == 0 {
		c.refuse(HiddenCode, -1, "a class is made by calling type, and the program makes none so")
	}
}

// special refuses special names (__eq__, __globals__) and the attributes of
// frames and code.
func (c *Checker) special(p *Program) {
	for _, id := range c.normal.facts.special {
		name := &c.normal.names.names[id]
		if !p.normal.mentions(name.text) {
			c.refuse(Internals, name.first, "the program does not use %s", name.text)
		}
	}
	for i := range c.normal.symbols {
		s := &c.normal.symbols[i]
		name := &c.normal.names.names[s.name]
		if s.scope != 0 || s.stores == 0 && s.dels == 0 || !isDunder(name.text) || harmlessStores[name.text] {
			continue
		}
		if at, known := p.normal.bindsGlobally(name.text); !known || at.stores == 0 {
			c.refuse(Internals, name.first, "%s is bound, and the program does not bind it", name.text)
		}
	}
}

// harmlessStores are special names that a module may give itself.
var harmlessStores = map[string]bool{"__all__": true, "__version__": true, "__author__": true}

// bindsGlobally returns the module's symbol of a name.
func (r *names) bindsGlobally(text string) (*symbol, bool) {
	id, known := r.ids[text]
	if !known {
		return nil, false
	}
	at, known := r.bound[key(0, id)]
	if !known || at < 0 {
		return nil, false
	}
	return &r.symbols[at], true
}

// modules refuses imports of modules that the program does not use, unless they
// are free for all; of those that are not, what the program does not use of them.
func (c *Checker) modules(p *Program) {
	for i := range c.normal.imports {
		imported := &c.normal.imports[i]
		root := moduleRoot(imported.module)
		if m := modules()[imported.module]; m != nil && m.free || root == "__future__" {
			continue
		}
		if p.normal.lacks(boundName(imported.alias)) || root == "sys" && imported.name == "exit" && p.exits() {
			continue
		}
		used := imported.symbol < 0 || c.normal.symbols[imported.symbol].loads > 0
		switch {
		case root == "sys" && imported.name == "" && p.exits(): // what it is used for is seen below
		case !p.normal.importsModule(imported.module) && !p.normal.usesModule(root), used && !p.normal.usesModule(root):
			c.refuse(Import, imported.offset, "the program does not use the module %s", imported.module)
		case imported.name != "" && imported.name != "*" && !p.normal.mentions(imported.name):
			c.refuse(Import, imported.offset, "the program does not use %s of the module %s", imported.name, imported.module)
		case imported.name == "*" && !p.normal.facts.star:
			c.refuse(Import, imported.offset, "the program does not import all of the module %s", imported.module)
		}
	}
	for i := range c.normal.reads {
		read := &c.normal.reads[i]
		at := c.normal.resolve(read.scope, read.root)
		if at < 0 {
			continue
		}
		attribute := c.normal.names.names[read.attribute].text
		if module := c.normal.importedAs(at); module != "" && !p.normal.mentions(attribute) {
			if module == "sys" && attribute == "exit" && p.exits() {
				continue
			}
			if _, inner, _ := strings.Cut(module, "."); inner == attribute {
				continue // import os.path; os.path
			}
			if m := modules()[module]; m == nil || !m.free {
				c.refuse(Import, read.offset, "the program does not use %s of the module %s", attribute, module)
			}
		}
	}
}

// lacks reports whether the text uses a name that nothing in it binds, and Python
// neither: to import it is to mend F821.
func (r *names) lacks(text string) bool {
	id, known := r.ids[text]
	return known && r.names[id].builtin >= 0 && r.names[id].class&isBuiltin == 0
}

// exits reports whether the program calls exit or quit, for which sys.exit is the
// better name.
func (p *Program) exits() bool {
	for _, text := range [...]string{"exit", "quit"} {
		if id, known := p.normal.ids[text]; known && p.normal.names.names[id].builtin >= 0 {
			return true
		}
	}
	return false
}

// moduleRoot returns the package that a module is in: os for os.path.
func moduleRoot(module string) string {
	root, _, _ := strings.Cut(module, ".")
	return root
}

// importedAs returns the module that a symbol stands for, "" if it is bound to
// anything else.
func (r *names) importedAs(at int32) string {
	if i := r.symbols[at].module; i > 0 {
		return r.imports[i-1].module
	}
	return ""
}

func (r *names) importsModule(module string) bool {
	return slices.ContainsFunc(r.imports, func(i importedName) bool { return i.module == module })
}

// usesModule reports whether the text uses a module, or something from it: an
// import that nobody reads is no use, but a name that nobody imports is one.
func (r *names) usesModule(root string) bool {
	for i := range r.imports {
		imported := &r.imports[i]
		if moduleRoot(imported.module) != root {
			continue
		}
		if imported.name == "*" || imported.symbol < 0 || r.symbols[imported.symbol].loads > 0 {
			return true
		}
	}
	if id, known := r.ids[root]; known && r.names[id].builtin >= 0 {
		return true
	}
	return false
}

// patches refuses what changes things from outside: a builtin's name in the module,
// an attribute of a module, of a builtin, or of what the program defines.
func (c *Checker) patches(p *Program) {
	n := &c.normal
	for i := range n.symbols {
		s := &n.symbols[i]
		name := &n.names.names[s.name]
		if s.scope != 0 || s.stores == 0 || name.class&isBuiltin == 0 || isDunder(name.text) || p.normal.facts.star {
			continue
		}
		if _, bound := p.normal.bindsGlobally(name.text); !bound {
			c.refuse(Patch, name.first, "%s is a builtin, and the program does not bind it", name.text)
		}
	}
	for _, store := range n.stores {
		root, attribute := &n.names.names[store.root], n.names.names[store.attribute].text
		at := n.resolve(store.scope, store.root)
		foreign := at < 0 && root.class&isBuiltin != 0
		if at >= 0 && n.symbols[at].scope == 0 {
			_, defined := p.place.definition(root.text) // a function or a class of the program's
			foreign = defined
		}
		if at >= 0 && n.symbols[at].imports > 0 {
			foreign = true
		}
		if !foreign {
			continue
		}
		if !p.normal.storesAttribute(root.text, attribute) {
			c.refuse(Patch, store.offset, "%s.%s is changed, and the program does not change it", root.text, attribute)
		}
	}
}

func (r *names) storesAttribute(root, attribute string) bool {
	return slices.ContainsFunc(r.stores, func(s attributeStore) bool {
		return r.names[s.root].text == root && r.names[s.attribute].text == attribute
	})
}
