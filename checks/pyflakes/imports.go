package pyflakes

import (
	"strings"

	"codelinter/ast"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// An imported is the part of an import binding that comes from its statement.
type imported struct {
	level    int32  // from ..spam: 2
	module   string // of a from
	name     string // the imported module or name, with its dots
	original nameID // spam in import spam as eggs, or none
	typing   bool   // it comes from, or is, a module for type hints
	lazy     bool   // lazy import spam
	first    int32  // of a from, its first import

	// from is "spam." of from spam import eggs, for the messages on all of a
	// statement's imports. The first one has it, once there is such a message.
	from *rule.SharedText

	firstRedefined, lastRedefined int32
}

// newImport keeps i and returns its number.
func (c *Checker) newImport(i imported) int32 {
	i.firstRedefined, i.lastRedefined = none, none
	c.imports = append(c.imports, i)
	return int32(len(c.imports)) - 1
}

func isTypingModule(module string) bool {
	return module == "typing" || module == "typing_extensions"
}

// importNames handles import spam, eggs.ham as ham.
func (c *Checker) importNames(n *ast.Import) {
	lazy := n.IsLazy && c.release.LazyImports
	if lazy && c.isMisplaced(n) {
		return
	}
	source := c.current()
	for _, alias := range n.Names {
		i := imported{name: alias.Name, original: none, lazy: lazy}
		dot := strings.IndexByte(alias.Name, '.')
		value := binding{kind: moduleImport, source: source}
		switch {
		case dot >= 0 && alias.AsName == "":
			value.kind = submoduleImport
			value.name = c.names.intern(alias.Name[:dot])
		case alias.AsName == "":
			value.name = c.names.intern(alias.Name)
		default:
			value.name = c.names.intern(alias.AsName)
			if dot < 0 && alias.AsName != alias.Name {
				i.original = c.names.intern(alias.Name)
			}
		}
		if value.kind == moduleImport && isTypingModule(alias.Name) {
			i.typing, c.typing = true, true
		}
		value.extra = c.newImport(i)
		c.bind(value)
		if lazy {
			c.names.list[value.name].lazy = true
		}
	}
}

// isMisplaced reports a lazy import, the current node, that does not stand at module
// level, or that stands in a try. It then binds nothing.
func (c *Checker) isMisplaced(n ast.Node) bool {
	misplaced := !c.scopes[c.scope].kind.ofModule()
	for i := range c.stack {
		switch c.stack[i].kind {
		case ast.KindTry, ast.KindTryStar:
			misplaced = true
		}
	}
	if misplaced {
		c.report(rule.F708, n, "")
	}
	return misplaced
}

// importFrom handles from spam import eggs.
func (c *Checker) importFrom(n *ast.ImportFrom) {
	future := n.Module == "__future__"
	if future {
		if !c.futuresAllowed() {
			c.report(rule.F404, n, "")
		}
	} else if c.scopes[c.scope].kind.ofModule() {
		c.scopes[c.scope].futures = false
	}

	lazy := n.IsLazy && c.release.LazyImports
	if lazy && c.isMisplaced(n) {
		return
	}
	source := c.current()
	typing := n.Level == 0 && isTypingModule(n.Module)
	if typing {
		c.typing = true
	}
	first := int32(len(c.imports))
	for _, alias := range n.Names {
		name := alias.Name
		if alias.AsName != "" {
			name = alias.AsName
		}
		i := imported{level: n.Level, module: n.Module, name: alias.Name, original: none, typing: typing, lazy: lazy, first: first}
		value := binding{kind: nameImport, source: source}
		switch {
		case future:
			value.kind = futureImport
			i.level, i.name, i.lazy = 0, name, false
			value.use = c.useAt(n.Start) // as good as used
			if !pytext.IsFutureFeature(alias.Name) {
				c.report(rule.F407, n, alias.Name)
			}
			if alias.Name == "annotations" && c.scope == 0 {
				c.futureAnnotations = true
			}
		case alias.Name == "*":
			if !c.scopes[c.scope].kind.ofModule() {
				c.reportModule(rule.F406, n)
				continue
			}
			if lazy {
				c.reportModule(rule.F709, n)
				continue
			}
			c.scopes[c.scope].starred = true
			c.reportModule(rule.F403, n)
			c.importStar(n, i, source)
			continue
		}
		value.name = c.names.intern(name)
		value.extra = c.newImport(i)
		c.bind(value)
		if i.lazy {
			c.names.list[value.name].lazy = true
		}
	}
}

// importStar binds spam.*, a name that no one can use, for from spam import *.
func (c *Checker) importStar(n *ast.ImportFrom, i imported, source recordID) {
	mark := c.mark()
	c.appendModule(n.Level, n.Module)
	i.name, i.level, i.module = c.written(mark), 0, ""
	c.add(".*")
	id := c.names.intern(c.written(mark))
	old := c.find(c.scope, id)
	c.bind(binding{kind: starImport, name: id, source: source, extra: c.newImport(i)})
	if old != none {
		return
	}
	scope := &c.scopes[c.scope]
	if scope.stars == none {
		scope.stars = int32(c.stars.used)
		c.stars.next()
	}
	c.stars.values[scope.stars].add(i.name)
}

// futuresAllowed reports whether only docstrings and imports from __future__ have
// come so far.
func (c *Checker) futuresAllowed() bool {
	scope := &c.scopes[c.scope]
	return scope.kind.ofModule() && scope.futures
}

// appendModule appends the module's name with its leading dots.
func (c *Checker) appendModule(level int32, module string) {
	for range level {
		c.arena = append(c.arena, '.')
	}
	c.arena = append(c.arena, module...)
}

// sameModule reports whether two imports, one of which is of a submodule, have
// the same dotted name.
func (c *Checker) sameModule(left, right int32) bool {
	a, b := &c.imports[left], &c.imports[right]
	if a.module == "" && b.module == "" && a.level == 0 && b.level == 0 {
		return a.name == b.name
	}
	if a.module == "" && a.level == 0 {
		a, b = b, a
	}
	// a is from spam import eggs, b is import spam.eggs.
	return a.level == 0 && len(b.name) == len(a.module)+1+len(a.name) &&
		strings.HasPrefix(b.name, a.module) && b.name[len(a.module)] == '.' &&
		strings.HasSuffix(b.name, a.name)
}

// reportUnused reports an import that no one used.
func (c *Checker) reportUnused(b *binding) {
	i := &c.imports[b.extra]
	mark := c.mark()
	c.appendImport(b, i)
	text := c.repr(c.written(mark))
	values := rule.Values{Text: text[1 : len(text)-1]} // the template has the quotes
	if b.kind == nameImport || b.kind == futureImport {
		values.Shared = c.fromOf(i)
	}
	c.reportRecord(rule.F401, b.source, values)
}

// fromOf returns "spam." for from spam import eggs.
func (c *Checker) fromOf(i *imported) *rule.SharedText {
	first := &c.imports[i.first]
	if first.from == nil {
		mark := c.mark()
		c.appendModule(i.level, i.module)
		if i.module != "" {
			c.arena = append(c.arena, '.')
		}
		text := c.repr(c.written(mark))
		first.from = c.prefixes.next()
		first.from.Text = text[1 : len(text)-1]
	}
	return first.from
}

// appendImport appends the name of an unused import in messages, without the module of a from
// import.
func (c *Checker) appendImport(b *binding, i *imported) {
	name := c.names.list[b.name].text
	if b.kind == starImport {
		if strings.HasSuffix(i.name, ".") {
			// "..*" would be hard to read.
			c.add("from ", i.name, " import *")
			return
		}
		c.add(name)
		return
	}
	c.add(i.name)
	if (b.kind == moduleImport || b.kind == nameImport) && i.name[strings.LastIndexByte(i.name, '.')+1:] != name {
		c.add(" as ", name)
	}
}

// reportModule reports a star import.
func (c *Checker) reportModule(code rule.Code, n *ast.ImportFrom) {
	mark := c.mark()
	c.appendModule(n.Level, n.Module)
	c.report(code, n, c.written(mark))
}
