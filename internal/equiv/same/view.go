package same

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file says which docstrings and annotations nothing reads, and which parameters are only
// passed by position, as far as a text and its imports show.

// benignDecorators read neither annotations nor docstrings, nor pass arguments by keyword.
var benignDecorators = []string{
	"staticmethod", "classmethod", "property", "setter", "getter", "deleter", "cached_property", "abstractmethod", "override", "final",
	"overload", "wraps", "cache", "lru_cache", "contextmanager", "asynccontextmanager", "total_ordering", "unique", "dataclass",
}

func areBenign(decorators []ast.Expr) bool {
	return !slices.ContainsFunc(decorators, func(d ast.Expr) bool { return !slices.Contains(benignDecorators, ast.DecoratorName(d)) })
}

// isForeign reports whether a class is derived from another or decorated, so that other code may call its methods.
func isForeign(c *ast.ClassDef) bool { return len(c.DecoratorList)+len(c.Bases)+len(c.Keywords) > 0 }

// isKnown reports whether the bases of a class are Python's own or the text's.
func (w *writer) isKnown(in int32, c *ast.ClassDef) bool {
	return areBenign(c.DecoratorList) && !slices.ContainsFunc(c.Bases, func(base ast.Expr) bool {
		name := scope.RootName(base)
		if name == nil {
			return true
		}
		at := w.Lookup(in, name.ID)
		if at < 0 {
			return scope.ClassOf(name.ID)&scope.Builtin == 0
		}
		return !w.IsClass(at) && !slices.ContainsFunc(w.Imports, func(i scope.Import) bool {
			return i.Symbol == at && w.Symbols[at].Stores == 1 && scope.Modules()[i.Module] != nil
		})
	})
}

// docFree reports whether nothing reads the docstring of a definition in the current class.
func (w *writer) docFree(decorators []ast.Expr, foreign bool) bool {
	return !w.Facts.ReadsDoc && !w.view.lines && !w.view.inspects && !w.readsDocs() &&
		!(w.view.foreign && (foreign || w.place.inUnknown || !areBenign(decorators)))
}

// readsDocs reports whether the text uses a module of Python's own that reads docstrings.
func (w *writer) readsDocs() bool {
	return w.mentionsAny("help") || slices.ContainsFunc(w.Imports, func(i scope.Import) bool {
		return slices.Contains([]string{"cmd", "doctest", "pydoc", "unittest", "xmlrpc", "code", "idlelib", "rlcompleter"}, scope.ModuleRoot(i.Module))
	})
}

func (w *writer) mentionsAny(names ...string) bool { return slices.ContainsFunc(names, w.Mentions) }

// hintsFree reports whether nothing reads the annotations of a function.
func (w *writer) hintsFree(f *ast.FunctionDef, lines bool) bool {
	return !w.KeepsAnnotations() && !lines && !w.view.inspects && areBenign(f.DecoratorList)
}

// variableHintFree reports whether nothing reads the annotation of a variable. CPython does not
// evaluate those in functions.
func (w *writer) variableHintFree(in int32, target ast.Expr) bool {
	if w.Scopes[in].Kind == scope.FunctionScope {
		return true
	}
	return target.Kind() == ast.KindName && !w.KeepsAnnotations() && !w.view.inspects && !w.readClass(in)
}

// fixParameters records whether other code may pass arguments by the names of a function's
// parameters: that of a decorator, of a base class, or of a test runner.
func (w *writer) fixParameters(s int32, f *ast.FunctionDef) {
	w.fixed[s] = w.place.inForeign || f.Args.KwArg != nil || len(f.Args.KwOnlyArgs) > 0 || !areBenign(f.DecoratorList) || strings.HasPrefix(f.Name, "test")
}

// A span is a part of the stream.
type span struct{ from, to int32 }

// hint writes an annotation. index says of which parameter it is. In a pattern, one that nothing
// reads may be any or none.
func (w *writer) hint(in int32, index int, e ast.Expr, free bool) {
	switch {
	case w.writesPattern && free:
		w.step(patternStep{kind: stepHint})
	case e != nil:
		from := int32(len(w.out))
		w.op(opAnnotation)
		w.uint(index)
		w.expr(in, e)
		w.hints = append(w.hints, span{from, int32(len(w.out))})
	}
}

// hintsOf writes the annotations of a function.
func (w *writer) hintsOf(in int32, f *ast.FunctionDef) {
	free := w.hintsFree(f, w.view.lines)
	index := 0
	f.Args.EachArg(func(arg *ast.Arg) {
		index++
		w.hint(in, index, arg.Annotation, free)
	})
	w.hint(in, 0, f.Returns, free)
}

// escapes reports whether a function may be given to other code.
func (w *writer) escapes(in int32, name string) bool {
	at := w.Lookup(in, name)
	return at < 0 || w.Scopes[w.Symbols[at].Scope].Kind != scope.ClassScope && w.Escapes(at)
}
