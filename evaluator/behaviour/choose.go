package behaviour

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/bits"
	"slices"

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
// calls that are known.
func (p *Plan) choose(ctx context.Context, v *varier, base []*probe) []*probe {
	c := newCandidates(v, base)
	t := &trials{plan: p, dear: mostDear, left: programBudget}
	list := t.try(ctx, c.base)
	// What the tests' own calls take says what others may.
	t.dear = leastDear
	for i := range list {
		t.dear = max(t.dear, min(3*list[i].used, mostDear))
	}
	t.left = 150 * t.dear
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

	g := newGenerator(p.reference.module, v.rng)
	for _, probe := range c.base {
		g.learnCall(probe)
	}
	var drawn []*probe
	rare := map[*probe]bool{}
	paths := g.paths()
	for _, path := range paths {
		misses := 0
		g.rare = true
		for n := 0; n < max(tried/len(paths), triedPerCallee) && misses < 20; {
			probe := g.draw(path)
			if probe != nil {
				if call := probe.last(); call != nil {
					c.tie(path, call, v.rng.IntN(6) == 0)
				}
			}
			if probe != nil && c.isNew(probe) {
				drawn = append(drawn, probe)
				n++
				if g.rare = n < rareCalls; g.rare {
					rare[probe] = true
				}
				misses = 0
			} else {
				misses++
			}
		}
	}
	for i := range varied {
		if len(c.callees) > 0 {
			if n := c.next(c.callees[i%len(c.callees)]); n != nil {
				drawn = append(drawn, n)
			}
		}
	}
	slices.SortStableFunc(drawn, func(a, b *probe) int { return bits.Len64(a.largest()) - bits.Len64(b.largest()) })
	found := slices.DeleteFunc(t.try(ctx, drawn), func(f trial) bool { return !f.binding || f.used > t.dear })
	targets := p.targets()
	all := slices.Concat(list, found)
	for i := range targets {
		if !targets[i].reachedBy(all) {
			p.unreached = append(p.unreached, targets[i].path)
		}
	}

	var chosen []*probe
	covered := map[uint64]bool{}
	prints := map[[16]byte]bool{}
	take := func(t *trial) {
		chosen = append(chosen, t.probe)
		for _, key := range t.covered {
			covered[key] = true
		}
		prints[t.print] = true
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
	v.rng.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	// All rare ones first, which little else tells of.
	slices.SortStableFunc(found, func(a, b trial) int {
		switch {
		case rare[a.probe] == rare[b.probe]:
			return 0
		case rare[a.probe]:
			return -1
		}
		return 1
	})
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
	// Then what gives results that are not seen yet, of each callee in turn, and then
	// anything.
	limit := len(list)
	for _, fresh := range []bool{true, false} {
		limit += kept / 2
		for taken := true; taken && len(chosen) < limit; {
			taken = false
			seen := map[string]bool{}
			found = slices.DeleteFunc(found, func(tr trial) bool {
				if len(chosen) == limit || seen[tr.probe.callee] || fresh && prints[tr.print] {
					return false
				}
				seen[tr.probe.callee], taken = true, true
				take(&tr)
				return true
			})
		}
	}
	for i := range min(len(found), maxSpare) {
		p.spare = append(p.spare, found[i].probe)
	}
	for _, probe := range chosen {
		if len(c.byCallee[probe.callee]) < keptGuesses {
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
	return chosen
}

// trials run probes on the program, within bounds: what is tried is drawn by
// chance, and a program may count up to any number that it is given.
type trials struct {
	plan *Plan
	dear int64 // counts from which on a call is too dear to keep
	left int64 // counts that may still be spent
}

// try runs probes, each in an instance that others were run in before, and
// returns those that the instance survived. It stops when all counts are spent.
func (t *trials) try(ctx context.Context, probes []*probe) []trial {
	var list []trial
	limit := 15 * t.dear
	for len(probes) > 0 && t.left > 0 && ctx.Err() == nil {
		n := min(batch, len(probes))
		steps := []step{{exec: t.plan.script.imports}}
		owner := []int{-1}
		for i, probe := range probes[:n] {
			for _, s := range probe.steps() {
				steps = append(steps, s)
				owner = append(owner, i)
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
				}
				break
			}
			e := t.plan.reference.expect(&r, i, &steps[i])
			f.binding = f.binding && e.binding && nodes(&o.Value) <= maxNodes && len(e.output) <= maxNodes*10
			f.evidence = f.evidence || e.evidence
			f.returned = o.End == sandbox.Done
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
