package guard

import (
	"fmt"

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
//
// Another name for a positional parameter is refused only if a known caller
// passes it by keyword, as nearly all calls are by position.
func (m *match) signature(want, got *ast.Arguments) string {
	old, now := positional{want}, positional{got}
	for i := range old.len() {
		if i >= now.len() {
			if got.VarArg == nil {
				return fmt.Sprintf("takes at most %d by position, the program's takes %d", now.len(), old.len())
			}
			if name := old.at(i).Arg; i >= len(want.PosOnlyArgs) && m.callers.Keyword(name) && !now.takes(name) {
				return fmt.Sprintf("does not take %s by keyword", name)
			}
			continue
		}
		name := old.at(i).Arg
		if i >= len(want.PosOnlyArgs) && m.callers.Keyword(name) && !now.takes(name) {
			return fmt.Sprintf("does not take %s by keyword", name)
		}
		a, b := old.defaultOf(i), now.defaultOf(i)
		if a != nil && b != nil && differentConstants(a, b) {
			return fmt.Sprintf("has another default for %s", now.at(i).Arg)
		}
	}
	for i := old.required(); i < now.required(); i++ {
		// A parameter that every call passes by keyword may become positional.
		if name := now.at(i).Arg; i < old.len() || i < len(got.PosOnlyArgs) || !old.needsKeyword(name) {
			return fmt.Sprintf("needs %s, the program's does not", name)
		}
	}
	if want.VarArg != nil && got.VarArg == nil {
		return "does not take any number by position, as *" + want.VarArg.Arg + " does"
	}
	if want.KwArg != nil && got.KwArg == nil {
		return "does not take any keyword, as **" + want.KwArg.Arg + " does"
	}
	for i, arg := range want.KwOnlyArgs {
		if !now.takes(arg.Arg) {
			return "does not take " + arg.Arg + " by keyword"
		}
		for j, other := range got.KwOnlyArgs {
			if other.Arg != arg.Arg {
				continue
			}
			switch a, b := want.KwDefaults[i], got.KwDefaults[j]; {
			case a != nil && b == nil:
				return "needs " + arg.Arg
			case a != nil && differentConstants(a, b):
				return "has another default for " + arg.Arg
			}
		}
	}
	for j, arg := range got.KwOnlyArgs {
		if got.KwDefaults[j] == nil && !(positional{want}).takesKeywordOnly(arg.Arg) {
			return "needs " + arg.Arg + " by keyword"
		}
	}
	return ""
}

// positional has the parameters that may be passed by position.
type positional struct{ *ast.Arguments }

func (p positional) len() int { return len(p.PosOnlyArgs) + len(p.Args) }

func (p positional) at(i int) *ast.Arg {
	if i < len(p.PosOnlyArgs) {
		return p.PosOnlyArgs[i]
	}
	return p.Args[i-len(p.PosOnlyArgs)]
}

func (p positional) required() int { return p.len() - len(p.Defaults) }

// defaultOf returns the default of the i-th parameter, or nil.
func (p positional) defaultOf(i int) ast.Expr {
	if i -= p.required(); i >= 0 {
		return p.Defaults[i]
	}
	return nil
}

// takes reports whether name may be passed by keyword.
func (p positional) takes(name string) bool {
	for _, arg := range p.Args {
		if arg.Arg == name {
			return true
		}
	}
	return p.takesKeywordOnly(name) || p.KwArg != nil
}

func (p positional) takesKeywordOnly(name string) bool {
	for _, arg := range p.KwOnlyArgs {
		if arg.Arg == name {
			return true
		}
	}
	return false
}

// needsKeyword reports whether every call passes name by keyword.
func (p positional) needsKeyword(name string) bool {
	for i, arg := range p.KwOnlyArgs {
		if arg.Arg == name {
			return p.KwDefaults[i] == nil
		}
	}
	return false
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
