package guard

import (
	"fmt"
	"slices"

	"codelinter/ast"
)

// signature returns why parameters do not accept every call that the program's
// accept, or "".
//
// A call may pass any positional parameter by position, must pass those without
// defaults, and may pass by keyword any that is not positional-only. So an
// answer may add optional parameters, give a default to a required one, or
// replace some by *args. It may not
//
//	def f(a, b=1)   ->   def f(a)          # f(1, 2) is not taken
//	def f(a, b=1)   ->   def f(a, b)       # f(1) is not taken
//	def f(a, *, b)  ->   def f(a, *, c)    # f(1, b=2) is not taken
//	def f(a, b=1)   ->   def f(a, b=2)     # f(1) is another call
//	def f(a, b=ONE) ->   def f(a, b=TWO)   # the same
//
// Another name for a positional parameter is refused only if a known caller
// passes it by keyword, as nearly all calls are by position.
func (m *match) signature(program *namespace, want *ast.Arguments, answer *namespace, got *ast.Arguments) string {
	old, now := parametersOf(want), parametersOf(got)
	places, theirs := len(got.PosOnlyArgs)+len(got.Args), len(want.PosOnlyArgs)+len(want.Args)
	for _, p := range old {
		same := find(now, p.name)
		switch {
		case p.position >= places && got.VarArg == nil:
			return fmt.Sprintf("takes at most %d by position, the program's takes %d", places, theirs)
		case same == nil && got.KwArg == nil && (p.position < 0 || p.isNamed && m.callers.Keyword(p.name)):
			return fmt.Sprintf("does not take %s by keyword", p.name)
		}
		if p.position >= 0 {
			if same = nil; p.position < places {
				same = &now[p.position]
			}
		}
		switch {
		case same == nil || p.value == nil: // it is one of *args or **kw, or every call passes it
		case same.value == nil:
			return fmt.Sprintf("needs %s, the program's does not", same.name)
		case differentConstants(program.constant(p.value), answer.constant(same.value)):
			return fmt.Sprintf("has another default for %s", same.name)
		}
	}
	for _, p := range now {
		same := find(old, p.name)
		switch {
		case p.value != nil || p.position >= 0 && p.position < theirs:
		case same == nil || same.position >= 0 || !p.isNamed: // a call need not pass it by keyword
			return fmt.Sprintf("needs %s, the program's does not", p.name)
		}
	}
	if want.VarArg != nil && got.VarArg == nil {
		return "does not take any number by position, as *" + want.VarArg.Arg + " does"
	}
	if want.KwArg != nil && got.KwArg == nil {
		return "does not take any keyword, as **" + want.KwArg.Arg + " does"
	}
	return ""
}

// A parameter is one that is not *args or **kw.
type parameter struct {
	name     string
	position int      // or -1
	isNamed  bool     // may be passed by keyword
	value    ast.Expr // the default, or nil
}

func parametersOf(a *ast.Arguments) (list []parameter) {
	positional := len(a.PosOnlyArgs) + len(a.Args)
	a.EachArg(func(arg *ast.Arg) {
		at := len(list)
		p := parameter{name: arg.Arg, position: at, isNamed: at >= len(a.PosOnlyArgs)}
		switch {
		case arg == a.VarArg || arg == a.KwArg:
			return
		case at >= positional:
			p.position, p.value = -1, a.KwDefaults[at-positional]
		case at >= positional-len(a.Defaults):
			p.value = a.Defaults[at-positional+len(a.Defaults)]
		}
		list = append(list, p)
	})
	return list
}

// find returns the parameter that a call may pass by that keyword, or nil.
func find(list []parameter, name string) *parameter {
	if at := slices.IndexFunc(list, func(p parameter) bool { return p.isNamed && p.name == name }); at >= 0 {
		return &list[at]
	}
	return nil
}

// differentConstants reports whether both are literals with different values.
func differentConstants(a, b ast.Expr) bool {
	x, okX := literal(a)
	y, okY := literal(b)
	return okX && okY && x != y
}

// A literalValue is a comparable number, text or singleton.
type literalValue struct {
	kind     ast.ConstantType
	negative bool
	text     string
}

// literal returns the value of a literal, perhaps with a minus.
func literal(e ast.Expr) (literalValue, bool) {
	var v literalValue
	if u, is := e.(*ast.UnaryOp); is && u.Op == ast.USub {
		v.negative, e = true, u.Operand
	}
	c, is := e.(*ast.Constant)
	if !is {
		return v, false
	}
	v.kind = c.Type
	v.text = string(c.AppendValue(nil))
	return v, true
}
