package behaviour

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync"

	"codelinter/evaluator"
	"codelinter/internal/guard"
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

	mu    sync.Mutex
	plans map[string]*keptPlan
	clock int64
}

// errPlanning is the error of a plan whose making ended in a panic.
var errPlanning = errors.New("the task's plan could not be made")

type keptPlan struct {
	once sync.Once
	plan *Plan
	err  error
	used int64 // the Judge's clock at the last use
}

// New returns a Judge that runs programs by engine, such as a *sandbox.Pool.
func New(engine Engine, o Options) *Judge {
	if o.Plans <= 0 {
		o.Plans = 512
	}
	return &Judge{engine: engine, options: o, plans: map[string]*keptPlan{}}
}

// Plan returns the plan of a task. Plans are cached by all fields of the task;
// making one takes a few hundred calls of the task's program. The error is that of
// ctx or of the engine.
func (j *Judge) Plan(ctx context.Context, task *Task) (*Plan, error) {
	key := task.key()
	for {
		k := j.keep(key)
		mine := false
		k.once.Do(func() {
			mine = true
			k.err = errPlanning // after a panic, which ends the making
			k.plan, k.err = newPlan(ctx, j.engine, j.options, task)
		})
		if k.err == nil {
			return k.plan, nil
		}
		// An error is not kept, as it was ours and may pass.
		j.mu.Lock()
		if j.plans[key] == k {
			delete(j.plans, key)
		}
		j.mu.Unlock()
		if mine || ctx.Err() != nil {
			return nil, k.err
		}
		// The plan of another caller, whose ctx may have ended: try again.
	}
}

// keep returns the place of a plan, and evicts another if needed.
func (j *Judge) keep(key string) *keptPlan {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.clock++
	k := j.plans[key]
	if k == nil {
		if len(j.plans) >= j.options.Plans {
			oldest, at := "", j.clock
			for name, other := range j.plans {
				if other.used < at {
					oldest, at = name, other.used
				}
			}
			delete(j.plans, oldest)
		}
		k = &keptPlan{}
		j.plans[key] = k
	}
	k.used = j.clock
	return k
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

// maxVerdicts bounds the verdicts that a plan caches.
const maxVerdicts = 4096

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
	p.mu.Lock()
	v, known := p.verdicts[key]
	p.mu.Unlock()
	if known {
		return v.in(&plain), nil
	}
	v, err := p.judgePlain(ctx, &plain, renames(report), report.Alike)
	if err != nil {
		return Verdict{Outcome: evaluator.Unknown}, err
	}
	v = p.trusted(v)
	v.StandIns = p.played
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.verdicts) >= maxVerdicts {
		clear(p.verdicts)
	}
	p.verdicts[key] = v
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
