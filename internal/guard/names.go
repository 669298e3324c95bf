package guard

import (
	"strings"
	"unicode"

	"codelinter/ast"
)

// This file resolves the names of a text by the rules of CPython's symbol table.
// A function's names are those that are bound anywhere in it. A class's names are
// visible only to the class's own statements. A comprehension is a function whose
// first iterable belongs to the scope around it, and a walrus in it binds outside
// of it.
//
// One walk binds names and records uses. The uses are resolved after it, as a
// function may use a name that is bound later. The walk also collects facts that
// the normal form and the guards need.

// maxDepth bounds the nesting of nodes. CPython's compiler gives up at some
// thousands, depending on the machine's stack.
const maxDepth = 1000

// A scope is the module, a class, a function, a lambda or a comprehension.
type scope struct {
	kind     scopeKind
	parent   int32
	declares bool // has a global or nonlocal statement
	odd      bool // may have what CPython does not compile
	ordinary bool // a class without decorators, bases and keywords
	yields   bool
	cleans   bool  // has a try or a with
	number   int32 // in the normal form, from 1; 0 before it is entered
}

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	classScope
	functionScope
	comprehensionScope
)

// A symbol is a name in the scope that binds it.
type symbol struct {
	name                int32
	scope               int32
	loads, stores, dels int32
	imports             int32 // stores by import statements
	module              int32 // 1 + index in names.imports of the last import that binds it to a module, or 0
	handlers            int32 // stores by except ... as
	bare                int32 // loads as a value, not as the x of x.y
	classes             int32 // stores by class statements
	first               int32 // the module's statement that mentions it first
	param               bool
	pinned              bool // keeps its name in the normal form
	function            bool // some store is a def or a lambda
	shown               bool // a function whose name may become part of a text: str(f)
	untyped             bool // some store's value is not in resolver.values
	typ                 valueType
	known               bool  // all its values may be of one type
	number              int32 // in the normal form, from 1; 0 before its first use
	definite            bool  // surely bound at this point of the normal form
}

// A use is a mention of a name that does not bind it in its own scope.
type use struct {
	name, scope, top, offset int32
	how                      useKind
}

type useKind uint8

const (
	loadUse useKind = iota
	rootUse         // the x of x.y
	annotationUse
	annotationRootUse
	storeUse // by nonlocal
	deleteUse
	declareUse // by a nonlocal or global statement itself
)

// A name is an identifier, in all its places.
type name struct {
	text    string
	class   identifierClass
	first   int32 // offset of the first mention
	builtin int32 // offset of the first use that no scope binds, or -1
	keyword bool  // some call has a keyword argument of this name
	stored  bool  // set or deleted as an attribute
	sought  int32 // offset of the first lookup as an attribute, or -1
	field   bool  // a field of a new type, given by a text: namedtuple("P", "x y")
	member  bool  // a class of the text binds it
}

// A typedStore is name = value.
type typedStore struct {
	symbol int32
	scope  int32
	value  ast.Expr
}

// An attributeStore is root.attribute = ..., del root.attribute or, in lists of
// reads, root.attribute.
type attributeStore struct {
	root, attribute, scope, offset int32
	next                           int32 // as in root.attribute.next, or -1: then root.attribute is a value
	annotation                     bool  // in an annotation
}

// A boundAt is where a symbol is bound.
type boundAt struct{ symbol, offset int32 }

// An importedName is one name of an import statement.
type importedName struct {
	module string // after the dots, if any
	level  int32  // the number of dots
	name   string // of a from import
	symbol int32
	offset int32
	top    int32
	direct bool // a statement of the module itself
	tried  bool // in a try or a with, which may test whether the module exists
	alias  *ast.Alias
}

// scopeKey identifies a node's scope. A lambda may begin where a call does.
type scopeKey struct {
	start int32
	kind  ast.Kind
}

// names has what is known of the names of one text.
type names struct {
	ids      map[string]int32
	names    []name
	scopes   []scope
	symbols  []symbol
	bound    map[uint64]int32 // symbol of a scope and name, or elsewhere, or unbound
	scopeOf  map[scopeKey]int32
	uses     []use
	values   []typedStore
	stores   []attributeStore
	reads    []attributeStore // root.attribute, read and not stored
	imports  []importedName
	bindings []boundAt // in the order of the text; only for a program
	bases    []use     // base classes that are names
	shown    []use     // names whose values become texts

	class identifierClass // union over all identifiers
	facts textFacts

	depth    int
	top      int32 // index of the current statement of the module
	topStart int32 // where this statement begins
	head     int   // number of the module's first statements that are a docstring and imports from __future__
	loops    int
	tries    int // try and with statements around the current one, within its definition

	keepsBindings bool
}

// textFacts are facts of a whole text.
type textFacts struct {
	tooDeep          bool
	broken           bool // CPython does not compile it
	star             bool // from ... import *
	typeParameters   bool
	privateNames     bool  // __name in a class, which means _Class__name
	oddAnnotation    bool  // more than names and subscripts
	namedHandler     bool  // except ... as name, and name is read
	cleanedGenerator bool  // a generator with a try or a with, which may have an effect when the generator is freed
	dunderText       bool  // __name__ in a string that is no docstring
	readsDoc         bool  // __doc__ is read, not only set
	spreads          bool  // a call with **mapping
	quotedCall       int32 // offset of the first quoted annotation with a call, or -1
	typeBase         bool  // a class that may be derived from type
	readClass        bool  // a class with decorators, bases or keywords, which may read its annotations
	attributesByText int   // mentions of getattr and the like, except calls with a constant
	special          []int32
}

const (
	elsewhere = -2 // declared nonlocal
	unbound   = -1
)

func (r *names) reset() {
	if r.ids == nil {
		r.ids = map[string]int32{}
		r.bound = map[uint64]int32{}
		r.scopeOf = map[scopeKey]int32{}
	}
	if len(r.ids) > keptNames {
		*r = names{ids: map[string]int32{}, bound: map[uint64]int32{}, scopeOf: map[scopeKey]int32{}}
	}
	clear(r.ids)
	clear(r.bound)
	clear(r.scopeOf)
	special := r.facts.special[:0]
	clear(r.values)
	clear(r.imports)
	*r = names{
		ids: r.ids, bound: r.bound, scopeOf: r.scopeOf,
		names: r.names[:0], scopes: r.scopes[:0], symbols: r.symbols[:0], uses: r.uses[:0],
		values: r.values[:0], stores: r.stores[:0], reads: r.reads[:0], imports: r.imports[:0], bindings: r.bindings[:0], keepsBindings: r.keepsBindings, bases: r.bases[:0], shown: r.shown[:0],
		facts: textFacts{special: special, quotedCall: -1},
	}
}

// isKeyword reports whether a call in the text may have a keyword argument of
// that name.
func (r *names) isKeyword(text string) bool {
	id, known := r.ids[text]
	return r.facts.spreads || known && r.names[id].keyword
}

// keptNames bounds the names of a text whose memory is kept.
const keptNames = 10_000

// read reads a whole text. callers may also read its names and annotations.
func (r *names) read(module *ast.Module, callers *callers) {
	r.reset()
	r.class = callers.class & (seesNames | seesLines | readsAnnotations | readsNames)
	r.scopes = append(r.scopes, scope{kind: moduleScope, parent: -1})
	r.head = futureHead(module.Body)
	for i, statement := range module.Body {
		r.top, r.topStart = int32(i), statement.Bounds().Start
		r.statement(0, statement)
	}
	for i := range r.uses {
		r.resolveUse(&r.uses[i])
	}
	for i := range r.scopes {
		s := &r.scopes[i]
		if s.yields && s.cleans {
			r.facts.cleanedGenerator = true
		}
	}
	for i := range r.symbols {
		if s := &r.symbols[i]; s.handlers > 0 && s.loads > 0 {
			r.facts.namedHandler = true
		}
	}
	if r.facts.attributesByText > 0 {
		r.class |= seesNames // getattr(f, "__na" + "me__")
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
func (r *names) findShown() {
	if len(r.shown) == 0 {
		return
	}
	for _, u := range r.shown {
		if at := r.resolve(u.scope, u.name); at >= 0 {
			r.symbols[at].shown = true
		}
	}
	for i := len(r.values) - 1; i >= 0; i-- {
		store := &r.values[i]
		if !r.symbols[store.symbol].shown {
			continue
		}
		if value, is := store.value.(*ast.Name); is {
			if at := r.resolve(store.scope, r.ids[value.ID]); at >= 0 {
				r.symbols[at].shown = true
			}
		}
	}
	for i := range r.symbols {
		s := &r.symbols[i]
		s.shown = s.shown && s.function
	}
}

// show records the names whose values the text of e may contain.
func (r *names) show(scope int32, e ast.Expr) {
	switch n := e.(type) {
	case *ast.Name:
		r.shown = append(r.shown, use{name: r.id(n.ID, n.Start), scope: scope})
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

func (r *names) showAll(scope int32, list []ast.Expr) {
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
func (r *names) id(text string, offset int32) int32 {
	if id, known := r.ids[text]; known {
		return id
	}
	id := int32(len(r.names))
	class := classOf(text)
	r.names = append(r.names, name{text: text, class: class, first: offset, builtin: -1, sought: -1})
	r.ids[text] = id
	if class&isBuiltin == 0 || isDunder(text) { // open is the builtin only if nothing binds the name
		r.class |= class
	}
	if class&dunder != 0 {
		r.facts.special = append(r.facts.special, id)
	}
	return id
}

// attribute records an identifier that is looked up in a value: sys.exit exits
// like exit, but re.compile is not compile.
func (r *names) attribute(text string, offset int32) int32 {
	id := r.id(text, offset)
	r.class |= r.names[id].class & (exits | finalizes)
	return id
}

// value reads the x of x.y. If x or x.y may be a module, the lookup is recorded
// with it.
func (r *names) value(scope int32, x ast.Expr, attribute int32, how useKind) {
	switch x := x.(type) {
	case *ast.Name:
		r.reads = append(r.reads, attributeStore{r.id(x.ID, x.Start), attribute, scope, x.Start, -1, how == annotationRootUse})
		r.load(scope, x.ID, x.Start, how)
	default:
		if how == annotationRootUse {
			r.annotation(scope, x)
		} else {
			r.expr(scope, x)
		}
		if inner, is := x.(*ast.Attribute); is && len(r.reads) > 0 {
			if _, is := inner.Value.(*ast.Name); is {
				r.reads[len(r.reads)-1].next = attribute
				return
			}
		}
		r.seek(attribute, x.Bounds().Start)
	}
}

// seek records a lookup of an attribute in a value of unknown type.
func (r *names) seek(attribute, offset int32) {
	if n := &r.names[attribute]; n.sought < 0 {
		n.sought = offset
	}
}

func key(scope, name int32) uint64 { return uint64(scope)<<32 | uint64(uint32(name)) }

// bind binds a name in a scope, or in the scope that a declaration names. It
// returns the symbol, or -1 if that is not known yet.
func (r *names) bind(scope int32, text string, offset int32) int32 {
	id := r.id(text, offset)
	at, known := r.bound[key(scope, id)]
	if known && at == elsewhere {
		r.uses = append(r.uses, use{name: id, scope: scope, top: r.top, offset: offset, how: storeUse})
		return -1
	}
	if !known {
		at = r.symbol(scope, id)
	}
	if text[0] == '_' && len(text) > 1 && text[1] == '_' {
		r.symbols[at].pinned = true
	}
	r.symbols[at].stores++
	if r.keepsBindings {
		r.bindings = append(r.bindings, boundAt{at, offset})
	}
	return at
}

// symbol makes the symbol of a name in a scope.
func (r *names) symbol(scope, id int32) int32 {
	at := int32(len(r.symbols))
	r.symbols = append(r.symbols, symbol{name: id, scope: scope, first: r.top})
	if r.scopes[scope].kind == classScope {
		r.symbols[at].pinned = true
		r.names[id].member = true
	}
	r.bound[key(scope, id)] = at
	return at
}

// bindOther binds a name to an unknown value.
func (r *names) bindOther(scope int32, text string, offset int32) int32 {
	at := r.bind(scope, text, offset)
	if at >= 0 {
		r.symbols[at].untyped = true
	}
	return at
}

func (r *names) load(scope int32, text string, offset int32, how useKind) {
	r.uses = append(r.uses, use{name: r.id(text, offset), scope: scope, top: r.top, offset: offset, how: how})
}

// resolve returns the symbol of a name in a scope, or -1.
func (r *names) resolve(scope, id int32) int32 {
	found := int32(unbound)
	s := scope
	for s >= 0 {
		if s == scope || r.scopes[s].kind != classScope {
			if at, known := r.bound[key(s, id)]; known && at != elsewhere {
				found = at
				break
			}
		}
		s = r.scopes[s].parent
	}
	for t := scope; t != s && t >= 0; t = r.scopes[t].parent { // for the next lookup
		if r.scopes[t].kind != classScope || t == scope {
			r.bound[key(t, id)] = found
		}
	}
	return found
}

func (r *names) resolveUse(u *use) {
	at := r.resolve(u.scope, u.name)
	if u.how >= storeUse && (at < 0 || r.scopes[r.symbols[at].scope].kind != functionScope) {
		r.facts.broken = true // nonlocal without a binding in a function
		return
	}
	if at < 0 {
		if n := &r.names[u.name]; n.builtin < 0 && u.how != annotationUse && u.how != annotationRootUse {
			n.builtin = u.offset
			r.class |= n.class
		}
		return
	}
	s := &r.symbols[at]
	s.first = min(s.first, u.top)
	if u.how == loadUse || u.how == annotationUse {
		s.bare++
	}
	switch u.how {
	case loadUse, rootUse:
		s.loads++
	case annotationUse, annotationRootUse:
		if r.keepsAnnotations() {
			s.loads++
		}
	case storeUse:
		s.stores++
		s.untyped = true
	case deleteUse:
		s.dels++
	case declareUse:
		s.loads++
	}
}

// keepsAnnotations reports whether something may read annotations. The normal
// form then keeps them.
func (r *names) keepsAnnotations() bool {
	return r.class&readsAnnotations != 0 || r.facts.oddAnnotation
}

// findTypeBases records whether a class may be derived from type: its base is
// type, a metaclass of the standard library, or a name that is bound to anything
// but a class.
func (r *names) findTypeBases() {
	for _, name := range [...]string{"ABCMeta", "EnumMeta", "EnumType"} {
		r.facts.typeBase = r.facts.typeBase || r.mentions(name)
	}
	for _, base := range r.bases {
		at := r.resolve(base.scope, base.name)
		if at < 0 && r.names[base.name].text == "type" || at >= 0 && r.symbols[at].stores != r.symbols[at].classes+r.symbols[at].imports {
			r.facts.typeBase = true
		}
	}
}

// pinFallbacks pins the module's names that a class may fall back to. In
//
//	class A:
//	    limit = limit
//
// the name on the right is the module's while the class has none.
func (r *names) pinFallbacks() {
	for i := range r.symbols {
		if r.scopes[r.symbols[i].scope].kind != classScope {
			continue
		}
		if at, known := r.bound[key(0, r.symbols[i].name)]; known && at >= 0 {
			r.symbols[at].pinned = true
			r.symbols[at].loads++
		}
	}
}

func (r *names) enter(kind scopeKind, parent int32, node ast.Node) int32 {
	s := int32(len(r.scopes))
	r.scopes = append(r.scopes, scope{kind: kind, parent: parent})
	r.scopeOf[scopeKey{node.Bounds().Start, node.Kind()}] = s
	return s
}

// leave passes facts that hold for a whole scope to the scope around it.
func (r *names) leave(s int32) {
	if r.scopes[s].odd {
		r.scopes[r.scopes[s].parent].odd = true
	}
}

func (r *names) odd(scope int32) { r.scopes[scope].odd = true }

func (r *names) block(scope int32, body []ast.Stmt) {
	for _, statement := range body {
		r.statement(scope, statement)
	}
}

func (r *names) statement(scope int32, statement ast.Stmt) {
	if r.depth++; r.depth > maxDepth {
		r.facts.tooDeep = true
	}
	if r.facts.tooDeep {
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
		if r.scopes[scope].kind != functionScope {
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
		r.facts.typeParameters = true
		r.bindOther(scope, n.Name.ID, n.Start)
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
		r.expr(scope, n.Test)
		r.block(scope, n.Body)
		r.block(scope, n.Orelse)
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
			r.lazy(n.IsLazy, scope, n.Start, importable(alias.Name, ""))
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

func (r *names) annAssign(scope int32, n *ast.AnnAssign) {
	r.optional(scope, n.Value)
	if target, is := n.Target.(*ast.Name); is && n.Value == nil {
		// It binds nothing, but the name belongs to the scope.
		if at := r.bind(scope, target.ID, target.Start); at >= 0 {
			r.symbols[at].stores--
		}
		if r.scopes[scope].declares {
			r.facts.broken = true
		}
	} else {
		r.target(scope, n.Target, n.Value)
	}
	if r.scopes[scope].declares {
		r.odd(scope)
	}
	uses := len(r.uses)
	r.annotation(scope, n.Annotation)
	if r.scopes[scope].kind == classScope { // a dataclass reads it
		for i := range r.uses[uses:] {
			if u := &r.uses[uses+i]; u.how == annotationUse {
				u.how = loadUse
			} else if u.how == annotationRootUse {
				u.how = rootUse
			}
		}
	}
}

func (r *names) global(scope int32, n *ast.Global) {
	r.scopes[scope].declares = true
	r.odd(scope)
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if at, known := r.bound[key(scope, id)]; known && scope != 0 {
			if at == elsewhere || r.symbols[at].scope != 0 {
				r.facts.broken = true // used before the declaration
			}
		}
		at, known := r.bound[key(0, id)]
		if !known {
			at = r.symbol(0, id)
		}
		r.symbols[at].loads++
		r.symbols[at].untyped = true
		r.bound[key(scope, id)] = at
	}
}

func (r *names) nonlocal(scope int32, n *ast.Nonlocal) {
	r.scopes[scope].declares = true
	r.odd(scope)
	for _, text := range n.Names {
		id := r.id(text, n.Start)
		if _, known := r.bound[key(scope, id)]; known || scope == 0 {
			r.facts.broken = true
			continue
		}
		r.bound[key(scope, id)] = elsewhere
		r.uses = append(r.uses, use{name: id, scope: scope, top: r.top, offset: n.Start, how: declareUse})
	}
}

func (r *names) loop(scope int32, body, orelse []ast.Stmt) {
	r.loops++
	r.block(scope, body)
	r.loops--
	r.block(scope, orelse)
}

func (r *names) with(scope int32, n *ast.With) {
	r.scopes[scope].cleans = true
	r.tries++
	for _, item := range n.Items {
		r.expr(scope, item.ContextExpr)
		if item.OptionalVars != nil {
			r.target(scope, item.OptionalVars, nil)
		}
	}
	r.block(scope, n.Body)
	r.tries--
}

func (r *names) try(scope int32, n *ast.Try) {
	r.scopes[scope].cleans = true
	r.tries++
	r.block(scope, n.Body)
	r.tries--
	for i, handler := range n.Handlers {
		r.optional(scope, handler.Type)
		if handler.Type == nil && i < len(n.Handlers)-1 {
			r.odd(scope)
			r.facts.broken = true
		}
		if handler.Name != "" {
			if at := r.bindOther(scope, handler.Name, handler.Start); at >= 0 {
				r.symbols[at].handlers++
			} else {
				r.uses[len(r.uses)-1].how = deleteUse // as the handler does at its end
			}
		}
		r.block(scope, handler.Body)
	}
	r.block(scope, n.Orelse)
	r.block(scope, n.FinalBody)
}

// function reads a def. node is the statement itself, which may be an async def.
func (r *names) function(scope int32, n *ast.FunctionDef, node ast.Stmt) {
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
		r.symbols[at].function = true
	}
	first := len(r.scopes)
	s := r.enter(functionScope, scope, node)
	r.parameters(s, n.Args)
	loops, tries := r.loops, r.tries
	r.loops, r.tries = 0, 0
	r.block(s, n.Body)
	r.loops, r.tries = loops, tries
	r.leave(s)
	if at >= 0 {
		for i := first; i < len(r.scopes); i++ {
			if r.scopes[i].kind == classScope {
				r.symbols[at].pinned = true // the class's qualified name has the function's in it
			}
		}
	}
}

func (r *names) classDef(scope int32, n *ast.ClassDef) {
	for _, decorator := range n.DecoratorList {
		r.expr(scope, decorator)
	}
	r.typeParams(scope, n.TypeParams)
	for _, base := range n.Bases {
		r.expr(scope, base)
		switch base := base.(type) {
		case *ast.Name:
			r.bases = append(r.bases, use{name: r.id(base.ID, base.Start), scope: scope})
		case *ast.Attribute, *ast.Subscript:
		default:
			r.facts.typeBase = true
		}
	}
	r.keywords(scope, n.Keywords)
	r.facts.readClass = r.facts.readClass || len(n.DecoratorList)+len(n.Bases)+len(n.Keywords) > 0
	if at := r.bindOther(scope, n.Name, n.Start); at >= 0 {
		r.symbols[at].pinned = true
		r.symbols[at].classes++
	}
	s := r.enter(classScope, scope, n)
	loops := r.loops
	r.loops = 0
	r.block(s, n.Body)
	r.loops = loops
	r.leave(s)
	r.odd(scope)
}

func (r *names) typeParams(scope int32, list []ast.TypeParam) {
	for _, p := range list {
		r.facts.typeParameters = true
		switch p := p.(type) {
		case *ast.TypeVar:
			r.bindOther(scope, p.Name, p.Start)
			r.optional(scope, p.Bound)
			r.optional(scope, p.Default)
		case *ast.ParamSpec:
			r.bindOther(scope, p.Name, p.Start)
			r.optional(scope, p.Default)
		case *ast.TypeVarTuple:
			r.bindOther(scope, p.Name, p.Start)
			r.optional(scope, p.Default)
		}
	}
}

func (r *names) defaults(scope int32, a *ast.Arguments) {
	for _, value := range a.Defaults {
		r.expr(scope, value)
	}
	for _, value := range a.KwDefaults {
		r.optional(scope, value)
	}
}

func (r *names) annotations(scope int32, a *ast.Arguments) {
	eachArg(a, func(arg *ast.Arg) {
		if arg.Annotation != nil {
			r.annotation(scope, arg.Annotation)
		}
	})
}

func (r *names) parameters(s int32, a *ast.Arguments) {
	eachArg(a, func(arg *ast.Arg) {
		at := r.bindOther(s, arg.Arg, arg.Start)
		if r.symbols[at].param {
			r.odd(s) // a repeated parameter
			r.facts.broken = true
		}
		r.symbols[at].param = true
	})
}

// eachArg calls f for each parameter in the order of the def.
func eachArg(a *ast.Arguments, f func(*ast.Arg)) {
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

func (r *names) importName(scope int32, module, name string, level int32, alias *ast.Alias, offset int32) {
	text := alias.Bound()
	at := r.bindOther(scope, text, offset)
	if at >= 0 {
		r.symbols[at].imports++
	}
	if name != "" {
		r.attribute(name, offset)
	}
	r.imports = append(r.imports, importedName{
		module: module, level: level, name: name, symbol: at, offset: offset, top: r.top, direct: scope == 0 && offset == r.topStart, tried: r.tries > 0, alias: alias,
	})
	if at >= 0 && r.imports[len(r.imports)-1].object() != "" {
		r.symbols[at].module = int32(len(r.imports))
	}
}

// lazy checks a lazy import. If it surely succeeds, it is like any other, as
// nobody sees when it happens. In a definition or a try it does not compile.
func (r *names) lazy(is bool, scope, start int32, succeeds bool) {
	if is && !(succeeds && scope == 0 && start == r.topStart) {
		r.facts.broken = true
	}
}

func (r *names) importFrom(scope int32, n *ast.ImportFrom) {
	module := n.Module
	if n.Level > 0 {
		module = "." + module // relative, so not one of Python's own
	}
	if module == "__future__" {
		if scope != 0 || int(r.top) >= r.head {
			r.facts.broken = true
		}
		for _, alias := range n.Names {
			r.bindOther(scope, alias.Bound(), n.Start)
		}
		return
	}
	for _, alias := range n.Names {
		r.lazy(n.IsLazy, scope, n.Start, alias.Name != "*" && importable(module, alias.Name))
		if alias.Name == "*" {
			r.facts.star = true
			r.imports = append(r.imports, importedName{
				module: module, level: int32(n.Level), name: "*", symbol: -1, offset: n.Start, top: r.top, alias: alias,
			})
			continue
		}
		r.importName(scope, module, alias.Name, int32(n.Level), alias, n.Start)
	}
}

func (r *names) pattern(scope int32, p ast.Pattern) {
	if r.depth++; r.depth > maxDepth {
		r.facts.tooDeep = true
	}
	if r.facts.tooDeep {
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
			r.seek(r.attribute(p.KwdAttrs[i], p.Start), p.Start)
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
func (r *names) target(scope int32, target, value ast.Expr) {
	switch t := target.(type) {
	case *ast.Name:
		if t.Ctx == ast.Del {
			at := r.bindOther(scope, t.ID, t.Start)
			if at >= 0 {
				r.symbols[at].stores--
				r.symbols[at].dels++
			} else {
				r.uses[len(r.uses)-1].how = deleteUse
			}
			return
		}
		if value == nil {
			r.bindOther(scope, t.ID, t.Start)
		} else if at := r.bind(scope, t.ID, t.Start); at >= 0 {
			r.values = append(r.values, typedStore{at, scope, value})
			if _, is := value.(*ast.Lambda); is {
				r.symbols[at].function = true
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
		r.names[r.id(t.Attr, t.Start)].stored = true
		if root := rootName(t.Value); root != nil {
			r.stores = append(r.stores, attributeStore{root: r.id(root.ID, root.Start), attribute: r.id(t.Attr, t.Start), scope: scope, offset: t.Start})
		}
		r.expr(scope, t)
	default:
		r.expr(scope, target)
	}
}

// rootName returns a for a.b.c, or nil.
func rootName(e ast.Expr) *ast.Name {
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
func (r *names) annotation(scope int32, e ast.Expr) {
	if r.depth++; r.depth > maxDepth {
		r.facts.tooDeep = true
	}
	if r.facts.tooDeep {
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
		if r.facts.quotedCall < 0 && n.Type == ast.Str && strings.Contains(n.Text, "(") {
			r.facts.quotedCall = n.Start
		}
	case *ast.BinOp:
		r.facts.oddAnnotation = r.facts.oddAnnotation || n.Op != ast.BitOr
		r.annotation(scope, n.Left)
		r.annotation(scope, n.Right)
	default:
		// It may not even compile.
		r.facts.oddAnnotation = true
		r.expr(scope, e)
	}
	r.depth--
}

func (r *names) optional(scope int32, e ast.Expr) {
	if e != nil {
		r.expr(scope, e)
	}
}

func (r *names) exprs(scope int32, list []ast.Expr) {
	for _, e := range list {
		r.optional(scope, e)
	}
}

func (r *names) keywords(scope int32, list []*ast.Keyword) {
	for i, keyword := range list {
		if keyword.Arg == "" {
			r.facts.spreads = true
		} else {
			r.names[r.id(keyword.Arg, keyword.Start)].keyword = true
		}
		r.expr(scope, keyword.Value)
		for _, other := range list[:min(i, 16)] {
			if keyword.Arg != "" && other.Arg == keyword.Arg {
				r.facts.broken = true
			}
		}
	}
	if len(list) > 16 {
		r.odd(scope)
	}
}

func (r *names) expr(scope int32, e ast.Expr) {
	if r.depth++; r.depth > maxDepth {
		r.facts.tooDeep = true
	}
	if r.facts.tooDeep {
		return
	}
	switch n := e.(type) {
	case *ast.BoolOp:
		r.exprs(scope, n.Values)
	case *ast.NamedExpr:
		r.expr(scope, n.Value)
		s := scope
		for r.scopes[s].kind == comprehensionScope {
			s = r.scopes[s].parent
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
		s := r.enter(functionScope, scope, n)
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
		r.expr(scope, n.Func)
		r.exprs(scope, n.Args)
		r.keywords(scope, n.Keywords)
		if makesText(n.Func) {
			r.showAll(scope, n.Args)
			for _, keyword := range n.Keywords {
				r.show(scope, keyword.Value)
			}
		}
		if f, is := n.Func.(*ast.Name); is && f.ID == "type" && len(n.Args) > 1 {
			r.class |= makesTypes
		}
		if namesAttribute(n) {
			r.facts.attributesByText--
		}
		if makesFields(n.Func) {
			for _, arg := range n.Args {
				r.fields(arg)
			}
		}
		if calls(n.Func, "wraps") && len(n.Args)+len(n.Keywords) > 1 {
			r.class |= copiesByText
		}
	case *ast.FormattedValue:
		r.expr(scope, n.Value)
		r.show(scope, n.Value)
		r.optional(scope, n.FormatSpec)
	case *ast.Interpolation:
		r.expr(scope, n.Value)
		r.optional(scope, n.FormatSpec)
		r.class |= readsNames // its text is a value
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
			r.class |= readsNames
		}
		if n.Attr == "__doc__" && n.Ctx == ast.Load {
			r.facts.readsDoc = true
		}
		if findsByText(n.Attr) {
			r.facts.attributesByText++
		}
		r.value(scope, n.Value, attribute, rootUse)
	case *ast.Subscript:
		r.expr(scope, n.Value)
		r.expr(scope, n.Slice)
	case *ast.Starred:
		r.odd(scope)
		r.expr(scope, n.Value)
	case *ast.Name:
		if len(n.ID) > 2 && n.ID[:2] == "__" && n.ID[len(n.ID)-2:] != "__" {
			r.facts.privateNames = true
		}
		if n.ID == "__doc__" {
			r.facts.readsDoc = true
		}
		if findsByText(n.ID) {
			r.facts.attributesByText++
		}
		r.load(scope, n.ID, n.Start, loadUse)
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
func (r *names) fields(e ast.Expr) {
	switch n := e.(type) {
	case *ast.Constant:
		if n.Type != ast.Str {
			return
		}
		for _, word := range strings.FieldsFunc(n.Text, func(c rune) bool { return c == ',' || unicode.IsSpace(c) }) {
			r.names[r.id(word, n.Start)].field = true
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
			return len(args) > 1 && isConstant(args[1], ast.Str)
		}
	case *ast.Attribute:
		if f.Attr != "attrgetter" && f.Attr != "methodcaller" {
			return false
		}
	default:
		return false
	}
	for _, arg := range args {
		if !isConstant(arg, ast.Str) {
			return false
		}
	}
	return len(args) > 0
}

func (r *names) yield(scope int32) {
	r.scopes[scope].yields = true
	if r.scopes[scope].kind != functionScope {
		r.odd(scope)
	}
}

func (r *names) comprehension(scope int32, n ast.Node, generators []*ast.Comprehension, elt, value ast.Expr) {
	r.expr(scope, generators[0].Iter)
	s := r.enter(comprehensionScope, scope, n)
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
func (r *names) text(c *ast.Constant) {
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
			r.facts.readsDoc = r.facts.readsDoc || word == "__doc__"
			if word != "__main__" {
				r.facts.dunderText = true
			}
			if word == "__name__" || word == "__qualname__" {
				r.class |= readsNames
			}
		}
		i = end
	}
}
