package guard

import (
	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file has the guards that compare what an answer uses with what the program
// uses: modules, builtins and special names. A repair of style adds almost none of
// these: type hints, a comparison that becomes isinstance, a demo under if __name__
// == "__main__".

// reaches runs these guards on the answer in c.names.
func (c *Checker) reaches(p *Program, module *ast.Module) {
	n := c.names
	if n.Facts.TooDeep && !p.names().Facts.TooDeep {
		c.refuse(Depth, -1, "the code is nested %d deep and more", scope.MaxDepth)
		return
	}
	if !acts(module.Body) && acts(p.same.Module.Body) {
		c.refuse(Empty, -1, "no statement does anything")
	}
	c.imports(p)
	c.modules(p)
	c.identifiers(p)
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

// identifiers refuses what the program does not have and no repair needs: builtins that hide code or
// leave the program; special names (__eq__, __globals__), and attributes of frames and code; and
// attributes that none of Python's own types has and the answer does not define.
func (c *Checker) identifiers(p *Program) {
	c.seekAttributes()
	for i := range c.names.Names {
		name := &c.names.Names[i]
		if p.names().Mentions(name.Text) {
			continue
		}
		at := name.Builtin
		if at < 0 && name.Class&scope.Builtin == 0 {
			at = name.First // an attribute or an imported name
		}
		switch {
		case at < 0: // a variable or a method of that name
		case name.Class&scope.Hides != 0:
			c.refuse(HiddenCode, at, "%s can run or find what the linter does not see, and the program does not use it", name.Text)
		case name.Class&scope.Reaches != 0:
			c.refuse(Reach, at, "the program does not use %s", name.Text)
		}
		switch {
		case name.Class&scope.Dunder != 0:
			c.refuse(Internals, name.First, "the program does not use %s", name.Text)
		case name.Sought >= 0 && name.Class&scope.Attribute == 0 && !scope.IsDunder(name.Text) && !(name.Stored || name.Keyword || name.Field || name.Member):
			c.refuse(Internals, name.Sought, "%s is an attribute of none of Python's types, and neither the program nor the answer defines it", name.Text)
		}
	}
	if c.names.Class&scope.MakesTypes != 0 && p.names().Class&scope.MakesTypes == 0 {
		c.refuse(HiddenCode, -1, "a class is made by calling type, and the program makes none so")
	}
	if c.names.Class&scope.CopiesByText != 0 && p.names().Class&scope.CopiesByText == 0 {
		c.refuse(HiddenCode, -1, "wraps is told which attributes to copy, and the program tells it none")
	}
	if at := c.names.Facts.QuotedCall; at >= 0 && c.names.Class&scope.ReadsAnnotations != 0 && p.names().Facts.QuotedCall < 0 {
		c.refuse(HiddenCode, at, "an annotation in quotes calls something, and annotations are run")
	}
}

// seekAttributes records which attributes are looked up in values that are no modules.
func (c *Checker) seekAttributes() {
	n := c.names
	for i := range n.Reads {
		read := &n.Reads[i]
		module := ""
		if at := n.Resolve(read.Scope, read.Root); at >= 0 {
			module = n.ImportedAs(at)
		} else if root := n.Names[read.Root].Text; scope.Modules()[root] != nil {
			module = root // F821: the program uses the module's name without importing it
		}
		if module == "" {
			n.Seek(read.Attribute, read.Offset)
		}
		if read.Next >= 0 && (module == "" || scope.Modules()[module+"."+n.Names[read.Attribute].Text] == nil) {
			n.Seek(read.Next, read.Offset)
		}
	}
}

// imports refuses imports of modules that the program does not use and that are not
// free, and imports of names that are neither the program's nor public names of a
// free module.
func (c *Checker) imports(p *Program) {
	for i := range c.names.Imports {
		imported := &c.names.Imports[i]
		root := scope.ModuleRoot(imported.Module)
		if root == "__future__" {
			continue
		}
		if m := scope.Modules()[imported.Module]; m != nil && m.Free {
			if name := imported.Name; name != "" && name != "*" && !m.Has[name] && scope.Modules()[imported.Module+"."+name] == nil && !p.names().Takes(imported.Module, name) {
				c.refuse(Import, imported.Offset, "the program does not use %s of the module %s, which is no public name", name, imported.Module)
			}
			continue
		}
		if p.names().Lacks(imported.Alias.Bound()) || isHarmless(imported.Module, imported.Name) && p.names().UsesModule(root) || root == "sys" && imported.Name == "exit" && p.exits() {
			continue
		}
		used := imported.Symbol < 0 || c.names.Symbols[imported.Symbol].Loads > 0
		switch {
		case root == "sys" && imported.Name == "" && p.exits(): // its use is checked below
		case !p.names().ImportsModule(imported.Module) && !p.names().UsesModule(root), used && !p.names().UsesModule(root):
			c.refuse(Import, imported.Offset, "the program does not use the module %s", imported.Module)
		case imported.Name != "" && imported.Name != "*" && !p.names().Mentions(imported.Name):
			c.refuse(Import, imported.Offset, "the program does not use %s of the module %s", imported.Name, imported.Module)
		case imported.Name == "*" && !p.names().Facts.Star:
			c.refuse(Import, imported.Offset, "the program does not import all of the module %s", imported.Module)
		}
	}
}

// isHarmless reports whether a name of a module that is not free is a constant of its own: ruff
// writes datetime.UTC for datetime.timezone.utc, which is the same object.
func isHarmless(module, name string) bool { return module == "datetime" && name == "UTC" }

// A module object leads to everything that the module itself imports: enum.bltns is
// builtins, and so is json.codecs.builtins. So an answer may only read public names
// of a module. It may not pass or store the module, or reach it through another one,
// unless the program does.

// modules refuses other uses of the modules that the answer imports.
func (c *Checker) modules(p *Program) {
	n := c.names
	for i := range n.Imports {
		imported := &n.Imports[i]
		module := imported.Object()
		if module == "" || p.names().Lacks(imported.Alias.Bound()) {
			continue
		}
		switch {
		case imported.Symbol < 0:
			c.refuse(Import, imported.Offset, "the module %s is bound to a variable of another function", module)
		case n.Scopes[n.Symbols[imported.Symbol].Scope].Kind == scope.ClassScope && !p.names().Has(module, func(s *scope.Symbol) bool { return p.names().Scopes[s.Scope].Kind == scope.ClassScope }):
			c.refuse(Import, imported.Offset, "the module %s becomes an attribute of a class", module)
		case n.Symbols[imported.Symbol].Bare > 0 && !p.names().Has(module, func(s *scope.Symbol) bool { return s.Bare > 0 }):
			c.refuse(Import, imported.Offset, "the module %s is used as a value, and the program does not use it so", module)
		}
	}
	objects := n.ModuleObjects()
	for i := range n.Reads {
		read := &n.Reads[i]
		if at := n.Resolve(read.Scope, read.Root); at >= 0 {
			for _, module := range objects[at] {
				c.moduleRead(p, read, module)
			}
		}
		if len(c.report.Reasons) >= MaxReasons {
			return
		}
	}
}

// moduleRead refuses a read that may be of a module, unless it reads a public name or
// the program reads the same.
func (c *Checker) moduleRead(p *Program, read *scope.Access, module string) {
	attribute := c.names.Names[read.Attribute].Text
	m := scope.Modules()[module]
	switch {
	case module == "sys" && attribute == "exit" && p.exits():
	case isHarmless(module, attribute):
	case m == nil || !m.Free:
		if _, known := scope.Modules()[module+"."+attribute]; !known && !read.Annotation && !p.names().Mentions(attribute) {
			c.refuse(Import, read.Offset, "the program does not use %s of the module %s", attribute, module)
		}
	case scope.Modules()[module+"."+attribute] != nil && read.Next >= 0:
		inner := *read
		inner.Attribute, inner.Next = read.Next, -1
		c.moduleRead(p, &inner, module+"."+attribute)
	case !m.Has[attribute] && !p.names().Takes(module, attribute):
		c.refuse(Import, read.Offset, "the program does not use %s of the module %s, which is no public name", attribute, module)
	}
}

// exits reports whether the program calls exit or quit, which sys.exit should
// replace.
func (p *Program) exits() bool { return p.names().IsUnbound("exit") || p.names().IsUnbound("quit") }

// patches refuses changes to other objects: binding a special name or a builtin's in the module, or
// an attribute of a module, of a builtin, or of a definition of the program.
func (c *Checker) patches(p *Program) {
	n := c.names
	for i := range n.Symbols {
		s := &n.Symbols[i]
		name := &n.Names[s.Name]
		if s.Scope != 0 || s.Stores == 0 && s.Dels == 0 {
			continue
		}
		switch theirs, bound := p.names().BindsGlobally(name.Text); {
		case scope.IsDunder(name.Text):
			if name.Text != "__all__" && name.Text != "__version__" && name.Text != "__author__" && (!bound || theirs.Stores == 0) {
				c.refuse(Internals, name.First, "%s is bound, and the program does not bind it", name.Text)
			}
		case s.Stores > 0 && name.Class&scope.Builtin != 0 && !bound && !p.names().Facts.Star:
			c.refuse(Patch, name.First, "%s is a builtin, and the program does not bind it", name.Text)
		}
	}
	for _, store := range n.Stores {
		root, attribute := &n.Names[store.Root], n.Names[store.Attribute].Text
		at := n.Resolve(store.Scope, store.Root)
		foreign := at < 0 && root.Class&scope.Builtin != 0
		if at >= 0 && n.Symbols[at].Scope == 0 {
			_, defined := p.namespace.definition(root.Text) // a function or a class of the program's
			foreign = defined
		}
		if at >= 0 && n.Symbols[at].Imports > 0 {
			foreign = true
		}
		if !foreign {
			continue
		}
		if !p.names().StoresAttribute(root.Text, attribute) {
			c.refuse(Patch, store.Offset, "%s.%s is changed, and the program does not change it", root.Text, attribute)
		}
	}
}
