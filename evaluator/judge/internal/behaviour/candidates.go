package behaviour

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// A candidates has the calls from which others are made.
type candidates struct {
	rng      *rand.Rand
	base     []*probe
	byCallee map[string][]*probe
	callees  []string
	ties     map[string][]tie
	seen     map[string]*probe
}

// A tie says that an integer argument is the length of another argument in every
// known call: f([1, 2, 3], 3).
type tie struct{ number, counted int }

// newCandidates returns candidates that begin with base. seen has the probes of earlier searches,
// by their texts.
func newCandidates(rng *rand.Rand, base []*probe, seen map[string]*probe) *candidates {
	c := &candidates{rng: rng, byCallee: map[string][]*probe{}, ties: map[string][]tie{}, seen: map[string]*probe{}}
	for _, p := range base {
		if c.isNew(p) {
			c.add(p)
		}
	}
	maps.Copy(seen, c.seen)
	c.seen = seen
	return c
}

// add adds a call to start from.
func (c *candidates) add(p *probe) {
	c.base = append(c.base, p)
	if c.byCallee[p.callee] == nil {
		c.callees = append(c.callees, p.callee)
	}
	c.byCallee[p.callee] = append(c.byCallee[p.callee], p)
}

// addBest adds the calls that ended well: first those that cover something new,
// then others that returned.
func (c *candidates) addBest(list []trial, ranks map[*probe]rank) {
	covered, prints := map[uint64]bool{}, map[[16]byte]bool{}
	for _, again := range []bool{false, true} {
		for i := range list {
			tr := &list[i]
			if !tr.returned || !tr.evidence || ranks[tr.probe] == rareCall || len(c.byCallee[tr.probe.callee]) >= keptGuesses || prints[tr.print] {
				continue
			}
			fresh := false
			for _, key := range tr.covered {
				fresh = fresh || !covered[key]
				covered[key] = true
			}
			if fresh != again {
				prints[tr.print] = true
				c.add(tr.probe)
			}
		}
	}
}

// isNew reports whether no probe before had the same text.
func (c *candidates) isNew(p *probe) bool { return c.known(p) == p }

// known returns the first probe that had p's text, which may be p.
func (c *candidates) known(p *probe) *probe {
	var text strings.Builder
	for _, s := range p.steps() {
		text.WriteString(s.exec + "\x00" + s.shown + "\x00")
	}
	known := c.seen[text.String()]
	if known == nil {
		known = p
		c.seen[text.String()] = p
	}
	return known
}

// findTies looks for ties among the probes to start from.
func (c *candidates) findTies() {
	for _, callee := range c.callees {
		list := c.byCallee[callee]
		first := list[0].argumentValues()
		for i := range first {
			for j := range first {
				if i != j && !slices.ContainsFunc(list, func(p *probe) bool { return !tied(p.argumentValues(), i, j) }) {
					c.ties[callee] = append(c.ties[callee], tie{i, j})
				}
			}
		}
	}
}

func tied(values []*literal, number, counted int) bool {
	if number >= len(values) || counted >= len(values) || values[number] == nil || values[counted] == nil || values[number].kind != intLiteral {
		return false
	}
	n, ok := values[counted].length()
	return ok && int64(n) == values[number].n
}

// length returns what len gives for the value.
func (l *literal) length() (int, bool) {
	switch l.kind {
	case strLiteral:
		return utf8.RuneCountInString(l.text), true
	case bytesLiteral:
		return len(l.text), true
	case listLiteral, tupleLiteral, dictLiteral:
		return len(l.items), true
	}
	return 0, false
}

// tie restores the ties of a call: it sets each such number to the length of its
// argument or, if loose, to a number from 0 to the length. Larger numbers make no
// sense to such a function.
func (c *candidates) tie(callee string, call *part, loose bool) {
	for _, t := range c.ties[callee] {
		if t.number >= len(call.arguments) || t.counted >= len(call.arguments) {
			continue
		}
		number, counted := call.arguments[t.number].value(), call.arguments[t.counted].value()
		if number == nil || counted == nil || number.kind != intLiteral {
			continue
		}
		n, ok := counted.length()
		if !ok {
			continue
		}
		if loose {
			n = c.rng.IntN(n + 1)
		}
		tied := *number
		tied.n = int64(n)
		call.set(t.number, tied)
	}
}

// last returns the probe's last part if that is a call.
func (p *probe) last() *part {
	if len(p.parts) == 0 || !p.parts[len(p.parts)-1].call {
		return nil
	}
	return &p.parts[len(p.parts)-1]
}

// argumentValues returns the values of the call's arguments; nil stands for one
// that is not a literal.
func (p *probe) argumentValues() []*literal {
	call := p.last()
	if call == nil {
		return nil
	}
	values := make([]*literal, len(call.arguments))
	for i := range call.arguments {
		values[i] = call.arguments[i].value()
	}
	return values
}

// value returns the argument's value if it is a literal, else nil.
func (a *argument) value() *literal {
	if h := a.code.holes; len(h) == 1 && h[0].start == 0 && h[0].end == len(a.code.text) && a.prefix == "" {
		return &h[0].value
	}
	return nil
}

// set gives argument i the value.
func (p *part) set(i int, value literal) {
	p.arguments[i].code = p.arguments[i].code.with(0, value)
}

// sortBy sorts a list by keys, each of which is computed once. Items with equal keys keep their
// order.
func sortBy[T any, K cmp.Ordered](list []T, key func(T) K) {
	type keyed struct {
		item T
		key  K
	}
	sorted := make([]keyed, len(list))
	for i, item := range list {
		sorted[i] = keyed{item, key(item)}
	}
	slices.SortStableFunc(sorted, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	for i := range sorted {
		list[i] = sorted[i].item
	}
}

// largest returns the largest absolute value of the probe's integers.
func (p *probe) largest() (n uint64) {
	var look func(l *literal)
	look = func(l *literal) {
		if l.kind == intLiteral {
			n = max(n, uint64(max(l.n, -l.n)))
		}
		for i := range l.items {
			look(&l.items[i])
		}
		for i := range l.keys {
			look(&l.keys[i])
		}
	}
	for _, code := range p.codes() {
		for i := range (*code).holes {
			look(&(*code).holes[i].value)
		}
	}
	return n
}
