package same

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file says which names of a program may be others in a text that does the same.
//
// A variable of a function is known by its scope, so it may have any name. Each of its uses in one
// text must then be a use of one variable in the other. A variable of the module keeps its name
// unless a finding asks for another, or an import binds it and no caller reads it. What may see the
// name of a function's keeps it:
//
// - locals(), eval and the like in its scope, or in a scope within it; frames and code anywhere;
// - getattr, __name__, handlers with a name and any use but a call, for a function, whose name is its
//   own;
// - a handler with a name, which may catch an UnboundLocalError with the variable's name in its text, for a
//   variable that is not surely bound where it is read;
// - a text with the name as a word, if a module is imported that may look up names in texts.
//
// A parameter keeps its name also if a known call passes it by keyword, if a decorator or a base
// class of another module may read it, and if exceptions' texts are read, as a call with wrong
// arguments has the names in its text. The new name must not be that of another parameter.

// A view is what a text may see of itself.
type view struct {
	hidden     bool // it may look up names that it does not have
	frames     bool // it may look up the names of all scopes
	inspects   bool // it may find attributes that it does not name
	foreign    bool // it imports modules that may look at it
	lines      bool // it reads its own lines
	keepsHints bool // another module may read an annotation
	catches    bool // a handler may read the name of a variable that is not bound
	words      map[string]bool
	parameters map[string]bool

	suppress  int32           // the symbol of contextlib or its suppress, if it means that everywhere, or -1
	rewritten map[int32]int32 // reads of symbols that are not written
}

// look finds what a text may see of itself. What only matters for the program is left out for
// other texts.
func (w *writer) look(module *ast.Module) {
	program := w.isOriginal
	v := view{suppress: -1, foreign: w.Facts.Star, lines: w.Class&scope.SeesLines != 0}
	v.hidden = w.Facts.Hidden || w.ImportsModule("builtins") || w.mentionsAny("builtins", "__builtins__") ||
		w.Facts.AttributesByText > 0 && hasPieces(module)
	v.frames = w.mentionsAny("f_locals", "f_globals", "f_builtins", "func_globals", "co_names", "co_varnames", "co_freevars", "co_cellvars")
	v.inspects = v.hidden || v.frames || w.Class&(scope.SeesNames|scope.SeesModule) != 0 || w.ImportsModule("__main__")
	w.view = v
	for i := range w.Imports {
		imported := &w.Imports[i]
		m := scope.Modules()[imported.Module]
		if imported.Level > 0 || imported.Module != "__future__" && (m == nil || !m.Quiet) {
			v.foreign = true
		}
		v.lines = v.lines || m != nil && m.Lines
		if at := imported.Symbol; imported.Module == "contextlib" && (imported.Name == "" || imported.Name == "suppress") && at >= 0 && w.isSure(at) && w.Table.Names[w.Symbols[at].Name].Symbols == 1 {
			v.suppress = at
		}
	}
	v.rewritten = map[int32]int32{}
	w.view = v
	if program {
		v.parameters, v.words = map[string]bool{}, map[string]bool{}
		v.catches = w.Class&scope.ReadsNames != 0
	}
	ast.Inspect(module, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FunctionDef:
			v.keepsHints = v.keepsHints || !w.hintsFree(node, v.lines)
		case *ast.AsyncFunctionDef:
			v.keepsHints = v.keepsHints || !w.hintsFree((*ast.FunctionDef)(node), v.lines)
		case *ast.Arg:
			if program {
				v.parameters[node.Arg] = true
			}
		case *ast.With:
			if _, symbol := w.suppressed(node); symbol >= 0 {
				v.rewritten[symbol]++
			}
		case *ast.ExceptHandler:
			v.catches = v.catches || node.Name != ""
		case *ast.ExprStmt:
			return node.Value.Kind() != ast.KindConstant
		case *ast.Constant:
			if program && v.foreign && node.Type == ast.Str {
				for _, word := range scope.Words(node.Text) {
					v.words[word] = true
				}
			}
		}
		return true
	})
	w.view = v
}

// isSure reports whether the module binds a symbol once, in a statement of its own, and nothing
// uses the name before.
func (w *writer) isSure(at int32) bool {
	s := &w.Symbols[at]
	return s.Sure && s.Stores == 1 && s.Dels == 0
}

// looksAt reports whether the text looks up the names of a scope by text.
func (w *writer) looksAt(in int32) bool {
	return w.view.frames || w.Scopes[in].Looks || in == 0 &&
		(w.Class&scope.SeesModule != 0 || w.ImportsModule("__main__") || w.Mentions("modules") && w.Mentions("__name__"))
}

// sees reports whether the text may look up the name of a symbol by text.
func (w *writer) sees(at int32) bool { return w.view.hidden || w.looksAt(w.Symbols[at].Scope) }

// hasPieces reports whether a text of the module may be a part of the name of an attribute that
// shows names.
func hasPieces(module *ast.Module) bool {
	pieces := false
	ast.Inspect(module, func(node ast.Node) bool {
		if c, is := node.(*ast.Constant); is && c.Type == ast.Str {
			pieces = pieces || strings.Contains(c.Text, "__") || slices.ContainsFunc([]string{"f_", "co_", "tb_", "gi_", "cr_", "ag_", "_get"}, func(p string) bool { return strings.HasPrefix(c.Text, p) })
		}
		return !pieces
	})
	return pieces
}

// A variable is one of the program that no class binds.
type variable struct {
	symbol int32
	name   string
	free   bool // may have another name
	param  bool
	global bool

	imported bool // may have a new name, as an import binds it
}

// free finds the variables that may have another name, when the pattern is written.
func (w *writer) free() {
	for i := range w.request.variables {
		v := &w.request.variables[i]
		s := &w.Symbols[v.symbol]
		v.param, v.global = s.Param, s.Scope == 0
		switch {
		case v.global:
			v.free = w.request.asked[v.symbol]
			v.imported = !v.free && w.isImportName(v.symbol)
		case s.Pinned || w.sees(v.symbol) || w.view.lines:
		case w.request.asked[v.symbol]:
			v.free = true
		case w.view.words[v.name] || w.view.catches && !w.SurelyBound(v.symbol):
		case s.Function && (w.Escapes(v.symbol) || w.view.foreign || w.Facts.AttributesByText > 0 || w.Facts.NamedHandler || w.Class&scope.ReadsNames != 0):
		case s.Param && (w.Facts.NamedHandler || w.KeepsAnnotations() || w.callers.Keyword(v.name) || w.IsKeyword(v.name) || w.fixed[s.Scope]):
		default:
			v.free = true
		}
	}
}

// isImportName reports whether only the text's own functions see the name of a variable of the module
// that an import binds.
func (w *writer) isImportName(at int32) bool {
	s := &w.Symbols[at]
	name := &w.Table.Names[s.Name]
	return s.Imports > 0 && !s.Pinned && name.Symbols == 1 && w.mayDrop(at) && !w.Mentions("__all__") && !w.view.lines &&
		!w.view.words[name.Text] && (!w.view.catches || w.isSure(at)) && !w.callers.Reads(name.Text) && !strings.HasPrefix(name.Text, "__")
}

// fits reports whether a variable may have another name. That the name has another meaning where
// the variable is used shows in the numbers.
func (p *pattern) fits(v *variable, text string) bool {
	switch {
	case !v.free && !v.imported || v.imported && p.names.Mentions(text) || strings.HasPrefix(text, "__"):
		return false
	case v.global:
		return scope.ClassOf(text)&scope.Builtin == 0 && !p.words[text] && !p.callers.Reads(text) && !p.callers.Bound[text]
	}
	return !p.words[text] && !(v.param && (p.parameters[text] || p.keywords[text]))
}
