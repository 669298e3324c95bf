package pyflakes

import (
	"hash/maphash"
	"math"
	"slices"

	"codelinter/ast"
	"codelinter/rule"
)

// keyGroups sorts expressions into groups of those that are equal in Python. It
// keeps its memory.
type keyGroups struct {
	nodes   []ast.Expr
	hashes  []uint64
	first   []int32 // of its group, for each expression
	next    []int32 // in its group, or none
	count   []int32 // of the group, for its first
	last    []int32 // of the group, for its first
	table   []int32
	seed    maphash.Seed
	scatter scatter
	seeded  bool
	a, b    natural // two numbers that are compared
}

// few is up to how many expressions are compared one by one.
const few = 8

func (g *keyGroups) reset() {
	clear(g.nodes)
	g.nodes, g.hashes = g.nodes[:0], g.hashes[:0]
	g.first, g.next = g.first[:0], g.next[:0]
	g.count, g.last = g.count[:0], g.last[:0]
	if !g.seeded {
		g.seed, g.scatter, g.seeded = maphash.MakeSeed(), newScatter(), true
	}
}

// group forms the groups of nodes.
func (g *keyGroups) group() {
	n := len(g.nodes)
	for range n {
		g.first, g.next = append(g.first, none), append(g.next, none)
		g.count, g.last = append(g.count, 0), append(g.last, none)
	}
	if n <= few {
		for i, node := range g.nodes {
			found := int32(i)
			for j := range i {
				if g.first[j] == int32(j) && g.equal(g.nodes[j], node) {
					found = int32(j)
					break
				}
			}
			g.join(int32(i), found)
		}
		return
	}
	size := 2 * few
	for size < 2*n {
		size *= 2
	}
	if len(g.table) < size {
		g.table = make([]int32, size)
	}
	table := g.table[:size]
	for i := range table {
		table[i] = none
	}
	for i, node := range g.nodes {
		if node == nil { // of **spam, which is like nothing
			g.hashes = append(g.hashes, 0)
			g.join(int32(i), int32(i))
			continue
		}
		h := g.hash(node)
		g.hashes = append(g.hashes, h)
		at := g.scatter.hash(h) & uint64(size-1)
		for ; ; at = (at + 1) & uint64(size-1) {
			j := table[at]
			if j == none {
				table[at] = int32(i)
				g.join(int32(i), int32(i))
				break
			}
			if g.hashes[j] == h && g.equal(g.nodes[j], node) {
				g.join(int32(i), j)
				break
			}
		}
	}
}

// join adds i to the group whose first member is first.
func (g *keyGroups) join(i, first int32) {
	g.first[i] = first
	g.count[first]++
	if i != first {
		g.next[g.last[first]] = i
	}
	g.last[first] = i
}

// hash returns a number that is the same for all that is equal to n.
func (g *keyGroups) hash(n ast.Expr) uint64 {
	switch n := n.(type) {
	case *ast.Name:
		return maphash.String(g.seed, n.ID)
	case *ast.Constant:
		switch n.Type {
		case ast.Str, ast.Bytes:
			return maphash.String(g.seed, n.Text) + uint64(n.Type)
		case ast.None, ast.Ellipsis:
			return uint64(n.Type)
		}
		value := g.approximate(n)
		if !isApproximate(n, value) {
			return math.Float64bits(value)
		}
		// As many integers as one likes have one approximation.
		h := uint64(0)
		g.a = g.a.setExact(n)
		for _, word := range g.a {
			h = g.scatter.hash(h) + word
		}
		return h
	case *ast.Tuple:
		h := uint64(len(n.Elts))
		for _, e := range n.Elts {
			h = g.scatter.hash(h) + g.hash(e)
		}
		return h
	}
	return uint64(n.Bounds().Start)
}

// approximate returns a number's value, or its imaginary part, as a float.
func (g *keyGroups) approximate(n *ast.Constant) float64 {
	switch n.Type {
	case ast.True:
		return 1
	case ast.Int:
		g.a = g.a.setLiteral(n.Text)
		return g.a.float()
	case ast.Float, ast.Complex:
		return n.Float64()
	}
	return 0
}

// equal reports whether two expressions are visibly the same dictionary key in Python: equal
// constants, tuples of equal keys, or variables of one name.
func (g *keyGroups) equal(a, b ast.Expr) bool {
	switch a := a.(type) {
	case *ast.Name:
		b, is := b.(*ast.Name)
		return is && a.ID == b.ID
	case *ast.Constant:
		b, is := b.(*ast.Constant)
		return is && g.equalConstants(a, b)
	case *ast.Tuple:
		b, is := b.(*ast.Tuple)
		if !is || len(a.Elts) != len(b.Elts) {
			return false
		}
		for i := range a.Elts {
			if !g.equal(a.Elts[i], b.Elts[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// equalConstants compares as Python does: 1 == 1.0 == True, 0 == 0j.
func (g *keyGroups) equalConstants(a, b *ast.Constant) bool {
	if !isNumber(a) || !isNumber(b) {
		return a.Type == b.Type && a.Text == b.Text
	}
	if a.Type == b.Type && a.Text == b.Text {
		return true // and some numbers take long to read
	}
	x, y := g.approximate(a), g.approximate(b)
	if a.Type == ast.Complex || b.Type == ast.Complex {
		// A literal's real part is 0.
		return x == y && (a.Type == b.Type || x == 0)
	}
	if x != y {
		return false
	}
	if a.Type != ast.Int && b.Type != ast.Int {
		return true
	}
	if !isApproximate(a, x) || !isApproximate(b, y) {
		return !isApproximate(a, x) && !isApproximate(b, y)
	}
	g.a, g.b = g.a.setExact(a), g.b.setExact(b)
	return slices.Equal(g.a, g.b)
}

// isApproximate reports whether a number's value may be another than its
// approximation: beyond 2**53 it is for integers. All floats are compared with
// those as integers, except infinity, which no integer equals.
func isApproximate(n *ast.Constant, value float64) bool {
	return math.Abs(value) >= 1<<53 && n.Type != ast.Complex && (n.Type == ast.Int || !math.IsInf(value, 0))
}

// setExact returns w as the value of a number that is whole.
func (w natural) setExact(n *ast.Constant) natural {
	if n.Type == ast.Int {
		return w.setLiteral(n.Text)
	}
	return w.setFloat(n.Float64())
}

func isNumber(n *ast.Constant) bool {
	return n.Type >= ast.Int || n.Type == ast.True || n.Type == ast.False
}

// checkKeys reports keys that stand more than once in a dictionary, with
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
		mark := c.mark()
		code := rule.F601
		if name, is := n.Keys[first].(*ast.Name); is {
			code = rule.F602
			c.arena = append(c.arena, "dictionary key variable "...)
			c.arena = append(c.arena, name.ID...)
		} else {
			c.arena = append(c.arena, "dictionary key "...)
			c.appendKey(n.Keys[first])
		}
		c.arena = append(c.arena, " repeated with different values"...)
		text := c.written(mark)
		for k := first; k != none; k = keys.next[k] {
			c.reportUnvisited(code, n.Keys[k], text)
		}
	}
}

// appendKey appends repr of a key.
func (c *Checker) appendKey(n ast.Expr) {
	switch n := n.(type) {
	case *ast.Constant:
		c.arena = n.AppendRepr(c.arena, c.features.Unicode)
	case *ast.Tuple:
		c.arena = append(c.arena, '(')
		for i, e := range n.Elts {
			if i > 0 {
				c.arena = append(c.arena, ", "...)
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
		c.arena = append(c.arena, "<pyflakes.checker.VariableKey object at 0x7f0000000000>"...)
	}
}
