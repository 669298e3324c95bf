package ast

import (
	"encoding/binary"
	"math"
)

// AppendFields appends the kind of a node, its fields that are no nodes, contexts excepted, and the
// number of children in each field. If two nodes give the same bytes, [AppendChildren] gives their
// children pair by pair, and the nodes are equal if these are.
func AppendFields(dst []byte, n Node) []byte { return appendFields(append(dst, byte(n.Kind())), n) }

// AppendValue appends the type and the value of a constant: 0x10 and 16 give the same bytes, and so
// do '\x61' and "a".
func (c *Constant) AppendValue(dst []byte) []byte {
	dst = append(dst, byte(c.Type))
	switch c.Type {
	case Str, Bytes:
		return appendText(dst, c.Text)
	case Int:
		if value, ok := c.Int64(); ok {
			return binary.AppendVarint(appendFlag(dst, false), value)
		}
		return appendText(appendFlag(dst, true), c.BigInt().Text(16))
	case Float, Complex:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(c.Float64()))
	}
	return dst
}

func appendFlag(dst []byte, is bool) []byte {
	if is {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

func appendTexts(dst []byte, list []string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, text := range list {
		dst = appendText(dst, text)
	}
	return dst
}

func appendOperators(dst []byte, list []CompareOperator) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, op := range list {
		dst = append(dst, byte(op))
	}
	return dst
}

// appendPresence appends which of a list's places have an expression: a dict without keys for **.
func appendPresence(dst []byte, list []Expr) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, e := range list {
		dst = appendFlag(dst, e != nil)
	}
	return dst
}
