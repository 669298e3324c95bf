package same

import (
	"encoding/binary"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/internal/equiv/scope"
)

// This file writes the normal form of a text: a stream of bytes from which an
// equivalent program could be built. Two texts with the same stream do the same.
//
// The stream is the tree, node by node, with the differences below. Each has a
// condition, and keeps what a run of the program can show: values, output, types
// of exceptions. The interpreter's messages for people (texts of its exceptions,
// line numbers in tracebacks) do not count. Neither do effects of memory
// addresses or of an interrupt from the keyboard.
//
// - What the parser drops is omitted: blanks, comments, parentheses, quotes,
//   spellings of numbers and escapes, splits of strings, semicolons (E1, E2, E3,
//   E5, E70x, W1 to W6).
// - pass, constants as statements, docstrings, and names that are surely bound
//   are omitted. return None becomes return, and is omitted at a function's end.
// - An if has its branches in one order, see control.go, and idioms are written in one way, see
//   idioms.go. A value that only gets a name is written without it.
// - Names are numbered per scope in the order of their first use, so local
//   variables may have any name (E741, E742, E743). Parameters, globals and names
//   in classes keep theirs. But a parameter, a global variable or a function that
//   the program calls l, O or I may have another name; see same.
// - Imports of Python's own modules move to the head of the module, in a fixed
//   order, each once (E401, E402, F811). Those of names that nobody reads are
//   omitted (F401). See hoist.
// - A def or an import is omitted if its name is bound again before anything can
//   read it (F811).
// - An assignment to a local variable that nobody reads becomes its value, or is
//   omitted if the value has no effect (F841). So is the name of with ... as and
//   except ... as.
// - name = lambda a: b becomes def name(a): return b (E731).
// - not a in b becomes a not in b, not a is b becomes a is not b (E713, E714).
// - a == None becomes a is None (E711), and type(a) == type(b) becomes type(a) is
//   type(b) (E721), if no type in reach defines ==.
// - a == True becomes a, and a != True becomes not a (E712), if a is surely a
//   bool.
// - a is 0 becomes a == 0 (F632), if a is surely an int.
// - except: becomes except BaseException: (E722), or except Exception: if nothing
//   in reach raises other exceptions.
// - An f-string without fields becomes a string (F541).
// - Annotations are omitted if nothing reads them.
//
// A text that reads its own names, for example by locals or eval, is written
// literally: with all its names, annotations and docstrings. A text that reads
// its own lines has no normal form, and neither has one that CPython does not
// compile.
//
// Each rule replaces a part by an equivalent one, as far as the text itself
// shows; no rule looks at the other text. So forms can be hashed, and equal
// answers are found by their hashes.

// A normalizer writes normal forms and reuses its memory.
type normalizer struct {
	scope.Table
	out        []byte
	plain      bool // imports and callers are plain, see module
	literal    bool // keep names, annotations and docstrings
	asking     bool // literal, but for what the comparison with a pattern leaves open: see asked.go
	wayOut     bool // other exceptions than Exception may be raised
	callers    *scope.Callers
	types      []valueType // by symbol
	inferred   []inference
	marks      []mark  // by symbol
	numbers    []int32 // by scope: its number in the stream, from 1; 0 before it is entered
	ordinary   []bool  // by scope: a class without decorators, bases and keywords
	visible    []visibleName
	numbered   int32
	entered    int32
	definite   []int32 // symbols that are surely bound at this point
	hoisted    []int32 // indices in imports
	isHoisted  []bool  // by index in imports
	overridden map[ast.Stmt]bool
	rebound    []int32
	inAsync    bool                   // in an async def, and not in a def or a class within it
	classes    []*ast.ClassDef        // by scope: a class that nothing replaces
	first      []string               // by scope: a function's first parameter
	fixed      []bool                 // by scope: a function whose parameters may be passed by keyword
	inForeign  bool                   // in a class whose methods other code may call by keyword
	inUnknown  bool                   // in a class whose docstrings other code may read
	inlined    map[*ast.Name]ast.Expr // names that stand for their values
	unsorted   bool                   // keep the order of imports
	conflicts  bool                   // imports have no other order
	doubled    int                    // statements around that are written twice
	view       view                   // when asking
	hints      []span                 // of the stream: annotations that may be left out
	value      []byte                 // of the current constant

	// For a program that is written as a pattern, see literally.
	writesPattern bool
	edits         *asked.Edits
	steps         []patternStep
	flushed       int32 // length of out that is in steps
	request       request
}

// A mark is the state of a symbol while the stream is written.
type mark struct {
	number   int32 // from 1; 0 before its first use
	definite bool  // surely bound at this point
	unsure   bool  // read where it is not
}

// A visibleName is a name that code outside its function may know. They are in
// the order of their first use.
type visibleName struct {
	name      string
	parameter bool
	fixed     bool // even if it is ambiguous
}

// The stream's bytes are kinds of nodes, and these.
const (
	opEnd        = 0
	opNewName    = 200 + iota // first use of a symbol: scope, kind
	opName                    // later use: number
	opLiteral                 // a name as it is written
	opClassName               // a name bound in the class around it
	opDoc                     // a docstring
	opAbsent                  // no expression
	opImport                  // module, name, symbol
	opStar                    // module
	opGlobal                  // a global or nonlocal statement
	opAnnotation              // an annotation that is kept
	opNegated                 // not
	opText                    // a whole text without a normal form
	opLazy                    // an import that is lazy
	opLocal                   // a variable of a function: scopes between, number, name
)

// normalize writes the normal form of module into n.out and n.visible, after
// n.read. It returns false if there is none.
func (n *normalizer) normalize(module *ast.Module, callers *scope.Callers) bool {
	n.out, n.visible = n.out[:0], n.visible[:0]
	n.callers = callers
	if n.Facts.TooDeep || n.Facts.Broken || n.Facts.Lazy || n.Class&scope.SeesLines != 0 {
		return false
	}
	n.plain = !callers.Strange && !n.Facts.DunderText
	n.literal = n.Class&scope.SeesNames != 0 || n.Facts.Star || n.Facts.TypeParameters || n.Facts.PrivateNames
	for i := range n.Imports {
		imported := &n.Imports[i]
		m := scope.Modules()[imported.Module]
		if imported.Symbol >= 0 && n.unread(imported.Symbol) && scope.Importable(imported.Module, imported.Name) {
			continue
		}
		n.plain = n.plain && m != nil && m.Plain
		n.literal = n.literal || m == nil || !m.Quiet
		if m != nil && m.Lines {
			return false
		}
	}
	n.literal = n.literal || n.Facts.OddAnnotation
	n.infer()
	n.wayOut = !n.plain || (n.Class|callers.Class)&scope.Exits != 0 || n.raisesBase(module)
	n.begin(callers)
	n.op(boolByte(n.literal)<<1 | boolByte(n.KeepsAnnotations()))
	n.enterScope(0)
	n.hoist(module.Body)
	n.body(0, module.Body, noTail, false)
	n.end()
	return true
}

// begin resets the normalizer for another text.
func (n *normalizer) begin(callers *scope.Callers) {
	n.out, n.callers = n.out[:0], callers
	n.numbered, n.entered = 0, 0
	n.definite, n.rebound = n.definite[:0], n.rebound[:0]
	n.marks, n.numbers, n.ordinary = n.marks[:0], append(n.numbers[:0], make([]int32, len(n.Scopes))...), append(n.ordinary[:0], make([]bool, len(n.Scopes))...)
	n.fixed = append(n.fixed[:0], make([]bool, len(n.Scopes))...)
	n.classes = append(n.classes[:0], make([]*ast.ClassDef, len(n.Scopes))...)
	n.first = append(n.first[:0], make([]string, len(n.Scopes))...)
	for range n.Symbols {
		n.marks = append(n.marks, mark{})
	}
	n.isHoisted = append(n.isHoisted[:0], make([]bool, len(n.Imports))...)
	n.inAsync, n.inForeign, n.inUnknown, n.doubled = false, false, false, 0
	n.hints = n.hints[:0]
	if n.inlined == nil {
		n.inlined = map[*ast.Name]ast.Expr{}
	}
	clear(n.inlined)
	if n.overridden == nil {
		n.overridden = map[ast.Stmt]bool{}
	}
	clear(n.overridden)
}

func (n *normalizer) op(b byte) { n.out = append(n.out, b) }

func (n *normalizer) end() { n.out = append(n.out, opEnd) }

func (n *normalizer) uint(v int) { n.out = binary.AppendUvarint(n.out, uint64(v)) }

func (n *normalizer) string(text string) {
	n.uint(len(text))
	n.out = append(n.out, text...)
}

func (n *normalizer) kind(node ast.Node) { n.op(byte(node.Kind())) }

func (n *normalizer) enterScope(s int32) {
	n.entered++
	n.numbers[s] = n.entered
	if !n.literal { // literally, a choice may write a scope twice
		n.uint(int(n.entered))
	}
}

// enter enters the scope of a node.
func (n *normalizer) enter(node ast.Node) int32 {
	s := n.ScopeOf(node)
	n.enterScope(s)
	return s
}

// name writes a name that stands in a scope.
func (n *normalizer) name(in int32, text string) {
	if n.literal {
		if at := n.Lookup(in, text); n.asking && at >= 0 && n.isLocal(at) && !n.request.repeated[at] {
			n.local(in, at, text)
			return
		}
		n.op(opLiteral)
		if len(n.request.renamed) > 0 {
			if at := n.renamedAt(n.Lookup(in, text)); at >= 0 {
				n.step(patternStep{kind: stepName, index: int32(at)})
				return
			}
		}
		n.string(n.builtin(text))
		return
	}
	at := n.Lookup(in, text)
	if at < 0 { // a builtin
		n.op(opLiteral)
		n.string(n.builtin(text))
		return
	}
	s := &n.Symbols[at]
	if n.Scopes[s.Scope].Kind == scope.ClassScope {
		n.op(opClassName)
		n.uint(int(n.numbers[s.Scope]))
		n.string(text)
		return
	}
	if n.marks[at].number != 0 {
		n.op(opName)
		n.uint(int(n.marks[at].number))
		return
	}
	n.numbered++
	n.marks[at].number = n.numbered
	n.op(opNewName)
	n.uint(int(n.numbers[s.Scope]))
	global := s.Scope == 0
	fixed := s.Pinned || s.Shown || n.Class&scope.ReadsNames != 0 || n.Facts.NamedHandler
	if !global && !s.Param && !fixed {
		n.op('L')
		return
	}
	n.op('V')
	n.visible = append(n.visible, visibleName{name: text, parameter: s.Param, fixed: fixed})
}

// surely records that names are bound until the end of the block.
func (n *normalizer) surely(in int32, target ast.Expr) {
	switch t := target.(type) {
	case *ast.Name:
		n.surelyNamed(in, t.ID)
	case *ast.Tuple:
		for _, e := range t.Elts {
			n.surely(in, e)
		}
	case *ast.List:
		for _, e := range t.Elts {
			n.surely(in, e)
		}
	case *ast.Starred:
		n.surely(in, t.Value)
	}
}

func (n *normalizer) surelyNamed(in int32, text string) {
	if at := n.Lookup(in, text); at >= 0 && n.Symbols[at].Scope == in {
		n.surelyAt(at)
	}
}

func (n *normalizer) surelyAt(at int32) {
	if s := &n.Symbols[at]; !n.marks[at].definite && s.Dels == 0 && s.Handlers == 0 {
		n.marks[at].definite = true
		n.definite = append(n.definite, at)
	}
}

// forget ends a block, whose bindings are not sure after it.
func (n *normalizer) forget(mark int) {
	for _, at := range n.definite[mark:] {
		n.marks[at].definite = false
	}
	n.definite = n.definite[:mark]
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}
