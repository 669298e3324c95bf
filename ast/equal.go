package ast

import (
	"bytes"
	"slices"

	"codelinter/source"
)

// Equal reports whether two trees are equal but for their positions: whether ast.dump prints the
// same for both. So 1_000 equals 1000, and "a" "b" equals "ab".
func Equal(a, b Node) bool {
	stack := []Node{a, b}
	var left, right []Node
	for len(stack) > 0 {
		a, b := stack[len(stack)-2], stack[len(stack)-1]
		stack = stack[:len(stack)-2]
		if !SameFields(a, b, sameLength) {
			return false
		}
		left, right = AppendChildren(left[:0], a), AppendChildren(right[:0], b)
		for i := len(left) - 1; i >= 0; i-- {
			stack = append(stack, left[i], right[i])
		}
	}
	return true
}

func sameLength(a, b []Stmt) bool { return len(a) == len(b) }

// SameFields reports whether two nodes have one kind, the same fields that are no nodes, and the
// same number of children in each field. How many statements a block has is for sameBlock to
// compare. Where it compares lengths, as [Equal] does, [AppendChildren] then gives both nodes'
// children pair by pair.
func SameFields(a, b Node, sameBlock func(a, b []Stmt) bool) bool {
	return a.Kind() == b.Kind() && sameFields(a, b, sameBlock)
}

// sameExprs reports whether two lists have the same length, and nil in the same places.
func sameExprs(a, b []Expr) bool {
	return slices.EqualFunc(a, b, func(a, b Expr) bool { return (a == nil) == (b == nil) })
}

// sameConstant compares values and kinds as ast.dump prints them.
func sameConstant(a, b *Constant) bool {
	if a.Type != b.Type || a.Unicode != b.Unicode {
		return false
	}
	if a.Text == b.Text || a.Type == Str || a.Type == Bytes {
		return a.Text == b.Text
	}
	return bytes.Equal(a.AppendRepr(nil, source.Newest), b.AppendRepr(nil, source.Newest))
}
