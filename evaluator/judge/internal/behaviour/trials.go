package behaviour

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/bits"
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
		risky := map[*probe]int{}
		for _, p := range probes {
			if t.risky(p) {
				risky[p] = 1
			}
		}
		slices.SortStableFunc(probes, func(a, b *probe) int { return risky[a] - risky[b] })
		found, next, ok := t.batch(ctx, probes[:min(batch, len(probes))])
		list = append(list, found...)
		if !ok {
			break
		}
		probes = probes[next:]
	}
	return list
}

// batch runs probes in one instance, and returns those that it survived and which probe is to be the
// first of the next; ok is false where there is no use in going on.
func (t *trials) batch(ctx context.Context, probes []*probe) (found []trial, next int, ok bool) {
	// Once it is known that there are calls that run away, less is spent on them.
	limit := 5 * runaway * t.dear
	if t.lost > 1 {
		limit = min(limit, runaway*t.dear+t.most)
	}
	steps := []step{{exec: t.plan.script.imports}}
	owner := []int{-1}
	for i, probe := range probes {
		found = append(found, trial{probe: probe, binding: true})
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
		return nil, 0, false
	}
	done := len(probes)
	next = done
	for i := range r.Calls {
		o := &r.Calls[i]
		survived := o.End == sandbox.Done || o.End == sandbox.Raised
		switch {
		case owner[i] < 0 && survived:
			continue
		case owner[i] < 0:
			return nil, 0, false
		}
		f := &found[owner[i]]
		f.used += o.Used
		if survived {
			f.note(t.plan.reference.expect(&r, i, &steps[i]))
			continue
		}
		done, next = owner[i], owner[i]+1
		if o.End == sandbox.Budget && f.used < t.dear && done > 0 {
			next = done // it came when little was left: once more
		} else {
			t.note(f.probe, false)
			t.lost++
		}
		break
	}
	if done == len(probes) && len(r.Calls) < len(steps) { // it cannot be: not all were begun, and none ended
		return found[:max(owner[len(r.Calls)], 0)], 0, false
	}
	for i := range found[:done] {
		t.note(found[i].probe, true)
		t.most = max(t.most, found[i].used)
	}
	return found[:done], next, true
}

// note takes in what the program did at one step.
func (f *trial) note(e expectation) {
	f.binding = f.binding && e.binding && nodes(&e.Value) <= maxNodes && len(e.output.output)+len(e.output.errors) <= maxNodes*10
	f.evidence = f.evidence || e.evidence
	f.returned, f.accident = e.End == sandbox.Done, e.accident
	f.print = combine(f.print, fingerprint(&e.Outcome, e.output))
	if e.Coverage == nil {
		return
	}
	for _, line := range e.Coverage.Lines {
		f.covered = append(f.covered, uint64(line))
	}
	for _, b := range e.Coverage.Branches {
		f.covered = append(f.covered, 1<<63|uint64(b.Code)<<44|uint64(b.Offset)<<22|uint64(b.Target))
	}
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
