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

func (*MatchValue) patternNode()     {}
func (*MatchSingleton) patternNode() {}
func (*MatchSequence) patternNode()  {}
func (*MatchMapping) patternNode()   {}
func (*MatchClass) patternNode()     {}
func (*MatchStar) patternNode()      {}
func (*MatchAs) patternNode()        {}
func (*MatchOr) patternNode()        {}

// Kind returns KindMatchValue.
func (*MatchValue) Kind() Kind { return KindMatchValue }

// Kind returns KindMatchSingleton.
func (*MatchSingleton) Kind() Kind { return KindMatchSingleton }

// Kind returns KindMatchSequence.
func (*MatchSequence) Kind() Kind { return KindMatchSequence }

// Kind returns KindMatchMapping.
func (*MatchMapping) Kind() Kind { return KindMatchMapping }

// Kind returns KindMatchClass.
func (*MatchClass) Kind() Kind { return KindMatchClass }

// Kind returns KindMatchStar.
func (*MatchStar) Kind() Kind { return KindMatchStar }

// Kind returns KindMatchAs.
func (*MatchAs) Kind() Kind { return KindMatchAs }

// Kind returns KindMatchOr.
func (*MatchOr) Kind() Kind { return KindMatchOr }
