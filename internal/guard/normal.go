package guard

import (
	"cmp"
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
	names
	out        []byte
	plain      bool // imports and callers are plain, see module
	literal    bool // keep names, annotations and docstrings
	wayOut     bool // other exceptions than Exception may be raised
	callers    *callers
	types      []valueType
	visible    []visibleName
	numbered   int32
	entered    int32
	definite   []int32 // symbols that are surely bound at this point
	hoisted    []int32 // indices in imports
	isHoisted  []bool  // by index in imports
	overridden map[ast.Stmt]bool
	rebound    []int32
	inAsync    bool   // in an async def, and not in a def or a class within it
	value      []byte // of the current constant

	// For a program that is written as a pattern, see literally.
	writesPattern bool
	edits         *asked.Edits
	steps         []patternStep
	flushed       int32 // length of out that is in steps
	request       request
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
)

// normalize writes the normal form of module into n.out and n.visible, after
// n.read. It returns false if there is none.
func (n *normalizer) normalize(module *ast.Module, callers *callers) bool {
	n.out, n.visible = n.out[:0], n.visible[:0]
	n.callers = callers
	if n.facts.tooDeep || n.facts.broken || n.class&seesLines != 0 {
		return false
	}
	n.plain = !callers.strange && !n.facts.dunderText
	n.literal = n.class&seesNames != 0 || n.facts.star || n.facts.typeParameters || n.facts.privateNames
	for i := range n.imports {
		imported := &n.imports[i]
		m := modules()[imported.module]
		if imported.symbol >= 0 && n.unread(imported.symbol) && importable(imported.module, imported.name) {
			continue
		}
		n.plain = n.plain && m != nil && m.plain
		n.literal = n.literal || m == nil || !m.quiet
		if m != nil && m.lines {
			return false
		}
	}
	n.literal = n.literal || n.facts.oddAnnotation
	n.infer()
	n.wayOut = !n.plain || (n.class|callers.class)&exits != 0 || n.raisesBase(module)
	n.begin(callers)
	n.op(boolByte(n.literal)<<1 | boolByte(n.keepsAnnotations()))
	n.enterScope(0)
	n.hoist(module.Body)
	n.statements(0, module.Body, true, false)
	n.end()
	return true
}

// begin resets the normalizer for another text.
func (n *normalizer) begin(callers *callers) {
	n.out, n.callers = n.out[:0], callers
	n.numbered, n.entered = 0, 0
	n.definite, n.rebound = n.definite[:0], n.rebound[:0]
	for i := range n.symbols {
		n.symbols[i].definite = false
	}
	n.isHoisted = append(n.isHoisted[:0], make([]bool, len(n.imports))...)
	n.inAsync = false
	if n.overridden == nil {
		n.overridden = map[ast.Stmt]bool{}
	}
	clear(n.overridden)
}

// raisesBase reports whether the text has the name BaseException elsewhere than
// in a handler.
func (n *normalizer) raisesBase(module *ast.Module) bool {
	id, known := n.ids["BaseException"]
	if !known {
		return false
	}
	mentions, handlers := 0, 0
	for i := range n.uses {
		if n.uses[i].name == id {
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
	return mentions != handlers || n.names.names[id].builtin < 0
}

// unread reports whether nothing reads a name.
func (n *normalizer) unread(at int32) bool {
	s := &n.symbols[at]
	if s.loads > 0 || s.dels > 0 || n.scopes[s.scope].kind == classScope {
		return false
	}
	text := &n.names.names[s.name]
	// A name that other statements bind too may be part of the module's
	// interface.
	return s.scope != 0 || s.stores == s.imports+s.handlers && text.class&isBuiltin == 0 && !strings.HasPrefix(text.text, "__") && !n.callers.reads(text.text)
}

// deadStore reports whether a bound value is never seen.
func (n *normalizer) deadStore(scope int32, text string) bool {
	if n.literal || !n.plain || n.class&finalizes != 0 || n.facts.cleanedGenerator {
		return false
	}
	at := n.resolve(scope, n.ids[text])
	if at < 0 {
		return false
	}
	s := &n.symbols[at]
	return n.scopes[s.scope].kind == functionScope && s.loads == 0 && s.dels == 0 && !s.pinned
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
	for i := range n.imports {
		if imported := &n.imports[i]; imported.direct && imported.symbol >= 0 && importable(imported.module, imported.name) {
			n.hoisted = append(n.hoisted, int32(i))
		}
	}
	slices.SortStableFunc(n.hoisted, func(a, b int32) int {
		x, y := &n.imports[a], &n.imports[b]
		if c := strings.Compare(x.module, y.module); c != 0 {
			return c
		}
		if c := strings.Compare(x.name, y.name); c != 0 {
			return c
		}
		if c := strings.Compare(x.alias.AsName, y.alias.AsName); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	kept := n.hoisted[:0]
	for from := 0; from < len(n.hoisted); {
		first := &n.imports[n.hoisted[from]]
		to := from + 1
		for to < len(n.hoisted) && sameImport(first, &n.imports[n.hoisted[to]]) {
			to++
		}
		s := &n.symbols[first.symbol]
		text := &n.names.names[s.name]
		steady := n.imports[n.hoisted[to-1]].top <= inert || !n.mayChange(first)
		if steady && int(s.stores) == to-from && s.dels == 0 && !s.pinned && text.class&isBuiltin == 0 &&
			(first.top <= inert || s.first >= first.top) {
			for _, i := range n.hoisted[from:to] {
				n.isHoisted[i] = true
			}
			kept = append(kept, n.hoisted[from])
		}
		from = to
	}
	n.hoisted = kept
	for _, i := range kept {
		if imported := &n.imports[i]; !n.unread(imported.symbol) {
			n.importOf(0, imported)
		}
	}
}

// mayChange reports whether the imported value may change while the program runs:
// the text sets an attribute of that name, or other code changes the module.
func (n *normalizer) mayChange(imported *importedName) bool {
	if imported.name == "" {
		return false
	}
	return n.names.names[n.ids[imported.name]].stored || n.mentions("setattr") || n.mentions("delattr") ||
		imported.module == "sys" || imported.module == "warnings"
}

func sameImport(a, b *importedName) bool {
	return a.module == b.module && a.name == b.name && a.alias.AsName == b.alias.AsName && a.symbol == b.symbol
}

// inert reports whether a statement only binds names, so no function runs in it
// and it reads no other name.
func (n *normalizer) inert(scope int32, statement ast.Stmt) bool {
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
			if !importable(alias.Name, "") {
				return false
			}
		}
		return true
	case *ast.ImportFrom:
		if s.Module == "__future__" && s.Level == 0 {
			return true
		}
		for _, alias := range s.Names {
			if s.Level > 0 || !importable(s.Module, alias.Name) {
				return false
			}
		}
		return true
	case *ast.ClassDef:
		if len(s.DecoratorList)+len(s.Bases)+len(s.Keywords) > 0 {
			return false
		}
		for _, inner := range s.Body {
			if !n.inert(scope, inner) {
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
func (n *normalizer) override(scope int32, body []ast.Stmt) {
	if n.literal || len(body) < 2 || n.readClass(scope) {
		return
	}
	from := len(n.rebound)
	for i := len(body) - 1; i >= 0; i-- {
		if !n.inert(scope, body[i]) {
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
		at := n.resolve(scope, n.ids[name])
		if at < 0 || n.symbols[at].scope != scope {
			continue
		}
		if !slices.Contains(n.rebound[from:], at) {
			if len(n.rebound)-from < 64 { // enough in practice, and keeps the time linear
				n.rebound = append(n.rebound, at)
			}
			continue
		}
		if f, is := body[i].(*ast.FunctionDef); is && n.scopes[n.scopeOf[scopeKey{f.Start, ast.KindFunctionDef}]].odd {
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
	n.scopes[s].number = n.entered
	if !n.literal { // literally, a choice may write a scope twice
		n.uint(int(n.entered))
	}
}

// enter enters the scope of a node.
func (n *normalizer) enter(node ast.Node) int32 {
	s := n.scopeOf[scopeKey{node.Bounds().Start, node.Kind()}]
	n.enterScope(s)
	return s
}

// name writes a name that stands in a scope.
func (n *normalizer) name(scope int32, text string) {
	if n.literal {
		n.op(opLiteral)
		if len(n.request.renamed) > 0 {
			if at := n.renamedAt(n.resolve(scope, n.ids[text])); at >= 0 {
				n.step(patternStep{kind: stepName, index: int32(at)})
				return
			}
		}
		n.string(text)
		return
	}
	at := n.resolve(scope, n.ids[text])
	if at < 0 { // a builtin
		n.op(opLiteral)
		n.string(text)
		return
	}
	s := &n.symbols[at]
	if n.scopes[s.scope].kind == classScope {
		n.op(opClassName)
		n.uint(int(n.scopes[s.scope].number))
		n.string(text)
		return
	}
	if s.number != 0 {
		n.op(opName)
		n.uint(int(s.number))
		return
	}
	n.numbered++
	s.number = n.numbered
	n.op(opNewName)
	n.uint(int(n.scopes[s.scope].number))
	global := s.scope == 0
	fixed := s.pinned || s.shown || n.class&readsNames != 0 || n.facts.namedHandler
	if !global && !s.param && !fixed {
		n.op('L')
		return
	}
	n.op('V')
	n.visible = append(n.visible, visibleName{name: text, parameter: s.param, fixed: fixed})
}

// surely records that a name is bound until the end of the block.
func (n *normalizer) surely(scope int32, target ast.Expr) {
	if name, is := target.(*ast.Name); is {
		n.surelyNamed(scope, name.ID)
	}
}

func (n *normalizer) surelyNamed(scope int32, text string) {
	at := n.resolve(scope, n.ids[text])
	if at < 0 {
		return
	}
	if s := &n.symbols[at]; s.scope == scope && !s.definite && s.dels == 0 && s.handlers == 0 {
		s.definite = true
		n.definite = append(n.definite, at)
	}
}

// forget ends a block, whose bindings are not sure after it.
func (n *normalizer) forget(mark int) {
	for _, at := range n.definite[mark:] {
		n.symbols[at].definite = false
	}
	n.definite = n.definite[:mark]
}

// block writes the statements of a block and its end.
func (n *normalizer) block(scope int32, body []ast.Stmt) {
	mark := len(n.definite)
	n.statements(scope, body, false, false)
	n.forget(mark)
	n.end()
}

// statements writes statements without an end mark. documented says that the
// first may be a docstring, tail that they end a function.
func (n *normalizer) statements(scope int32, body []ast.Stmt, documented, tail bool) {
	n.override(scope, body)
	n.redefine(scope, body)
	for i, statement := range body {
		if scope == 0 && len(n.request.moved) > 0 && documented {
			n.step(patternStep{kind: stepBoundary, index: int32(i)})
		}
		if n.overridden[statement] {
			continue
		}
		n.statement(scope, statement, documented && i == 0, tail && i == len(body)-1)
	}
}

func (n *normalizer) statement(scope int32, statement ast.Stmt, first, tail bool) {
	switch s := ast.Plain(statement).(type) {
	case *ast.FunctionDef:
		n.function(scope, s, statement)
	case *ast.ClassDef:
		n.classDef(scope, s)
	case *ast.Return:
		value := s.Value
		if c, is := value.(*ast.Constant); is && c.Type == ast.None && !n.inAsync {
			value = nil
		}
		if value == nil && tail && !n.literal {
			return
		}
		n.kind(s)
		n.optional(scope, value)
	case *ast.Delete:
		n.kind(s)
		n.exprs(scope, s.Targets)
	case *ast.Assign:
		n.assign(scope, s.Targets, s.Value)
	case *ast.TypeAlias:
		n.kind(s)
		n.name(scope, s.Name.ID)
		n.typeParams(scope, s.TypeParams)
		n.expr(scope, s.Value)
	case *ast.AugAssign:
		n.kind(s)
		n.op(byte(s.Op))
		n.expr(scope, s.Target)
		n.expr(scope, s.Value)
	case *ast.AnnAssign:
		n.annAssign(scope, s)
	case *ast.For:
		n.loop(scope, s, statement)
	case *ast.While:
		n.kind(s)
		n.test(scope, s.Test)
		n.block(scope, s.Body)
		n.block(scope, s.Orelse)
	case *ast.If:
		n.kind(s)
		n.test(scope, s.Test)
		n.block(scope, s.Body)
		if len(s.Orelse) > 0 && leaves(s.Body) {
			n.end()
			mark := len(n.definite)
			n.statements(scope, s.Orelse, false, tail)
			n.forget(mark)
		} else {
			n.block(scope, s.Orelse)
		}
	case *ast.With:
		n.with(scope, s, statement)
	case *ast.Match:
		n.kind(s)
		n.expr(scope, s.Subject)
		for _, c := range s.Cases {
			n.kind(c)
			n.pattern(scope, c.Pattern)
			if c.Guard == nil {
				n.op(opAbsent)
			} else {
				n.test(scope, c.Guard)
			}
			n.block(scope, c.Body)
		}
		n.end()
	case *ast.Raise:
		n.kind(s)
		n.optional(scope, s.Exc)
		n.optional(scope, s.Cause)
	case *ast.Try:
		n.try(scope, s, statement)
	case *ast.Assert:
		n.kind(s)
		n.test(scope, s.Test)
		n.optional(scope, s.Msg)
	case *ast.Import:
		for _, alias := range s.Names {
			n.alias(scope, alias)
		}
	case *ast.ImportFrom:
		n.importFrom(scope, s)
	case *ast.Global:
		n.declaration(scope, s, s.Names)
	case *ast.Nonlocal:
		n.declaration(scope, s, s.Names)
	case *ast.ExprStmt:
		n.exprStmt(scope, s.Value, first)
	case *ast.Pass:
	case *ast.Break, *ast.Continue:
		n.kind(s)
	}
}

func (n *normalizer) exprStmt(scope int32, value ast.Expr, first bool) {
	if c, is := value.(*ast.Constant); is {
		if n.literal && first && c.Type == ast.Str {
			n.op(opDoc)
			if n.writesPattern && !n.facts.readsDoc {
				n.like(stepWords, c.Text)
			} else {
				n.string(c.Text)
			}
		}
		return
	}
	if !n.literal && n.pure(scope, value) {
		return
	}
	n.op(byte(ast.KindExprStmt))
	n.expr(scope, value)
}

// leaves reports whether the code after a block does not run: its last statement
// leaves.
func leaves(body []ast.Stmt) bool {
	switch body[len(body)-1].(type) {
	case *ast.Return, *ast.Raise, *ast.Break, *ast.Continue:
		return true
	}
	return false
}

// declaration writes a global or nonlocal statement in its place: CPython refuses
// one after a use of the name.
func (n *normalizer) declaration(scope int32, s ast.Stmt, list []string) {
	n.kind(s)
	n.uint(len(list))
	for _, text := range list {
		n.name(scope, text)
	}
}

func (n *normalizer) assign(scope int32, targets []ast.Expr, value ast.Expr) {
	if !n.literal {
		if n.assignLambda(scope, targets, value) || n.assignTuple(scope, targets, value) {
			return
		}
		live := 0
		for _, target := range targets {
			if !n.isDead(scope, target) {
				live++
			}
		}
		if live == 0 {
			n.exprStmt(scope, value, false)
			return
		}
	}
	if n.edits.At(asked.Define, targets[0].Bounds().Start) && n.assignLambda(scope, targets, value) || n.assignDropped(scope, targets, value) {
		return
	}
	n.op(byte(ast.KindAssign))
	n.expr(scope, value)
	for _, target := range targets {
		if !n.literal && n.isDead(scope, target) {
			continue
		}
		n.expr(scope, target)
		n.surely(scope, target)
	}
	n.end()
}

func (n *normalizer) isDead(scope int32, target ast.Expr) bool {
	name, is := target.(*ast.Name)
	return is && n.deadStore(scope, name.ID)
}

// assignLambda writes name = lambda ... as a def. The functions differ only in
// their name, qualified name and lines.
func (n *normalizer) assignLambda(scope int32, targets []ast.Expr, value ast.Expr) bool {
	lambda, is := value.(*ast.Lambda)
	if !is || len(targets) != 1 {
		return false
	}
	name, is := targets[0].(*ast.Name)
	if !is {
		return false
	}
	if at := n.resolve(scope, n.ids[name.ID]); n.edits == nil && (n.class&readsNames != 0 || n.facts.namedHandler || at >= 0 && n.symbols[at].shown) {
		return false // of its name
	}
	n.op(byte(ast.KindFunctionDef))
	n.end() // no decorators
	n.defaults(scope, lambda.Args)
	n.name(scope, name.ID)
	if n.literal {
		n.op(opAbsent) // no annotation of the result
	}
	s := n.enter(lambda)
	mark := n.parameters(s, lambda.Args)
	n.returned(s, lambda.Body)
	n.end()
	n.forget(mark)
	n.surely(scope, name)
	return true
}

// returned writes return value, as a function's last statement.
func (n *normalizer) returned(scope int32, value ast.Expr) {
	if c, is := value.(*ast.Constant); is && c.Type == ast.None {
		if !n.literal {
			return
		}
		value = nil
	}
	n.op(byte(ast.KindReturn))
	n.optional(scope, value)
}

// assignTuple writes a, b = 1, 2 as two assignments, if the values are literals
// and the targets are different variables of a function.
func (n *normalizer) assignTuple(scope int32, targets []ast.Expr, value ast.Expr) bool {
	values, is := value.(*ast.Tuple)
	if !is || len(targets) != 1 || !isLiteral(values) || n.scopes[scope].kind != functionScope || n.scopes[scope].declares {
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
		n.assign(scope, elements[i:i+1:i+1], values.Elts[i])
	}
	return true
}

func (n *normalizer) annAssign(scope int32, s *ast.AnnAssign) {
	_, isName := s.Target.(*ast.Name)
	if !n.literal && !n.keepsAnnotations() && isName && s.Simple && !n.readClass(scope) {
		if s.Value != nil {
			n.assign(scope, []ast.Expr{s.Target}, s.Value)
		}
		return
	}
	if isName && s.Simple {
		if s.Value == nil && n.edits.At(asked.DropAnnotation, s.Target.Bounds().Start) && !n.request.looked[scope] {
			return
		}
		if s.Value != nil && n.assignDropped(scope, []ast.Expr{s.Target}, s.Value) {
			return
		}
	}
	n.kind(s)
	n.op(boolByte(s.Simple))
	n.expr(scope, s.Target)
	n.expr(scope, s.Annotation)
	n.optional(scope, s.Value)
}

// readClass reports whether a scope is a class whose decorators, bases or
// metaclass may read its annotations and the order of its names, as a dataclass
// does.
func (n *normalizer) readClass(scope int32) bool {
	return n.scopes[scope].kind == classScope && !n.scopes[scope].ordinary
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (n *normalizer) loop(scope int32, s *ast.For, node ast.Stmt) {
	n.kind(node)
	n.expr(scope, s.Iter)
	n.expr(scope, s.Target)
	mark := len(n.definite)
	n.surely(scope, s.Target)
	n.block(scope, s.Body)
	n.forget(mark)
	n.block(scope, s.Orelse)
}

func (n *normalizer) with(scope int32, s *ast.With, node ast.Stmt) {
	n.kind(node)
	for _, item := range s.Items {
		n.kind(item)
		n.expr(scope, item.ContextExpr)
		if item.OptionalVars == nil || n.isDead(scope, item.OptionalVars) || n.dropped(scope, item.OptionalVars) {
			n.op(opAbsent)
		} else {
			n.expr(scope, item.OptionalVars)
		}
	}
	n.end()
	n.tries++
	n.block(scope, s.Body)
	n.tries--
}

func (n *normalizer) try(scope int32, s *ast.Try, node ast.Stmt) {
	n.kind(node)
	n.tries++
	n.block(scope, s.Body)
	n.tries--
	for i, handler := range s.Handlers {
		n.kind(handler)
		if last := i == len(s.Handlers)-1; last && !n.literal && node.Kind() == ast.KindTry && n.catchesAll(scope, handler.Type, s.Body) {
			n.op(opAbsent)
		} else if handler.Type == nil && n.edits.At(asked.Catch, handler.Start) {
			n.caught(scope)
		} else {
			n.optional(scope, handler.Type)
		}
		if handler.Name == "" || n.droppedHandler(scope, handler) || n.deadHandler(scope, handler.Name) {
			n.op(opAbsent)
		} else {
			n.name(scope, handler.Name)
		}
		n.block(scope, handler.Body)
	}
	n.end()
	n.block(scope, s.Orelse)
	n.block(scope, s.FinalBody)
}

// catchesAll reports whether a handler catches everything that the body may
// raise: it has no type, its type is BaseException, or its type is Exception and
// nothing raises anything else.
func (n *normalizer) catchesAll(scope int32, handler ast.Expr, body []ast.Stmt) bool {
	if handler == nil {
		return true
	}
	name, is := handler.(*ast.Name)
	if !is || n.literal || !n.isBuiltinName(scope, name.ID) {
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
func (n *normalizer) deadHandler(scope int32, text string) bool {
	if n.literal {
		return false
	}
	at := n.resolve(scope, n.ids[text])
	if at < 0 {
		return false
	}
	s := &n.symbols[at]
	return n.unread(at) && s.stores == s.handlers && !s.pinned
}

// alias writes the binding of an import's alias.
func (n *normalizer) alias(scope int32, alias *ast.Alias) {
	i := n.importIndex(alias)
	if i < 0 {
		return
	}
	imported := &n.imports[i]
	if n.isHoisted[i] || n.droppedImport(imported) || n.unusedImport(imported) || n.repeatedImport(imported) {
		return
	}
	if moved, is := n.request.movedImports[int32(i)]; is {
		n.step(patternStep{kind: stepMoved, index: moved})
		return
	}
	n.importStatement(scope, imported)
}

// importStatement writes an import with the dots before its module.
func (n *normalizer) importStatement(scope int32, imported *importedName) {
	if imported.level > 0 {
		n.op(byte(ast.KindImportFrom))
		n.uint(int(imported.level))
	}
	n.importOf(scope, imported)
}

// droppedImport reports whether an import has no visible effect.
func (n *normalizer) droppedImport(imported *importedName) bool {
	return !n.literal && imported.symbol >= 0 && n.unread(imported.symbol) && !n.symbols[imported.symbol].pinned &&
		importable(imported.module, imported.name)
}

// importIndex returns the index of an alias's import.
func (n *normalizer) importIndex(alias *ast.Alias) int {
	i, found := slices.BinarySearchFunc(n.imports, alias.Start, func(imported importedName, start int32) int {
		return cmp.Compare(imported.alias.Start, start)
	})
	if !found {
		return -1
	}
	return i
}

func (n *normalizer) importOf(scope int32, imported *importedName) {
	if imported.name == "*" {
		n.op(opStar)
		n.string(imported.module)
		return
	}
	n.op(opImport)
	n.string(imported.module)
	n.string(imported.name)
	n.op(boolByte(imported.name == "" && imported.alias.AsName != "")) // import a.b as c binds b, import a.b binds a
	n.name(scope, imported.alias.Bound())
}

func (n *normalizer) importFrom(scope int32, s *ast.ImportFrom) {
	if s.Level == 0 && s.Module == "__future__" {
		for _, alias := range s.Names {
			if alias.Name == "annotations" && !n.literal && !n.keepsAnnotations() && !n.facts.readClass && !n.mentions("dataclass") {
				continue // affects only annotations
			}
			n.op(opImport)
			n.string("__future__")
			n.string(alias.Name)
			n.name(scope, alias.Bound())
		}
		return
	}
	for _, alias := range s.Names {
		n.alias(scope, alias)
	}
}

func (n *normalizer) function(scope int32, f *ast.FunctionDef, node ast.Stmt) {
	n.kind(node)
	for _, decorator := range f.DecoratorList {
		n.expr(scope, decorator)
	}
	n.end()
	n.defaults(scope, f.Args)
	n.name(scope, f.Name)
	if n.literal && len(f.TypeParams) > 0 {
		n.typeParams(scope, f.TypeParams)
	}
	if n.literal || n.keepsAnnotations() {
		at := 0
		eachArg(f.Args, func(arg *ast.Arg) {
			at++
			if arg.Annotation != nil {
				n.op(opAnnotation)
				n.uint(at)
				n.expr(scope, arg.Annotation)
			}
		})
		n.optional(scope, f.Returns)
	}
	s := n.enter(node)
	async, tries := n.inAsync, n.tries
	n.tries = 0
	n.inAsync = node.Kind() == ast.KindAsyncFunctionDef
	mark := n.parameters(s, f.Args)
	n.statements(s, f.Body, true, true)
	n.end()
	n.forget(mark)
	n.inAsync, n.tries = async, tries
	n.surelyNamed(scope, f.Name)
}

// defaults writes the parameters' defaults, which belong to the scope around.
func (n *normalizer) defaults(scope int32, a *ast.Arguments) {
	n.exprs(scope, a.Defaults)
	for _, value := range a.KwDefaults {
		n.optional(scope, value)
	}
}

// parameters writes the parameters in their own scope. It returns the mark for
// forget.
func (n *normalizer) parameters(s int32, a *ast.Arguments) int {
	mark := len(n.definite)
	n.uint(len(a.PosOnlyArgs))
	n.uint(len(a.Args))
	n.uint(len(a.KwOnlyArgs))
	n.op(boolByte(a.VarArg != nil)<<1 | boolByte(a.KwArg != nil))
	eachArg(a, func(arg *ast.Arg) {
		n.name(s, arg.Arg)
		n.surelyNamed(s, arg.Arg)
	})
	return mark
}

func (n *normalizer) classDef(scope int32, c *ast.ClassDef) {
	n.kind(c)
	for _, decorator := range c.DecoratorList {
		n.expr(scope, decorator)
	}
	n.end()
	n.exprs(scope, c.Bases)
	n.keywords(scope, c.Keywords)
	n.name(scope, c.Name)
	if n.literal && len(c.TypeParams) > 0 {
		n.typeParams(scope, c.TypeParams)
	}
	s := n.enter(c)
	n.scopes[s].ordinary = len(c.DecoratorList)+len(c.Bases)+len(c.Keywords) == 0 && !n.mentions("dataclass")
	async := n.inAsync
	n.inAsync = false
	mark := len(n.definite)
	n.statements(s, c.Body, true, false)
	n.forget(mark)
	n.end()
	n.inAsync = async
}
