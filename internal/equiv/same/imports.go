package same

import (
	"cmp"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file writes imports. One that could as well stand at the top of the module is written there,
// in a fixed order and once. One of a module of Python's own that nothing reads is left out.

// unread reports whether nothing reads a name.
func (w *writer) unread(at int32) bool {
	s := &w.Symbols[at]
	if s.Loads > w.view.rewritten[at] || s.Dels > 0 || w.Scopes[s.Scope].Kind == scope.ClassScope {
		return false
	}
	text := &w.Table.Names[s.Name]
	// A name that other statements bind too may be part of the module's
	// interface.
	return s.Scope != 0 || s.Stores == s.Imports+s.Handlers && text.Class&scope.Builtin == 0 && !strings.HasPrefix(text.Text, "__") && !w.callers.Reads(text.Text)
}

// An importKey says what an import imports.
type importKey struct {
	level                int32
	module, name, asName string
}

func keyOf(i *scope.Import) importKey { return importKey{i.Level, i.Module, i.Name, i.Alias.AsName} }

func compareImports(a, b importKey) int {
	return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.module, b.module), cmp.Compare(a.name, b.name), cmp.Compare(a.asName, b.asName))
}

// sameBinding reports whether two imports bind a name to the same value: import os, os.path.
func sameBinding(a, b *scope.Import) bool {
	x, y := keyOf(a), keyOf(b)
	return a.Lazy == b.Lazy && (x == y || x.name == "" && y.name == "" && x.asName == "" && y.asName == "")
}

// module writes the statements of a module: stretches of those that only bind names, and others. An
// import is written at the beginning of its stretch if nothing else binds its name, and nothing
// above it in the stretch reads the name or is more than
//
//   - another import, or an if or try: the order in which modules of others are loaded counts as
//     style;
//   - any statement of a stretch, if the module is Python's own, or E402 asks for the move.
func (w *writer) module(body []ast.Stmt) {
	w.hoisted = append(w.hoisted[:0], make([]bool, len(w.Imports))...)
	w.countImports()
	w.lastUse = append(w.lastUse[:0], make([]int32, len(w.Table.Names))...)
	uses := w.Uses
	for at := 0; at < len(body); {
		end := at
		for end < len(body) && (scope.IsIdle(body[end]) || isFuture(body[end]) || binding(body[end])) {
			end++
		}
		uses = w.hoist(body, at, end, uses)
		end = min(end+1, len(body))
		w.sequence(0, list{body: body[at:end]}, noTail)
		at = end
	}
}

// hoist writes the imports that belong at the beginning of a stretch. It takes the uses from the
// stretch on, and returns those after it.
func (w *writer) hoist(body []ast.Stmt, at, end int, uses []scope.Use) []scope.Use {
	isTop := true
	var top []int
	for from := at; at < end; at++ {
		statement := body[at]
		if !isImport(statement) || isFuture(statement) {
			kind := statement.Kind()
			isTop = isTop && (kind == ast.KindIf || kind == ast.KindTry || isFuture(statement) || scope.IsIdle(statement))
			continue
		}
		for ; len(uses) > 0 && int(uses[0].Top) < at; uses = uses[1:] {
			if !w.InFunction(uses[0].Scope) { // others are uses when the function runs
				w.lastUse[uses[0].Name] = uses[0].Top + 1
			}
		}
		for _, alias := range aliasesOf(statement) {
			i := w.importIndex(alias)
			imported := &w.Imports[i]
			if w.isOnlyImported(imported) && int(w.lastUse[w.Symbols[imported.Symbol].Name]) <= from && (isTop || w.moves[keyOf(imported)] || scope.Importable(imported.Module, imported.Name)) {
				w.hoisted[i] = true
				top = append(top, i)
			}
		}
	}
	slices.SortStableFunc(top, func(i, j int) int { return compareImports(keyOf(&w.Imports[i]), keyOf(&w.Imports[j])) })
	top = slices.CompactFunc(top, func(i, j int) bool { return keyOf(&w.Imports[i]) == keyOf(&w.Imports[j]) })
	for _, i := range top {
		w.imported(0, &w.Imports[i])
	}
	return uses
}

// countImports counts the imports that bind each symbol.
func (w *writer) countImports() {
	for i := range w.Imports {
		imported := &w.Imports[i]
		if imported.Symbol < 0 {
			continue
		}
		m := &w.marks[imported.Symbol]
		if m.imports++; m.imports == 1 {
			m.first = int32(i)
		}
		m.differ = m.differ || !sameBinding(&w.Imports[m.first], imported)
	}
}

// isOnlyImported reports whether nothing but the same import binds a name, and nothing deletes it.
func (w *writer) isOnlyImported(imported *scope.Import) bool {
	if imported.Symbol < 0 {
		return false
	}
	s, m := &w.Symbols[imported.Symbol], &w.marks[imported.Symbol]
	return s.Stores == m.imports && s.Dels == 0 && !m.differ
}

// alias writes the binding of an import's alias, unless it is at the top.
func (w *writer) alias(in int32, alias *ast.Alias, isFuture bool) {
	if isFuture && !w.isIdle(alias) {
		w.op(opImport)
		w.string("__future__")
		w.string(alias.Name)
		w.name(in, alias.Bound())
	} else if i := w.importIndex(alias); i >= 0 && !w.hoisted[i] {
		w.imported(in, &w.Imports[i])
	}
}

func (w *writer) imported(in int32, imported *scope.Import) {
	if !w.droppedImport(imported) {
		w.maybe(w.unusedImport(imported), func() { w.importStatement(in, imported) })
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
func (w *writer) importStatement(in int32, imported *scope.Import) {
	if imported.Lazy {
		w.op(opLazy)
	}
	if imported.Level > 0 {
		w.op(byte(ast.KindImportFrom))
		w.uint(int(imported.Level))
	}
	if imported.Name == "*" {
		w.op(opStar)
		w.string(imported.Module)
		return
	}
	w.op(opImport)
	w.string(imported.Module)
	w.string(imported.Name)
	w.flag(imported.Name == "" && imported.Alias.AsName != "" && strings.Contains(imported.Module, ".")) // import a.b as c binds b, import a.b binds a
	w.name(in, imported.Alias.Bound())
}

// droppedImport reports whether an import has no visible effect.
func (w *writer) droppedImport(imported *scope.Import) bool {
	return imported.Symbol >= 0 && w.mayDrop(imported.Symbol) && w.unread(imported.Symbol) && !w.Symbols[imported.Symbol].Pinned &&
		scope.Importable(imported.Module, imported.Name)
}

// mayDrop reports whether an import may be dropped if nothing reads its symbol.
func (w *writer) mayDrop(at int32) bool {
	return !w.Facts.Star && !w.sees(at) && !w.view.keepsHints && !w.Mentions("modules")
}

// importIndex returns the index of an alias's import.
func (w *writer) importIndex(alias *ast.Alias) int {
	i, found := slices.BinarySearchFunc(w.Imports, alias.Start, func(imported scope.Import, start int32) int {
		return cmp.Compare(imported.Alias.Start, start)
	})
	if !found {
		return -1
	}
	return i
}

// isIdle reports whether an import from __future__ has no effect: the feature is always on, or is
// about annotations that nothing reads.
func (w *writer) isIdle(alias *ast.Alias) bool {
	at := w.Lookup(0, alias.Bound())
	if at < 0 || !w.mayDrop(at) || w.callers.Reads(alias.Bound()) || w.Symbols[at].Loads > 0 || w.Symbols[at].Dels > 0 || w.Symbols[at].Stores > 1 {
		return false
	}
	switch alias.Name {
	case "annotations":
		return !w.KeepsAnnotations() && !w.Facts.ReadClass && !w.Mentions("dataclass")
	case "nested_scopes", "generators", "division", "absolute_import", "with_statement", "print_function", "unicode_literals", "generator_stop":
		return true
	}
	return false
}
