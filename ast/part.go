package ast

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
