package behaviour

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// A rank orders the calls that compete for being kept.
type rank uint8

const (
	usualCall rank = iota
	rareCall       // with unusual values
	edgeCall       // with a number that is in the program
	bareCall       // with an empty argument, one item, equal items, or one object twice: always kept
	singleUse      // one of several uses of an object
)

// ranks has each rank's position, and the distance between two calls of one callee and rank, both
// in the random order and in the order by work.
var ranks = [...]struct{ before, chance, rich int }{
	usualCall: {2, 4, 4}, rareCall: {0, 12, 100}, edgeCall: {1, 6, 100}, singleUse: {3, 30, 100},
}

// choose tries calls on the program. It returns the known calls and those that cover most of the
// program, some of these to be made again, and some on which the program fails by accident. The error
// is that of the engine.
//
// The first search knows nothing of the task's tests, so it finds the calls that it would find
// without them. The second begins with the tests' calls. So tests add calls and take none away.
func (p *Plan) choose(ctx context.Context, rng *rand.Rand, base []*probe) (chosen, repeated, failing []*probe, err error) {
	k := newChoice()
	seen := map[string]*probe{}
	first := p.newSearch(rng, newCandidates(rng, nil, seen), 4)
	searches := []*search{first}
	if err := first.choose(ctx, k, p.ownCalls()); err != nil {
		return nil, nil, nil, err
	}
	if len(base) > 0 {
		second := p.newSearch(rng, newCandidates(rng, base, seen), 3)
		searches = append(searches, second)
		if err := second.choose(ctx, k, first.own); err != nil {
			return nil, nil, nil, err
		}
		// The tests say which arguments are meant.
		second.named = typesAsked(p.reference.module)
		for i := range first.all {
			second.judgeMeant(first.all[i].probe, base)
		}
		for _, call := range first.failing {
			second.judgeMeant(call, base)
			// Without a test of the function, its failure may come of types that nobody means.
			call.unlike = call.unlike || !slices.ContainsFunc(base, func(test *probe) bool { return test.callee == call.callee })
		}
	}
	// A difference is easier to understand in a short call.
	sortBy(k.kept, func(t trial) uint64 { return t.probe.size() })
	var all []trial
	for _, s := range searches {
		all = append(all, s.all...)
		failing = append(failing, s.failing...)
		p.starts = append(p.starts, starts{s.candidates.callees, s.candidates.byCallee})
	}
	for _, t := range p.targets() {
		if !t.reachedBy(all) {
			p.unreached = append(p.unreached, t.path)
		}
	}
	for i := range k.kept {
		chosen = append(chosen, k.kept[i].probe)
	}
	return chosen, repeatedCalls(k.kept, rng), failing, nil
}

// judgeMeant marks a call as unlike the tests if its arguments are not like those of the tests' calls:
// of other types that the program does not name either, or a number that is not the length of
// another argument where it always is. What tests do not call is compared with the calls that this
// search drew. Without tests a difference in such a call fails an answer. With tests it is unknown,
// so that no test makes an answer pass.
func (s *search) judgeMeant(call *probe, tests []*probe) {
	if slices.Contains(s.own, call) || s.again[call] {
		return
	}
	var known []*probe
	for _, probe := range tests {
		if probe.callee == call.callee {
			known = append(known, probe)
		}
	}
	if len(known) == 0 {
		for i := range s.all {
			if s.all[i].probe.callee == call.callee && !s.all[i].probe.odd {
				known = append(known, s.all[i].probe)
			}
		}
	}
	values := call.argumentValues()
	for _, t := range s.candidates.ties[call.callee] {
		call.unlike = call.unlike || !tied(values, t.number, t.counted)
	}
	for i, value := range values {
		asked, fits := false, false
		for _, probe := range known {
			if of := probe.argumentValues(); i < len(of) {
				asked = true
				fits = fits || of[i].isLike(value)
			}
		}
		call.unlike = call.unlike || asked && !fits && !(value != nil && s.named[value.kind.String()])
	}
}

// isLike reports whether other has the types of l. An int is like a float. Code of a known call has
// any type.
func (l *literal) isLike(other *literal) bool {
	if l == nil || l.kind == otherCode {
		return true
	}
	switch {
	case other == nil:
		return false
	case other.kind == otherCode && strings.HasPrefix(other.code.text, "float("):
		other = &literal{kind: floatLiteral}
	case other.kind == otherCode: // a call of the program, whose arguments are of these types as well
		return !slices.ContainsFunc(other.code.holes, func(h hole) bool { return !l.isLike(&h.value) })
	}
	if l.kind != other.kind && !(l.kind == floatLiteral && other.kind == intLiteral || l.kind == intLiteral && other.kind == boolLiteral) {
		return false
	}
	like := func(a, b []literal) bool {
		for i := range b {
			if len(a) > 0 && !slices.ContainsFunc(a, func(item literal) bool { return item.isLike(&b[i]) }) {
				return false
			}
		}
		return true
	}
	return like(l.items, other.items) && like(l.keys, other.keys)
}

// A starts has the calls that one search found, from which others are made for an answer.
type starts struct {
	callees []string
	known   map[string][]*probe
}

// A search tries calls on the program.
type search struct {
	plan       *Plan
	rng        *rand.Rand
	candidates *candidates
	trials     *trials
	ranks      map[*probe]rank
	quarters   int      // of keptCalls and keptShare
	failed     []*probe // shorter versions of sequences in which a use failed
	accidents  []trial
	named      names           // built-in types that the program names without a call
	own        []*probe        // calls that the program makes itself
	all        []trial         // everything that ended
	failing    []*probe        // kept calls on which the program fails by accident
	again      map[*probe]bool // calls that an earlier draw has made
}

func (p *Plan) newSearch(rng *rand.Rand, c *candidates, quarters int) *search {
	return &search{plan: p, rng: rng, candidates: c, ranks: map[*probe]rank{}, quarters: quarters, again: map[*probe]bool{}}
}

// choose adds the best of the known calls and of drawn ones to the choice. own are the program's
// own calls.
func (s *search) choose(ctx context.Context, k *choice, own []*probe) error {
	known, err := s.known(ctx, own)
	if err != nil {
		return err
	}
	g, found, err := s.drawn(ctx)
	if err != nil {
		return err
	}
	s.all = slices.Concat(known, found)
	before := len(k.kept)
	for i := range known {
		if known[i].binding {
			k.take(&known[i])
		}
	}
	var odd []trial
	results := map[*probe][16]byte{}
	for i := range s.all {
		results[s.all[i].probe] = s.all[i].result
	}
	found = slices.DeleteFunc(found, func(tr trial) bool {
		switch like := tr.probe.like; {
		case len(s.plan.played) == 0 && !tr.evidence: // with stand-ins, only the record at the end is compared
		case like != nil && results[like] != tr.result:
		case tr.probe.odd:
			odd = append(odd, tr)
		case s.ranks[tr.probe] == bareCall:
			k.take(&tr)
		default:
			return false
		}
		return true
	})
	given := len(k.kept) - before // these are no part of the bound
	order := s.order(found, g)
	found = s.affordable(k.cover(found))
	slices.SortStableFunc(found, func(a, b trial) int { return cmp.Compare(order[a.probe], order[b.probe]) })
	k.inTurns(found, before+given+max(keptCalls*s.quarters/4, keptShare*s.quarters/4*g.weights()), g.weight)
	// Also a few with values of other types, and a few on which the program fails: an answer has
	// to fail there too.
	k.few(odd, keptOdd, k.take)
	k.few(s.accidents, keptAccidents, func(t *trial) {
		k.prints[t.print] = true
		s.failing = append(s.failing, t.probe)
	})
	c := s.candidates
	for i := range k.kept[before:] {
		probe := k.kept[before+i].probe
		if len(c.byCallee[probe.callee]) < keptGuesses && !probe.odd {
			c.add(probe)
		}
	}
	return nil
}

// known tries the known calls, and those of the program's own calls that are new.
func (s *search) known(ctx context.Context, own []*probe) ([]trial, error) {
	p, c := s.plan, s.candidates
	t := &trials{plan: p, dear: mostDear, left: programBudget}
	s.trials = t
	list, err := t.try(ctx, c.base)
	if err != nil {
		return nil, err
	}
	// The cost of the tests' own calls bounds that of others.
	t.dear = leastDear
	for i := range list {
		t.dear = max(t.dear, min(3*list[i].used, mostDear))
	}
	idle, err := p.idle(ctx, t)
	if err != nil {
		return nil, err
	}
	t.dear += idle
	t.left = allCalls * t.dear
	var fresh []*probe
	for _, probe := range own {
		if c.isNew(probe) {
			fresh = append(fresh, probe)
		}
	}
	tried, err := t.try(ctx, fresh)
	for _, tr := range tried {
		if tr.binding {
			s.own = append(s.own, tr.probe)
			c.add(tr.probe)
			list = append(list, tr)
		}
	}
	c.findTies()
	return list, err
}

// drawn tries drawn calls, and then more uses of the objects whose calls ended well.
func (s *search) drawn(ctx context.Context) (g *generator, found []trial, err error) {
	c := s.candidates
	g = newGenerator(s.plan.reference.module, s.rng)
	more := func(probes []*probe) { // until an error
		if err == nil {
			var useful []trial
			useful, err = s.useful(ctx, probes)
			found = append(found, useful...)
		}
	}
	g.simple, g.ties = len(s.plan.played) > 0, c.ties
	for _, probe := range c.base {
		g.learnCall(probe)
	}
	var drawn []*probe
	weights := g.weights()
	for _, path := range g.paths() {
		drawn = append(drawn, s.of(g, path, max(tried*g.weight(path)/weights, triedPerCallee))...)
	}
	more(drawn)
	for range 2 { // twice, as a failing use hides an earlier one
		again := s.failed
		s.failed = nil
		more(again)
	}
	more(s.anything(g, found))
	c.addBest(found, s.ranks)
	more(s.bare())
	more(s.facts(found))
	var grown []*probe
	for i := range maxGrown {
		if len(c.callees) == 0 {
			break
		}
		list := c.byCallee[c.callees[i%len(c.callees)]]
		if probe := g.grow(list[s.rng.IntN(len(list))]); probe != nil && c.isNew(probe) {
			grown = append(grown, probe)
		}
	}
	more(grown)
	more(s.iterators(found))
	more(g.oddCalls(c, s.plan.reference.module)) // last, so they take nothing from the others
	return g, found, err
}

// anything draws calls of the callees of which no call ended well. What the text says of their
// parameters fits none, so these may be of any kind. Some objects are only made.
func (s *search) anything(g *generator, found []trial) (drawn []*probe) {
	for _, path := range g.paths() {
		if len(s.candidates.byCallee[path]) > 0 || slices.ContainsFunc(found, func(tr trial) bool { return tr.probe.callee == path && tr.evidence }) {
			continue
		}
		functions := []*function{g.functions[path]}
		class := g.classes[path]
		if class != nil {
			functions = slices.Collect(maps.Values(class.methods))
		}
		for _, f := range functions {
			for _, p := range f.params {
				for k := range p.root().votes {
					p.root().votes[k] = 1
				}
			}
		}
		drawn = append(drawn, s.of(g, path, triedPerCallee)...)
		for i := 0; class != nil && i < unused; i++ {
			g.start()
			if probe := (&probe{callee: path}).using(g.instance(class, 0), nil); probe != nil && s.candidates.isNew(probe) {
				drawn = append(drawn, probe)
			}
		}
	}
	return drawn
}

// iterators returns calls with an iterator in the place of a list, of those that do the most. They count
// if the program does the same with both.
func (s *search) iterators(found []trial) (list []*probe) {
	made := map[string]int{}
	for _, tr := range slices.SortedStableFunc(slices.Values(found), func(a, b trial) int { return cmp.Compare(b.used, a.used) }) {
		for i, value := range tr.probe.argumentValues() {
			if value == nil || value.kind != listLiteral || len(value.items) == 0 || made[tr.probe.callee] == iterated {
				continue
			}
			probe := tr.probe.clone()
			probe.last().set(i, literal{kind: otherCode, code: &code{text: "iter(" + value.String() + ")"}})
			probe.last().arguments[i].spent = true
			probe.odd, probe.like = true, tr.probe
			if s.candidates.isNew(probe) {
				list = append(list, probe)
				made[tr.probe.callee]++
			}
		}
	}
	return list
}

// of draws up to n new calls of a callee. The first have rare values.
func (s *search) of(g *generator, path string, n int) (drawn []*probe) {
	for misses, tries := 0, 0; len(drawn) < n && misses < 20; tries++ {
		g.rare = tries < rareCalls // for floats there are only five such values
		probe := g.draw(path)
		if probe == nil {
			misses++
			continue
		}
		probe.derives = g.derives
		if call := probe.last(); call != nil {
			s.candidates.tie(path, call, s.rng.IntN(6) == 0)
		}
		if known := s.candidates.known(probe); known != probe {
			s.again[known] = true
			misses++
			continue
		}
		drawn = append(drawn, probe)
		if g.rare {
			s.ranks[probe] = rareCall
		}
		misses = 0
	}
	return drawn
}

// maxFacts bounds the calls of one callee whose results are looked into.
const maxFacts = 12

// facts returns uses of the results that have no value of their own.
func (s *search) facts(found []trial) (list []*probe) {
	left := map[string]int{}
	for i := range found {
		tr := &found[i]
		if tr.facts == "" || len(tr.probe.parts) != 1 || tr.probe.parts[0].receiver != nil || left[tr.probe.callee] == maxFacts {
			continue
		}
		steps := tr.probe.steps()
		probe := (&probe{callee: tr.probe.callee}).using(steps[len(steps)-1].shown, nil)
		facts, ok := expression(tr.facts)
		if probe == nil || !ok {
			continue
		}
		probe.parts[0].code = newCode(tr.facts, facts)
		if s.candidates.isNew(probe) {
			left[probe.callee]++
			list = append(list, probe)
		}
	}
	return list
}

// maxBare bounds the bare calls of one callee.
const maxBare = 16

// bare returns known calls with one argument that is empty, has one item, or has one item three
// times, with one object as two arguments, and with two numbers that are nearly equal.
func (s *search) bare() (list []*probe) {
	c := s.candidates
	for _, callee := range c.callees {
		left := maxBare
		add := func(probe *probe) {
			c.tie(callee, probe.last(), false)
			if probe = c.known(probe); left > 0 && s.ranks[probe] != bareCall { // also one that was drawn
				list = append(list, probe)
				s.ranks[probe] = bareCall
				left--
			}
		}
		for i, base := range c.byCallee[callee] {
			for _, probe := range base.aliased() {
				add(probe)
			}
			if i < 2 {
				for _, probe := range base.bare() {
					add(probe)
				}
			}
		}
	}
	return list
}

// bare returns copies of a call with such arguments.
func (p *probe) bare() (list []*probe) {
	values := p.argumentValues()
	for i, value := range values {
		if value == nil {
			continue
		}
		for _, items := range []int{0, 1, 3} {
			if bare, ok := value.ofItems(items); ok {
				probe := p.clone()
				probe.last().set(i, bare)
				list = append(list, probe)
			}
		}
	}
	return list
}

// aliased returns copies of a call in which one object is two arguments, or a float nearly another:
// a == b is not math.isclose(a, b).
func (p *probe) aliased() (list []*probe) {
	values := p.argumentValues()
	for i, value := range values {
		for j := range i {
			if value == nil || values[j] == nil || values[j].kind != value.kind || value.kind != floatLiteral && !value.mutable() {
				continue
			}
			alias := p.clone()
			other := *values[j]
			if value.kind == floatLiteral {
				other.f += max(math.Abs(other.f), 1) * 1e-13
			} else {
				alias.last().arguments[i].same = j + 1
			}
			alias.last().set(i, other)
			list = append(list, alias)
			break
		}
	}
	return list
}

// ofItems returns a text or a display with the first of l's items n times. A dict or a set has
// it at most once.
func (l *literal) ofItems(n int) (few literal, ok bool) {
	few = literal{kind: l.kind}
	switch {
	case l.kind == strLiteral && (n == 0 || l.text != ""):
		if n > 0 {
			_, size := utf8.DecodeRuneInString(l.text)
			few.text = strings.Repeat(l.text[:size], n)
		}
	case l.kind == listLiteral, l.kind == tupleLiteral && l.uniform():
		if len(l.items) < min(n, 1) {
			return few, false
		}
		for range n {
			few.items = append(few.items, l.items[0])
		}
	case (l.kind == dictLiteral || l.kind == setLiteral) && n < 2 && len(l.items) >= n:
		few.items, few.keys = l.items[:n], l.keys[:min(n, len(l.keys))]
	default:
		return few, false
	}
	return few, true
}

// useful tries calls and returns those that can be compared and do not cost too much.
func (s *search) useful(ctx context.Context, probes []*probe) ([]trial, error) {
	sortBy(probes, func(p *probe) int { return bits.Len64(p.largest()) })
	list, err := s.trials.try(ctx, probes)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if short := list[i].probe.shorter(); !list[i].binding && short != nil && s.candidates.isNew(short) {
			s.failed = append(s.failed, short)
		}
		if list[i].accident && !list[i].probe.odd && list[i].used <= s.trials.dear {
			s.accidents = append(s.accidents, list[i])
		}
	}
	return slices.DeleteFunc(list, func(f trial) bool { return !f.binding || f.used > s.trials.dear }), nil
}

// order sorts calls by their ranks. It also returns the place of each call among those that cover
// nothing new: half of the places by chance, half by the work that the calls cause.
func (s *search) order(found []trial, g *generator) map[*probe]int {
	for i := range found {
		switch probe := found[i].probe; {
		case s.ranks[probe] != usualCall:
		case s.plan.isAtConstant(probe):
			s.ranks[probe] = edgeCall
		case len(probe.uses) == 1 && g.weight(probe.callee) > 3:
			s.ranks[probe] = singleUse
		}
	}
	s.rng.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	slices.SortStableFunc(found, func(a, b trial) int {
		return cmp.Compare(ranks[s.ranks[a.probe]].before, ranks[s.ranks[b.probe]].before)
	})
	type group struct {
		callee string
		rank   rank
	}
	order := map[*probe]int{}
	place := func(list []trial, every func(rank) int) {
		groups := map[group]int{}
		for i := range list {
			of := group{list[i].probe.callee, s.ranks[list[i].probe]}
			at := groups[of] * every(of.rank)
			if known, again := order[list[i].probe]; !again || at < known {
				order[list[i].probe] = at
			}
			groups[of]++
		}
	}
	place(found, func(r rank) int { return ranks[r].chance })
	rich := slices.Clone(found)
	slices.SortStableFunc(rich, func(a, b trial) int { return cmp.Compare(min(b.used, richCall), min(a.used, richCall)) })
	place(rich, func(r rank) int { return ranks[r].rich })
	return order
}

// A choice has the calls that are kept.
type choice struct {
	kept    []trial
	covered map[uint64]bool
	prints  map[[16]byte]bool
	taken   map[*probe]bool
}

func newChoice() *choice {
	return &choice{covered: map[uint64]bool{}, prints: map[[16]byte]bool{}, taken: map[*probe]bool{}}
}

// repeatedCalls returns the calls that the second session makes again: those that cover what all calls cover,
// and others but the dearest.
func repeatedCalls(kept []trial, rng *rand.Rand) (list []*probe) {
	kept = slices.Clone(kept)
	sortBy(kept, func(t trial) int64 { return t.used })
	k := newChoice()
	others := k.cover(kept)
	for i := range k.kept {
		list = append(list, k.kept[i].probe)
	}
	others = others[:len(others)*3/4]
	rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	for i := 0; i < len(others) && len(list) < again; i++ {
		list = append(list, others[i].probe)
	}
	return list
}

func (k *choice) take(t *trial) {
	if k.taken[t.probe] {
		return
	}
	k.taken[t.probe] = true
	k.kept = append(k.kept, *t)
	for _, key := range t.covered {
		k.covered[key] = true
	}
	k.prints[t.print] = true
}

// cover repeatedly keeps the call that covers most of what is not covered yet. It returns the
// others.
func (k *choice) cover(found []trial) []trial {
	for {
		best, most := -1, 0
		for i := range found {
			gain := 0
			for _, key := range found[i].covered {
				if !k.covered[key] {
					gain++
				}
			}
			if gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			return found
		}
		k.take(&found[best])
		found = slices.Delete(found, best, best+1)
	}
}

// inTurns keeps up to limit calls, from each callee in turn by its weight: first calls with new
// results, then any.
func (k *choice) inTurns(found []trial, limit int, weight func(callee string) int) {
	for round, taken := 0, true; taken && len(k.kept) < limit; round++ {
		taken = false
		for _, fresh := range []bool{true, false} {
			if !fresh && taken && round%3 < 2 { // two of three rounds take only new results
				break
			}
			seen := map[string]int{}
			found = slices.DeleteFunc(found, func(tr trial) bool {
				if len(k.kept) == limit || seen[tr.probe.callee] == weight(tr.probe.callee) || fresh && k.prints[tr.print] {
					return false
				}
				seen[tr.probe.callee]++
				taken = true
				k.take(&tr)
				return true
			})
		}
	}
}

// affordable leaves out calls that cost much more than others of their kind: every answer pays for
// what is kept, and the dearest tenth of the calls had half of the counts. These are large numbers to
// count up to, and long texts. Numbers of the program stay, as nothing cheaper shows its edges.
func (s *search) affordable(found []trial) []trial {
	type kind struct {
		callee  string
		derives bool
	}
	of := func(t *trial) kind { return kind{t.probe.callee, t.probe.derives} }
	costs := map[kind][]int64{}
	for i := range found {
		costs[of(&found[i])] = append(costs[of(&found[i])], found[i].used)
	}
	most := map[kind]int64{}
	for kind, list := range costs {
		slices.Sort(list)
		most[kind] = max(2*list[len(list)/2], usualCost)
	}
	return slices.DeleteFunc(found, func(t trial) bool {
		return t.used > most[of(&t)] && s.ranks[t.probe] != edgeCall
	})
}

// few passes at most n calls of each callee, with new results, to keep.
func (k *choice) few(list []trial, n int, keep func(*trial)) {
	kept := map[string]int{}
	for i := range list {
		if of := list[i].probe.callee; kept[of] < n && !k.prints[list[i].print] {
			kept[of]++
			keep(&list[i])
		}
	}
}

// isAtConstant reports whether an argument is a number of the program. The program may compare
// with it, even by way of a table:
//
//	for grade, limit in (("A", 90), ("B", 80)):
//	    if mark >= limit:
func (p *Plan) isAtConstant(probe *probe) bool {
	return slices.ContainsFunc(probe.argumentValues(), func(value *literal) bool {
		switch {
		case value == nil:
			return false
		case value.kind == intLiteral && value.n >= -2 && value.n <= 2:
			return false // most programs have these
		case value.kind == intLiteral, value.kind == floatLiteral:
			return p.constants[value.String()]
		}
		return false
	})
}
