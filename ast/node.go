// Package ast declares Python 3.15's syntax tree: CPython's own nodes under
// CPython's own names, positions as byte offsets, a walk and the dump that
// Python's ast.dump prints.
//
// Parse a file with package parser, then look at what is in it:
//
//	module, ok := parser.Parse(&file, parser.Options{})
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

// The kinds, one for each node type, grouped as the interfaces are.
const (
	KindInvalid Kind = iota

	KindModule

	KindFunctionDef
	KindAsyncFunctionDef
	KindClassDef
	KindReturn
	KindDelete
	KindAssign
	KindTypeAlias
	KindAugAssign
	KindAnnAssign
	KindFor
	KindAsyncFor
	KindWhile
	KindIf
	KindWith
	KindAsyncWith
	KindMatch
	KindRaise
	KindTry
	KindTryStar
	KindAssert
	KindImport
	KindImportFrom
	KindGlobal
	KindNonlocal
	KindExprStmt
	KindPass
	KindBreak
	KindContinue

	KindBoolOp
	KindNamedExpr
	KindBinOp
	KindUnaryOp
	KindLambda
	KindIfExp
	KindDict
	KindSet
	KindListComp
	KindSetComp
	KindDictComp
	KindGeneratorExp
	KindAwait
	KindYield
	KindYieldFrom
	KindCompare
	KindCall
	KindFormattedValue
	KindInterpolation
	KindJoinedStr
	KindTemplateStr
	KindConstant
	KindAttribute
	KindSubscript
	KindStarred
	KindName
	KindList
	KindTuple
	KindSlice

	KindMatchValue
	KindMatchSingleton
	KindMatchSequence
	KindMatchMapping
	KindMatchClass
	KindMatchStar
	KindMatchAs
	KindMatchOr

	KindTypeVar
	KindParamSpec
	KindTypeVarTuple

	KindComprehension
	KindExceptHandler
	KindArguments
	KindArg
	KindKeyword
	KindAlias
	KindWithItem
	KindMatchCase

	kindCount
)

// String returns the node's name in Python: "FunctionDef", "match_case".
func (k Kind) String() string { return kindNames[k] }

var kindNames = [kindCount]string{
	KindInvalid: "invalid",
	KindModule:  "Module",

	KindFunctionDef: "FunctionDef", KindAsyncFunctionDef: "AsyncFunctionDef",
	KindClassDef: "ClassDef", KindReturn: "Return", KindDelete: "Delete",
	KindAssign: "Assign", KindTypeAlias: "TypeAlias", KindAugAssign: "AugAssign",
	KindAnnAssign: "AnnAssign", KindFor: "For", KindAsyncFor: "AsyncFor",
	KindWhile: "While", KindIf: "If", KindWith: "With", KindAsyncWith: "AsyncWith",
	KindMatch: "Match", KindRaise: "Raise", KindTry: "Try", KindTryStar: "TryStar",
	KindAssert: "Assert", KindImport: "Import", KindImportFrom: "ImportFrom",
	KindGlobal: "Global", KindNonlocal: "Nonlocal", KindExprStmt: "Expr",
	KindPass: "Pass", KindBreak: "Break", KindContinue: "Continue",

	KindBoolOp: "BoolOp", KindNamedExpr: "NamedExpr", KindBinOp: "BinOp",
	KindUnaryOp: "UnaryOp", KindLambda: "Lambda", KindIfExp: "IfExp",
	KindDict: "Dict", KindSet: "Set", KindListComp: "ListComp",
	KindSetComp: "SetComp", KindDictComp: "DictComp",
	KindGeneratorExp: "GeneratorExp", KindAwait: "Await", KindYield: "Yield",
	KindYieldFrom: "YieldFrom", KindCompare: "Compare", KindCall: "Call",
	KindFormattedValue: "FormattedValue", KindInterpolation: "Interpolation",
	KindJoinedStr: "JoinedStr", KindTemplateStr: "TemplateStr",
	KindConstant: "Constant", KindAttribute: "Attribute",
	KindSubscript: "Subscript", KindStarred: "Starred", KindName: "Name",
	KindList: "List", KindTuple: "Tuple", KindSlice: "Slice",

	KindMatchValue: "MatchValue", KindMatchSingleton: "MatchSingleton",
	KindMatchSequence: "MatchSequence", KindMatchMapping: "MatchMapping",
	KindMatchClass: "MatchClass", KindMatchStar: "MatchStar",
	KindMatchAs: "MatchAs", KindMatchOr: "MatchOr",

	KindTypeVar: "TypeVar", KindParamSpec: "ParamSpec",
	KindTypeVarTuple: "TypeVarTuple",

	KindComprehension: "comprehension", KindExceptHandler: "ExceptHandler",
	KindArguments: "arguments", KindArg: "arg", KindKeyword: "keyword",
	KindAlias: "alias", KindWithItem: "withitem", KindMatchCase: "match_case",
}

// Context reports whether an expression is read, bound or deleted.
type Context uint8

// The contexts.
const (
	Load  Context = iota // spam
	Store                // spam = 1
	Del                  // del spam
)

// String returns the context's name in Python.
func (c Context) String() string { return [...]string{"Load", "Store", "Del"}[c] }

// Module is a whole file.
type Module struct {
	Range
	Body []Stmt
}

// Comprehension is one for clause: async for Target in Iter if Ifs[0].
type Comprehension struct {
	Range
	Target  Expr
	Iter    Expr
	Ifs     []Expr
	IsAsync bool
}

// ExceptHandler is except Type as Name: Body. Type may be nil, Name "".
type ExceptHandler struct {
	Range
	Type Expr
	Name string
	Body []Stmt
}

// Arguments are the parameters of a def or a lambda:
// PosOnlyArgs, /, Args, *VarArg, KwOnlyArgs, **KwArg.
type Arguments struct {
	Range
	PosOnlyArgs []*Arg
	Args        []*Arg
	VarArg      *Arg // nil without *args
	KwOnlyArgs  []*Arg
	KwDefaults  []Expr // as long as KwOnlyArgs, nil where one has no default
	KwArg       *Arg   // nil without **kwargs
	Defaults    []Expr // of the last of PosOnlyArgs and Args
}

// Arg is one parameter: Arg: Annotation. Annotation may be nil.
type Arg struct {
	Range
	Arg        string
	Annotation Expr
}

// Keyword is an argument Arg=Value, or **Value if Arg is "".
type Keyword struct {
	Range
	Arg   string
	Value Expr
}

// Alias is Name as AsName in an import. AsName may be "".
type Alias struct {
	Range
	Name   string
	AsName string
}

// WithItem is ContextExpr as OptionalVars in a with. OptionalVars may be nil.
type WithItem struct {
	Range
	ContextExpr  Expr
	OptionalVars Expr
}

// MatchCase is case Pattern if Guard: Body. Guard may be nil.
type MatchCase struct {
	Range
	Pattern Pattern
	Guard   Expr
	Body    []Stmt
}

// TypeVar is the type parameter T: Bound = Default.
type TypeVar struct {
	Range
	Name    string
	Bound   Expr // may be nil
	Default Expr // may be nil
}

// ParamSpec is the type parameter **P = Default.
type ParamSpec struct {
	Range
	Name    string
	Default Expr // may be nil
}

// TypeVarTuple is the type parameter *Ts = Default.
type TypeVarTuple struct {
	Range
	Name    string
	Default Expr // may be nil
}

func (*TypeVar) typeParamNode()      {}
func (*ParamSpec) typeParamNode()    {}
func (*TypeVarTuple) typeParamNode() {}

// Kind returns KindModule.
func (*Module) Kind() Kind { return KindModule }

// Kind returns KindComprehension.
func (*Comprehension) Kind() Kind { return KindComprehension }

// Kind returns KindExceptHandler.
func (*ExceptHandler) Kind() Kind { return KindExceptHandler }

// Kind returns KindArguments.
func (*Arguments) Kind() Kind { return KindArguments }

// Kind returns KindArg.
func (*Arg) Kind() Kind { return KindArg }

// Kind returns KindKeyword.
func (*Keyword) Kind() Kind { return KindKeyword }

// Kind returns KindAlias.
func (*Alias) Kind() Kind { return KindAlias }

// Kind returns KindWithItem.
func (*WithItem) Kind() Kind { return KindWithItem }

// Kind returns KindMatchCase.
func (*MatchCase) Kind() Kind { return KindMatchCase }

// Kind returns KindTypeVar.
func (*TypeVar) Kind() Kind { return KindTypeVar }

// Kind returns KindParamSpec.
func (*ParamSpec) Kind() Kind { return KindParamSpec }

// Kind returns KindTypeVarTuple.
func (*TypeVarTuple) Kind() Kind { return KindTypeVarTuple }
