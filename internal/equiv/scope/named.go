package scope

import (
	"slices"

	"codelinter/ast"
)

// A Named is a statement of a function that gives a value a name, and the place where the statement
// that comes next reads it, see [NamedValue].
type Named struct {
	Symbol, Scope   int32
	Statement, Next ast.Stmt
	Between         []ast.Stmt // which are idle, or read names and do nothing else
	Value           ast.Expr
	Read            *ast.Name
}

// NamedValue returns the value that the first of two adjacent statements gives a name, and the
// place where the second reads it, if that place is evaluated where the value would be:
//
//	total = f(x)          message = "no total"
//	return total          raise ValueError(message)
//
// So return f(x) does the same if nothing else reads or binds the name, see [Symbol.OnlyNames].
// Before the argument of a raise, CPython evaluates the name of the exception, so the value must
// not call anything, unless the name is a builtin's.
func NamedValue(first, second ast.Stmt) (value ast.Expr, read *ast.Name) {
	var target ast.Expr
	switch s := first.(type) {
	case *ast.Assign:
		if len(s.Targets) == 1 {
			target, value = s.Targets[0], s.Value
		}
	case *ast.AnnAssign:
		if s.Simple {
			target, value = s.Target, s.Value
		}
	}
	name, is := target.(*ast.Name)
	if !is || value == nil || value.Kind() == ast.KindLambda {
		return nil, nil
	}
	switch s := second.(type) {
	case *ast.Return:
		read, _ = s.Value.(*ast.Name)
	case *ast.Raise:
		call, is := s.Exc.(*ast.Call)
		if !is || len(call.Args) == 0 {
			return nil, nil
		}
		class, is := call.Func.(*ast.Name)
		if !is || !OnlyReads(value) && ClassOf(class.ID)&Builtin == 0 {
			return nil, nil
		}
		read, _ = call.Args[0].(*ast.Name)
	}
	if read == nil || read.ID != name.ID {
		return nil, nil
	}
	return value, read
}

// OnlyNames reports whether a variable of a function does nothing but name values as in
// [NamedValue].
func (r *Table) OnlyNames(at int32) bool {
	s := &r.Symbols[at]
	return s.named > 0 && s.Loads-s.bare == s.named && s.Stores == s.named && s.Dels == 0 && !s.Param && r.Scopes[s.Scope].Kind == FunctionScope
}

// OnlyReads reports whether an expression is a constant or a text of names and attributes.
func OnlyReads(e ast.Expr) bool {
	return e.Kind() == ast.KindConstant || e.Kind() == ast.KindJoinedStr &&
		ConsistsOf(e, ast.KindJoinedStr, ast.KindFormattedValue, ast.KindConstant, ast.KindName, ast.KindAttribute)
}

// ConsistsOf reports whether a node and all below it are of some kinds.
func ConsistsOf(n ast.Node, kinds ...ast.Kind) bool {
	is := true
	ast.Inspect(n, func(node ast.Node) bool {
		is = is && slices.Contains(kinds, node.Kind())
		return is
	})
	return is
}

// IsCall reports whether a name is used to be called.
func (u *Use) IsCall() bool { return u.how == callUse || u.how == argumentUse }

// HasArgument reports whether dir or vars is called with an argument, so that it does not look at
// the names around it.
func (u *Use) HasArgument() bool { return u.how == argumentUse }

// Escapes reports whether a symbol's value is used otherwise than to be called.
func (r *Table) Escapes(at int32) bool { return r.Symbols[at].Loads > r.Symbols[at].calls }

// IsClass reports whether only class statements bind a symbol.
func (r *Table) IsClass(at int32) bool {
	s := &r.Symbols[at]
	return s.classes > 0 && s.Stores == s.classes
}

// Leaves reports whether the code after a block does not run: its last statement leaves.
func Leaves(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch body[len(body)-1].(type) {
	case *ast.Return, *ast.Raise, *ast.Break, *ast.Continue:
		return true
	}
	return false
}

// IsBare reports whether a statement only reads names, as x and x, y do.
func IsBare(s ast.Stmt) bool {
	e, is := s.(*ast.ExprStmt)
	return is && (e.Value.Kind() == ast.KindName || e.Value.Kind() == ast.KindTuple) && ConsistsOf(e.Value, ast.KindName, ast.KindTuple)
}

// IsIdle reports whether a statement does nothing: pass, or a constant.
func IsIdle(s ast.Stmt) bool {
	e, is := s.(*ast.ExprStmt)
	return s.Kind() == ast.KindPass || is && e.Value.Kind() == ast.KindConstant
}
