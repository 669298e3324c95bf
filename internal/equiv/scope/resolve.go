package scope

import "codelinter/ast"

// This file binds and resolves names, and finds what holds for a whole text.

func (r *Table) reset() {
	if r.IDs == nil {
		r.IDs = map[string]int32{}
		r.Bound = map[uint64]int32{}
		r.scopeOf = map[scopeKey]int32{}
	}
	if len(r.IDs) > keptNames {
		*r = Table{IDs: map[string]int32{}, Bound: map[uint64]int32{}, scopeOf: map[scopeKey]int32{}}
	}
	clear(r.IDs)
	clear(r.Bound)
	clear(r.scopeOf)
	clear(r.Imports)
	clear(r.Bindings)
	clear(r.Named)
	clear(r.nodes[:cap(r.nodes)])
	*r = Table{
		IDs: r.IDs, Bound: r.Bound, scopeOf: r.scopeOf,
		Names: r.Names[:0], Scopes: r.Scopes[:0], Symbols: r.Symbols[:0], Uses: r.Uses[:0],
		Stores: r.Stores[:0], Reads: r.Reads[:0], Imports: r.Imports[:0], Bindings: r.Bindings[:0], Named: r.Named[:0], nodes: r.nodes[:0], definite: r.definite[:0],
		Facts: Facts{QuotedCall: -1},
	}
}

// IsKeyword reports whether a call in the text may have a keyword argument of
// that name.
func (r *Table) IsKeyword(text string) bool {
	id, known := r.IDs[text]
	return r.Facts.spreads || known && r.Names[id].Keyword
}

// keptNames bounds the names of a text whose memory is kept.
const keptNames = 10_000

// Read reads a whole text. callers may also read its names and annotations.
func (r *Table) Read(module *ast.Module, callers *Callers) {
	r.reset()
	r.Class = callers.Class & (SeesNames | SeesModule | SeesLines | ReadsAnnotations | ReadsNames)
	r.Scopes = append(r.Scopes, Scope{Kind: ModuleScope, Parent: -1})
	r.Head = futureHead(module.Body)
	for i, statement := range module.Body {
		r.top, r.topStart = int32(i), statement.Bounds().Start
		r.next = nil
		r.walk(0, statement)
	}
	for i := range r.Uses {
		r.resolveUse(&r.Uses[i])
	}
	for i := range r.Named {
		n := &r.Named[i]
		if n.Symbol = r.Lookup(n.Scope, n.Read.ID); n.Symbol >= 0 && r.Symbols[n.Symbol].Scope == n.Scope {
			r.Symbols[n.Symbol].named++
		}
	}
	for i := range r.Symbols {
		if s := &r.Symbols[i]; s.Handlers > 0 && s.Loads > 0 {
			r.Facts.NamedHandler = true
		}
	}
	r.pinFallbacks()
}

// futureHead returns the number of first statements that are a docstring and
// imports from __future__. These may not stand elsewhere.
func futureHead(body []ast.Stmt) int {
	for i, statement := range body {
		switch s := statement.(type) {
		case *ast.ExprStmt:
			if c, is := s.Value.(*ast.Constant); is && c.Type == ast.Str && i == 0 {
				continue
			}
		case *ast.ImportFrom:
			if s.Module == "__future__" && s.Level == 0 {
				continue
			}
		}
		return i
	}
	return len(body)
}

// id returns the number of an identifier.
func (r *Table) id(text string, offset int32) int32 {
	if id, known := r.IDs[text]; known {
		return id
	}
	id := int32(len(r.Names))
	class := ClassOf(text)
	r.Names = append(r.Names, Name{Text: text, Class: class, First: offset, Builtin: -1, Sought: -1})
	r.IDs[text] = id
	if class&Builtin == 0 || IsDunder(text) { // open is the builtin only if nothing binds the name
		r.Class |= class
	}
	return id
}

// Seek records a lookup of an attribute in a value of unknown type.
func (r *Table) Seek(attribute, offset int32) {
	if n := &r.Names[attribute]; n.Sought < 0 {
		n.Sought = offset
	}
}

func key(scope, name int32) uint64 { return uint64(scope)<<32 | uint64(uint32(name)) }

// bind binds a name in a scope, or in the scope that a declaration names. It
// returns the symbol, or -1 if that is not known yet.
func (r *Table) bind(scope int32, text string, offset int32) int32 {
	id := r.id(text, offset)
	at, known := r.Bound[key(scope, id)]
	if known && at == elsewhere {
		r.Uses = append(r.Uses, Use{Name: id, Scope: scope, Top: r.top, Offset: offset, how: storeUse})
		return -1
	}
	if !known {
		at = r.symbol(scope, id)
	}
	if text[0] == '_' && len(text) > 1 && text[1] == '_' {
		r.Symbols[at].Pinned = true
	}
	s := &r.Symbols[at]
	s.Sure = s.Sure || s.Stores == 0 && s.First == r.top && scope == 0 && s.Scope == 0 && offset == r.topStart
	s.Stores++
	r.Bindings = append(r.Bindings, Binding{Symbol: at, Scope: scope, Offset: offset, Nested: r.nested > 0})
	return at
}

// bindTo is bind with what the name is bound to.
func (r *Table) bindTo(scope int32, text string, offset int32, value ast.Node) int32 {
	at := r.bind(scope, text, offset)
	if at >= 0 {
		r.Bindings[len(r.Bindings)-1].Value = value
	}
	return at
}

// symbol makes the symbol of a name in a scope.
func (r *Table) symbol(scope, id int32) int32 {
	at := int32(len(r.Symbols))
	r.Symbols = append(r.Symbols, Symbol{Name: id, Scope: scope, First: r.top})
	r.Names[id].Symbols++
	if r.Scopes[scope].Kind == ClassScope {
		r.Symbols[at].Pinned = true
		r.Names[id].Member = true
	}
	r.Bound[key(scope, id)] = at
	return at
}

func (r *Table) load(scope int32, text string, offset int32, how useKind) {
	id := r.id(text, offset)
	if r.isBare {
		how = bareUse
	}
	r.Uses = append(r.Uses, Use{Name: id, Scope: scope, Top: r.top, Offset: offset, sure: r.sureAt(scope, id, offset), how: how})
}

// sureAt returns [Use.sure] for a use at an offset.
func (r *Table) sureAt(scope, id, offset int32) int32 {
	for s := scope; s > 0; s = r.Scopes[s].Parent {
		if r.Scopes[s].Kind == ClassScope {
			continue
		}
		if at, known := r.Bound[key(s, id)]; known {
			switch {
			case at < 0:
			case r.Symbols[at].handling > 0:
				return -1 - at
			case r.Symbols[at].until > offset:
				return 1 + at
			}
			break
		}
	}
	return 0
}

// SurelyBound reports whether a variable is surely bound wherever it is read.
func (r *Table) SurelyBound(at int32) bool { return !r.Symbols[at].unsure && r.Symbols[at].Dels == 0 }

// Lookup returns the symbol of a name in a scope, or -1.
func (r *Table) Lookup(in int32, text string) int32 {
	id, known := r.IDs[text]
	if !known {
		return unbound
	}
	return r.Resolve(in, id)
}

// Resolve returns the symbol of a name in a scope, or -1.
func (r *Table) Resolve(scope, id int32) int32 {
	found := int32(unbound)
	s := scope
	for s >= 0 {
		if s == scope || r.Scopes[s].Kind != ClassScope {
			if at, known := r.Bound[key(s, id)]; known && at != elsewhere {
				found = at
				break
			}
		}
		s = r.Scopes[s].Parent
	}
	for t := scope; t != s && t >= 0; t = r.Scopes[t].Parent { // for the next lookup
		if r.Scopes[t].Kind != ClassScope || t == scope {
			r.Bound[key(t, id)] = found
		}
	}
	return found
}

func (r *Table) resolveUse(u *Use) {
	at := r.Resolve(u.Scope, u.Name)
	if u.how >= storeUse && (at < 0 || r.Scopes[r.Symbols[at].Scope].Kind != FunctionScope) {
		r.Facts.Broken = true // nonlocal without a binding in a function
		return
	}
	if at < 0 {
		n := &r.Names[u.Name]
		if u.how == annotationUse || u.how == annotationRootUse {
			return
		}
		if n.Builtin < 0 {
			n.Builtin = u.Offset
			r.Class |= n.Class
		}
		if n.Class&SeesNames != 0 {
			r.look(u)
		}
		return
	}
	s := &r.Symbols[at]
	s.Sure = s.Sure && u.Top >= s.First
	s.First = min(s.First, u.Top)
	isAnnotation := u.how == annotationUse || u.how == annotationRootUse
	if u.how <= bareUse && u.how != rootUse || u.how == annotationUse {
		s.Bare++
	}
	s.unsure = s.unsure || u.how <= bareUse && u.sure != -1-at && (u.sure != 1+at || s.Handlers > 0)
	switch {
	case u.how == storeUse:
		s.Stores++
		s.Rebound = true
	case u.how == deleteUse:
		s.Dels++
	case isAnnotation && !r.KeepsAnnotations():
	case u.how != checkUse || s.Scope != 0 || s.Imports != s.Stores || r.KeepsAnnotations():
		s.Loads++
	}
	if u.IsCall() {
		s.calls++
	} else if u.how == bareUse {
		s.bare++
	}
}

// look records which scopes a use of locals or the like sees, if it is called without an argument: its own,
// and those around it but for the module, which only a comprehension of the module sees.
func (r *Table) look(u *Use) {
	r.Facts.Hidden = r.Facts.Hidden || !u.IsCall()
	for s := u.Scope; u.how == callUse && s >= 0; s = r.Scopes[s].Parent {
		r.Scopes[s].Looks = true
		if r.Scopes[s].Parent == 0 && r.Scopes[s].Kind != ComprehensionScope {
			break
		}
	}
}

// KeepsAnnotations reports whether something may read annotations. The normal
// form then keeps them.
func (r *Table) KeepsAnnotations() bool {
	return r.Class&ReadsAnnotations != 0 || r.Facts.OddAnnotation
}

// pinFallbacks pins the module's names that a class may fall back to. In
//
//	class A:
//	    limit = limit
//
// the name on the right is the module's while the class has none.
func (r *Table) pinFallbacks() {
	for i := range r.Symbols {
		if r.Scopes[r.Symbols[i].Scope].Kind != ClassScope {
			continue
		}
		if at, known := r.Bound[key(0, r.Symbols[i].Name)]; known && at >= 0 {
			r.Symbols[at].Pinned = true
			r.Symbols[at].Loads++
		}
	}
}

// InFunction reports whether a scope is that of a function or in one, so that a call runs it.
func (r *Table) InFunction(scope int32) bool {
	for ; scope >= 0; scope = r.Scopes[scope].Parent {
		if r.Scopes[scope].Kind == FunctionScope {
			return true
		}
	}
	return false
}

func (r *Table) enter(kind Kind, parent int32, node ast.Node) int32 {
	s := int32(len(r.Scopes))
	r.Scopes = append(r.Scopes, Scope{Kind: kind, Parent: parent})
	r.scopeOf[scopeKey{node.Bounds().Start, node.Kind()}] = s
	return s
}

// ScopeOf returns the scope that a node opens.
func (r *Table) ScopeOf(n ast.Node) int32 { return r.scopeOf[scopeKey{n.Bounds().Start, n.Kind()}] }

// pin fixes the name of a symbol, which is an object's own name too.
func (r *Table) pin(at int32) {
	if at >= 0 {
		r.Symbols[at].Pinned = true
	}
}
