package behaviour

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/ast"
)

// A varier makes values near given ones, of the same types. It draws from the
// constants of the program too, since a program that says
//
//	elif 10 <= i <= 15:
//
// behaves differently at 9, 10, 15 and 16.
type varier struct {
	rng     *rand.Rand
	ints    []int64
	strings []string
	runes   []rune
}

// newVarier returns a varier whose draws follow from seed alone.
func newVarier(seed1, seed2 uint64) *varier {
	return &varier{rng: rand.New(rand.NewPCG(seed1, seed2))}
}

// learn takes the constants of a tree into what values are made of, and what is
// computed of them, as 97 * 89.
func (v *varier) learn(root ast.Node) {
	var walker ast.Walker
	walker.Walk(root, func(n ast.Node) bool {
		var value literal
		switch n := n.(type) {
		case *ast.Constant:
			if constant, ok := constant(n); ok {
				value = constant
			}
		case *ast.BinOp:
			if computed, ok := fold(n, 0); ok {
				value = computed
			}
		}
		switch value.kind {
		case intLiteral:
			if value.n <= maxInt && value.n >= -maxInt && len(v.ints) < 256 && !slices.Contains(v.ints, value.n) {
				v.ints = append(v.ints, value.n)
			}
		case strLiteral:
			if text := value.text; len(text) <= 40 && utf8.ValidString(text) && len(v.strings) < 256 && !slices.Contains(v.strings, text) {
				v.strings = append(v.strings, text)
				for _, r := range text {
					if len(v.runes) < 256 && !slices.Contains(v.runes, r) {
						v.runes = append(v.runes, r)
					}
				}
			}
		}
		return true
	})
}

// maxInt is the largest integer that is put in place of another, and maxItems
// the most items or characters. Programs of this kind count up to what they are
// given; values that floats cannot hold would part n // 2 from int(n / 2), which
// people write for the same thing.
const (
	maxInt   = 1 << 31
	maxItems = 200
)

func pick[T any](v *varier, list []T) T { return list[v.rng.IntN(len(list))] }

// vary returns a value near l, of the same type, which may be l itself.
func (v *varier) vary(l literal) literal {
	switch l.kind {
	case boolLiteral:
		l.n ^= 1
	case intLiteral:
		l.n = v.int(l.n)
	case floatLiteral:
		l.f = v.float(l.f)
	case strLiteral:
		l.text = v.string(l.text)
	case bytesLiteral:
		l.text = v.bytes(l.text)
	case listLiteral, tupleLiteral, setLiteral:
		return v.sequence(l)
	case dictLiteral:
		return v.dict(l)
	case otherCode:
		if len(l.code.holes) > 0 {
			hole := v.rng.IntN(len(l.code.holes))
			l.code = l.code.with(hole, v.vary(l.code.holes[hole].value))
		}
	}
	return l
}

func (v *varier) int(n int64) int64 {
	r := n
	switch v.rng.IntN(14) {
	case 0:
		r = 0
	case 1:
		r = 1
	case 2:
		r = 2
	case 3, 4:
		r = n + 1
	case 5, 6:
		r = n - 1
	case 7:
		r = -n
	case 8:
		r = 2*n + 1
	case 9:
		r = n / 2
	case 10:
		r = int64(v.rng.IntN(30))
	case 11:
		r = n + int64(v.rng.IntN(21)) - 10
	case 12:
		if len(v.ints) > 0 {
			r = pick(v, v.ints) + int64(v.rng.IntN(3)) - 1
		}
	case 13:
		switch v.rng.IntN(4) {
		case 0:
			r = 10*n + int64(v.rng.IntN(10))
		case 1:
			r = int64(v.rng.IntN(1000))
		case 2:
			r = int64(v.rng.IntN(100_000))
		case 3:
			r = -int64(v.rng.IntN(20))
		}
	}
	if (r > maxInt || r < -maxInt) && r != n {
		return n + 1
	}
	return r
}

func (v *varier) float(f float64) float64 {
	switch v.rng.IntN(9) {
	case 0:
		return 0
	case 1:
		return -f
	case 2:
		return f + 1
	case 3:
		return f - 1
	case 4:
		return f / 2
	case 5:
		return f * 10
	case 6:
		return f + 0.5
	case 7:
		return math.Round(f*10)/10 + 0.1
	}
	return float64(v.rng.IntN(1000)) / 8
}

// others are characters of all kinds, in place of any.
const others = "aAbzZxe019 _-.,!?@#:/\t\n()é"

func (v *varier) rune(near rune) rune {
	switch v.rng.IntN(5) {
	case 0:
		if unicode.IsUpper(near) {
			return unicode.ToLower(near)
		}
		return unicode.ToUpper(near)
	case 1:
		if len(v.runes) > 0 {
			return pick(v, v.runes)
		}
	case 2:
		switch {
		case near >= '0' && near <= '9':
			return '0' + rune(v.rng.IntN(10))
		case near >= 'a' && near <= 'z':
			return 'a' + rune(v.rng.IntN(26))
		case near >= 'A' && near <= 'Z':
			return 'A' + rune(v.rng.IntN(26))
		}
	case 3:
		if near < 0x7e && near > ' ' {
			return near + 1
		}
	}
	all := []rune(others)
	return pick(v, all)
}

func (v *varier) string(s string) string {
	if !utf8.ValidString(s) {
		return s
	}
	r := []rune(s)
	n := len(r)
	if n == 0 {
		switch v.rng.IntN(3) {
		case 0:
			return string(v.rune('a'))
		case 1:
			if len(v.strings) > 0 {
				return pick(v, v.strings)
			}
		}
		return "ab"
	}
	at := v.rng.IntN(n)
	switch v.rng.IntN(16) {
	case 0:
		return ""
	case 1, 2, 3:
		r[at] = v.rune(r[at])
	case 4:
		slices.Reverse(r)
	case 5:
		if n <= maxItems/2 {
			r = append(r, r...)
		}
	case 6:
		r = slices.Delete(r, at, at+1)
	case 7:
		r = slices.Insert(r, at, v.rune(r[at]))
	case 8:
		r = append(r, v.rune(r[n-1]))
	case 9:
		r = slices.Insert(r, at, r[at]) // doubled
	case 10:
		other := v.rng.IntN(n)
		r[at], r[other] = r[other], r[at]
	case 11:
		r = r[:at+1]
	case 12:
		r = r[at:]
	case 13:
		switch v.rng.IntN(3) {
		case 0:
			return strings.ToUpper(s)
		case 1:
			return strings.ToLower(s)
		}
		r[at] = unicode.ToUpper(r[at])
	case 14:
		if len(v.strings) > 0 {
			return string(slices.Insert(r, at, []rune(pick(v, v.strings))...))
		}
		r = slices.Insert(r, at, ' ')
	case 15:
		if len(v.strings) > 0 && v.rng.IntN(3) == 0 {
			return pick(v, v.strings)
		}
		r[n-1] = v.rune(r[n-1])
	}
	return string(r)
}

func (v *varier) bytes(s string) string {
	b := []byte(s)
	if len(b) == 0 {
		return "a"
	}
	at := v.rng.IntN(len(b))
	switch v.rng.IntN(5) {
	case 0:
		return ""
	case 1:
		b[at] = byte(v.rng.IntN(256))
	case 2:
		slices.Reverse(b)
	case 3:
		b = slices.Delete(b, at, at+1)
	case 4:
		b = append(b, b[at])
	}
	return string(b)
}

func (v *varier) sequence(l literal) literal {
	items := slices.Clone(l.items)
	n := len(items)
	if n == 0 {
		switch v.rng.IntN(3) {
		case 0:
			items = []literal{{kind: intLiteral, n: int64(v.rng.IntN(10))}}
		case 1:
			items = []literal{{kind: strLiteral, text: string(v.rune('a'))}}
		}
		l.items = items
		return l
	}
	at := v.rng.IntN(n)
	// A tuple is often a record: (name, mark). Its parts are varied, and only
	// now and then its length.
	choice := v.rng.IntN(16)
	if l.kind == tupleLiteral && choice < 8 && !l.uniform() && v.rng.IntN(4) > 0 {
		choice = 15
	}
	switch choice {
	case 0:
		items = nil
	case 1:
		items = slices.Delete(items, at, at+1)
	case 2:
		items = items[:at+1]
	case 3:
		items = items[at:]
	case 4:
		if n <= maxItems {
			items = append(items, v.vary(items[at]))
		}
	case 5:
		if n <= maxItems {
			items = slices.Insert(items, at, items[v.rng.IntN(n)])
		}
	case 6:
		slices.Reverse(items)
	case 7:
		if n <= maxItems/2 {
			items = append(items, items...)
		}
	case 8:
		other := v.rng.IntN(n)
		items[at], items[other] = items[other], items[at]
	case 9:
		v.rng.Shuffle(n, func(i, j int) { items[i], items[j] = items[j], items[i] })
	case 10:
		items[at] = items[v.rng.IntN(n)]
	case 11:
		if l.uniform() {
			sortLiterals(items)
			break
		}
		items[at] = v.vary(items[at])
	case 12:
		for i := range items {
			items[i] = v.vary(items[i])
		}
	default:
		items[at] = v.vary(items[at])
	}
	l.items = items
	return l
}

// uniform reports whether all items are of one kind that has an order.
func (l *literal) uniform() bool {
	for i := range l.items {
		if l.items[i].kind != l.items[0].kind || l.items[i].kind > strLiteral || l.items[i].kind == noneLiteral {
			return false
		}
	}
	return len(l.items) > 0
}

func sortLiterals(items []literal) {
	slices.SortStableFunc(items, func(a, b literal) int {
		switch {
		case a.kind == strLiteral:
			return strings.Compare(a.text, b.text)
		case a.kind == floatLiteral && a.f < b.f, a.kind != floatLiteral && a.n < b.n:
			return -1
		case a.kind == floatLiteral && a.f > b.f, a.kind != floatLiteral && a.n > b.n:
			return 1
		}
		return 0
	})
}

func (v *varier) dict(l literal) literal {
	n := len(l.items)
	if n == 0 {
		return l
	}
	l.items, l.keys = slices.Clone(l.items), slices.Clone(l.keys)
	at, other := v.rng.IntN(n), v.rng.IntN(n)
	switch v.rng.IntN(9) {
	case 0:
		l.items, l.keys = nil, nil
	case 1:
		l.items, l.keys = slices.Delete(l.items, at, at+1), slices.Delete(l.keys, at, at+1)
	case 2:
		slices.Reverse(l.items)
		slices.Reverse(l.keys)
	case 3:
		l.items[at], l.items[other] = l.items[other], l.items[at]
	case 4:
		l.items[at] = l.items[other]
	case 5:
		l.keys[at] = v.vary(l.keys[at])
	case 6:
		l.keys = append(l.keys, v.vary(l.keys[at]))
		l.items = append(l.items, v.vary(l.items[at]))
	default:
		l.items[at] = v.vary(l.items[at])
	}
	return l
}
