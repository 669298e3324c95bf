package behaviour

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"

	"codelinter/evaluator"
	symbols "codelinter/internal/equiv/scope"
	"codelinter/sandbox"
)

// The proofs of a pass.
const (
	ByTree  = "tree"  // same program but for style
	ByRuns  = "runs"  // same behaviour in every call
	ByTests = "tests" // passes the task's tests
)

// A Verdict says whether an answer keeps the program's logic.
type Verdict struct {
	Outcome evaluator.Outcome
	Proof   string             // of a pass: ByTree, ByRuns or ByTests
	Reasons []evaluator.Reason // with Fail and Unknown, as docs/judge.md lists them; not to be changed
	// StandIns are the modules that were played, as the sandbox lacks them. "." stands for
	// modules beside the program.
	StandIns []string
}

func fail(name string, line int, format string, a ...any) Verdict {
	return Verdict{Outcome: evaluator.Fail, Reasons: []evaluator.Reason{{Name: name, Line: line, Text: fmt.Sprintf(format, a...)}}}
}

func unknown(name, format string, a ...any) Verdict {
	return Verdict{Outcome: evaluator.Unknown, Reasons: []evaluator.Reason{{Name: name, Text: fmt.Sprintf(format, a...)}}}
}

// untold is the error if gpython cannot tell how a program ends.
func untold(r *sandbox.Result) error {
	return fmt.Errorf("the sandbox cannot tell how the program ends: %s", r.Reason)
}

// moduleVerdict is the verdict if an answer's own statements end otherwise than the program's.
func moduleVerdict(r *sandbox.Result, answer string) (Verdict, error) {
	switch r.End {
	case sandbox.Unknown:
		return Verdict{}, untold(r)
	case sandbox.Raised:
		if r.Exception.Type == "ModuleNotFoundError" {
			return unknown("missing-module", "%s", clip(r.Exception.Text)), nil
		}
		if _, ok := parse(answer); ok && r.Exception.Type == "SyntaxError" {
			return unknown("newer-syntax", "%s", clip(r.Exception.Text)), nil
		}
		return fail("module", r.Exception.Line, "it raises %s", describe(r.Exception)), nil
	case sandbox.Exited:
		return fail("module", 0, "it exits with code %d", r.Exception.Code), nil
	case sandbox.Done:
		return fail("module", 0, "it runs to its end, where the program does not"), nil
	}
	return fail(endReason(r.End), 0, "its own statements, before any call, %s", endText(r.End)), nil
}

func (p *Plan) noteEngine(r *sandbox.Result) {
	if r.Engine == sandbox.GPython {
		p.lesser.Store(true)
	}
}

// trusted returns v, or unknown for a difference that gpython found: CPython may find none.
func (p *Plan) trusted(v Verdict) Verdict {
	if v.Outcome == evaluator.Fail && p.lesser.Load() {
		return unknown("sandbox", "gpython, which is not CPython, says: %s", v.Reasons[0].Text)
	}
	return v
}

// judge runs an answer and compares it with the program. alike says that it does the same for ordinary
// values: then no call need show what it does. The error is that of the engine.
func (p *Plan) judge(ctx context.Context, answer string, r *renaming, alike bool) (Verdict, error) {
	if r != nil {
		answer += r.aliases
	}
	if p.reference == nil || p.task.Free {
		return p.judgeByTests(ctx, answer)
	}
	if p.unknown != nil {
		return Verdict{Outcome: evaluator.Unknown, Reasons: []evaluator.Reason{*p.unknown}}, nil
	}
	evidence := 0
	proof := ByTests
	a := newSubject(answer, r)
	odd, strange := Verdict{Outcome: evaluator.Pass}, Verdict{Outcome: evaluator.Pass}
	var w *watch // of the second session
	for i, s := range p.sessions {
		var c agreement
		var err error
		if i == 0 {
			c, err = p.compare(ctx, s, a, true)
		} else {
			c, w, err = p.compareWatched(ctx, s, a)
		}
		if err != nil || c.Outcome != evaluator.Pass {
			return c.Verdict, err
		}
		evidence += c.evidence
		if c.evidence > 0 {
			proof = ByRuns
		}
		if odd.Outcome == evaluator.Pass {
			odd = c.odd
		}
		if strange.Outcome == evaluator.Pass {
			strange = c.strange
		}
		if i == 0 {
			verdict, n, err := p.compareTests(ctx, s, c.watched)
			if err != nil || verdict.Outcome != evaluator.Pass {
				return verdict, err
			}
			evidence += n
		}
	}
	if evidence == 0 {
		return unknown("nothing-to-call", "nothing that the program does could be compared"), nil
	}
	if alike {
		if odd.Outcome != evaluator.Pass {
			return odd, nil
		}
		return Verdict{Outcome: evaluator.Pass, Proof: proof}, nil
	}
	if a.module == nil {
		return unknown("syntax", "it runs, but the parser does not take it"), nil
	}
	if len(p.unreached) > 0 {
		if path := p.changed(a.module, r); path != "" {
			return unknown("not-reached", "no call was found that runs through %s, which is another", path), nil
		}
	}
	patterns, err := p.patternChanges(ctx, a.module)
	if err != nil {
		return Verdict{}, err
	}
	s, err := p.ownSession(ctx, a.module, patterns)
	if err != nil {
		return Verdict{}, err
	}
	if s != nil {
		c, err := p.compare(ctx, s, a, false)
		if err != nil || c.Outcome != evaluator.Pass {
			return c.Verdict, err
		}
		if odd.Outcome == evaluator.Pass {
			odd = c.odd
		}
	}
	if odd.Outcome != evaluator.Pass {
		return odd, nil
	}
	if path := reordered(p.reference.module, a.module); path != "" {
		return unknown("declaration", "the parameters of %s stand in another order", path), nil
	}
	if name := widened(p.reference.module, a.module); name != "" {
		return unknown("unreached", "no call was found for which it catches %s, which the program does not", name), nil
	}
	sessions := p.sessions[:1:1]
	if s != nil {
		sessions = append(sessions, s)
	}
	if verdict, err := p.show(ctx, a, w, sessions); err != nil || verdict.Outcome != evaluator.Pass {
		return verdict, err
	}
	switch {
	case strange.Outcome != evaluator.Pass:
		return strange, nil
	case len(patterns) > 0:
		return unknown("unreached", "no call was found that tells the pattern %s from %s", quote(patterns[0].text), quote(patterns[0].of)), nil
	}
	return Verdict{Outcome: evaluator.Pass, Proof: proof}, nil
}

// compareTests evaluates the asserts that the reference passes, but whose values the answer
// need not share, on the answer's values. It returns the number of asserts that the answer
// passes.
func (p *Plan) compareTests(ctx context.Context, s *session, outcomes []*sandbox.Outcome) (v Verdict, passed int, err error) {
	wanted := make([]bool, len(p.script.tests))
	needed := false
	for i := range p.script.tests {
		for _, piece := range p.script.tests[i].pieces {
			if at := p.watched[piece]; at < len(s.want) && !s.want[at].binding {
				wanted[i], needed = true, true
			}
		}
	}
	if !needed {
		return Verdict{Outcome: evaluator.Pass}, 0, nil
	}
	decided, err := p.decide(ctx, p.script, outcomes, wanted)
	if err != nil {
		return Verdict{}, 0, err
	}
	for i, d := range decided {
		switch {
		case d == testPassed:
			passed++
		case d == testFailed && i < len(p.tests) && p.tests[i] == testPassed:
			return fail("test", 0, "%s fails", p.script.tests[i].shown), 0, nil
		}
	}
	return Verdict{Outcome: evaluator.Pass}, passed, nil
}

// An agreement says how far an answer does in a session what the program does.
type agreement struct {
	Verdict
	odd      Verdict            // of the calls with arguments of other types; unknown if they differ
	strange  Verdict            // of those with strange ones
	evidence int                // steps that are evidence for the same behaviour
	watched  []*sandbox.Outcome // of the script's watched parts
}

// compare runs a session on an answer.
func (p *Plan) compare(ctx context.Context, s *session, a *subject, first bool) (agreement, error) {
	r, v, err := p.run(ctx, s, a)
	if err != nil || v.Outcome != evaluator.Pass {
		return agreement{Verdict: v}, err
	}
	return p.agreement(s, a, r, first)
}

// compareWatched is compare for an answer that is watched. If it does anything then that is not expected, it
// runs as it is, and that alone is judged. w is nil if nothing is known of what the calls show.
func (p *Plan) compareWatched(ctx context.Context, s *session, a *subject) (c agreement, w *watch, err error) {
	if a.module != nil && !p.lesser.Load() && a.showsInAll() {
		w = p.watchOf(a)
		r, err := p.watchSession(ctx, w, s)
		if err != nil {
			return agreement{}, nil, err
		}
		if c, passes := p.passes(s, a, r); passes {
			return c, w, nil
		}
	}
	c, err = p.compare(ctx, s, a, false)
	return c, nil, err
}

// passes is agreement for an answer that does nothing else than what is expected.
func (p *Plan) passes(s *session, a *subject, r *sandbox.Result) (c agreement, passes bool) {
	if v, err := p.compareRun(s, a, r); err != nil || v.Outcome != evaluator.Pass || r.Used > answerBudget(s.used) {
		return c, false
	}
	try := *a
	try.apart = maps.Clone(a.apart)
	c, err := p.agreement(s, &try, r, false)
	if err != nil || c.Outcome != evaluator.Pass || c.odd.Outcome != evaluator.Pass || c.strange.Outcome != evaluator.Pass {
		return c, false
	}
	return c, len(try.apart) == len(a.apart)
}

// agreement compares what an answer did in a session with what the program did.
func (p *Plan) agreement(s *session, a *subject, r *sandbox.Result, first bool) (agreement, error) {
	stop := func(v Verdict) (agreement, error) { return agreement{Verdict: v}, nil }
	evidence := 0
	if s.output != (printed{}) && !s.anyOutput {
		evidence++
	}
	var watched []*sandbox.Outcome
	odd, strange := Verdict{Outcome: evaluator.Pass}, Verdict{Outcome: evaluator.Pass} // for arguments of unknown types
	for i := range s.want {
		want, of := &s.want[i], &s.steps[i]
		shown := cmp.Or(of.shown, clip(strings.TrimSpace(of.exec)))
		if i >= len(r.Calls) {
			return agreement{}, fmt.Errorf("the sandbox did not run %s", shown)
		}
		got := &r.Calls[i]
		// A call on which the program fails by accident is not compared. So what it reaches counts
		// only if the answer fails too.
		if want.accident && got.End != sandbox.Raised {
			a.apart[want] = ofAnswer
		}
		switch got.End {
		case sandbox.Done, sandbox.Raised:
		case sandbox.Unknown:
			return agreement{}, untold(r)
		default:
			if s.others {
				for k := range s.want[i:] {
					a.apart[&s.want[i+k]] = ofBoth
				}
				return agreement{Verdict{Outcome: evaluator.Pass}, odd, strange, evidence, watched}, nil
			}
			return stop(fail(endReason(got.End), 0, "%s %s", shown, endText(got.End)))
		}
		if first && len(watched) < len(p.watched) && p.watched[len(watched)] == i {
			watched = append(watched, got)
		}
		held := !s.others && !of.odd
		v := want.judge(of, held && !of.unlike, got, callOutput(r, i), shown, a.renamed)
		switch {
		case v.Outcome == evaluator.Pass:
		case v.Outcome == evaluator.Unknown:
			strange = v
		case held && of.unlike:
			if odd.Outcome == evaluator.Pass && !refusesTypes(got) {
				odd = otherType(v)
			}
			a.apart[want] = ofBoth
		case held:
			return stop(v)
		case of.odd: // an honest answer may fail on unexpected types
			switch {
			case got.End != sandbox.Done:
			case of.strange:
				strange = otherType(v)
			case odd.Outcome == evaluator.Pass:
				odd = otherType(v)
			}
			a.apart[want] = ofBoth
		default: // an argument of an unknown type shows nothing
			a.apart[want] = ofBoth
		}
		if want.binding && want.evidence {
			evidence++
		}
	}
	if last := lastOutput(r); last != s.last && (s.last != printed{} || !p.hasDefinitions()) {
		return stop(fail("output", 0, "it printed %s at its end, the program prints %s", last, s.last))
	}
	return agreement{Verdict{Outcome: evaluator.Pass}, odd, strange, evidence, watched}, nil
}

// refusesTypes reports whether an answer raised what Python raises for an argument of a wrong type.
func refusesTypes(got *sandbox.Outcome) bool {
	return got.End == sandbox.Raised && (got.Exception.Type == "TypeError" || got.Exception.Type == "AttributeError")
}

// otherType is the verdict for a difference with an argument of a type that no known call has.
func otherType(v Verdict) Verdict {
	return unknown("unreached", "%s, with an argument of another type than any that is known", v.Reasons[0].Text)
}

// run runs a session on an answer, and compares everything that is not part of one step.
func (p *Plan) run(ctx context.Context, s *session, a *subject) (*sandbox.Result, Verdict, error) {
	program := sandbox.Program{Source: a.answer, Calls: s.calls, Once: true}
	program.Budget = answerBudget(s.used) + compileCounts*int64(len(program.Source))
	if len(p.played) == 0 { // else the recordings of stand-ins come first, which the last steps read
		program.Enough = p.decided(s, a)
	}
	r, err := p.engine.Run(ctx, program)
	if err != nil {
		return nil, Verdict{}, err
	}
	p.noteEngine(&r)
	v, err := p.compareRun(s, a, &r)
	return &r, v, err
}

// compareRun compares what is not part of one step.
func (p *Plan) compareRun(s *session, a *subject, r *sandbox.Result) (Verdict, error) {
	if v, err := p.compareModule(s, a, r); err != nil || v.Outcome != evaluator.Pass {
		return v, err
	}
	return p.compareRecordings(s, r), nil // a difference there is easier to understand than a different stand-in as a value
}

// decided returns what tells after some of an answer's calls whether they decide the verdict, so that no
// others need be made. compare then finds the same difference.
func (p *Plan) decided(s *session, a *subject) func(*sandbox.Result) bool {
	from := 0 // calls before it decide nothing
	return func(r *sandbox.Result) bool {
		if v, err := p.compareModule(s, a, r); err != nil || v.Outcome != evaluator.Pass {
			return true
		}
		for ; from < min(len(r.Calls), len(s.want)); from++ {
			if want, of := &s.want[from], &s.steps[from]; !s.others && !of.odd && !of.unlike &&
				want.judge(of, true, &r.Calls[from], callOutput(r, from), "", a.renamed).Outcome == evaluator.Fail {
				return true
			}
		}
		return false
	}
}

// compareModule compares what an answer's own statements did.
func (p *Plan) compareModule(s *session, a *subject, r *sandbox.Result) (Verdict, error) {
	if r.End != s.end || r.End == sandbox.Unknown {
		return moduleVerdict(r, a.answer)
	}
	if output := moduleOutput(r); output != s.output && !s.anyOutput && (s.output != printed{} || !p.hasDefinitions()) {
		return fail("output", 0, "it printed %s, the program prints %s", output, s.output), nil
	}
	if r.End == sandbox.Exited && r.Exception.Code != s.code {
		return fail("exit", 0, "it exits with code %d, the program with %d", r.Exception.Code, s.code), nil
	}
	return Verdict{Outcome: evaluator.Pass}, nil
}

// judge compares an answer's outcome of a step. held says that the arguments are of known
// types, so that the answer must fail where the program fails.
func (want *expectation) judge(of *step, held bool, got *sandbox.Outcome, output printed, shown string, renamed *renaming) Verdict {
	pass := Verdict{Outcome: evaluator.Pass}
	if held && want.accident && !want.mended && got.End == sandbox.Done && of.standing == ofCall {
		return fail("exception", 0, "%s gave %s, where the program fails with %s", shown, show(&got.Value), describe(want.Exception))
	}
	if want.or != nil && want.or.compare(got, output, shown, renamed).Outcome != evaluator.Pass && want.compare(got, output, shown, renamed).Outcome != evaluator.Pass {
		return unknown("result", "%s does neither what the program nor what the canonical answer does", shown)
	}
	if !want.binding {
		return pass
	}
	if v := want.compare(got, output, shown, renamed); v.Outcome != evaluator.Pass {
		return of.forgives(v, &want.Outcome, got, renamed)
	}
	return pass
}

// compare compares an answer's outcome with the program's.
func (want *expectation) compare(got *sandbox.Outcome, output printed, shown string, renamed *renaming) Verdict {
	switch {
	case want.End == sandbox.Raised && got.End != sandbox.Raised:
		return fail("exception", 0, "%s gave %s, the program raises %s", shown, show(&got.Value), describe(want.Exception))
	case want.End == sandbox.Raised && !want.anything && !sameException(want.Exception, got.Exception, renamed):
		return fail("exception", 0, "%s raised %s, the program raises %s", shown, describe(got.Exception), describe(want.Exception))
	case want.End == sandbox.Done && got.End == sandbox.Raised:
		return fail("exception", 0, "%s raised %s, the program gives %s", shown, describe(got.Exception), show(&want.Value))
	case want.End == sandbox.Done && !same(&want.Value, &got.Value, renamed):
		return fail("result", 0, "%s gave %s, the program gives %s", shown, show(&got.Value), show(&want.Value))
	}
	for i := range want.After {
		if i < len(got.After) && !same(&want.After[i], &got.After[i], renamed) {
			return fail("argument", 0, "%s left its argument as %s, the program as %s", shown, show(&got.After[i]), show(&want.After[i]))
		}
	}
	if output != want.output {
		return fail("output", 0, "%s printed %s, the program prints %s", shown, output, want.output)
	}
	return Verdict{Outcome: evaluator.Pass}
}

// asksToBeMended reports whether a finding such as F821, F823 or F507 asks for the exception to
// go away: an undefined name, a name of the module that is read before a function binds it, or a
// format that does not fit its arguments.
func (m *module) asksToBeMended(e *sandbox.Exception) bool {
	switch e.Type {
	case "NameError":
		return true
	case "UnboundLocalError":
		_, name, _ := strings.Cut(e.Text, "'")
		name, _, _ = strings.Cut(name, "'")
		return m.defined[name] || symbols.IsBuiltin(name)
	}
	return strings.Contains(e.Text, "format") || strings.Contains(e.Text, "arguments converted") || strings.Contains(e.Text, "Replacement index")
}

func sameException(a, b *sandbox.Exception, renamed *renaming) bool {
	return renamed.class(a.Type) == b.Type && withoutAddresses(a.Text) == withoutAddresses(b.Text)
}

func endReason(end sandbox.End) string {
	switch end {
	case sandbox.Budget:
		return "budget"
	case sandbox.Memory:
		return "memory"
	case sandbox.Exited:
		return "exit"
	}
	return "crash"
}

func endText(end sandbox.End) string {
	switch end {
	case sandbox.Budget:
		return "takes more than ten times the steps that the program takes"
	case sandbox.Memory:
		return "takes more memory than there is"
	case sandbox.Exited:
		return "ends the interpreter"
	}
	return "brings the interpreter down"
}

func describe(e *sandbox.Exception) string {
	if e.Text == "" {
		return e.Type
	}
	return e.Type + ": " + clip(e.Text)
}

func quote(text string) string { return clip(fmt.Sprintf("%q", text)) }

// show returns a value for people.
func show(v *sandbox.Value) string { return clip(fmt.Sprint(*v)) }

// shownBytes bounds the values and texts that are shown to people.
const shownBytes = 200

func clip(text string) string {
	if len(text) > shownBytes {
		return strings.ToValidUTF8(text[:shownBytes], "") + "..."
	}
	return text
}
