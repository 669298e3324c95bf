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

// A trial is a probe and what the program did with it.
type trial struct {
	probe    *probe
	covered  []uint64
	used     int64
	print    [16]byte
	binding  bool
	evidence bool
	returned bool   // the last step returned
	accident bool   // it failed by accident
	played   bool   // only the stand-ins' record is compared
	facts    string // an expression for what the result is, see factsOf
}

// burst returns an expression that makes a trial's call many times, or "" if the trial is more
// than one call. An answer may count its calls and misbehave after as many as it expects. A
// call within an expression costs a tenth of a separate one.
func (t *trial) burst() string {
	if len(t.probe.parts) != 1 || !t.probe.parts[0].call || !t.evidence {
		return ""
	}
	steps := t.probe.steps()
	n := min(max(burstCounts/max(t.used-callCounts, 1), 5), 200)
	return fmt.Sprintf("[%s for counted in range(%d)][-1]", steps[0].shown, n)
}

// idle returns the counts of an empty event loop of asyncio, which each call of a program with
// coroutines takes. It is 0 for other programs.
func (p *Plan) idle(ctx context.Context, t *trials) (int64, error) {
	if !strings.Contains(p.reference.module.text, "async ") {
		return 0, nil
	}
	const text = "__import__('asyncio').run(__import__('asyncio').sleep(0))"
	loop, _ := expression(text)
	list, err := t.try(ctx, []*probe{{parts: []part{{code: newCode(text, loop)}}}, {parts: []part{{code: newCode(text, loop)}}}})
	used := int64(0)
	for i := range list {
		used = list[i].used // the second, as the first may import modules
	}
	return used, err
}

// trials run probes on the program within bounds, as probes are random and a program may loop
// up to any number that it is given.
type trials struct {
	plan *Plan
	dear int64 // counts above which a call is not kept
	left int64 // counts left for all calls
	most int64 // counts of the costliest call that ended, which may have imported modules
	lost int   // calls that did not end
	ran  map[risk]bool
}

// A risk is an argument of a function with its rough value or length. Calls of one function
// fail to end for the same reason: trials.ran is false for the risks of such calls, and true
// for those of calls that ended.
type risk struct {
	callee   string
	argument int
	negative bool
	bits     int
}

// risks returns the risks of a probe's numbers and lengths.
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

// note records whether a probe ended.
func (t *trials) note(p *probe, ended bool) {
	for _, r := range p.risks() {
		t.ran[r] = t.ran[r] || ended
	}
}

// risky reports whether a probe resembles one that did not end.
func (t *trials) risky(p *probe) bool {
	return slices.ContainsFunc(p.risks(), func(r risk) bool {
		ended, known := t.ran[r]
		return known && !ended
	})
}

// try runs probes, many in one instance, and returns those that the instance survived. It stops
// when the counts are used up. The error is that of the engine.
func (t *trials) try(ctx context.Context, probes []*probe) (list []trial, err error) {
	if t.ran == nil {
		t.ran = map[risk]bool{}
	}
	for len(probes) > 0 && t.left > 0 {
		// Risky probes come last.
		risky := map[*probe]int{}
		for _, p := range probes {
			if t.risky(p) {
				risky[p] = 1
			}
		}
		slices.SortStableFunc(probes, func(a, b *probe) int { return risky[a] - risky[b] })
		found, next, err := t.batch(ctx, probes[:min(batch, len(probes))])
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
		if next == 0 {
			break
		}
		probes = probes[next:]
	}
	return list, nil
}

// batch runs probes in one instance. It returns those that the instance survived, and the index
// of the next probe to run, which is 0 if going on makes no sense.
func (t *trials) batch(ctx context.Context, probes []*probe) (found []trial, next int, err error) {
	// If some calls do not end, the limit is lower.
	limit := 5 * runaway * t.dear
	if t.lost > 1 {
		limit = min(limit, runaway*t.dear+t.most)
	}
	steps := []step{{exec: t.plan.script.imports}}
	owner := []int{-1}
	for i, probe := range probes {
		found = append(found, trial{probe: probe, binding: true, played: len(t.plan.played) > 0})
		for _, s := range probe.steps() {
			steps = append(steps, s)
			owner = append(owner, i)
			// The first run compiles all steps.
			limit += compileStep + int64(compileCounts*len(s.expr)/2)
		}
	}
	r, err := t.plan.engine.Run(ctx, sandbox.Program{Source: t.plan.reference.source, Calls: calls(steps), Budget: t.plan.moduleUsed + limit, Coverage: true, Keep: true})
	if err != nil {
		return nil, 0, err
	}
	t.left -= r.Used - t.plan.moduleUsed/2
	if r.End != sandbox.Done {
		return nil, 0, nil
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
			return nil, 0, nil
		}
		f := &found[owner[i]]
		f.used += o.Used
		if survived {
			f.note(t.plan.reference.expect(&r, i, &steps[i]))
			continue
		}
		done, next = owner[i], owner[i]+1
		if o.End == sandbox.Budget && f.used < t.dear && done > 0 {
			next = done // little budget was left for it: run it again
		} else {
			t.note(f.probe, false)
			t.lost++
		}
		break
	}
	if done == len(probes) && len(r.Calls) < len(steps) { // impossible: some were not begun, but none ended the instance
		return found[:max(owner[len(r.Calls)], 0)], 0, nil
	}
	for i := range found[:done] {
		t.note(found[i].probe, true)
		t.most = max(t.most, found[i].used)
	}
	return found[:done], next, nil
}

// note records the program's outcome of a step.
func (f *trial) note(e expectation) {
	f.binding = f.binding && e.binding && nodes(&e.Value) <= maxNodes && len(e.output.output)+len(e.output.errors) <= maxNodes*10
	f.evidence = f.evidence || e.evidence
	f.returned, f.accident = e.End == sandbox.Done, e.accident
	f.facts = factsOf(e.Value.Class)
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

// factsOf returns an expression for what an object is that has no value of its own, by its class;
// "" for other classes.
func factsOf(class string) string {
	switch class {
	case "re.Match":
		return "(receiver.re.pattern, receiver.re.flags, receiver.string, receiver.regs, receiver.lastgroup)"
	case "re.Pattern":
		return "(receiver.pattern, receiver.flags)"
	case "functools.partial":
		return "(receiver.func, receiver.args, receiver.keywords)"
	case "operator.itemgetter", "operator.attrgetter", "operator.methodcaller":
		return "receiver.__reduce__()[1]"
	case "random.Random":
		return "[receiver.random() for _ in range(3)]"
	case "_hashlib.HASH":
		return "receiver.digest()"
	case "decimal.Context":
		return "repr(receiver)"
	case "memoryview":
		return "receiver.tobytes()"
	}
	return ""
}

// nodes counts the values in a value.
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
