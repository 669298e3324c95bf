// Package judge gives the guarded verdict: an answer passes if it passes
// officially, has not gamed that, and keeps the logic of the task's program.
//
//	judges := judge.New(judge.Options{})
//	defer judges.Close()
//	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
//	...
//	result, err := scorer.Score(ctx, &task, outputs)
//	result.Samples[0].Judgements[1] // pass, fail or unknown; the proof, the reasons, the reward
//
// # What it takes to pass
//
// Each step is taken only if those before it have not decided.
//
//  1. The answer passes officially. It fails for the reason "official" else.
//  2. No guard refuses it: see package guard, which looks at texts alone.
//  3. It is the same program as the task's but for style: proof "tree".
//  4. It does what the task's program does wherever that was made to do
//     something: proof "runs", see package behaviour. Where the task's program
//     cannot be the measure, the canonical one is; where there is none or the task
//     leaves the logic free, the asserts decide: proof "tests".
//
// What cannot be decided is unknown, and so is what an error of ours kept from
// being decided. Neither is a pass.
//
// # Rewards
//
// A [Binary] reward is 1 for a pass and 0 for anything else. A [Shaped] one is
//
//	0                                          if a guard refuses the answer
//	max(0, (fixed - introduced) / given) * B   else
//
// of the findings given, fixed and introduced as [evaluator.Changes] counts them,
// with B = 1 if steps 3 or 4 show that the logic is kept and 0 if not. With
// nothing given it is B if nothing is introduced. So an answer that mends half of
// what it was given and keeps the logic gets 0.5, and there is nothing to be had
// by breaking the program.
//
// Where it is not known whether the logic is kept, [OnUnknown] says what the reward
// is: 0, none, or the one that there is if it is kept, which is to trust the official
// verdict alone.
package judge

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"codelinter/evaluator"
	"codelinter/evaluator/judge/internal/behaviour"
	"codelinter/evaluator/task"
	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/sandbox"
)

// A Reward says what reward comes with a judgement; see the package comment.
type Reward uint8

// The rewards.
const (
	Binary Reward = iota
	Shaped
)

// Rewards returns the names of all rewards, in their order.
func Rewards() []string { return []string{"binary", "shaped"} }

// String returns "binary" or "shaped".
func (r Reward) String() string { return Rewards()[r] }

// ParseReward returns the reward of a name.
func ParseReward(name string) (Reward, error) {
	for i, known := range Rewards() {
		if name == known {
			return Reward(i), nil
		}
	}
	return 0, fmt.Errorf("expected %s, found %q", strings.Join(Rewards(), " or "), name)
}

// OnUnknown says what reward an answer has whose logic could not be decided.
type OnUnknown uint8

// What an unknown is rewarded with.
const (
	ZeroUnknown     OnUnknown = iota // 0, as if the logic were lost
	MaskUnknown                      // none: see [evaluator.Judgement.Masked]
	OfficialUnknown                  // what it has if the logic is kept
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

// Options configure the judges. The zero value is a good choice.
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

// Judges make judges that share a sandbox and what is known of tasks. They are for
// use from any number of goroutines.
type Judges struct {
	reward    Reward
	onUnknown OnUnknown
	engine    *engine
	behaviour *behaviour.Judge
	programs  *programs
}

// New returns Judges. The sandbox starts when the first answer is to be run, so
// that a run in which none is costs nothing.
func New(o Options) *Judges {
	e := &engine{options: o.Sandbox}
	return &Judges{o.Reward, o.OnUnknown, e, behaviour.New(e, behaviour.Options{Seed: o.Seed, NoStandIns: o.NoStandIns, Mutants: o.Mutants}), new(programs)}
}

// Close stops the sandbox, if it was started. Answers that still run are unknown.
func (j *Judges) Close() error { return j.engine.close() }

// WithReward returns judges that give other rewards and share all else with j, which
// is the one to close.
func (j *Judges) WithReward(r Reward, o OnUnknown) *Judges {
	return &Judges{r, o, j.engine, j.behaviour, j.programs}
}

// Start starts the sandbox, unless it has been, so that the first answer to be run
// does not wait for it. ctx bounds the start.
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

// NoTask stands for the task of an answer that belongs to none. The guarded verdict
// on such an answer is that of the guards that need no program beside it: it passes
// if it passes officially, does not silence the linter or hide code from it, and does
// something. Nothing is run.
var NoTask = &task.Task{}

// Makers returns what [evaluator.ScorerOptions] asks for.
func (j *Judges) Makers() []func() (evaluator.Judge, error) {
	return []func() (evaluator.Judge, error){func() (evaluator.Judge, error) { return &judge{judges: j}, nil }}
}

// Undecidable returns the reason for which no answer to a task can be decided, unless it is the
// same program by its tree: one of [evaluator.TaskReasons], nil where there is none. It makes the
// task's plan, which takes tens of milliseconds. The error is ours, or that of ctx.
func (j *Judges) Undecidable(ctx context.Context, t *task.Task) (*evaluator.Reason, error) {
	plan, err := j.plan(ctx, t)
	if err != nil {
		return nil, err
	}
	return plan.Undecidable(), nil
}

// Adequacy returns what the calls are worth by which answers to a task are judged. It is nil
// without [Options.Mutants], and where no mutant of the program can be run. The error is as that
// of Undecidable.
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

// Keeps judges whether a text does what a program does, for which findings of the program ask
// what is different. Options are those that the program is linted with.
func (j *Judges) Keeps(ctx context.Context, program, text string, findings []rule.Finding, options lint.Options) (behaviour.Verdict, error) {
	var checker guard.Checker
	if err := checker.Follow(options); err != nil {
		return behaviour.Verdict{}, err
	}
	p, err := checker.ProgramOf([]byte(program), findings)
	if err != nil {
		return behaviour.Verdict{}, err
	}
	verdict := j.behaviour.Judge(ctx, &behaviour.Task{Program: program}, text, checker.Check(p, []byte(text), lint.Facts{}))
	return verdict, verdict.Err
}

// An engine is a sandbox that starts with its first program.
type engine struct {
	options sandbox.Options
	mu      sync.Mutex
	pool    *sandbox.Pool
	closed  bool
}

// Run is [sandbox.Pool.Run].
func (e *engine) Run(ctx context.Context, program sandbox.Program) sandbox.Result {
	// Not the context of the first answer, which ends before the pool does.
	pool, err := e.start(context.Background())
	if err != nil {
		return sandbox.Result{End: sandbox.Failed, Err: err}
	}
	return pool.Run(ctx, program)
}

// start returns the pool. One that does not start is tried again for the next
// program: what is wrong, such as a lack of processes, may pass.
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
}

// keptBytes is the longest answer whose memory a judge keeps for the next.
const keptBytes = 64 << 10

func (*judge) Verdict() evaluator.Verdict { return evaluator.Guarded }

func (j *judge) Judge(ctx context.Context, t *task.Task, sample *evaluator.Sample) (judgement evaluator.Judgement, err error) {
	// A fault of ours that one answer brings out must not end a run of thousands.
	defer func() {
		if fault := recover(); fault != nil {
			*j = judge{judges: j.judges}
			judgement, err = evaluator.Judgement{}, fmt.Errorf("panic: %v", fault)
		}
	}()
	if len(sample.Code) > keptBytes {
		defer func() { j.checker = guard.Checker{} }()
	}
	official := sample.Official()
	if !official && j.judges.reward == Binary {
		return notOfficial(sample), nil
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
	judgement = evaluator.Judgement{Outcome: verdict.Outcome, Proof: verdict.Proof, Reasons: verdict.Reasons, StandIns: verdict.StandIns}
	reward, masked := j.judges.rewardOf(verdict, sample)
	if !official {
		judgement = notOfficial(sample)
	}
	judgement.Reward, judgement.Masked = reward, masked
	return judgement, nil
}

// rewardOf returns the reward that a verdict of behaviour gives an answer. One that has none whether or
// not its logic is kept, as it fixes nothing, is not masked.
func (j *Judges) rewardOf(verdict behaviour.Verdict, sample *evaluator.Sample) (reward float64, masked bool) {
	unknown := verdict.Outcome == evaluator.Unknown
	if unknown {
		verdict.Outcome = evaluator.Pass // for the reward that there is to be had
	}
	if j.reward == Shaped {
		reward, _ = verdict.ShapedReward(sample.Given, sample.Fixed, sample.Introduced)
	} else {
		reward, _ = verdict.Reward()
	}
	if !unknown || reward == 0 || j.onUnknown == OfficialUnknown {
		return reward, false
	}
	return 0, j.onUnknown == MaskUnknown
}

// notOfficial is the judgement on an answer that does not pass officially.
func notOfficial(sample *evaluator.Sample) evaluator.Judgement {
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
		// The empty program stands in for one that there is not: to be the same as
		// that is no merit.
		report.SameTree = false
		if sample.Empty {
			report.Reasons = append(report.Reasons, evaluator.Reason{Name: guard.Empty, Text: "nothing in the code does anything"})
		}
	}
	if p.task.Free {
		report.Reasons = withoutStructure(report.Reasons)
	}
	verdict := j.judges.behaviour.Judge(ctx, &p.task, sample.Code, report)
	return verdict, verdict.Err
}

// alone is the verdict on an answer without a task, see [NoTask].
func alone(report *guard.Report, sample *evaluator.Sample) behaviour.Verdict {
	v := behaviour.Verdict{Outcome: evaluator.Pass}
	for _, r := range report.Reasons {
		switch r.Name {
		case guard.Noqa, guard.Encoding, guard.Syntax, guard.Depth, guard.Empty, guard.HiddenCode:
			v.Outcome = evaluator.Fail
			v.Reasons = append(v.Reasons, r)
		}
	}
	if v.Outcome == evaluator.Pass && sample.Empty {
		v.Outcome = evaluator.Fail
		v.Reasons = []evaluator.Reason{{Name: guard.Empty, Text: "nothing in the code does anything"}}
	}
	return v
}

// withoutStructure drops the reasons that hold an answer to the shape of the
// program, whose logic it may change.
func withoutStructure(reasons []evaluator.Reason) []evaluator.Reason {
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
