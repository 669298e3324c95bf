package pyflakes

import (
	"hash/maphash"
	"math/bits"

	"codelinter/ast"
)

// none stands for no slot, binding, record and so on.
const none = -1

type (
	scopeID   int32
	slotID    int32 // a name in a scope
	bindingID int32
	recordID  int32
)

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	doctestScope
	classScope
	functionScope
	comprehensionScope // all comprehensions but generators
	generatorScope
	typeScope // between a definition and its surroundings, for type parameters
)

// isOpaque reports whether the names of a class around the scope cannot be seen
// in it.
func (k scopeKind) isOpaque() bool { return k < comprehensionScope }

// ofComprehension reports whether the scope is a comprehension's or a generator's.
func (k scopeKind) ofComprehension() bool { return k == comprehensionScope || k == generatorScope }

// ofModule reports whether the scope is a module's or a doctest's.
func (k scopeKind) ofModule() bool { return k <= doctestScope }

// A scope holds bindings by name. Scope 0 is the module's.
type scope struct {
	kind    scopeKind
	parent  scopeID
	depth   int32   // of the module's: 0
	jump    scopeID // an outer scope, by which isWithin skips some below flat
	names   uint64  // a bit for each name that has a slot, see nameID.bit
	opaque  scopeID // the innermost one, from this on, that is not transparent
	class   scopeID // the innermost class, from this on, or none
	inner   bool    // there are scopes in it
	delayed bool    // it, or one around it, is run later, if at all: a function's or a generator's

	futures bool // imports from __future__ may still come
	locals  bool // a function that calls locals()
	starred bool // a module with from spam import *

	unhidden uint8 // which of the names from nameHide on were deleted: one bit each

	// Which rules have work when the scope is left.
	variables, annotations, imports bool

	first, last slotID // its names in the order they were bound, by slot.next
	firstGlobal int32  // its global names, by global.next
	lastGlobal  int32
	stars       int32     // the modules of its star imports, one of Checker.stars; or none
	starsUsed   bindingID // star imports before this one are used, since a name was looked up in them
	starUse     use       // the place of that lookup
	global      scopeID   // the scope of global statements: the module or the doctest
}

// A slot is a place for a name in a scope, kept when the name is deleted.
type slot struct {
	name       nameID
	scope      scopeID
	binding    bindingID // none while the name is unbound
	sibling    slotID    // the last slot of the same name before this one
	next, prev slotID
	global     int32 // its entry in the scope's global names, or none
}

// A global is a name from a global or nonlocal statement that its scope has not
// assigned yet.
type global struct {
	name       nameID
	slot       slotID
	statement  recordID
	next, prev int32
}

// A scopeName is a name in a scope.
type scopeName struct {
	scope scopeID
	name  nameID
}

// A seededHash hashes numbers, differently in each process, so that nobody can choose
// numbers that collide.
type seededHash struct{ add, multiply uint64 }

func newSeededHash() seededHash {
	seed := maphash.MakeSeed()
	return seededHash{maphash.String(seed, "add"), maphash.String(seed, "multiply") | 1}
}

// pair hashes two numbers.
func (s *seededHash) pair(a, b uint64) uint64 {
	high, low := bits.Mul64(a^s.add, b^s.multiply)
	return high ^ low
}

// find returns where the scope holds the name, bound or not, or none.
func (c *Checker) find(s scopeID, id nameID) slotID {
	if s > 0 && c.scopes[s].names&id.bit() == 0 {
		return none
	}
	info := &c.names.list[id]
	switch s {
	case 0:
		if info.module == none && info.builtin {
			c.bindBuiltin(id)
		}
		return info.module
	case info.lastScope:
		return info.lastSlot
	}
	at := c.names.more[id].slots
	for range latestSlots {
		if at == none {
			return none
		}
		slot := &c.slots[at]
		if slot.scope == s {
			info.lastScope, info.lastSlot = s, at
			return at
		}
		at = slot.sibling
	}
	return c.findEntered(s, id)
}

// latestSlots is the number of a name's slots that are searched before the map.
const latestSlots = 4

// findEntered is find by Checker.entered. It first enters the name's slots that are not
// there. Each slot is entered at most once.
func (c *Checker) findEntered(s scopeID, id nameID) slotID {
	more := &c.names.more[id]
	for at := more.slots; at != more.entered; at = c.slots[at].sibling {
		c.entered[scopeName{c.slots[at].scope, id}] = at
	}
	more.entered = more.slots
	at, found := c.entered[scopeName{s, id}]
	if !found {
		return none
	}
	info := &c.names.list[id]
	info.lastScope, info.lastSlot = s, at
	return at
}

// flat is down to which depth of scopes names are looked for scope by scope.
// Programs are flat; but 2,900 lambdas within each other are Python as well.
const flat = 16

// Up to fewSlots slots of a name are searched one by one.
const fewSlots = 8

// A visibleSlot says where a name is found from a scope on outwards.
type visibleSlot struct {
	version uint32 // of the name: no scope with scopes in it has changed since
	slot    slotID
}

// visible returns the slot that has the name bound in the scope or the nearest
// one around it, classes or not; none if there is no such slot.
func (c *Checker) visible(s scopeID, id nameID) slotID {
	switch {
	case !c.names.list[id].inner:
		return c.boundInModule(id)
	case c.scopes[s].depth <= flat:
		return c.nearest(s, id)
	case c.names.more[id].count <= fewSlots:
		found := slotID(none)
		for at := c.names.more[id].slots; at != none; at = c.slots[at].sibling {
			slot := &c.slots[at]
			if slot.binding != none && (found == none || slot.scope > c.slots[found].scope) && c.isWithin(s, slot.scope) {
				found = at
			}
		}
		if found == none {
			found = c.boundInModule(id)
		}
		return found
	}
	if at := c.boundIn(s, id); at != none {
		return at
	}
	s = c.scopes[s].parent // has scopes in it
	key, version := scopeName{s, id}, c.names.more[id].version
	known, found := c.visibles[key]
	if !found || known.version != version {
		known = visibleSlot{version, c.nearest(s, id)}
		c.visibles[key] = known
	}
	return known.slot
}

// nearest is visible without shortcuts.
func (c *Checker) nearest(s scopeID, id nameID) slotID {
	bit := id.bit()
	for s > 0 {
		scope := &c.scopes[s]
		if scope.names&bit != 0 {
			if at := c.boundIn(s, id); at != none {
				return at
			}
		}
		s = scope.parent
	}
	return c.boundInModule(id)
}

// boundInModule returns where the module has the name bound, or none.
func (c *Checker) boundInModule(id nameID) slotID {
	info := &c.names.list[id]
	if info.module == none && info.builtin {
		c.bindBuiltin(id)
	}
	if at := info.module; at != none && c.slots[at].binding != none {
		return at
	}
	return none
}

// boundIn returns where the scope has the name bound, or none.
func (c *Checker) boundIn(s scopeID, id nameID) slotID {
	if at := c.find(s, id); at != none && c.slots[at].binding != none {
		return at
	}
	return none
}

func (c *Checker) isWithin(s, outer scopeID) bool {
	depth := c.scopes[outer].depth
	for c.scopes[s].depth > depth {
		if jump := c.scopes[s].jump; c.scopes[jump].depth >= depth {
			s = jump
		} else {
			s = c.scopes[s].parent
		}
	}
	return s == outer
}

// lookup returns what the scope binds the name to, or none.
func (c *Checker) lookup(s scopeID, id nameID) bindingID {
	if at := c.find(s, id); at != none {
		return c.slots[at].binding
	}
	return none
}

func (c *Checker) set(s scopeID, id nameID, b bindingID) {
	c.noteKind(s, c.bindings[b].kind)
	c.fill(s, c.find(s, id), id, b)
}

// fill binds the name in the scope, which has it in the slot.
func (c *Checker) fill(s scopeID, at slotID, id nameID, b bindingID) {
	if at == none {
		c.addSlot(s, id, b)
		return
	}
	if c.slots[at].binding == none {
		c.link(s, at)
	}
	c.slots[at].binding = b
}

// noteKind notes which rules will have work when the scope is left.
func (c *Checker) noteKind(s scopeID, kind bindingKind) {
	scope := &c.scopes[s]
	switch {
	case kind.isImport():
		scope.imports = true
	case kind.isAssignment():
		scope.variables = true
	case kind == annotation:
		scope.annotations = true
	}
}

// addSlot makes a slot for a name that the scope has none for, the scope's last one
// and bound to b.
func (c *Checker) addSlot(s scopeID, id nameID, b bindingID) {
	at := slotID(len(c.slots))
	scope, info := &c.scopes[s], &c.names.list[id]
	sibling := slotID(none)
	if s == 0 {
		info.module = at
	} else {
		scope.names |= id.bit()
		info.inner, info.lastScope, info.lastSlot = true, s, at
		more := &c.names.more[id]
		sibling, more.slots = more.slots, at
		more.count++
	}
	c.slots = append(c.slots, slot{
		name: id, scope: s, binding: b, sibling: sibling, next: none, prev: none, global: none,
	})
	c.link(s, at)
}

// link makes the slot the scope's last bound one.
func (c *Checker) link(s scopeID, at slotID) {
	scope, slot := &c.scopes[s], &c.slots[at]
	if scope.inner {
		c.names.more[slot.name].version++
	}
	slot.prev, slot.next = scope.last, none
	if scope.last == none {
		scope.first = at
	} else {
		c.slots[scope.last].next = at
	}
	scope.last = at
}

// unset unbinds the name of a bound slot.
func (c *Checker) unset(s scopeID, at slotID) {
	scope, slot := &c.scopes[s], &c.slots[at]
	slot.binding = none
	if scope.inner {
		c.names.more[slot.name].version++
	}
	if slot.prev == none {
		scope.first = slot.next
	} else {
		c.slots[slot.prev].next = slot.next
	}
	if slot.next == none {
		scope.last = slot.prev
	} else {
		c.slots[slot.next].prev = slot.prev
	}
	slot.prev, slot.next = none, none
}

// bindBuiltin binds a builtin in the module's scope, when its name is looked for
// the first time. In pyflakes all of them are there from the start, so it comes
// before all else.
func (c *Checker) bindBuiltin(id nameID) {
	at := slotID(len(c.slots))
	c.names.list[id].module = at
	b := c.newBinding(binding{kind: builtin, name: id, source: none})
	scope := &c.scopes[0]
	c.slots = append(c.slots, slot{
		name: id, scope: 0, binding: b, sibling: none, next: scope.first, prev: none, global: none,
	})
	if scope.first == none {
		scope.last = at
	} else {
		c.slots[scope.first].prev = at
	}
	scope.first = at
}

// enterScope makes a scope inside the current one, and the current one.
func (c *Checker) enterScope(kind scopeKind) {
	id := scopeID(len(c.scopes))
	c.scopes = append(c.scopes, scope{})
	inner := &c.scopes[id]
	inner.kind, inner.parent, inner.class, inner.futures = kind, c.scope, none, kind.ofModule()
	inner.first, inner.last, inner.firstGlobal, inner.lastGlobal, inner.stars = none, none, none, none, none
	if c.scope != none {
		outer := &c.scopes[c.scope]
		outer.inner = true
		inner.global = outer.global
		inner.depth = outer.depth + 1
		inner.opaque, inner.class = outer.opaque, outer.class
		inner.delayed = outer.delayed || kind == functionScope || kind == generatorScope
		// If two jumps from the outer scope have the same length, this jump is as long as both. So
		// from every scope there are long jumps.
		inner.jump = c.scope
		if outer.depth >= flat {
			jump := &c.scopes[outer.jump]
			if outer.depth-jump.depth == jump.depth-c.scopes[jump.jump].depth {
				inner.jump = jump.jump
			}
		}
	}
	if kind == doctestScope {
		inner.global = id
	}
	if kind.isOpaque() {
		inner.opaque = id
	}
	if kind == classScope {
		inner.class = id
	}
	c.scope = id
}

// leaveScope returns to the scope around the current one, whose time to be
// judged comes at the end.
func (c *Checker) leaveScope() {
	c.dead = append(c.dead, c.scope)
	c.scope = c.scopes[c.scope].parent
}

// addGlobal notes that the current scope declares the slot's name global.
func (c *Checker) addGlobal(at slotID, statement recordID) {
	if g := c.slots[at].global; g != none {
		c.globals[g].statement = statement
		return
	}
	scope := &c.scopes[c.scope]
	g := int32(len(c.globals))
	c.globals = append(c.globals, global{c.slots[at].name, at, statement, none, scope.lastGlobal})
	if scope.lastGlobal == none {
		scope.firstGlobal = g
	} else {
		c.globals[scope.lastGlobal].next = g
	}
	scope.lastGlobal = g
	c.slots[at].global = g
}

// dropGlobal forgets that the scope, a function's or a class's, has yet to
// assign the slot's name.
func (c *Checker) dropGlobal(s scopeID, at slotID) {
	g := c.slots[at].global
	if g == none {
		return
	}
	c.slots[at].global = none
	scope, dropped := &c.scopes[s], c.globals[g]
	if dropped.prev == none {
		scope.firstGlobal = dropped.next
	} else {
		c.globals[dropped.prev].next = dropped.next
	}
	if dropped.next == none {
		scope.lastGlobal = dropped.prev
	} else {
		c.globals[dropped.next].prev = dropped.prev
	}
}

// A frame is a node whose children are being visited. Go makes a struct of up to four fields in
// registers: with a fifth a lint takes 0.3 % more instructions.
type frame struct {
	node   any      // an ast.Node, see push
	record recordID // none until someone asks
	branch int32    // which of its alternatives the visited child belongs to, see differ
	kind   ast.Kind // of node
}

// A record is a saved frame: the node of a binding, or a node around it. Depth counts from the
// module, and starts anew in all deferred code, such as the bodies of functions. pyflakes's depths
// do the same, and its common ancestors depend on them.
type record struct {
	node   any // an ast.Node
	parent recordID
	around recordID // the first node around that is no expression, or of depth 1; or none
	depth  int32
	branch int32 // of the parent
	unit   unitID
	kind   ast.Kind // of node
}

// push makes n, a node of the kind, the current node. Callers know the type of n, so its kind is
// not looked up. A statement is any node without a conversion. As an ast.Node it needs another
// method table, which Go looks up at run time: that takes 1 % of a lint's instructions.
func (c *Checker) push(n any, kind ast.Kind) {
	c.stack = append(c.stack, frame{node: n, record: none, kind: kind})
}

func (c *Checker) pop() { c.stack = c.stack[:len(c.stack)-1] }

// top returns the current node's frame.
func (c *Checker) top() *frame { return &c.stack[len(c.stack)-1] }

// rootless is the branch of a node's children that pyflakes finds nothing around.
const rootless = -1

// inBranch says which of the current node's alternatives comes next.
func (c *Checker) inBranch(branch int32) { c.top().branch = branch }

// record returns the record of the frame at index i of the stack. Two variants took the same time:
// omitting the expressions between, and filling records in place.
func (c *Checker) record(i int) recordID {
	known := i
	for c.stack[known].record == none {
		known--
	}
	above := &c.stack[known]
	for known++; known <= i; known++ {
		around := above.record
		if above.branch == rootless {
			around = none
		} else if known > 2 && isExpression(above.kind) {
			around = c.records[around].around
		}
		at := &c.stack[known]
		at.record = recordID(len(c.records))
		c.records = append(c.records, record{
			node: at.node, parent: above.record, around: around,
			depth: int32(known), branch: above.branch, unit: c.unit, kind: at.kind,
		})
		above = at
	}
	return above.record
}

func isExpression(kind ast.Kind) bool {
	return ast.KindBoolOp <= kind && kind <= ast.KindSlice
}

// current returns the record of the node that is being visited.
func (c *Checker) current() recordID { return c.record(len(c.stack) - 1) }

// transparent reports whether a node of the kind is skipped where pyflakes looks for
// the statement that a name belongs to: whatever has elements or a context.
func transparent(kind ast.Kind) bool {
	switch kind {
	case ast.KindTuple, ast.KindList, ast.KindSet, ast.KindStarred,
		ast.KindAttribute, ast.KindSubscript, ast.KindName:
		return true
	}
	return false
}

// ownerFrom returns the innermost frame, from index i of the stack outwards, whose node is not
// transparent. It returns the frame at index 0 if there is none.
func (c *Checker) ownerFrom(i int) *frame {
	for i > 0 && transparent(c.stack[i].kind) {
		i--
	}
	return &c.stack[i]
}

// inFor reports whether the innermost node around the record that is not transparent is a for
// statement.
func (c *Checker) inFor(r recordID) bool {
	for {
		r = c.records[r].parent
		if r == none {
			return false
		}
		if kind := c.records[r].kind; !transparent(kind) {
			return kind == ast.KindFor || kind == ast.KindAsyncFor
		}
	}
}

// differ reports whether two nodes stand in different alternatives of one if, try
// or match, so that only one of them may happen:
//
//	try:
//	    import json
//	except ImportError:
//	    import simplejson as json
//
// The alternatives of a try are its body with its else, and each handler. A finally is not an
// alternative. Neither is the else of an if, but it differs from the body.
func (c *Checker) differ(left, right recordID) bool {
	ancestor := c.commonAncestor(left, right)
	if ancestor == none {
		return false
	}
	switch c.records[ancestor].kind {
	case ast.KindIf, ast.KindTry, ast.KindMatch:
		return c.branchOf(left, ancestor) != c.branchOf(right, ancestor)
	}
	return false
}

// commonAncestor returns the record of the node around both, below the module.
// Expressions are skipped: they are not alternatives of each other, and can
// be a million deep.
func (c *Checker) commonAncestor(left, right recordID) recordID {
	for {
		if left <= rootRecord || right <= rootRecord {
			return none
		}
		if left == right {
			return left
		}
		l, r := &c.records[left], &c.records[right]
		if l.around == none || r.around == none {
			return none // the module of a doctest, or what is rootless
		}
		if l.depth >= r.depth {
			left = l.around
		}
		if r.depth >= l.depth {
			right = r.around
		}
	}
}

// branchOf returns the number of the ancestor's alternative that has the node, or 0. Alternatives
// are statements one level below the ancestor. Nodes in a function within them have other depths
// and are not found.
func (c *Checker) branchOf(r, ancestor recordID) int32 {
	depth := c.records[ancestor].depth + 1
	for r != ancestor && r != none {
		at := &c.records[r]
		if at.depth <= depth {
			if at.depth == depth && at.parent == ancestor {
				return at.branch
			}
			return 0
		}
		r = at.around
	}
	return 0
}
