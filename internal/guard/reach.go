package guard

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// This file has the guards that compare what an answer uses with what the program
// uses: modules, builtins and special names. A repair of style adds almost none of
// these: type hints, a comparison that becomes isinstance, a demo under if __name__
// == "__main__".

// reaches runs these guards on the answer in c.normal.
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
	c.imports(p)
	c.modules(p)
	c.attributes(p)
	c.patches(p)
}

// acts reports whether a statement does more than import, pass, or define functions
// that do nothing.
func acts(body []ast.Stmt) bool {
	for _, statement := range body {
		switch s := statement.(type) {
		case *ast.Pass, *ast.Import, *ast.ImportFrom, *ast.Global, *ast.Nonlocal:
		case *ast.ExprStmt:
			if _, constant := s.Value.(*ast.Constant); !constant {
				return true
			}
		case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
			if acts(ast.Blocks(statement)[0]) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// mentions reports whether the text has an identifier anywhere.
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
		case at < 0: // a variable or a method of that name
		case name.class&hides != 0:
			c.refuse(HiddenCode, at, "%s can run or find what the linter does not see, and the program does not use it", name.text)
		default:
			c.refuse(Reach, at, "the program does not use %s", name.text)
		}
	}
	if c.normal.class&makesTypes != 0 && p.normal.class&makesTypes == 0 {
		c.refuse(HiddenCode, -1, "a class is made by calling type, and the program makes none so")
	}
	if c.normal.class&copiesByText != 0 && p.normal.class&copiesByText == 0 {
		c.refuse(HiddenCode, -1, "wraps is told which attributes to copy, and the program tells it none")
	}
	if at := c.normal.facts.quotedCall; at >= 0 && c.normal.class&readsAnnotations != 0 && p.normal.facts.quotedCall < 0 {
		c.refuse(HiddenCode, at, "an annotation in quotes calls something, and annotations are run")
	}
}

// special refuses special names (__eq__, __globals__), and attributes of frames and
// code.
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

// harmlessStores are special names that a module may set.
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

// imports refuses imports of modules that the program does not use and that are not
// free, and imports of names that are neither the program's nor public names of a
// free module.
func (c *Checker) imports(p *Program) {
	for i := range c.normal.imports {
		imported := &c.normal.imports[i]
		root := moduleRoot(imported.module)
		if root == "__future__" {
			continue
		}
		if m := modules()[imported.module]; m != nil && m.free {
			if name := imported.name; name != "" && name != "*" && !m.has[name] && modules()[imported.module+"."+name] == nil && !p.normal.takes(imported.module, name) {
				c.refuse(Import, imported.offset, "the program does not use %s of the module %s, which is no public name", name, imported.module)
			}
			continue
		}
		if p.normal.lacks(imported.alias.Bound()) || root == "sys" && imported.name == "exit" && p.exits() {
			continue
		}
		used := imported.symbol < 0 || c.normal.symbols[imported.symbol].loads > 0
		switch {
		case root == "sys" && imported.name == "" && p.exits(): // its use is checked below
		case !p.normal.importsModule(imported.module) && !p.normal.usesModule(root), used && !p.normal.usesModule(root):
			c.refuse(Import, imported.offset, "the program does not use the module %s", imported.module)
		case imported.name != "" && imported.name != "*" && !p.normal.mentions(imported.name):
			c.refuse(Import, imported.offset, "the program does not use %s of the module %s", imported.name, imported.module)
		case imported.name == "*" && !p.normal.facts.star:
			c.refuse(Import, imported.offset, "the program does not import all of the module %s", imported.module)
		}
	}
}

// A module object leads to everything that the module itself imports: enum.bltns is
// builtins, and so is json.codecs.builtins. So an answer may only read public names
// of a module. It may not pass or store the module, or reach it through another one,
// unless the program does.

// modules refuses other uses of the modules that the answer imports.
func (c *Checker) modules(p *Program) {
	n := &c.normal
	for i := range n.imports {
		imported := &n.imports[i]
		module := imported.object()
		if module == "" || p.normal.lacks(imported.alias.Bound()) {
			continue
		}
		switch {
		case imported.symbol < 0:
			c.refuse(Import, imported.offset, "the module %s is bound to a variable of another function", module)
		case n.scopes[n.symbols[imported.symbol].scope].kind == classScope && !p.normal.has(module, func(s *symbol) bool { return p.normal.scopes[s.scope].kind == classScope }):
			c.refuse(Import, imported.offset, "the module %s becomes an attribute of a class", module)
		case n.symbols[imported.symbol].bare > 0 && !p.normal.has(module, func(s *symbol) bool { return s.bare > 0 }):
			c.refuse(Import, imported.offset, "the module %s is used as a value, and the program does not use it so", module)
		}
	}
	objects := n.moduleObjects()
	for i := range n.reads {
		read := &n.reads[i]
		if at := n.resolve(read.scope, read.root); at >= 0 {
			for _, module := range objects[at] {
				c.moduleRead(p, read, module)
			}
		}
		if len(c.report.Reasons) >= MaxReasons {
			return
		}
	}
}

// moduleObjects returns the modules that each symbol may stand for. A hostile text
// may bind thousands to one name. The first are then enough, as all modules that are
// not free are refused at their import.
func (r *names) moduleObjects() map[int32][]string {
	const most = 100 // more than there are free modules
	objects := map[int32][]string{}
	for i := range r.imports {
		imported := &r.imports[i]
		if module := imported.object(); module != "" && imported.symbol >= 0 {
			if list := objects[imported.symbol]; len(list) < most && !slices.Contains(list, module) {
				objects[imported.symbol] = append(list, module)
			}
		}
	}
	return objects
}

// moduleRead refuses a read that may be of a module, unless it reads a public name or
// the program reads the same.
func (c *Checker) moduleRead(p *Program, read *attributeStore, module string) {
	attribute := c.normal.names.names[read.attribute].text
	m := modules()[module]
	switch {
	case module == "sys" && attribute == "exit" && p.exits():
	case m == nil || !m.free:
		if _, known := modules()[module+"."+attribute]; !known && !read.annotation && !p.normal.mentions(attribute) {
			c.refuse(Import, read.offset, "the program does not use %s of the module %s", attribute, module)
		}
	case modules()[module+"."+attribute] != nil && read.next >= 0:
		inner := *read
		inner.attribute, inner.next = read.next, -1
		c.moduleRead(p, &inner, module+"."+attribute)
	case !m.has[attribute] && !p.normal.takes(module, attribute):
		c.refuse(Import, read.offset, "the program does not use %s of the module %s, which is no public name", attribute, module)
	}
}

// object returns the module that an import binds a name to, or "" if it is none or
// unknown: collections for import collections.abc.
func (i *importedName) object() string {
	switch {
	case i.name == "" && i.alias.AsName == "":
		return moduleRoot(i.module)
	case i.name == "":
		return i.module
	case modules()[i.module+"."+i.name] != nil:
		return i.module + "." + i.name
	}
	return ""
}

// has reports whether the text binds a module to a symbol for which is returns true.
func (r *names) has(module string, is func(*symbol) bool) bool {
	return slices.ContainsFunc(r.imports, func(i importedName) bool {
		return i.symbol >= 0 && i.object() == module && is(&r.symbols[i.symbol])
	})
}

// takes reports whether the text imports or reads a name of a module.
func (r *names) takes(module, name string) bool {
	for i := range r.imports {
		if imported := &r.imports[i]; imported.module == module && imported.name == name {
			return true
		}
	}
	id, known := r.ids[name]
	if !known {
		return false
	}
	for i := range r.reads {
		if read := &r.reads[i]; read.attribute == id {
			at := r.resolve(read.scope, read.root)
			if at < 0 && r.names[read.root].text == module || at >= 0 && r.importedAs(at) == module {
				return true
			}
		}
	}
	return false
}

// attributes refuses attributes that none of Python's own types has and neither the
// answer nor the program defines.
func (c *Checker) attributes(p *Program) {
	n := &c.normal
	for i := range n.reads {
		read := &n.reads[i]
		module := ""
		if at := n.resolve(read.scope, read.root); at >= 0 {
			module = n.importedAs(at)
		} else if root := n.names.names[read.root].text; modules()[root] != nil {
			module = root // F821: the program uses the module's name without importing it
		}
		if module == "" {
			n.seek(read.attribute, read.offset)
		}
		if read.next >= 0 && (module == "" || modules()[module+"."+n.names.names[read.attribute].text] == nil) {
			n.seek(read.next, read.offset)
		}
	}
	for i := range n.names.names {
		name := &n.names.names[i]
		if name.sought < 0 || name.class&(isAttribute|dunder) != 0 || isDunder(name.text) || name.stored || name.keyword || name.field || name.member || p.normal.mentions(name.text) {
			continue
		}
		c.refuse(Internals, name.sought, "%s is an attribute of none of Python's types, and neither the program nor the answer defines it", name.text)
	}
}

// lacks reports whether the text uses a name that neither it nor Python defines. To
// import the name is a repair of F821.
func (r *names) lacks(text string) bool {
	id, known := r.ids[text]
	return known && r.names[id].builtin >= 0 && r.names[id].class&isBuiltin == 0
}

// exits reports whether the program calls exit or quit, which sys.exit should
// replace.
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

// importedAs returns the module that a symbol stands for, or "".
func (r *names) importedAs(at int32) string {
	if i := r.symbols[at].module; i > 0 {
		return r.imports[i-1].object()
	}
	return ""
}

func (r *names) importsModule(module string) bool {
	return slices.ContainsFunc(r.imports, func(i importedName) bool { return i.module == module })
}

// usesModule reports whether the text uses a module or a part of it. An import that
// nothing reads does not count; a name that is used but not imported does.
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

// patches refuses changes to other objects: binding a builtin's name in the module,
// or an attribute of a module, of a builtin, or of a definition of the program.
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
			_, defined := p.namespace.definition(root.text) // a function or a class of the program's
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
