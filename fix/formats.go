package fix

import (
	"slices"
	"strconv"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
)

// dropArguments removes arguments that a format does not use, if to evaluate them has no effect:
//
//	'{0}'.format(a, b)                  '{0}'.format(a)
//	'{x}'.format(x=a, y=b)              '{x}'.format(x=a)
//	'%(x)s' % {'x': a, 'y': b}          '%(x)s' % {'x': a}
//
// The proof is that the trees are equal but for these arguments, see tree.rewritten.
func dropArguments(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	_, list, found := strings.Cut(finding.Message(), ": ")
	if !found {
		return nil
	}
	unused := strings.Split(list, ", ")
	var edits []Edit
	s.find(finding.Start, func(n ast.Node) bool {
		if n.Bounds().Start != finding.Start {
			return false
		}
		switch n := n.(type) {
		case *ast.Call:
			edits = s.dropFromCall(n, finding.Code, unused)
		case *ast.BinOp:
			edits = s.dropFromDict(n, unused)
		}
		return edits != nil
	})
	return edits
}

// dropFromCall removes arguments of str.format: the last ones by their positions, or any by their
// names.
func (s *analysis) dropFromCall(call *ast.Call, code rule.Code, unused []string) []Edit {
	method, is := call.Func.(*ast.Attribute)
	if !is || method.Attr != "format" || method.Value.Kind() != ast.KindConstant {
		return nil
	}
	items := make([]ast.Node, 0, len(call.Args)+len(call.Keywords))
	drop := make([]bool, cap(items))
	kept := 0
	for i, argument := range call.Args {
		if drop[i] = code == rule.F523 && slices.Contains(unused, strconv.Itoa(i)); !drop[i] {
			kept = i + 1
		}
		if argument.Kind() == ast.KindStarred || drop[i] && !s.isInert(argument) {
			return nil
		}
		items = append(items, argument)
	}
	if slices.Contains(drop[:kept], true) {
		return nil // the positions of others would change
	}
	for i, k := range call.Keywords {
		drop[len(call.Args)+i] = code == rule.F522 && slices.Contains(unused, k.Arg)
		if k.Arg == "" || drop[len(call.Args)+i] && !s.isInert(k.Value) {
			return nil
		}
		items = append(items, k)
	}
	return s.dropSurplus(items, items, drop)
}

// dropFromDict removes items of the dictionary on the right of a %.
func (s *analysis) dropFromDict(n *ast.BinOp, unused []string) []Edit {
	d, is := n.Right.(*ast.Dict)
	if text, isText := n.Left.(*ast.Constant); !is || !isText || text.Type != ast.Str || n.Op != ast.Mod {
		return nil
	}
	keys, values := make([]ast.Node, len(d.Keys)), make([]ast.Node, len(d.Keys))
	drop := make([]bool, len(d.Keys))
	for i, key := range d.Keys {
		c, is := key.(*ast.Constant)
		if !is || c.Type != ast.Str {
			return nil
		}
		keys[i], values[i] = c, d.Values[i]
		if drop[i] = slices.Contains(unused, c.Text); drop[i] && !s.isInert(d.Values[i]) {
			return nil
		}
	}
	return s.dropSurplus(keys, values, drop)
}

// dropSurplus removes some items, which begin with heads and end with tails.
func (s *analysis) dropSurplus(heads, tails []ast.Node, drop []bool) []Edit {
	if !slices.Contains(drop, true) {
		return nil
	}
	if s.surplus == nil {
		s.surplus = map[ast.Node]bool{}
	}
	items := make([]ast.Range, len(heads))
	for i := range heads {
		items[i] = ast.Range{Start: heads[i].Bounds().Start, End: tails[i].Bounds().End}
		if drop[i] {
			s.surplus[heads[i]], s.surplus[tails[i]] = true, true
		}
	}
	if slices.Contains(drop, false) {
		return dropItems(items, drop)
	}
	end := items[len(items)-1].End
	if i := s.tokenAt(end); s.tokens[i].Text(s.text) == "," {
		end = s.tokens[i].End
	}
	return []Edit{{items[0].Start, end, ""}}
}

// isInert reports whether to evaluate an expression has no effect, not even an error: it consists
// of literals, or is a parameter that its function does not delete.
func (s *analysis) isInert(e ast.Expr) bool {
	name, is := e.(*ast.Name)
	if !is {
		return hasNoEffect(e)
	}
	if s.deletes(name.ID) {
		return false
	}
	var parameters *ast.Arguments // of the innermost function
	s.find(name.Start, func(n ast.Node) bool {
		if n.Bounds().Start <= name.Start && ast.OpensScope(n) {
			parameters = nil
			if d, is := n.(*ast.FunctionDef); is && d.Body[0].Bounds().Start <= name.Start { // not in a default
				parameters = d.Args
			} else if d, is := n.(*ast.AsyncFunctionDef); is && d.Body[0].Bounds().Start <= name.Start {
				parameters = d.Args
			}
		}
		return false
	})
	return parameters != nil && slices.ContainsFunc(slices.Concat(parameters.PosOnlyArgs, parameters.Args, parameters.KwOnlyArgs),
		func(a *ast.Arg) bool { return a.Arg == name.ID })
}

// deletes reports whether the program has a del of a name, or an except that deletes it at its end.
func (s *analysis) deletes(name string) bool {
	found := false
	ast.Inspect(s.module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			found = found || n.Ctx == ast.Del && n.ID == name
		case *ast.ExceptHandler:
			found = found || n.Name == name
		}
		return !found
	})
	return found
}
