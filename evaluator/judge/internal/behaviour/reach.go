package behaviour

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/evaluator"
)

// A watch is a reference program that is laid out so that its coverage can be
// recorded.
type watch struct {
	*layout
	program *reference // of the layout
	shape   *shape     // known when it has run
}

// A subject is an answer under judgement.
type subject struct {
	answer  string
	module  *module // nil: it does not parse
	renamed *renaming
	layout  *layout // nil: it is not watched
	shape   *shape  // of the layout, known when that has run
	reached *reached
}

func newSubject(answer string, renamed *renaming, watched bool) *subject {
	a := &subject{answer: answer, renamed: renamed, reached: newReached()}
	if m, ok := parse(answer); ok {
		a.module = m
		if watched {
			a.layout = newLayout(m)
		}
	}
	return a
}

// startWatch prepares the recording of the references' coverage, if the engine can
// record it.
func (p *Plan) startWatch() {
	if p.lesser.Load() {
		return
	}
	for _, m := range []*reference{p.reference, p.other} {
		if m == nil {
			continue
		}
		l := newLayout(m.module)
		laid, ok := newReference(l.laid)
		if !ok {
			break
		}
		l.measure = definitions(l.body)
		p.watch = append(p.watch, &watch{layout: l, program: laid})
	}
}

// Bounds of the extra calls that try to reach what other calls did not.
const (
	maxOdd      = 40 // with values of other types
	maxOddCalls = 12 // of these, calls of one callee
	maxTogether = 16 // with constants of the answer in all arguments at once
)

// reach looks for parts of an answer that no call reached, and tries to reach them.
// The verdict is Pass if every part that is left is unreached in the program too.
// sessions are those that were compared; reach returns them with its own.
func (p *Plan) reach(ctx context.Context, a *subject, sessions []*session) ([]*session, Verdict, error) {
	pass := Verdict{Outcome: evaluator.Pass}
	if len(p.watch) == 0 || a.layout == nil {
		return sessions, pass, nil
	}
	if a.shape == nil {
		return sessions, unknown("unreached", "CPython does not say what there is to be reached"), nil
	}
	a.layout.adopt(p.watch[0].layout)
	gaps, dropped := p.missing(a, sessions)
	if len(gaps)+len(dropped) == 0 {
		return sessions, pass, nil
	}
	probes, odd := p.reachProbes(a)
	s, err := p.sessionOf(ctx, probes)
	if err != nil {
		return sessions, Verdict{}, err
	}
	if s != nil && s.reached != nil {
		s.odd = len(s.steps)
		for i := range s.steps {
			if odd[s.steps[i].shown] {
				s.odd = i
				break
			}
		}
		c, err := p.compare(ctx, s, a, false)
		if err == nil && c.Outcome == evaluator.Pass {
			c.Verdict = c.odd
		}
		if err != nil || c.Outcome != evaluator.Pass {
			return sessions, c.Verdict, err
		}
		sessions = append(sessions, s)
		if gaps, dropped = p.missing(a, sessions); len(gaps)+len(dropped) == 0 {
			return sessions, pass, nil
		}
	}
	if len(gaps) == 0 {
		return sessions, unknown("unreached", "%s in the program, and the answer has no such", dropped[0].describe(p.watch[0].layout)), nil
	}
	v := unknown("unreached", "%s, and the program has no such", gaps[0].describe(a.layout))
	v.Reasons[0].Line = a.layout.row(gaps[0].at.Start)
	return sessions, v, nil
}

// describe says what a gap of the layout is.
func (g *gap) describe(l *layout) string {
	text := clip(strings.Join(strings.Fields(l.text[g.at.Start:g.at.End]), " "))
	if g.never != "" {
		return fmt.Sprintf("no call was found for which this is %s: %s", g.never, text)
	}
	return "no call was found that reaches " + text
}

// missing returns the gaps of an answer in sessions that are not also gaps of the
// program, and the gaps of the program that are not also gaps of the answer. Both
// are in the order of their texts.
func (p *Plan) missing(a *subject, sessions []*session) (gaps, dropped []gap) {
	gaps = a.layout.gaps(a.shape, a.reached)
	answers := gapKeys(gaps)
	var programs gapSet
	for i, w := range p.watch {
		all := newReached()
		for _, s := range sessions {
			if i < len(s.reached) && s.reached[i] != nil {
				all.merge(s.reached[i])
			}
		}
		theirs := w.layout.gaps(w.shape, all)
		same := gapKeys(theirs)
		gaps = slices.DeleteFunc(gaps, func(g gap) bool { return same.has(g, answers) })
		if i == 0 {
			programs = same
			dropped = slices.DeleteFunc(theirs, func(g gap) bool { return answers.has(g, same) })
		} else { // a gap that one reference lacks is not required
			dropped = slices.DeleteFunc(dropped, func(g gap) bool { return !same.has(g, programs) })
		}
	}
	inOrder := func(x, y gap) int { return int(x.at.Start - y.at.Start) }
	slices.SortStableFunc(gaps, inOrder)
	slices.SortStableFunc(dropped, inOrder)
	return gaps, dropped
}

// A gapSet counts gaps by key.
type gapSet map[string]int

func gapKeys(gaps []gap) gapSet {
	set := gapSet{}
	for _, g := range gaps {
		set[g.key]++
	}
	return set
}

// has reports whether the set has the gap g, which is one of of. A statement with an
// effect on each run must be in the set at least as often as in of.
func (s gapSet) has(g gap, of gapSet) bool {
	return s[g.key] > 0 && (!g.times || s[g.key] >= of[g.key])
}

// reachProbes returns calls that may reach more of an answer. The last ones have an
// argument of an unusual type; odd has these, as they are shown.
func (p *Plan) reachProbes(a *subject) (probes []*probe, odd map[string]bool) {
	odd = map[string]bool{}
	made := p.madeCalls()
	add := func(probe *probe) bool {
		if !made.add(probe) {
			return false
		}
		probes = append(probes, probe)
		return true
	}
	fresh := p.fresh(a.module)
	for _, s := range p.starts {
		for _, probe := range s.together(fresh) {
			add(probe)
		}
	}
	for _, s := range p.starts {
		s.otherTypes(func(probe *probe) bool {
			if !add(probe) {
				return false
			}
			steps := probe.steps()
			odd[steps[len(steps)-1].shown] = true
			return true
		})
	}
	return probes, odd
}

// otherTypes passes up to maxOdd calls to add, each with one argument of another type. add
// reports whether the call is new.
func (s *starts) otherTypes(add func(*probe) bool) {
	left := maxOdd
	for _, value := range oddValues {
		for _, callee := range s.callees {
			base := s.known[callee][0]
			for i, known := range base.argumentValues() {
				if known == nil || known.kind == value.kind || left == 0 {
					continue
				}
				if value.kind == tupleLiteral && known.kind == listLiteral || value.kind == listLiteral && known.kind == tupleLiteral {
					value.items = known.items
				}
				probe := base.clone()
				probe.last().set(i, value)
				if add(probe) {
					left--
				}
			}
		}
	}
}

// oddValues has one value of each type that programs test for.
var oddValues = []literal{
	{kind: noneLiteral}, {kind: strLiteral, text: "a"}, {kind: intLiteral, n: 3}, {kind: listLiteral}, {kind: floatLiteral, f: 2.5},
	{kind: boolLiteral, n: 1}, {kind: tupleLiteral}, {kind: dictLiteral}, {kind: bytesLiteral, text: "a"}, {kind: strLiteral},
}

// oddCalls returns known calls with one argument changed to a similar type: code
// that works for a list mostly works for a tuple or a range.
func (g *generator) oddCalls(c *candidates) (list []*probe) {
	for _, callee := range c.callees {
		left := maxOddCalls
		for _, base := range c.byCallee[callee] {
			for i, value := range base.argumentValues() {
				if value == nil {
					continue
				}
				for _, odd := range oddOf(value) {
					probe := base.clone()
					probe.last().set(i, odd)
					probe.odd = true
					if left > 0 && c.isNew(probe) {
						list = append(list, probe)
						left--
					}
				}
			}
		}
	}
	return list
}

// oddOf returns values of other types that are like a value.
func oddOf(value *literal) (list []literal) {
	code := func(format string, a ...any) {
		list = append(list, literal{kind: otherCode, code: &code{text: fmt.Sprintf(format, a...)}})
	}
	switch value.kind {
	case strLiteral:
		if !strings.ContainsFunc(value.text, func(r rune) bool { return r >= utf8.RuneSelf }) {
			list = append(list, literal{kind: bytesLiteral, text: value.text})
		}
	case listLiteral, tupleLiteral:
		other := *value
		other.kind = listLiteral + tupleLiteral - value.kind
		list = append(list, other)
		if value.uniform() && value.items[0].kind == intLiteral {
			code("range(%d)", len(value.items))
			code("bytes(%d)", len(value.items))
		}
	}
	return list
}

// together returns calls with constants in all arguments at once. Arguments that no
// constant fits stay as they are.
func (s *starts) together(fresh []constantIn) []*probe {
	var list []*probe
	for _, callee := range s.callees {
		base := s.known[callee][0]
		values := base.argumentValues()
		if len(values) < 2 {
			continue
		}
		fits := make([][]literal, len(values))
		most := 0
		for i, value := range values {
			if value == nil {
				continue
			}
			for j := range fresh {
				fits[i] = append(fits[i], value.place(&fresh[j].value, 0)...)
			}
			most = max(most, len(fits[i]))
		}
		for shift := range most {
			for at := range most {
				if len(list) >= maxTogether {
					return list
				}
				probe := base.clone()
				for i := range fits {
					if n := len(fits[i]); n > 0 {
						probe.last().set(i, fits[i][(at+i*shift)%n])
					}
				}
				list = append(list, probe)
			}
		}
	}
	return list
}

// merge adds what other reached.
func (r *reached) merge(other *reached) {
	for line := range other.lines {
		r.lines[line] = true
	}
	for way := range other.ways {
		r.ways[way] = true
	}
}
