package same

import (
	"cmp"
	"codelinter/internal/equiv/scope"
	"encoding/binary"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
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
// - if a: return x, else: B becomes if a: return x, followed by B.
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
	opLocal                   // a variable of a function: scopes between, number, name
)

// normalize writes the normal form of module into n.out and n.visible, after
// n.read. It returns false if there is none.
func (n *normalizer) normalize(module *ast.Module, callers *scope.Callers) bool {
	n.out, n.visible = n.out[:0], n.visible[:0]
	n.callers = callers
	if n.Facts.TooDeep || n.Facts.Broken || n.Class&scope.SeesLines != 0 {
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

// raisesBase reports whether the text has the name BaseException elsewhere than
// in a handler.
func (n *normalizer) raisesBase(module *ast.Module) bool {
	id, known := n.IDs["BaseException"]
	if !known {
		return false
	}
	mentions, handlers := 0, 0
	for i := range n.Uses {
		if n.Uses[i].Name == id {
			mentions++
		}
	}
	ast.Inspect(module, func(node ast.Node) bool {
		if h, is := node.(*ast.ExceptHandler); is {
			if name, is := h.Type.(*ast.Name); is && name.ID == "BaseException" {
				handlers++
			}
		}
		return true
	})
	return mentions != handlers || n.Table.Names[id].Builtin < 0
}

// unread reports whether nothing reads a name.
func (n *normalizer) unread(at int32) bool {
	s := &n.Symbols[at]
	if s.Loads > 0 || s.Dels > 0 || n.Scopes[s.Scope].Kind == scope.ClassScope {
		return false
	}
	text := &n.Table.Names[s.Name]
	// A name that other statements bind too may be part of the module's
	// interface.
	return s.Scope != 0 || s.Stores == s.Imports+s.Handlers && text.Class&scope.Builtin == 0 && !strings.HasPrefix(text.Text, "__") && !n.callers.Reads(text.Text)
}

// deadStore reports whether a bound value is never seen.
func (n *normalizer) deadStore(in int32, text string) bool {
	if n.literal || !n.plain || n.Class&scope.Finalizes != 0 || n.Facts.CleanedGenerator {
		return false
	}
	at := n.Lookup(in, text)
	if at < 0 {
		return false
	}
	s := &n.Symbols[at]
	return n.Scopes[s.Scope].Kind == scope.FunctionScope && s.Loads == 0 && s.Dels == 0 && !s.Pinned
}

// hoist finds the imports that may move to the head of the module. In
//
//	print(1)
//	import math
//
// the second line may come first: it only binds math, and nothing before it has
// that name. It must be the name's only binding, or all bindings must be the same
// import. A def before it may use the name, as its body runs later. An import
// from a module that may change stays in its place:
//
//	math.pi = 3
//	from math import pi
func (n *normalizer) hoist(body []ast.Stmt) {
	n.hoisted = n.hoisted[:0]
	if n.literal {
		return
	}
	inert := int32(0)
	for _, statement := range body {
		if !n.inert(0, statement) {
			break
		}
		inert++
	}
	for i := range n.Imports {
		if imported := &n.Imports[i]; imported.Direct && imported.Symbol >= 0 && scope.Importable(imported.Module, imported.Name) {
			n.hoisted = append(n.hoisted, int32(i))
		}
	}
	slices.SortStableFunc(n.hoisted, func(a, b int32) int {
		x, y := &n.Imports[a], &n.Imports[b]
		if c := strings.Compare(x.Module, y.Module); c != 0 {
			return c
		}
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
		if c := strings.Compare(x.Alias.AsName, y.Alias.AsName); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	kept := n.hoisted[:0]
	for from := 0; from < len(n.hoisted); {
		first := &n.Imports[n.hoisted[from]]
		to := from + 1
		for to < len(n.hoisted) && sameImport(first, &n.Imports[n.hoisted[to]]) {
			to++
		}
		s := &n.Symbols[first.Symbol]
		text := &n.Table.Names[s.Name]
		steady := n.Imports[n.hoisted[to-1]].Top <= inert || !n.mayChange(first)
		if steady && int(s.Stores) == to-from && s.Dels == 0 && !s.Pinned && text.Class&scope.Builtin == 0 &&
			(first.Top <= inert || s.First >= first.Top) {
			for _, i := range n.hoisted[from:to] {
				n.isHoisted[i] = true
			}
			kept = append(kept, n.hoisted[from])
		}
		from = to
	}
	n.hoisted = kept
	for _, i := range kept {
		if imported := &n.Imports[i]; !n.unread(imported.Symbol) {
			n.importOf(0, imported)
		}
	}
}

// mayChange reports whether the imported value may change while the program runs:
// the text sets an attribute of that name, or other code changes the module.
func (n *normalizer) mayChange(imported *scope.Import) bool {
	if imported.Name == "" {
		return false
	}
	return n.Table.Names[n.IDs[imported.Name]].Stored || n.Mentions("setattr") || n.Mentions("delattr") ||
		imported.Module == "sys" || imported.Module == "warnings"
}

func sameImport(a, b *scope.Import) bool {
	return a.Module == b.Module && a.Name == b.Name && a.Alias.AsName == b.Alias.AsName && a.Symbol == b.Symbol
}

// inert reports whether a statement only binds names, so no function runs in it
// and it reads no other name.
func (n *normalizer) inert(in int32, statement ast.Stmt) bool {
	switch s := ast.Plain(statement).(type) {
	case *ast.Pass:
		return true
	case *ast.FunctionDef:
		return inertFunction(s)
	case *ast.ExprStmt:
		return isLiteral(s.Value)
	case *ast.Assign:
		for _, target := range s.Targets {
			if _, is := target.(*ast.Name); !is {
				return false
			}
		}
		return isLiteral(s.Value)
	case *ast.AnnAssign:
		_, is := s.Target.(*ast.Name)
		return is && s.Simple && (s.Value == nil || isLiteral(s.Value))
	case *ast.Import:
		for _, alias := range s.Names {
			if !scope.Importable(alias.Name, "") {
				return false
			}
		}
		return true
	case *ast.ImportFrom:
		if s.Module == "__future__" && s.Level == 0 {
			return true
		}
		for _, alias := range s.Names {
			if s.Level > 0 || !scope.Importable(s.Module, alias.Name) {
				return false
			}
		}
		return true
	case *ast.ClassDef:
		if len(s.DecoratorList)+len(s.Bases)+len(s.Keywords) > 0 {
			return false
		}
		for _, inner := range s.Body {
			if !n.inert(in, inner) {
				return false
			}
		}
		return true
	}
	return false
}

func inertFunction(s *ast.FunctionDef) bool {
	return len(s.DecoratorList) == 0 && inertDefaults(s.Args)
}

// inertDefaults reports whether the parameters' defaults are literals.
func inertDefaults(a *ast.Arguments) bool {
	if !allLiterals(a.Defaults) {
		return false
	}
	for _, value := range a.KwDefaults {
		if value != nil && !isLiteral(value) {
			return false
		}
	}
	return true
}

// override records the statements of a block whose name is bound again after
// inert statements only, so that nothing can read it in between.
func (n *normalizer) override(in int32, body []ast.Stmt) {
	if n.literal || len(body) < 2 || n.readClass(in) {
		return
	}
	from := len(n.rebound)
	for i := len(body) - 1; i >= 0; i-- {
		if !n.inert(in, body[i]) {
			n.rebound = n.rebound[:from]
			continue
		}
		name := ""
		switch s := ast.Plain(body[i]).(type) {
		case *ast.FunctionDef:
			name = s.Name
		case *ast.Import:
			if len(s.Names) == 1 && s.Names[0].AsName == "" && !strings.Contains(s.Names[0].Name, ".") {
				name = s.Names[0].Name
			}
		}
		if name == "" {
			continue
		}
		at := n.Lookup(in, name)
		if at < 0 || n.Symbols[at].Scope != in {
			continue
		}
		if !slices.Contains(n.rebound[from:], at) {
			if len(n.rebound)-from < 64 { // enough in practice, and keeps the time linear
				n.rebound = append(n.rebound, at)
			}
			continue
		}
		if f, is := body[i].(*ast.FunctionDef); is && n.Scopes[n.ScopeOf(f)].Odd {
			continue
		}
		if _, is := body[i].(*ast.AsyncFunctionDef); is {
			continue
		}
		n.overridden[body[i]] = true
	}
	n.rebound = n.rebound[:from]
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

// block writes the statements of a block and its end.
func (n *normalizer) block(in int32, body []ast.Stmt, after tail) {
	mark := len(n.definite)
	n.prepare(in, body)
	n.sequence(in, list{body: body}, after)
	n.forget(mark)
	n.end()
}

// body writes the statements of a module, a class or a function without an end mark. The first
// may be a docstring.
func (n *normalizer) body(in int32, body []ast.Stmt, after tail, freeDoc bool) {
	n.prepare(in, body)
	if len(body) > 0 && n.literal {
		n.docstring(body[0], freeDoc)
	}
	if in != 0 {
		n.sequence(in, list{body: body}, after)
		return
	}
	for i := 0; i < len(body); i++ {
		if len(n.request.moved) > 0 {
			n.step(patternStep{kind: stepBoundary, index: int32(i)})
		}
		if run := n.run(body[i:]); run > 0 {
			n.sorted(body[i:i+run], int32(i))
			i += run - 1
			continue
		}
		n.sequence(in, list{body: body[i : i+1]}, noTail)
	}
}

func (n *normalizer) statement(in int32, statement ast.Stmt, after tail) {
	switch s := ast.Plain(statement).(type) {
	case *ast.FunctionDef:
		n.function(in, s, statement)
	case *ast.ClassDef:
		n.classDef(in, s)
	case *ast.Return:
		n.returned(in, s.Value, after)
	case *ast.Delete:
		n.kind(s)
		n.exprs(in, s.Targets)
	case *ast.Assign:
		n.assign(in, s.Targets, s.Value)
		if n.asking && len(s.Targets) == 1 {
			n.hint(in, 0, nil, n.variableHintFree(in, s.Targets[0]))
		}
	case *ast.TypeAlias:
		n.kind(s)
		n.name(in, s.Name.ID)
		n.typeParams(in, s.TypeParams)
		n.expr(in, s.Value)
	case *ast.AugAssign:
		n.kind(s)
		n.op(byte(s.Op))
		n.expr(in, s.Target)
		n.expr(in, s.Value)
	case *ast.AnnAssign:
		n.annAssign(in, s)
	case *ast.For:
		n.loop(in, s, statement)
	case *ast.While:
		n.kind(s)
		n.test(in, s.Test)
		n.block(in, s.Body, loopTail)
		n.block(in, s.Orelse, noTail)
	case *ast.With:
		n.with(in, s, statement)
	case *ast.Match:
		n.kind(s)
		n.expr(in, s.Subject)
		for _, c := range s.Cases {
			n.kind(c)
			n.pattern(in, c.Pattern)
			if c.Guard == nil {
				n.op(opAbsent)
			} else {
				n.test(in, c.Guard)
			}
			n.block(in, c.Body, after)
		}
		n.end()
	case *ast.Raise:
		n.kind(s)
		n.optional(in, n.raised(in, s.Exc))
		n.optional(in, s.Cause)
	case *ast.Try:
		n.try(in, s, statement)
	case *ast.Assert:
		n.kind(s)
		n.test(in, s.Test)
		n.optional(in, s.Msg)
	case *ast.Import:
		for _, alias := range s.Names {
			n.alias(in, alias)
		}
	case *ast.ImportFrom:
		n.importFrom(in, s)
	case *ast.Global:
		n.declaration(in, s, s.Names)
	case *ast.Nonlocal:
		n.declaration(in, s, s.Names)
	case *ast.ExprStmt:
		n.exprStmt(in, s.Value)
	case *ast.Pass:
	case *ast.Continue:
		if after != loopTail {
			n.kind(s)
		}
	case *ast.Break:
		n.kind(s)
	}
}

// docstring writes the docstring of a body, which may be another if nothing reads it.
func (n *normalizer) docstring(first ast.Stmt, free bool) {
	text := ""
	s, is := first.(*ast.ExprStmt)
	if is {
		var c *ast.Constant
		if c, is = s.Value.(*ast.Constant); is {
			text, is = c.Text, c.Type == ast.Str
		}
	}
	switch {
	case n.writesPattern && free:
		n.step(patternStep{kind: stepDoc})
	case !is:
	case n.writesPattern && !n.Facts.ReadsDoc:
		n.op(opDoc)
		n.like(stepWords, text)
	default:
		n.op(opDoc)
		n.string(text)
	}
}

func (n *normalizer) exprStmt(in int32, value ast.Expr) {
	if value.Kind() == ast.KindConstant {
		return
	}
	if !n.literal && n.pure(in, value) {
		return
	}
	n.op(byte(ast.KindExprStmt))
	n.expr(in, value)
}

// declaration writes a global or nonlocal statement in its place: CPython refuses
// one after a use of the name.
func (n *normalizer) declaration(in int32, s ast.Stmt, list []string) {
	n.kind(s)
	n.uint(len(list))
	for _, text := range list {
		n.name(in, text)
	}
}

func (n *normalizer) assign(in int32, targets []ast.Expr, value ast.Expr) {
	if !n.literal {
		if n.assignLambda(in, targets, value) || n.assignTuple(in, targets, value) {
			return
		}
		live := 0
		for _, target := range targets {
			if !n.isDead(in, target) {
				live++
			}
		}
		if live == 0 {
			n.exprStmt(in, value)
			return
		}
	}
	if n.edits.At(asked.Define, targets[0].Bounds().Start) && n.assignLambda(in, targets, value) || n.assignDropped(in, targets, value) {
		return
	}
	if choice, is := value.(*ast.IfExp); is && len(targets) == 1 && targets[0].Kind() == ast.KindName {
		n.branch(in, choice.Test, one(&ast.Assign{Targets: targets, Value: choice.Body}), one(&ast.Assign{Targets: targets, Value: choice.Orelse}), noTail)
		return
	}
	n.op(byte(ast.KindAssign))
	n.expr(in, value)
	for _, target := range targets {
		if !n.literal && n.isDead(in, target) {
			continue
		}
		n.expr(in, target)
		n.surely(in, target)
	}
	n.end()
}

func (n *normalizer) isDead(in int32, target ast.Expr) bool {
	name, is := target.(*ast.Name)
	return is && n.deadStore(in, name.ID)
}

// assignLambda writes name = lambda ... as a def. The functions differ only in
// their name, qualified name and lines.
func (n *normalizer) assignLambda(in int32, targets []ast.Expr, value ast.Expr) bool {
	lambda, is := value.(*ast.Lambda)
	if !is || len(targets) != 1 {
		return false
	}
	name, is := targets[0].(*ast.Name)
	if !is {
		return false
	}
	if at := n.Lookup(in, name.ID); n.edits == nil && (n.Class&scope.ReadsNames != 0 || n.Facts.NamedHandler || at >= 0 && n.Symbols[at].Shown) {
		return false // of its name
	}
	n.op(byte(ast.KindFunctionDef))
	n.end() // no decorators
	n.defaults(in, lambda.Args)
	n.name(in, name.ID)
	n.hintsOf(in, &ast.FunctionDef{Args: lambda.Args})
	s := n.enter(lambda)
	mark := n.parameters(s, lambda.Args)
	if n.literal {
		n.docstring(&ast.Return{}, n.docFree(nil, false))
	}
	n.returned(s, lambda.Body, functionTail)
	n.end()
	n.forget(mark)
	n.surely(in, name)
	return true
}

// one returns a list of one statement.
func one(s ast.Stmt) list { return list{body: []ast.Stmt{s}} }

// returned writes the return of a value, or of none.
func (n *normalizer) returned(in int32, value ast.Expr, after tail) {
	if name, is := value.(*ast.Name); is && n.inlined[name] != nil {
		value = n.inlined[name]
	}
	if choice, is := value.(*ast.IfExp); is {
		n.branch(in, choice.Test, one(&ast.Return{Value: choice.Body}), one(&ast.Return{Value: choice.Orelse}), after)
		return
	}
	if test, negated := n.truth(in, value); test != nil {
		yes, no := one(returnTrue), one(returnFalse)
		if negated {
			yes, no = no, yes
		}
		n.branch(in, test, yes, no, after)
		return
	}
	if scope.IsConstant(value, ast.None) && !n.inAsync {
		value = nil
	}
	if value == nil && after == functionTail {
		return
	}
	n.op(byte(ast.KindReturn))
	n.optional(in, value)
}

// assignTuple writes a, b = 1, 2 as two assignments, if the values are literals
// and the targets are different variables of a function.
func (n *normalizer) assignTuple(in int32, targets []ast.Expr, value ast.Expr) bool {
	values, is := value.(*ast.Tuple)
	if !is || len(targets) != 1 || !isLiteral(values) || n.Scopes[in].Kind != scope.FunctionScope || n.Scopes[in].Declares {
		return false
	}
	var elements []ast.Expr
	switch t := targets[0].(type) {
	case *ast.Tuple:
		elements = t.Elts
	case *ast.List:
		elements = t.Elts
	}
	if len(elements) == 0 || len(elements) != len(values.Elts) || len(elements) > 16 {
		return false
	}
	for i, element := range elements {
		name, is := element.(*ast.Name)
		if !is {
			return false
		}
		for _, other := range elements[:i] {
			if other.(*ast.Name).ID == name.ID {
				return false
			}
		}
	}
	for i := range elements {
		n.assign(in, elements[i:i+1:i+1], values.Elts[i])
	}
	return true
}

func (n *normalizer) annAssign(in int32, s *ast.AnnAssign) {
	_, isName := s.Target.(*ast.Name)
	if !n.literal && !n.KeepsAnnotations() && isName && s.Simple && !n.readClass(in) {
		if s.Value != nil {
			n.assign(in, []ast.Expr{s.Target}, s.Value)
		}
		return
	}
	if isName && s.Simple {
		if s.Value == nil && n.edits.At(asked.DropAnnotation, s.Target.Bounds().Start) && !n.view.looked[in] {
			return
		}
	}
	if n.asking && s.Value != nil && (isName && s.Simple || n.Scopes[in].Kind == scope.FunctionScope) {
		n.assign(in, []ast.Expr{s.Target}, s.Value)
		n.hint(in, 0, s.Annotation, n.variableHintFree(in, s.Target))
		return
	}
	n.kind(s)
	n.op(boolByte(s.Simple))
	n.expr(in, s.Target)
	n.expr(in, s.Annotation)
	n.optional(in, s.Value)
}

// readClass reports whether a scope is a class whose decorators, bases or
// metaclass may read its annotations and the order of its names, as a dataclass
// does.
func (n *normalizer) readClass(in int32) bool {
	return n.Scopes[in].Kind == scope.ClassScope && !n.ordinary[in]
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (n *normalizer) loop(in int32, s *ast.For, node ast.Stmt) {
	n.kind(node)
	n.expr(in, s.Iter)
	n.expr(in, s.Target)
	mark := len(n.definite)
	n.surely(in, s.Target)
	n.block(in, s.Body, loopTail)
	n.forget(mark)
	n.block(in, s.Orelse, noTail)
}

func (n *normalizer) with(in int32, s *ast.With, node ast.Stmt) {
	n.kind(node)
	for _, item := range s.Items {
		n.kind(item)
		n.expr(in, item.ContextExpr)
		if item.OptionalVars == nil || n.isDead(in, item.OptionalVars) || n.dropped(in, item.OptionalVars) {
			n.op(opAbsent)
		} else {
			n.expr(in, item.OptionalVars)
			n.surely(in, item.OptionalVars)
		}
	}
	n.end()
	n.Tries++
	n.block(in, s.Body, noTail)
	n.Tries--
}

func (n *normalizer) try(in int32, s *ast.Try, node ast.Stmt) {
	n.kind(node)
	n.Tries++
	n.block(in, s.Body, noTail)
	n.Tries--
	for i, handler := range s.Handlers {
		n.kind(handler)
		if last := i == len(s.Handlers)-1; last && !n.literal && node.Kind() == ast.KindTry && n.catchesAll(in, handler.Type, s.Body) {
			n.op(opAbsent)
		} else if handler.Type == nil && n.edits.At(asked.Catch, handler.Start) {
			n.caught(in)
		} else {
			n.optional(in, handler.Type)
		}
		if handler.Name == "" || n.droppedHandler(in, handler) || n.deadHandler(in, handler.Name) {
			n.op(opAbsent)
		} else {
			n.name(in, handler.Name)
		}
		n.handler(in, handler)
	}
	n.end()
	n.block(in, s.Orelse, noTail)
	n.block(in, s.FinalBody, noTail)
}

// handler writes the body of a handler, in which its name is bound.
func (n *normalizer) handler(in int32, h *ast.ExceptHandler) {
	at := int32(-1)
	if h.Name != "" {
		at = n.Lookup(in, h.Name)
	}
	if at >= 0 {
		n.marks[at].definite = n.Symbols[at].Dels == 0
	}
	n.block(in, h.Body, noTail)
	if at >= 0 {
		n.marks[at].definite = false
	}
}

// catchesAll reports whether a handler catches everything that the body may
// raise: it has no type, its type is BaseException, or its type is Exception and
// nothing raises anything else.
func (n *normalizer) catchesAll(in int32, handler ast.Expr, body []ast.Stmt) bool {
	if handler == nil {
		return true
	}
	name, is := handler.(*ast.Name)
	if !is || n.literal || !n.isBuiltinName(in, name.ID) {
		return false
	}
	switch name.ID {
	case "BaseException":
		return true
	case "Exception":
		return !n.wayOut && !suspends(body)
	}
	return false
}

// suspends reports whether a caller may throw an exception such as GeneratorExit
// or CancelledError into statements.
func suspends(body []ast.Stmt) bool {
	found := false
	for _, statement := range body {
		ast.Inspect(statement, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.Yield, *ast.YieldFrom, *ast.Await, *ast.AsyncFor, *ast.AsyncWith:
				found = true
			case *ast.Comprehension:
				found = found || node.IsAsync
			}
			return !found
		})
	}
	return found
}

// deadHandler reports whether nothing reads the name of a handler and nothing
// else binds it. The handler deletes the name at its end.
func (n *normalizer) deadHandler(in int32, text string) bool {
	if n.literal {
		return false
	}
	at := n.Lookup(in, text)
	if at < 0 {
		return false
	}
	s := &n.Symbols[at]
	return n.unread(at) && s.Stores == s.Handlers && !s.Pinned
}

// alias writes the binding of an import's alias.
func (n *normalizer) alias(in int32, alias *ast.Alias) {
	i := n.importIndex(alias)
	if i < 0 {
		return
	}
	imported := &n.Imports[i]
	if n.isHoisted[i] || n.droppedImport(imported) || n.unusedImport(imported) || n.repeatedImport(imported) {
		return
	}
	if moved, is := n.request.movedImports[int32(i)]; is {
		n.step(patternStep{kind: stepMoved, index: moved})
		return
	}
	n.importStatement(in, imported)
}

// run returns the number of imports at the beginning of a list that may come in any order: each
// binds another name, or the same one to the same module. The order in which modules of others
// are loaded counts as style.
func (n *normalizer) run(body []ast.Stmt) int {
	if !n.asking || n.unsorted {
		return 0
	}
	length := 0
	var run []*scope.Import
	for length < len(body) && isImport(body[length]) && !isFuture(body[length]) {
		for _, alias := range aliasesOf(body[length]) {
			run = append(run, &n.Imports[n.importIndex(alias)])
		}
		length++
	}
	bound := map[int32]*scope.Import{}
	for _, imported := range run {
		other := bound[imported.Symbol]
		if imported.Symbol < 0 || other != nil && !sameBinding(imported, other) || imported.Module == "this" || imported.Module == "antigravity" {
			n.conflicts = true
			return 0
		}
		bound[imported.Symbol] = imported
	}
	return length
}

// sameBinding reports whether two imports bind a name to the same value: import os, os.path.
func sameBinding(a, b *scope.Import) bool {
	return a.Name == "" && b.Name == "" && a.Alias.AsName == "" && b.Alias.AsName == "" || sameImport(a, b) && a.Level == b.Level
}

// sorted writes imports in a fixed order. at is the index of the first in the module.
func (n *normalizer) sorted(body []ast.Stmt, at int32) {
	var run []int
	for _, statement := range body {
		if n.overridden[statement] {
			continue
		}
		for _, alias := range aliasesOf(statement) {
			run = append(run, n.importIndex(alias))
		}
	}
	slices.SortStableFunc(run, func(i, j int) int {
		a, b := &n.Imports[i], &n.Imports[j]
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Alias.AsName, b.Alias.AsName))
	})
	for k, i := range run {
		if k > 0 && len(n.request.moved) > 0 {
			n.step(patternStep{kind: stepBoundary, index: at})
		}
		n.alias(0, n.Imports[i].Alias)
	}
}

func aliasesOf(statement ast.Stmt) []*ast.Alias {
	switch s := statement.(type) {
	case *ast.Import:
		return s.Names
	case *ast.ImportFrom:
		return s.Names
	}
	return nil
}

func isFuture(statement ast.Stmt) bool {
	s, is := statement.(*ast.ImportFrom)
	return is && s.Level == 0 && s.Module == "__future__"
}

// importStatement writes an import with the dots before its module.
func (n *normalizer) importStatement(in int32, imported *scope.Import) {
	if imported.Level > 0 {
		n.op(byte(ast.KindImportFrom))
		n.uint(int(imported.Level))
	}
	n.importOf(in, imported)
}

// droppedImport reports whether an import has no visible effect.
func (n *normalizer) droppedImport(imported *scope.Import) bool {
	return imported.Symbol >= 0 && n.mayDrop(imported.Symbol) && n.unread(imported.Symbol) && !n.Symbols[imported.Symbol].Pinned &&
		scope.Importable(imported.Module, imported.Name)
}

// mayDrop reports whether an import may be dropped if nothing reads its symbol.
func (n *normalizer) mayDrop(at int32) bool {
	return !n.literal || n.asking && !n.Facts.Star && !n.view.seen[at] && !n.view.keepsHints && !n.Mentions("modules")
}

// importIndex returns the index of an alias's import.
func (n *normalizer) importIndex(alias *ast.Alias) int {
	i, found := slices.BinarySearchFunc(n.Imports, alias.Start, func(imported scope.Import, start int32) int {
		return cmp.Compare(imported.Alias.Start, start)
	})
	if !found {
		return -1
	}
	return i
}

func (n *normalizer) importOf(in int32, imported *scope.Import) {
	if imported.Name == "*" {
		n.op(opStar)
		n.string(imported.Module)
		return
	}
	n.op(opImport)
	n.string(imported.Module)
	n.string(imported.Name)
	n.op(boolByte(imported.Name == "" && imported.Alias.AsName != "")) // import a.b as c binds b, import a.b binds a
	n.name(in, imported.Alias.Bound())
}

// isIdle reports whether an import from __future__ has no effect: the feature is always on, or is
// about annotations that nothing reads.
func (n *normalizer) isIdle(alias *ast.Alias) bool {
	at := n.Lookup(0, alias.Bound())
	if at < 0 || !n.mayDrop(at) || n.callers.Reads(alias.Bound()) || n.Symbols[at].Loads > 0 || n.Symbols[at].Dels > 0 || n.Symbols[at].Stores > 1 {
		return false
	}
	switch alias.Name {
	case "annotations":
		return !n.KeepsAnnotations() && !n.Facts.ReadClass && !n.Mentions("dataclass")
	case "nested_scopes", "generators", "division", "absolute_import", "with_statement", "print_function", "unicode_literals", "generator_stop":
		return true
	}
	return false
}

func (n *normalizer) importFrom(in int32, s *ast.ImportFrom) {
	if s.Level == 0 && s.Module == "__future__" {
		for _, alias := range s.Names {
			if n.isIdle(alias) {
				continue
			}
			n.op(opImport)
			n.string("__future__")
			n.string(alias.Name)
			n.name(in, alias.Bound())
		}
		return
	}
	for _, alias := range s.Names {
		n.alias(in, alias)
	}
}

func (n *normalizer) function(in int32, f *ast.FunctionDef, node ast.Stmt) {
	n.kind(node)
	for _, decorator := range f.DecoratorList {
		n.expr(in, decorator)
	}
	n.end()
	n.defaults(in, f.Args)
	n.name(in, f.Name)
	if n.literal && len(f.TypeParams) > 0 {
		n.typeParams(in, f.TypeParams)
	}
	n.hintsOf(in, f)
	s := n.enter(node)
	async, tries := n.inAsync, n.Tries
	n.Tries = 0
	n.inAsync = node.Kind() == ast.KindAsyncFunctionDef
	n.fixParameters(s, f)
	mark := n.parameters(s, f.Args)
	n.body(s, f.Body, functionTail, n.writesPattern && n.docFree(f.DecoratorList, n.escapes(in, f.Name)))
	n.end()
	n.forget(mark)
	n.inAsync, n.Tries = async, tries
	n.surelyNamed(in, f.Name)
}

// defaults writes the parameters' defaults, which belong to the scope around.
func (n *normalizer) defaults(in int32, a *ast.Arguments) {
	n.exprs(in, a.Defaults)
	for _, value := range a.KwDefaults {
		n.optional(in, value)
	}
}

// parameters writes the parameters in their own scope. It returns the mark for
// forget.
func (n *normalizer) parameters(s int32, a *ast.Arguments) int {
	mark := len(n.definite)
	if args := slices.Concat(a.PosOnlyArgs, a.Args); len(args) > 0 {
		n.first[s] = args[0].Arg
	}
	n.uint(len(a.PosOnlyArgs))
	n.uint(len(a.Args))
	n.uint(len(a.KwOnlyArgs))
	n.op(boolByte(a.VarArg != nil)<<1 | boolByte(a.KwArg != nil))
	scope.EachArg(a, func(arg *ast.Arg) {
		n.name(s, arg.Arg)
		n.surelyNamed(s, arg.Arg)
	})
	return mark
}

func (n *normalizer) classDef(in int32, c *ast.ClassDef) {
	n.kind(c)
	for _, decorator := range c.DecoratorList {
		n.expr(in, decorator)
	}
	n.end()
	bases := n.bases(in, c)
	n.exprs(in, bases)
	n.keywords(in, c.Keywords)
	n.name(in, c.Name)
	if n.literal && len(c.TypeParams) > 0 {
		n.typeParams(in, c.TypeParams)
	}
	s := n.enter(c)
	n.ordinary[s] = len(c.DecoratorList)+len(bases)+len(c.Keywords) == 0 && !n.Mentions("dataclass")
	async, foreign, unknown := n.inAsync, n.inForeign, n.inUnknown
	n.inAsync, n.inForeign, n.inUnknown = false, n.isForeign(in, c), !n.isKnown(in, c)
	if !n.inForeign {
		n.classes[s] = c
	}
	mark := len(n.definite)
	n.body(s, c.Body, noTail, n.writesPattern && n.docFree(nil, false))
	n.forget(mark)
	n.end()
	n.inAsync, n.inForeign, n.inUnknown = async, foreign, unknown
}
