package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file writes a few idioms as what they are short for, or the other way round, where Python's
// own names mean what they say:
//
//	dict(), list(), tuple()          {}, [], ()
//	range(0, n)                      range(n)
//	zip(a, b, strict=False)          zip(a, b)
//	class A(object):                 class A:
//	raise ValueError()               raise ValueError
//	if TYPE_CHECKING: ...            nothing, as it is false when a program runs
//	"{} {!r}".format(f(), a)         f"{f()} {a!r}"
//	with suppress(E): f()            try: f(), except E: pass
//	open(a, "r"), print("")          open(a), print()
//	super(A, self)                   super()

// idiom returns the expression by which a call is written.
func (w *writer) idiom(in int32, e *ast.Call) ast.Expr {
	if other := w.formatted(in, e); other != nil {
		return other
	}
	if w.Facts.Star || w.ImportsModule("builtins") || w.callers.Bound["builtins"] || w.callers.Bound["mock"] || w.callers.Bound["patch"] {
		return e
	}
	name := w.builtinCalled(in, e)
	isLast := func(text string) bool {
		c, is := e.Args[len(e.Args)-1].(*ast.Constant)
		return is && c.Type == ast.Str && c.Text == text
	}
	switch {
	case name == "zip":
		kept := slices.DeleteFunc(slices.Clone(e.Keywords), func(k *ast.Keyword) bool { return k.Arg == "strict" && scope.IsConstant(k.Value, ast.False) })
		return &ast.Call{Func: e.Func, Args: e.Args, Keywords: kept}
	case name == "open" && len(e.Args) == 2 && e.Args[0].Kind() != ast.KindStarred && isLast("r"), name == "print" && len(e.Args) == 1 && len(e.Keywords) == 0 && isLast(""):
		return &ast.Call{Func: e.Func, Args: e.Args[:len(e.Args)-1], Keywords: e.Keywords}
	case len(e.Keywords) > 0:
	case name == "super" && w.namesItself(in, e.Args):
		return &ast.Call{Func: e.Func}
	case name == "range" && len(e.Args) == 2 && isZero(e.Args[0]) && e.Args[1].Kind() != ast.KindStarred:
		return &ast.Call{Func: e.Func, Args: e.Args[1:]}
	case len(e.Args) > 0:
	case name == "dict":
		return &ast.Dict{}
	case name == "list":
		return &ast.List{}
	case name == "tuple":
		return &ast.Tuple{}
	}
	return e
}

// namesItself reports whether the arguments of super are its class and its method's first parameter,
// which it takes by itself.
func (w *writer) namesItself(in int32, args []ast.Expr) bool {
	if len(args) != 2 || w.place.class == nil || in != w.place.method || len(w.place.class.DecoratorList)+len(w.place.class.Keywords) > 0 || w.mentionsAny("__class__") {
		return false
	}
	class, isName := args[0].(*ast.Name)
	self, is := args[1].(*ast.Name)
	if !isName || !is || self.ID != w.place.self || class.ID != w.place.class.Name || w.callers.Bound[class.ID] {
		return false
	}
	at, first := w.Lookup(in, class.ID), w.Lookup(in, self.ID)
	if at < 0 || first < 0 {
		return false
	}
	of, parameter := &w.Symbols[at], &w.Symbols[first]
	return of.Stores == 1 && of.Dels == 0 && !of.Rebound && w.IsClass(at) && of.Scope == w.Scopes[w.Scopes[in].Parent].Parent &&
		parameter.Scope == in && parameter.Param && parameter.Stores == 1 && parameter.Dels == 0 && !parameter.Rebound
}

// suppressed returns the try for with suppress(E), and the symbol of suppress or contextlib, or -1.
// They differ only for groups of exceptions.
func (w *writer) suppressed(s *ast.With) (try *ast.Try, symbol int32) {
	if len(s.Items) != 1 || s.Items[0].OptionalVars != nil || w.mentionsAny("ExceptionGroup", "BaseExceptionGroup", "TaskGroup") {
		return nil, -1
	}
	call, is := s.Items[0].ContextExpr.(*ast.Call)
	if !is || len(call.Args) == 0 || len(call.Keywords) > 0 {
		return nil, -1
	}
	symbol = w.view.suppress
	if symbol < 0 || scope.RootName(call.Func) == nil || w.mentionsAny("setattr", "delattr") {
		return nil, -1
	}
	if id, known := w.IDs["suppress"]; known && w.Table.Names[id].Stored {
		return nil, -1
	}
	bound := w.Table.Names[w.Symbols[symbol].Name].Text
	switch f := call.Func.(type) {
	case *ast.Name:
		if f.ID != bound || w.ImportedAs(symbol) != "" {
			return nil, -1
		}
	case *ast.Attribute:
		if root, is := f.Value.(*ast.Name); !is || root.ID != bound || f.Attr != "suppress" || w.ImportedAs(symbol) == "" {
			return nil, -1
		}
	}
	for _, arg := range call.Args {
		if name, is := arg.(*ast.Name); !is || scope.ClassOf(name.ID)&scope.Builtin == 0 || name.ID[0] >= 'a' || !w.isFree(name.ID) {
			return nil, -1
		}
	}
	handler := &ast.ExceptHandler{Type: call.Args[0]}
	if len(call.Args) > 1 {
		handler.Type = &ast.Tuple{Elts: call.Args}
	}
	return &ast.Try{Body: s.Body, Handlers: []*ast.ExceptHandler{handler}}, symbol
}

func isZero(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	if !is || c.Type != ast.Int {
		return false
	}
	value, ok := c.Int64()
	return ok && value == 0
}

// bases returns the bases of a class without object, which all have.
func (w *writer) bases(in int32, c *ast.ClassDef) []ast.Expr {
	if len(c.Bases) == 1 {
		if name, is := c.Bases[0].(*ast.Name); is && name.ID == "object" && w.isBuiltinName(in, "object") {
			return nil
		}
	}
	return c.Bases
}

// raised returns the class for a new exception without arguments, as raise calls a class itself.
func (w *writer) raised(in int32, e ast.Expr) ast.Expr {
	call, is := e.(*ast.Call)
	if !is || len(call.Args)+len(call.Keywords) > 0 {
		return e
	}
	name, is := call.Func.(*ast.Name)
	if !is {
		return e
	}
	at := w.Lookup(in, name.ID)
	if at >= 0 && w.IsClass(at) && w.Symbols[at].Stores == 1 || at < 0 && w.isBuiltinName(in, name.ID) && name.ID[0] < 'a' {
		return name
	}
	return e
}

// isNeverRun reports whether a statement is for type checkers alone.
func (w *writer) isNeverRun(in int32, s *ast.If) bool {
	if len(s.Orelse) > 0 || w.KeepsAnnotations() {
		return false
	}
	at := w.TypeChecking(in, s.Test)
	return at >= 0 && w.mayDrop(at)
}
