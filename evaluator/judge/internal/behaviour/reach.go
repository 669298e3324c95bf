package behaviour

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/evaluator"
	"codelinter/internal/util/lazy"
)

// A subject is an answer under judgement.
type subject struct {
	answer  string
	module  *module // nil: it does not parse
	renamed *renaming
	apart   map[*expectation]apart
}

// An apart says for which programs a call shows nothing.
type apart uint8

const (
	ofNone   apart = iota
	ofAnswer       // the answer returns where the program fails by accident
	ofBoth         // they differ for an argument of an unknown type
)

func newSubject(answer string, renamed *renaming) *subject {
	a := &subject{answer: answer, renamed: renamed, apart: map[*expectation]apart{}}
	if m, ok := parse(answer); ok {
		a.module = m
	}
	return a
}

// showsInAll reports whether no call shows nothing for the program because of the answer.
func (a *subject) showsInAll() bool {
	return !slices.Contains(slices.Collect(maps.Values(a.apart)), ofBoth)
}

// Bounds of the extra calls that try to reach what other calls did not.
const (
	maxOdd      = 40 // with values of other types
	maxOddCalls = 12 // of these, calls of one callee
)

// show requires that the calls of sessions show what an answer does. They must reach its code and
// the outcomes of its conditions, unless the program has the same part and they do not reach that
// either. They must show what its new expressions do. If they do not reach a part, more calls are
// made.
func (p *Plan) show(ctx context.Context, a *subject, w *watch, sessions []*session) (Verdict, error) {
	pass := Verdict{Outcome: evaluator.Pass}
	if p.lesser.Load() {
		return pass, nil
	}
	if w != nil {
		if shows, err := p.showsAll(ctx, a, w); err != nil {
			return Verdict{}, err
		} else if shows {
			return p.vouch(ctx, a, w, sessions)
		}
	}
	w = p.watchOf(a)
	gaps, dropped, err := p.missing(ctx, a, w, sessions)
	if err != nil {
		return Verdict{}, err
	}
	if len(w.changed) > 0 {
		return unknown("state", "it may remember calls, by %s, where the program does not", w.changed[0]), nil
	}
	if len(gaps)+len(dropped) > 0 {
		more, v, err := p.reach(ctx, a)
		if err != nil || v.Outcome != evaluator.Pass {
			return v, err
		}
		if more != nil {
			sessions = append(sessions, more)
			if gaps, dropped, err = p.missing(ctx, a, w, sessions); err != nil {
				return Verdict{}, err
			}
		}
	}
	switch {
	case !w.ended:
		return unknown("unreached", "what it computes could not be watched"), nil
	case len(gaps) > 0:
		v := unknown("unreached", "%s", gaps[0].describe(w))
		v.Reasons[0].Line = a.module.line(gaps[0].at.Start)
		return v, nil
	case len(dropped) > 0:
		return unknown("unreached", "%s in the program, and the answer has no such", dropped[0].text(&watch{module: p.reference.module})), nil
	}
	return p.vouch(ctx, a, w, sessions)
}

// reach makes calls with arguments of other types, which may reach what others do not. It returns
// their session, or nil.
func (p *Plan) reach(ctx context.Context, a *subject) (*session, Verdict, error) {
	var probes []*probe
	made := p.madeCalls()
	for _, s := range p.starts {
		probes = append(probes, s.otherTypes(oddValues, made)...)
	}
	s, err := p.sessionOf(ctx, probes)
	if s == nil || err != nil {
		return nil, Verdict{Outcome: evaluator.Pass}, err
	}
	s.others = true
	c, err := p.compare(ctx, s, a, false)
	if err == nil && c.Outcome == evaluator.Pass {
		c.Verdict = c.odd
	}
	return s, c.Verdict, err
}

// missing watches an answer. It returns the gaps of the answer in sessions that are not also gaps
// of the program, and the gaps of the program that are not also gaps of the answer. State that a
// program's calls change is not in the watch.
func (p *Plan) missing(ctx context.Context, a *subject, w *watch, sessions []*session) (gaps, dropped []gap, err error) {
	if err := p.runWatch(ctx, w, sessions, a.apart); err != nil || !w.ended {
		return nil, nil, err
	}
	var programs []*watch
	for i := range p.programs() {
		their, err := p.watchProgram(ctx, i, sessions, a)
		if err != nil {
			return nil, nil, err
		}
		programs = append(programs, their)
		w.changed = slices.DeleteFunc(w.changed, func(place string) bool { return slices.Contains(their.changed, place) })
	}
	gaps, dropped = w.compareGaps(programs)
	return gaps, dropped, nil
}

// compareGaps returns the gaps of an answer that no program has, and those of the programs that the
// answer does not have. Both are in the order of their texts.
func (w *watch) compareGaps(programs []*watch) (gaps, dropped []gap) {
	gaps = w.gaps()
	answers := gapKeys(gaps)
	var first gapSet
	for i, program := range programs {
		their := program.gaps()
		same := gapKeys(their)
		gaps = slices.DeleteFunc(gaps, func(g gap) bool { return same.has(g, answers) })
		if i == 0 {
			first = same
			dropped = slices.DeleteFunc(their, func(g gap) bool { return answers.has(g, same) })
		} else { // a gap that one reference lacks is not required
			dropped = slices.DeleteFunc(dropped, func(g gap) bool { return !same.has(g, first) })
		}
	}
	inOrder := func(x, y gap) int { return int(x.at.Start - y.at.Start) }
	slices.SortStableFunc(gaps, inOrder)
	slices.SortStableFunc(dropped, inOrder)
	return gaps, dropped
}

// watchOf returns the watch of an answer.
func (p *Plan) watchOf(a *subject) *watch {
	own, ok := parse(a.module.source) // a copy, as adopt changes it
	if !ok {
		own = a.module
	}
	own.adopt(p.reference.module)
	w := p.newWatch(own, p.reference.module, p.parts().texts, false)
	w.ofAnswer = true
	return w
}

// showsAll reports whether the calls of the second session, which are few, show of an answer what all calls
// show of a program, and change no other state.
func (p *Plan) showsAll(ctx context.Context, a *subject, w *watch) (bool, error) {
	if !w.ended || !w.usesAll() {
		return false, nil
	}
	program, err := p.watchProgram(ctx, len(p.sites)-1, p.sessions[:1], a)
	if err != nil || !program.ended || slices.ContainsFunc(w.changed, func(place string) bool { return !slices.Contains(program.changed, place) }) {
		return false, err
	}
	gaps, dropped := w.compareGaps([]*watch{program})
	return len(gaps)+len(dropped) == 0, nil
}

// A watchKey names a watch of a program: its number, and which calls of the plan's session it does not make.
type watchKey struct {
	program int
	without string
}

// maxWatches bounds the watches of programs that a plan keeps.
const maxWatches = 16

// watchProgram watches a program with the calls of sessions, of which the first is the plan's. It makes only
// those that show something for the answer too. The watch is not to be changed.
func (p *Plan) watchProgram(ctx context.Context, program int, sessions []*session, a *subject) (*watch, error) {
	key := watchKey{program: program}
	for i := range sessions[0].want {
		if a.apart[&sessions[0].want[i]] == ofBoth {
			key.without += fmt.Sprint(i, " ")
		}
	}
	p.mu.Lock()
	w := p.watches[key]
	p.mu.Unlock()
	if w == nil {
		w = p.sites[program].clone()
		w.again = key.without == ""
		if err := p.runWatch(ctx, w, sessions[:1], a.apart); err != nil {
			return nil, err
		}
		p.mu.Lock()
		if len(p.watches) >= maxWatches {
			clear(p.watches)
		}
		p.watches[key] = w
		p.mu.Unlock()
	}
	if len(sessions) == 1 || !w.ended {
		return w, nil
	}
	w = w.clone()
	w.again = false
	return w, p.runWatch(ctx, w, sessions[1:], a.apart)
}

// programs returns the programs with which an answer is compared. The canonical answer may have the
// program's text but for its layout.
func (p *Plan) programs() []*module {
	if p.other == nil || p.other.text == p.reference.text {
		return []*module{p.reference.module}
	}
	return []*module{p.reference.module, p.other.module}
}

// otherTypes returns up to maxOdd calls that are not made, each with one argument of another type.
func (s *starts) otherTypes(values []literal, made shownCalls) (list []*probe) {
	for _, value := range values {
		for _, callee := range s.callees {
			base := s.known[callee][0]
			for i, known := range base.argumentValues() {
				if known == nil || known.kind == value.kind || len(list) == maxOdd {
					continue
				}
				if value.kind == tupleLiteral && known.kind == listLiteral || value.kind == listLiteral && known.kind == tupleLiteral {
					value.items = known.items
				}
				probe := base.clone()
				probe.last().set(i, value)
				if made.add(probe) {
					list = append(list, probe)
				}
			}
		}
	}
	return list
}

// oddValues has one value of each type that programs test for.
var oddValues = []literal{
	{kind: noneLiteral}, {kind: strLiteral, text: "a"}, {kind: intLiteral, n: 3}, {kind: listLiteral}, {kind: floatLiteral, f: 2.5},
	{kind: boolLiteral, n: 1}, {kind: tupleLiteral}, {kind: dictLiteral}, {kind: bytesLiteral, text: "a"}, {kind: strLiteral},
}

// oddCalls returns known calls with one argument changed to a similar type: code
// that works for a list mostly works for a tuple or a range. Others have a strange one.
func (g *generator) oddCalls(c *candidates, m *module) (list []*probe) {
	functions := definitions(m.body)
	for _, callee := range c.callees {
		left := maxOddCalls
		add := func(base *probe, i int, odd literal, strange bool) {
			probe := base.clone()
			probe.last().set(i, odd)
			probe.odd, probe.strange = true, strange
			if left > 0 && c.isNew(probe) {
				list = append(list, probe)
				left--
			}
		}
		for _, base := range c.byCallee[callee] {
			if probe := base.telling(); probe != nil && c.isNew(probe) {
				probe.odd, probe.strange = true, true
				list = append(list, probe)
				break
			}
		}
		for i, value := range c.byCallee[callee][0].argumentValues() {
			if value != nil && !isTyped(functions[callee], i) {
				for _, text := range strange.Get() {
					add(c.byCallee[callee][0], i, literal{kind: otherCode, code: &code{text: text}}, true)
				}
			}
		}
		left = maxOddCalls
		for _, base := range c.byCallee[callee] {
			for i, value := range base.argumentValues() {
				if value == nil {
					continue
				}
				for _, odd := range oddOf(value) {
					add(base, i, odd, false)
				}
			}
		}
	}
	return list
}

// isTyped reports whether the parameter for the i-th argument of a function has an annotation.
func isTyped(f *ast.FunctionDef, i int) bool {
	if f == nil {
		return false
	}
	list := slices.Concat(f.Args.PosOnlyArgs, f.Args.Args)
	if len(list) > 0 && list[0].Arg == "self" {
		list = list[1:]
	}
	return i < len(list) && list[i].Annotation != nil
}

// telling returns a copy of a call whose functions say which of them is called, or nil if it has
// fewer than two.
func (p *probe) telling() *probe {
	call := p.last()
	if call == nil {
		return nil
	}
	tells := p.clone()
	functions := 0
	for i, a := range call.arguments {
		if text := a.code.String(); strings.HasPrefix(text, "lambda ") && a.prefix == "" {
			functions++
			tells.last().arguments[i].code = &code{text: fmt.Sprintf("(lambda f: lambda *a, **k: [print('called', %d), f(*a, **k)][1])(%s)", i, text)}
		}
	}
	if functions < 2 {
		return nil
	}
	return tells
}

// strange has two objects that print when they are asked for their truth or compared: a false one,
// below everything, and a true one, above everything. Their comparisons by < give such objects too.
// By == they are equal to nothing, and fail where a finding asks to write that otherwise. They have
// a format of their own.
var strange = lazy.Value[[]string]{Make: func() []string {
	const of = "(lambda of: of(of, %s))(lambda of, truth: type('Strange', (), {" +
		"'__bool__': lambda self: [print('truth'), truth][1], " +
		"'__eq__': lambda self, other: NotImplemented if other is None else self.truth if type(other) is bool else [print('equal', other), False][1], " +
		"'__lt__': lambda self, other: of(of, not truth), '__le__': lambda self, other: of(of, not truth), " +
		"'__gt__': lambda self, other: of(of, truth), '__ge__': lambda self, other: of(of, truth), " +
		"'__hash__': lambda self: 3, '__str__': lambda self: 'str', '__repr__': lambda self: 'repr', '__format__': lambda self, spec: 'format' + spec})())"
	return []string{fmt.Sprintf(of, "False"), fmt.Sprintf(of, "True")}
}}

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
