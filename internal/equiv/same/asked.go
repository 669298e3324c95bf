package same

import (
	"codelinter/internal/equiv/scope"
	"maps"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
)

// This file proves that an answer is the program after the edits that the program's findings
// ask for, see package asked. Such an edit counts whatever the program imports and whatever
// == means in it, because flake8 asked for it.
//
// The answer is written as a stream of bytes that keeps all names. The program is written as
// a pattern of such streams. The pattern has a choice where a finding asks for an edit:
//
//	if a == None:      finding E711      if a is None:
//	if a == True:      finding E712      if a is True:  or  if a:
//	x = f()            finding F841      f()
//	x = 1              finding F841      1  or nothing
//	import x           finding E402      nothing, if it stands further up
//
// It also has places for what need not be asked for: a variable of a function, see locals.go, a
// docstring and an annotation, see view.go, and adjacent imports in any order, see imports.go.
// A docstring that something may read is compared by its words, as formatters indent it, unless
// something reads __doc__.
//
// Everything else is in the pattern as it is, so another edit is a difference. Two streams
// are the same only if the trees are, because every part of a stream marks its end.

// literally writes a text with all its names into n.out, as the program's pattern unless
// edits is nil. It reports whether CPython compiles the text; other texts have no such form.
func (n *normalizer) literally(module *ast.Module, edits *asked.Edits, callers *scope.Callers) bool {
	if n.Facts.TooDeep || n.Facts.Broken {
		return false
	}
	n.begin(callers)
	n.look(module, n.writesPattern)
	n.literal, n.asking, n.plain, n.edits = true, true, false, edits
	n.steps, n.flushed = n.steps[:0], 0
	n.conflicts = false
	n.move(module.Body)
	n.body(0, module.Body, noTail, n.writesPattern && n.docFree(nil, false))
	n.end()
	n.flush()
	n.edits, n.asking = nil, false
	return true
}

// patternsOf makes the patterns of a program; there are none if it has no form. row returns
// the row of an offset. Of two equal imports either may be removed, which takes two patterns.
func (n *normalizer) patternsOf(module *ast.Module, edits *asked.Edits, callers *scope.Callers, row func(int32) int) []*pattern {
	var patterns []*pattern
	for _, n.unsorted = range [...]bool{false, true} {
		for _, dropsEarlier := range [...]bool{false, true} {
			if p := n.patternOf(module, edits, callers, row, dropsEarlier); p != nil {
				patterns = append(patterns, p)
			}
			if !edits.Asks(asked.DropRepeated) {
				break
			}
		}
		if !n.conflicts {
			break
		}
	}
	n.unsorted = false
	return patterns
}

// patternOf makes one pattern. dropsEarlier says that of two equal imports the earlier one is
// removed.
func (n *normalizer) patternOf(module *ast.Module, edits *asked.Edits, callers *scope.Callers, row func(int32) int, dropsEarlier bool) *pattern {
	n.writesPattern = true
	n.request = request{row: row, dropsEarlier: dropsEarlier}
	defer func() { n.writesPattern, n.request = false, request{} }()
	n.edits, n.callers = edits, callers
	n.look(module, true)
	n.understand()
	if !n.literally(module, edits, callers) {
		return nil
	}
	n.free()
	keywords := maps.Clone(callers.Keywords)
	for i := range n.Table.Names {
		if name := &n.Table.Names[i]; name.Keyword {
			keywords[name.Text] = true
		}
	}
	return &pattern{
		stream: slices.Clone(n.out), steps: slices.Clone(n.steps), names: n.request.renamed, moved: n.request.moved, unsorted: n.unsorted,
		locals: n.request.locals, words: n.view.words, parameters: n.view.parameters, keywords: keywords,
	}
}

// A request has the edits of names and imports that findings ask for.
type request struct {
	row          func(int32) int
	dropsEarlier bool
	variables    map[int32]bool // symbols that are never read
	imports      map[int32]bool // symbols of imports that are never read
	renamed      []newName
	asked        map[int32]bool  // symbols of functions that a finding asks to rename
	repeated     map[int32]bool  // symbols of functions that a finding asks to replace by the module's
	importsOf    map[int32][]int // indices in imports, by symbol; for imports to drop
	locals       []local
	moved        []movedImport
	movedImports map[int32]int32 // index in imports to index in moved
}

// understand finds the symbols that the findings are about.
func (n *normalizer) understand() {
	r := &n.request
	if !n.edits.Any() {
		return
	}
	r.variables, r.imports, r.asked, r.repeated = map[int32]bool{}, map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
	for _, bound := range n.Bindings {
		s := &n.Symbols[bound.Symbol]
		if n.Scopes[s.Scope].Kind == scope.FunctionScope && n.edits.At(asked.DropTarget, bound.Offset) && s.Loads == 0 && s.Dels == 0 && !n.looksAt(s) {
			r.variables[bound.Symbol] = true
		}
		n.rename(bound)
	}
	for i := range n.Imports {
		imported := &n.Imports[i]
		if imported.Symbol < 0 || !n.edits.Import(imported.Offset, imported.FullModule(), imported.Alias) {
			continue
		}
		s := &n.Symbols[imported.Symbol]
		if s.Loads == 0 && s.Dels == 0 && s.Stores == s.Imports && n.Scopes[s.Scope].Kind != scope.ClassScope &&
			!n.callers.Reads(n.Table.Names[s.Name].Text) && !n.looksAt(s) {
			r.imports[imported.Symbol] = true
		}
	}
	if n.edits.Asks(asked.DropRepeated) {
		r.importsOf = map[int32][]int{}
		for i := range n.Imports {
			at := n.Imports[i].Symbol
			r.importsOf[at] = append(r.importsOf[at], i)
		}
	}
	for i := range n.Imports { // imports that a repeated import relies on stay
		if imported := &n.Imports[i]; n.repeatedImport(imported) {
			if at := imported.Symbol; at != n.around(imported) {
				r.repeated[at] = true
			}
			r.imports[n.around(imported)] = false
		}
	}
}

// rename records a name that a finding asks to change, if it may change.
func (n *normalizer) rename(bound scope.Binding) {
	s := &n.Symbols[bound.Symbol]
	text := n.Table.Names[s.Name].Text
	if !scope.Ambiguous(text) || !n.edits.Renamed(int32(n.request.row(bound.Offset)), text) || n.looksAt(s) || n.renamedAt(bound.Symbol) >= 0 ||
		n.Scopes[s.Scope].Kind == scope.ClassScope || s.Pinned || n.callers.Reads(text) ||
		s.Param && (n.callers.Keyword(text) || n.IsKeyword(text)) {
		return
	}
	if n.isLocal(bound.Symbol) {
		n.request.asked[bound.Symbol] = true
		return
	}
	r := newName{symbol: bound.Symbol, name: text, taken: map[string]bool{}}
	within := make([]bool, len(n.Scopes))
	for i := range n.Scopes { // outer scopes come first
		within[i] = int32(i) == s.Scope || n.Scopes[i].Parent >= 0 && within[n.Scopes[i].Parent]
	}
	for where := range n.Bound { // names that are bound, declared or looked up in a scope
		if name := int32(uint32(where)); within[where>>32] && name != s.Name {
			r.taken[n.Table.Names[name].Text] = true
		}
	}
	for i := range n.Table.Names {
		if name := &n.Table.Names[i]; n.callers.Reads(name.Text) || s.Param && (name.Keyword || n.callers.Keyword(name.Text)) {
			r.taken[name.Text] = true
		}
	}
	n.request.renamed = append(n.request.renamed, r)
}

// renamedAt returns the index of a symbol in the renamed names, or -1.
func (n *normalizer) renamedAt(symbol int32) int {
	return slices.IndexFunc(n.request.renamed, func(r newName) bool { return r.symbol == symbol })
}

// flush makes a step of the bytes written since the last step.
func (n *normalizer) flush() {
	if end := int32(len(n.out)); end > n.flushed {
		n.steps = append(n.steps, patternStep{kind: stepBytes, from: n.flushed, to: end})
		n.flushed = end
	}
}

// step adds a step after what was written, and returns its index.
func (n *normalizer) step(s patternStep) int {
	n.flush()
	n.steps = append(n.steps, s)
	return len(n.steps) - 1
}

// either writes a choice of count ways, each by write. Matching tries the first way first.
func (n *normalizer) either(count int, write func(way int)) {
	var jumps []int
	for way := range count {
		choice := -1
		if way < count-1 {
			choice = n.step(patternStep{kind: stepChoice})
		}
		write(way)
		n.flush()
		if choice >= 0 {
			jumps = append(jumps, n.step(patternStep{kind: stepJump}))
			n.steps[choice].to = int32(len(n.steps))
		}
	}
	for _, jump := range jumps {
		n.steps[jump].to = int32(len(n.steps))
	}
}

// like writes a text that may differ in an answer.
func (n *normalizer) like(kind stepKind, text string) {
	n.flush()
	from := int32(len(n.out))
	n.out = append(n.out, text...)
	n.flushed = int32(len(n.out))
	n.steps = append(n.steps, patternStep{kind: kind, from: from, to: n.flushed})
}

// replaced writes an expression that a finding asks to replace, and reports whether there is
// such a finding. truth says that only the truth of the value is used.
func (n *normalizer) replaced(in int32, e ast.Expr, truth bool) bool {
	operand, negated := e, false
	if not, is := e.(*ast.UnaryOp); is && not.Op == ast.Not {
		operand, negated = not.Operand, true
	}
	list := n.edits.Expressions(operand, truth || negated)
	if len(list) == 0 {
		return false
	}
	n.either(len(list), func(way int) {
		inner, twice := list[way].(*ast.UnaryOp)
		if negated && truth && twice && inner.Op == ast.Not {
			n.test(in, inner.Operand)
		} else if negated {
			n.unary(in, &ast.UnaryOp{Op: ast.Not, Operand: list[way]})
		} else {
			n.expr(in, list[way])
		}
	})
	return true
}

// dropped reports whether findings ask to remove the variable that a target binds.
func (n *normalizer) dropped(in int32, target ast.Expr) bool {
	name, is := target.(*ast.Name)
	return is && len(n.request.variables) > 0 && n.request.variables[n.Lookup(in, name.ID)]
}

// droppedHandler reports whether a finding asks to remove the name of a handler. Other
// handlers with the same name do not read it, as each handler deletes its own.
func (n *normalizer) droppedHandler(in int32, h *ast.ExceptHandler) bool {
	if h.Name == "" || !n.edits.At(asked.DropTarget, h.Start) {
		return false
	}
	at := n.Lookup(in, h.Name)
	return at >= 0 && n.Symbols[at].Stores == n.Symbols[at].Handlers && !n.looksAt(&n.Symbols[at])
}

// assignDropped writes an assignment without the targets that findings ask to remove, and
// reports whether there are any.
func (n *normalizer) assignDropped(in int32, targets []ast.Expr, value ast.Expr) bool {
	isDropped := func(target ast.Expr) bool { return n.dropped(in, target) }
	if !slices.ContainsFunc(targets, isDropped) {
		return false
	}
	kept := slices.DeleteFunc(slices.Clone(targets), isDropped)
	if len(kept) > 0 {
		n.assign(in, kept, value)
		return true
	}
	if _, is := value.(*ast.Constant); is || !n.pure(in, value) && (n.Tries > 0 || !n.quiet(value)) {
		n.exprStmt(in, value)
		return true
	}
	n.either(2, func(way int) {
		if way == 0 {
			n.exprStmt(in, value)
		}
	})
	return true
}

// quiet reports whether evaluating an unused value has no effect: it consists of constants,
// names and attributes, outside of a try that may expect its exception. An attribute may run
// code if the program has properties.
func (n *normalizer) quiet(value ast.Expr) bool {
	switch e := value.(type) {
	case *ast.Constant, *ast.Name:
		return true
	case *ast.Attribute:
		if id, known := n.IDs[e.Attr]; known && n.Table.Names[id].Member {
			return false
		}
		return n.quiet(e.Value) && !n.Mentions("__getattr__") && !n.Mentions("__getattribute__") && !n.Mentions("__get__")
	case *ast.Tuple:
		return !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { return !n.quiet(e) })
	case *ast.List:
		return !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { return !n.quiet(e) })
	}
	return false
}

// unusedImport reports whether a finding asks to remove an import. An import in a try may be
// there to test whether the module exists.
func (n *normalizer) unusedImport(imported *scope.Import) bool {
	return n.request.imports[imported.Symbol] && !imported.Tried
}

// repeatedImport reports whether a finding asks to remove an import because of an equal one
// above:
//
//	import os
//	...
//	import os
//
// In a function, the name then is the module's.
func (n *normalizer) repeatedImport(imported *scope.Import) bool {
	if imported.Symbol < 0 || imported.Tried || n.request.dropsEarlier || !n.edits.At(asked.DropRepeated, imported.Offset) {
		return false
	}
	s := &n.Symbols[imported.Symbol]
	around := n.around(imported)
	if around < 0 || n.Scopes[s.Scope].Kind == scope.ClassScope || n.looksAt(s) {
		return false
	}
	above := false
	same := n.request.importsOf[around]
	if imported.Symbol != around {
		same = slices.Concat(same, n.request.importsOf[imported.Symbol])
	}
	if len(same) > maxMoved {
		return false // no program repeats an import so often
	}
	for _, i := range same {
		other := &n.Imports[i]
		if other.Module != imported.Module || other.Name != imported.Name || other.Alias.AsName != imported.Alias.AsName {
			return false // the name may be bound otherwise
		}
		above = above || other.Symbol == around && other.Direct && !other.Tried && other.Alias.Start < imported.Alias.Start
	}
	for _, at := range [...]int32{imported.Symbol, around} {
		if t := &n.Symbols[at]; t.Stores != t.Imports || t.Dels > 0 {
			return false
		}
	}
	return above
}

// around returns the symbol for an import's name if its function did not import it. For an
// import of the module it is the import's own symbol.
func (n *normalizer) around(imported *scope.Import) int32 {
	s := &n.Symbols[imported.Symbol]
	if parent := n.Scopes[s.Scope].Parent; parent >= 0 {
		return n.Resolve(parent, s.Name)
	}
	return imported.Symbol
}

// redefine finds the definitions of a block that findings ask to remove because the block
// binds the name again. Nothing may read the name in between: either only other modules read
// it, or nothing runs in between.
func (n *normalizer) redefine(in int32, body []ast.Stmt) {
	if !n.edits.Asks(asked.DropRedefined) {
		return
	}
	for i, statement := range body {
		name, offset := definedName(statement)
		if name == "" || !n.edits.Redefined(int32(n.request.row(offset)), name) {
			continue
		}
		at := n.Lookup(in, name)
		if at < 0 || n.Symbols[at].Scope != in || n.looksAt(&n.Symbols[at]) {
			continue
		}
		for _, later := range body[i+1:] {
			if n.Symbols[at].Loads+n.Symbols[at].Dels > 0 && !n.inert(in, later) && !isImport(later) {
				break
			}
			if sameImports(statement, later) && !n.request.dropsEarlier {
				break // repeatedImport removes one of them
			}
			if binds(later, name) {
				n.overridden[statement] = true
				break
			}
		}
	}
}

// isImport reports whether a statement is an import, star imports excepted.
func isImport(statement ast.Stmt) bool {
	switch s := statement.(type) {
	case *ast.Import:
		return true
	case *ast.ImportFrom:
		return s.Names[0].Name != "*"
	}
	return false
}

// binds reports whether a statement is a definition or an import of a name.
func binds(statement ast.Stmt, name string) bool {
	bound, _ := definedName(statement)
	return bound == name || ast.OpensScope(statement) && ast.Binds(statement) == name
}

// sameImports reports whether two statements import the same under one name.
func sameImports(a, b ast.Stmt) bool {
	switch a := a.(type) {
	case *ast.Import:
		b, is := b.(*ast.Import)
		return is && len(a.Names) == 1 && len(b.Names) == 1 && a.Names[0].Name == b.Names[0].Name && a.Names[0].AsName == b.Names[0].AsName
	case *ast.ImportFrom:
		b, is := b.(*ast.ImportFrom)
		return is && len(a.Names) == 1 && len(b.Names) == 1 && a.Names[0].Name == b.Names[0].Name && a.Names[0].AsName == b.Names[0].AsName &&
			a.Level == b.Level && a.Module == b.Module
	}
	return false
}

// definedName returns the name that a def or an import binds. It returns "" for other
// statements and for those that may have effects.
func definedName(statement ast.Stmt) (name string, offset int32) {
	switch s := ast.Plain(statement).(type) {
	case *ast.FunctionDef:
		if inertFunction(s) {
			return s.Name, s.Start
		}
	case *ast.Import:
		if len(s.Names) == 1 && (s.Names[0].AsName != "" || !strings.Contains(s.Names[0].Name, ".")) {
			return s.Names[0].Bound(), s.Start
		}
	case *ast.ImportFrom:
		if len(s.Names) == 1 && s.Names[0].Name != "*" && s.Module != "__future__" {
			return s.Names[0].Bound(), s.Start
		}
	}
	return "", 0
}

// caught writes the choices for a bare except.
func (n *normalizer) caught(in int32) {
	types := [...]string{"", "Exception", "BaseException"}
	n.either(len(types), func(way int) {
		switch {
		case types[way] == "":
			n.op(opAbsent)
		case n.isFree(types[way]):
			n.op(opLiteral)
			n.string(types[way])
		default:
			n.op(opEnd) // no expression: the program binds that name
		}
	})
}

// move finds the imports that findings ask to move to the top of the module, and how far up
// they may go: past statements that only bind names other than the import's.
func (n *normalizer) move(body []ast.Stmt) {
	r := &n.request
	if !n.edits.Asks(asked.Move) {
		return
	}
	r.movedImports = map[int32]int32{}
	for i := range n.Imports {
		imported := &n.Imports[i]
		if imported.Symbol < 0 || !imported.Direct || len(r.moved) == maxMoved || !n.edits.At(asked.Move, imported.Offset) ||
			n.droppedImport(imported) || n.unusedImport(imported) || n.repeatedImport(imported) {
			continue
		}
		s := &n.Symbols[imported.Symbol]
		if s.Stores != 1 || s.Dels > 0 {
			continue
		}
		first := imported.Top
		for int(first) > n.Head && n.passes(s, first-1, body[first-1]) {
			first--
		}
		if first == imported.Top {
			continue
		}
		n.flush()
		from := int32(len(n.out))
		n.importStatement(0, imported)
		n.flushed = int32(len(n.out))
		r.movedImports[int32(i)] = int32(len(r.moved))
		r.moved = append(r.moved, movedImport{statement: imported.Top, first: first, from: from, to: n.flushed})
	}
}

// passes reports whether an import may move up past a statement of the module: the statement
// does not notice whether the import came before.
func (n *normalizer) passes(s *scope.Symbol, at int32, statement ast.Stmt) bool {
	if !n.binding(statement) {
		return false
	}
	for i := range n.Uses {
		if u := &n.Uses[i]; u.Top == at && u.Name == s.Name {
			switch statement.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef:
				if u.Scope != 0 {
					continue // the body runs later
				}
			}
			return false
		}
	}
	return true
}

// binding reports whether a statement only binds names of the module to values that are made
// without a call.
func (n *normalizer) binding(statement ast.Stmt) bool {
	switch s := statement.(type) {
	case *ast.Import, *ast.ImportFrom:
		return isImport(statement)
	case *ast.Assign:
		for _, target := range s.Targets {
			if _, is := target.(*ast.Name); !is {
				return false
			}
		}
		return CallsNothing(s.Value)
	case *ast.AnnAssign:
		_, is := s.Target.(*ast.Name)
		return is && (s.Value == nil || CallsNothing(s.Value))
	case *ast.If:
		return CallsNothing(s.Test) && n.allBinding(s.Body) && n.allBinding(s.Orelse)
	case *ast.Try:
		for _, handler := range s.Handlers {
			if handler.Type != nil && !CallsNothing(handler.Type) || !n.allBinding(handler.Body) {
				return false
			}
		}
		return n.allBinding(s.Body) && n.allBinding(s.Orelse) && n.allBinding(s.FinalBody)
	}
	return n.inert(0, statement)
}

func (n *normalizer) allBinding(body []ast.Stmt) bool {
	for _, statement := range body {
		if !n.binding(statement) {
			return false
		}
	}
	return true
}

// CallsNothing reports whether an expression, or the parameters of a function, consists of names, attributes, constants and
// comparisons. These may run code, but none that depends on imports.
func CallsNothing(n ast.Node) bool {
	quiet := true
	ast.Inspect(n, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.Constant, *ast.Name, *ast.Attribute, *ast.Subscript, *ast.Slice, *ast.Compare, *ast.BoolOp, *ast.UnaryOp,
			*ast.Tuple, *ast.List, *ast.Set, *ast.Dict, *ast.IfExp, *ast.Lambda, *ast.Arguments, *ast.Arg:
		default:
			quiet = false
		}
		return quiet
	})
	return quiet
}
