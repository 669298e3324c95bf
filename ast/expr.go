package ast

// BoolOp is Values[0] and Values[1] and ..., or the same with or.
type BoolOp struct {
	Range
	Op     BoolOperator
	Values []Expr
}

// NamedExpr is Target := Value.
type NamedExpr struct {
	Range
	Target Expr
	Value  Expr
}

// BinOp is Left Op Right.
type BinOp struct {
	Range
	Left  Expr
	Op    Operator
	Right Expr
}

// UnaryOp is Op Operand.
type UnaryOp struct {
	Range
	Op      UnaryOperator
	Operand Expr
}

// Lambda is lambda Args: Body.
type Lambda struct {
	Range
	Args *Arguments
	Body Expr
}

// IfExp is Body if Test else Orelse.
type IfExp struct {
	Range
	Test   Expr
	Body   Expr
	Orelse Expr
}

// Dict is {Keys[0]: Values[0], ...}. A nil key stands for **Values[i].
type Dict struct {
	Range
	Keys   []Expr
	Values []Expr
}

// Set is {Elts[0], ...}.
type Set struct {
	Range
	Elts []Expr
}

// ListComp is [Elt Generators].
type ListComp struct {
	Range
	Elt        Expr
	Generators []*Comprehension
}

// SetComp is {Elt Generators}.
type SetComp struct {
	Range
	Elt        Expr
	Generators []*Comprehension
}

// DictComp is {Key: Value Generators}, or since 3.15 {**Key Generators} with a nil
// Value.
type DictComp struct {
	Range
	Key        Expr
	Value      Expr
	Generators []*Comprehension
}

// GeneratorExp is (Elt Generators).
type GeneratorExp struct {
	Range
	Elt        Expr
	Generators []*Comprehension
}

// Await is await Value.
type Await struct {
	Range
	Value Expr
}

// Yield is yield Value. Value may be nil.
type Yield struct {
	Range
	Value Expr
}

// YieldFrom is yield from Value.
type YieldFrom struct {
	Range
	Value Expr
}

// Compare is Left Ops[0] Comparators[0] Ops[1] Comparators[1] ...
type Compare struct {
	Range
	Left        Expr
	Ops         []CompareOperator
	Comparators []Expr
}

// Call is Func(Args, Keywords).
type Call struct {
	Range
	Func     Expr
	Args     []Expr
	Keywords []*Keyword
}

// FormattedValue is a field of an f-string: {Value!Conversion:FormatSpec}.
// FormatSpec is a *JoinedStr, or nil; now and then, where a \N{...} parts a text
// without fields, it is a *Constant.
type FormattedValue struct {
	Range
	Value      Expr
	Conversion int8 // 's', 'r' or 'a'; -1 without
	FormatSpec Expr
}

// Interpolation is a field of a t-string. Str is the expression's text.
type Interpolation struct {
	Range
	Value      Expr
	Str        string
	Conversion int8 // 's', 'r' or 'a'; -1 without
	FormatSpec Expr
}

// JoinedStr is an f-string: Values are Constants and FormattedValues.
type JoinedStr struct {
	Range
	Values []Expr
}

// TemplateStr is a t-string: Values are Constants and Interpolations.
type TemplateStr struct {
	Range
	Values []Expr
}

// Constant is a literal.
//
// A number keeps its spelling in Text, and its value is made from that only
// when someone asks: few rules do.
type Constant struct {
	Range
	Type ConstantType
	// Unicode reports whether the (first) literal has a u prefix: Python's kind.
	Unicode bool
	// Text is the value of a Str or Bytes, after escapes and joining, and the literal of a
	// number. A Str is WTF-8: UTF-8 in which surrogates, which only escapes can make
	// ('\ud800'), have three bytes.
	Text string
}

// Attribute is Value.Attr.
type Attribute struct {
	Range
	Value Expr
	Attr  string
	Ctx   Context
}

// Subscript is Value[Slice].
type Subscript struct {
	Range
	Value Expr
	Slice Expr
	Ctx   Context
}

// Starred is *Value.
type Starred struct {
	Range
	Value Expr
	Ctx   Context
}

// Name is an identifier, NFKC-normalised as Python does.
type Name struct {
	Range
	ID  string
	Ctx Context
}

// List is [Elts[0], ...].
type List struct {
	Range
	Elts []Expr
	Ctx  Context
}

// Tuple is Elts[0], ..., with or without parentheses; with them, they belong
// to its range.
type Tuple struct {
	Range
	Elts []Expr
	Ctx  Context
}

// Slice is Lower:Upper:Step within a subscript. Each may be nil.
type Slice struct {
	Range
	Lower Expr
	Upper Expr
	Step  Expr
}

// BoolOperator is and or or.
type BoolOperator uint8

// The boolean operators.
const (
	And BoolOperator = iota
	Or
)

// Operator is a binary arithmetic or bitwise operator.
type Operator uint8

// The binary operators.
const (
	Add      Operator = iota // +
	Sub                      // -
	Mult                     // *
	MatMult                  // @
	Div                      // /
	Mod                      // %
	Pow                      // **
	LShift                   // <<
	RShift                   // >>
	BitOr                    // |
	BitXor                   // ^
	BitAnd                   // &
	FloorDiv                 // //
)

// UnaryOperator is ~, not, + or -.
type UnaryOperator uint8

// The unary operators.
const (
	Invert UnaryOperator = iota // ~
	Not                         // not
	UAdd                        // +
	USub                        // -
)

// CompareOperator is one of ==, is, in and their like.
type CompareOperator uint8

// The comparison operators.
const (
	Eq    CompareOperator = iota // ==
	NotEq                        // !=
	Lt                           // <
	LtE                          // <=
	Gt                           // >
	GtE                          // >=
	Is                           // is
	IsNot                        // is not
	In                           // in
	NotIn                        // not in
)
