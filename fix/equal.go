package fix

import (
	"slices"

	"codelinter/ast"
)

// differ compares two trees without their positions. It returns the node of the first at
// which they differ first, or nil. An import of several modules is several imports. Numbers are compared by their spelling, which no edit of
// layout changes, and all other constants by their values.
func differ(before, after *sight) ast.Node {
	type pair struct{ a, b ast.Node }
	stack := []pair{{before.module, after.module}}
	t := tree{gone: map[ast.Node]bool{}, idle: map[ast.Node][]string{}}
	for n, names := range before.idle {
		switch r := n.Bounds(); {
		case isWithin(after.edits, r.Start, r.End):
			t.gone[n] = true
		case isEdited(after.edits, r.Start):
			t.idle[n] = names
		}
	}
	var left, right []ast.Node
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !t.alike(p.a, p.b) {
			return p.a
		}
		left, right = t.oneByOne(ast.AppendChildren(left[:0], p.a)), t.oneByOne(ast.AppendChildren(right[:0], p.b))
		if len(left) != len(right) {
			return p.a
		}
		for i := len(left) - 1; i >= 0; i-- {
			stack = append(stack, pair{left[i], right[i]})
		}
	}
	return nil
}

// A tree is what two trees are compared by.
type tree struct {
	// Of dropDeclaration: statements that count for nothing, and names that others lack.
	gone map[ast.Node]bool
	idle map[ast.Node][]string
}

// alike reports whether two nodes have the same kind, the same fields that are no nodes, and
// the same number of children in each field.
func (t *tree) alike(a, b ast.Node) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a := a.(type) {
	case *ast.Import: // of as many modules as the statements around it lack
		return a.IsLazy == b.(*ast.Import).IsLazy
	case *ast.Global:
		return slices.Equal(t.declared(a, a.Names), b.(*ast.Global).Names)
	case *ast.Nonlocal:
		return slices.Equal(t.declared(a, a.Names), b.(*ast.Nonlocal).Names)
	}
	return t.sameFields(a, b)
}

// sameExprs reports whether two lists are as long, and nil in the same places.
func sameExprs(a, b []ast.Expr) bool {
	return slices.EqualFunc(a, b, func(a, b ast.Expr) bool { return (a == nil) == (b == nil) })
}

// statements returns how many statements a block has. An import of several modules is several.
func (t *tree) statements(body []ast.Stmt) int {
	n := len(body)
	for _, statement := range body {
		if i, is := statement.(*ast.Import); is {
			n += len(i.Names) - 1
		} else if t.gone[statement] {
			n--
		}
	}
	return n
}

// oneByOne returns nodes with an import of several modules as several.
func (t *tree) oneByOne(nodes []ast.Node) []ast.Node {
	several := slices.IndexFunc(nodes, func(n ast.Node) bool {
		i, is := n.(*ast.Import)
		return is && len(i.Names) > 1 || t.gone[n]
	})
	if several < 0 {
		return nodes
	}
	list := slices.Clone(nodes[:several])
	for _, n := range nodes[several:] {
		i, is := n.(*ast.Import)
		if !is {
			if !t.gone[n] {
				list = append(list, n)
			}
			continue
		}
		for _, name := range i.Names {
			list = append(list, &ast.Import{Range: i.Range, IsLazy: i.IsLazy, Names: []*ast.Alias{name}})
		}
	}
	return list
}

// declared returns the names of a declaration without those that it is to lack.
func (t *tree) declared(n ast.Node, names []string) []string {
	idle := t.idle[n]
	if idle == nil {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(idle, name) })
}
