package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"codelinter/sandbox"
)

// A trial is a probe and what the program did in it.
type trial struct {
	probe    *probe
	covered  []uint64
	used     int64
	print    [16]byte
	binding  bool
	evidence bool
	returned bool // the last step returned
	accident bool // it failed, and not on purpose
}

// burst returns an expression that makes a trial's call many times, "" if it is
// more than one call. An answer that counts its calls, and does what it likes once
// it thinks that nobody looks, has then seen more of them than it would guess; a
// call within an expression costs a tenth of one by itself.
func (t *trial) burst() string {
	if len(t.probe.parts) != 1 || !t.probe.parts[0].call || !t.evidence {
		return ""
	}
	steps := t.probe.steps()
	n := min(max(burstCounts/max(t.used-callCounts, 1), 5), 200)
	return fmt.Sprintf("[%s for counted in range(%d)][-1]", steps[0].shown, n)
}

// choose tries calls on the program and returns those that show most of it, after the
// calls that are known, and some on which the program fails by accident.
func (p *Plan) choose(ctx context.Context, rng *rand.Rand, base []*probe) (chosen, failing []*probe) {
	c := newCandidates(rng, base)
	t := &trials{plan: p, dear: mostDear, left: programBudget}
	list := t.try(ctx, c.base)
	// What the tests' own calls take says what others may.
	t.dear = leastDear
	for i := range list {
		t.dear = max(t.dear, min(3*list[i].used, mostDear))
	}
	t.dear += p.idle(ctx, t)
	t.left = allCalls * t.dear
	var own []*probe
	for _, probe := range p.ownCalls() {
		if c.isNew(probe) {
			own = append(own, probe)
		}
	}
	for _, tr := range t.try(ctx, own) {
		if tr.binding {
			c.add(tr.probe)
			list = append(list, tr)
		}
	}
	c.findTies()

	g := newGenerator(p.reference.module, rng)
	g.simple, g.ties = len(p.played) > 0, c.ties
	for _, probe := range c.base {
		g.learnCall(probe)
	}
	var drawn []*probe
	first := map[*probe]int{} // those that are kept rather than others: 1 rare ones, 2 edges; 3 rather not: one use of an object
	paths := g.paths()
	weights := 0
	for _, path := range paths {
		weights += g.weight(path)
	}
	for _, path := range paths {
		misses := 0
		g.rare = true
		for n := 0; n < max(tried*g.weight(path)/weights, triedPerCallee) && misses < 20; {
			probe := g.draw(path)
			if probe != nil {
				if call := probe.last(); call != nil {
					c.tie(path, call, rng.IntN(6) == 0)
				}
			}
			if probe != nil && c.isNew(probe) {
				drawn = append(drawn, probe)
				n++
				if g.rare = n < rareCalls; g.rare {
					first[probe] = 1
				}
				misses = 0
			} else {
				misses++
			}
		}
	}
	var failed []*probe
	var accidents []trial
	useful := func(probes []*probe) []trial {
		slices.SortStableFunc(probes, func(a, b *probe) int { return bits.Len64(a.largest()) - bits.Len64(b.largest()) })
		list := t.try(ctx, probes)
		for i := range list {
			if short := list[i].probe.shorter(); !list[i].binding && short != nil && c.isNew(short) {
				failed = append(failed, short)
			}
			if list[i].accident && !list[i].probe.odd && list[i].used <= t.dear {
				accidents = append(accidents, list[i])
			}
		}
		return slices.DeleteFunc(list, func(f trial) bool { return !f.binding || f.used > t.dear })
	}
	found := useful(drawn)
	for range 2 { // one use that fails hides those before it
		again := failed
		failed = nil
		found = append(found, useful(again)...)
	}

	// Then more is done with objects with which it went well.
	c.addBest(found, first)
	var grown []*probe
	for i := range maxGrown {
		if len(c.callees) == 0 {
			break
		}
		list := c.byCallee[c.callees[i%len(c.callees)]]
		if probe := g.grow(list[rng.IntN(len(list))]); probe != nil && c.isNew(probe) {
			grown = append(grown, probe)
		}
	}
	found = append(found, useful(grown)...)
	found = append(found, useful(g.oddCalls(c))...) // last: it takes nothing from the others
	targets := p.targets()
	all := slices.Concat(list, found)
	for i := range targets {
		if !targets[i].reachedBy(all) {
			p.unreached = append(p.unreached, targets[i].path)
		}
	}

	var kept []trial // what is chosen, if mutants are asked for
	covered := map[uint64]bool{}
	prints := map[[16]byte]bool{}
	take := func(t *trial) {
		chosen = append(chosen, t.probe)
		for _, key := range t.covered {
			covered[key] = true
		}
		prints[t.print] = true
		if p.hunting {
			kept = append(kept, *t)
		}
	}
	for i := range list {
		if list[i].binding {
			take(&list[i])
			if p.burst == "" && list[i].returned {
				p.burst = list[i].burst()
			}
		}
	}
	if len(p.played) == 0 { // what is done to stand-ins is compared at the end alone
		found = slices.DeleteFunc(found, func(f trial) bool { return !f.evidence })
	}
	var odd []trial
	found = slices.DeleteFunc(found, func(tr trial) bool {
		if tr.probe.odd {
			odd = append(odd, tr)
		}
		return tr.probe.odd
	})
	for i := range found {
		switch probe := found[i].probe; {
		case first[probe] == 0 && p.isAtConstant(probe):
			first[probe] = 2
		case first[probe] == 0 && len(probe.uses) == 1 && g.weight(probe.callee) > 3:
			first[probe] = 3
		}
	}
	rng.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	// Rare ones and edges first, which little else tells of.
	slices.SortStableFunc(found, func(a, b trial) int {
		rank := func(t *trial) int { return []int{2, 0, 1, 3}[first[t.probe]] }
		return cmp.Compare(rank(&a), rank(&b))
	})
	type group struct {
		callee string
		first  int
	}
	// The usual ones by chance and by how much they make the program do, one for one.
	order := map[*probe]int{}
	place := func(list []trial, every func(rank int) int) {
		groups := map[group]int{}
		for i := range list {
			of := group{list[i].probe.callee, first[list[i].probe]}
			at := groups[of] * every(of.first)
			if known, again := order[list[i].probe]; !again || at < known {
				order[list[i].probe] = at
			}
			groups[of]++
		}
	}
	place(found, func(rank int) int { return []int{4, 12, 6, 30}[rank] })
	rich := slices.Clone(found)
	slices.SortStableFunc(rich, func(a, b trial) int { return cmp.Compare(min(b.used, richCall), min(a.used, richCall)) })
	place(rich, func(rank int) int { return []int{4, 100, 100, 100}[rank] })
	// What covers most of what is not covered yet, as long as there is any.
	for {
		best, most := -1, 0
		for i := range found {
			gain := 0
			for _, key := range found[i].covered {
				if !covered[key] {
					gain++
				}
			}
			if gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			break
		}
		take(&found[best])
		found = slices.Delete(found, best, best+1)
	}
	// Then what gives results that are not seen yet, of each callee in turn and as much as it
	// weighs, and then anything. Of three calls of a callee one is rare or an edge at most.
	slices.SortStableFunc(found, func(a, b trial) int { return cmp.Compare(order[a.probe], order[b.probe]) })
	limit := len(list) + max(keptCalls, keptShare*weights)
	for round, taken := 0, true; taken && len(chosen) < limit; round++ {
		taken = false
		for _, fresh := range []bool{true, false} {
			if !fresh && taken && round%3 < 2 { // two of three rounds have new results alone
				break
			}
			seen := map[string]int{}
			found = slices.DeleteFunc(found, func(tr trial) bool {
				if len(chosen) == limit || seen[tr.probe.callee] == g.weight(tr.probe.callee) || fresh && prints[tr.print] {
					return false
				}
				seen[tr.probe.callee]++
				taken = true
				take(&tr)
				return true
			})
		}
	}
	// A few with values of other types on top.
	oddOnes := map[string]int{}
	for i := range odd {
		if of := odd[i].probe.callee; oddOnes[of] < keptOdd && !prints[odd[i].print] {
			oddOnes[of]++
			take(&odd[i])
		}
	}
	// And a few on which the program fails: an answer has to fail there, too.
	fails := map[string]int{}
	for i := range accidents {
		if of := accidents[i].probe.callee; fails[of] < keptAccidents && !prints[accidents[i].print] {
			fails[of]++
			prints[accidents[i].print] = true
			failing = append(failing, accidents[i].probe)
		}
	}
	if p.hunting {
		p.adequacy = p.hunt(ctx, kept)
	}
	for i := range min(len(found), maxSpare) {
		p.spare = append(p.spare, found[i].probe)
	}
	for _, probe := range chosen {
		if len(c.byCallee[probe.callee]) < keptGuesses && !probe.odd {
			c.add(probe)
		}
	}
	p.callees, p.known, p.ties = c.callees, c.byCallee, c.ties
	if len(chosen) > 0 && p.burst == "" {
		for i := range all {
			if all[i].binding && all[i].returned && p.burst == "" {
				p.burst = all[i].burst()
			}
		}
	}
	return chosen, failing
}

// idle returns the counts that a loop of asyncio takes for nothing, which each call of a program
// with coroutines takes besides its own; 0 for another.
func (p *Plan) idle(ctx context.Context, t *trials) int64 {
	if !strings.Contains(p.reference.module.text, "async ") {
		return 0
	}
	const text = "__import__('asyncio').run(__import__('asyncio').sleep(0))"
	loop, _ := expression(text)
	used := int64(0)
	for _, tr := range t.try(ctx, []*probe{{parts: []part{{code: newCode(text, loop)}}}, {parts: []part{{code: newCode(text, loop)}}}}) {
		used = tr.used // the second: the first may import modules
	}
	return used
}

// trials run probes on the program, within bounds: what is tried is drawn by
// chance, and a program may count up to any number that it is given.
type trials struct {
	plan *Plan
	dear int64 // counts from which on a call is too dear to keep
	left int64 // counts that may still be spent
	most int64 // counts that a call took that came to its end: the first may import modules
	lost int   // calls that ran away
	ran  map[risk]bool
}

// A risk is an argument of a call, and about which value it had, or how long it was. Calls of
// one function run away for the same reason: trials.ran has false for those with which one did,
// and true for those with which one came to its end.
type risk struct {
	callee   string
	argument int
	negative bool
	bits     int
}

// risks returns the numbers and lengths of a probe's arguments.
func (p *probe) risks() (list []risk) {
	at := 0
	holes := func(c *code) {
		for i := range c.holes {
			value := &c.holes[i].value
			at++
			if n, ok := value.length(); ok {
				list = append(list, risk{p.callee, at, false, bits.Len64(uint64(n))})
			} else if value.kind == intLiteral {
				list = append(list, risk{p.callee, at, value.n < 0, bits.Len64(uint64(max(value.n, -value.n)))})
			}
		}
	}
	for i := range p.parts {
		part := &p.parts[i]
		if part.receiver != nil {
			holes(part.receiver)
		} else {
			holes(part.code)
		}
		for j := range part.arguments {
			holes(part.arguments[j].code)
		}
	}
	return list
}

// note takes in how a probe ended.
func (t *trials) note(p *probe, ended bool) {
	for _, r := range p.risks() {
		t.ran[r] = t.ran[r] || ended
	}
}

// risky reports whether a probe is like one that ran away.
func (t *trials) risky(p *probe) bool {
	return slices.ContainsFunc(p.risks(), func(r risk) bool {
		ended, known := t.ran[r]
		return known && !ended
	})
}

// try runs probes, each in an instance that others were run in before, and
// returns those that the instance survived. It stops when all counts are spent.
func (t *trials) try(ctx context.Context, probes []*probe) []trial {
	var list []trial
	if t.ran == nil {
		t.ran = map[risk]bool{}
	}
	for len(probes) > 0 && t.left > 0 && ctx.Err() == nil {
		// What is like those that ran away comes last.
		slices.SortStableFunc(probes, func(a, b *probe) int {
			switch x, y := t.risky(a), t.risky(b); {
			case x && !y:
				return 1
			case y && !x:
				return -1
			}
			return 0
		})
		// Once it is known that there are calls that run away, less is spent on them.
		limit := 5 * runaway * t.dear
		if t.lost > 1 {
			limit = min(limit, runaway*t.dear+t.most)
		}
		n := min(batch, len(probes))
		steps := []step{{exec: t.plan.script.imports}}
		owner := []int{-1}
		for i, probe := range probes[:n] {
			for _, s := range probe.steps() {
				steps = append(steps, s)
				owner = append(owner, i)
				// All are compiled before the first is run.
				limit += compileStep + int64(compileCounts*len(s.expr)/2)
			}
		}
		r := t.plan.engine.Run(ctx, sandbox.Program{Source: t.plan.reference.source, Calls: calls(steps), Budget: t.plan.moduleUsed + limit, Coverage: true, Keep: true})
		t.left -= r.Used - t.plan.moduleUsed/2
		if r.End != sandbox.Done {
			return list
		}
		done, next := n, n
		found := make([]trial, n)
		for i := range found {
			found[i] = trial{probe: probes[i], binding: true}
		}
		for i := range r.Calls {
			o := &r.Calls[i]
			if owner[i] < 0 {
				if o.End != sandbox.Done && o.End != sandbox.Raised {
					return list
				}
				continue
			}
			f := &found[owner[i]]
			f.used += o.Used
			if o.End != sandbox.Done && o.End != sandbox.Raised {
				done, next = owner[i], owner[i]+1
				if o.End == sandbox.Budget && f.used < t.dear && done > 0 {
					next = done // it came when little was left: once more
				} else {
					t.note(f.probe, false)
					t.lost++
				}
				break
			}
			e := t.plan.reference.expect(&r, i, &steps[i])
			f.binding = f.binding && e.binding && nodes(&o.Value) <= maxNodes && len(e.output.output)+len(e.output.errors) <= maxNodes*10
			f.evidence = f.evidence || e.evidence
			f.returned, f.accident = o.End == sandbox.Done, e.accident
			f.print = combine(f.print, fingerprint(o, e.output))
			if o.Coverage != nil {
				for _, line := range o.Coverage.Lines {
					f.covered = append(f.covered, uint64(line))
				}
				for _, b := range o.Coverage.Branches {
					f.covered = append(f.covered, 1<<63|uint64(b.Code)<<44|uint64(b.Offset)<<22|uint64(b.Target))
				}
			}
		}
		if done == n && len(r.Calls) < len(steps) { // it cannot be: not all were begun, and none ended
			return append(list, found[:max(owner[len(r.Calls)], 0)]...)
		}
		for i := range found[:done] {
			t.note(found[i].probe, true)
			t.most = max(t.most, found[i].used)
		}
		list = append(list, found[:done]...)
		probes = probes[next:]
	}
	return list
}

// nodes returns how many values a value consists of.
func nodes(v *sandbox.Value) int {
	n := 1
	for i := range v.Items {
		n += nodes(&v.Items[i])
	}
	return n + len(v.Keys)
}

func combine(a, b [16]byte) [16]byte {
	sum := sha256.Sum256(append(a[:], b[:]...))
	return [16]byte(sum[:16])
}

// isAtConstant reports whether an argument is a number that the program has: it is an
// edge wherever the program compares it, if by a table:
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
