package ast

import "strings"

// Bound returns the name that an import binds: that after as, or a of import a.b.
func (a *Alias) Bound() string {
	if a.AsName != "" {
		return a.AsName
	}
	name, _, _ := strings.Cut(a.Name, ".")
	return name
}

// Binds returns the name that a node itself binds, not its children: the name of a definition, an
// import, a handler, a pattern, a parameter, or a variable that is stored. It returns "" if there
// is none.
func Binds(n Node) string {
	switch n := n.(type) {
	case *FunctionDef:
		return n.Name
	case *AsyncFunctionDef:
		return n.Name
	case *ClassDef:
		return n.Name
	case *Alias:
		return n.Bound()
	case *ExceptHandler:
		return n.Name
	case *MatchAs:
		return n.Name
	case *MatchStar:
		return n.Name
	case *MatchMapping:
		return n.Rest
	case *Arg:
		return n.Arg
	case *Name:
		if n.Ctx == Store {
			return n.ID
		}
	}
	return ""
}

// Decorators returns the decorators of a definition.
func Decorators(n Node) []Expr {
	switch n := n.(type) {
	case *FunctionDef:
		return n.DecoratorList
	case *AsyncFunctionDef:
		return n.DecoratorList
	case *ClassDef:
		return n.DecoratorList
	}
	return nil
}

// OpensScope reports whether names that are bound within a node are its own: a definition, a lambda
// or a comprehension.
func OpensScope(n Node) bool {
	switch n.Kind() {
	case KindFunctionDef, KindAsyncFunctionDef, KindClassDef, KindLambda, KindListComp, KindSetComp, KindDictComp, KindGeneratorExp:
		return true
	}
	return false
}

// IsText reports whether a statement is a string, such as a docstring.
func IsText(s Stmt) bool {
	e, is := s.(*ExprStmt)
	if !is {
		return false
	}
	c, is := e.Value.(*Constant)
	return is && c.Type == Str
}

// CalledName returns the last name of what is called, or "".
func CalledName(call *Call) string { return LastName(call.Func) }

// LastName returns c of a.b.c, or "".
func LastName(e Expr) string {
	switch e := e.(type) {
	case *Name:
		return e.ID
	case *Attribute:
		return e.Attr
	}
	return ""
}

// DecoratorName returns c of @a.b.c and of @a.b.c(d), or "".
func DecoratorName(decorator Expr) string {
	if call, is := decorator.(*Call); is {
		return CalledName(call)
	}
	return LastName(decorator)
}
