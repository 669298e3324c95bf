package same

import (
	"slices"
	"strings"
	"unicode"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file says which names of a program may be others in a text that does the same.
//
// A variable of a function is known by its scope, so it may have any name. Each of its uses in one
// text must then be a use of one variable in the other. What may see the name keeps it:
//
// - locals(), eval and the like in its scope, or in a scope that uses it; frames and code anywhere;
// - getattr, __name__, str(f) and handlers with a name, for a function, whose name is its own;
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
	keepsHints bool   // another module may read an annotation
	catches    bool   // a handler may read the name of a variable that is not bound
	words      map[string]bool
	parameters map[string]bool
}

// look finds what a text may see of itself. What only matters for the program is left out for
// other texts.
func (n *normalizer) look(module *ast.Module, program bool) {
	v := view{looked: n.lookedScopes(), foreign: n.Facts.Star, lines: n.Class&scope.SeesLines != 0}
	for i := range n.Imports {
		imported := &n.Imports[i]
		m := scope.Modules()[imported.Module]
		if imported.Level > 0 || imported.Module != "__future__" && (m == nil || !m.Quiet) {
			v.foreign = true
		}
		v.lines = v.lines || m != nil && m.Lines
	}
	v.hidden = n.hidesLooks(module)
	n.view = v
	v.seen = make([]bool, len(n.Symbols))
	for i := range n.Symbols {
		v.seen[i] = v.hidden || v.looked[n.Symbols[i].Scope]
	}
	for i := range n.Uses {
		if u := &n.Uses[i]; v.looked[u.Scope] {
			if at := n.Resolve(u.Scope, u.Name); at >= 0 {
				v.seen[at] = true
			}
		}
	}
	if program {
		v.parameters, v.words = map[string]bool{}, map[string]bool{}
		v.catches = n.Class&scope.ReadsNames != 0
	}
	ast.Inspect(module, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FunctionDef:
			v.keepsHints = v.keepsHints || !n.hintsFree(node, v.lines)
		case *ast.AsyncFunctionDef:
			v.keepsHints = v.keepsHints || !n.hintsFree((*ast.FunctionDef)(node), v.lines)
		case *ast.Arg:
			if program {
				v.parameters[node.Arg] = true
			}
		case *ast.ExceptHandler:
			v.catches = v.catches || node.Name != "" && !n.missesNameError(node.Type)
		case *ast.ExprStmt:
			return node.Value.Kind() != ast.KindConstant
		case *ast.Constant:
			if program && v.foreign && node.Type == ast.Str {
				for _, word := range strings.FieldsFunc(node.Text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
					v.words[word] = true
				}
			}
		}
		return true
	})
	n.view = v
}

// lookedScopes finds the scopes whose names may be looked up by text. locals() and the like see
// their own scope, eval and exec also the scopes around, and frames all scopes.
func (n *normalizer) lookedScopes() []bool {
	looked := make([]bool, len(n.Scopes))
	for _, name := range [...]string{"f_locals", "f_globals", "f_builtins", "func_globals", "co_names", "co_varnames", "co_freevars", "co_cellvars"} {
		if n.Mentions(name) {
			for at := range looked {
				looked[at] = true
			}
		}
	}
	looked[0] = looked[0] || n.Mentions("__globals__") || n.Mentions("__builtins__") || n.Mentions("modules") && n.Mentions("__name__")
	for i := range n.Uses {
		u := &n.Uses[i]
		around := false
		switch n.Table.Names[u.Name].Text {
		case "locals", "vars", "dir":
		case "globals":
			looked[0] = true
		case "eval", "exec":
			around = true
		default:
			continue
		}
		if n.Resolve(u.Scope, u.Name) >= 0 {
			continue // the program's own
		}
		for at := u.Scope; at >= 0; at = n.Scopes[at].Parent {
			looked[at] = true
			if !around && n.Scopes[at].Kind != scope.ComprehensionScope {
				break
			}
		}
	}
	return looked
}

// hidesLooks reports whether the text may look up names by functions that it does not name where
// they are called: locals under another name, or attributes whose names are put together.
func (n *normalizer) hidesLooks(module *ast.Module) bool {
	if n.ImportsModule("builtins") || n.mentionsAny("builtins", "__builtins__") {
		return true
	}
	for i := range n.Uses {
		switch u := &n.Uses[i]; n.Table.Names[u.Name].Text {
		case "locals", "vars", "dir", "eval", "exec":
			if !u.IsCall() && n.Resolve(u.Scope, u.Name) < 0 {
				return true
			}
		}
	}
	pieces := false
	if n.Facts.AttributesByText > 0 {
		ast.Inspect(module, func(node ast.Node) bool {
			if c, is := node.(*ast.Constant); is && c.Type == ast.Str {
				pieces = pieces || strings.Contains(c.Text, "__") || slices.ContainsFunc([]string{"f_", "co_", "tb_", "gi_", "cr_", "ag_", "_get"}, func(p string) bool { return strings.HasPrefix(c.Text, p) })
			}
			return !pieces
		})
	}
	return pieces
}

// looksAt reports whether the program looks up names by text in the scope of a symbol.
func (n *normalizer) looksAt(s *scope.Symbol) bool { return n.view.looked[s.Scope] }

// missesNameError reports whether a handler's type surely does not catch a NameError.
func (n *normalizer) missesNameError(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Tuple:
		return !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { return !n.missesNameError(e) })
	case *ast.Name:
		switch e.ID {
		case "NameError", "UnboundLocalError", "Exception", "BaseException":
			return false
		}
		return scope.ClassOf(e.ID)&scope.Builtin != 0 && n.isFree(e.ID)
	}
	return false
}

// isLocal reports whether a symbol is a variable of a function or of a comprehension.
func (n *normalizer) isLocal(at int32) bool {
	kind := n.Scopes[n.Symbols[at].Scope].Kind
	return kind == scope.FunctionScope || kind == scope.ComprehensionScope
}

// local writes a use of such a variable: the number of scopes between, its number in the order of
// first uses, and its name.
func (n *normalizer) local(in, at int32, text string) {
	n.op(opLocal)
	hops := 0
	for s := in; s != n.Symbols[at].Scope && s >= 0; s = n.Scopes[s].Parent {
		hops++
	}
	n.uint(hops)
	mark := &n.marks[at]
	if mark.number == 0 {
		n.numbered++
		mark.number = n.numbered
	}
	if n.writesPattern {
		n.step(patternStep{kind: stepLocal, index: mark.number - 1})
		if len(n.request.locals) < int(n.numbered) {
			n.request.locals = append(n.request.locals, local{symbol: at, name: text})
		}
		return
	}
	n.uint(int(mark.number))
	n.string(text)
}

// A local is a variable of a function of the program.
type local struct {
	symbol int32
	name   string
	free   bool // may have another name
	param  bool
}

// free finds the variables that may have another name, when the pattern is written.
func (n *normalizer) free() {
	for i := range n.request.locals {
		l := &n.request.locals[i]
		s := &n.Symbols[l.symbol]
		l.param = s.Param
		switch {
		case s.Pinned || n.view.seen[l.symbol] || n.view.lines:
		case n.request.asked[l.symbol]:
			l.free = true
		case s.Shown || n.view.words[l.name] || n.view.catches && n.marks[l.symbol].unsure:
		case s.Function && (n.Escapes(l.symbol) || n.view.foreign || n.Facts.NamedHandler || n.Class&(scope.ReadsNames|scope.SeesNames) != 0):
		case s.Param && (n.Facts.NamedHandler || n.KeepsAnnotations() || n.callers.Keyword(l.name) || n.IsKeyword(l.name) || n.fixed[s.Scope]):
		default:
			l.free = true
		}
	}
}

// fits reports whether a variable may have another name.
func (p *pattern) fits(l *local, text string) bool {
	return l.free && !strings.HasPrefix(text, "__") && !p.words[text] &&
		!(l.param && (p.parameters[text] || p.keywords[text]))
}

// loads records whether a variable is surely bound where it is read.
func (n *normalizer) loads(in int32, text string) {
	if at := n.Lookup(in, text); at >= 0 && !n.marks[at].definite {
		n.marks[at].unsure = true
	}
}
