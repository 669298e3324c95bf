package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	"math"
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
	result   [16]byte // the same without the arguments
	binding  bool
	evidence bool
	returned bool   // the last step returned
	accident bool   // it failed by accident
	played   bool   // only the stand-ins' record is compared
	facts    string // an expression for what the result is, see factsOf
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
	plan  *Plan
	dear  int64 // counts above which a call is not kept
	left  int64 // counts left for all calls
	first int64 // counts of the first call that ended, which may have imported modules
	ended int64 // calls that ended
	used  int64 // counts of these, at most dear of one
	sizes map[slot]sizes
	far   map[string]int // by callee, calls that were made though they resemble a dear one
}

// A slot is an argument of a function, with the sign of its number.
type slot struct {
	callee   string
	argument int
	negative bool
	inner    bool // it is within an expression, such as 3 in f(f(3))
}

// sizes are those of the arguments of calls in a slot: the largest of a cheap call, and the
// smallest of a dear one. Calls of one function are dear for the same reason, and larger values
// do not make them cheaper. But a loop may not end for 0 alone.
type sizes struct{ cheap, dear int }

// sized visits a probe's numbers and lengths, with their slots and the bits of their sizes.
func (p *probe) sized(visit func(at slot, size int)) {
	argument := 0
	holes := func(c *code) {
		for i := range c.holes {
			value := &c.holes[i].value
			argument++
			at := slot{p.callee, argument, value.n < 0, len(c.holes) > 1 || c.holes[0].start > 0}
			if n, ok := value.length(); ok {
				visit(at, bits.Len64(uint64(n)))
			} else if value.kind == intLiteral {
				visit(at, bits.Len64(uint64(max(value.n, -value.n))))
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
}

// note records whether a probe was dear.
func (t *trials) note(p *probe, dear bool) {
	p.sized(func(at slot, size int) {
		s, known := t.sizes[at]
		if !known {
			s = sizes{-1, math.MaxInt}
		}
		if dear {
			s.dear = min(s.dear, size)
		} else {
			s.cheap = max(s.cheap, size)
		}
		t.sizes[at] = s
	})
}

// risky reports whether a probe resembles a dear one.
func (t *trials) risky(p *probe) (is bool) {
	p.sized(func(at slot, size int) {
		s, known := t.sizes[at]
		is = is || known && size > s.cheap && (size == s.dear || size > s.dear && s.dear >= leastRisk)
	})
	return is
}

// try runs probes, many in one instance, and returns those that the instance survived. It leaves
// out those that resemble a dear one, but for the farthest: nine in ten counts were of one call in
// seventy, which was not kept. It stops when the counts are used up. The error is that of the
// engine.
func (t *trials) try(ctx context.Context, probes []*probe) (list []trial, err error) {
	if t.sizes == nil {
		t.sizes, t.far = map[slot]sizes{}, map[string]int{}
	}
	var left []*probe // out
	probes = slices.Clone(probes)
	for len(probes) > 0 && t.left > 0 {
		n := batch
		if t.ended == 0 {
			n = 1 // it tells what others may cost
		}
		found, next, err := t.batch(ctx, probes[:min(n, len(probes))])
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
		if next == 0 {
			return list, nil
		}
		probes = slices.DeleteFunc(probes[next:], func(p *probe) bool {
			risky := t.risky(p)
			if risky {
				left = append(left, p)
			}
			return risky
		})
	}
	// Where a loop ends, it may not begin: for i in range(n, sys.maxsize).
	slices.SortStableFunc(left, func(a, b *probe) int { return cmp.Compare(b.largest(), a.largest()) })
	for _, p := range left {
		if t.far[p.callee] == mostFar || t.left <= 0 {
			continue
		}
		t.far[p.callee]++
		found, _, err := t.batch(ctx, []*probe{p})
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// batch runs probes in one instance. It returns those that the instance survived, and the index
// of the next probe to run, which is 0 if going on makes no sense.
func (t *trials) batch(ctx context.Context, probes []*probe) (found []trial, next int, err error) {
	limit := firstRun * t.dear
	if t.ended > 0 {
		limit = 3*t.dear/2 + t.first + 2*t.used/t.ended*int64(len(probes))
	}
	steps := []step{{exec: t.plan.script.imports}}
	owner := []int{-1}
	for i, probe := range probes {
		found = append(found, trial{probe: probe, binding: true, played: len(t.plan.played) > 0})
		for _, s := range probe.steps() {
			steps = append(steps, s)
			owner = append(owner, i)
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
			t.note(f.probe, true)
		}
		break
	}
	if done == len(probes) && len(r.Calls) < len(steps) { // impossible: some were not begun, but none ended the instance
		return found[:max(owner[len(r.Calls)], 0)], 0, nil
	}
	for i := range found[:done] {
		used := found[i].used
		if t.ended == 0 {
			t.first = used
			t.dear = max(t.dear, min(3*used, mostDear))
		}
		t.note(found[i].probe, used > t.dear)
		t.ended++
		t.used += min(used, t.dear)
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
	bare := e.Outcome
	bare.After = nil
	f.result = combine(f.result, fingerprint(&bare, e.output))
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
