package ast

import (
	"strconv"
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
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
		return pytext.AppendFloatRepr(out, c.Float64(), true)
	}
	return append(pytext.AppendFloatRepr(out, c.Float64(), false), 'j')
}
