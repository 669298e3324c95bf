package reactor

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
)

// Most arguments of calls are literals and displays of literals, such as [1, 'a',
// (2.5,)], and few occur twice. CPython takes 2,000 counts to compile a short one,
// and a hundred to read its marshalled value. So they are marshalled here.
//
// The value equals the expression's, down to which strings are interned. CPython
// compiles everything that is not plain: other escapes than repr writes, as they may
// give warnings, large and complex numbers, bytes, and sets, whose order depends on
// how they are made.

const (
	maxLiteralDepth = 20
	maxLiteralInt   = 18 // digits
)

// appendLiteral appends the value of an expression to b, as CPython marshals it. ok
// is false if the expression is no plain literal.
func (in *Instance) appendLiteral(b []byte, text string) (marshalled []byte, ok bool) {
	text = strings.Trim(text, " ")
	if !isPlain(text) {
		return b, false
	}
	module, ok := in.parser.ParseText(text, parser.Options{Target: source.Python313})
	if !ok || len(module.Body) != 1 {
		return b, false
	}
	statement, ok := module.Body[0].(*ast.ExprStmt)
	if !ok || statement.Value.Bounds() != (ast.Range{End: int32(len(text))}) { // without parentheses and comments around it
		return b, false
	}
	return appendValue(b, statement.Value, 0)
}

// isPlain reports whether a text begins like a literal, and has no control characters and
// no escapes other than repr's.
func isPlain(text string) bool {
	if text == "" || strings.IndexByte(`[({'"-0123456789NTF`, text[0]) < 0 {
		return false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ':
			return false
		case c == '\\':
			i++
			if i == len(text) || strings.IndexByte(`\'"nrtx`, text[i]) < 0 {
				return false
			}
		}
	}
	return true
}

func appendValue(b []byte, e ast.Expr, depth int) (marshalled []byte, ok bool) {
	if depth > maxLiteralDepth {
		return b, false
	}
	switch e := e.(type) {
	case *ast.Constant:
		return appendConstant(b, e, "")
	case *ast.UnaryOp:
		if number, is := e.Operand.(*ast.Constant); is && e.Op == ast.USub && (number.Type == ast.Int || number.Type == ast.Float) {
			return appendConstant(b, number, "-")
		}
	case *ast.List:
		return appendItems(b, '[', e.Elts, depth)
	case *ast.Tuple:
		return appendItems(b, '(', e.Elts, depth)
	case *ast.Dict:
		b = append(b, '{')
		for i, key := range e.Keys {
			switch key.(type) {
			case *ast.Constant, *ast.UnaryOp: // a tuple may contain a list
			default:
				return b, false
			}
			if b, ok = appendValue(b, key, depth+1); ok {
				b, ok = appendValue(b, e.Values[i], depth+1)
			}
			if !ok {
				return b, false
			}
		}
		return append(b, '0'), true
	}
	return b, false
}

// appendItems appends a list or a tuple.
func appendItems(b []byte, code byte, items []ast.Expr, depth int) (marshalled []byte, ok bool) {
	b = binary.LittleEndian.AppendUint32(append(b, code), uint32(len(items)))
	for _, item := range items {
		if b, ok = appendValue(b, item, depth+1); !ok {
			return b, false
		}
	}
	return b, true
}

// appendConstant appends a constant, with a sign before a number.
func appendConstant(b []byte, c *ast.Constant, sign string) (marshalled []byte, ok bool) {
	switch c.Type {
	case ast.None:
		return append(b, 'N'), true
	case ast.True:
		return append(b, 'T'), true
	case ast.False:
		return append(b, 'F'), true
	case ast.Str:
		return appendString(b, c.Text)
	case ast.Float:
		f, err := strconv.ParseFloat(sign+c.Text, 64)
		return binary.LittleEndian.AppendUint64(append(b, 'g'), math.Float64bits(f)), err == nil
	case ast.Int:
		n, err := strconv.ParseInt(sign+c.Text, 10, 64) // not of 0x1f or 1_000
		return appendInt(b, n), err == nil && len(c.Text) <= maxLiteralInt
	}
	return b, false
}

func appendInt(b []byte, n int64) []byte {
	if n == int64(int32(n)) {
		return binary.LittleEndian.AppendUint32(append(b, 'i'), uint32(n))
	}
	// The number of 15-bit digits, with the number's sign, and the digits.
	b = append(b, 'l', 0, 0, 0, 0)
	size, count := len(b)-4, int32(0)
	for rest := max(n, -n); rest > 0; rest >>= 15 {
		b = binary.LittleEndian.AppendUint16(b, uint16(rest&0x7fff))
		count++
	}
	if n < 0 {
		count = -count
	}
	binary.LittleEndian.PutUint32(b[size:], uint32(count))
	return b
}

// appendString appends a string. As in the compiler, a string that looks like a name
// is interned.
func appendString(b []byte, text string) (marshalled []byte, ok bool) {
	code := byte('A')
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			code = 'u'
		case code == 'A' && !isNameByte(c):
			code = 'a'
		}
	}
	return append(binary.LittleEndian.AppendUint32(append(b, code), uint32(len(text))), text...), code != 'u' || utf8.ValidString(text)
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf
}
