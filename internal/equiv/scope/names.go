// Package scope is the symbol table of a Python text: which scope binds each name, where it is
// used, and what else the text says about names.
//
//	var table scope.Table
//	table.Read(module, &scope.Callers{})
//	symbol := table.Resolve(in, id) // -1 for a builtin, or a name that nothing binds
//
// It resolves names by the rules of CPython's symbol table. A function's names are those that
// are bound anywhere in it. A class's names are visible only to the class's own statements. A
// comprehension is a function whose first iterable belongs to the scope around it, and a walrus
// in it binds outside of it.
//
// One walk binds names and records uses. The uses are resolved after it, as a function may use a
// name that is bound later. The walk also collects facts that proofs and guards need.
//
// The package also has what is known of Python's own names: what an identifier may do, see
// [ClassOf], and which modules are imported without an effect, see [Importable].
package scope

import (
	"strings"
	"unicode"

	"codelinter/ast"
)

// maxDepth bounds the nesting of nodes. CPython's compiler gives up at some
// thousands, depending on the machine's stack.
const MaxDepth = 1000

// A scope is the module, a class, a function, a lambda or a comprehension.
type scope struct {
	Kind     scopeKind
	Parent   int32
	Declares bool // has a global or nonlocal statement
	Odd      bool // may have what CPython does not compile
	yields   bool
	cleans   bool // has a try or a with
}

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	ClassScope
	FunctionScope
	ComprehensionScope
)

// A symbol is a name in the scope that binds it.
type Symbol struct {
	Name                int32
	Scope               int32
	Loads, Stores, Dels int32
	Imports             int32 // stores by import statements
	module              int32 // 1 + index in names.imports of the last import that binds it to a module, or 0
	Handlers            int32 // stores by except ... as
	Bare                int32 // loads as a value, not as the x of x.y
	calls               int32 // loads to be called
	classes             int32 // stores by class statements
	First               int32 // the module's statement that mentions it first
	Param               bool
	Pinned              bool  // keeps its name in the normal form
	Function            bool  // some store is a def or a lambda
	idle                int32 // loads by statements that do nothing else
	named               int32 // values that it only names, see NamedValue
	Shown               bool  // a function whose name may become part of a text: str(f)
	Untyped             bool  // some store's value is not in resolver.values
}

// A use is a mention of a name that does not bind it in its own scope.
type use struct {
	Name, Scope, Top, offset int32
	how                      useKind
}

type useKind uint8

const (
	loadUse  useKind = iota
	rootUse          // the x of x.y
	callUse          // the x of x()
	checkUse         // as a condition that is false when the program runs, if it is typing's
	annotationUse
	annotationRootUse
	storeUse // by nonlocal
	deleteUse
	declareUse // by a nonlocal or global statement itself
)

// A name is an identifier, in all its places.
type name struct {
	Text    string
	Class   identifierClass
	First   int32 // offset of the first mention
	Builtin int32 // offset of the first use that no scope binds, or -1
	Keyword bool  // some call has a keyword argument of this name
	Stored  bool  // set or deleted as an attribute
	Sought  int32 // offset of the first lookup as an attribute, or -1
	Field   bool  // a field of a new type, given by a text: namedtuple("P", "x y")
	Member  bool  // a class of the text binds it
}

// A typedStore is name = value.
type typedStore struct {
	Symbol int32
	Scope  int32
	Value  ast.Expr
}

// An attributeStore is root.attribute = ..., del root.attribute or, in lists of
// reads, root.attribute.
type Access struct {
	Root, Attribute, Scope, Offset int32
	Next                           int32 // as in root.attribute.next, or -1: then root.attribute is a value
	Annotation                     bool  // in an annotation
}

// A boundAt is where a symbol is bound.
type Binding struct{ Symbol, Offset int32 }

// An importedName is one name of an import statement.
type Import struct {
	Module string // after the dots, if any
	Level  int32  // the number of dots
	Name   string // of a from import
	Symbol int32
	Offset int32
	Top    int32
	Direct bool // a statement of the module itself
	Tried  bool // in a try or a with, which may test whether the module exists
	Alias  *ast.Alias
}

// scopeKey identifies a node's scope. A lambda may begin where a call does.
type scopeKey struct {
	start int32
	kind  ast.Kind
}

// names has what is known of the names of one text.
type Table struct {
	IDs      map[string]int32
	Names    []name
	Scopes   []scope
	Symbols  []Symbol
	Bound    map[uint64]int32 // symbol of a scope and name, or elsewhere, or unbound
	scopeOf  map[scopeKey]int32
	Uses     []use
	Values   []typedStore
	Stores   []Access
	Reads    []Access // root.attribute, read and not stored
	Imports  []Import
	Bindings []Binding // in the order of the text; only for a program
	bases    []use     // base classes that are names
	shown    []use     // names whose values become texts
	named    []use     // names of values, see NamedValue
	idle     []use     // names that statements read and do not use

	Class identifierClass // union over all identifiers
	Facts textFacts

	depth    int
	top      int32 // index of the current statement of the module
	topStart int32 // where this statement begins
	Head     int   // number of the module's first statements that are a docstring and imports from __future__
	loops    int
	next     ast.Stmt // what comes after the current statement, if no other can
	Tries    int      // try and with statements around the current one, within its definition

	KeepsBindings bool
}

// textFacts are facts of a whole text.
type textFacts struct {
	TooDeep          bool
	Broken           bool // CPython does not compile it
	Star             bool // from ... import *
	TypeParameters   bool
	PrivateNames     bool  // __name in a class, which means _Class__name
	OddAnnotation    bool  // more than names and subscripts
	NamedHandler     bool  // except ... as name, and name is read
	CleanedGenerator bool  // a generator with a try or a with, which may have an effect when the generator is freed
	DunderText       bool  // __name__ in a string that is no docstring
	ReadsDoc         bool  // __doc__ is read, not only set
	spreads          bool  // a call with **mapping
	QuotedCall       int32 // offset of the first quoted annotation with a call, or -1
	TypeBase         bool  // a class that may be derived from type
	ReadClass        bool  // a class with decorators, bases or keywords, which may read its annotations
	AttributesByText int   // mentions of getattr and the like, except calls with a constant
	Special          []int32
}

const (
	elsewhere = -2 // declared nonlocal
	unbound   = -1
)

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
	special := r.Facts.Special[:0]
	clear(r.Values)
	clear(r.Imports)
	*r = Table{
		IDs: r.IDs, Bound: r.Bound, scopeOf: r.scopeOf,
		Names: r.Names[:0], Scopes: r.Scopes[:0], Symbols: r.Symbols[:0], Uses: r.Uses[:0],
		Values: r.Values[:0], Stores: r.Stores[:0], Reads: r.Reads[:0], Imports: r.Imports[:0], Bindings: r.Bindings[:0], KeepsBindings: r.KeepsBindings, bases: r.bases[:0], shown: r.shown[:0], named: r.named[:0], idle: r.idle[:0],
		Facts: textFacts{Special: special, QuotedCall: -1},
	}
}

// isKeyword reports whether a call in the text may have a keyword argument of
// that name.
func (r *Table) IsKeyword(text string) bool {
	id, known := r.IDs[text]
	return r.Facts.spreads || known && r.Names[id].Keyword
}

// keptNames bounds the names of a text whose memory is kept.
const keptNames = 10_000

// read reads a whole text. callers may also read its names and annotations.
func (r *Table) Read(module *ast.Module, callers *Callers) {
	r.reset()
	r.Class = callers.Class & (SeesNames | SeesLines | ReadsAnnotations | ReadsNames)
	r.Scopes = append(r.Scopes, scope{Kind: moduleScope, Parent: -1})
	r.Head = futureHead(module.Body)
	for i, statement := range module.Body {
		r.top, r.topStart = int32(i), statement.Bounds().Start
		r.statement(0, statement)
	}
	for i := range r.Uses {
		r.resolveUse(&r.Uses[i])
	}
	for i := range r.Scopes {
		s := &r.Scopes[i]
		if s.yields && s.cleans {
			r.Facts.CleanedGenerator = true
		}
	}
	for i := range r.named {
		if at := r.Resolve(r.named[i].Scope, r.named[i].Name); at >= 0 && r.Symbols[at].Scope == r.named[i].Scope {
			r.Symbols[at].named++
		}
	}
	for i := range r.idle {
		if at := r.Resolve(r.idle[i].Scope, r.idle[i].Name); at >= 0 {
			r.Symbols[at].idle++
		}
	}
	for i := range r.Symbols {
		if s := &r.Symbols[i]; s.Handlers > 0 && s.Loads > 0 {
			r.Facts.NamedHandler = true
		}
	}
	if r.Facts.AttributesByText > 0 {
		r.Class |= SeesNames // getattr(f, "__na" + "me__")
	}
	r.findTypeBases()
	r.pinFallbacks()
	r.findShown()
}

// findShown finds the functions whose name becomes part of a text, directly or by
// variables:
//
//	def l(x):
//	    return x
//	return str(l)        # <function f.<locals>.l at 0x7f3c>
//
// One pass over the assignments, from last to first, follows chains in the order
// in which programs have them.
func (r *Table) findShown() {
	if len(r.shown) == 0 {
		return
	}
	for _, u := range r.shown {
		if at := r.Resolve(u.Scope, u.Name); at >= 0 {
			r.Symbols[at].Shown = true
		}
	}
	for i := len(r.Values) - 1; i >= 0; i-- {
		store := &r.Values[i]
		if !r.Symbols[store.Symbol].Shown {
			continue
		}
		from := len(r.shown)
		r.show(store.Scope, store.Value)
		for _, u := range r.shown[from:] {
			if at := r.Resolve(u.Scope, u.Name); at >= 0 {
				r.Symbols[at].Shown = true
			}
		}
	}
	for i := range r.Symbols {
		s := &r.Symbols[i]
		s.Shown = s.Shown && s.Function
	}
}

// show records the names whose values the text of e may contain.
func (r *Table) show(scope int32, e ast.Expr) {
	switch n := e.(type) {
	case *ast.Name:
		r.shown = append(r.shown, use{Name: r.id(n.ID, n.Start), Scope: scope})
	case *ast.Starred:
		r.show(scope, n.Value)
	case *ast.NamedExpr:
		r.show(scope, n.Value)
	case *ast.IfExp:
		r.show(scope, n.Body)
		r.show(scope, n.Orelse)
	case *ast.BoolOp:
		r.showAll(scope, n.Values)
	case *ast.Tuple:
		r.showAll(scope, n.Elts)
	case *ast.List:
		r.showAll(scope, n.Elts)
	case *ast.Set:
		r.showAll(scope, n.Elts)
	case *ast.Dict:
		r.showAll(scope, n.Keys)
		r.showAll(scope, n.Values)
	}
}

func (r *Table) showAll(scope int32, list []ast.Expr) {
	for _, e := range list {
		r.show(scope, e)
	}
}

// makesText reports whether a function makes texts of its arguments.
func makesText(f ast.Expr) bool {
	name := ""
	switch f := f.(type) {
	case *ast.Name:
		name = f.ID
	case *ast.Attribute:
		name = f.Attr
	}
	switch name {
	case "str", "repr", "ascii", "format", "format_map", "print", "pprint", "pformat", "__str__", "__repr__", "__format__":
		return true
	}
	return false
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
	r.Names = append(r.Names, name{Text: text, Class: class, First: offset, Builtin: -1, Sought: -1})
	r.IDs[text] = id
	if class&Builtin == 0 || IsDunder(text) { // open is the builtin only if nothing binds the name
		r.Class |= class
	}
	if class&Dunder != 0 {
		r.Facts.Special = append(r.Facts.Special, id)
	}
	return id
}

// attribute records an identifier that is looked up in a value: sys.exit exits
// like exit, but re.compile is not compile.
func (r *Table) attribute(text string, offset int32) int32 {
	id := r.id(text, offset)
	r.Class |= r.Names[id].Class & (Exits | Finalizes)
	return id
}

// value reads the x of x.y. If x or x.y may be a module, the lookup is recorded
// with it.
func (r *Table) value(scope int32, x ast.Expr, attribute int32, how useKind) {
	switch x := x.(type) {
	case *ast.Name:
		r.Reads = append(r.Reads, Access{r.id(x.ID, x.Start), attribute, scope, x.Start, -1, how == annotationRootUse})
		r.load(scope, x.ID, x.Start, how)
	default:
		if how == annotationRootUse {
			r.annotation(scope, x)
		} else {
			r.expr(scope, x)
		}
		if inner, is := x.(*ast.Attribute); is && len(r.Reads) > 0 {
			if _, is := inner.Value.(*ast.Name); is {
				r.Reads[len(r.Reads)-1].Next = attribute
				return
			}
		}
		r.Seek(attribute, x.Bounds().Start)
	}
}

// seek records a lookup of an attribute in a value of unknown type.
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
		r.Uses = append(r.Uses, use{Name: id, Scope: scope, Top: r.top, offset: offset, how: storeUse})
		return -1
	}
	if !known {
		at = r.symbol(scope, id)
	}
	if text[0] == '_' && len(text) > 1 && text[1] == '_' {
		r.Symbols[at].Pinned = true
	}
	r.Symbols[at].Stores++
	if r.KeepsBindings {
		r.Bindings = append(r.Bindings, Binding{at, offset})
	}
	return at
}

// symbol makes the symbol of a name in a scope.
func (r *Table) symbol(scope, id int32) int32 {
	at := int32(len(r.Symbols))
	r.Symbols = append(r.Symbols, Symbol{Name: id, Scope: scope, First: r.top})
	if r.Scopes[scope].Kind == ClassScope {
		r.Symbols[at].Pinned = true
		r.Names[id].Member = true
	}
	r.Bound[key(scope, id)] = at
	return at
}

// bindOther binds a name to an unknown value.
func (r *Table) bindOther(scope int32, text string, offset int32) int32 {
	at := r.bind(scope, text, offset)
	if at >= 0 {
		r.Symbols[at].Untyped = true
	}
	return at
}

func (r *Table) load(scope int32, text string, offset int32, how useKind) {
	r.Uses = append(r.Uses, use{Name: r.id(text, offset), Scope: scope, Top: r.top, offset: offset, how: how})
}

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

func (r *Table) resolveUse(u *use) {
	at := r.Resolve(u.Scope, u.Name)
	if u.how >= storeUse && (at < 0 || r.Scopes[r.Symbols[at].Scope].Kind != FunctionScope) {
		r.Facts.Broken = true // nonlocal without a binding in a function
		return
	}
	if at < 0 {
		if n := &r.Names[u.Name]; n.Builtin < 0 && u.how != annotationUse && u.how != annotationRootUse {
			n.Builtin = u.offset
			r.Class |= n.Class
		}
		return
	}
	s := &r.Symbols[at]
	s.First = min(s.First, u.Top)
	if u.how == loadUse || u.how == annotationUse {
		s.Bare++
	}
	switch u.how {
	case checkUse:
		if s.Scope != 0 || s.Imports != s.Stores || r.KeepsAnnotations() {
			s.Loads++
		}
	case callUse:
		s.calls++
		s.Bare++
		s.Loads++
	case loadUse, rootUse:
		s.Loads++
	case annotationUse, annotationRootUse:
		if r.KeepsAnnotations() {
			s.Loads++
		}
	case storeUse:
		s.Stores++
		s.Untyped = true
	case deleteUse:
		s.Dels++
	case declareUse:
		s.Loads++
	}
}

// keepsAnnotations reports whether something may read annotations. The normal
// form then keeps them.
func (r *Table) KeepsAnnotations() bool {
	return r.Class&ReadsAnnotations != 0 || r.Facts.OddAnnotation
}

// findTypeBases records whether a class may be derived from type: its base is
// type, a metaclass of the standard library, or a name that is bound to anything
// but a class.
func (r *Table) findTypeBases() {
	for _, name := range [...]string{"ABCMeta", "EnumMeta", "EnumType"} {
		r.Facts.TypeBase = r.Facts.TypeBase || r.Mentions(name)
	}
	for _, base := range r.bases {
		at := r.Resolve(base.Scope, base.Name)
		if at < 0 && r.Names[base.Name].Text == "type" || at >= 0 && r.Symbols[at].Stores != r.Symbols[at].classes+r.Symbols[at].Imports {
			r.Facts.TypeBase = true
		}
	}
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

func (r *Table) enter(kind scopeKind, parent int32, node ast.Node) int32 {
	s := int32(len(r.Scopes))
	r.Scopes = append(r.Scopes, scope{Kind: kind, Parent: parent})
	r.scopeOf[scopeKey{node.Bounds().Start, node.Kind()}] = s
	return s
}

// ScopeOf returns the scope that a node opens.
func (r *Table) ScopeOf(n ast.Node) int32 { return r.scopeOf[scopeKey{n.Bounds().Start, n.Kind()}] }

// leave passes facts that hold for a whole scope to the scope around it.
func (r *Table) leave(s int32) {
	if r.Scopes[s].Odd {
		r.Scopes[r.Scopes[s].Parent].Odd = true
	}
}

func (r *Table) odd(scope int32) { r.Scopes[scope].Odd = true }

func (r *Table) block(scope int32, body []ast.Stmt) { r.blockBefore(scope, body, nil) }

// blockBefore reads a block. after is the statement that comes next, if no other can.
func (r *Table) blockBefore(scope int32, body []ast.Stmt, after ast.Stmt) {
	j := 0
	for i, statement := range body {
		for j = max(j, i+1); j < len(body) && (IsIdle(body[j]) || BareNames(body[j]) != nil); j++ {
		}
		next := after
		if j < len(body) {
			next = body[j]
		}
		if _, read := NamedValue(statement, next); read != nil {
			r.named = append(r.named, use{Name: r.id(read.ID, read.Start), Scope: scope})
		}
		for _, name := range BareNames(statement) {
			r.idle = append(r.idle, use{Name: r.id(name.ID, name.Start), Scope: scope})
		}
		r.next = next
		r.statement(scope, statement)
	}
}

// branches reads the branches of an if. If one of them leaves, what follows comes after the other.
func (r *Table) branches(scope int32, n *ast.If) {
	first, second := r.next, r.next
	if Leaves(n.Body) == Leaves(n.Orelse) {
		first, second = nil, nil
	}
	r.blockBefore(scope, n.Body, first)
	r.blockBefore(scope, n.Orelse, second)
}

func (r *Table) statement(scope int32, statement ast.Stmt) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	plain := ast.Plain(statement)
	if plain != statement {
		r.odd(scope) // async, or except*
	}
	switch n := plain.(type) {
	case *ast.FunctionDef:
		r.function(scope, n, statement)
	case *ast.ClassDef:
		r.classDef(scope, n)
	case *ast.Return:
		r.optional(scope, n.Value)
		if r.Scopes[scope].Kind != FunctionScope {
			r.odd(scope)
		}
	case *ast.Delete:
		for _, target := range n.Targets {
			r.target(scope, target, nil)
		}
	case *ast.Assign:
		r.expr(scope, n.Value)
		for _, target := range n.Targets {
			r.target(scope, target, n.Value)
		}
	case *ast.TypeAlias:
		r.Facts.TypeParameters = true
		r.pin(r.bindOther(scope, n.Name.ID, n.Start))
		r.typeParams(scope, n.TypeParams)
		r.expr(scope, n.Value)
	case *ast.AugAssign:
		r.expr(scope, n.Value)
		if target, is := n.Target.(*ast.Name); is {
			r.bindOther(scope, target.ID, target.Start)
			r.load(scope, target.ID, target.Start, loadUse)
		} else {
			r.target(scope, n.Target, nil)
		}
	case *ast.AnnAssign:
		r.annAssign(scope, n)
	case *ast.For:
		r.expr(scope, n.Iter)
		r.target(scope, n.Target, nil)
		r.loop(scope, n.Body, n.Orelse)
	case *ast.While:
		r.expr(scope, n.Test)
		r.loop(scope, n.Body, n.Orelse)
	case *ast.If:
		if test, is := n.Test.(*ast.Name); is && test.ID == "TYPE_CHECKING" && len(n.Orelse) == 0 {
			r.load(scope, test.ID, test.Start, checkUse)
		} else {
			r.expr(scope, n.Test)
		}
		r.branches(scope, n)
	case *ast.With:
		r.with(scope, n)
	case *ast.Match:
		r.odd(scope)
		r.expr(scope, n.Subject)
		for _, c := range n.Cases {
			r.pattern(scope, c.Pattern)
			r.optional(scope, c.Guard)
			r.block(scope, c.Body)
		}
	case *ast.Raise:
		r.optional(scope, n.Exc)
		r.optional(scope, n.Cause)
	case *ast.Try:
		r.try(scope, n)
	case *ast.Assert:
		r.expr(scope, n.Test)
		r.optional(scope, n.Msg)
	case *ast.Import:
		for _, alias := range n.Names {
			r.importName(scope, alias.Name, "", 0, alias, n.Start)
			r.lazy(n.IsLazy, scope, n.Start, Importable(alias.Name, ""))
		}
	case *ast.ImportFrom:
		r.importFrom(scope, n)
	case *ast.Global:
		r.global(scope, n)
	case *ast.Nonlocal:
		r.nonlocal(scope, n)
	case *ast.ExprStmt:
		if c, is := n.Value.(*ast.Constant); is && c.Type == ast.Str {
			break // no effect, and nothing reads the text
		}
		r.expr(scope, n.Value)
	case *ast.Break, *ast.Continue:
		if r.loops == 0 {
			r.odd(scope)
		}
	}
	r.depth--
}

func (r *Table) annAssign(scope int32, n *ast.AnnAssign) {
	r.optional(scope, n.Value)
	if target, is := n.Target.(*ast.Name); is && n.Value == nil {
		// It binds nothing, but the name belongs to the scope.
		if at := r.bind(scope, target.ID, target.Start); at >= 0 {
			r.Symbols[at].Stores--
		}
		if r.Scopes[scope].Declares {
			r.Facts.Broken = true
		}
	} else {
		r.target(scope, n.Target, n.Value)
		if target, is := n.Target.(*ast.Name); is && r.Scopes[scope].Declares {
			if at := r.Bound[key(scope, r.id(target.ID, target.Start))]; at < 0 || r.Symbols[at].Scope != scope {
				r.Facts.Broken = true // the name is declared global or nonlocal
			}
		}
	}
	if r.Scopes[scope].Declares {
		r.odd(scope)
	}
	uses := len(r.Uses)
	r.annotation(scope, n.Annotation)
	if r.Scopes[scope].Kind == ClassScope { // a dataclass reads it
		for i := range r.Uses[uses:] {
			if u := &r.Uses[uses+i]; u.how == annotationUse {
				u.how = loadUse
			} else if u.how == annotationRootUse {
				u.how = rootUse
			}
		}
	}
}

func (r *Table) global(scope int32, n *ast.Global) {
	r.Scopes[scope].Declares = true
	r.odd(scope)
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if at, known := r.Bound[key(scope, id)]; known && scope != 0 {
			if at == elsewhere || r.Symbols[at].Scope != 0 {
				r.Facts.Broken = true // used before the declaration
			}
		}
		at, known := r.Bound[key(0, id)]
		if !known {
			at = r.symbol(0, id)
		}
		r.Symbols[at].Loads++
		r.Symbols[at].Untyped = true
		r.Bound[key(scope, id)] = at
	}
}

func (r *Table) nonlocal(scope int32, n *ast.Nonlocal) {
	r.Scopes[scope].Declares = true
	r.odd(scope)
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if _, known := r.Bound[key(scope, id)]; known || scope == 0 {
			r.Facts.Broken = true
			continue
		}
		r.Bound[key(scope, id)] = elsewhere
		r.Uses = append(r.Uses, use{Name: id, Scope: scope, Top: r.top, offset: n.Start, how: declareUse})
	}
}

func (r *Table) loop(scope int32, body, orelse []ast.Stmt) {
	r.loops++
	r.block(scope, body)
	r.loops--
	r.block(scope, orelse)
}

func (r *Table) with(scope int32, n *ast.With) {
	r.Scopes[scope].cleans = true
	r.Tries++
	for _, item := range n.Items {
		r.expr(scope, item.ContextExpr)
		if item.OptionalVars != nil {
			r.target(scope, item.OptionalVars, nil)
		}
	}
	r.block(scope, n.Body)
	r.Tries--
}

func (r *Table) try(scope int32, n *ast.Try) {
	r.Scopes[scope].cleans = true
	r.Tries++
	r.block(scope, n.Body)
	r.Tries--
	for i, handler := range n.Handlers {
		r.optional(scope, handler.Type)
		if handler.Type == nil && i < len(n.Handlers)-1 {
			r.odd(scope)
			r.Facts.Broken = true
		}
		if handler.Name != "" {
			if at := r.bindOther(scope, handler.Name, handler.Start); at >= 0 {
				r.Symbols[at].Handlers++
			} else {
				r.Uses[len(r.Uses)-1].how = deleteUse // as the handler does at its end
			}
		}
		r.block(scope, handler.Body)
	}
	r.block(scope, n.Orelse)
	r.block(scope, n.FinalBody)
}

// function reads a def. node is the statement itself, which may be an async def.
func (r *Table) function(scope int32, n *ast.FunctionDef, node ast.Stmt) {
	for _, decorator := range n.DecoratorList {
		r.expr(scope, decorator)
	}
	r.typeParams(scope, n.TypeParams)
	r.defaults(scope, n.Args)
	r.annotations(scope, n.Args)
	if n.Returns != nil {
		r.annotation(scope, n.Returns)
	}
	at := r.bindOther(scope, n.Name, n.Start)
	if at >= 0 {
		r.Symbols[at].Function = true
	}
	first := len(r.Scopes)
	s := r.enter(FunctionScope, scope, node)
	r.parameters(s, n.Args)
	loops, tries := r.loops, r.Tries
	r.loops, r.Tries = 0, 0
	r.block(s, n.Body)
	r.loops, r.Tries = loops, tries
	r.leave(s)
	if at >= 0 {
		for i := first; i < len(r.Scopes); i++ {
			if r.Scopes[i].Kind == ClassScope {
				r.Symbols[at].Pinned = true // the class's qualified name has the function's in it
			}
		}
	}
}

func (r *Table) classDef(scope int32, n *ast.ClassDef) {
	for _, decorator := range n.DecoratorList {
		r.expr(scope, decorator)
	}
	r.typeParams(scope, n.TypeParams)
	for _, base := range n.Bases {
		r.expr(scope, base)
		switch base := base.(type) {
		case *ast.Name:
			r.bases = append(r.bases, use{Name: r.id(base.ID, base.Start), Scope: scope})
		case *ast.Attribute, *ast.Subscript:
		default:
			r.Facts.TypeBase = true
		}
	}
	r.keywords(scope, n.Keywords)
	r.Facts.ReadClass = r.Facts.ReadClass || len(n.DecoratorList)+len(n.Bases)+len(n.Keywords) > 0
	if at := r.bindOther(scope, n.Name, n.Start); at >= 0 {
		r.Symbols[at].Pinned = true
		r.Symbols[at].classes++
	}
	s := r.enter(ClassScope, scope, n)
	loops := r.loops
	r.loops = 0
	r.block(s, n.Body)
	r.loops = loops
	r.leave(s)
	r.odd(scope)
}

func (r *Table) typeParams(scope int32, list []ast.TypeParam) {
	for _, p := range list {
		r.Facts.TypeParameters = true
		switch p := p.(type) {
		case *ast.TypeVar:
			r.pin(r.bindOther(scope, p.Name, p.Start))
			r.optional(scope, p.Bound)
			r.optional(scope, p.Default)
		case *ast.ParamSpec:
			r.pin(r.bindOther(scope, p.Name, p.Start))
			r.optional(scope, p.Default)
		case *ast.TypeVarTuple:
			r.pin(r.bindOther(scope, p.Name, p.Start))
			r.optional(scope, p.Default)
		}
	}
}

// pin fixes the name of a symbol, which is an object's own name too.
func (r *Table) pin(at int32) {
	if at >= 0 {
		r.Symbols[at].Pinned = true
	}
}

func (r *Table) defaults(scope int32, a *ast.Arguments) {
	for _, value := range a.Defaults {
		r.expr(scope, value)
	}
	for _, value := range a.KwDefaults {
		r.optional(scope, value)
	}
}

func (r *Table) annotations(scope int32, a *ast.Arguments) {
	EachArg(a, func(arg *ast.Arg) {
		if arg.Annotation != nil {
			r.annotation(scope, arg.Annotation)
		}
	})
}

func (r *Table) parameters(s int32, a *ast.Arguments) {
	EachArg(a, func(arg *ast.Arg) {
		at := r.bindOther(s, arg.Arg, arg.Start)
		if r.Symbols[at].Param {
			r.odd(s) // a repeated parameter
			r.Facts.Broken = true
		}
		r.Symbols[at].Param = true
	})
}

// eachArg calls f for each parameter in the order of the def.
func EachArg(a *ast.Arguments, f func(*ast.Arg)) {
	for _, arg := range a.PosOnlyArgs {
		f(arg)
	}
	for _, arg := range a.Args {
		f(arg)
	}
	if a.VarArg != nil {
		f(a.VarArg)
	}
	for _, arg := range a.KwOnlyArgs {
		f(arg)
	}
	if a.KwArg != nil {
		f(a.KwArg)
	}
}

func (r *Table) importName(scope int32, module, name string, level int32, alias *ast.Alias, offset int32) {
	text := alias.Bound()
	at := r.bindOther(scope, text, offset)
	if at >= 0 {
		r.Symbols[at].Imports++
	}
	if name != "" {
		r.attribute(name, offset)
	}
	r.Imports = append(r.Imports, Import{
		Module: module, Level: level, Name: name, Symbol: at, Offset: offset, Top: r.top, Direct: scope == 0 && offset == r.topStart, Tried: r.Tries > 0, Alias: alias,
	})
	if at >= 0 && r.Imports[len(r.Imports)-1].Object() != "" {
		r.Symbols[at].module = int32(len(r.Imports))
	}
}

// lazy checks a lazy import. If it surely succeeds, it is like any other, as
// nobody sees when it happens. In a definition or a try it does not compile.
func (r *Table) lazy(is bool, scope, start int32, succeeds bool) {
	if is && !(succeeds && scope == 0 && start == r.topStart) {
		r.Facts.Broken = true
	}
}

func (r *Table) importFrom(scope int32, n *ast.ImportFrom) {
	module := n.Module
	if n.Level > 0 {
		module = "." + module // relative, so not one of Python's own
	}
	if module == "__future__" {
		if scope != 0 || int(r.top) >= r.Head {
			r.Facts.Broken = true
		}
		for _, alias := range n.Names {
			r.bindOther(scope, alias.Bound(), n.Start)
		}
		return
	}
	for _, alias := range n.Names {
		r.lazy(n.IsLazy, scope, n.Start, alias.Name != "*" && Importable(module, alias.Name))
		if alias.Name == "*" {
			r.Facts.Star = true
			r.Imports = append(r.Imports, Import{
				Module: module, Level: int32(n.Level), Name: "*", Symbol: -1, Offset: n.Start, Top: r.top, Alias: alias,
			})
			continue
		}
		r.importName(scope, module, alias.Name, int32(n.Level), alias, n.Start)
	}
}

func (r *Table) pattern(scope int32, p ast.Pattern) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	switch p := p.(type) {
	case *ast.MatchValue:
		r.expr(scope, p.Value)
	case *ast.MatchSequence:
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
	case *ast.MatchMapping:
		for _, k := range p.Keys {
			r.expr(scope, k)
		}
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
		if p.Rest != "" {
			r.bindOther(scope, p.Rest, p.Start)
		}
	case *ast.MatchClass:
		r.expr(scope, p.Cls)
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
		for i, q := range p.KwdPatterns {
			r.Seek(r.attribute(p.KwdAttrs[i], p.Start), p.Start)
			r.pattern(scope, q)
		}
	case *ast.MatchStar:
		if p.Name != "" {
			r.bindOther(scope, p.Name, p.Start)
		}
	case *ast.MatchAs:
		if p.Pattern != nil {
			r.pattern(scope, p.Pattern)
		}
		if p.Name != "" {
			r.bindOther(scope, p.Name, p.Start)
		}
	case *ast.MatchOr:
		for _, q := range p.Patterns {
			r.pattern(scope, q)
		}
	}
	r.depth--
}

// target binds or deletes a target. value is the value of a single name, nil if
// unknown.
func (r *Table) target(scope int32, target, value ast.Expr) {
	switch t := target.(type) {
	case *ast.Name:
		if t.Ctx == ast.Del {
			at := r.bindOther(scope, t.ID, t.Start)
			if at >= 0 {
				r.Symbols[at].Stores--
				r.Symbols[at].Dels++
			} else {
				r.Uses[len(r.Uses)-1].how = deleteUse
			}
			return
		}
		if value == nil {
			r.bindOther(scope, t.ID, t.Start)
		} else if at := r.bind(scope, t.ID, t.Start); at >= 0 {
			r.Values = append(r.Values, typedStore{at, scope, value})
			if _, is := value.(*ast.Lambda); is {
				r.Symbols[at].Function = true
			}
		}
	case *ast.Tuple:
		for _, element := range t.Elts {
			r.target(scope, element, nil)
		}
	case *ast.List:
		for _, element := range t.Elts {
			r.target(scope, element, nil)
		}
	case *ast.Starred:
		r.target(scope, t.Value, nil)
	case *ast.Attribute:
		r.Names[r.id(t.Attr, t.Start)].Stored = true
		if root := RootName(t.Value); root != nil {
			r.Stores = append(r.Stores, Access{Root: r.id(root.ID, root.Start), Attribute: r.id(t.Attr, t.Start), Scope: scope, Offset: t.Start})
		}
		r.expr(scope, t)
	default:
		r.expr(scope, target)
	}
}

// rootName returns a for a.b.c, or nil.
func RootName(e ast.Expr) *ast.Name {
	for {
		switch n := e.(type) {
		case *ast.Name:
			return n
		case *ast.Attribute:
			e = n.Value
		default:
			return nil
		}
	}
}

// annotation reads an annotation. Python 3.14 evaluates it only on demand.
func (r *Table) annotation(scope int32, e ast.Expr) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	switch n := e.(type) {
	case *ast.Name:
		r.load(scope, n.ID, n.Start, annotationUse)
	case *ast.Attribute:
		r.value(scope, n.Value, r.id(n.Attr, n.Start), annotationRootUse)
	case *ast.Subscript:
		r.annotation(scope, n.Value)
		r.annotation(scope, n.Slice)
	case *ast.Tuple:
		for _, element := range n.Elts {
			r.annotation(scope, element)
		}
	case *ast.List:
		for _, element := range n.Elts {
			r.annotation(scope, element)
		}
	case *ast.Constant:
		for _, word := range strings.FieldsFunc(n.Text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
			if n.Type == ast.Str {
				r.load(scope, word, n.Start, annotationUse)
			}
		}
		if r.Facts.QuotedCall < 0 && n.Type == ast.Str && strings.Contains(n.Text, "(") {
			r.Facts.QuotedCall = n.Start
		}
	case *ast.BinOp:
		r.Facts.OddAnnotation = r.Facts.OddAnnotation || n.Op != ast.BitOr
		r.annotation(scope, n.Left)
		r.annotation(scope, n.Right)
	default:
		// It may not even compile.
		r.Facts.OddAnnotation = true
		r.expr(scope, e)
	}
	r.depth--
}

func (r *Table) optional(scope int32, e ast.Expr) {
	if e != nil {
		r.expr(scope, e)
	}
}

func (r *Table) exprs(scope int32, list []ast.Expr) {
	for _, e := range list {
		r.optional(scope, e)
	}
}

func (r *Table) keywords(scope int32, list []*ast.Keyword) {
	for i, keyword := range list {
		if keyword.Arg == "" {
			r.Facts.spreads = true
		} else {
			r.Names[r.id(keyword.Arg, keyword.Start)].Keyword = true
		}
		r.expr(scope, keyword.Value)
		for _, other := range list[:min(i, 16)] {
			if keyword.Arg != "" && other.Arg == keyword.Arg {
				r.Facts.Broken = true
			}
		}
	}
	if len(list) > 16 {
		r.odd(scope)
	}
}

func (r *Table) expr(scope int32, e ast.Expr) {
	if r.depth++; r.depth > MaxDepth {
		r.Facts.TooDeep = true
	}
	if r.Facts.TooDeep {
		return
	}
	switch n := e.(type) {
	case *ast.BoolOp:
		r.exprs(scope, n.Values)
	case *ast.NamedExpr:
		r.expr(scope, n.Value)
		s := scope
		for r.Scopes[s].Kind == ComprehensionScope {
			s = r.Scopes[s].Parent
			r.odd(s)
		}
		r.target(s, n.Target, nil)
	case *ast.BinOp:
		r.expr(scope, n.Left)
		r.expr(scope, n.Right)
		if n.Op == ast.Mod { // a format
			r.show(scope, n.Right)
		}
	case *ast.UnaryOp:
		r.expr(scope, n.Operand)
	case *ast.Lambda:
		r.defaults(scope, n.Args)
		s := r.enter(FunctionScope, scope, n)
		r.parameters(s, n.Args)
		r.expr(s, n.Body)
		r.leave(s)
	case *ast.IfExp:
		r.expr(scope, n.Test)
		r.expr(scope, n.Body)
		r.expr(scope, n.Orelse)
	case *ast.Dict:
		r.exprs(scope, n.Keys)
		r.exprs(scope, n.Values)
	case *ast.Set:
		r.exprs(scope, n.Elts)
	case *ast.ListComp:
		r.comprehension(scope, n, n.Generators, n.Elt, nil)
	case *ast.SetComp:
		r.comprehension(scope, n, n.Generators, n.Elt, nil)
	case *ast.DictComp:
		r.comprehension(scope, n, n.Generators, n.Key, n.Value)
	case *ast.GeneratorExp:
		r.comprehension(scope, n, n.Generators, n.Elt, nil)
	case *ast.Await:
		r.odd(scope)
		r.expr(scope, n.Value)
	case *ast.Yield:
		r.yield(scope)
		r.optional(scope, n.Value)
	case *ast.YieldFrom:
		r.yield(scope)
		r.expr(scope, n.Value)
	case *ast.Compare:
		r.expr(scope, n.Left)
		r.exprs(scope, n.Comparators)
	case *ast.Call:
		if f, is := n.Func.(*ast.Name); is {
			r.nameUse(scope, f, callUse)
		} else {
			r.expr(scope, n.Func)
		}
		r.exprs(scope, n.Args)
		r.keywords(scope, n.Keywords)
		if makesText(n.Func) {
			r.showAll(scope, n.Args)
			for _, keyword := range n.Keywords {
				r.show(scope, keyword.Value)
			}
		}
		if f, is := n.Func.(*ast.Name); is && f.ID == "type" && len(n.Args) > 1 {
			r.Class |= MakesTypes
		}
		if namesAttribute(n) {
			r.Facts.AttributesByText--
		}
		if makesFields(n.Func) {
			for _, arg := range n.Args {
				r.fields(arg)
			}
		}
		if calls(n.Func, "wraps") && len(n.Args)+len(n.Keywords) > 1 {
			r.Class |= CopiesByText
		}
	case *ast.FormattedValue:
		r.expr(scope, n.Value)
		r.show(scope, n.Value)
		r.optional(scope, n.FormatSpec)
	case *ast.Interpolation:
		r.expr(scope, n.Value)
		r.optional(scope, n.FormatSpec)
		r.Class |= ReadsNames // its text is a value
	case *ast.JoinedStr:
		r.exprs(scope, n.Values)
	case *ast.TemplateStr:
		r.exprs(scope, n.Values)
	case *ast.Constant:
		if c := n; c.Type == ast.Str || c.Type == ast.Bytes {
			r.text(c)
		}
	case *ast.Attribute:
		attribute := r.attribute(n.Attr, n.Start)
		if n.Attr == "__name__" || n.Attr == "__qualname__" {
			r.Class |= ReadsNames
		}
		if n.Attr == "__doc__" && n.Ctx == ast.Load {
			r.Facts.ReadsDoc = true
		}
		if findsByText(n.Attr) {
			r.Facts.AttributesByText++
		}
		r.value(scope, n.Value, attribute, rootUse)
	case *ast.Subscript:
		r.expr(scope, n.Value)
		r.expr(scope, n.Slice)
	case *ast.Starred:
		r.odd(scope)
		r.expr(scope, n.Value)
	case *ast.Name:
		r.nameUse(scope, n, loadUse)
	case *ast.List:
		r.exprs(scope, n.Elts)
	case *ast.Tuple:
		r.exprs(scope, n.Elts)
	case *ast.Slice:
		r.optional(scope, n.Lower)
		r.optional(scope, n.Upper)
		r.optional(scope, n.Step)
	}
	r.depth--
}

// nameUse reads a name.
func (r *Table) nameUse(scope int32, n *ast.Name, how useKind) {
	if len(n.ID) > 2 && n.ID[:2] == "__" && n.ID[len(n.ID)-2:] != "__" {
		r.Facts.PrivateNames = true
	}
	if n.ID == "__doc__" {
		r.Facts.ReadsDoc = true
	}
	if findsByText(n.ID) {
		r.Facts.AttributesByText++
	}
	r.load(scope, n.ID, n.Start, how)
}

// calls reports whether f is the name, or an attribute of that name.
func calls(f ast.Expr, name string) bool {
	switch f := f.(type) {
	case *ast.Name:
		return f.ID == name
	case *ast.Attribute:
		return f.Attr == name
	}
	return false
}

// makesFields reports whether a call of f makes a type whose attributes are named
// by texts in the call.
func makesFields(f ast.Expr) bool {
	for _, name := range [...]string{"namedtuple", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"} {
		if calls(f, name) {
			return true
		}
	}
	return false
}

// fields records the attribute names in such a call: "x y", ["x", "y"], [("x",
// int), ("y", int)] or {"x": 1, "y": 2}.
func (r *Table) fields(e ast.Expr) {
	switch n := e.(type) {
	case *ast.Constant:
		if n.Type != ast.Str {
			return
		}
		for _, word := range strings.FieldsFunc(n.Text, func(c rune) bool { return c == ',' || unicode.IsSpace(c) }) {
			r.Names[r.id(word, n.Start)].Field = true
		}
	case *ast.List:
		for _, element := range n.Elts {
			r.fields(element)
		}
	case *ast.Tuple:
		for _, element := range n.Elts {
			r.fields(element)
		}
	case *ast.Dict:
		for _, key := range n.Keys {
			r.fields(key)
		}
	}
}

// findsByText reports whether a function of that name reads or changes attributes
// that texts name.
func findsByText(name string) bool {
	switch name {
	case "getattr", "setattr", "delattr", "attrgetter", "methodcaller":
		return true
	}
	return false
}

// namesAttribute reports whether such a call names its attributes by constants,
// which text has read.
func namesAttribute(call *ast.Call) bool {
	args := call.Args
	switch f := call.Func.(type) {
	case *ast.Name:
		switch {
		case !findsByText(f.ID):
			return false
		case f.ID != "attrgetter" && f.ID != "methodcaller":
			return len(args) > 1 && IsConstant(args[1], ast.Str)
		}
	case *ast.Attribute:
		if f.Attr != "attrgetter" && f.Attr != "methodcaller" {
			return false
		}
	default:
		return false
	}
	for _, arg := range args {
		if !IsConstant(arg, ast.Str) {
			return false
		}
	}
	return len(args) > 0
}

func (r *Table) yield(scope int32) {
	r.Scopes[scope].yields = true
	if r.Scopes[scope].Kind != FunctionScope {
		r.odd(scope)
	}
}

func (r *Table) comprehension(scope int32, n ast.Node, generators []*ast.Comprehension, elt, value ast.Expr) {
	r.expr(scope, generators[0].Iter)
	s := r.enter(ComprehensionScope, scope, n)
	for i, g := range generators {
		if g.IsAsync {
			r.odd(s)
		}
		r.target(s, g.Target, nil)
		if i > 0 {
			r.expr(s, g.Iter)
		}
		r.exprs(s, g.Ifs)
	}
	r.expr(s, elt)
	r.optional(s, value)
	r.leave(s)
}

// text records the special names in a string, as it may be looked up as an
// attribute.
func (r *Table) text(c *ast.Constant) {
	text := c.Text
	for i := 0; i+4 < len(text); i++ {
		if text[i] != '_' || text[i+1] != '_' {
			continue
		}
		end := i + 2
		for end < len(text) && (text[end] == '_' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || text[end] >= '0' && text[end] <= '9') {
			end++
		}
		if word := text[i:end]; len(word) > 4 && word[len(word)-2:] == "__" {
			r.id(word, c.Start)
			r.Facts.ReadsDoc = r.Facts.ReadsDoc || word == "__doc__"
			if word != "__main__" {
				r.Facts.DunderText = true
			}
			if word == "__name__" || word == "__qualname__" {
				r.Class |= ReadsNames
			}
		}
		i = end
	}
}

// IsConstant reports whether an expression is a constant of a type.
func IsConstant(e ast.Expr, t ast.ConstantType) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type == t
}
