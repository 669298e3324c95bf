package behaviour

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"codelinter/ast"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/source"
)

// A literal is the value of a literal or display in code, in a form that can be
// varied: 3, 'ab', [(1, 'x'), (2, 'y')]. Other expressions in a display are code.
type literal struct {
	kind  literalKind
	n     int64     // an integer, or 0 or 1 for a boolean
	f     float64   // of a float
	text  string    // of a string, in WTF-8, or of bytes
	items []literal // of a list, tuple, set or dict
	keys  []literal // of a dict
	code  *code     // of anything else
}

type literalKind uint8

const (
	noneLiteral literalKind = iota
	boolLiteral
	intLiteral
	floatLiteral
	strLiteral
	bytesLiteral
	listLiteral
	tupleLiteral
	setLiteral
	dictLiteral
	otherCode
)

// String returns the name of a literal's type.
func (k literalKind) String() string {
	return [...]string{"NoneType", "bool", "int", "float", "str", "bytes", "list", "tuple", "set", "dict", ""}[k]
}

// maxLiteral bounds the nodes of a literal that is varied. Larger ones, such as
// tables of data, are kept as plain code.
const maxLiteral = 2000

// A code is the text of an expression or of statements, with the places of
// literals that may be varied.
type code struct {
	text  string
	holes []hole // ascending, disjoint
}

// A hole is the place of a literal in a code's text.
type hole struct {
	start, end int
	value      literal
}

// newCode returns the text of n, which is a part of text, and its literals.
func newCode(text string, nodes ...ast.Node) *code {
	if len(nodes) == 0 {
		return &code{}
	}
	bounds := ast.Range{Start: nodes[0].Bounds().Start, End: nodes[len(nodes)-1].Bounds().End}
	if first, decorated := firstDecorator(nodes[0]); decorated {
		bounds.Start = first
	}
	c := &code{text: text[bounds.Start:bounds.End]}
	reader := literalReader{text: text, left: maxLiteral}
	var walker ast.Walker
	for _, n := range nodes {
		walker.Walk(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.JoinedStr, *ast.TemplateStr, *ast.Arguments, *ast.MatchCase:
				return false // definitions of setup code are not varied
			case ast.Expr:
				value, ok := reader.read(n, 0)
				if !ok {
					return true
				}
				at := n.Bounds()
				c.holes = append(c.holes, hole{int(at.Start - bounds.Start), int(at.End - bounds.Start), value})
				return false
			}
			return true
		})
	}
	// The walk goes by fields, which may differ from the order of the text.
	slices.SortFunc(c.holes, func(a, b hole) int { return a.start - b.start })
	return c
}

// firstDecorator returns the offset of the first @ of a definition's decorators.
func firstDecorator(n ast.Node) (start int32, ok bool) {
	list := ast.Decorators(n)
	if len(list) == 0 {
		return 0, false
	}
	return list[0].Bounds().Start - 1, true
}

// A literalReader reads literals from a tree.
type literalReader struct {
	text string
	left int // nodes that may still be read
}

// read returns the value of e if e is a literal or a display. It outlives the tree.
func (r *literalReader) read(e ast.Expr, depth int) (literal, bool) {
	if r.left--; r.left < 0 || depth > 50 {
		return literal{}, false
	}
	switch e := e.(type) {
	case *ast.Constant:
		return constant(e)
	case *ast.UnaryOp:
		operand, is := e.Operand.(*ast.Constant)
		if !is || e.Op != ast.USub {
			return literal{}, false
		}
		value, ok := constant(operand)
		switch {
		case ok && value.kind == intLiteral:
			value.n = -value.n
		case ok && value.kind == floatLiteral:
			value.f = -value.f
		default:
			return literal{}, false
		}
		return value, true
	case *ast.List:
		if e.Ctx == ast.Load {
			return r.display(listLiteral, e.Elts, depth)
		}
	case *ast.Tuple:
		if e.Ctx == ast.Load {
			return r.display(tupleLiteral, e.Elts, depth)
		}
	case *ast.Set:
		return r.display(setLiteral, e.Elts, depth)
	case *ast.Dict:
		if slices.Contains(e.Keys, nil) {
			return literal{}, false
		}
		keys, ok := r.display(dictLiteral, e.Keys, depth)
		if !ok {
			return literal{}, false
		}
		items, ok := r.display(dictLiteral, e.Values, depth)
		items.keys = keys.items
		return items, ok
	}
	return literal{}, false
}

func (r *literalReader) display(kind literalKind, elements []ast.Expr, depth int) (literal, bool) {
	value := literal{kind: kind, items: make([]literal, len(elements))}
	for i, e := range elements {
		if e.Kind() == ast.KindStarred {
			return literal{}, false
		}
		item, ok := r.read(e, depth+1)
		if !ok {
			if r.left < 0 {
				return literal{}, false
			}
			item = literal{kind: otherCode, code: newCode(r.text, e)}
			if e.Kind() == ast.KindNamedExpr { // {1: a := 2} is not a dict
				item.code = &code{text: "(" + item.code.text + ")", holes: shifted(item.code.holes, 1)}
			}
		}
		value.items[i] = item
	}
	return value, true
}

func shifted(holes []hole, by int) []hole {
	for i := range holes {
		holes[i].start += by
		holes[i].end += by
	}
	return holes
}

func constant(c *ast.Constant) (literal, bool) {
	switch c.Type {
	case ast.None:
		return literal{kind: noneLiteral}, true
	case ast.False:
		return literal{kind: boolLiteral}, true
	case ast.True:
		return literal{kind: boolLiteral, n: 1}, true
	case ast.Int:
		n, ok := c.Int64()
		return literal{kind: intLiteral, n: n}, ok && n < math.MaxInt64/4
	case ast.Float:
		return literal{kind: floatLiteral, f: c.Float64()}, true
	case ast.Str:
		return literal{kind: strLiteral, text: strings.Clone(c.Text)}, true
	case ast.Bytes:
		return literal{kind: bytesLiteral, text: strings.Clone(c.Text)}, true
	}
	return literal{}, false
}

// String returns the literal as Python reads it.
func (l literal) String() string { return string(l.append(nil)) }

func (l literal) append(out []byte) []byte {
	switch l.kind {
	case noneLiteral:
		return append(out, "None"...)
	case boolLiteral:
		if l.n == 0 {
			return append(out, "False"...)
		}
		return append(out, "True"...)
	case intLiteral:
		return strconv.AppendInt(out, l.n, 10)
	case floatLiteral:
		return appendFloat(out, l.f)
	case strLiteral:
		return pytext.AppendRepr(out, l.text, characters.Latest)
	case bytesLiteral:
		return (&ast.Constant{Type: ast.Bytes, Text: l.text}).AppendRepr(out, source.Newest)
	case listLiteral:
		return append(l.appendItems(append(out, '[')), ']')
	case tupleLiteral:
		out = l.appendItems(append(out, '('))
		if len(l.items) == 1 {
			out = append(out, ',')
		}
		return append(out, ')')
	case setLiteral:
		if len(l.items) == 0 {
			return append(out, "set()"...)
		}
		return append(l.appendItems(append(out, '{')), '}')
	case dictLiteral:
		out = append(out, '{')
		for i := range l.items {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = append(l.keys[i].append(out), ": "...)
			out = l.items[i].append(out)
		}
		return append(out, '}')
	}
	return append(out, l.code.String()...)
}

func (l literal) appendItems(out []byte) []byte {
	for i := range l.items {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = l.items[i].append(out)
	}
	return out
}

// appendFloat appends an expression for f, repr(f) if Python can read that.
func appendFloat(out []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(out, "float('nan')"...)
	case math.IsInf(f, 1):
		return append(out, "float('inf')"...)
	case math.IsInf(f, -1):
		return append(out, "float('-inf')"...)
	case math.Signbit(f):
		return appendFloat(append(out, '-'), -f)
	}
	return (&ast.Constant{Type: ast.Float, Text: strconv.FormatFloat(f, 'g', -1, 64)}).AppendRepr(out, source.Newest)
}

// mutable reports whether a function could change an argument with this value.
func (l *literal) mutable() bool {
	switch l.kind {
	case listLiteral, setLiteral, dictLiteral, otherCode:
		return true
	case tupleLiteral:
		return slices.ContainsFunc(l.items, func(item literal) bool { return item.mutable() })
	}
	return false
}

// String returns the code's text with the current values of its literals.
func (c *code) String() string {
	if len(c.holes) == 0 {
		return c.text
	}
	var out strings.Builder
	at := 0
	for _, h := range c.holes {
		out.WriteString(c.text[at:h.start])
		text := h.value.String()
		// Parentheses, as 1.real is no attribute of 1, and -1 ** 2 is -(1 ** 2).
		next := strings.TrimLeft(c.text[h.end:], " ")
		if strings.HasPrefix(next, ".") || strings.HasPrefix(text, "-") && strings.HasPrefix(next, "**") {
			text = "(" + text + ")"
		}
		out.WriteString(text)
		at = h.end
	}
	out.WriteString(c.text[at:])
	return out.String()
}

// with returns a copy of the code in which a literal has another value.
func (c *code) with(hole int, value literal) *code {
	copied := &code{text: c.text, holes: slices.Clone(c.holes)}
	copied.holes[hole].value = value
	return copied
}

// uniform reports whether all items are of one kind that has an order.
func (l *literal) uniform() bool {
	for i := range l.items {
		if l.items[i].kind != l.items[0].kind || l.items[i].kind > strLiteral || l.items[i].kind == noneLiteral {
			return false
		}
	}
	return len(l.items) > 0
}
