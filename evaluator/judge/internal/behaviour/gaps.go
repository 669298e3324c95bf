package behaviour

import (
	"cmp"
	"fmt"
	"slices"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
	"codelinter/source"
)

// A gap is a part of a program that no call reached. Equal parts of two programs have equal keys.
type gap struct {
	*site
	key   string
	never string // "true" or "false": what a condition never was; "" for code that was not run
}

// gaps returns what the calls did not show of a program's code: nothing if that is not known.
func (w *watch) gaps() (list []gap) {
	if !w.ended {
		return nil
	}
	called := w.called()
	for _, s := range w.sites {
		switch {
		case s.kind == siteValue || s.key == "" || s.shown() || s.function != nil && !called[s.function]:
		case s.yes || s.no:
			list = append(list, gap{s, fmt.Sprintf("%t %s", s.yes != s.negated, s.key), fmt.Sprint(!s.yes)})
		case s.kind == siteOutcome:
			list = append(list, gap{site: s, key: fmt.Sprintf("in %d loops if %t %s", s.loops, s.turned == s.negated, s.key)})
		default:
			list = append(list, gap{site: s, key: fmt.Sprintf("in %d loops %s", s.loops, s.key)})
		}
	}
	return list
}

// shown reports whether the calls show a part: code came to its end, a condition had both outcomes.
func (s *site) shown() bool { return s.yes && (s.no || s.kind == siteEnd) || s.one && (s.yes || s.no) }

// called has the functions that the calls run, of those that nobody may call.
func (w *watch) called() map[*ast.FunctionDef]bool {
	called := map[*ast.FunctionDef]bool{}
	for _, s := range w.sites {
		called[s.function] = called[s.function] || s.yes || s.no
	}
	return called
}

// usesAll reports whether the calls run each function, and show what each value does that must be seen
// to matter.
func (w *watch) usesAll() bool {
	called := w.called()
	return !slices.ContainsFunc(w.sites, func(s *site) bool {
		return s.function != nil && !called[s.function] || s.kind == siteValue && (!s.yes || s.isConstant())
	})
}

// describe says what a gap of an answer is.
func (g *gap) describe(w *watch) string {
	return g.text(w) + ", and the program has no such"
}

// text says what a gap of the watch is.
func (g *gap) text(w *watch) string {
	text := w.textAt(g.at)
	if g.never != "" {
		return fmt.Sprintf("no call was found for which this is %s: %s", g.never, text)
	}
	return "no call was found that reaches " + text
}

// A gapSet counts gaps by key.
type gapSet map[string]int

func gapKeys(gaps []gap) gapSet {
	set := gapSet{}
	for _, g := range gaps {
		set[g.key]++
	}
	return set
}

// has reports whether the set has the gap g, which is one of of. A statement with an
// effect on each run must be in the set at least as often as in of.
func (s gapSet) has(g gap, of gapSet) bool {
	return s[g.key] > 0 && (!g.counts || s[g.key] >= of[g.key])
}

// mainCondition is the text of __name__ == "__main__".
var mainCondition = lazy.Value[string]{Make: func() string {
	text, _ := condition(&ast.Compare{
		Left: &ast.Name{ID: "__name__"}, Ops: []ast.CompareOperator{ast.Eq},
		Comparators: []ast.Expr{&ast.Constant{Type: ast.Str, Text: "__main__"}},
	})
	return text
}}

// condition returns the text of a condition. It is the same before and after the
// edits of E711 to E714 and E721, and for a negated condition; negated tells these
// apart.
func condition(e ast.Expr) (text string, negated bool) {
	switch n := e.(type) {
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			text, negated = condition(n.Operand)
			return text, !negated
		}
	case *ast.Call:
		if name, is := n.Func.(*ast.Name); is && len(n.Keywords) == 0 {
			switch {
			case name.ID == "bool" && len(n.Args) == 1:
				return condition(n.Args[0])
			case name.ID == "isinstance" && len(n.Args) == 2:
				return "type " + dumpOf(n.Args[0]) + " is " + dumpOf(n.Args[1]), false
			}
		}
	case *ast.Compare:
		if len(n.Ops) != 1 {
			break
		}
		op, left, right := n.Ops[0], n.Left, n.Comparators[0]
		switch op {
		case ast.NotEq, ast.IsNot, ast.NotIn:
			op, negated = op-1, true
		case ast.GtE: // a >= b is not a < b
			op, negated = ast.Lt, true
		case ast.Gt:
			op, left, right = ast.Lt, right, left
		case ast.LtE:
			op, left, right, negated = ast.Lt, right, left, true
		}
		if op == ast.Eq || op == ast.Is {
			if isTruth(right) || isNone(right) {
				left, right = right, left
			}
			switch {
			case isTruth(left):
				text, inner := condition(right)
				return text, inner != negated != (left.(*ast.Constant).Type == ast.False)
			case isNone(left):
				op = ast.Is
			}
			if call, is := left.(*ast.Call); is && len(call.Args) == 1 {
				if name, is := call.Func.(*ast.Name); is && name.ID == "type" {
					return "type " + dumpOf(call.Args[0]) + " is " + dumpOf(right), negated
				}
			}
		}
		return dumpOf(left) + " " + op.String() + " " + dumpOf(right), negated
	}
	return dumpOf(e), false
}

func isNone(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && c.Type == ast.None
}

func isTruth(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && (c.Type == ast.True || c.Type == ast.False)
}

func dumpOf(n ast.Node) string { return ast.Dump(n, nil, source.Newest) }

// adopt renames the variables of the tree to those of another program. In
// each function that both define, parameters are matched by position. Then the
// names that only one of them has are matched in order, if both have equally many.
func (m *module) adopt(other *module) {
	mine, theirs := definitions(m.body), definitions(other.body)
	inFunctions := map[ast.Node]bool{}
	for path, f := range mine {
		if of := theirs[path]; of != nil && !inFunctions[f] {
			adoptNames([]ast.Stmt{f}, []ast.Stmt{of}, parameters(f), parameters(of))
		}
		inFunctions[f] = true
	}
	defines := func(s ast.Stmt) bool { return ast.OpensScope(s) }
	adoptNames(slices.DeleteFunc(slices.Clone(m.body), defines), slices.DeleteFunc(slices.Clone(other.body), defines), nil, nil)
}

func adoptNames(mine, theirs []ast.Stmt, parameters, theirParameters []string) {
	to := map[string]string{}
	taken := names{}
	if len(parameters) == len(theirParameters) {
		for i, name := range parameters {
			to[name], taken[theirParameters[i]] = theirParameters[i], true
		}
	}
	have, had := identifiers(mine), identifiers(theirs)
	fresh := slices.DeleteFunc(slices.Clone(have), func(name string) bool { return to[name] != "" || slices.Contains(had, name) })
	gone := slices.DeleteFunc(had, func(name string) bool { return taken[name] || slices.Contains(have, name) })
	if len(fresh) == len(gone) {
		for i, name := range fresh {
			to[name] = gone[i]
		}
	}
	each(mine, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			n.ID = cmp.Or(to[n.ID], n.ID)
		case *ast.Arg:
			n.Arg = cmp.Or(to[n.Arg], n.Arg)
		}
		return true
	})
}

// parameters returns the names of the positional parameters.
func parameters(f *ast.FunctionDef) []string {
	var list []string
	for _, a := range slices.Concat(f.Args.PosOnlyArgs, f.Args.Args) {
		list = append(list, a.Arg)
	}
	return list
}

// identifiers returns the variables that statements bind, in the order of the tree, each once.
func identifiers(body []ast.Stmt) (list []string) {
	known := names{"": true}
	each(body, func(n ast.Node) bool {
		if k := n.Kind(); k == ast.KindName || k == ast.KindArg {
			if name := ast.Binds(n); !known[name] {
				known[name] = true
				list = append(list, name)
			}
		}
		return true
	})
	return list
}
