// Package judge gives the guarded verdict: an answer passes if it passes officially,
// does not trick the linter, and keeps the logic of the task's program.
//
//	judges := judge.New(judge.Options{})
//	defer judges.Close()
//	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
//	...
//	result, err := scorer.Score(ctx, &task, outputs)
//	result.Samples[0].Judgements[1] // pass, fail or unknown; the proof, the reasons, the reward
//
// # The steps
//
// A step is taken only if no earlier one has decided.
//
//  1. The answer passes officially. Otherwise it fails for the reason "official".
//  2. No guard refuses it: see package guard, which looks at texts alone.
//  3. Its tree is the program's or the canonical answer's but for style: proof "tree".
//  4. It does the same as the program in every call that was made: proof "runs", see
//     package behaviour. If the program cannot be run, the canonical answer takes its
//     place. If neither can be run or the task leaves the logic free, the asserts
//     decide: proof "tests".
//
// Otherwise it is unknown, also after an error of ours. An unknown is not a pass.
//
// # Rewards
//
// A [Binary] reward is 1 for a pass and 0 for anything else. A [Shaped] one is
//
//	0                                          if a guard refuses the answer
//	max(0, (fixed - introduced) / given) * B   else
//
// given, fixed and introduced are the numbers of findings in [evaluator.Changes]. B
// is 1 if step 3 or 4 shows that the logic is kept, else 0. If given is 0, the reward
// is B if nothing is introduced. So an answer that fixes half of the given findings
// and keeps the logic gets 0.5, and breaking the program never pays.
//
// If it is unknown whether the logic is kept, [OnUnknown] decides: 0, no reward, or
// the reward as if the logic were kept, which trusts the official verdict.
package judge

import (
	"context"
	"fmt"
	"sync"

	"codelinter/evaluator"
	"codelinter/evaluator/judge/internal/behaviour"
	"codelinter/evaluator/task"
	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/sandbox"
)

// OnUnknown is the reward of an answer if it is unknown whether its logic is kept.
type OnUnknown uint8

// The values of OnUnknown.
const (
	ZeroUnknown     OnUnknown = iota // 0, as if the logic were lost
	MaskUnknown                      // none: see [evaluator.Judgement.Masked]
	OfficialUnknown                  // as if the logic were kept
)

// UnknownRewards returns the names of all values of OnUnknown, in their order.
func UnknownRewards() []string { return []string{"zero", "mask", "official"} }

// String returns "zero", "mask" or "official".
func (o OnUnknown) String() string { return UnknownRewards()[o] }

// ParseOnUnknown returns the value of a name.
func ParseOnUnknown(name string) (OnUnknown, error) {
	for i, known := range UnknownRewards() {
		if name == known {
			return OnUnknown(i), nil
		}
	}
	return 0, fmt.Errorf("expected zero, mask or official, found %q", name)
}

// Options configure the judges. The zero value has good defaults.
type Options struct {
	Reward    Reward
	OnUnknown OnUnknown
	Sandbox   sandbox.Options
	// Seed is [behaviour.Options.Seed], and NoStandIns is [behaviour.Options.NoStandIns].
	Seed       uint64
	NoStandIns bool
	// Mutants is [behaviour.Options.Mutants].
	Mutants bool
}

// Judges make judges that share a sandbox and the plans of tasks. They are safe for
// concurrent use.
type Judges struct {
	reward    Reward
	onUnknown OnUnknown
	engine    *engine
	behaviour *behaviour.Judge
	programs  *programs
}

// New returns Judges. The sandbox starts with the first answer that must be run, so a
// run without such answers does not pay for it.
func New(o Options) *Judges {
	e := &engine{options: o.Sandbox}
	return &Judges{o.Reward, o.OnUnknown, e, behaviour.New(e, behaviour.Options{Seed: o.Seed, NoStandIns: o.NoStandIns, Mutants: o.Mutants}), new(programs)}
}

// Close stops the sandbox, if it was started. Answers that still run are unknown.
func (j *Judges) Close() error { return j.engine.close() }

// WithReward returns judges with other rewards that share everything else with j.
// Only j must be closed.
func (j *Judges) WithReward(r Reward, o OnUnknown) *Judges {
	return &Judges{r, o, j.engine, j.behaviour, j.programs}
}

// Start starts the sandbox unless it runs already, so that the first answer need not
// wait. ctx bounds the start.
func (j *Judges) Start(ctx context.Context) error {
	_, err := j.engine.start(ctx)
	return err
}

// Stats returns the sandbox's numbers, which are 0 before it starts.
func (j *Judges) Stats() sandbox.Stats {
	j.engine.mu.Lock()
	defer j.engine.mu.Unlock()
	if j.engine.pool == nil {
		return sandbox.Stats{}
	}
	return j.engine.pool.Stats()
}

// NoTask stands for the task of an answer without one. The guarded verdict then has
// only the guards that need no program: the answer passes if it passes officially,
// neither silences the linter nor hides code from it, and does something. Nothing is
// run.
var NoTask = &task.Task{}

// Makers returns the makers of judges for [evaluator.ScorerOptions].
func (j *Judges) Makers() []func() (evaluator.Judge, error) {
	return []func() (evaluator.Judge, error){func() (evaluator.Judge, error) { return &judge{judges: j}, nil }}
}

// Undecidable returns the reason why no answer to a task can be decided unless its
// tree is the program's: one of [evaluator.TaskReasons], or nil. It makes the task's
// plan, which takes tens of milliseconds. The error is ours, or that of ctx.
func (j *Judges) Undecidable(ctx context.Context, t *task.Task) (*evaluator.Reason, error) {
	plan, err := j.plan(ctx, t)
	if err != nil {
		return nil, err
	}
	return plan.Undecidable(), nil
}

// Adequacy returns the adequacy of a task's calls. It is nil without
// [Options.Mutants], or if no mutant of the program can be run. The error is as in
// Undecidable.
func (j *Judges) Adequacy(ctx context.Context, t *task.Task) (*task.Adequacy, error) {
	plan, err := j.plan(ctx, t)
	if err != nil {
		return nil, err
	}
	return plan.Adequacy(), nil
}

// plan returns a task's plan.
func (j *Judges) plan(ctx context.Context, t *task.Task) (*behaviour.Plan, error) {
	var checker guard.Checker
	p, err := j.programs.of(t, &checker)
	if err != nil {
		return nil, err
	}
	return j.behaviour.Plan(ctx, &p.task)
}

// Keeps judges whether a text does the same as a program. findings are those of the
// program that ask for the difference. options are those by which the program is
// linted. The error is as in Undecidable.
func (j *Judges) Keeps(ctx context.Context, program, text string, findings []rule.Finding, options lint.Options) (evaluator.Judgement, error) {
	var checker guard.Checker
	if err := checker.Follow(options); err != nil {
		return evaluator.Judgement{}, err
	}
	p, err := checker.ProgramOf([]byte(program), findings)
	if err != nil {
		return evaluator.Judgement{}, err
	}
	verdict, err := j.behaviour.Judge(ctx, &behaviour.Task{Program: program}, text, checker.Check(p, []byte(text), lint.Facts{}))
	return judgementOf(verdict), err
}

// judgementOf returns a verdict without its reward.
func judgementOf(v behaviour.Verdict) evaluator.Judgement {
	return evaluator.Judgement{Outcome: v.Outcome, Proof: v.Proof, Reasons: v.Reasons, StandIns: v.StandIns}
}

// Run runs a program in the judges' sandbox.
func (j *Judges) Run(ctx context.Context, program sandbox.Program) (sandbox.Result, error) {
	return j.engine.Run(ctx, program)
}

// An engine is a sandbox that starts with its first program.
type engine struct {
	options sandbox.Options
	mu      sync.Mutex
	pool    *sandbox.Pool
	closed  bool
}

// Run is [sandbox.Pool.Run].
func (e *engine) Run(ctx context.Context, program sandbox.Program) (sandbox.Result, error) {
	// Not the first answer's context, which ends before the pool does.
	pool, err := e.start(context.Background())
	if err != nil {
		return sandbox.Result{}, err
	}
	return pool.Run(ctx, program)
}

// start returns the pool. If it does not start, the next program tries again: the
// cause, such as a lack of processes, may pass.
func (e *engine) start(ctx context.Context) (*sandbox.Pool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pool == nil {
		if e.closed {
			return nil, fmt.Errorf("the sandbox is closed")
		}
		pool, err := sandbox.New(ctx, e.options)
		if err != nil {
			return nil, err
		}
		e.pool = pool
	}
	return e.pool, nil
}

func (e *engine) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.pool == nil {
		return nil
	}
	pool := e.pool
	e.pool = nil
	return pool.Close()
}

// A judge is an [evaluator.Judge].
type judge struct {
	judges  *Judges
	checker guard.Checker
	program *program // of the last task
	facts   facts    // of the last answer
}

// keptBytes is the length of an answer above which a judge does not keep its memory.
const keptBytes = 64 << 10

func (*judge) Verdict() evaluator.Verdict { return evaluator.Guarded }

func (j *judge) Judge(ctx context.Context, t *task.Task, sample *evaluator.Sample) (judgement evaluator.Judgement, err error) {
	// A panic in one answer must not end a run of thousands.
	defer func() {
		if fault := recover(); fault != nil {
			*j = judge{judges: j.judges}
			judgement, err = evaluator.Judgement{}, fmt.Errorf("panic: %v", fault)
		}
	}()
	if len(sample.Code) > keptBytes {
		defer func() { j.checker = guard.Checker{} }()
	}
	official, reward := sample.Official(), j.judges.reward
	asks := &j.facts
	*asks = facts{sample: sample, program: t.Inputs.Code, guarded: true}
	if tooLarge(sample) || !official && !reward.asks(asksLogic) && !reward.asks(asksTests) && !(suspicious(sample) && reward != Binary) {
		judgement = notOfficial(sample)
		judgement.Reward, judgement.Terms, judgement.Masked = reward.of(asks, j.judges.onUnknown)
		return judgement, nil
	}
	if j.program == nil || j.program.programKey != (programKey{t, t.Inputs.Code}) {
		if j.program, err = j.judges.programs.of(t, &j.checker); err != nil {
			return evaluator.Judgement{}, err
		}
	}
	verdict, err := j.logic(ctx, t, sample)
	if err != nil {
		return evaluator.Judgement{}, err
	}
	judgement = judgementOf(verdict)
	if !official {
		judgement = notOfficial(sample)
	}
	asks.logic = verdict.Outcome
	if reward != Binary {
		judgement.Logic = outcome(verdict.Outcome)
	}
	if reward.asks(asksTests) {
		tests, err := j.tests(ctx, t, sample)
		if err != nil {
			return evaluator.Judgement{}, err
		}
		asks.tests = tests
		judgement.Tests = outcome(tests)
	}
	judgement.Reward, judgement.Terms, judgement.Masked = reward.of(asks, j.judges.onUnknown)
	return judgement, nil
}

func outcome(o evaluator.Outcome) *evaluator.Outcome { return &o }

// tests tells whether an answer passes the task's tests, and no guard but those of the program's
// structure refuses it.
func (j *judge) tests(ctx context.Context, t *task.Task, sample *evaluator.Sample) (evaluator.Outcome, error) {
	p := j.program
	if t == NoTask || len(p.task.Tests) == 0 {
		return evaluator.Unknown, nil
	}
	free := p.task
	free.Free = true
	report := j.checker.Check(p.guard, []byte(sample.Code), sample.Facts)
	report.Reasons = withoutStructure(report.Reasons)
	verdict, err := j.judges.behaviour.Judge(ctx, &free, sample.Code, report)
	return verdict.Outcome, err
}

// notOfficial is the judgement for an answer that does not pass officially.
func notOfficial(sample *evaluator.Sample) evaluator.Judgement {
	if tooLarge(sample) {
		return evaluator.Judgement{Reasons: sample.Judgements[0].Reasons}
	}
	reason := evaluator.Reason{Name: "official", Text: "flake8 finds something in it"}
	if len(sample.Findings) > 0 {
		first := &sample.Findings[0]
		reason.Line = int(first.Row)
		reason.Text = fmt.Sprintf("%s %s", first.Code, first.Message())
		if sample.Found > 1 {
			reason.Text += fmt.Sprintf(", and %d more", sample.Found-1)
		}
	}
	return evaluator.Judgement{Outcome: evaluator.Fail, Reasons: []evaluator.Reason{reason}}
}

// logic judges whether an answer is honest and keeps the logic.
func (j *judge) logic(ctx context.Context, t *task.Task, sample *evaluator.Sample) (behaviour.Verdict, error) {
	p := j.program
	report := j.checker.Check(p.guard, []byte(sample.Code), sample.Facts)
	if t == NoTask {
		return alone(report, sample), nil
	}
	if !p.held {
		// The program is an empty stand-in for a missing one: having its tree proves
		// nothing.
		report.SameTree, report.Alike = false, false
		if sample.Empty {
			report.Reasons = append(report.Reasons, guard.Reason{Name: guard.Empty, Text: "nothing in the code does anything"})
		}
	}
	if p.task.Free {
		report.Reasons = withoutStructure(report.Reasons)
	} else if p.held && p.canonical != nil && j.checker.IsAlso(p.canonical()) {
		holds, err := p.holdsCanonical(ctx, j.judges.behaviour)
		if err != nil {
			return behaviour.Verdict{Outcome: evaluator.Unknown}, err
		}
		report.SameTree = report.SameTree || holds
	}
	return j.judges.behaviour.Judge(ctx, &p.task, sample.Code, report)
}

// alone is the verdict for an answer without a task, see [NoTask].
func alone(report *guard.Report, sample *evaluator.Sample) behaviour.Verdict {
	v := behaviour.Verdict{Outcome: evaluator.Pass}
	for _, r := range report.Reasons {
		switch r.Name {
		case guard.Noqa, guard.Encoding, guard.Syntax, guard.Depth, guard.Empty, guard.HiddenCode:
			v.Outcome = evaluator.Fail
			v.Reasons = append(v.Reasons, evaluator.Reason(r))
		}
	}
	if v.Outcome == evaluator.Pass && sample.Empty {
		v.Outcome = evaluator.Fail
		v.Reasons = []evaluator.Reason{{Name: guard.Empty, Text: "nothing in the code does anything"}}
	}
	return v
}

// withoutStructure drops the reasons about the structure of the program, whose logic
// the answer may change.
func withoutStructure(reasons []guard.Reason) []guard.Reason {
	kept := reasons[:0]
	for _, r := range reasons {
		switch r.Name {
		case guard.MissingDefinition, guard.Redefinition, guard.Decorator, guard.Signature:
		default:
			kept = append(kept, r)
		}
	}
	return kept
}
