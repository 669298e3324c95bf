package same

import (
	"cmp"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file writes imports: those of Python's own modules come first and in a fixed order, those that nothing
// reads are left out.

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

// run returns the number of imports at the beginning of a list, and whether they may come in any
// order: each binds another name, or the same one to the same module. The order in which modules
// of others are loaded counts as style.
func (n *normalizer) run(body []ast.Stmt) (length int, isFree bool) {
	if !n.asking || n.unsorted {
		return 0, false
	}
	isFree = true
	bound := map[int32]*scope.Import{}
	for length < len(body) && isImport(body[length]) && !isFuture(body[length]) {
		for _, alias := range aliasesOf(body[length]) {
			imported := &n.Imports[n.importIndex(alias)]
			other := bound[imported.Symbol]
			if imported.Symbol < 0 || other != nil && (!sameBinding(imported, other) || imported.Lazy != other.Lazy) || imported.Module == "this" || imported.Module == "antigravity" {
				isFree = false
			}
			bound[imported.Symbol] = imported
		}
		length++
	}
	n.conflicts = n.conflicts || !isFree
	return length, isFree
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
	if imported.Lazy {
		n.op(opLazy)
	}
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
