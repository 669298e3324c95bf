package ast

// FunctionDef is def Name[TypeParams](Args) -> Returns: Body. It starts at
// def; its decorators stand before it.
type FunctionDef struct {
	Range
	Name          string
	Args          *Arguments
	Body          []Stmt
	DecoratorList []Expr
	Returns       Expr // may be nil
	TypeParams    []TypeParam
}

// AsyncFunctionDef is async def Name(Args): Body.
type AsyncFunctionDef FunctionDef

// ClassDef is class Name[TypeParams](Bases, Keywords): Body. It starts at
// class; its decorators stand before it.
type ClassDef struct {
	Range
	Name          string
	Bases         []Expr
	Keywords      []*Keyword
	Body          []Stmt
	DecoratorList []Expr
	TypeParams    []TypeParam
}

// Return is return Value. Value may be nil.
type Return struct {
	Range
	Value Expr
}

// Delete is del Targets.
type Delete struct {
	Range
	Targets []Expr
}

// Assign is Targets[0] = Targets[1] = Value.
type Assign struct {
	Range
	Targets []Expr
	Value   Expr
}

// TypeAlias is type Name[TypeParams] = Value.
type TypeAlias struct {
	Range
	Name       *Name
	TypeParams []TypeParam
	Value      Expr
}

// AugAssign is Target Op= Value.
type AugAssign struct {
	Range
	Target Expr
	Op     Operator
	Value  Expr
}

// AnnAssign is Target: Annotation = Value. Value may be nil. Simple reports
// whether the target is a name without parentheses.
type AnnAssign struct {
	Range
	Target     Expr
	Annotation Expr
	Value      Expr
	Simple     bool
}

// For is for Target in Iter: Body, else: Orelse.
type For struct {
	Range
	Target Expr
	Iter   Expr
	Body   []Stmt
	Orelse []Stmt
}

// AsyncFor is async for Target in Iter: Body, else: Orelse.
type AsyncFor For

// While is while Test: Body, else: Orelse.
type While struct {
	Range
	Test   Expr
	Body   []Stmt
	Orelse []Stmt
}

// If is if Test: Body, else: Orelse. An elif is an If alone in Orelse.
type If struct {
	Range
	Test   Expr
	Body   []Stmt
	Orelse []Stmt
}

// With is with Items: Body.
type With struct {
	Range
	Items []*WithItem
	Body  []Stmt
}

// AsyncWith is async with Items: Body.
type AsyncWith With

// Match is match Subject: Cases.
type Match struct {
	Range
	Subject Expr
	Cases   []*MatchCase
}

// Raise is raise Exc from Cause. Both may be nil.
type Raise struct {
	Range
	Exc   Expr
	Cause Expr
}

// Try is try: Body, its handlers, else: Orelse, finally: FinalBody.
type Try struct {
	Range
	Body      []Stmt
	Handlers  []*ExceptHandler
	Orelse    []Stmt
	FinalBody []Stmt
}

// TryStar is a Try whose handlers are except*.
type TryStar Try

// Assert is assert Test, Msg. Msg may be nil.
type Assert struct {
	Range
	Test Expr
	Msg  Expr
}

// Import is import Names, or since 3.15 lazy import Names.
type Import struct {
	Range
	Names  []*Alias
	IsLazy bool
}

// ImportFrom is from Module import Names. Level counts the leading dots;
// Module may be "" if there are any. Since 3.15 lazy may stand before it.
type ImportFrom struct {
	Range
	Module string
	Names  []*Alias
	Level  int32
	IsLazy bool
}

// Global is global Names.
type Global struct {
	Range
	Names []string
}

// Nonlocal is nonlocal Names.
type Nonlocal struct {
	Range
	Names []string
}

// ExprStmt is an expression as a statement; Python calls it Expr.
type ExprStmt struct {
	Range
	Value Expr
}

// Pass is pass.
type Pass struct{ Range }

// Break is break.
type Break struct{ Range }

// Continue is continue.
type Continue struct{ Range }
