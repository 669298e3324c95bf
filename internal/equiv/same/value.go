package same

import (
	"encoding/binary"
	"math"

	"codelinter/ast"
)

// appendValue appends bytes that are equal for equal values only: 0x10 and 16
// give the same, and so do '\x61' and "a".
func AppendValue(dst []byte, c *ast.Constant) []byte {
	switch c.Type {
	case ast.Str, ast.Bytes:
		return append(dst, c.Text...)
	case ast.Int:
		if value, ok := c.Int64(); ok {
			return binary.AppendVarint(dst, value)
		}
		// The length differs from that of an Int64.
		return append(dst, c.BigInt().Text(16)...)
	case ast.Float, ast.Complex:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(c.Float64()))
	}
	return dst
}
