package guard

import (
	"encoding/binary"
	"math"

	"codelinter/ast"
)

// appendValue appends what tells a constant's value from all others of its type:
// 0x10 and 16 are the same, and so are '\x61' and "a".
func appendValue(dst []byte, c *ast.Constant) []byte {
	switch c.Type {
	case ast.Str, ast.Bytes:
		return append(dst, c.Text...)
	case ast.Int:
		if value, ok := c.Int64(); ok {
			return binary.AppendVarint(dst, value)
		}
		// Longer than what Int64 can be, so that it is none of those.
		return append(dst, c.BigInt().Text(16)...)
	case ast.Float, ast.Complex:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(c.Float64()))
	}
	return dst
}
