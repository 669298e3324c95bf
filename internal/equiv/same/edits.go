package same

import (
	"codelinter/internal/equiv/scope"
	"maps"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
)

// This file finds where a program's findings ask for an edit, see package asked, and writes the
// choices there. Such an edit counts whatever the program imports and whatever == means in it,
// because flake8 asked for it. Each may be made or left:
//
//	if a == None:      finding E711      if a is None:
//	if a == True:      finding E712      if a is True:  or  if a:
//	x = f()            finding F841      f()
//	x = 1              finding F841      nothing
//
// An import that E402 asks to move has one place in both texts, see imports.go. The pattern also has
// places for what need not be asked for: a variable of a function, see locals.go, a docstring and an
// annotation, see view.go. A docstring that something may read is compared by its words, as formatters indent
// it, unless something reads __doc__.

// patternOf makes the pattern of a program; there is none if CPython does not compile it. row returns the
// row of an offset.
func (w *writer) patternOf(module *ast.Module, edits *asked.Edits, callers *scope.Callers, row func(int32) int) *pattern {
	w.writesPattern, w.edits, w.callers, w.request = true, edits, callers, request{row: row}
	defer func() { w.writesPattern, w.edits, w.request = false, nil, request{} }()
	w.understand()
	if !w.write(module, callers) {
		return nil
	}
	w.free()
	keywords := maps.Clone(callers.Keywords)
	for i := range w.Table.Names {
		if name := &w.Table.Names[i]; name.Keyword {
			keywords[name.Text] = true
		}
	}
	return &pattern{
		stream: slices.Clone(w.out), steps: slices.Clone(w.steps), variables: w.request.variables, callers: callers, names: &w.Table,
		words: w.view.words, parameters: w.view.parameters, keywords: keywords,
	}
}

// A request has the edits of names and imports that findings ask for.
type request struct {
	row        func(int32) int
	unused     map[int32]bool    // symbols of variables that are never read
	imports    map[int32]bool    // symbols of imports that are never read
	overridden map[ast.Stmt]bool // definitions whose name is bound again
	asked      map[int32]bool    // symbols that a finding asks to rename
	variables  []variable
}

// understand finds the symbols that the findings are about.
func (w *writer) understand() {
	r := &w.request
	w.moves = map[importKey]bool{}
	if !w.edits.Any() {
		return
	}
	r.unused, r.imports, r.asked, r.overridden = map[int32]bool{}, map[int32]bool{}, map[int32]bool{}, map[ast.Stmt]bool{}
	for _, bound := range w.Bindings {
		s := &w.Symbols[bound.Symbol]
		if w.Scopes[s.Scope].Kind == scope.FunctionScope && w.edits.At(asked.DropTarget, bound.Offset, "") && s.Loads == 0 && s.Dels == 0 && !w.looksAt(s.Scope) {
			r.unused[bound.Symbol] = true
		}
		w.rename(bound)
	}
	for i := range w.Imports {
		imported := &w.Imports[i]
		if w.edits.At(asked.Move, imported.Offset, "") {
			w.moves[keyOf(imported)] = true
		}
		if imported.Symbol < 0 || !w.edits.Import(imported.Offset, imported.FullModule(), imported.Alias) {
			continue
		}
		s := &w.Symbols[imported.Symbol]
		if s.Loads == 0 && s.Dels == 0 && s.Stores == s.Imports && w.Scopes[s.Scope].Kind != scope.ClassScope &&
			!w.callers.Reads(w.Table.Names[s.Name].Text) && !w.looksAt(s.Scope) {
			r.imports[imported.Symbol] = true
		}
	}
}

// rename records a name that a finding asks to change, if it may change.
func (w *writer) rename(bound scope.Binding) {
	s := &w.Symbols[bound.Symbol]
	text := w.Table.Names[s.Name].Text
	if !scope.Ambiguous(text) || !w.edits.At(asked.Rename, int32(w.request.row(bound.Offset)), text) || w.looksAt(s.Scope) ||
		w.Scopes[s.Scope].Kind == scope.ClassScope || s.Pinned || w.callers.Bound[text] || w.callers.Reads(text) && !(s.Function && s.Scope == 0) ||
		s.Param && (w.callers.Keyword(text) || w.IsKeyword(text)) {
		return
	}
	w.request.asked[bound.Symbol] = true
}

// flush makes a step of the bytes written since the last step.
func (w *writer) flush() {
	if end := int32(len(w.out)); end > w.flushed {
		w.steps = append(w.steps, patternStep{kind: stepBytes, from: w.flushed, to: end})
		w.flushed = end
	}
}

// step adds a step after what was written, and returns its index.
func (w *writer) step(s patternStep) int {
	w.flush()
	w.steps = append(w.steps, s)
	return len(w.steps) - 1
}

// alternatives writes a choice of count ways, each by write. Matching tries the first way first.
func (w *writer) alternatives(count int, write func(way int)) {
	var jumps []int
	for way := range count {
		choice := -1
		if way < count-1 {
			choice = w.step(patternStep{kind: stepChoice})
		}
		write(way)
		w.flush()
		if choice >= 0 {
			jumps = append(jumps, w.step(patternStep{kind: stepJump}))
			w.steps[choice].to = int32(len(w.steps))
		}
	}
	for _, jump := range jumps {
		w.steps[jump].to = int32(len(w.steps))
	}
}

// maybe writes something, or, if an edit is asked for, nothing instead.
func (w *writer) maybe(isAsked bool, write func()) {
	if !isAsked {
		write()
		return
	}
	w.alternatives(2, func(way int) {
		if way == 0 {
			write()
		}
	})
}

// words writes a text that may have other blanks in an answer.
func (w *writer) words(text string) {
	w.flush()
	from := w.flushed
	w.out = append(w.out, text...)
	w.flushed = int32(len(w.out))
	w.steps = append(w.steps, patternStep{kind: stepWords, from: from, to: w.flushed})
}

// replaced writes an expression that a finding asks to replace, as it is or replaced, and reports
// whether there is such a finding. truth says that only the truth of the value is used.
func (w *writer) replaced(e ast.Expr, truth bool, write func(ast.Expr)) bool {
	list := w.edits.Expressions(e, truth)
	if len(list) == 0 || w.kept == e {
		return false
	}
	w.alternatives(1+len(list), func(way int) {
		if way > 0 {
			write(list[way-1])
			return
		}
		kept := w.kept
		w.kept = e
		write(e)
		w.kept = kept
	})
	return true
}

// dropped reports whether findings ask to remove the variable that a target binds.
func (w *writer) dropped(in int32, target ast.Expr) bool {
	name, is := target.(*ast.Name)
	return is && len(w.request.unused) > 0 && w.request.unused[w.Lookup(in, name.ID)]
}

// droppedHandler reports whether a finding asks to remove the name of a handler. Other
// handlers with the same name do not read it, as each handler deletes its own.
func (w *writer) droppedHandler(in int32, h *ast.ExceptHandler) bool {
	if h.Name == "" || !w.edits.At(asked.DropTarget, h.Start, "") {
		return false
	}
	at := w.Lookup(in, h.Name)
	return at >= 0 && w.Symbols[at].Stores == w.Symbols[at].Handlers && !w.looksAt(w.Symbols[at].Scope)
}

// unusedImport reports whether a finding asks to remove an import. An import in a try may be
// there to test whether the module exists.
func (w *writer) unusedImport(imported *scope.Import) bool {
	return w.request.imports[imported.Symbol] && !imported.Tried
}

// redefine finds the definitions of a block that findings ask to remove because the block
// binds the name again. Nothing may read the name in between: either only other modules read
// it, or nothing runs in between.
func (w *writer) redefine(in int32, body []ast.Stmt) {
	if !w.edits.Asks(asked.DropRedefined) {
		return
	}
	for i, statement := range body {
		name, offset := definedName(statement)
		if name == "" || !w.edits.At(asked.DropRedefined, int32(w.request.row(offset)), name) {
			continue
		}
		at := w.Lookup(in, name)
		if at < 0 || w.Symbols[at].Scope != in || w.looksAt(in) {
			continue
		}
		for _, later := range body[i+1:] {
			if w.Symbols[at].Loads+w.Symbols[at].Dels > 0 && !inert(later) {
				break
			}
			if binds(later, name) {
				w.request.overridden[statement] = true
				break
			}
		}
	}
}

// isImport reports whether a statement is an import that only binds the names it shows.
func isImport(statement ast.Stmt) bool {
	from, is := statement.(*ast.ImportFrom)
	if is && (from.Names[0].Name == "*" || from.Module == "this") {
		return false
	}
	return len(aliasesOf(statement)) > 0 && !slices.ContainsFunc(aliasesOf(statement), func(a *ast.Alias) bool { return a.Name == "this" || a.Name == "antigravity" })
}

// binds reports whether a statement is a definition or an import of a name.
func binds(statement ast.Stmt, name string) bool {
	bound, _ := definedName(statement)
	return bound == name || ast.OpensScope(statement) && ast.Binds(statement) == name
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
func (w *writer) caught(in int32) {
	types := [...]string{"", "Exception", "BaseException"}
	w.alternatives(len(types), func(way int) {
		switch {
		case types[way] == "":
			w.op(opAbsent)
		case w.isFree(types[way]):
			w.op(opName)
			w.string(types[way])
		default:
			w.op(opEnd) // no expression: the program binds that name
		}
	})
}

// CallsNothing reports whether an expression, or the parameters of a function, consists of names,
// attributes, constants and comparisons. These may run code, but none that depends on imports.
func CallsNothing(n ast.Node) bool {
	return scope.ConsistsOf(n, ast.KindConstant, ast.KindName, ast.KindAttribute, ast.KindSubscript, ast.KindSlice, ast.KindCompare, ast.KindBoolOp, ast.KindUnaryOp,
		ast.KindTuple, ast.KindList, ast.KindSet, ast.KindDict, ast.KindIfExp, ast.KindLambda, ast.KindArguments, ast.KindArg)
}
