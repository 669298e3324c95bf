package pyflakes

import (
	"path/filepath"
	"slices"

	"codelinter/ast"
	"codelinter/rule"
)

// An exported is the list of names that an assignment gives to __all__:
// c.exportNames[from:to] after those of previous.
type exported struct {
	previous int32 // the list that += extends, or none
	from, to int32
}

// addExport reads the names that an assignment gives to __all__, if they are in lists and tuples:
//
//	__all__ = ['spam'] + ['eggs']
//	__all__ += ('ham',)
func (c *Checker) addExport(n any) int32 {
	e := exported{previous: none, from: int32(len(c.exportNames))}
	var value ast.Expr
	switch n := n.(type) {
	case *ast.Assign:
		value = n.Value
	case *ast.AnnAssign:
		value = n.Value
	case *ast.AugAssign:
		value = n.Value
		if b := c.lookup(c.scope, nameAll); b != none && c.bindings[b].kind == export {
			e.previous = c.bindings[b].extra
		}
	}
	if names, is := elements(value); is {
		c.addExportNames(names)
	}
	for {
		sum, is := value.(*ast.BinOp)
		if !is {
			break
		}
		names, is := elements(sum.Right)
		if !is {
			break
		}
		c.addExportNames(names)
		value = sum.Left
		if names, is := elements(value); is {
			c.addExportNames(names)
		}
	}
	e.to = int32(len(c.exportNames))
	c.exports = append(c.exports, e)
	return int32(len(c.exports)) - 1
}

func (c *Checker) addExportNames(list []ast.Expr) {
	for _, n := range list {
		if constant, is := n.(*ast.Constant); is && constant.Type == ast.Str {
			c.exportNames = append(c.exportNames, c.names.intern(constant.Text))
		}
	}
}

// allExports appends the names of the export and of the list that it extends.
func (c *Checker) allExports(names []nameID, e int32) []nameID {
	chain := c.exportChain[:0]
	for ; e != none; e = c.exports[e].previous {
		chain = append(chain, e)
	}
	for _, e := range slices.Backward(chain) {
		names = append(names, c.exportNames[c.exports[e].from:c.exports[e].to]...)
	}
	c.exportChain = chain
	return names
}

// inPackage reports whether the file is a package's __init__.py.
func (c *Checker) inPackage() bool { return filepath.Base(c.options.Filename) == "__init__.py" }

// useStars handles a name that only a star import can have defined: one of the
// module's or, in a doctest, one of that. No other scope has any.
func (c *Checker) useStars(id nameID, start int32, shown unitID) {
	global := c.scopes[c.scope].global
	c.foundStars(0, c.useAt(start))
	c.foundStars(global, c.useAt(start))
	c.reportStar(shown, c.nameAt(shown, start), id, global, true)
}

// foundStars marks the scope's star imports as used. A name that may come from
// one of them uses all, so the scope keeps how many are marked.
func (c *Checker) foundStars(s scopeID, by use) {
	c.scopes[s].starsUsed, c.scopes[s].starUse = bindingID(len(c.bindings)), by
}

// starsOf returns the modules of the scope's star imports, or nil.
func (c *Checker) starsOf(s scopeID) *starModules {
	if at := c.scopes[s].stars; at != none {
		return c.stars.values[at]
	}
	return nil
}

// settleStar sees that the use of a star import in the scope shows in its
// binding.
func (c *Checker) settleStar(s scopeID, id bindingID) {
	if scope := &c.scopes[s]; c.bindings[id].kind == starImport && id < scope.starsUsed {
		c.bindings[id].use = scope.starUse
	}
}

// reportStar reports a name that the star imports of a scope, which is the
// module's or a doctest's, may define, and those around a doctest if asked for.
func (c *Checker) reportStar(u unitID, about ast.Range, id nameID, s scopeID, around bool) {
	values := rule.Values{Text: c.quoted(id)}
	module, own := c.starsOf(0), c.starsOf(s)
	around = around && s != 0 && module != nil
	switch {
	case own == nil:
		own, around = module, false
	case around:
		own.around = module
		values.B = int32(len(module.modules))
	}
	values.Shared, values.A = own, int32(len(own.modules))
	c.reportAt(rule.F405, u, about, values)
}

// judgeScopes reports names that were never used, and exports that were never defined.
func (c *Checker) judgeScopes() {
	for _, s := range c.dead {
		scope := &c.scopes[s]
		for g := scope.firstGlobal; g != none; g = c.globals[g].next {
			c.reportGlobal(&c.globals[g])
		}
		if scope.kind == classScope {
			continue // its names are attributes, which anyone may use
		}
		if scope.kind == functionScope {
			if scope.variables && !scope.locals {
				c.judgeVariables(s)
			}
			if scope.annotations {
				c.judgeAnnotations(s)
			}
		}
		exports := bindingID(none)
		if scope.kind.ofModule() {
			exports = c.judgeExports(s)
		}
		if scope.imports {
			c.judgeImports(s)
		}
		if exports != none {
			for _, id := range c.exportScratch {
				c.names.list[id].stamp = 0
			}
		}
	}
}

// reportGlobal reports a name that is declared global and never assigned.
func (c *Checker) reportGlobal(g *global) {
	keyword := "global "
	if c.records[g.statement].kind == ast.KindNonlocal {
		keyword = "nonlocal "
	}
	mark := c.mark()
	c.add(keyword, c.names.list[g.name].text)
	c.reportRecord(rule.F824, g.statement, rule.Values{Text: c.written(mark)})
}

// judgeVariables reports a function's variables that were assigned in vain.
func (c *Checker) judgeVariables(s scopeID) {
	for at := c.scopes[s].first; at != none; at = c.slots[at].next {
		b := &c.bindings[c.slots[at].binding]
		if b.kind.isAssignment() && !b.used() && b.name != nameUnderscore && !c.isHidden(s, b.name) {
			source := &c.records[b.source]
			c.reportName(rule.F841, source.unit, c.aboutRecord(source), b.name)
		}
	}
}

// judgeAnnotations reports a function's variables that were only annotated.
func (c *Checker) judgeAnnotations(s scopeID) {
	for at := c.scopes[s].first; at != none; at = c.slots[at].next {
		b := &c.bindings[c.slots[at].binding]
		if b.kind == annotation && !b.used() {
			source := &c.records[b.source]
			c.reportName(rule.F842, source.unit, c.aboutRecord(source), b.name)
		}
	}
}

// exportedStamp marks a name in __all__.
const exportedStamp = -1

// judgeExports reports names in __all__ that the module does not define, and
// marks all of them. It returns the binding of __all__, or none.
func (c *Checker) judgeExports(s scopeID) bindingID {
	id := c.lookup(s, nameAll)
	if id == none || c.bindings[id].kind != export {
		return none
	}
	all := &c.bindings[id]
	c.exportScratch = c.allExports(c.exportScratch[:0], all.extra)
	scope := &c.scopes[s]
	quiet := !scope.starred && c.inPackage()
	source := &c.records[all.source]
	about := c.aboutRecord(source)
	for _, id := range c.exportScratch {
		c.names.list[id].stamp = exportedStamp
		if quiet || c.lookup(s, id) != none {
			continue
		}
		if !scope.starred {
			c.reportName(rule.F822, source.unit, about, id)
			continue
		}
		c.foundStars(s, use{s, source.unit, about.Start})
		c.reportStar(source.unit, about, id, s, false)
	}
	return id
}

// judgeImports reports imports that no one used, and inner definitions that
// took their names.
func (c *Checker) judgeImports(s scopeID) {
	for at := c.scopes[s].first; at != none; at = c.slots[at].next {
		b := &c.bindings[c.slots[at].binding]
		if !b.kind.isImport() {
			continue
		}
		c.settleStar(s, c.slots[at].binding)
		used := b.used() || c.names.list[b.name].stamp == exportedStamp
		if used {
			continue
		}
		if c.enabled.Has(rule.F401) {
			c.reportUnused(b)
		}
		for r := c.imports[b.extra].firstRedefined; r != none; r = c.redefinitions[r].next {
			c.reportFrom(rule.F811, c.redefinitions[r].node, b.name, b.source)
		}
	}
}
