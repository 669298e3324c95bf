package same

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/scope"
)

// This file knows which expressions have no effect.

// isFree reports whether no scope of the text binds a builtin's name.
func (w *writer) isFree(text string) bool {
	id, known := w.IDs[text]
	return !known || w.Table.Names[id].Symbols == 0
}

// builtinCalled returns the name of the builtin function that is called, or "".
func (w *writer) builtinCalled(in int32, e *ast.Call) string {
	if f, is := e.Func.(*ast.Name); is && w.isBuiltinName(in, f.ID) {
		return f.ID
	}
	return ""
}

// isBuiltinName reports whether the name is Python's own.
func (w *writer) isBuiltinName(in int32, text string) bool {
	id, known := w.IDs[text]
	return known && w.Table.Names[id].Class&scope.Builtin != 0 && w.Resolve(in, id) < 0
}

// pure reports whether evaluating e has no effect: it cannot fail, calls
// nothing, and frees no object.
func (w *writer) pure(in int32, e ast.Expr) bool {
	return consists(e, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Name:
			at := w.Lookup(in, e.ID)
			if at < 0 {
				return w.isBuiltinName(in, e.ID)
			}
			s := &w.Symbols[at]
			return w.SurelyBound(at) && s.Scope == in && !s.Rebound && !w.Scopes[in].Declares && w.Scopes[in].Kind == scope.FunctionScope
		case *ast.Lambda:
			return inertDefaults(e.Args)
		}
		return false
	})
}

// isLiteral is [IsLiteral] without lambdas.
func isLiteral(e ast.Expr) bool { return consists(e, func(ast.Expr) bool { return false }) }

// IsLiteral reports whether e consists of constants, so that evaluating it neither reads a name nor has an
// effect. A lambda whose defaults are such values is a constant too.
func IsLiteral(e ast.Expr) bool {
	return consists(e, func(e ast.Expr) bool {
		lambda, is := e.(*ast.Lambda)
		return is && all(lambda.Args.Defaults, IsLiteral) && all(lambda.Args.KwDefaults, IsLiteral)
	})
}

// consists reports whether e consists of constants, and of what else is a part.
func consists(e ast.Expr, isPart func(ast.Expr) bool) bool {
	consist := func(e ast.Expr) bool { return consists(e, isPart) }
	switch e := e.(type) {
	case *ast.Constant:
		return true
	case *ast.UnaryOp:
		return isNumber(e.Operand) && (e.Op == ast.USub || e.Op == ast.UAdd)
	case *ast.BinOp:
		return isNumber(e.Left) && isNumber(e.Right) && (e.Op == ast.Add || e.Op == ast.Sub || e.Op == ast.Mult)
	case *ast.Tuple:
		return all(e.Elts, consist)
	case *ast.List:
		return all(e.Elts, consist)
	case *ast.JoinedStr:
		return allConstants(e.Values)
	case *ast.Dict:
		return allConstants(e.Keys) && all(e.Values, consist)
	case *ast.Set:
		return allConstants(e.Elts)
	}
	return isPart(e)
}

// all reports whether something holds for each expression of a list that may have gaps.
func all(list []ast.Expr, is func(ast.Expr) bool) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return e != nil && !is(e) })
}

func isNumber(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && (c.Type == ast.Int || c.Type == ast.Float || c.Type == ast.Complex)
}

func allConstants(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return e == nil || e.Kind() != ast.KindConstant })
}

// inert reports whether a statement only binds names, so no function runs in it
// and it reads no other name.
func inert(statement ast.Stmt) bool {
	return onlyBinds(statement, func(n ast.Node) bool { return isLiteral(n.(ast.Expr)) })
}

// binding reports whether a statement only binds names of the module to values that are made
// without a call.
func binding(statement ast.Stmt) bool { return onlyBinds(statement, CallsNothing) }

// onlyBinds reports whether a statement only binds names: to values that are quiet, or by
// definitions and imports.
func onlyBinds(statement ast.Stmt, isQuiet func(ast.Node) bool) bool {
	body := func() bool {
		return !slices.ContainsFunc(slices.Concat(ast.Blocks(statement)...), func(s ast.Stmt) bool { return !onlyBinds(s, isQuiet) })
	}
	isName := func(e ast.Expr) bool { return e.Kind() == ast.KindName }
	switch s := ast.Plain(statement).(type) {
	case *ast.Pass:
		return true
	case *ast.FunctionDef:
		return inertFunction(s)
	case *ast.ClassDef:
		return len(s.DecoratorList)+len(s.Bases)+len(s.Keywords) == 0 && body()
	case *ast.ExprStmt:
		return isLiteral(s.Value)
	case *ast.Assign:
		return isQuiet(s.Value) && !slices.ContainsFunc(s.Targets, func(e ast.Expr) bool { return !isName(e) })
	case *ast.AnnAssign:
		return isName(s.Target) && s.Simple && (s.Value == nil || isQuiet(s.Value))
	case *ast.Import, *ast.ImportFrom:
		return isImport(statement)
	case *ast.If:
		return isQuiet(s.Test) && body()
	case *ast.Try:
		return !slices.ContainsFunc(s.Handlers, func(h *ast.ExceptHandler) bool { return h.Type != nil && !isQuiet(h.Type) }) && body()
	}
	return false
}

func inertFunction(s *ast.FunctionDef) bool {
	return len(s.DecoratorList) == 0 && inertDefaults(s.Args)
}

// inertDefaults reports whether the parameters' defaults are literals.
func inertDefaults(a *ast.Arguments) bool {
	return all(a.Defaults, isLiteral) && all(a.KwDefaults, isLiteral)
}
