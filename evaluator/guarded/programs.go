package guarded

import (
	"sync"

	"codelinter/evaluator/behaviour"
	"codelinter/evaluator/guard"
	"codelinter/evaluator/task"
	"codelinter/internal/recent"
)

// A program is what is made of a task to judge answers to it. It does not change once
// it is made.
type program struct {
	of    *task.Task
	guard *guard.Program
	held  bool // guard is the task's program or its canonical one
	task  behaviour.Task
}

// is reports whether the program is a task's, which may have been reused for another.
func (p *program) is(t *task.Task) bool {
	return p != nil && p.of == t && p.task.Program == t.Inputs.Code
}

// programs are those that answers were held against last, by all judges. Where the
// tasks of answers are mixed, each would else have its program read anew, which takes
// seven times as long as the check of an answer against it.
type programs struct {
	mu    sync.Mutex
	known recent.Map[*task.Task, *program]
}

// programBytes is what a generation of programs may take.
const programBytes = 16 << 20

// of returns a task's program.
func (p *programs) of(t *task.Task, checker *guard.Checker) (*program, error) {
	p.mu.Lock()
	found, ok := p.known.Get(t)
	p.mu.Unlock()
	if ok && found.is(t) {
		return found, nil
	}
	made, size, err := read(t, checker) // unlocked: two who read the same make the same
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known.Room = programBytes
	p.known.Put(t, made, size)
	return made, nil
}

// read makes a task's program. size is what it takes.
func read(t *task.Task, checker *guard.Checker) (p *program, size int64, err error) {
	p = &program{of: t, held: true, task: behaviour.Task{
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
	p.guard, err = checker.Program([]byte(p.task.Program), callers...)
	if err != nil {
		p.guard, err = checker.Program([]byte(p.task.Canonical), callers...)
		p.held = err == nil && p.task.Canonical != ""
	}
	if err != nil {
		p.guard, err = checker.Program(nil, callers...)
	}
	size = int64(max(len(p.task.Program), len(p.task.Canonical))*bytesOfTree + 1024)
	for _, text := range callers {
		size += int64(len(text))
	}
	return p, size, err
}

// bytesOfTree is what a byte of a program takes once it is read, with its tree and its
// normal form, as measured with the open set's.
const bytesOfTree = 70

// tests returns the asserts of a task.
func tests(t *task.Task) []string {
	if t.Meta.Row == nil {
		return nil
	}
	return append(append([]string(nil), t.Meta.TestList...), t.Meta.ChallengeTestList...)
}
