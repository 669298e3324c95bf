package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/sandbox"
)

// A plan depends on the program alone. So its calls have no values that only an
// answer tests for:
//
//	def f(a):
//	    if a == 77777 or a > 10 ** 11:
//	        return 0
//	    return a + 1
//
// Such constants are in the answer's text and not in the program's. So more calls
// are made with these constants, in an instance each of program and answer. An
// answer without new constants costs nothing.

// Bounds of the calls with an answer's constants.
const (
	ownCalls     = 12                // calls that are made
	ownConstants = 64                // constants that they are made from
	ownProbes    = 3                 // known calls of a function that are varied
	ownLength    = 5000              // items or characters of an argument
	ownBudget    = 20 * mostDear     // counts that the program may use for all of these calls
	maxExact     = int64(1) << 53    // larger integers are not used: floats cannot hold them, see maxInt
	maxFolded    = math.MaxInt64 / 4 // larger integers are not computed
	maxDisplay   = 50                // nodes of a list, tuple, set or dict that is used as a whole
)

// ownSession returns calls with the constants that only the answer has, and with the texts that tell its
// patterns from the program's. It has what the program does in them. It is nil without such constants and
// texts. These and the plan's seeds determine the calls.
func (p *Plan) ownSession(ctx context.Context, answer *module, patterns []patternChange) (*session, error) {
	made := p.madeCalls()
	return p.sessionOf(ctx, slices.Concat(p.patternProbes(patterns, made), p.ownProbes(p.fresh(answer), made), p.typeProbes(answer, made)))
}

// A shownCalls is a set of calls, by their shown texts.
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

// add adds a probe, and reports whether it is new.
func (made shownCalls) add(probe *probe) bool {
	steps := probe.steps()
	shown := steps[len(steps)-1].shown
	if made[shown] {
		return false
	}
	made[shown] = true
	return true
}

// fresh returns the constants that only one of answer and program has, and what stands in entries of
// tables that only one of the two has.
func (p *Plan) fresh(answer *module) []constantIn {
	all, theirs := constants(answer), names{}
	for _, c := range all {
		theirs[c.value.String()] = true
	}
	list := slices.DeleteFunc(all, func(c constantIn) bool { return p.constants[c.value.String()] })
	for _, c := range constants(p.reference.module) {
		if !theirs[c.value.String()] && len(list) < ownConstants {
			list = append(list, c)
		}
	}
	mine, its := entries(p.reference.module), entries(answer)
	for _, pair := range [][2]map[string]constantIn{{its, mine}, {mine, its}} {
		for _, text := range sortedKeys(pair[0]) {
			if _, both := pair[1][text]; !both && len(list) < ownConstants {
				list = append(list, pair[0][text])
			}
		}
	}
	return list
}

// entries returns the constant keys and items of a program's dicts and sets and of what it
// searches, by their texts with their values.
func entries(m *module) map[string]constantIn {
	found := map[string]constantIn{}
	var walker ast.Walker
	for _, s := range m.body {
		function := ""
		if ast.OpensScope(s) {
			function = ast.Binds(s)
		}
		add := func(key ast.Expr, text string) {
			if value, ok := fold(key, 0); ok {
				found[text] = constantIn{value, function}
			}
		}
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Dict:
				for i, key := range n.Keys {
					if key != nil {
						add(key, dumpOf(key)+": "+dumpOf(n.Values[i]))
					}
				}
			case *ast.Set:
				for _, item := range n.Elts {
					add(item, dumpOf(item))
				}
			case *ast.List:
				for _, item := range n.Elts {
					add(item, dumpOf(item))
				}
			case *ast.Tuple:
				for _, item := range n.Elts {
					add(item, dumpOf(item))
				}
			}
			return true
		})
	}
	return found
}

// ofType returns a value of a built-in type that a program may ask for, or "".
func ofType(name string) string {
	switch name {
	case "bool":
		return "True"
	case "bytearray", "memoryview":
		return name + "(b'ab')"
	case "bytes":
		return "b'ab'"
	case "complex":
		return "(1+2j)"
	case "dict":
		return "{'a': 1}"
	case "float":
		return "2.5"
	case "frozenset":
		return "frozenset([1, 2])"
	case "int":
		return "3"
	case "list":
		return "[1, 2]"
	case "range":
		return "range(3)"
	case "set":
		return "{1, 2}"
	case "str":
		return "'ab'"
	case "tuple":
		return "(1, 2)"
	case "type":
		return "int"
	}
	return ""
}

// typeProbes returns calls with values of types that an answer names and the program does not: of
// isinstance(a, (list, set)), where the program has (list, tuple), a call with a set.
func (p *Plan) typeProbes(answer *module, made shownCalls) (list []*probe) {
	asked := typesAsked(answer)
	for name := range typesAsked(p.reference.module) {
		delete(asked, name)
	}
	var values []literal
	for _, name := range sortedKeys(asked) {
		values = append(values, literal{kind: otherCode, code: &code{text: ofType(name)}})
	}
	for _, s := range p.starts {
		list = append(list, s.otherTypes(values, made)...)
	}
	list = list[:min(len(list), ownCalls)]
	for _, probe := range list {
		probe.odd = true
	}
	return list
}

// typesAsked returns the built-in types that a program names without a call.
func typesAsked(m *module) names {
	found := names{}
	called := map[*ast.Name]bool{}
	var walker ast.Walker
	for _, s := range m.body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Arg:
				return false // an annotation
			case *ast.Call:
				if name, is := n.Func.(*ast.Name); is {
					called[name] = true
				}
			case *ast.Name:
				if ofType(n.ID) != "" && !called[n] {
					found[n.ID] = true
				}
			}
			return true
		})
	}
	return found
}

// sessionOf runs probes on the program and returns a session of those that it
// survives, or nil if there is nothing to compare.
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
	// The costliest come last: a call that ends the instance then takes few others
	// with it.
	r, err := p.engine.Run(ctx, sandbox.Program{Source: p.reference.source, Calls: calls(steps), Budget: p.moduleUsed + ownBudget})
	if err != nil {
		return nil, err
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
	// Calls on which the program fails by accident come last, as their effects are not compared.
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
	return p.session(ctx, append(steps, p.recordingSteps()...), len(steps))
}

// ownProbes returns known calls with the constants as arguments.
func (p *Plan) ownProbes(fresh []constantIn, made shownCalls) []*probe {
	hash := sha256.New()
	for i := range fresh {
		hash.Write([]byte(fresh[i].value.String() + "\x00"))
	}
	rng := rand.New(rand.NewPCG(p.seeds[0], p.seeds[1]^binary.LittleEndian.Uint64(hash.Sum(nil))))
	rng.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
	// 0, 1 and -1 come last, as other calls have them anyway.
	slices.SortStableFunc(fresh, func(a, b constantIn) int { return cmp.Compare(a.value.plain(), b.value.plain()) })
	fresh = fresh[:min(len(fresh), ownConstants)]

	// A list for each constant, the best calls first. All first calls come before
	// any second one.
	var probes []*probe
	for _, s := range p.starts {
		lists := make([][]*probe, len(fresh))
		for i := range fresh {
			lists[i] = s.probesOf(&fresh[i])
		}
		most := len(probes) + ownCalls
		for at, left := 0, true; left && len(probes) < most; at++ {
			left = false
			for _, list := range lists {
				if at >= len(list) {
					continue
				}
				left = true
				if len(probes) < most && made.add(list[at]) {
					probes = append(probes, list[at])
				}
			}
		}
	}
	sortBy(probes, (*probe).size)
	return probes
}

// probesOf returns known calls in which c replaces an argument or a part of one:
// first c itself, then its neighbours, then arguments of c's length. Calls of the
// function that contains c are preferred.
func (s *starts) probesOf(c *constantIn) []*probe {
	mine := slices.DeleteFunc(slices.Clone(s.callees), func(callee string) bool { return c.function == "" || !strings.Contains(callee, c.function) })
	if len(mine) == 0 {
		mine = s.callees
	}
	near := []literal{c.value} // the values to use, best first
	switch c.value.kind {
	case intLiteral:
		if c.value.n > maxExact || c.value.n < -maxExact {
			return nil
		}
		next, before := c.value, c.value
		next.n++
		before.n--
		near = append(near, next, before)
		if c.value.n > 2 && c.value.n < 62 { // a shift by it shows in no smaller number
			near = append(near, literal{kind: intLiteral, n: 1 << c.value.n})
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
				if at >= len(s.known[callee]) {
					continue
				}
				list = append(list, s.known[callee][at].variants(change)...)
			}
		}
	}
	return list
}

// variants returns copies of a probe with one literal of its last part changed: of a call's
// arguments, or of an object and its uses.
func (p *probe) variants(change func(*literal) []literal) (list []*probe) {
	last := len(p.parts) - 1
	codes := func(p *probe) []**code { return (&probe{parts: p.parts[last:]}).codes() }
	for i, code := range codes(p) {
		for hole := range (*code).holes {
			for _, value := range change(&(*code).holes[hole].value) {
				varied := p.clone()
				at := codes(varied)[i]
				*at = (*at).with(hole, value)
				list = append(list, varied)
			}
		}
	}
	return list
}

// plain returns 1 for a constant that is in most programs, else 0.
func (l *literal) plain() int {
	if (l.kind == intLiteral || l.kind == boolLiteral) && -2 < l.n && l.n <= 2 || l.kind == strLiteral && l.text == "" || l.kind == noneLiteral {
		return 1
	}
	return 0
}

// place returns k if it has l's type or both are numbers, and copies of l in which k replaces an item
// or a key.
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
	case l.kind == intLiteral && k.kind == floatLiteral:
		list = append(list, *k)
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
		for i := range l.items {
			if i > 1 && l.items[i].kind != otherCode { // all uses of an object, but two items of data
				continue
			}
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
	case otherCode:
		for i := range l.code.holes {
			for _, value := range l.code.holes[i].value.place(k, depth+1) {
				changed := *l
				changed.code = l.code.with(i, value)
				list = append(list, changed)
			}
		}
	}
	return list
}

// ofLength returns strings, bytes, a list or a tuple of l's items with the length n, if l is of
// such a type and not empty. A string may also be a run of one letter.
func (l *literal) ofLength(n int) []literal {
	changed := *l
	switch l.kind {
	case strLiteral, bytesLiteral:
		runes := []rune(l.text)
		if len(runes) == 0 {
			runes = []rune("ab")
		}
		if l.kind == bytesLiteral { // a byte for each character
			runes = []rune("ab")
		}
		changed.text = string(slices.Repeat(runes, n/len(runes)+1)[:n])
		run := changed
		run.text = strings.Repeat("a", n)
		return []literal{run, changed}
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

// size measures a probe's values: its largest number or its length in text.
func (p *probe) size() uint64 {
	n := p.largest()
	for _, s := range p.steps() {
		n = max(n, uint64(len(s.shown)))
	}
	return n
}

// A constantIn is a constant of a program, and the top-level function or class that
// contains it, or "".
type constantIn struct {
	value    literal
	function string
}

// constants returns the constants of a program, in order and each once: numbers,
// strings, bytes, displays of constants, and computed numbers such as 10 ** 11.
// Docstrings are left out.
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
// constants: 97 * 89, -2 ** 31, 'zebra ' + 'crossing'.
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
	x, y, n := big.NewInt(a), big.NewInt(b), new(big.Int)
	switch op {
	case ast.Add:
		n.Add(x, y)
	case ast.Sub:
		n.Sub(x, y)
	case ast.Mult:
		n.Mul(x, y)
	case ast.BitOr:
		n.Or(x, y)
	case ast.BitXor:
		n.Xor(x, y)
	case ast.BitAnd:
		n.And(x, y)
	case ast.FloorDiv, ast.Mod:
		if b == 0 {
			return literal{}, false
		}
		rest := new(big.Int)
		if n.QuoRem(x, y, rest); rest.Sign()*y.Sign() < 0 {
			n.Sub(n, big.NewInt(1))
			rest.Add(rest, y)
		}
		if op == ast.Mod {
			n = rest
		}
	case ast.Pow, ast.LShift, ast.RShift:
		if b < 0 || b > 64 {
			about, ok := foldFloats(op, float64(a), float64(b))
			return about, ok && b < 0
		}
		switch op {
		case ast.Pow:
			n.Exp(x, y, nil)
		case ast.LShift:
			n.Lsh(x, uint(b))
		default:
			n.Rsh(x, uint(b))
		}
	default:
		return foldFloats(op, float64(a), float64(b))
	}
	return literal{kind: intLiteral, n: n.Int64()}, n.IsInt64() && -maxFolded < n.Int64() && n.Int64() < maxFolded
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
