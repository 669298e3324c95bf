package pyflakes

import (
	"codelinter/ast"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
	"strconv"
)

// A bindingKind is the kind of statement that bound a name. Definitions come first: they
// are lost if they are redefined before they are used.
type bindingKind uint8

const (
	builtin            bindingKind = iota
	functionDefinition             // def spam(): ...
	classDefinition                // class Spam: ...
	moduleImport                   // import spam, import spam.eggs as spam
	submoduleImport                // import spam.eggs, which binds spam
	nameImport                     // from spam import eggs
	futureImport                   // from __future__ import annotations
	starImport                     // from spam import *, under the name spam.*
	assignment                     // spam = 1
	namedExpression                // (spam := 1)
	export                         // __all__ = [...]
	annotation                     // spam: int
	argument                       // def eggs(spam): ...
	plain                          // for spam in eggs: ..., spam, eggs = ham
)

func (k bindingKind) isImport() bool     { return moduleImport <= k && k <= starImport }
func (k bindingKind) isDefinition() bool { return k <= starImport }
func (k bindingKind) isAssignment() bool { return k == assignment || k == namedExpression }

// A binding is a value that a name was given.
type binding struct {
	kind   bindingKind
	name   nameID
	source recordID // the node that pyflakes says it comes from
	extra  int32    // of an import, its number; of an export, that of its names
	use
}

// A use is where a binding was last used.
type use struct {
	scope scopeID // none for a binding that was never used
	unit  unitID
	start int32
}

var unused = use{scope: none}

func (u *use) used() bool { return u.scope != none }

// newBinding keeps b, unused.
func (c *Checker) newBinding(b binding) bindingID {
	b.use = unused
	id := bindingID(len(c.bindings))
	c.bindings = append(c.bindings, b)
	return id
}

// useAt returns the use of a name at start, in the current scope.
func (c *Checker) useAt(start int32) use { return use{c.scope, c.unit, start} }

// bind gives a name a value in the current scope, and reports an unused binding that is lost by
// that. The current node makes the binding; value.source is mostly the same node.
func (c *Checker) bind(value binding) {
	if value.kind != futureImport {
		value.use = unused
	}
	// Of the bindings in other scopes only those of imports matter below. Without info.imported a
	// lint takes 1 % more instructions: self is a parameter of many functions.
	own := c.find(c.scope, value.name)
	at := own
	if info := &c.names.list[value.name]; info.imported {
		at = c.visible(c.scope, value.name)
	} else {
		info.imported = value.kind.isImport()
		if own != none && c.slots[own].binding == none {
			at = none
		}
	}
	if at != none {
		c.settleStar(c.slots[at].scope, c.slots[at].binding)
		c.checkRebinding(&value, at)
	}
	if at != none && c.slots[at].scope == c.scope {
		// A name that is bound again counts as used if it was before: this may
		// be a loop.
		value.use = c.bindings[c.slots[at].binding].use
		if value.kind == annotation {
			return // spam: int does not unbind spam
		}
	}
	target := c.scope
	if value.kind == namedExpression {
		// A := in a comprehension binds outside of it.
		for c.scopes[target].kind.ofComprehension() {
			target = c.scopes[target].parent
		}
		if old := c.lookup(target, value.name); old != none && c.bindings[old].kind != annotation {
			return
		}
		own = c.find(target, value.name)
	}
	id := bindingID(len(c.bindings))
	c.bindings = append(c.bindings, value)
	c.noteKind(target, value.kind)
	c.fill(target, own, value.name, id)
}

// checkRebinding looks at the name's previous binding.
func (c *Checker) checkRebinding(value *binding, at slotID) {
	holder := c.slots[at].scope
	existing := &c.bindings[c.slots[at].binding]
	if existing.kind == builtin {
		return
	}
	here := holder == c.scope
	redefined := !existing.used() && c.redefines(value, existing)
	inherits := existing.kind.isImport()
	if !inherits && !(here && (redefined || c.slots[at].global != none)) {
		return
	}
	node := c.current()
	if c.differ(node, existing.source) {
		return
	}
	switch {
	case inherits && c.inFor(value.source):
		c.reportFrom(rule.F402, node, value.name, existing.source)
	case here:
		if redefined && (value.name != nameUnderscore || inherits) && !c.isOverload(existing) {
			c.reportFrom(rule.F811, node, value.name, existing.source)
		}
		c.dropGlobal(holder, at)
	case inherits && c.redefines(value, existing):
		i := &c.imports[existing.extra]
		c.redefinitions = append(c.redefinitions, redefinition{node, none})
		last := int32(len(c.redefinitions)) - 1
		if i.firstRedefined == none {
			i.firstRedefined = last
		} else {
			c.redefinitions[i.lastRedefined].next = last
		}
		i.lastRedefined = last
	}
}

// redefines reports whether value takes the place of a definition of old.
func (c *Checker) redefines(value, old *binding) bool {
	switch {
	case value.kind == annotation:
		return false
	case value.kind == functionDefinition || value.kind == classDefinition:
		return old.kind.isDefinition() || old.kind.isAssignment()
	case value.kind == submoduleImport && old.kind.isImport(),
		value.kind.isImport() && old.kind == submoduleImport:
		return c.sameModule(value.extra, old.extra)
	}
	return old.kind.isDefinition()
}

// isOverload reports whether the binding is a function with typing's decorator
// overload, which may be defined again.
func (c *Checker) isOverload(b *binding) bool {
	if !c.typing || b.kind != functionDefinition {
		return false
	}
	for _, d := range ast.Decorators(c.records[b.source].node.(ast.Node)) {
		if c.typingName(d) == "overload" {
			return true
		}
	}
	return false
}

// A redefinition is a node that binds the name of an import in an inner scope.
type redefinition struct {
	node recordID
	next int32
}

// load handles a name that is read at start. Findings are reported as if the name stood in the
// given unit.
func (c *Checker) load(id nameID, start int32, shown unitID) {
	info := &c.names.list[id]
	at := info.lastSlot
	if !info.inner {
		// Nothing but the module has it. This is most names of a file.
		if at = info.module; at == none && info.builtin {
			at = c.boundInModule(id)
		}
	} else if info.lastScope != c.scope {
		// And of the others most are the current scope's own.
		at = none
	}
	if at != none && c.slots[at].binding != none && id != nameClass {
		b := &c.bindings[c.slots[at].binding]
		switch {
		case b.kind == moduleImport || b.kind == annotation || id == namePrint || info.lazy:
			if c.useSlot(info, at, start, shown) {
				return
			}
		default: // as useSlot does
			b.use = c.useAt(start)
			c.noteUser(info, at)
			return
		}
	}
	c.loadFrom(id, start, shown)
}

// loadFrom is load without the shortcuts.
//
// Names are searched from the current scope outwards. A class's names are visible in the
// class itself, in its comprehensions and in its type parameters' scopes, but not in
// functions. An annotation without a value defines nothing, except for other annotations.
func (c *Checker) loadFrom(id nameID, start int32, shown unitID) {
	if id == nameClass && c.inClass(start) {
		return
	}
	outermost := c.scopes[c.scope].global
	starred := [2]bool{c.scopes[0].starred, c.scopes[outermost].starred}
	opaque := c.scopes[c.scope].opaque
	for s := c.scope; s != none; {
		at := c.visible(s, id)
		if at == none {
			break
		}
		holder := c.slots[at].scope
		s = c.scopes[holder].parent
		if c.scopes[holder].kind == classScope && opaque > holder {
			continue
		}
		if c.useSlot(&c.names.list[id], at, start, shown) {
			return
		}
		// An annotation hides its scope from the rules above.
		if opaque == holder && s != none {
			opaque = c.scopes[s].opaque
		}
		starred[0] = starred[0] && holder != 0
		starred[1] = starred[1] && holder != outermost
	}

	if starred[0] || starred[1] {
		c.useStars(id, start, shown)
		return
	}
	if id == namePath && c.inPackage() {
		return
	}
	if c.scopes[c.scope].kind == classScope && c.isClassMagic(id) {
		return
	}
	if !c.nameErrorCaught {
		c.reportUndefined(id, start, shown)
	}
}

// inClass reports whether the name __class__ is read within a class, and not
// bound between here and there.
func (c *Checker) inClass(start int32) bool {
	for s := c.scope; s != none; {
		class := c.scopes[s].class
		if class == none {
			return false
		}
		at := c.visible(s, nameClass)
		if at == none || c.slots[at].scope <= class {
			return true
		}
		holder := c.slots[at].scope
		if c.useSlot(&c.names.list[nameClass], at, start, c.unit) {
			return false
		}
		s = c.scopes[holder].parent
	}
	return false
}

// useSlot marks the bound slot as used. It reports whether its binding is the one that
// the name, info, refers to.
func (c *Checker) useSlot(info *name, at slotID, start int32, shown unitID) bool {
	slot := &c.slots[at]
	b := &c.bindings[slot.binding]
	b.use = c.useAt(start)
	c.noteUser(info, at)
	if info.lazy {
		c.checkEager(b, start, shown)
	}
	switch b.kind {
	case annotation:
		return c.postponed()
	case moduleImport:
		// import spam.eggs next to import spam as eggs: the one uses the other.
		if original := c.imports[b.extra].original; original != none {
			if at := c.boundIn(slot.scope, original); at != none {
				c.bindings[c.slots[at].binding].use = c.useAt(start)
				c.noteUser(&c.names.list[original], at)
			}
		}
	case builtin:
		if b.name == namePrint {
			c.checkPrintShift(start, shown)
		}
	}
	return true
}

// checkEager reports a read of a lazy import that happens while its module is imported.
func (c *Checker) checkEager(b *binding, start int32, shown unitID) {
	if !b.kind.isImport() || !c.imports[b.extra].lazy || c.deferred || c.scopes[c.scope].delayed {
		return
	}
	c.reportAt(rule.F851, shown, c.nameAt(shown, start), rule.Values{Text: c.quoted(b.name), A: c.rowOf(b.source)})
}

// noteUser keeps in mind, for checkLocal, where the current scope found a name.
func (c *Checker) noteUser(info *name, at slotID) {
	switch {
	case info.user < c.scope:
		info.user, info.used = c.scope, at
	case info.used != at || info.user > c.scope:
		info.used = none
	}
}

// checkPrintShift reports print >> file.
func (c *Checker) checkPrintShift(start int32, shown unitID) {
	if n, is := c.ownerFrom(len(c.stack) - 1).node.(*ast.BinOp); is && n.Op == ast.RShift {
		c.reportAt(rule.F633, shown, c.nameAt(shown, start), rule.Values{})
	}
}

// isClassMagic reports whether Python defines the name within a class.
func (c *Checker) isClassMagic(id nameID) bool {
	return id == nameModule || id == nameQualname || id == nameFirstLine && c.features.FirstLineNumbers
}

// store handles a name that the current node binds.
func (c *Checker) store(id nameID) {
	c.checkLocal(id)
	value := binding{kind: assignment, name: id, source: c.current()}
	parent := &c.stack[len(c.stack)-2]
	owner := c.ownerFrom(len(c.stack) - 2)
	switch owner.kind {
	case ast.KindAnnAssign:
		if owner.node.(*ast.AnnAssign).Value == nil {
			value.kind = annotation
		}
	case ast.KindFor, ast.KindAsyncFor, ast.KindComprehension:
		value.kind = plain
	case ast.KindNamedExpr:
		value.kind = namedExpression
	}
	if value.kind != annotation && value.kind != plain {
		if parent != owner && !isLiteralUnpacking(owner.node) {
			value.kind = plain
		} else if id == nameAll && c.scopes[c.scope].kind.ofModule() {
			switch parent.kind {
			case ast.KindAssign, ast.KindAugAssign, ast.KindAnnAssign:
				value.kind = export
				value.source = parent.record // as that of the node in it is known
				value.extra = c.addExport(parent.node)
			}
		}
	}
	c.bind(value)
}

// checkLocal reports a name of a function that was read before its first binding there, when it
// still meant a name of an outer scope.
func (c *Checker) checkLocal(id nameID) {
	if c.scopes[c.scope].kind != functionScope || c.names.list[id].user < c.scope || c.lookup(c.scope, id) != none {
		return
	}
	found := bindingID(none)
	s := c.scopes[c.scope].parent
	if info := &c.names.list[id]; info.user == c.scope && info.used != none && c.isUsedLocal(info.used) {
		found, s = c.slots[info.used].binding, none
	}
	for s != none {
		at := c.visible(s, id)
		if at == none {
			break
		}
		if c.isUsedLocal(at) {
			found = c.slots[at].binding // the outermost counts
		}
		s = c.scopes[c.slots[at].scope].parent
	}
	if found == none || c.release.GlobalHooks && c.isHidden(c.scope, id) || !c.enabled.Has(rule.F823) {
		return
	}
	b := &c.bindings[found]
	mark := c.mark()
	c.arena = pytext.AppendRepr(c.arena, c.names.list[id].text, characters.Of(c.features.Version))
	if b.source == none {
		c.add(" defined as a builtin")
	} else {
		c.add(" defined in enclosing scope on line ")
		c.arena = strconv.AppendInt(c.arena, int64(c.rowOf(b.source)), 10)
	}
	c.reportAt(rule.F823, b.unit, c.nameAt(b.unit, b.start), rule.Values{Text: c.written(mark)})
}

// isUsedLocal reports whether the current scope has read the slot's binding. The slot is of a
// function or module around the scope.
func (c *Checker) isUsedLocal(at slotID) bool {
	slot := &c.slots[at]
	kind := c.scopes[slot.scope].kind
	return (kind == functionScope || kind.ofModule()) && slot.binding != none && c.bindings[slot.binding].scope == c.scope
}

// isHidden reports whether the name is one of those that a function may set for
// others to find, such as __tracebackhide__.
func (c *Checker) isHidden(s scopeID, id nameID) bool {
	return nameHide <= id && id <= nameDebuggerSkip && c.scopes[s].unhidden&(1<<(id-nameHide)) == 0
}

// isLiteralUnpacking reports whether the node is an assignment with elements on
// all sides: spam, eggs = 1, 2.
func isLiteralUnpacking(n any) bool {
	assign, is := n.(*ast.Assign)
	if !is {
		return false
	}
	for _, target := range assign.Targets {
		if !hasElements(target) {
			return false
		}
	}
	return hasElements(assign.Value)
}

func hasElements(n ast.Expr) bool {
	switch n.Kind() {
	case ast.KindTuple, ast.KindList, ast.KindSet:
		return true
	}
	return false
}

// delete handles a name in a del statement.
func (c *Checker) delete(id nameID, start int32) {
	if c.conditional {
		return // it may not happen
	}
	s := c.scope
	at := c.find(s, id)
	kind := c.scopes[s].kind
	if at != none && (kind == functionScope || kind == classScope) {
		c.dropGlobal(s, at)
	}
	switch {
	case c.release.GlobalHooks && kind == functionScope && c.isHidden(s, id):
		c.scopes[s].unhidden |= 1 << (id - nameHide)
	case at != none && c.slots[at].binding != none:
		c.unset(s, at)
	default:
		c.reportUndefined(id, start, c.unit)
	}
}
