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
//	IOError, EnvironmentError        OSError, which is the same object
//	class A(object):                 class A:
//	super(A, self) in a method of A  super()
//	raise ValueError()               raise ValueError
//	return not a, return a in b      if a: return False, else: return True
//	if TYPE_CHECKING: ...            nothing, as it is false when a program runs

// idiom returns the call that the normal form has for a call of a builtin.
func (n *normalizer) idiom(in int32, e *ast.Call) ast.Expr {
	if n.Facts.Star || n.ImportsModule("builtins") {
		return e
	}
	name := n.builtinCalled(in, e)
	switch {
	case name == "zip":
		kept := slices.DeleteFunc(slices.Clone(e.Keywords), func(k *ast.Keyword) bool { return k.Arg == "strict" && scope.IsConstant(k.Value, ast.False) })
		return &ast.Call{Func: e.Func, Args: e.Args, Keywords: kept}
	case len(e.Keywords) > 0:
	case name == "super" && n.isOwnSuper(in, e.Args):
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

func isZero(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	if !is || c.Type != ast.Int {
		return false
	}
	value, ok := c.Int64()
	return ok && value == 0
}

// isOwnSuper reports whether the arguments of super are those that it has without: the class
// around, which nothing replaces, and the method's first parameter.
func (n *normalizer) isOwnSuper(in int32, args []ast.Expr) bool {
	if len(args) != 2 || n.Scopes[in].Kind != scope.FunctionScope {
		return false
	}
	class, is := args[0].(*ast.Name)
	self, isName := args[1].(*ast.Name)
	around := n.Scopes[in].Parent
	if !is || !isName || n.classes[around] == nil || n.classes[around].Name != class.ID || n.first[in] != self.ID {
		return false
	}
	c, s := n.Lookup(in, class.ID), n.Lookup(in, self.ID)
	return c >= 0 && n.IsClass(c) && n.Symbols[c].Stores == 1 && n.Symbols[c].Dels == 0 && n.Symbols[c].Scope == n.Scopes[around].Parent &&
		s >= 0 && n.Symbols[s].Scope == in && n.Symbols[s].Stores == 1 && n.Symbols[s].Dels == 0
}

// builtin returns the name by which the normal form calls a builtin, if nothing binds its name.
func (n *normalizer) builtin(text string) string {
	switch text {
	case "IOError", "EnvironmentError":
		if n.isFree(text) && n.isFree("OSError") && !n.Facts.Star {
			return "OSError"
		}
	}
	return text
}

// bases returns the bases of a class without object, which all have.
func (n *normalizer) bases(in int32, c *ast.ClassDef) []ast.Expr {
	if len(c.Bases) == 1 {
		if name, is := c.Bases[0].(*ast.Name); is && name.ID == "object" && n.isBuiltinName(in, "object") {
			return nil
		}
	}
	return c.Bases
}

// raised returns the class for a new exception without arguments, as raise calls a class itself.
func (n *normalizer) raised(in int32, e ast.Expr) ast.Expr {
	call, is := e.(*ast.Call)
	if !is || len(call.Args)+len(call.Keywords) > 0 {
		return e
	}
	name, is := call.Func.(*ast.Name)
	if !is {
		return e
	}
	at := n.Lookup(in, name.ID)
	if at >= 0 && n.IsClass(at) && n.Symbols[at].Stores == 1 || at < 0 && n.isBuiltinName(in, name.ID) && name.ID[0] < 'a' {
		return name
	}
	return e
}

var (
	returnTrue  = &ast.Return{Value: &ast.Constant{Type: ast.True}}
	returnFalse = &ast.Return{Value: &ast.Constant{Type: ast.False}}
)

// truth returns the test of which a value is the truth, and whether it is negated, or nil: not a,
// a in b and a not in b. A comparison that findings ask to change is none.
func (n *normalizer) truth(in int32, value ast.Expr) (test ast.Expr, negated bool) {
	if value == nil || value.Kind() != ast.KindUnaryOp && value.Kind() != ast.KindCompare {
		return nil, false
	}
	core, negated := n.condition(in, value, false)
	if c, is := core.(*ast.Compare); is {
		if len(c.Ops) == 1 && c.Ops[0] == ast.In {
			return core, negated
		}
		return nil, false
	}
	if not, is := value.(*ast.UnaryOp); is && not.Op == ast.Not {
		return core, negated
	}
	return nil, false
}

// isNeverRun reports whether a statement is for type checkers alone.
func (n *normalizer) isNeverRun(in int32, s *ast.If) bool {
	test, is := s.Test.(*ast.Name)
	if !is || test.ID != "TYPE_CHECKING" || len(s.Orelse) > 0 || n.KeepsAnnotations() {
		return false
	}
	at := n.Lookup(in, test.ID)
	return at >= 0 && n.Symbols[at].Stores == 1 && n.mayDrop(at) && slices.ContainsFunc(n.Imports, func(i scope.Import) bool {
		return i.Symbol == at && i.Module == "typing" && i.Name == test.ID
	})
}
