package sandbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"codelinter/sandbox/internal/job"
)

// Most programs end within milliseconds, and some only when their budget does, after a
// minute. If the latter kept their workers, a few of them would keep all others waiting, as
// nobody knows beforehand which they are. So a program that has run for a stint steps
// aside: the next one has its turn, and the long program goes on beside it. The system
// shares the processors among all of them.
//
// Long programs have as much memory together as the pool's workers. If there is no room,
// the child is killed, and the program waits for room and runs again. A program that runs
// twice does twice the same, so this costs no more than a stint.

// usualStint is the processor time after which a program steps aside. A quarter of a thousand
// clients that come at once with programs without end have had their stints on four
// processors within the time that a client waits for its first turn.
const usualStint = 200 * time.Millisecond

// childOwn is the memory of a child besides its program's, in bytes.
const childOwn = 128 << 20

// errMustWait ends a program for which there is no memory beside the other long ones.
var errMustWait = errors.New("the program must wait for room beside the short ones")

// A reservation is what a running program holds of its pool: a slot or, after it has yielded
// that, memory.
type reservation struct {
	slots, longMemory *semaphore.Weighted
	size              int64 // of the memory, in bytes
	stint             time.Duration

	mu    sync.Mutex
	moved bool
	left  bool
}

// longRoom returns the memory of long programs.
func (o *Options) longRoom() int64 { return int64(o.Workers) * (o.Memory + childOwn) }

// reserve returns the reservation of a program that has a slot.
func (p *Pool) reserve(j *job.Job) *reservation {
	size := p.options.Memory
	if j.Machine != nil {
		size = j.Machine.Memory
	}
	return &reservation{slots: p.slots, longMemory: p.longMemory, size: size + childOwn, stint: p.stint}
}

// yield gives the slot to the next program. It is errMustWait if there is no room.
func (r *reservation) yield() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.moved || r.left:
		return nil
	case !r.longMemory.TryAcquire(r.size):
		return errMustWait
	}
	r.moved = true
	r.slots.Release(1)
	return nil
}

// leave gives back what the program holds.
func (r *reservation) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	if r.moved {
		r.longMemory.Release(r.size)
	} else {
		r.slots.Release(1)
	}
}

// awaitMemory waits for room for a program that has been ended by errMustWait.
func (r *reservation) awaitMemory(ctx context.Context) (*reservation, error) {
	if err := r.longMemory.Acquire(ctx, r.size); err != nil {
		return nil, context.Cause(ctx)
	}
	return &reservation{slots: r.slots, longMemory: r.longMemory, size: r.size, stint: r.stint, moved: true}, nil
}

// runLong runs a program on a worker and, if it is long and there was no room for it, again
// on another one. It returns the worker that is to be released, or nil. It calls begun, if
// that is not nil, when the program has its first turn.
func (p *Pool) runLong(ctx context.Context, w *worker, j *job.Job, begun func()) (*job.Report, *worker, error) {
	if begun != nil {
		if err := p.untilLost(func() error { return p.ready(ctx, w) }); err != nil {
			return nil, w, err
		}
		begun()
	}
	if !p.isLong(j) {
		report, err := p.run(ctx, w, j)
		return report, w, err
	}
	w.reservation = p.reserve(j)
	report, err := p.run(ctx, w, j)
	if !errors.Is(err, errMustWait) {
		return report, w, err
	}
	held := w.reservation
	p.release(w)
	if held, err = held.awaitMemory(ctx); err != nil {
		return nil, nil, err
	}
	w = p.worker()
	w.reservation = held
	report, err = p.run(ctx, w, j)
	return report, w, err
}

// isLong reports whether a program may be long. One with a usual budget ends soon by itself,
// and a program of gpython, which has none, cannot run twice.
func (p *Pool) isLong(j *job.Job) bool {
	return p.options.Engine == CPython && !p.options.InProcess && j.Budget > DefaultBudget
}
