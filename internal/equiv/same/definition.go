package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file writes functions and classes.

// docstring writes the docstring of a body, which may be another if nothing reads it.
func (w *writer) docstring(first ast.Stmt, free bool) {
	text := ""
	s, is := first.(*ast.ExprStmt)
	if is {
		var c *ast.Constant
		if c, is = s.Value.(*ast.Constant); is {
			text, is = c.Text, c.Type == ast.Str
		}
	}
	switch {
	case w.writesPattern && free:
		w.step(patternStep{kind: stepDoc})
	case !is:
	case w.writesPattern && !w.Facts.ReadsDoc:
		w.op(opDoc)
		w.words(text)
	default:
		w.op(opDoc)
		w.string(text)
	}
}

// lambdaAsDef writes name = lambda ... as a def. The functions differ only in
// their name, qualified name and lines.
func (w *writer) lambdaAsDef(in int32, name *ast.Name, lambda *ast.Lambda) {
	f := &ast.FunctionDef{Name: name.ID, Args: lambda.Args, Body: []ast.Stmt{&ast.Return{Value: lambda.Body}}}
	w.function(in, f, f, w.ScopeOf(lambda))
}

// readClass reports whether a scope is a class whose decorators, bases or
// metaclass may read its annotations and the order of its names, as a dataclass
// does.
func (w *writer) readClass(in int32) bool {
	return w.Scopes[in].Kind == scope.ClassScope && !w.ordinary[in]
}

// function writes a def, whose scope is s. node is the statement itself, which may be an async def.
func (w *writer) function(in int32, f *ast.FunctionDef, node ast.Stmt, s int32) {
	w.kind(node)
	for _, decorator := range f.DecoratorList {
		w.expr(in, decorator)
	}
	w.end()
	w.defaults(in, f.Args)
	w.name(in, f.Name)
	nodes(w, in, f.TypeParams)
	w.hintsOf(in, f)
	around := w.place
	w.place.inAsync = node.Kind() == ast.KindAsyncFunctionDef
	if w.Scopes[in].Kind == scope.ClassScope {
		w.place.method, w.place.self = s, ""
		if first := slices.Concat(f.Args.PosOnlyArgs, f.Args.Args); len(first) > 0 {
			w.place.self = first[0].Arg
		}
	}
	w.fixParameters(s, f)
	w.parameters(s, f.Args)
	w.body(s, f.Body, functionTail, w.writesPattern && w.docFree(f.DecoratorList, w.escapes(in, f.Name)))
	w.end()
	w.place = around
}

// defaults writes the parameters' defaults, which belong to the scope around.
func (w *writer) defaults(in int32, a *ast.Arguments) {
	w.exprs(in, a.Defaults)
	for _, value := range a.KwDefaults {
		w.optional(in, value)
	}
}

// parameters writes the parameters in their own scope.
func (w *writer) parameters(s int32, a *ast.Arguments) {
	w.out = ast.AppendFields(w.out, a)
	a.EachArg(func(arg *ast.Arg) { w.name(s, arg.Arg) })
}

func (w *writer) classDef(in int32, c *ast.ClassDef) {
	w.kind(c)
	for _, decorator := range c.DecoratorList {
		w.expr(in, decorator)
	}
	w.end()
	bases := w.bases(in, c)
	w.exprs(in, bases)
	nodes(w, in, c.Keywords)
	w.name(in, c.Name)
	nodes(w, in, c.TypeParams)
	s := w.ScopeOf(c)
	w.ordinary[s] = len(c.DecoratorList)+len(bases)+len(c.Keywords) == 0 && !w.Mentions("dataclass") && !w.ImportsModule("dataclasses")
	around := w.place
	w.place.class, w.place.inAsync, w.place.inForeign, w.place.inUnknown = c, false, isForeign(c), !w.isKnown(in, c)
	w.body(s, c.Body, noTail, w.writesPattern && w.docFree(nil, false))
	w.end()
	w.place = around
}

// nodes writes nodes as they are.
func nodes[T ast.Node](w *writer, in int32, list []T) {
	w.uint(len(list))
	for _, n := range list {
		w.node(in, n)
	}
}
