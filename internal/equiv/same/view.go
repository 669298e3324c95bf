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
	return !slices.ContainsFunc(decorators, func(d ast.Expr) bool { return !slices.Contains(benignDecorators, lastName(d)) })
}

// lastName returns c of a.b.c and of a.b.c(d), or "".
func lastName(e ast.Expr) string {
	if call, is := e.(*ast.Call); is {
		e = call.Func
	}
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		return e.Attr
	}
	return ""
}

// isForeign reports whether a class is derived from one that is not Python's own or the text's,
// or decorated, so that other code may inspect it.
func (n *normalizer) isForeign(in int32, c *ast.ClassDef) bool {
	return !areBenign(c.DecoratorList) || len(c.Keywords) > 0 || slices.ContainsFunc(c.Bases, func(base ast.Expr) bool {
		name, is := base.(*ast.Name)
		if !is {
			return true
		}
		at := n.Lookup(in, name.ID)
		if at < 0 {
			return scope.ClassOf(name.ID)&scope.Builtin == 0
		}
		return !n.IsClass(at)
	})
}

// isKnown reports whether the bases of a class are Python's own or the text's.
func (n *normalizer) isKnown(in int32, c *ast.ClassDef) bool {
	return areBenign(c.DecoratorList) && !slices.ContainsFunc(c.Bases, func(base ast.Expr) bool {
		for base.Kind() == ast.KindAttribute {
			base = base.(*ast.Attribute).Value
		}
		name, is := base.(*ast.Name)
		if !is {
			return true
		}
		at := n.Lookup(in, name.ID)
		if at < 0 {
			return scope.ClassOf(name.ID)&scope.Builtin == 0
		}
		return !n.IsClass(at) && !slices.ContainsFunc(n.Imports, func(i scope.Import) bool {
			return i.Symbol == at && n.Symbols[at].Stores == 1 && scope.Modules()[i.Module] != nil
		})
	})
}

// docFree reports whether nothing reads the docstring of a definition in the current class.
func (n *normalizer) docFree(decorators []ast.Expr, foreign bool) bool {
	return !n.Facts.ReadsDoc && n.callers.Class&scope.SeesNames == 0 && !n.view.lines && !n.inspects() && !n.readsDocs() &&
		!(n.view.foreign && (foreign || n.inUnknown || !areBenign(decorators)))
}

// inspects reports whether the text may find attributes that it does not name.
func (n *normalizer) inspects() bool {
	return n.view.hidden || n.mentionsAny("vars", "dir", "globals", "locals", "eval", "exec", "__dict__")
}

// readsDocs reports whether the text uses a module of Python's own that reads docstrings.
func (n *normalizer) readsDocs() bool {
	return n.mentionsAny("help") || slices.ContainsFunc(n.Imports, func(i scope.Import) bool {
		return slices.Contains([]string{"cmd", "doctest", "pydoc", "unittest", "xmlrpc", "code", "idlelib", "rlcompleter"}, scope.ModuleRoot(i.Module))
	})
}

func (n *normalizer) mentionsAny(names ...string) bool { return slices.ContainsFunc(names, n.Mentions) }

// hintsFree reports whether nothing reads the annotations of a function.
func (n *normalizer) hintsFree(f *ast.FunctionDef, lines bool) bool {
	return !n.KeepsAnnotations() && !lines && !n.inspects() && areBenign(f.DecoratorList)
}

// variableHintFree reports whether nothing reads the annotation of a variable. CPython does not
// evaluate those in functions.
func (n *normalizer) variableHintFree(in int32, target ast.Expr) bool {
	if n.Scopes[in].Kind == scope.FunctionScope {
		return true
	}
	return target.Kind() == ast.KindName && !n.KeepsAnnotations() && !n.inspects() && !n.readClass(in)
}

// fixParameters records whether other code may pass arguments by the names of a function's
// parameters: that of a decorator, of a base class, or of a test runner.
func (n *normalizer) fixParameters(s int32, f *ast.FunctionDef) {
	n.fixed[s] = n.inForeign || f.Args.KwArg != nil || len(f.Args.KwOnlyArgs) > 0 || !areBenign(f.DecoratorList) || strings.HasPrefix(f.Name, "test")
}

// A span is a part of the stream.
type span struct{ from, to int32 }

// hint writes an annotation. index says of which parameter it is. In a pattern, one that nothing
// reads may be any or none.
func (n *normalizer) hint(in int32, index int, e ast.Expr, free bool) {
	switch {
	case n.writesPattern && free:
		n.step(patternStep{kind: stepHint})
	case e != nil:
		from := int32(len(n.out))
		n.op(opAnnotation)
		n.uint(index)
		n.expr(in, e)
		n.hints = append(n.hints, span{from, int32(len(n.out))})
	}
}

// hintsOf writes the annotations of a function.
func (n *normalizer) hintsOf(in int32, f *ast.FunctionDef) {
	if !n.literal && !n.KeepsAnnotations() {
		return
	}
	free := n.asking && n.hintsFree(f, n.view.lines)
	index := 0
	scope.EachArg(f.Args, func(arg *ast.Arg) {
		index++
		n.hint(in, index, arg.Annotation, free)
	})
	n.hint(in, 0, f.Returns, free)
}

// escapes reports whether a function may be given to other code.
func (n *normalizer) escapes(in int32, name string) bool {
	at := n.Lookup(in, name)
	return at < 0 || n.Scopes[n.Symbols[at].Scope].Kind != scope.ClassScope && n.Escapes(at)
}
