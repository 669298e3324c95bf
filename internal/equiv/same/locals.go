package same

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
	"codelinter/internal/util/lazy"
)

// This file says which names of a program may be others in a text that does the same.
//
// A variable of a function is known by its scope, so it may have any name. Each of its uses in one
// text must then be a use of one variable in the other. A variable of the module keeps its name
// unless a finding asks for another. What may see the name of a function's keeps it:
//
// - locals(), eval and the like in its scope, or in a scope that uses it; frames and code anywhere;
// - getattr, __name__, handlers with a name and any use but a call, for a function, whose name is its
//   own;
// - a handler that may catch an UnboundLocalError with the name in its text, for a variable that
//   is not surely bound where it is read;
// - a text with the name as a word, if a module is imported that may look up names in texts.
//
// A parameter keeps its name also if a known call passes it by keyword, if a decorator or a base
// class of another module may read it, and if exceptions' texts are read, as a call with wrong
// arguments has the names in its text. The new name must not be that of another parameter.

// A view is what a text may see of itself.
type view struct {
	looked     []bool // by scope: the program looks up its names by text
	seen       []bool // by symbol: it is used in such a scope
	foreign    bool   // it imports modules that may look at it
	lines      bool   // it reads its own lines
	hidden     bool   // it may look up names that it does not have
	inspects   bool   // it may find attributes that it does not name
	keepsHints bool   // another module may read an annotation
	catches    bool   // a handler may read the name of a variable that is not bound
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
	w.findLooks(module, &v)
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
	v.seen = make([]bool, len(w.Symbols))
	for i := range w.Symbols {
		v.seen[i] = v.hidden || v.looked[w.Symbols[i].Scope]
	}
	for i := range w.Uses {
		if u := &w.Uses[i]; v.looked[u.Scope] {
			if at := w.Resolve(u.Scope, u.Name); at >= 0 {
				v.seen[at] = true
			}
		}
	}
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
			v.catches = v.catches || node.Name != "" && !w.missesNameError(node.Type)
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

// looks are the builtins that look up names by text: in their own scope, in the module, or in their
// scope and those around it.
var looks = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"locals": "own", "vars": "own", "dir": "own", "globals": "module", "eval": "around", "exec": "around"}
}}

// findLooks finds where a text looks up names by text, and which scopes see that. It may do so by
// functions that it does not name where they are called: locals under another name, or attributes
// whose names are put together. It may also find attributes that it does not name.
func (w *writer) findLooks(module *ast.Module, v *view) {
	v.looked = make([]bool, len(w.Scopes))
	isFrame := w.mentionsAny("f_locals", "f_globals", "f_builtins", "func_globals", "co_names", "co_varnames", "co_freevars", "co_cellvars")
	for at := range v.looked {
		v.looked[at] = isFrame
	}
	v.looked[0] = isFrame || w.ImportsModule("__main__") || w.mentionsAny("__globals__", "__builtins__") || w.Mentions("modules") && w.Mentions("__name__")
	v.hidden = w.ImportsModule("builtins") || w.mentionsAny("builtins", "__builtins__") || w.Facts.AttributesByText > 0 && hasPieces(module)
	v.inspects = w.Mentions("__dict__")
	for i := range w.Uses {
		u := &w.Uses[i]
		name := &w.Table.Names[u.Name]
		if name.Class&scope.Hides == 0 { // as most
			continue
		}
		where, looks := looks.Get()[name.Text]
		if !looks || w.Resolve(u.Scope, u.Name) >= 0 { // the program's own
			continue
		}
		v.inspects = true
		v.hidden = v.hidden || !u.IsCall() && where != "module"
		v.looked[0] = v.looked[0] || where == "module"
		for at := u.Scope; at >= 0 && !u.HasArgument(); at = w.Scopes[at].Parent {
			v.looked[at] = true
			if where != "around" && w.Scopes[at].Kind != scope.ComprehensionScope {
				break
			}
		}
	}
	for name := range looks.Get() { // a binding of the name may be the builtin itself
		v.inspects = v.inspects || w.Mentions(name) && (w.Facts.Star || slices.ContainsFunc(w.Symbols, func(s scope.Symbol) bool {
			return w.Table.Names[s.Name].Text == name && w.Scopes[s.Scope].Kind != scope.FunctionScope
		}))
	}
	v.inspects = v.inspects || v.hidden
}

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

// looksAt reports whether the program looks up names by text in the scope of a symbol.
func (w *writer) looksAt(s *scope.Symbol) bool { return w.view.looked[s.Scope] }

// missesNameError reports whether a handler's type surely does not catch a NameError.
func (w *writer) missesNameError(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Tuple:
		return !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { return !w.missesNameError(e) })
	case *ast.Name:
		switch e.ID {
		case "NameError", "UnboundLocalError", "Exception", "BaseException":
			return false
		}
		return scope.ClassOf(e.ID)&scope.Builtin != 0 && w.isFree(e.ID)
	}
	return false
}

// A variable is one of the program that no class binds.
type variable struct {
	symbol int32
	name   string
	free   bool // may have another name
	param  bool
	global bool
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
		case s.Pinned || w.view.seen[v.symbol] || w.view.lines:
		case w.request.asked[v.symbol]:
			v.free = true
		case w.view.words[v.name] || w.view.catches && !w.SurelyBound(v.symbol):
		case s.Function && (w.Escapes(v.symbol) || w.view.foreign || w.Facts.NamedHandler || w.Class&(scope.ReadsNames|scope.SeesNames) != 0):
		case s.Param && (w.Facts.NamedHandler || w.KeepsAnnotations() || w.callers.Keyword(v.name) || w.IsKeyword(v.name) || w.fixed[s.Scope]):
		default:
			v.free = true
		}
	}
}

// fits reports whether a variable may have another name. That the name has another meaning where
// the variable is used shows in the numbers.
func (p *pattern) fits(v *variable, text string) bool {
	switch {
	case !v.free || strings.HasPrefix(text, "__"):
		return false
	case v.global:
		return scope.ClassOf(text)&scope.Builtin == 0 && !p.callers.Reads(text) && !p.callers.Bound[text]
	}
	return !p.words[text] && !(v.param && (p.parameters[text] || p.keywords[text]))
}
