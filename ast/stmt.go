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
	Op     Operator
	Target Expr
	Value  Expr
}

// AnnAssign is Target: Annotation = Value. Value may be nil. Simple reports
// whether the target is a name without parentheses.
type AnnAssign struct {
	Range
	Simple     bool
	Target     Expr
	Annotation Expr
	Value      Expr
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
	IsLazy bool
	Names  []*Alias
}

// ImportFrom is from Module import Names. Level counts the leading dots;
// Module may be "" if there are any. Since 3.15 lazy may stand before it.
type ImportFrom struct {
	Range
	Level  int32
	IsLazy bool
	Module string
	Names  []*Alias
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

func (*FunctionDef) stmtNode()      {}
func (*AsyncFunctionDef) stmtNode() {}
func (*ClassDef) stmtNode()         {}
func (*Return) stmtNode()           {}
func (*Delete) stmtNode()           {}
func (*Assign) stmtNode()           {}
func (*TypeAlias) stmtNode()        {}
func (*AugAssign) stmtNode()        {}
func (*AnnAssign) stmtNode()        {}
func (*For) stmtNode()              {}
func (*AsyncFor) stmtNode()         {}
func (*While) stmtNode()            {}
func (*If) stmtNode()               {}
func (*With) stmtNode()             {}
func (*AsyncWith) stmtNode()        {}
func (*Match) stmtNode()            {}
func (*Raise) stmtNode()            {}
func (*Try) stmtNode()              {}
func (*TryStar) stmtNode()          {}
func (*Assert) stmtNode()           {}
func (*Import) stmtNode()           {}
func (*ImportFrom) stmtNode()       {}
func (*Global) stmtNode()           {}
func (*Nonlocal) stmtNode()         {}
func (*ExprStmt) stmtNode()         {}
func (*Pass) stmtNode()             {}
func (*Break) stmtNode()            {}
func (*Continue) stmtNode()         {}

// Kind returns KindFunctionDef.
func (*FunctionDef) Kind() Kind { return KindFunctionDef }

// Kind returns KindAsyncFunctionDef.
func (*AsyncFunctionDef) Kind() Kind { return KindAsyncFunctionDef }

// Kind returns KindClassDef.
func (*ClassDef) Kind() Kind { return KindClassDef }

// Kind returns KindReturn.
func (*Return) Kind() Kind { return KindReturn }

// Kind returns KindDelete.
func (*Delete) Kind() Kind { return KindDelete }

// Kind returns KindAssign.
func (*Assign) Kind() Kind { return KindAssign }

// Kind returns KindTypeAlias.
func (*TypeAlias) Kind() Kind { return KindTypeAlias }

// Kind returns KindAugAssign.
func (*AugAssign) Kind() Kind { return KindAugAssign }

// Kind returns KindAnnAssign.
func (*AnnAssign) Kind() Kind { return KindAnnAssign }

// Kind returns KindFor.
func (*For) Kind() Kind { return KindFor }

// Kind returns KindAsyncFor.
func (*AsyncFor) Kind() Kind { return KindAsyncFor }

// Kind returns KindWhile.
func (*While) Kind() Kind { return KindWhile }

// Kind returns KindIf.
func (*If) Kind() Kind { return KindIf }

// Kind returns KindWith.
func (*With) Kind() Kind { return KindWith }

// Kind returns KindAsyncWith.
func (*AsyncWith) Kind() Kind { return KindAsyncWith }

// Kind returns KindMatch.
func (*Match) Kind() Kind { return KindMatch }

// Kind returns KindRaise.
func (*Raise) Kind() Kind { return KindRaise }

// Kind returns KindTry.
func (*Try) Kind() Kind { return KindTry }

// Kind returns KindTryStar.
func (*TryStar) Kind() Kind { return KindTryStar }

// Kind returns KindAssert.
func (*Assert) Kind() Kind { return KindAssert }

// Kind returns KindImport.
func (*Import) Kind() Kind { return KindImport }

// Kind returns KindImportFrom.
func (*ImportFrom) Kind() Kind { return KindImportFrom }

// Kind returns KindGlobal.
func (*Global) Kind() Kind { return KindGlobal }

// Kind returns KindNonlocal.
func (*Nonlocal) Kind() Kind { return KindNonlocal }

// Kind returns KindExprStmt.
func (*ExprStmt) Kind() Kind { return KindExprStmt }

// Kind returns KindPass.
func (*Pass) Kind() Kind { return KindPass }

// Kind returns KindBreak.
func (*Break) Kind() Kind { return KindBreak }

// Kind returns KindContinue.
func (*Continue) Kind() Kind { return KindContinue }
