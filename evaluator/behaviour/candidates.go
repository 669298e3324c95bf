package behaviour

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A candidates makes probes near given ones.
type candidates struct {
	*varier
	base     []*probe
	byCallee map[string][]*probe
	callees  []string
	ties     map[string][]tie
	seen     map[string]bool
}

// A tie says that an integer argument is the length of another argument in
// every call that is known: f([1, 2, 3], 3).
type tie struct{ number, counted int }

func newCandidates(v *varier, base []*probe) *candidates {
	c := &candidates{varier: v, byCallee: map[string][]*probe{}, ties: map[string][]tie{}, seen: map[string]bool{}}
	for _, p := range base {
		if c.isNew(p) {
			c.add(p)
		}
	}
	return c
}

// add takes a probe as one to start from.
func (c *candidates) add(p *probe) {
	c.base = append(c.base, p)
	if c.byCallee[p.callee] == nil {
		c.callees = append(c.callees, p.callee)
	}
	c.byCallee[p.callee] = append(c.byCallee[p.callee], p)
}

// isNew reports whether a probe's text was not seen before.
func (c *candidates) isNew(p *probe) bool {
	var text strings.Builder
	for _, s := range p.steps() {
		text.WriteString(s.exec + "\x00" + s.shown + "\x00")
	}
	if c.seen[text.String()] {
		return false
	}
	c.seen[text.String()] = true
	return true
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

// tie makes the call's numbers that are lengths of other arguments that again, or,
// if loose, anything from 0 to that: what is beyond was never meant to be asked.
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

// argumentValues returns the values of the call's arguments, nil for one that is
// more than a literal.
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

// next returns a new probe near one of those to start from, nil if none came of
// it.
func (c *candidates) next(callee string) *probe {
	for range 8 {
		p := c.variation(pick(c.varier, c.byCallee[callee]))
		if p == nil {
			return nil
		}
		if c.isNew(p) {
			return p
		}
	}
	return nil
}

// variation returns a probe near p, nil if nothing in it can be varied.
func (c *candidates) variation(p *probe) *probe {
	codes := p.codes()
	if len(codes) == 0 {
		return nil
	}
	varied := p.clone()
	call := varied.last()
	list := c.byCallee[p.callee]
	if call != nil && len(call.arguments) > 1 && c.rng.IntN(5) == 0 {
		// Arguments of another call with these, or two of them swapped.
		other := pick(c.varier, list).last()
		i := c.rng.IntN(len(call.arguments))
		if other != nil && len(other.arguments) == len(call.arguments) && other.arguments[i].prefix == call.arguments[i].prefix && c.rng.IntN(2) == 0 {
			call.arguments[i].code = other.arguments[i].code
		} else {
			j := c.rng.IntN(len(call.arguments))
			a, b := call.arguments[i].value(), call.arguments[j].value()
			if a != nil && b != nil && a.kind == b.kind {
				x, y := *a, *b
				call.set(i, y)
				if c.rng.IntN(2) == 0 {
					call.set(j, x)
				}
			}
		}
	}
	for n := 1 + c.rng.IntN(3)*c.rng.IntN(2); n > 0; n-- {
		codes = varied.codes()
		code := pick(c.varier, codes)
		hole := c.rng.IntN(len((*code).holes))
		*code = (*code).with(hole, c.vary((*code).holes[hole].value))
	}
	if call != nil {
		c.tie(p.callee, call, c.rng.IntN(6) == 0)
	}
	return varied
}

// corners returns, for each of what is called, its calls with one argument
// replaced by what is simplest of its type: 0, 1, -1, ”, 'a', [], [x].
func (c *candidates) corners() []*probe {
	// Those beyond the bound count as seen: they are not drawn by chance either.
	return c.replaced((*literal).corners, func(p *probe, n int) bool { return c.isNew(p) && n < maxCorners })
}

// replaced returns the calls of each of what is called with one argument replaced by
// each of its values, of which keep says which to keep after n of that callee.
func (c *candidates) replaced(values func(*literal) []literal, keep func(p *probe, n int) bool) []*probe {
	var list []*probe
	for _, callee := range c.callees {
		n := 0
		for _, p := range c.byCallee[callee] {
			for i, argument := range p.argumentValues() {
				if argument == nil {
					continue
				}
				for _, value := range values(argument) {
					near := p.clone()
					near.last().set(i, value)
					c.tie(callee, near.last(), false)
					if keep(near, n) {
						list = append(list, near)
						n++
					}
				}
			}
		}
	}
	return list
}

// maxCorners is how many corners of one function are tried.
const maxCorners = 14

// corners returns the simplest values of l's type, and its closest neighbours.
func (l *literal) corners() []literal {
	var list []literal
	with := func(change func(l *literal)) {
		c := *l
		change(&c)
		list = append(list, c)
	}
	switch l.kind {
	case boolLiteral:
		with(func(l *literal) { l.n ^= 1 })
	case intLiteral:
		for _, n := range []int64{0, 1, -1, 2, l.n + 1, l.n - 1} {
			with(func(l *literal) { l.n = n })
		}
	case floatLiteral:
		for _, f := range []float64{0, 1, -l.f} {
			with(func(l *literal) { l.f = f })
		}
	case strLiteral:
		with(func(l *literal) { l.text = "" })
		for at := range l.text {
			if at > 0 {
				with(func(l *literal) { l.text = l.text[:at] })
				with(func(l *literal) { l.text = l.text[at:] })
				break
			}
		}
	case listLiteral, tupleLiteral, setLiteral:
		with(func(l *literal) { l.items = nil })
		if len(l.items) > 1 {
			with(func(l *literal) { l.items = l.items[:1] })
			with(func(l *literal) {
				l.items = slices.Clone(l.items)
				slices.Reverse(l.items)
			})
			with(func(l *literal) { l.items = []literal{l.items[0], l.items[0]} })
		}
	case dictLiteral:
		with(func(l *literal) { l.keys, l.items = nil, nil })
		if len(l.items) > 1 {
			with(func(l *literal) { l.keys, l.items = l.keys[:1], l.items[:1] })
		}
	}
	return list
}

// rarities returns, for each of what is called, its calls with one argument
// replaced by what people seldom think of: see literal.rarities.
func (c *candidates) rarities() []*probe {
	return c.replaced((*literal).rarities, func(p *probe, n int) bool { return n < maxRarities && c.isNew(p) })
}

// maxRarities is how many rarities of one function are tried.
const maxRarities = 6

// rarities returns values of l's type at which functions differ that are the same
// for most values: a$ and a\Z, strip() and strip(' '), isdigit and isdecimal, lower
// and casefold, x > 0 and not x <= 0, n * n by integers and by floats, a sort that
// is stable and one that looks at all parts. Integers stay below 2 ** 53, see
// maxInt.
func (l *literal) rarities() []literal {
	var list []literal
	with := func(change func(l *literal)) {
		c := *l
		change(&c)
		list = append(list, c)
	}
	switch l.kind {
	case intLiteral:
		with(func(l *literal) { l.n = maxInt + 1 })
	case floatLiteral:
		for _, f := range []float64{math.NaN(), 2.5, -0.5, math.Inf(1), math.Copysign(0, -1)} {
			with(func(l *literal) { l.f = f })
		}
	case strLiteral:
		for _, text := range []string{"\ra\x0bb\u00a0c\r", l.text + "\n", "\u0661\u00b2", l.text + "\u00df\U0001f600"} {
			with(func(l *literal) { l.text = text })
		}
	case listLiteral, tupleLiteral:
		if len(l.items) == 0 {
			break
		}
		if tied := l.tiedPairs(); tied != nil {
			with(func(l *literal) { l.items = tied })
			with(func(l *literal) {
				l.items = slices.Clone(tied)
				slices.Reverse(l.items)
			})
		}
		for _, item := range l.items[0].rarities() {
			with(func(l *literal) {
				l.items = slices.Clone(l.items)
				l.items[0] = item
			})
		}
	}
	return list
}

// tiedPairs returns the items of a list of pairs, all with the first part of the
// first; nil if it is no such list.
func (l *literal) tiedPairs() []literal {
	if len(l.items) < 2 {
		return nil
	}
	tied := slices.Clone(l.items)
	for i := range tied {
		if kind := tied[i].kind; kind != tupleLiteral && kind != listLiteral || len(tied[i].items) < 2 {
			return nil
		}
		tied[i].items = slices.Clone(tied[i].items)
		tied[i].items[0] = l.items[0].items[0]
	}
	return tied
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
