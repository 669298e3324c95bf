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

import "codelinter/ast"

// MaxDepth bounds the nesting of nodes. CPython's compiler gives up at some
// thousands, depending on the machine's stack.
const MaxDepth = 1000

// A Scope is the module, a class, a function, a lambda or a comprehension.
type Scope struct {
	Kind     Kind
	Parent   int32
	Declares bool // has a global or nonlocal statement
	Looks    bool // something may look up its names by text, as locals() does
}

// A Kind is the kind of a scope.
type Kind uint8

// The kinds of scopes.
const (
	ModuleScope Kind = iota
	ClassScope
	FunctionScope
	ComprehensionScope
)

// A Symbol is a name in the scope that binds it.
type Symbol struct {
	Name                int32
	Scope               int32
	Loads, Stores, Dels int32
	Imports             int32 // stores by import statements
	module              int32 // 1 + index in Table.Imports of the last import that binds it to a module, or 0
	Handlers            int32 // stores by except ... as
	Bare                int32 // loads as a value, not as the x of x.y
	calls               int32 // loads to be called
	classes             int32 // stores by class statements
	First               int32 // the module's statement that mentions it first
	Param               bool
	Sure                bool  // a statement of the module itself binds it first, before any use
	Rebound             bool  // a function within binds it, by nonlocal
	Pinned              bool  // keeps its name
	Function            bool  // some store is a def or a lambda
	until               int32 // end of the block in which it is surely bound, so far
	handling            int32 // handlers around the current statement that bind it
	unsure              bool  // some load is not surely after a binding
	bare                int32 // loads by statements that do nothing else
	named               int32 // values that it only names, see NamedValue
}

// A Use is a mention of a name that does not bind it in its own scope.
type Use struct {
	Name, Scope, Top, Offset int32
	sure                     int32 // 1 + the symbol that is surely bound; negative in a handler that binds it; or 0
	how                      useKind
}

type useKind uint8

const (
	loadUse     useKind = iota
	rootUse             // the x of x.y
	callUse             // the x of x()
	argumentUse         // the x of x(y), for dir and vars
	bareUse             // by a statement that does nothing else
	checkUse            // as a condition that is false when the program runs, if it is typing's
	annotationUse
	annotationRootUse
	storeUse // by nonlocal
	deleteUse
	declareUse // by a nonlocal or global statement itself
)

// A Name is an identifier, in all its places.
type Name struct {
	Text    string
	Class   Class
	First   int32 // offset of the first mention
	Builtin int32 // offset of the first use that no scope binds, or -1
	Keyword bool  // some call has a keyword argument of this name
	Stored  bool  // set or deleted as an attribute
	Sought  int32 // offset of the first lookup as an attribute, or -1
	Field   bool  // a field of a new type, given by a text: namedtuple("P", "x y")
	Member  bool  // a class of the text binds it
	Symbols int32 // that have it
}

// An Access is root.attribute = ..., del root.attribute or, in lists of
// reads, root.attribute.
type Access struct {
	Root, Attribute, Scope, Offset int32
	Next                           int32 // as in root.attribute.next, or -1: then root.attribute is a value
	Annotation                     bool  // in an annotation
}

// A Binding is where a symbol is bound or deleted.
type Binding struct {
	Symbol, Offset int32
	Scope          int32    // of the statement; it has a global declaration if it is not the symbol's
	Value          ast.Node // a def, a class, the alias of an import, the value of name = value, or nil
	Nested         bool     // in a block of a compound statement, which may not run
	Effect         Effect
}

// An Effect is what a [Binding] does to its name.
type Effect uint8

// The effects.
const (
	Binds    Effect = iota
	Deletes         // del
	Declares        // x: int, or a type parameter: the scope's name has no value from it
)

// An Import is one name of an import statement.
type Import struct {
	Module string // after the dots, if any
	Level  int32  // the number of dots
	Name   string // of a from import
	Symbol int32
	Offset int32
	Top    int32
	Direct bool // a statement of the module itself
	Lazy   bool // happens when the name is first used
	Tried  bool // in a try or a with, which may test whether the module exists
	Alias  *ast.Alias
}

// scopeKey identifies a node's scope. A lambda may begin where a call does.
type scopeKey struct {
	start int32
	kind  ast.Kind
}

// A Table has what is known of the names of one text.
type Table struct {
	IDs      map[string]int32
	Names    []Name
	Scopes   []Scope
	Symbols  []Symbol
	Bound    map[uint64]int32 // symbol of a scope and name, or elsewhere, or unbound
	scopeOf  map[scopeKey]int32
	Uses     []Use
	Stores   []Access
	Reads    []Access // root.attribute, read and not stored
	Imports  []Import
	Bindings []Binding // in the order of the text
	Named    []Named
	isBare   bool // the current statement only reads names

	Class Class // union over all identifiers
	Facts Facts

	depth    int
	top      int32      // index of the current statement of the module
	topStart int32      // where this statement begins
	Head     int        // number of the module's first statements that are a docstring and imports from __future__
	next     ast.Stmt   // what comes after the current statement, if no other can
	nodes    []ast.Node // of children
	Tries    int        // try and with statements around the current one, within its definition
	end      int32      // of the current block
	definite []int32    // symbols that became surely bound in the current block
	nested   int        // blocks around the current statement, within its definition
}

// Facts are facts of a whole text.
type Facts struct {
	TooDeep          bool
	Broken           bool  // CPython does not compile it
	Hidden           bool  // locals or the like has another name, or is a value
	Star             bool  // from ... import *
	OddAnnotation    bool  // more than names and subscripts
	NamedHandler     bool  // except ... as name, and name is read
	ReadsDoc         bool  // __doc__ is read, not only set
	spreads          bool  // a call with **mapping
	QuotedCall       int32 // offset of the first quoted annotation with a call, or -1
	ReadClass        bool  // a class with decorators, bases or keywords, which may read its annotations
	AttributesByText int   // mentions of getattr and the like, except calls with a constant
}

const (
	elsewhere = -2 // declared nonlocal
	unbound   = -1
)
