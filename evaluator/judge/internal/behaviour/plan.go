package behaviour

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"codelinter/ast"
	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/util/lru"
	"codelinter/sandbox"
)

// An Engine runs programs. A [sandbox.Pool] is one. After an error nothing is known about the
// program, so neither plan nor verdict may be made of it.
type Engine interface {
	Run(ctx context.Context, program sandbox.Program) (sandbox.Result, error)
}

// A Task has the program with which answers are compared, and what is known of it.
type Task struct {
	ID        string
	Program   string   // as the model was shown it
	Canonical string   // a good answer, "" if there is none
	Setup     string   // statements to run before the tests
	Tests     []string // asserts, and statements between them
	Free      bool     // an answer may change the logic: the tests alone decide
}

// Bounds of what a plan tries and keeps.
const (
	tried          = 150        // drawn calls of the program
	triedPerCallee = 25         // at least, if several functions share them
	rareCalls      = 10         // of these, calls with unusual values
	maxGrown       = 100        // longer sequences made of others
	keptCalls      = 110        // kept of all these calls
	keptShare      = 10         // at least, for each unit of a callee's weight
	keptOdd        = 10         // in addition, calls of one callee with values of other types
	unused         = 4          // objects of a class that are only made
	iterated       = 4          // of these, calls of one callee with an iterator
	keptAccidents  = 4          // in addition, calls of one callee on which the program fails by accident
	keptGuesses    = 6          // calls of one callee from which others are made
	again          = 24         // calls made once more in another instance, in another order
	programBudget  = 30_000_000 // counts for one instance of the program
	batch          = 100        // calls tried in one instance
	leastDear      = 20_000     // counts, see trials.dear
	mostDear       = 150_000
	firstRun       = 15   // the first instance may take as many times a dear call: it may import modules
	leastRisk      = 5    // bits of a number or a length from which a larger one costs more
	mostFar        = 2    // calls of one callee that are tried though they resemble a dear one
	allCalls       = 80   // all calls may take as many times a dear call
	maxNodes       = 400  // in the result of a tried call
	usualCost      = 2000 // counts that any call that is kept may take
	richCall       = 1500 // counts from which more work makes no difference
)

// A Plan has the calls that answers to one task make, and what the task's program
// did in them. It is safe for concurrent use.
type Plan struct {
	engine     Engine
	task       Task
	script     *script
	reference  *reference
	tests      []testOutcome // outcomes with the reference
	sessions   []*session
	moduleUsed int64           // counts of the reference's own statements
	watched    []int           // indices in the first session of the script's watched parts
	other      *reference      // the other of the task's program and the canonical one, or nil
	canonical  bool            // the canonical answer runs, and passes the tests that the program passes
	made       bool            // from now on the program runs for one answer
	unsteady   bool            // results depend on objects' addresses
	unreached  []string        // definitions that no call reaches
	seeds      [2]uint64       // of the random generator
	starts     []starts        // of the searches, from which calls for an answer are made
	constants  map[string]bool // of the program and the canonical answer
	adequacy   *task.Adequacy  // nil if mutants are not measured or cannot be run
	unknown    *evaluator.Reason
	seed       uint64
	played     []string // modules that are played

	lesser atomic.Bool // an engine ran whose results may differ from CPython's

	sites []*watch // of the programs; they have not run

	own      sync.Once
	ownParts ownParts // see parts

	verdicts lru.Cache[[32]byte, Verdict] // by the SHA-256 of the answer's plain text; their lines are of that

	mu      sync.Mutex
	watches map[watchKey]*watch // of the programs
	shown   map[change]bool     // of the reference: the calls tell it from the program
}

// A testOutcome is the outcome of an assert.
type testOutcome uint8

const (
	testUnknown testOutcome = iota
	testPassed
	testFailed
)

// newPlan makes the plan of a task. The error is that of the engine.
func newPlan(ctx context.Context, engine Engine, o Options, task *Task) (*Plan, error) {
	p := &Plan{engine: engine, task: *task, seed: o.Seed, shown: map[change]bool{}, watches: map[watchKey]*watch{}}
	if err := p.chooseCast(ctx, o); err != nil {
		return nil, err
	}
	if p.unknown != nil {
		return p, nil
	}
	sum := sha256.Sum256([]byte(task.Program))
	p.seeds = [2]uint64{binary.LittleEndian.Uint64(sum[:]) ^ p.seed, binary.LittleEndian.Uint64(sum[8:])}
	rng := rand.New(rand.NewPCG(p.seeds[0], p.seeds[1]))
	p.constants = map[string]bool{}
	for _, m := range []*reference{p.reference, p.other} {
		if m == nil {
			continue
		}
		for _, c := range constants(m.module) {
			p.constants[c.value.String()] = true
		}
	}
	for _, m := range p.programs() {
		p.sites = append(p.sites, p.newWatch(m, m, nil, false))
	}
	base := p.baseProbes()
	chosen, repeated, failing, err := p.choose(ctx, rng, base)
	if err != nil {
		return nil, err
	}

	// The first session reads the variables, then has the tests' own script, then
	// the calls. The second has calls in another order, with odd ones after the others,
	// as a program may remember their arguments, and last those on which the program fails.
	var first, second, after []step
	if p.hasDefinitions() {
		after = variableSteps(p.reference.module)
		first = append(slices.Clone(after), declarationSteps(p.reference.module)...)
	}
	given := len(first)
	whole := probe{parts: p.script.parts}
	for i, s := range whole.steps() {
		if s.expr != "" {
			p.watched = append(p.watched, given+i)
		}
		first = append(first, s)
	}
	variables := p.script.variable
	if !p.hasDefinitions() {
		variables = slices.Concat(variables, sortedKeys(p.reference.defined))
	}
	for _, name := range variables {
		first = append(first, step{expr: name, shown: name})
	}
	if p.script.imports != "" {
		second = append(second, step{exec: p.script.imports})
	}
	for _, c := range chosen {
		first = append(first, c.steps()...)
	}
	recording := p.recordingSteps()
	watched := len(first)
	first = slices.Concat(first, after, sharingSteps(chosen, after), recording)
	s, err := p.session(ctx, first, watched)
	if err != nil {
		return nil, err
	}
	p.sessions = []*session{s}
	s.findState(after)
	rng.Shuffle(len(repeated), func(i, j int) { repeated[i], repeated[j] = repeated[j], repeated[i] })
	sortBy(repeated, func(c *probe) int { return map[bool]int{true: 1}[c.odd] })
	for _, c := range repeated {
		for _, s := range c.steps() {
			s.given, s.bind = slices.Concat(s.given, s.bind), nil // the first session compares changes to arguments
			second = append(second, s)
		}
	}
	watched = len(second)
	second = slices.Concat(second, s.raisedSteps(), after, recording)
	for _, c := range failing { // last: effects of a call before it fails are not compared
		second = append(second, c.steps()...)
	}
	if len(second) > 0 {
		if s, err = p.session(ctx, second, watched); err != nil {
			return nil, err
		}
		p.sessions = append(p.sessions, s)
	}
	p.made = true
	if o.Mutants {
		err = p.hunt(ctx)
	}
	return p, err
}

// session runs steps on the program, and on the other one if there is one. So many of the steps show what
// a program does.
func (p *Plan) session(ctx context.Context, steps []step, watched int) (*session, error) {
	s, err := p.runProgram(ctx, p.reference, steps)
	if err != nil {
		return nil, err
	}
	s.watched = watched
	return s, p.agree(ctx, s)
}

// agree runs a session on the other program too. A repair may change what a faulty
// program does: x == True for x = 1, assert on a tuple, an undefined name. So an
// answer may do what the task's program does, or what the canonical answer does.
//
// The other program's objects are elsewhere in memory. Without another program, a plan
// runs the same program again. Values that depend on addresses, such as an object's
// hash, then differ.
func (p *Plan) agree(ctx context.Context, s *session) error {
	err := p.agreeOn(ctx, s, "n % 480 for n in range(4999)")
	if err != nil || p.other == nil && !p.unsteady || p.other != nil && !s.showsAddress() {
		return err
	}
	// An address may be the same by chance.
	return p.agreeOn(ctx, s, "n % 336 for n in range(7001)")
}

// agreeOn is agree with objects of the given sizes before those of the program.
func (p *Plan) agreeOn(ctx context.Context, s *session, sizes string) error {
	if p.other == nil && p.made && !p.unsteady {
		return nil
	}
	of := p.reference
	if p.other != nil {
		of = p.other
	}
	if !p.made && len(p.sessions) == 0 {
		if agrees, err := p.agreesWatched(ctx, s, sizes); agrees || err != nil {
			return err
		}
	}
	elsewhere := func(m *reference) (*sandbox.Result, error) {
		before := "import sys\nsys.elsewhere = [bytes(size) for size in (" + sizes + ")]\n"
		r, err := p.engine.Run(ctx, sandbox.Program{Source: m.source, Before: before, Calls: s.calls, Budget: answerBudget(s.used), Keep: !p.made})
		return &r, err
	}
	r, err := elsewhere(of)
	if err != nil || r.End != s.end {
		return err // nothing to compare with
	}
	s.anyOutput = moduleOutput(r) != s.output
	again := r // what the program itself does elsewhere; nil: not run yet
	if p.other != nil {
		again = nil
	}
	for i := range min(len(s.want), len(r.Calls)) {
		want, got := &s.want[i], &r.Calls[i]
		held := want.binding || want.accident && got.End == sandbox.Done
		want.accident = want.accident && got.End == sandbox.Raised
		if got.End == sandbox.Raised && got.Exception.Type == "NameError" {
			continue // a definition has another name there
		}
		if !held || want.compare(got, callOutput(r, i), "", nil).Outcome == evaluator.Pass {
			continue
		}
		if again == nil {
			if again, err = elsewhere(p.reference); err != nil {
				return err
			}
		}
		programsDiffer := p.other != nil // and not only the addresses of their objects
		if i < len(again.Calls) && want.compare(&again.Calls[i], callOutput(again, i), "", nil).Outcome != evaluator.Pass {
			programsDiffer = false
			p.unsteady = p.unsteady || p.other == nil && !p.made
			if steady := want.steady(&again.Calls[i]); steady != nil && steady.compare(got, callOutput(r, i), "", nil).Outcome == evaluator.Pass {
				*want = *steady // values that depend on addresses are ignored
				continue
			}
		}
		want.binding, want.evidence = false, false
		if programsDiffer {
			want.or = &expectation{Outcome: *got, output: callOutput(r, i)}
		}
	}
	return nil
}

// agreesWatched is agreeOn for the plan's first session on a program that is watched. It reports whether the
// program did what is expected.
func (p *Plan) agreesWatched(ctx context.Context, s *session, sizes string) (bool, error) {
	last := len(p.sites) - 1
	w := p.sites[last].clone()
	w.again, w.others = true, sizes
	r, err := p.watchSession(ctx, w, s)
	if err != nil || !w.ended {
		return false, err
	}
	p.watches[watchKey{program: last}] = w
	_, passes := p.passes(s, &subject{apart: map[*expectation]apart{}}, r)
	return passes, nil
}

// hasDefinitions reports whether the program defines something to call. A program
// without definitions is a script, compared by its output and variables.
func (p *Plan) hasDefinitions() bool {
	return slices.ContainsFunc(p.reference.body, func(s ast.Stmt) bool { return ast.OpensScope(s) })
}

// chooseReference chooses the reference: the task's program, unless it does not run,
// or fails tests that the canonical answer passes.
func (p *Plan) chooseReference(ctx context.Context) error {
	bestPassed := -1
	for _, program := range slices.Compact([]string{p.task.Program, p.task.Canonical}) {
		plain := newPlainText(program).deferred()
		m, ok := newReference(plain.text)
		if !ok || program == "" {
			continue
		}
		m.plain = plain
		s := newScript(m.module, p.task.Setup, p.task.Tests)
		outcomes, r, err := p.runScript(ctx, plain.text, s, true, func(test int) string { return s.tests[test].shown })
		switch {
		case err != nil:
			return err
		case r.End == sandbox.Unknown:
			return untold(r) // a lack of gpython's, and not of the program
		}
		p.noteEngine(r)
		if r.End != sandbox.Done && r.End != sandbox.Exited {
			continue
		}
		used := r.Used // by the program's own statements
		for i := range r.Calls {
			used -= r.Calls[i].Used
		}
		passed := 0
		for _, o := range outcomes {
			if o == testPassed {
				passed++
			}
		}
		if program == p.task.Canonical {
			p.canonical = passed >= bestPassed
		}
		if passed <= bestPassed {
			p.other = m
		} else {
			p.other, bestPassed = p.reference, passed
			p.reference, p.script, p.tests, p.moduleUsed = m, s, outcomes, used
		}
	}
	if p.reference == nil {
		p.unknown = &evaluator.Reason{Name: "no-reference", Text: "neither the task's program nor its canonical one can be run to its end"}
	} else if p.reference.doubt != "" {
		p.unknown = &evaluator.Reason{Name: "not-repeatable", Text: "the program depends on more than what it is given: " + p.reference.doubt}
	}
	return nil
}

// baseProbes returns the calls from which others are made: those of the tests, or
// the whole script if its statements prepare the calls.
func (p *Plan) baseProbes() []*probe {
	var base []*probe
	for i := range p.script.calls {
		base = append(base, &p.script.calls[i])
	}
	if p.script.state {
		whole := &probe{callee: "\x00script", parts: slices.Clone(p.script.parts)}
		for _, name := range p.script.variable {
			whole.parts = append(whole.parts, part{code: &code{text: name}})
		}
		base = append(base, whole)
	}
	return base
}

// Undecidable returns the reason why every answer is unknown, unless its tree is the same
// or a guard refuses it: not-repeatable, no-reference or nothing-to-call. It is nil if
// answers can be decided.
func (p *Plan) Undecidable() *evaluator.Reason {
	switch {
	case (p.reference == nil || p.task.Free) && len(p.task.Tests) > 0:
		return nil
	case p.unknown != nil:
		return p.unknown
	case p.task.Free:
		return &evaluator.Reason{Name: "nothing-to-call", Text: "there are no tests"}
	case slices.Contains(p.tests, testPassed), slices.ContainsFunc(p.sessions, (*session).tells):
		return nil
	}
	return &evaluator.Reason{Name: "nothing-to-call", Text: "nothing that the program does could be compared"}
}

// tells reports whether equal results in the session show that an answer does what the
// program does.
func (s *session) tells() bool {
	return s.output != printed{} && !s.anyOutput || slices.ContainsFunc(s.want, func(e expectation) bool { return e.evidence })
}
