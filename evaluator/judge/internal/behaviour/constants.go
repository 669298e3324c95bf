package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/sandbox"
)

// A plan is made of the program alone, so what only an answer looks at is in none
// of its calls:
//
//	def f(a):
//	    if a == 77777 or a > 10 ** 11:
//	        return 0
//	    return a + 1
//
// The constants that such an answer looks at stand in it and not in the program.
// So calls are made from those constants, and program and answer make them in a
// pair of instances of their own. An answer without new constants costs nothing.

// Bounds of the calls that are made from an answer's constants.
const (
	ownCalls     = 12                // calls that are made
	ownConstants = 64                // constants that they are made from
	ownProbes    = 3                 // of the calls that are known of one function, those that are varied
	ownLength    = 5000              // items or characters of an argument
	ownBudget    = 20 * mostDear     // counts that the program may take for all of them
	maxExact     = int64(1) << 53    // integers beyond are not put in: floats do not hold them, see maxInt
	maxFolded    = math.MaxInt64 / 4 // integers beyond are not computed
	maxDisplay   = 50                // nodes of a list, tuple, set or dict that is put in as a whole
)

// ownSession returns the calls that are made from the constants of an answer that the
// program does not have, and what the program does there; nil where there are none.
// Which they are follows from the plan's seeds and the constants.
func (p *Plan) ownSession(ctx context.Context, answer *module) (*session, error) {
	return p.sessionOf(ctx, p.ownProbes(p.fresh(answer)))
}

// A shownCalls has the calls that are made, as they are shown.
type shownCalls map[string]bool

// madeCalls returns the calls that the plan's sessions make.
func (p *Plan) madeCalls() shownCalls {
	made := shownCalls{}
	for _, s := range p.sessions {
		for i := range s.steps {
			made[s.steps[i].shown] = true
		}
	}
	return made
}

// add takes in a probe, and reports whether it is new.
func (made shownCalls) add(probe *probe) bool {
	steps := probe.steps()
	shown := steps[len(steps)-1].shown
	if made[shown] {
		return false
	}
	made[shown] = true
	return true
}

// fresh returns the constants of an answer that the program does not have.
func (p *Plan) fresh(answer *module) []constantIn {
	return slices.DeleteFunc(constants(answer), func(c constantIn) bool { return p.constants[c.value.String()] })
}

// sessionOf returns what the program does in probes, as far as it survives them;
// nil where there is nothing to compare.
func (p *Plan) sessionOf(ctx context.Context, probes []*probe) (*session, error) {
	if len(probes) == 0 {
		return nil, nil
	}
	var steps []step
	if p.script.imports != "" {
		steps = append(steps, step{exec: p.script.imports})
	}
	for _, probe := range probes {
		steps = append(steps, probe.steps()...)
	}
	// What takes most comes last, so that what ends the instance takes few with it.
	r := p.engine.Run(ctx, sandbox.Program{Source: p.reference.source, Calls: calls(steps), Budget: p.moduleUsed + ownBudget})
	if r.End == sandbox.Failed {
		return nil, r.Err
	}
	for i := range r.Calls {
		if end := r.Calls[i].End; end != sandbox.Done && end != sandbox.Raised {
			steps = steps[:i]
			break
		}
	}
	if r.End != sandbox.Done || len(steps) == 0 || len(r.Calls) < len(steps) {
		return nil, nil
	}
	// What the program fails on by accident comes last: what an answer reaches there may
	// not count, and each thing that is reached is told of once.
	var last []step
	kept := steps[:0]
	for i := range steps {
		purpose := r.Calls[i].End == sandbox.Done
		if !purpose {
			purpose, _ = p.reference.says(r.Calls[i].Exception)
		}
		if purpose {
			kept = append(kept, steps[i])
		} else {
			last = append(last, steps[i])
		}
	}
	steps = append(kept, last...)
	return p.session(ctx, append(steps, p.recordingSteps()...), true)
}

// ownProbes returns calls that have the constants in place of arguments.
func (p *Plan) ownProbes(fresh []constantIn) []*probe {
	hash := sha256.New()
	for i := range fresh {
		hash.Write([]byte(fresh[i].value.String() + "\x00"))
	}
	rng := rand.New(rand.NewPCG(p.seeds[0], p.seeds[1]^binary.LittleEndian.Uint64(hash.Sum(nil))))
	rng.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
	// The corners have 0, 1 and -1, so these come last.
	slices.SortStableFunc(fresh, func(a, b constantIn) int { return cmp.Compare(a.value.plain(), b.value.plain()) })
	fresh = fresh[:min(len(fresh), ownConstants)]

	// One list for each constant, the best first, and then the first of all lists
	// before the second of any.
	lists := make([][]*probe, len(fresh))
	for i := range fresh {
		lists[i] = p.probesOf(&fresh[i])
	}
	made := p.madeCalls()
	var probes []*probe
	for at, left := 0, true; left && len(probes) < ownCalls; at++ {
		left = false
		for _, list := range lists {
			if at >= len(list) {
				continue
			}
			left = true
			if len(probes) < ownCalls && made.add(list[at]) {
				probes = append(probes, list[at])
			}
		}
	}
	slices.SortStableFunc(probes, func(a, b *probe) int { return cmp.Compare(a.size(), b.size()) })
	return probes
}

// probesOf returns the calls that are known with c in place of an argument or of a
// part of one: c itself first, then its neighbours, then arguments of c's length.
// The function in which c stands comes before others.
func (p *Plan) probesOf(c *constantIn) []*probe {
	mine := slices.DeleteFunc(slices.Clone(p.callees), func(callee string) bool { return c.function == "" || !strings.Contains(callee, c.function) })
	if len(mine) == 0 {
		mine = p.callees
	}
	near := []literal{c.value} // values that are put in, best first
	switch c.value.kind {
	case intLiteral:
		if c.value.n > maxExact || c.value.n < -maxExact {
			return nil
		}
		next, before := c.value, c.value
		next.n++
		before.n--
		near = append(near, next, before)
	case floatLiteral:
		if whole := math.Trunc(c.value.f); math.Abs(whole) < float64(maxExact) {
			n := literal{kind: intLiteral, n: int64(whole)}
			next, before := n, n
			next.n++
			before.n--
			near = append(near, n, next, before)
		}
	}
	ways := []func(argument *literal) []literal{}
	for _, value := range near {
		ways = append(ways, func(argument *literal) []literal { return argument.place(&value, 0) })
	}
	if n := c.value.n; c.value.kind == intLiteral && n > 1 && n < ownLength {
		for _, length := range []int64{n, n + 1, n - 1} {
			ways = append(ways, func(argument *literal) []literal { return argument.ofLength(int(length)) })
		}
	}
	var list []*probe
	for at := range ownProbes {
		for _, change := range ways {
			for _, callee := range mine {
				if at >= len(p.known[callee]) {
					continue
				}
				base := p.known[callee][at]
				for i, value := range base.argumentValues() {
					if value == nil {
						continue
					}
					for _, changed := range change(value) {
						probe := base.clone()
						probe.last().set(i, changed)
						list = append(list, probe)
					}
				}
			}
		}
	}
	return list
}

// plain reports how little a constant says: 1 of those that stand everywhere.
func (l *literal) plain() int {
	if (l.kind == intLiteral || l.kind == boolLiteral) && -2 < l.n && l.n <= 2 || l.kind == strLiteral && l.text == "" || l.kind == noneLiteral {
		return 1
	}
	return 0
}

// place returns values like l in which k stands: k itself if it is of l's type, and
// what has it in place of an item or a key.
func (l *literal) place(k *literal, depth int) []literal {
	var list []literal
	switch {
	case l.kind == k.kind:
		list = append(list, *k)
		if l.kind == strLiteral && l.text != "" && k.text != "" {
			joined := *l
			joined.text = l.text + k.text
			list = append(list, joined)
		}
	case l.kind == floatLiteral && k.kind == intLiteral:
		list = append(list, literal{kind: floatLiteral, f: float64(k.n)}, literal{kind: floatLiteral, f: float64(k.n) + 0.5})
	}
	if depth > 3 {
		return list
	}
	switch l.kind {
	case listLiteral, tupleLiteral, setLiteral, dictLiteral:
		if l.kind == listLiteral && len(l.items) == 0 {
			return append(list, literal{kind: listLiteral, items: []literal{*k}})
		}
		for i := range min(len(l.items), 2) {
			for _, item := range l.items[i].place(k, depth+1) {
				changed := *l
				changed.items = slices.Clone(l.items)
				changed.items[i] = item
				list = append(list, changed)
			}
		}
		for i := range min(len(l.keys), 1) {
			for _, key := range l.keys[i].place(k, depth+1) {
				changed := *l
				changed.keys = slices.Clone(l.keys)
				changed.keys[i] = key
				list = append(list, changed)
			}
		}
	}
	return list
}

// ofLength returns a string, bytes, list or tuple of l's items for which len gives
// n, if l is such a one and has any.
func (l *literal) ofLength(n int) []literal {
	changed := *l
	switch l.kind {
	case strLiteral, bytesLiteral:
		runes := []rune(l.text)
		if len(runes) == 0 {
			runes = []rune("ab")
		}
		if l.kind == bytesLiteral { // each stands for a byte
			runes = []rune("ab")
		}
		changed.text = string(slices.Repeat(runes, n/len(runes)+1)[:n])
	case listLiteral, tupleLiteral:
		if len(l.items) == 0 || l.kind == tupleLiteral && !l.uniform() {
			return nil
		}
		changed.items = slices.Repeat(l.items, n/len(l.items)+1)[:n]
	default:
		return nil
	}
	return []literal{changed}
}

// size says how large a probe's values are: its numbers or its text.
func (p *probe) size() uint64 {
	n := p.largest()
	for _, s := range p.steps() {
		n = max(n, uint64(len(s.shown)))
	}
	return n
}

// A constantIn is a constant of a program, and the function or class of the top
// level that it stands in, "" if in none.
type constantIn struct {
	value    literal
	function string
}

// constants returns the constants of a program, in order and each once: numbers,
// also such as 10 ** 11 that are computed of others, strings, bytes, and displays
// of them. Docstrings are none.
func constants(m *module) []constantIn {
	var list []constantIn
	seen := map[string]bool{}
	function := ""
	add := func(value literal) {
		if text := value.String(); !seen[text] {
			seen[text] = true
			list = append(list, constantIn{value, function})
		}
	}
	var walker ast.Walker
	for _, s := range m.body {
		if function = ""; ast.OpensScope(s) {
			function = ast.Binds(s)
		}
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				_, is := n.Value.(*ast.Constant)
				return !is
			case *ast.List, *ast.Tuple, *ast.Set, *ast.Dict:
				reader := literalReader{text: m.text, left: maxDisplay}
				if value, ok := reader.read(n.(ast.Expr), 0); ok && !value.hasCode() {
					add(value)
				}
			case ast.Expr:
				if value, ok := fold(n, 0); ok {
					add(value)
					return false
				}
			}
			return true
		})
	}
	return list
}

func (l *literal) hasCode() bool {
	return l.kind == otherCode || slices.ContainsFunc(l.items, func(item literal) bool { return item.hasCode() }) ||
		slices.ContainsFunc(l.keys, func(key literal) bool { return key.hasCode() })
}

// fold returns the value of a number, string or bytes, or of an expression of
// such: 97 * 89, -2 ** 31, 'zebra ' + 'crossing'.
func fold(e ast.Expr, depth int) (literal, bool) {
	if depth > 50 {
		return literal{}, false
	}
	switch e := e.(type) {
	case *ast.Constant:
		value, ok := constant(e)
		return value, ok && value.kind >= intLiteral
	case *ast.UnaryOp:
		value, ok := fold(e.Operand, depth+1)
		switch {
		case !ok || value.kind != intLiteral && value.kind != floatLiteral:
			return literal{}, false
		case e.Op == ast.USub:
			value.n, value.f = -value.n, -value.f
		case e.Op == ast.Invert && value.kind == intLiteral:
			value.n = ^value.n
		case e.Op != ast.UAdd:
			return literal{}, false
		}
		return value, true
	case *ast.BinOp:
		left, ok := fold(e.Left, depth+1)
		if !ok {
			return literal{}, false
		}
		right, ok := fold(e.Right, depth+1)
		if !ok {
			return literal{}, false
		}
		switch {
		case left.kind == intLiteral && right.kind == intLiteral:
			return foldInts(e.Op, left.n, right.n)
		case left.kind <= floatLiteral && right.kind <= floatLiteral:
			return foldFloats(e.Op, left.float(), right.float())
		case left.kind == right.kind && e.Op == ast.Add:
			left.text += right.text
			return left, len(left.text) <= ownLength
		case right.kind == intLiteral && left.kind >= strLiteral && e.Op == ast.Mult && right.n*int64(len(left.text)) <= ownLength && right.n < ownLength:
			left.text = strings.Repeat(left.text, int(max(right.n, 0)))
			return left, true
		}
	}
	return literal{}, false
}

func (l *literal) float() float64 {
	if l.kind == intLiteral {
		return float64(l.n)
	}
	return l.f
}

func foldInts(op ast.Operator, a, b int64) (literal, bool) {
	// Floats say how large the result is before it is computed.
	about, _ := foldFloats(op, float64(a), float64(b))
	n := int64(0)
	switch op {
	case ast.Add:
		n = a + b
	case ast.Sub:
		n = a - b
	case ast.Mult:
		n = a * b
	case ast.Pow:
		if b < 0 || math.Abs(about.f) > maxFolded {
			return about, b < 0
		}
		n = 1
		if b > 64 && (a < -1 || a > 1) {
			return literal{}, false
		}
		if a == 1 || a == -1 {
			b &= 1
		}
		for range b {
			n *= a
		}
	case ast.Div:
		return about, b != 0
	case ast.FloorDiv, ast.Mod:
		if b == 0 {
			return literal{}, false
		}
		quotient, rest := a/b, a%b
		if rest != 0 && (rest < 0) != (b < 0) {
			quotient, rest = quotient-1, rest+b
		}
		n = quotient
		if op == ast.Mod {
			n = rest
		}
	case ast.LShift:
		if b < 0 || b > 61 || math.Abs(math.Ldexp(float64(a), int(b))) > maxFolded {
			return literal{}, false
		}
		n = a << b
	case ast.RShift:
		if b < 0 {
			return literal{}, false
		}
		n = a >> min(b, 63)
	case ast.BitOr:
		n = a | b
	case ast.BitXor:
		n = a ^ b
	case ast.BitAnd:
		n = a & b
	default:
		return literal{}, false
	}
	return literal{kind: intLiteral, n: n}, math.Abs(about.f) < maxFolded
}

func foldFloats(op ast.Operator, a, b float64) (literal, bool) {
	l := literal{kind: floatLiteral}
	switch op {
	case ast.Add:
		l.f = a + b
	case ast.Sub:
		l.f = a - b
	case ast.Mult:
		l.f = a * b
	case ast.Div:
		l.f = a / b
	case ast.Pow:
		l.f = math.Pow(a, b)
	default:
		return l, false
	}
	return l, !math.IsNaN(l.f) && !math.IsInf(l.f, 0)
}
