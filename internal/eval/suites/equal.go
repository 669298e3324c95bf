package suites

import (
	"math"
	"math/big"
	"strings"

	"codelinter/sandbox"
)

// Values are compared here, in Go, as Python and EvalPlus would compare them. So an answer
// cannot influence the comparison by an __eq__ of its own.

// A comparer compares two values and resolves references in them.
type comparer struct {
	objects [2]map[int]*sandbox.Value
	steps   int
}

// maxSteps bounds a comparison, for example of sets that contain sets.
const maxSteps = 20_000_000

func newComparer(out, want *sandbox.Value) *comparer {
	c := &comparer{}
	for side, v := range []*sandbox.Value{out, want} {
		c.objects[side] = map[int]*sandbox.Value{}
		c.note(side, v)
	}
	return c
}

func (c *comparer) note(side int, v *sandbox.Value) {
	if v == nil {
		return
	}
	if v.ID != 0 && v.Kind != sandbox.Reference {
		c.objects[side][v.ID] = v
	}
	c.note(side, v.Base)
	for i := range v.Keys {
		c.note(side, &v.Keys[i])
	}
	for i := range v.Items {
		c.note(side, &v.Items[i])
	}
}

// plain returns the value that == compares: the target of a reference, or an instance's
// value as the built-in type from which its class derives.
func (c *comparer) plain(side int, v *sandbox.Value) *sandbox.Value {
	if v.Kind == sandbox.Reference {
		if of := c.objects[side][v.ID]; of != nil {
			v = of
		}
	}
	if v.Kind == sandbox.Instance && v.Base != nil && (strings.HasPrefix(v.Class, "collections.") || !strings.Contains(v.Class, ".")) {
		return v.Base
	}
	return v
}

// equal reports whether an answer's value == the expected value.
func (c *comparer) equal(out, want *sandbox.Value, depth int) bool {
	if c.steps++; c.steps > maxSteps || depth > 500 {
		return false
	}
	a, b := c.plain(0, out), c.plain(1, want)
	depth++
	if isNumber(a) && isNumber(b) {
		return sameNumber(a, b)
	}
	if a.Kind == sandbox.ByteArray && b.Kind == sandbox.Bytes || a.Kind == sandbox.Bytes && b.Kind == sandbox.ByteArray {
		return a.Str == b.Str
	}
	if isSet(a) && isSet(b) {
		return len(a.Items) == len(b.Items) && c.contains(a.Items, b.Items, depth)
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case sandbox.None, sandbox.Ellipsis, sandbox.NotImplemented:
		return true
	case sandbox.Str, sandbox.Bytes, sandbox.ByteArray:
		return a.Str == b.Str
	case sandbox.List, sandbox.Tuple, sandbox.Slice:
		return c.items(a.Items, b.Items, depth)
	case sandbox.Range:
		return sameRange(a, b)
	case sandbox.Dict:
		if len(a.Items) != len(b.Items) {
			return false
		}
		index := newIndex(b.Keys)
		for i := range a.Keys {
			found := false
			for _, k := range index.candidates(&a.Keys[i]) {
				if c.equal(&a.Keys[i], &b.Keys[k], depth) {
					found = c.equal(&a.Items[i], &b.Items[k], depth)
					break
				}
			}
			if !found {
				return false
			}
		}
		return true
	case sandbox.Class, sandbox.Function, sandbox.Module:
		return a.Str == b.Str && a.Class == b.Class
	case sandbox.Instance:
		// Without a base, objects are equal only if they are identical, unless their class
		// defines ==. The standard library's classes that define it compare only base and
		// attributes.
		return a.Class == b.Class && a.Base != nil && c.equal(a.Base, b.Base, depth) && c.items(a.Items, b.Items, depth)
	}
	return false
}

func (c *comparer) items(a, b []sandbox.Value, depth int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !c.equal(&a[i], &b[i], depth) {
			return false
		}
	}
	return true
}

// contains reports whether each of a is equal to one of b.
func (c *comparer) contains(a, b []sandbox.Value, depth int) bool {
	index := newIndex(b)
	for i := range a {
		found := false
		for _, k := range index.candidates(&a[i]) {
			if found = c.equal(&a[i], &b[k], depth); found {
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// An index finds, among values, candidates for equality.
type index struct {
	by  map[hashKey][]int
	all []int // values without a key
}

// A hashKey is what equal values share: texts, numbers and None have one.
type hashKey struct {
	kind   sandbox.Kind // Float stands for all numbers
	text   string
	number complex128
}

func newIndex(values []sandbox.Value) index {
	x := index{by: map[hashKey][]int{}}
	for i := range values {
		if key, ok := keyOf(&values[i]); ok {
			x.by[key] = append(x.by[key], i)
		} else {
			x.all = append(x.all, i)
		}
	}
	return x
}

func (x index) candidates(v *sandbox.Value) []int {
	if key, ok := keyOf(v); ok {
		return x.by[key]
	}
	return x.all
}

// keyOf returns a value's key. ok is false if there is none.
func keyOf(v *sandbox.Value) (key hashKey, ok bool) {
	switch {
	case v.Kind == sandbox.Str || v.Kind == sandbox.None:
		return hashKey{kind: v.Kind, text: v.Str}, true
	case isNumber(v):
		return hashKey{kind: sandbox.Float, number: number(v)}, true
	}
	return hashKey{}, false
}

func isNumber(v *sandbox.Value) bool {
	return v.Kind == sandbox.Bool || v.Kind == sandbox.Int || v.Kind == sandbox.Float || v.Kind == sandbox.Complex
}

func isSet(v *sandbox.Value) bool {
	return v.Kind == sandbox.Set || v.Kind == sandbox.FrozenSet || v.Kind == sandbox.DictKeys
}

// number returns a number as floats, with less precision for large ints.
func number(v *sandbox.Value) complex128 {
	if v.Int != nil {
		f, _ := new(big.Float).SetInt(v.Int).Float64()
		return complex(f, 0)
	}
	return complex(v.Float[0], v.Float[1])
}

func sameNumber(a, b *sandbox.Value) bool {
	if a.Int != nil && b.Int != nil {
		return a.Int.Cmp(b.Int) == 0
	}
	x, y := number(a), number(b)
	if x != y {
		return false
	}
	// An int equals a float only if they are exactly equal.
	for _, pair := range [2][2]*sandbox.Value{{a, b}, {b, a}} {
		if i, f := pair[0], pair[1]; i.Int != nil {
			if math.IsInf(f.Float[0], 0) {
				return false
			}
			exact, _ := new(big.Float).SetFloat64(f.Float[0]).Int(nil)
			return exact.Cmp(i.Int) == 0
		}
	}
	return true
}

func sameRange(a, b *sandbox.Value) bool {
	elements := func(v *sandbox.Value) (first, step, n int64, ok bool) {
		if len(v.Items) != 3 {
			return
		}
		for i := range v.Items {
			if v.Items[i].Int == nil || !v.Items[i].Int.IsInt64() {
				return
			}
		}
		from, to, by := v.Items[0].Int.Int64(), v.Items[1].Int.Int64(), v.Items[2].Int.Int64()
		switch {
		case by > 0 && from < to:
			n = (to-from-1)/by + 1
		case by < 0 && from > to:
			n = (from-to-1)/-by + 1
		}
		return from, by, n, true
	}
	f1, s1, n1, ok1 := elements(a)
	f2, s2, n2, ok2 := elements(b)
	return ok1 && ok2 && n1 == n2 && (n1 == 0 || f1 == f2 && (n1 == 1 || s1 == s2))
}

// close returns numpy.allclose(out, want, rtol=1e-07, atol=tolerance).
func (c *comparer) close(out, want *sandbox.Value, tolerance float64) bool {
	a, b := c.plain(0, out), c.plain(1, want)
	if c.steps++; c.steps > maxSteps {
		return false
	}
	if isNumber(a) && isNumber(b) {
		x, y := number(a), number(b)
		return closeFloat(real(x), real(y), imag(x), imag(y), tolerance)
	}
	if (a.Kind == sandbox.List || a.Kind == sandbox.Tuple) && (b.Kind == sandbox.List || b.Kind == sandbox.Tuple) && len(a.Items) == len(b.Items) {
		for i := range a.Items {
			if !c.close(&a.Items[i], &b.Items[i], tolerance) {
				return false
			}
		}
		return true
	}
	return false
}

func closeFloat(a, b, ia, ib, tolerance float64) bool {
	if ia == 0 && ib == 0 {
		if math.IsInf(a, 0) || math.IsInf(b, 0) {
			return a == b
		}
		return math.Abs(a-b) <= tolerance+1e-7*math.Abs(b)
	}
	return math.Hypot(a-b, ia-ib) <= tolerance+1e-7*math.Hypot(b, ib)
}

// isFloats reports whether EvalPlus compares with a tolerance: want is a float, or a list
// or tuple of floats alone.
func (c *comparer) isFloats(want *sandbox.Value) bool {
	switch want.Kind {
	case sandbox.Float:
		return true
	case sandbox.List, sandbox.Tuple:
		for i := range want.Items {
			if want.Items[i].Kind != sandbox.Float {
				return false
			}
		}
		return len(want.Items) > 0
	}
	return false
}

// sameType reports whether type(out) == type(want).
func (c *comparer) sameType(out, want *sandbox.Value) bool {
	return out.Kind == want.Kind && out.Class == want.Class
}
