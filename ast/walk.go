package ast

// A Walker visits the nodes of a tree. It keeps its stack between walks, so
// that a reused Walker allocates nothing. The stack is its own and not Go's: a
// chain of a million operators is a tree a million deep.
type Walker struct{ stack []Node }

// Walk calls visit for root and then, wherever visit returned true, for the
// node's children in the order of Python's _fields, each before its own
// children's next sibling: source order but for a few nodes such as Dict and
// IfExp.
func (w *Walker) Walk(root Node, visit func(Node) bool) {
	stack := append(w.stack[:0], root)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !visit(n) {
			continue
		}
		from := len(stack)
		stack = AppendChildren(stack, n)
		for i, j := from, len(stack)-1; i < j; i, j = i+1, j-1 {
			stack[i], stack[j] = stack[j], stack[i]
		}
	}
	clear(stack[:cap(stack)]) // keep no tree alive
	w.stack = stack
}

// Inspect is Walk with a Walker of its own.
func Inspect(root Node, visit func(Node) bool) {
	var w Walker
	w.Walk(root, visit)
}

// exprs appends each of list that is not nil.
func exprs(nodes []Node, list []Expr) []Node {
	for _, n := range list {
		if n != nil {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// all appends each of list.
func all[T Node](nodes []Node, list []T) []Node {
	for _, n := range list {
		nodes = append(nodes, n)
	}
	return nodes
}
