package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"codelinter/evaluator"
	"codelinter/internal/guard"
	"codelinter/internal/util/lru"
)

// Options configure a Judge. The zero value has good defaults.
type Options struct {
	// Seed changes the calls. A trainer on public tasks may use a secret seed, so
	// that no model can learn the calls.
	Seed uint64
	// NoStandIns turns stand-ins off: a program that imports missing modules then
	// cannot be run.
	NoStandIns bool
	// Mutants gives plans a [task.Adequacy]. Planning then takes several times as
	// long.
	Mutants bool
	// Plans is the number of plans that are kept; 0 means 512. A plan takes some
	// 100 KB.
	Plans int
}

// A Judge judges answers to tasks. It is safe for concurrent use.
type Judge struct {
	engine  Engine
	options Options
	plans   lru.Cache[string, *keptPlan]
}

// A keptPlan is the place of a plan, which one of those who ask for it makes.
type keptPlan struct {
	mu   sync.Mutex
	plan *Plan
}

// New returns a Judge that runs programs by engine, such as a *sandbox.Pool.
func New(engine Engine, o Options) *Judge {
	return &Judge{engine: engine, options: o}
}

// Plan returns the plan of a task. Plans are cached by all fields of the task;
// making one takes a few hundred calls of the task's program. The error is that of
// ctx or of the engine. It is not kept, as it was ours and may pass.
func (j *Judge) Plan(ctx context.Context, task *Task) (plan *Plan, err error) {
	room := int64(cmp.Or(j.options.Plans, 512) / 2) // of one generation
	kept, _ := j.plans.Of(room, task.key(), func() (*keptPlan, int64, error) { return new(keptPlan), 1, nil })
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.plan != nil {
		return kept.plan, nil
	}
	if plan, err = newPlan(ctx, j.engine, j.options, task); err != nil {
		return nil, err
	}
	kept.plan = plan
	return plan, nil
}

// CanonicalHolds reports whether a task's canonical answer runs to its end, and passes as many tests as
// the program. It takes a run of each, where a plan takes hundreds of calls. The error is as in Plan.
func (j *Judge) CanonicalHolds(ctx context.Context, task *Task) (bool, error) {
	p := &Plan{engine: j.engine, task: *task}
	err := p.chooseCast(ctx, j.options)
	return p.canonical, err
}

func (t *Task) key() string {
	free := "0"
	if t.Free {
		free = "1"
	}
	return strings.Join(append([]string{t.ID, t.Program, t.Canonical, t.Setup, free}, t.Tests...), "\x00")
}

// Judge is [Plan.Judge] with the task's plan. The plan is made only if the answer
// must be run.
func (j *Judge) Judge(ctx context.Context, task *Task, answer string, report *guard.Report) (Verdict, error) {
	if v, settled := task.settle(report); settled {
		return v, nil
	}
	plan, err := j.Plan(ctx, task)
	if err != nil {
		return Verdict{Outcome: evaluator.Unknown}, err
	}
	return plan.Judge(ctx, answer, report)
}

// settle gives the verdict on an answer that need not be run.
func (t *Task) settle(report *guard.Report) (v Verdict, settled bool) {
	if len(report.Reasons) > 0 {
		v.Outcome = evaluator.Fail
		for _, r := range report.Reasons {
			v.Reasons = append(v.Reasons, evaluator.Reason(r))
		}
		return v, true
	}
	if report.SameTree && !t.Free {
		return Verdict{Outcome: evaluator.Pass, Proof: ByTree}, true
	}
	return Verdict{}, false
}

// maxVerdicts bounds a generation of the verdicts that a plan caches.
const maxVerdicts = 2048

// Judge judges an answer. report is what a [guard.Checker] found in it, and is not
// kept. An answer that a guard refuses fails. One with the same tree passes. Any
// other is run. The verdict depends on the task, the answer and [Options.Seed]
// alone. After an error, that of the engine, there is none, and nothing is cached.
func (p *Plan) Judge(ctx context.Context, answer string, report *guard.Report) (Verdict, error) {
	if v, settled := p.task.settle(report); settled {
		return v, nil
	}
	plain := newPlainText(answer)
	key := sha256.Sum256([]byte(plain.text))
	v, err := p.verdicts.Of(maxVerdicts, key, func() (Verdict, int64, error) {
		v, err := p.judgePlain(ctx, &plain, renames(report), report.Alike)
		v = p.trusted(v)
		v.StandIns = p.played
		return v, 1, err
	})
	if err != nil {
		return Verdict{Outcome: evaluator.Unknown}, err
	}
	return v.in(&plain), nil
}

// judgePlain judges an answer. An undefined name may be that of an annotation, so an answer with a
// NameError runs once more without evaluating any.
func (p *Plan) judgePlain(ctx context.Context, plain *plainText, r *renaming, alike bool) (Verdict, error) {
	v, err := p.judge(ctx, plain.text, r, alike)
	deferred := plain.deferred()
	if err != nil || v.Outcome != evaluator.Fail || !strings.Contains(v.Reasons[0].Text, "NameError") || deferred.text == plain.text {
		return v, err
	}
	v, err = p.judge(ctx, deferred.text, r, alike)
	for i := range v.Reasons {
		if at := &v.Reasons[i].Line; *at > strings.Count(plain.text[:plain.body], "\n") {
			*at-- // the row that deferred adds
		}
	}
	return v, err
}

// in returns the verdict with the lines of the text that the plain text is of.
func (v Verdict) in(plain *plainText) Verdict {
	v.Reasons = slices.Clone(v.Reasons)
	for i := range v.Reasons {
		v.Reasons[i].Line = plain.row(v.Reasons[i].Line)
	}
	return v
}
