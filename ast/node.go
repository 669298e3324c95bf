// Package ast declares Python 3.15's syntax tree: CPython's own nodes under
// CPython's own names, positions as byte offsets, a walk and the dump that
// Python's ast.dump prints.
//
// Parse a file with package parser, then look at what is in it:
//
//	module, err := parser.Parse(&file, parser.Options{})
//	ast.Inspect(module, func(n ast.Node) bool {
//		if call, is := n.(*ast.Call); is {
//			fmt.Println(call.Start, call.End)
//		}
//		return true
//	})
//
// Four names differ from Python's. An expression statement (Python's Expr) is
// [ExprStmt], since [Expr] is the interface of all expressions; arguments, arg,
// keyword, alias, withitem, match_case and comprehension are spelt [Arguments],
// [Arg], [Keyword], [Alias], [WithItem], [MatchCase] and [Comprehension].
//
// A tree is not changed once it is parsed. Its strings are parts of the parsed
// text wherever they can be, so a tree lives as long as that text.
package ast

//go:generate go run ../internal/tools/astgen/main.go
//go:generate go tool stringer -type=BoolOperator,Operator,UnaryOperator,CompareOperator,Context -output=operator_string.go

// A Range is where a node stands: text[Start:End], in bytes of the file's text.
type Range struct{ Start, End int32 }

// Bounds returns the range itself; every node has it by embedding Range.
func (r Range) Bounds() Range { return r }

func (r *Range) shift(from, to, by int32) {
	if from <= r.Start && r.Start < to {
		r.Start += by
	}
	if from < r.End && r.End <= to {
		r.End += by
	}
}

// Shift moves those starts and ends of the nodes from root down that lie in
// text[from:to]. It is for a parser, before it returns the tree.
func Shift(root Node, from, to, by int32) {
	Inspect(root, func(n Node) bool {
		if r, is := n.(interface{ shift(from, to, by int32) }); is {
			r.shift(from, to, by)
		}
		return true
	})
}

// Node is any node of the tree.
type Node interface {
	// Kind returns the node's type, more cheaply than a type switch finds it.
	Kind() Kind
	// Bounds returns where the node stands.
	Bounds() Range
}

// Expr is an expression: BoolOp to Slice.
type Expr interface {
	Node
	exprNode()
}

// Stmt is a statement: FunctionDef to Continue.
type Stmt interface {
	Node
	stmtNode()
}

// Pattern is what stands after case: MatchValue to MatchOr.
type Pattern interface {
	Node
	patternNode()
}

// TypeParam is a type parameter: TypeVar, ParamSpec or TypeVarTuple.
type TypeParam interface {
	Node
	typeParamNode()
}

// Kind names a node's type.
type Kind uint8

// String returns the node's name in Python: "FunctionDef", "match_case".
func (k Kind) String() string { return kindNames[k] }

// Context reports whether an expression is read, bound or deleted.
type Context uint8

// The contexts.
const (
	Load  Context = iota // spam
	Store                // spam = 1
	Del                  // del spam
)

// Module is a whole file.
type Module struct {
	Range
	Body []Stmt
}
