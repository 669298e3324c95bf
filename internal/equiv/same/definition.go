package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file writes functions and classes.

// docstring writes the docstring of a body, which may be another if nothing reads it.
func (n *normalizer) docstring(first ast.Stmt, free bool) {
	text := ""
	s, is := first.(*ast.ExprStmt)
	if is {
		var c *ast.Constant
		if c, is = s.Value.(*ast.Constant); is {
			text, is = c.Text, c.Type == ast.Str
		}
	}
	switch {
	case n.writesPattern && free:
		n.step(patternStep{kind: stepDoc})
	case !is:
	case n.writesPattern && !n.Facts.ReadsDoc:
		n.op(opDoc)
		n.like(stepWords, text)
	default:
		n.op(opDoc)
		n.string(text)
	}
}

// assignLambda writes name = lambda ... as a def. The functions differ only in
// their name, qualified name and lines.
func (n *normalizer) assignLambda(in int32, targets []ast.Expr, value ast.Expr) bool {
	lambda, is := value.(*ast.Lambda)
	if !is || len(targets) != 1 {
		return false
	}
	name, is := targets[0].(*ast.Name)
	if !is {
		return false
	}
	if at := n.Lookup(in, name.ID); n.edits == nil && (n.Class&scope.ReadsNames != 0 || n.Facts.NamedHandler || at >= 0 && n.Symbols[at].Shown) {
		return false // of its name
	}
	n.op(byte(ast.KindFunctionDef))
	n.end() // no decorators
	n.defaults(in, lambda.Args)
	n.name(in, name.ID)
	n.hintsOf(in, &ast.FunctionDef{Args: lambda.Args})
	s := n.enter(lambda)
	mark := n.parameters(s, lambda.Args)
	if n.literal {
		n.docstring(&ast.Return{}, n.docFree(nil, false))
	}
	n.returned(s, lambda.Body, functionTail)
	n.end()
	n.forget(mark)
	n.surely(in, name)
	return true
}

// readClass reports whether a scope is a class whose decorators, bases or
// metaclass may read its annotations and the order of its names, as a dataclass
// does.
func (n *normalizer) readClass(in int32) bool {
	return n.Scopes[in].Kind == scope.ClassScope && !n.ordinary[in]
}

func (n *normalizer) function(in int32, f *ast.FunctionDef, node ast.Stmt) {
	n.kind(node)
	for _, decorator := range f.DecoratorList {
		n.expr(in, decorator)
	}
	n.end()
	n.defaults(in, f.Args)
	n.name(in, f.Name)
	if n.literal && len(f.TypeParams) > 0 {
		n.typeParams(in, f.TypeParams)
	}
	n.hintsOf(in, f)
	s := n.enter(node)
	async, tries := n.inAsync, n.Tries
	n.Tries = 0
	n.inAsync = node.Kind() == ast.KindAsyncFunctionDef
	n.fixParameters(s, f)
	mark := n.parameters(s, f.Args)
	n.body(s, f.Body, functionTail, n.writesPattern && n.docFree(f.DecoratorList, n.escapes(in, f.Name)))
	n.end()
	n.forget(mark)
	n.inAsync, n.Tries = async, tries
	n.surelyNamed(in, f.Name)
}

// defaults writes the parameters' defaults, which belong to the scope around.
func (n *normalizer) defaults(in int32, a *ast.Arguments) {
	n.exprs(in, a.Defaults)
	for _, value := range a.KwDefaults {
		n.optional(in, value)
	}
}

// parameters writes the parameters in their own scope. It returns the mark for
// forget.
func (n *normalizer) parameters(s int32, a *ast.Arguments) int {
	mark := len(n.definite)
	if args := slices.Concat(a.PosOnlyArgs, a.Args); len(args) > 0 {
		n.first[s] = args[0].Arg
	}
	n.uint(len(a.PosOnlyArgs))
	n.uint(len(a.Args))
	n.uint(len(a.KwOnlyArgs))
	n.op(boolByte(a.VarArg != nil)<<1 | boolByte(a.KwArg != nil))
	scope.EachArg(a, func(arg *ast.Arg) {
		n.name(s, arg.Arg)
		n.surelyNamed(s, arg.Arg)
	})
	return mark
}

func (n *normalizer) classDef(in int32, c *ast.ClassDef) {
	n.kind(c)
	for _, decorator := range c.DecoratorList {
		n.expr(in, decorator)
	}
	n.end()
	bases := n.bases(in, c)
	n.exprs(in, bases)
	n.keywords(in, c.Keywords)
	n.name(in, c.Name)
	if n.literal && len(c.TypeParams) > 0 {
		n.typeParams(in, c.TypeParams)
	}
	s := n.enter(c)
	n.ordinary[s] = len(c.DecoratorList)+len(bases)+len(c.Keywords) == 0 && !n.Mentions("dataclass")
	async, foreign, unknown := n.inAsync, n.inForeign, n.inUnknown
	n.inAsync, n.inForeign, n.inUnknown = false, n.isForeign(in, c), !n.isKnown(in, c)
	if !n.inForeign {
		n.classes[s] = c
	}
	mark := len(n.definite)
	n.body(s, c.Body, noTail, n.writesPattern && n.docFree(nil, false))
	n.forget(mark)
	n.end()
	n.inAsync, n.inForeign, n.inUnknown = async, foreign, unknown
}

func (n *normalizer) typeParams(in int32, list []ast.TypeParam) {
	n.uint(len(list))
	for _, p := range list {
		n.kind(p)
		switch p := p.(type) {
		case *ast.TypeVar:
			n.string(p.Name)
			n.optional(in, p.Bound)
			n.optional(in, p.Default)
		case *ast.ParamSpec:
			n.string(p.Name)
			n.optional(in, p.Default)
		case *ast.TypeVarTuple:
			n.string(p.Name)
			n.optional(in, p.Default)
		}
	}
}
