package ast

// MatchValue is a literal or a dotted name: case Value.
type MatchValue struct {
	Range
	Value Expr
}

// MatchSingleton is None, True or False, told by Value's type.
type MatchSingleton struct {
	Range
	Value ConstantType
}

// MatchSequence is [Patterns] or (Patterns,).
type MatchSequence struct {
	Range
	Patterns []Pattern
}

// MatchMapping is {Keys[0]: Patterns[0], **Rest}. Rest may be "".
type MatchMapping struct {
	Range
	Keys     []Expr
	Patterns []Pattern
	Rest     string
}

// MatchClass is Cls(Patterns, KwdAttrs[0]=KwdPatterns[0]).
type MatchClass struct {
	Range
	Cls         Expr
	Patterns    []Pattern
	KwdAttrs    []string
	KwdPatterns []Pattern
}

// MatchStar is *Name; Name is "" for *_.
type MatchStar struct {
	Range
	Name string
}

// MatchAs is Pattern as Name, or Name alone if Pattern is nil, or _ if Name
// is "" as well.
type MatchAs struct {
	Range
	Pattern Pattern
	Name    string
}

// MatchOr is Patterns[0] | Patterns[1] | ...
type MatchOr struct {
	Range
	Patterns []Pattern
}
