package ast

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
