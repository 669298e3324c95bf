package judge

import (
	"context"
	"sync"

	"codelinter/evaluator/judge/internal/behaviour"
	"codelinter/evaluator/task"
	"codelinter/internal/equiv/same"
	"codelinter/internal/guard"
	"codelinter/internal/util/lru"
)

// A program has what judging answers to a task needs. It is safe for concurrent use.
type program struct {
	programKey
	guard     *guard.Program
	held      bool // guard has the task's program or the canonical one
	task      behaviour.Task
	canonical func() *same.Original // gives nil if it does not parse; nil if there is none but the program

	mu    sync.Mutex
	holds *bool // see holdsCanonical; nil: not known yet
}

// holdsCanonical is [behaviour.Judge.CanonicalHolds], asked once.
func (p *program) holdsCanonical(ctx context.Context, j *behaviour.Judge) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.holds == nil {
		holds, err := j.CanonicalHolds(ctx, &p.task)
		if err != nil {
			return false, err
		}
		p.holds = &holds
	}
	return *p.holds, nil
}

// A programKey identifies a program. The text is part of it, as the memory of a task
// may be reused for another.
type programKey struct {
	of   *task.Task
	code string
}

// programs caches the programs of all judges. If answers to many tasks are mixed, each
// would otherwise parse its program anew, which takes seven times as long as checking
// the answer.
type programs struct {
	known lru.Cache[programKey, *program]
}

// programBytes bounds a generation of the cache.
const programBytes = 16 << 20

// of returns a task's program.
func (p *programs) of(t *task.Task, checker *guard.Checker) (*program, error) {
	return p.known.Of(programBytes, programKey{t, t.Inputs.Code}, func() (*program, int64, error) { return read(t, checker) })
}

// read makes a task's program. size is its memory in bytes.
func read(t *task.Task, checker *guard.Checker) (p *program, size int64, err error) {
	p = &program{programKey: programKey{t, t.Inputs.Code}, held: true, task: behaviour.Task{
		ID:        string(t.Meta.ID),
		Program:   t.Inputs.Code,
		Canonical: t.Meta.CanonicalCode,
		Tests:     tests(t),
		Free:      t.Meta.Logic == task.FreeLogic,
	}}
	callers := p.task.Tests
	if t.Meta.Row != nil {
		p.task.Setup = t.Meta.TestSetupCode
		callers = append([]string{p.task.Setup}, callers...)
	}
	if p.task.Canonical != "" && p.task.Canonical != p.task.Program {
		p.canonical = sync.OnceValue(func() *same.Original {
			original, err := same.Read([]byte(p.task.Canonical), callers...)
			if err != nil {
				return nil
			}
			original.Ask(nil)
			return original
		})
	}
	if err := checker.Follow(t.Meta.Options.Lint()); err != nil {
		return nil, 0, err
	}
	p.guard, err = checker.Program([]byte(p.task.Program), callers...)
	if err != nil {
		p.guard, err = checker.Program([]byte(p.task.Canonical), callers...)
		p.held = err == nil && p.task.Canonical != ""
	}
	if err != nil {
		p.guard, err = checker.Program(nil, callers...)
	}
	size = int64((len(p.task.Program)+len(p.task.Canonical))*bytesOfTree + 1024)
	for _, text := range callers {
		size += int64(len(text))
	}
	return p, size, err
}

// bytesOfTree is the memory for each byte of a program, with its tree and pattern,
// measured with the open set.
const bytesOfTree = 70

// tests returns the asserts of a task.
func tests(t *task.Task) []string {
	if t.Meta.Row == nil {
		return nil
	}
	return append(append([]string(nil), t.Meta.TestList...), t.Meta.ChallengeTestList...)
}
