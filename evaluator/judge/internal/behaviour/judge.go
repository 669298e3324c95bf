package behaviour

import (
	"context"
	"slices"
	"strings"
	"sync"

	"codelinter/evaluator"
	"codelinter/internal/guard"
)

// Options configure a Judge. The zero value is a good choice.
type Options struct {
	// Seed changes which calls are made. Who trains on the verdicts of public
	// tasks may keep one of their own secret, so that no model can learn them.
	Seed uint64
	// NoStandIns says that nothing is played: a program that imports what the sandbox lacks
	// cannot be run.
	NoStandIns bool
	// Mutants says that plans have a [task.Adequacy]. To make one takes several times as long.
	Mutants bool
	// Plans is how many tasks' plans are kept; 0: 512. A plan takes some 100 KB.
	Plans int
}

// A Judge judges answers to tasks. It is for use from any number of goroutines.
type Judge struct {
	engine  Engine
	options Options

	mu    sync.Mutex
	plans map[string]*keptPlan
	clock int64
}

type keptPlan struct {
	once sync.Once
	plan *Plan
	err  error
	used int64 // the Judge's clock when it was last asked for
}

// New returns a Judge that runs programs by engine, a *sandbox.Pool for
// instance.
func New(engine Engine, o Options) *Judge {
	if o.Plans <= 0 {
		o.Plans = 512
	}
	return &Judge{engine: engine, options: o, plans: map[string]*keptPlan{}}
}

// Plan returns the plan of a task. It is made when it is first asked for, which
// takes a few hundred calls of the task's program, and kept; tasks are told apart
// by all of their fields. The error is that of ctx or of the engine.
func (j *Judge) Plan(ctx context.Context, task *Task) (*Plan, error) {
	key := task.key()
	for {
		k := j.keep(key)
		mine := false
		k.once.Do(func() {
			mine = true
			k.plan, k.err = newPlan(ctx, j.engine, j.options, task)
		})
		if k.err == nil {
			return k.plan, nil
		}
		// What failed is not kept: it was ours, and may pass.
		j.mu.Lock()
		if j.plans[key] == k {
			delete(j.plans, key)
		}
		j.mu.Unlock()
		if mine || ctx.Err() != nil {
			return nil, k.err
		}
		// Another caller's, whose ctx may have ended: try by ours.
	}
}

// keep returns the place of a plan, and makes room for it.
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

func (t *Task) key() string {
	free := "0"
	if t.Free {
		free = "1"
	}
	return strings.Join(append([]string{t.ID, t.Program, t.Canonical, t.Setup, free}, t.Tests...), "\x00")
}

// Judge is [Plan.Judge] with the task's plan, which is asked for only if the answer
// has to be run.
func (j *Judge) Judge(ctx context.Context, task *Task, answer string, report *guard.Report) Verdict {
	if v, settled := task.settle(report); settled {
		return v
	}
	plan, err := j.Plan(ctx, task)
	if err != nil {
		return Verdict{Outcome: evaluator.Unknown, Err: err}
	}
	return plan.Judge(ctx, answer, report)
}

// settle gives the verdict on an answer that need not be run.
func (t *Task) settle(report *guard.Report) (v Verdict, settled bool) {
	if len(report.Reasons) > 0 {
		return Verdict{Outcome: evaluator.Fail, Reasons: slices.Clone(report.Reasons)}, true
	}
	if report.SameTree && !t.Free {
		return Verdict{Outcome: evaluator.Pass, Proof: ByTree}, true
	}
	return Verdict{}, false
}

// maxVerdicts is how many answers' verdicts a plan keeps.
const maxVerdicts = 4096

// Judge judges an answer, which is Python that a [guard.Checker] has looked at:
// report is what it found, and is not kept. An answer that a guard refuses fails,
// one that is the same tree passes, and any other is run. The verdict depends on
// the task, the answer and [Options.Seed] alone.
func (p *Plan) Judge(ctx context.Context, answer string, report *guard.Report) Verdict {
	if v, settled := p.task.settle(report); settled {
		return v
	}
	p.mu.Lock()
	v, known := p.verdicts[report.Hash]
	p.mu.Unlock()
	if known {
		return v
	}
	v = p.trusted(p.judge(ctx, answer, renames(report)))
	v.StandIns = p.played
	if v.Err == nil {
		p.mu.Lock()
		if len(p.verdicts) >= maxVerdicts {
			clear(p.verdicts)
		}
		p.verdicts[report.Hash] = v
		p.mu.Unlock()
	}
	return v
}
