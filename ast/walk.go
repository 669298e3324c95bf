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

// AppendChildren appends n's children to nodes in the order of Python's
// _fields. Absent ones are left out.
func AppendChildren(nodes []Node, n Node) []Node {
	switch n := n.(type) {
	case *Module:
		return all(nodes, n.Body)

	case *FunctionDef:
		return function(nodes, n)
	case *AsyncFunctionDef:
		return function(nodes, (*FunctionDef)(n))
	case *ClassDef:
		nodes = all(nodes, n.Bases)
		nodes = all(nodes, n.Keywords)
		nodes = all(nodes, n.Body)
		nodes = all(nodes, n.DecoratorList)
		return all(nodes, n.TypeParams)
	case *Return:
		return optional(nodes, n.Value)
	case *Delete:
		return all(nodes, n.Targets)
	case *Assign:
		return append(all(nodes, n.Targets), n.Value)
	case *TypeAlias:
		return append(all(append(nodes, n.Name), n.TypeParams), n.Value)
	case *AugAssign:
		return append(nodes, n.Target, n.Value)
	case *AnnAssign:
		return optional(append(nodes, n.Target, n.Annotation), n.Value)
	case *For:
		return all(all(append(nodes, n.Target, n.Iter), n.Body), n.Orelse)
	case *AsyncFor:
		return all(all(append(nodes, n.Target, n.Iter), n.Body), n.Orelse)
	case *While:
		return all(all(append(nodes, n.Test), n.Body), n.Orelse)
	case *If:
		return all(all(append(nodes, n.Test), n.Body), n.Orelse)
	case *With:
		return all(all(nodes, n.Items), n.Body)
	case *AsyncWith:
		return all(all(nodes, n.Items), n.Body)
	case *Match:
		return all(append(nodes, n.Subject), n.Cases)
	case *Raise:
		return optional(optional(nodes, n.Exc), n.Cause)
	case *Try:
		return try(nodes, n)
	case *TryStar:
		return try(nodes, (*Try)(n))
	case *Assert:
		return optional(append(nodes, n.Test), n.Msg)
	case *Import:
		return all(nodes, n.Names)
	case *ImportFrom:
		return all(nodes, n.Names)
	case *ExprStmt:
		return append(nodes, n.Value)

	case *BoolOp:
		return all(nodes, n.Values)
	case *NamedExpr:
		return append(nodes, n.Target, n.Value)
	case *BinOp:
		return append(nodes, n.Left, n.Right)
	case *UnaryOp:
		return append(nodes, n.Operand)
	case *Lambda:
		return append(nodes, n.Args, n.Body)
	case *IfExp:
		return append(nodes, n.Test, n.Body, n.Orelse)
	case *Dict:
		for _, key := range n.Keys {
			nodes = optional(nodes, key)
		}
		return all(nodes, n.Values)
	case *Set:
		return all(nodes, n.Elts)
	case *ListComp:
		return all(append(nodes, n.Elt), n.Generators)
	case *SetComp:
		return all(append(nodes, n.Elt), n.Generators)
	case *DictComp:
		return all(optional(append(nodes, n.Key), n.Value), n.Generators)
	case *GeneratorExp:
		return all(append(nodes, n.Elt), n.Generators)
	case *Await:
		return append(nodes, n.Value)
	case *Yield:
		return optional(nodes, n.Value)
	case *YieldFrom:
		return append(nodes, n.Value)
	case *Compare:
		return all(append(nodes, n.Left), n.Comparators)
	case *Call:
		return all(all(append(nodes, n.Func), n.Args), n.Keywords)
	case *FormattedValue:
		return optional(append(nodes, n.Value), n.FormatSpec)
	case *Interpolation:
		return optional(append(nodes, n.Value), n.FormatSpec)
	case *JoinedStr:
		return all(nodes, n.Values)
	case *TemplateStr:
		return all(nodes, n.Values)
	case *Attribute:
		return append(nodes, n.Value)
	case *Subscript:
		return append(nodes, n.Value, n.Slice)
	case *Starred:
		return append(nodes, n.Value)
	case *List:
		return all(nodes, n.Elts)
	case *Tuple:
		return all(nodes, n.Elts)
	case *Slice:
		return optional(optional(optional(nodes, n.Lower), n.Upper), n.Step)

	case *MatchValue:
		return append(nodes, n.Value)
	case *MatchSequence:
		return all(nodes, n.Patterns)
	case *MatchMapping:
		return all(all(nodes, n.Keys), n.Patterns)
	case *MatchClass:
		return all(all(append(nodes, n.Cls), n.Patterns), n.KwdPatterns)
	case *MatchAs:
		if n.Pattern != nil {
			nodes = append(nodes, n.Pattern)
		}
		return nodes
	case *MatchOr:
		return all(nodes, n.Patterns)

	case *TypeVar:
		return optional(optional(nodes, n.Bound), n.Default)
	case *ParamSpec:
		return optional(nodes, n.Default)
	case *TypeVarTuple:
		return optional(nodes, n.Default)

	case *Comprehension:
		return all(append(nodes, n.Target, n.Iter), n.Ifs)
	case *ExceptHandler:
		return all(optional(nodes, n.Type), n.Body)
	case *Arguments:
		nodes = all(nodes, n.PosOnlyArgs)
		nodes = all(nodes, n.Args)
		if n.VarArg != nil {
			nodes = append(nodes, n.VarArg)
		}
		nodes = all(nodes, n.KwOnlyArgs)
		for _, value := range n.KwDefaults {
			nodes = optional(nodes, value)
		}
		if n.KwArg != nil {
			nodes = append(nodes, n.KwArg)
		}
		return all(nodes, n.Defaults)
	case *Arg:
		return optional(nodes, n.Annotation)
	case *Keyword:
		return append(nodes, n.Value)
	case *WithItem:
		return optional(append(nodes, n.ContextExpr), n.OptionalVars)
	case *MatchCase:
		return all(optional(append(nodes, n.Pattern), n.Guard), n.Body)
	}
	return nodes // Global to Continue, Constant, Name, MatchSingleton, MatchStar, Alias
}

func function(nodes []Node, n *FunctionDef) []Node {
	nodes = all(append(nodes, n.Args), n.Body)
	nodes = optional(all(nodes, n.DecoratorList), n.Returns)
	return all(nodes, n.TypeParams)
}

func try(nodes []Node, n *Try) []Node {
	return all(all(all(all(nodes, n.Body), n.Handlers), n.Orelse), n.FinalBody)
}

// all appends each of list.
func all[T Node](nodes []Node, list []T) []Node {
	for _, n := range list {
		nodes = append(nodes, n)
	}
	return nodes
}

// optional appends n unless it is nil.
func optional(nodes []Node, n Expr) []Node {
	if n != nil {
		nodes = append(nodes, n)
	}
	return nodes
}
