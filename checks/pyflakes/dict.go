package pyflakes

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// keyGroups sorts expressions into groups of those that are visibly the same dictionary key in
// Python: equal constants, tuples of equal keys, or variables of one name. Equal ones have a key of
// the same bytes. It keeps its memory.
type keyGroups struct {
	nodes  []ast.Expr
	first  []int32 // of its group, for each expression
	next   []int32 // in its group, or none
	count  []int32 // of the group, for its first
	keys   []string
	order  []int32 // the expressions, sorted by their keys
	memory []byte  // of the keys
}

func (g *keyGroups) reset() {
	clear(g.nodes)
	g.nodes, g.memory = g.nodes[:0], g.memory[:0]
	g.first, g.next, g.count = g.first[:0], g.next[:0], g.count[:0]
	g.keys, g.order = g.keys[:0], g.order[:0]
}

// group forms the groups of nodes.
func (g *keyGroups) group() {
	for i, node := range g.nodes {
		start := len(g.memory)
		g.memory = appendComparable(g.memory, node)
		g.keys, g.order = append(g.keys, pytext.View(g.memory[start:])), append(g.order, int32(i))
		g.first, g.next, g.count = append(g.first, int32(i)), append(g.next, none), append(g.count, 0)
	}
	slices.SortStableFunc(g.order, func(a, b int32) int { return strings.Compare(g.keys[a], g.keys[b]) })
	for at, i := range g.order {
		if at > 0 && g.keys[g.order[at-1]] == g.keys[i] {
			before := g.order[at-1]
			g.first[i], g.next[before] = g.first[before], i
		}
		g.count[g.first[i]]++
	}
}

// appendComparable appends bytes that are the same for equal keys alone.
func appendComparable(dst []byte, n ast.Expr) []byte {
	switch n := n.(type) {
	case *ast.Name:
		return appendText(dst, 'n', n.ID)
	case *ast.Constant:
		switch n.Type {
		case ast.False:
			return appendFloat(dst, 'f', 0)
		case ast.True:
			return appendFloat(dst, 'f', 1)
		case ast.Int:
			return appendInt(dst, n)
		case ast.Float:
			value := n.Float64()
			if value >= exactFloats && !math.IsInf(value, 0) {
				exact, _ := big.NewFloat(value).Int(nil)
				return appendText(dst, 'i', string(exact.Bytes()))
			}
			return appendFloat(dst, 'f', value)
		case ast.Complex:
			if value := n.Float64(); value != 0 { // a literal's real part is 0
				return appendFloat(dst, 'j', value)
			}
			return appendFloat(dst, 'f', 0)
		}
		return appendText(dst, byte(n.Type), n.Text)
	case *ast.Tuple:
		dst = binary.AppendUvarint(append(dst, '('), uint64(len(n.Elts)))
		for _, e := range n.Elts {
			dst = appendComparable(dst, e)
		}
		return dst
	}
	return binary.AppendUvarint(append(dst, '?'), uint64(len(dst))) // is like nothing else, as **spam
}

// exactFloats is up to which number all whole ones are floats. 1 == 1.0 == True, and 2**53 + 1 is
// an int that no float equals.
const exactFloats = 1 << 53

// appendInt appends an integer: as a float, or from exactFloats on as its digits.
func appendInt(dst []byte, n *ast.Constant) []byte {
	value, fits := n.Int64()
	switch {
	case !fits:
		return appendText(dst, 'i', string(n.BigInt().Bytes()))
	case value >= exactFloats:
		return appendText(dst, 'i', string(big.NewInt(value).Bytes()))
	}
	return appendFloat(dst, 'f', float64(value))
}

func appendFloat(dst []byte, kind byte, value float64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, kind), math.Float64bits(value))
}

func appendText(dst []byte, kind byte, text string) []byte {
	return append(binary.AppendUvarint(append(dst, kind), uint64(len(text))), text...)
}

// checkKeys reports keys that occur more than once in a dictionary, with
// different values.
func (c *Checker) checkKeys(n *ast.Dict) {
	if len(n.Keys) < 2 || !c.enabled.Any(rule.F601, rule.F602) {
		return
	}
	keys := &c.keys
	keys.reset()
	keys.nodes = append(keys.nodes, n.Keys...)
	keys.group()
	for i, first := range keys.first {
		if int(first) != i || keys.count[first] < 2 {
			continue
		}
		values := &c.values
		values.reset()
		for k := first; k != none; k = keys.next[k] {
			values.nodes = append(values.nodes, n.Values[k])
		}
		values.group()
		single := false
		for j, f := range values.first {
			single = single || int(f) == j && values.count[f] == 1
		}
		if !single {
			continue
		}
		code, text := rule.F602, ""
		if name, is := n.Keys[first].(*ast.Name); is {
			text = name.ID
		} else {
			mark := c.mark()
			c.appendKey(n.Keys[first])
			code, text = rule.F601, c.written(mark)
		}
		for k := first; k != none; k = keys.next[k] {
			c.reportUnvisited(code, n.Keys[k], text)
		}
	}
}

// appendKey appends repr of a key.
func (c *Checker) appendKey(n ast.Expr) {
	switch n := n.(type) {
	case *ast.Constant:
		c.arena = n.AppendRepr(c.arena, c.features.Version)
	case *ast.Tuple:
		c.arena = append(c.arena, '(')
		for i, e := range n.Elts {
			if i > 0 {
				c.add(", ")
			}
			c.appendKey(e)
		}
		if len(n.Elts) == 1 {
			c.arena = append(c.arena, ',')
		}
		c.arena = append(c.arena, ')')
	default:
		// pyflakes shows its own object here, with an address that changes
		// from run to run.
		c.add("<pyflakes.checker.VariableKey object at 0x7f0000000000>")
	}
}
