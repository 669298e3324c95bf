package same

import (
	"cmp"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file writes imports: those of Python's own modules come first and in a fixed order, those
// that nothing reads are left out.

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

func sameImport(a, b *scope.Import) bool {
	return a.Module == b.Module && a.Name == b.Name && a.Alias.AsName == b.Alias.AsName && a.Symbol == b.Symbol
}

// alias writes the binding of an import's alias.
func (w *writer) alias(in int32, alias *ast.Alias) {
	i := w.importIndex(alias)
	if i < 0 {
		return
	}
	imported := &w.Imports[i]
	if w.droppedImport(imported) {
		return
	}
	if moved, is := w.request.movedImports[int32(i)]; is {
		w.step(patternStep{kind: stepMoved, index: moved})
		return
	}
	w.maybe(w.unusedImport(imported) || w.repeatedImport(imported), func() { w.importStatement(in, imported) })
}

// run returns the number of imports at the beginning of a list, and whether they may come in any
// order: each binds another name, or the same one to the same module. The order in which modules
// of others are loaded counts as style.
func (w *writer) run(body []ast.Stmt) (length int, isFree bool) {
	if w.unsorted {
		return 0, false
	}
	isFree = true
	bound := map[int32]*scope.Import{}
	for length < len(body) && isImport(body[length]) && !isFuture(body[length]) {
		for _, alias := range aliasesOf(body[length]) {
			imported := &w.Imports[w.importIndex(alias)]
			other := bound[imported.Symbol]
			if imported.Symbol < 0 || other != nil && (!sameBinding(imported, other) || imported.Lazy != other.Lazy) || imported.Module == "this" || imported.Module == "antigravity" {
				isFree = false
			}
			bound[imported.Symbol] = imported
		}
		length++
	}
	w.conflicts = w.conflicts || !isFree
	return length, isFree
}

// sameBinding reports whether two imports bind a name to the same value: import os, os.path.
func sameBinding(a, b *scope.Import) bool {
	return a.Name == "" && b.Name == "" && a.Alias.AsName == "" && b.Alias.AsName == "" || sameImport(a, b) && a.Level == b.Level
}

// sorted writes imports in a fixed order. at is the index of the first in the module.
func (w *writer) sorted(body []ast.Stmt, at int32) {
	var run []int
	dropped := map[int]bool{}
	for _, statement := range body {
		for _, alias := range aliasesOf(statement) {
			i := w.importIndex(alias)
			run = append(run, i)
			if w.request.overridden[statement] {
				dropped[i] = true
			}
		}
	}
	slices.SortStableFunc(run, func(i, j int) int {
		a, b := &w.Imports[i], &w.Imports[j]
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Alias.AsName, b.Alias.AsName))
	})
	for k, i := range run {
		if k > 0 && len(w.request.moved) > 0 {
			w.step(patternStep{kind: stepBoundary, index: at})
		}
		w.maybe(dropped[i], func() { w.alias(0, w.Imports[i].Alias) })
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
	w.importOf(in, imported)
}

// droppedImport reports whether an import has no visible effect.
func (w *writer) droppedImport(imported *scope.Import) bool {
	return imported.Symbol >= 0 && w.mayDrop(imported.Symbol) && w.unread(imported.Symbol) && !w.Symbols[imported.Symbol].Pinned &&
		scope.Importable(imported.Module, imported.Name)
}

// mayDrop reports whether an import may be dropped if nothing reads its symbol.
func (w *writer) mayDrop(at int32) bool {
	return !w.Facts.Star && !w.view.seen[at] && !w.view.keepsHints && !w.Mentions("modules")
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

func (w *writer) importOf(in int32, imported *scope.Import) {
	if imported.Name == "*" {
		w.op(opStar)
		w.string(imported.Module)
		return
	}
	w.op(opImport)
	w.string(imported.Module)
	w.string(imported.Name)
	w.flag(imported.Name == "" && imported.Alias.AsName != "") // import a.b as c binds b, import a.b binds a
	w.name(in, imported.Alias.Bound())
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

func (w *writer) importFrom(in int32, s *ast.ImportFrom) {
	if s.Level == 0 && s.Module == "__future__" {
		for _, alias := range s.Names {
			if w.isIdle(alias) {
				continue
			}
			w.op(opImport)
			w.string("__future__")
			w.string(alias.Name)
			w.name(in, alias.Bound())
		}
		return
	}
	for _, alias := range s.Names {
		w.alias(in, alias)
	}
}
