package behaviour

import (
	"cmp"
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A rank orders the calls that compete for being kept.
type rank uint8

const (
	usualCall rank = iota
	rareCall       // with unusual values
	edgeCall       // with a number that is in the program
	singleUse      // one of several uses of an object
)

// ranks has each rank's position, and the distance between two calls of one callee and rank, both
// in the random order and in the order by work.
var ranks = [...]struct{ before, chance, rich int }{
	usualCall: {2, 4, 4}, rareCall: {0, 12, 100}, edgeCall: {1, 6, 100}, singleUse: {3, 30, 100},
}

// choose tries calls on the program. After the known calls it returns those that cover most of the
// program, and some on which the program fails by accident. The error is that of the engine.
func (p *Plan) choose(ctx context.Context, rng *rand.Rand, base []*probe) (chosen, failing []*probe, err error) {
	s := &search{plan: p, rng: rng, candidates: newCandidates(rng, base), ranks: map[*probe]rank{}}
	known, err := s.known(ctx)
	if err != nil {
		return nil, nil, err
	}
	g, found, err := s.drawn(ctx)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Concat(known, found)
	for _, t := range p.targets() {
		if !t.reachedBy(all) {
			p.unreached = append(p.unreached, t.path)
		}
	}

	k := &choice{covered: map[uint64]bool{}, prints: map[[16]byte]bool{}}
	for i := range known {
		if known[i].binding {
			k.take(&known[i])
		}
	}
	if len(p.played) == 0 { // with stand-ins, only the record at the end is compared
		found = slices.DeleteFunc(found, func(f trial) bool { return !f.evidence })
	}
	var odd []trial
	found = slices.DeleteFunc(found, func(tr trial) bool {
		if tr.probe.odd {
			odd = append(odd, tr)
		}
		return tr.probe.odd
	})
	order := s.order(found, g)
	found = k.cover(found)
	slices.SortStableFunc(found, func(a, b trial) int { return cmp.Compare(order[a.probe], order[b.probe]) })
	k.inTurns(found, len(known)+max(keptCalls, keptShare*g.weights()), g.weight)
	// Also a few with values of other types, and a few on which the program fails: an answer has
	// to fail there too.
	k.few(odd, keptOdd, k.take)
	k.few(s.accidents, keptAccidents, func(t *trial) {
		k.prints[t.print] = true
		failing = append(failing, t.probe)
	})
	if p.hunting {
		if p.adequacy, err = p.hunt(ctx, k.kept); err != nil {
			return nil, nil, err
		}
	}
	c := s.candidates
	for i := range k.kept {
		probe := k.kept[i].probe
		if chosen = append(chosen, probe); len(c.byCallee[probe.callee]) < keptGuesses && !probe.odd {
			c.add(probe)
		}
	}
	p.callees, p.known, p.ties = c.callees, c.byCallee, c.ties
	for i := range all {
		if len(chosen) > 0 && all[i].binding && all[i].returned && p.burst == "" {
			p.burst = all[i].burst()
		}
	}
	return chosen, failing, nil
}

// A search tries calls on the program.
type search struct {
	plan       *Plan
	rng        *rand.Rand
	candidates *candidates
	trials     *trials
	ranks      map[*probe]rank
	failed     []*probe // shorter versions of sequences in which a use failed
	accidents  []trial
}

// known tries the known calls.
func (s *search) known(ctx context.Context) ([]trial, error) {
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
	var own []*probe
	for _, probe := range p.ownCalls() {
		if c.isNew(probe) {
			own = append(own, probe)
		}
	}
	tried, err := t.try(ctx, own)
	for _, tr := range tried {
		if tr.binding {
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
	c.addBest(found, s.ranks)
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
	more(g.oddCalls(c)) // last, so they take nothing from the others
	return g, found, err
}

// of draws up to n new calls of a callee. The first have rare values.
func (s *search) of(g *generator, path string, n int) (drawn []*probe) {
	g.rare = true
	for misses := 0; len(drawn) < n && misses < 20; {
		probe := g.draw(path)
		if probe != nil {
			if call := probe.last(); call != nil {
				s.candidates.tie(path, call, s.rng.IntN(6) == 0)
			}
		}
		if probe == nil || !s.candidates.isNew(probe) {
			misses++
			continue
		}
		drawn = append(drawn, probe)
		if g.rare = len(drawn) < rareCalls; g.rare {
			s.ranks[probe] = rareCall
		}
		misses = 0
	}
	return drawn
}

// useful tries calls and returns those that can be compared and do not cost too much.
func (s *search) useful(ctx context.Context, probes []*probe) ([]trial, error) {
	slices.SortStableFunc(probes, func(a, b *probe) int { return bits.Len64(a.largest()) - bits.Len64(b.largest()) })
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
}

func (k *choice) take(t *trial) {
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
