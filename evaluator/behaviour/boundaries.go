package behaviour

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"codelinter/ast"
)

// Programs that are nearly the same differ at the edges of their conditions:
//
//	def loss(cost, amount):
//	    if amount > cost:           # or >=: loss(200, 200) alone tells
//	        return amount - cost
//
// Chance seldom makes two arguments equal, or puts 10 where a program has n > 10. So
// the comparisons of a program are solved, as far as their sides are constants,
// parameters, and lengths and items of such: calls are made for which both sides are
// equal, and for which one is the next.

// A term is a side of a comparison.
type term struct {
	kind   termKind
	index  int     // of the parameter
	value  literal // of a constant
	factor int64   // of it, 0 for 1
	offset int64   // that is added
}

type termKind uint8

const (
	constantTerm  termKind = iota
	parameterTerm          // n
	lengthTerm             // len(n)
	itemTerm               // n[0], or x of for x in n
	sumTerm                // sum(n)
)

// A boundary is a comparison that was solved, or what arithmetic suggests: then
// right is the constant, or nothing.
type boundary struct {
	function    string // its path
	left, right term
	negative    bool // left with other signs, and no right
}

// key tells boundaries apart, whatever the parameters' names are.
func (b *boundary) key() string {
	return fmt.Sprint(b.function, b.left.kind, b.left.index, b.left.factor, b.left.offset, b.left.value, b.right.kind, b.right.index, b.right.factor, b.right.offset, b.right.value, b.negative)
}

// How much is read and made of boundaries.
const (
	maxBoundaries = 64 // of one program
	maxOwnEdges   = 8  // calls for those that only an answer has
	boundaryBases = 2  // of the calls that are known of a function, those that are varied
	termDepth     = 4  // names and expressions within each other
)

// boundaries returns the boundaries of a program's functions, each once, in the
// order of their paths and of the text.
func boundaries(m *module) []boundary {
	var list []boundary
	seen := map[string]bool{}
	functions := definitions(m.body)
	for _, path := range slices.Sorted(maps.Keys(functions)) {
		f := functions[path]
		if strings.HasSuffix(path, ".__init__") {
			continue // the class's own path is there too
		}
		r := newTermReader(path, f)
		add := func(b boundary) {
			b.function = path
			if key := b.key(); !seen[key] && len(list) < maxBoundaries {
				seen[key] = true
				list = append(list, b)
			}
		}
		squares, signs := false, false
		var walker ast.Walker
		for _, s := range f.Body {
			walker.Walk(s, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Compare:
					left := n.Left
					for i, right := range n.Comparators {
						if op := n.Ops[i]; op != ast.In && op != ast.NotIn {
							if b, ok := r.boundary(left, right); ok {
								add(b)
							}
						}
						left = right
					}
				case *ast.Call:
					switch name := lastName(n.Func); name {
					case "sqrt", "isqrt":
						squares = true
					case "abs", "max", "min":
						signs = true
					case "range":
						// The last number that is counted to, as in range(2, n).
						for _, a := range n.Args[:min(len(n.Args), 2)] {
							if t, ok := r.term(a, 0); ok && t.kind == parameterTerm && len(n.Args) > 1 {
								for _, other := range n.Args[:2] {
									if c, ok := r.term(other, 0); ok && c.kind == constantTerm {
										add(boundary{left: t, right: c})
									}
								}
							}
						}
					}
				case *ast.BinOp:
					if _, constant := fold(n, 0); constant {
						return false
					}
					squares = squares || n.Op == ast.Pow || n.Op == ast.Mult && dumpOf(n.Left) == dumpOf(n.Right)
					signs = signs || n.Op == ast.Mult || n.Op == ast.Mod || n.Op == ast.FloorDiv || n.Op == ast.Div
				}
				return true
			})
		}
		for i := range r.count {
			t := term{kind: parameterTerm, index: i}
			if signs {
				add(boundary{left: t, negative: true})
			}
			if squares {
				for _, n := range []int64{9, 36} {
					add(boundary{left: t, right: term{value: literal{kind: intLiteral, n: n}}})
				}
			}
		}
	}
	return list
}

// A termReader knows what the names of a function stand for.
type termReader struct {
	parameters map[string]int
	count      int
	items      map[string]ast.Expr // loop variables, and what they go through
	values     map[string]ast.Expr // names that are bound once
}

func newTermReader(path string, f *ast.FunctionDef) *termReader {
	r := &termReader{parameters: map[string]int{}, items: map[string]ast.Expr{}}
	list := parameters(f)
	if strings.Contains(path, ".") && !decoratedBy(f, "staticmethod") || f.Name == "__init__" {
		list = list[min(1, len(list)):]
	}
	for i, name := range list {
		r.parameters[name] = i
	}
	r.count = len(list)
	r.values = once([]ast.Stmt{f}, false, nil)
	loop := func(target, iter ast.Expr) {
		if call, is := iter.(*ast.Call); is && len(call.Args) > 0 {
			pair, two := target.(*ast.Tuple)
			switch name := lastName(call.Func); {
			case name == "enumerate" && two && len(pair.Elts) == 2:
				target, iter = pair.Elts[1], call.Args[0]
			case name == "sorted" || name == "reversed" || name == "list" || name == "set":
				iter = call.Args[0]
			}
		}
		if name, is := target.(*ast.Name); is {
			r.items[name.ID] = iter
		}
	}
	for _, s := range f.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.For:
				loop(n.Target, n.Iter)
			case *ast.Comprehension:
				loop(n.Target, n.Iter)
			}
			return true
		})
	}
	return r
}

// boundary returns the boundary between two sides, if calls can be made for it.
func (r *termReader) boundary(left, right ast.Expr) (boundary, bool) {
	a, ok := r.term(left, 0)
	if !ok {
		return boundary{}, false
	}
	b, ok := r.term(right, 0)
	if !ok || a.kind == constantTerm && b.kind == constantTerm {
		return boundary{}, false
	}
	// The left side is what will be set.
	if a.kind == constantTerm || b.kind >= itemTerm || b.kind == parameterTerm && a.kind == lengthTerm {
		a, b = b, a
	}
	return boundary{left: a, right: b}, b.factor == 0 && b.kind != sumTerm
}

// term returns what e stands for; ok is false if it is more than a term.
func (r *termReader) term(e ast.Expr, depth int) (t term, ok bool) {
	if depth > termDepth {
		return t, false
	}
	if value, ok := fold(e, 0); ok {
		return term{value: value}, true
	}
	switch e := e.(type) {
	case *ast.Name:
		if i, is := r.parameters[e.ID]; is {
			return term{kind: parameterTerm, index: i}, true
		}
		if iter := r.items[e.ID]; iter != nil {
			return r.item(iter, depth)
		}
		if value := r.values[e.ID]; value != nil {
			return r.term(value, depth+1)
		}
	case *ast.Subscript:
		if _, is := e.Slice.(*ast.Slice); !is {
			return r.item(e.Value, depth)
		}
	case *ast.Call:
		if len(e.Args) != 1 {
			break
		}
		t, ok := r.term(e.Args[0], depth+1)
		switch lastName(e.Func) {
		case "abs", "int", "float", "round", "str":
			return t, ok
		case "len":
			if t.plain() {
				t.kind = lengthTerm
				return t, ok
			}
		case "sum":
			if t.plain() {
				t.kind = sumTerm
				return t, ok
			}
		}
	case *ast.BinOp:
		a, ok := r.term(e.Left, depth+1)
		if !ok {
			break
		}
		b, ok := r.term(e.Right, depth+1)
		switch {
		case !ok:
		case (e.Op == ast.Add || e.Op == ast.Sub) && a.kind != constantTerm && b.kind == constantTerm && b.value.kind == intLiteral:
			if e.Op == ast.Sub {
				b.value.n = -b.value.n
			}
			a.offset += b.value.n
			return a, true
		case e.Op == ast.Add && b.kind != constantTerm && a.kind == constantTerm && a.value.kind == intLiteral:
			b.offset += a.value.n
			return b, true
		case e.Op == ast.Mult && a.multiplied(&b):
			return a, true
		case e.Op == ast.Mult && b.multiplied(&a):
			return b, true
		}
	}
	return t, false
}

// item returns what an item of e stands for.
func (r *termReader) item(e ast.Expr, depth int) (term, bool) {
	t, ok := r.term(e, depth+1)
	plain := t.plain()
	t.kind = itemTerm
	return t, ok && plain
}

// plain reports whether a term is a parameter as it is.
func (t *term) plain() bool { return t.kind == parameterTerm && t.offset == 0 && t.factor == 0 }

// multiplied multiplies a term by a constant, if it can be.
func (t *term) multiplied(by *term) bool {
	if t.kind == constantTerm || t.offset != 0 || t.factor != 0 || by.kind != constantTerm || by.value.kind != intLiteral || by.value.n < 2 {
		return false
	}
	t.factor = by.value.n
	return true
}

// boundaryCalls returns calls at boundaries, at most limit of each function: first
// those for which both sides are equal. ties may be nil.
func boundaryCalls(list []boundary, callees []string, known map[string][]*probe, ties map[string][]tie, limit int) []*probe {
	var probes []*probe
	for _, callee := range callees {
		n := 0
		bases := known[callee]
		bases = bases[:min(len(bases), boundaryBases)]
		for _, base := range bases {
			for _, distance := range []int64{0, 1, -1} {
				for i := range list {
					if !list[i].of(callee) || n == limit {
						continue
					}
					if probe := list[i].solve(base, distance, ties[callee]); probe != nil {
						probes = append(probes, probe)
						n++
					}
				}
			}
		}
	}
	return probes
}

// of reports whether a callee, f or Class.method, is the boundary's function.
func (b *boundary) of(callee string) bool {
	return callee == b.function || strings.HasSuffix(b.function, "."+callee[strings.LastIndexByte(callee, '.')+1:])
}

// solve returns base with an argument for which the left side is the right one and
// distance more, nil if that cannot be.
func (b *boundary) solve(base *probe, distance int64, ties []tie) *probe {
	values := base.argumentValues()
	left := b.left.index
	if left >= len(values) || values[left] == nil {
		return nil
	}
	probe := base.clone()
	call := probe.last()
	if b.negative {
		negated, ok := values[left].negated(0)
		if !ok || distance != 0 {
			return nil
		}
		call.set(left, negated)
		return probe
	}
	right := b.right.value
	if b.right.kind != constantTerm {
		if b.right.index >= len(values) || values[b.right.index] == nil {
			return nil
		}
		right = *values[b.right.index]
		switch b.right.kind {
		case lengthTerm:
			n, ok := right.length()
			if !ok {
				return nil
			}
			right = literal{kind: intLiteral, n: int64(n)}
		case itemTerm:
			if len(right.items) == 0 {
				return nil
			}
			right = right.items[0]
		}
	}
	offset := b.right.offset - b.left.offset
	switch right.kind {
	case intLiteral, boolLiteral:
		right.kind = intLiteral
		right.n = (right.n+offset)/max(b.left.factor, 1) + distance
		if right.n > maxExact || right.n < -maxExact {
			return nil
		}
	case floatLiteral:
		right.f = (right.f+float64(offset))/float64(max(b.left.factor, 1)) + float64(distance)
	default:
		if distance != 0 || offset != 0 {
			return nil
		}
	}
	kind := b.left.kind
	for _, t := range ties {
		if kind == parameterTerm && t.number == left && values[t.counted] != nil {
			// The number is the length of another argument.
			left, kind = t.counted, lengthTerm
		}
	}
	switch kind {
	case parameterTerm:
		value, ok := values[left].like(&right)
		if !ok {
			return nil
		}
		call.set(left, value)
	case lengthTerm:
		if right.kind != intLiteral || right.n < 0 || right.n > ownLength {
			return nil
		}
		list := values[left].ofLength(int(right.n))
		if len(list) == 0 {
			return nil
		}
		call.set(left, list[0])
	case itemTerm, sumTerm:
		changed := *values[left]
		changed.items = slices.Clone(changed.items)
		if len(changed.items) == 0 {
			return nil
		}
		at := min(1, len(changed.items)-1)
		if kind == sumTerm {
			for i := range changed.items {
				if i != at && changed.items[i].kind == intLiteral && right.kind == intLiteral {
					right.n -= changed.items[i].n
				}
			}
		}
		value, ok := changed.items[at].like(&right)
		if !ok {
			return nil
		}
		changed.items[at] = value
		call.set(left, changed)
	}
	for _, t := range ties {
		number, counted := call.arguments[t.number].value(), call.arguments[t.counted].value()
		if number != nil && counted != nil {
			if n, ok := counted.length(); ok {
				tied := *number
				tied.n = int64(n)
				call.set(t.number, tied)
			}
		}
	}
	return probe
}

// like returns value as one of l's type: an integer near 4.8, a float of 10.
func (l *literal) like(value *literal) (literal, bool) {
	switch {
	case l.kind == value.kind:
		return *value, true
	case l.kind == floatLiteral && value.kind == intLiteral:
		return literal{kind: floatLiteral, f: float64(value.n)}, true
	case l.kind == intLiteral && value.kind == floatLiteral && math.Abs(value.f) < float64(maxExact):
		return literal{kind: intLiteral, n: int64(math.Floor(value.f))}, true
	}
	return literal{}, false
}

// negated returns a number with the other sign, or a list or tuple of those; of
// lists of lists the first number of each.
func (l *literal) negated(depth int) (literal, bool) {
	changed := *l
	switch l.kind {
	case intLiteral:
		changed.n = -l.n
		return changed, l.n != 0
	case floatLiteral:
		changed.f = -l.f
		return changed, l.f != 0
	case listLiteral, tupleLiteral:
		if depth > 3 {
			break
		}
		changed.items = slices.Clone(l.items)
		any := false
		for i := range changed.items {
			if item, ok := changed.items[i].negated(depth + 1); ok {
				changed.items[i], any = item, true
				if depth > 0 {
					break
				}
			}
		}
		return changed, any
	}
	return literal{}, false
}
