package ast

// A Walker visits the nodes of a tree. It keeps its stack between walks, so
// that a reused Walker allocates nothing. The stack is its own and not Go's: a
// chain of a million operators is a tree a million deep.
type Walker struct{ stack []Node }

// Walk visits root and its descendants in preorder, children in the order of Python's _fields. This
// is the source's order, except in a few nodes such as Dict and IfExp. If visit returns false, the
// node's children are skipped.
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

// Plain returns an async statement as what it is without async, and a try with except* as a try. It
// returns any other as it is. The node that it returns is another, with the same children.
func Plain(s Stmt) Stmt {
	switch s := s.(type) {
	case *AsyncFunctionDef:
		return (*FunctionDef)(s)
	case *AsyncFor:
		return (*For)(s)
	case *AsyncWith:
		return (*With)(s)
	case *TryStar:
		return (*Try)(s)
	}
	return s
}

// Blocks returns the blocks of a compound statement, with those of its handlers and cases. A
// missing else or finally is an empty block. A simple statement has no blocks.
func Blocks(s Stmt) [][]Stmt {
	switch s := Plain(s).(type) {
	case *FunctionDef:
		return [][]Stmt{s.Body}
	case *ClassDef:
		return [][]Stmt{s.Body}
	case *For:
		return [][]Stmt{s.Body, s.Orelse}
	case *While:
		return [][]Stmt{s.Body, s.Orelse}
	case *If:
		return [][]Stmt{s.Body, s.Orelse}
	case *With:
		return [][]Stmt{s.Body}
	case *Match:
		var blocks [][]Stmt
		for _, c := range s.Cases {
			blocks = append(blocks, c.Body)
		}
		return blocks
	case *Try:
		blocks := [][]Stmt{s.Body}
		for _, h := range s.Handlers {
			blocks = append(blocks, h.Body)
		}
		return append(blocks, s.Orelse, s.FinalBody)
	}
	return nil
}

// Comprehended returns the generators of a comprehension, and its element or its key and value. It
// returns none for other nodes.
func Comprehended(n Node) (generators []*Comprehension, elt, value Expr) {
	switch n := n.(type) {
	case *ListComp:
		return n.Generators, n.Elt, nil
	case *SetComp:
		return n.Generators, n.Elt, nil
	case *GeneratorExp:
		return n.Generators, n.Elt, nil
	case *DictComp:
		return n.Generators, n.Key, n.Value
	}
	return nil, nil, nil
}

// EachArg calls f for each parameter in the order of the def.
func (a *Arguments) EachArg(f func(*Arg)) {
	var children [16]Node
	for _, n := range AppendChildren(children[:0], a) {
		if arg, is := n.(*Arg); is {
			f(arg)
		}
	}
}
