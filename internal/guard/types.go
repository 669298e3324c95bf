package guard

import (
	"slices"

	"codelinter/ast"
)

// This file knows as much of types as mends of E712 and F632 need: which
// expressions are always a bool, which always an int.

type valueType uint8

const (
	unknownType valueType = iota
	boolType              // True or False, and nothing else
	intType               // an int that is no bool
)

// plainValues reports whether == and < mean for every value in the program what
// they mean for Python's own: they return a bool, and nothing equals None but None.
// It is so unless something in the text, or in what it imports, says otherwise.
func (n *normalizer) plainValues() bool {
	return n.plain && (n.class|n.callers.class)&(compares|makesTypes) == 0
}

// plainTypes reports whether == on two types is is: no class of the text is a type's
// own type, and no imported one defines it otherwise.
func (n *normalizer) plainTypes() bool {
	return n.plain && n.class&makesTypes == 0 && !n.mentions("metaclass") && !n.facts.typeBase && !n.callers.strange
}

// infer finds the types of the names that get all their values by name = value.
func (n *normalizer) infer() {
	n.types = n.types[:0] // of the text before
	for range 2 {         // the second round knows the names of the first
		for i := range n.symbols {
			s := &n.symbols[i]
			s.typ = unknownType
			// A name of a class or of a builtin may stand for something else
			// until it is bound.
			text := &n.names.names[s.name]
			s.known = !s.untyped && !s.param && n.scopes[s.scope].kind != classScope && text.class&isBuiltin == 0 &&
				(s.scope != 0 || !n.callers.bound[text.text])
		}
		// Types of the last round are in n.types, those of this one in symbols.
		for _, v := range n.values {
			s := &n.symbols[v.symbol]
			if !s.known {
				continue
			}
			t := n.typeOf(v.scope, v.value)
			if s.typ == unknownType {
				s.typ = t
			}
			if t == unknownType || s.typ != t {
				s.typ, s.known = unknownType, false
			}
		}
		n.types = n.types[:0]
		for i := range n.symbols {
			n.types = append(n.types, n.symbols[i].typ)
		}
	}
}

// typeOf returns the type of an expression's value, if it has one.
func (n *normalizer) typeOf(scope int32, e ast.Expr) valueType {
	switch e := e.(type) {
	case *ast.Constant:
		switch e.Type {
		case ast.True, ast.False:
			return boolType
		case ast.Int:
			return intType
		}
	case *ast.Name:
		if at := n.resolve(scope, n.ids[e.ID]); at >= 0 && int(at) < len(n.types) {
			return n.types[at]
		}
	case *ast.NamedExpr:
		return n.typeOf(scope, e.Value)
	case *ast.UnaryOp:
		if e.Op == ast.Not {
			return boolType
		}
		if e.Op == ast.USub && n.typeOf(scope, e.Operand) == intType {
			return intType
		}
	case *ast.BoolOp:
		t := n.typeOf(scope, e.Values[0])
		for _, value := range e.Values[1:] {
			if n.typeOf(scope, value) != t {
				return unknownType
			}
		}
		return t
	case *ast.IfExp:
		if t := n.typeOf(scope, e.Body); t == n.typeOf(scope, e.Orelse) {
			return t
		}
	case *ast.Compare:
		for _, op := range e.Ops {
			// is, not in and their like always give a bool, the others where
			// nobody defines them.
			if op < ast.Is && !n.plainValues() {
				return unknownType
			}
		}
		return boolType
	case *ast.BinOp:
		switch e.Op {
		case ast.Add, ast.Sub, ast.Mult:
			if n.typeOf(scope, e.Left) == intType && n.typeOf(scope, e.Right) == intType {
				return intType
			}
		}
	case *ast.Call:
		switch n.builtinCalled(scope, e) {
		case "bool", "isinstance", "issubclass", "callable", "hasattr", "any", "all":
			return boolType
		case "len", "ord", "hash", "id":
			return intType
		}
	}
	return unknownType
}

// builtinCalled returns the name of the builtin function that a call calls, ""
// if it calls something else.
func (n *normalizer) builtinCalled(scope int32, e *ast.Call) string {
	if f, is := e.Func.(*ast.Name); is && n.isBuiltinName(scope, f.ID) {
		return f.ID
	}
	return ""
}

// isBuiltinName reports whether the name stands for what Python defines.
func (n *normalizer) isBuiltinName(scope int32, text string) bool {
	id, known := n.ids[text]
	return known && n.names.names[id].class&isBuiltin != 0 && n.resolve(scope, id) < 0
}

// pure reports whether to evaluate e has no effect: it cannot fail, calls
// nothing, and nothing is given back after it.
func (n *normalizer) pure(scope int32, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name:
		at := n.resolve(scope, n.ids[e.ID])
		if at < 0 {
			return n.isBuiltinName(scope, e.ID)
		}
		s := &n.symbols[at]
		return s.definite && s.scope == scope && !n.scopes[scope].declares && n.scopes[scope].kind == functionScope
	case *ast.Tuple:
		return n.allPure(scope, e.Elts)
	case *ast.List:
		return n.allPure(scope, e.Elts)
	case *ast.Dict:
		return allConstants(e.Keys) && n.allPure(scope, e.Values)
	case *ast.Lambda:
		return inertDefaults(e.Args)
	}
	return isLiteral(e)
}

func (n *normalizer) allPure(scope int32, list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !n.pure(scope, e) })
}

// plainText reports whether an f-string has no places.
func plainText(e *ast.JoinedStr) bool { return allConstants(e.Values) }

// isLiteral reports whether e is made of constants alone, so that evaluating it
// neither reads a name nor has an effect.
func isLiteral(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return true
	case *ast.UnaryOp:
		c, is := e.Operand.(*ast.Constant)
		return is && (e.Op == ast.USub || e.Op == ast.UAdd) && (c.Type == ast.Int || c.Type == ast.Float || c.Type == ast.Complex)
	case *ast.Tuple:
		return allLiterals(e.Elts)
	case *ast.List:
		return allLiterals(e.Elts)
	case *ast.JoinedStr:
		return plainText(e)
	case *ast.Dict:
		return allConstants(e.Keys) && allLiterals(e.Values)
	case *ast.Set:
		return allConstants(e.Elts)
	}
	return false
}

func allConstants(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return e == nil || e.Kind() != ast.KindConstant })
}

func allLiterals(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !isLiteral(e) })
}
