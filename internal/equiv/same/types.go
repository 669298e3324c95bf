package same

import (
	"codelinter/internal/equiv/scope"
	"slices"

	"codelinter/ast"
)

// This file infers the types that repairs of E712 and F632 need: which
// expressions are always a bool, and which always an int.

type valueType uint8

const (
	unknownType valueType = iota
	boolType              // True or False, and nothing else
	intType               // an int that is not a bool
)

// plainValues reports whether == and < have Python's own meaning for every
// value in the program: they return a bool, and only None equals None. This
// holds unless something in the text, or in its imports, may define them.
func (n *normalizer) plainValues() bool {
	return n.plain && (n.Class|n.callers.Class)&(scope.Compares|scope.MakesTypes) == 0
}

// plainTypes reports whether == on two types means is: no class of the text is
// a metaclass, and no imported one redefines it.
func (n *normalizer) plainTypes() bool {
	return n.plain && n.Class&scope.MakesTypes == 0 && !n.Mentions("metaclass") && !n.Facts.TypeBase && !n.callers.Strange
}

// infer finds the types of names whose values all come from name = value.
func (n *normalizer) infer() {
	n.types = n.types[:0] // of the previous text
	for range 2 {         // the second round uses the types from the first
		found := slices.Grow(n.inferred[:0], len(n.Symbols))
		for i := range n.Symbols {
			s := &n.Symbols[i]
			// A name of a class or a builtin may have another meaning until it
			// is bound.
			text := &n.Table.Names[s.Name]
			known := !s.Untyped && !s.Param && n.Scopes[s.Scope].Kind != scope.ClassScope && text.Class&scope.Builtin == 0 &&
				(s.Scope != 0 || !n.callers.Bound[text.Text])
			found = append(found, inference{known: known})
		}
		// n.types has the types of the last round, found those of this one.
		for _, v := range n.Values {
			f := &found[v.Symbol]
			if !f.known {
				continue
			}
			t := n.typeOf(v.Scope, v.Value)
			if f.t == unknownType {
				f.t = t
			}
			if t == unknownType || f.t != t {
				*f = inference{}
			}
		}
		n.types = n.types[:0]
		for _, f := range found {
			n.types = append(n.types, f.t)
		}
		n.inferred = found
	}
}

// An inference is what is known of a symbol's values.
type inference struct {
	t     valueType
	known bool // they may all be of one type
}

// typeOf returns the type of an expression's value, if it has one.
func (n *normalizer) typeOf(in int32, e ast.Expr) valueType {
	switch e := e.(type) {
	case *ast.Constant:
		switch e.Type {
		case ast.True, ast.False:
			return boolType
		case ast.Int:
			return intType
		}
	case *ast.Name:
		if at := n.Lookup(in, e.ID); at >= 0 && int(at) < len(n.types) {
			return n.types[at]
		}
	case *ast.NamedExpr:
		return n.typeOf(in, e.Value)
	case *ast.UnaryOp:
		if e.Op == ast.Not {
			return boolType
		}
		if e.Op == ast.USub && n.typeOf(in, e.Operand) == intType {
			return intType
		}
	case *ast.BoolOp:
		t := n.typeOf(in, e.Values[0])
		for _, value := range e.Values[1:] {
			if n.typeOf(in, value) != t {
				return unknownType
			}
		}
		return t
	case *ast.IfExp:
		if t := n.typeOf(in, e.Body); t == n.typeOf(in, e.Orelse) {
			return t
		}
	case *ast.Compare:
		for _, op := range e.Ops {
			// is, not in and the like always return a bool, the others unless
			// something defines them.
			if op < ast.Is && !n.plainValues() {
				return unknownType
			}
		}
		return boolType
	case *ast.BinOp:
		switch e.Op {
		case ast.Add, ast.Sub, ast.Mult:
			if n.typeOf(in, e.Left) == intType && n.typeOf(in, e.Right) == intType {
				return intType
			}
		}
	case *ast.Call:
		switch n.builtinCalled(in, e) {
		case "bool", "isinstance", "issubclass", "callable", "hasattr", "any", "all":
			return boolType
		case "len", "ord", "hash", "id":
			return intType
		}
	}
	return unknownType
}

// builtinCalled returns the name of the builtin function that is called, or "".
func (n *normalizer) builtinCalled(in int32, e *ast.Call) string {
	if f, is := e.Func.(*ast.Name); is && n.isBuiltinName(in, f.ID) {
		return f.ID
	}
	return ""
}

// isBuiltinName reports whether the name is Python's own.
func (n *normalizer) isBuiltinName(in int32, text string) bool {
	id, known := n.IDs[text]
	return known && n.Table.Names[id].Class&scope.Builtin != 0 && n.Resolve(in, id) < 0
}

// pure reports whether evaluating e has no effect: it cannot fail, calls
// nothing, and frees no object.
func (n *normalizer) pure(in int32, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name:
		at := n.Lookup(in, e.ID)
		if at < 0 {
			return n.isBuiltinName(in, e.ID)
		}
		s := &n.Symbols[at]
		return n.marks[at].definite && s.Scope == in && !n.Scopes[in].Declares && n.Scopes[in].Kind == scope.FunctionScope
	case *ast.Tuple:
		return n.allPure(in, e.Elts)
	case *ast.List:
		return n.allPure(in, e.Elts)
	case *ast.Dict:
		return allConstants(e.Keys) && n.allPure(in, e.Values)
	case *ast.Lambda:
		return inertDefaults(e.Args)
	}
	return isLiteral(e)
}

func (n *normalizer) allPure(in int32, list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !n.pure(in, e) })
}

// plainText reports whether an f-string has no fields.
func plainText(e *ast.JoinedStr) bool { return allConstants(e.Values) }

// isLiteral is [IsLiteral] without lambdas.
func isLiteral(e ast.Expr) bool { return IsLiteral(e, false) }

// IsLiteral reports whether e consists of constants, so that evaluating it
// neither reads a name nor has an effect. With lambdas, one whose defaults are
// such values is a constant too.
func IsLiteral(e ast.Expr, lambdas bool) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return true
	case *ast.UnaryOp:
		return isNumber(e.Operand) && (e.Op == ast.USub || e.Op == ast.UAdd)
	case *ast.BinOp:
		return isNumber(e.Left) && isNumber(e.Right) && (e.Op == ast.Add || e.Op == ast.Sub || e.Op == ast.Mult)
	case *ast.Tuple:
		return allLiterals(e.Elts, lambdas)
	case *ast.List:
		return allLiterals(e.Elts, lambdas)
	case *ast.JoinedStr:
		return plainText(e)
	case *ast.Dict:
		return allConstants(e.Keys) && allLiterals(e.Values, lambdas)
	case *ast.Set:
		return allConstants(e.Elts)
	case *ast.Lambda:
		return lambdas && allLiterals(e.Args.Defaults, true) && allLiterals(e.Args.KwDefaults, true)
	}
	return false
}

func isNumber(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && (c.Type == ast.Int || c.Type == ast.Float || c.Type == ast.Complex)
}

func allConstants(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return e == nil || e.Kind() != ast.KindConstant })
}

// allLiterals is [IsLiteral] for each expression of a list that may have gaps.
func allLiterals(list []ast.Expr, lambdas bool) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return e != nil && !IsLiteral(e, lambdas) })
}
