package ast

import (
	"math"
	"strconv"
	"strings"

	"codelinter/internal/characters"
	"codelinter/internal/pytext"
	"codelinter/source"
)

// AppendRepr appends what repr gives for the constant's value in CPython of the target version.
func (c *Constant) AppendRepr(out []byte, target source.Version) []byte {
	switch c.Type {
	case None:
		return append(out, "None"...)
	case False:
		return append(out, "False"...)
	case True:
		return append(out, "True"...)
	case Ellipsis:
		return append(out, "Ellipsis"...)
	case Str:
		return pytext.AppendRepr(out, c.Text, characters.Of(target.OrDefault()))
	case Bytes:
		return pytext.AppendBytesRepr(out, c.Text)
	case Int:
		if !strings.HasPrefix(c.Text, "0") { // the literal itself, but for underscores
			for part := range strings.SplitSeq(c.Text, "_") {
				out = append(out, part...)
			}
			return out
		}
		if value, ok := c.Int64(); ok {
			return strconv.AppendInt(out, value, 10)
		}
		return c.BigInt().Append(out, 10)
	case Float:
		return appendFloat(out, c.Float64(), true)
	}
	return append(appendFloat(out, c.Float64(), false), 'j')
}

// appendFloat appends repr(value): the shortest digits that read back as value, with an exponent
// below 1e-4 and from 1e16 on. Point asks for .0 after a whole number; complex numbers have none.
func appendFloat(out []byte, value float64, point bool) []byte {
	if math.IsInf(value, 0) {
		return append(out, "inf"...)
	}
	start := len(out)
	if value != 0 && (math.Abs(value) < 1e-4 || math.Abs(value) >= 1e16) {
		return strconv.AppendFloat(out, value, 'e', -1, 64)
	}
	out = strconv.AppendFloat(out, value, 'f', -1, 64)
	if point && !strings.Contains(string(out[start:]), ".") {
		out = append(out, ".0"...)
	}
	return out
}
