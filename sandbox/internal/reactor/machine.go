package reactor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/wasi"
)

// CountTime is how many nanoseconds the clock of a program with a machine moves for
// each count: what CPython needs for one in the slowest ordinary kinds of loop.
const CountTime = 8

// equip gives the next program a machine. It returns why there can be no such machine, or "".
func (s *stepper) equip(j *job.Job) (refused string) {
	in, m := s.in, j.Machine
	system := &in.system
	s.pace(j)
	system.Input = m.Input
	files := wasi.NewFiles(system)
	if err := files.Folder(m.Folder); err != nil {
		return err.Error()
	}
	for _, file := range m.Files {
		if err := files.Put(file.Name, file.Data); err != nil {
			return fmt.Sprintf("%.200q: %v", file.Name, err)
		}
	}
	system.Files = files
	request := binary.AppendUvarint(nil, uint64(m.Memory))
	request = appendText(request, []byte(m.Path), 0)
	request = appendText(request, []byte(m.Folder), 0)
	request = binary.AppendUvarint(request, uint64(len(m.Arguments)))
	for _, argument := range m.Arguments {
		request = appendText(request, []byte(argument), 0)
	}
	at, err := s.export("allocate", uint64(len(request)))
	if err == nil && (at == 0 || !in.module.Memory().Write(uint32(at), request)) {
		err = errors.New("no memory for it")
	}
	var status uint64
	if err == nil {
		status, err = s.export("equip", at, uint64(len(request)))
	}
	if err == nil && status != 0 {
		err = errors.New("the interpreter refused: " + string(in.errors))
	}
	if err != nil {
		return "a machine for the program: " + err.Error()
	}
	in.output, in.errors = nil, nil
	in.budget.Set(uint64(j.Budget)) // equipping is not counted
	return ""
}

// pace makes the clock move with the work of a job, and its threads take turns.
func (s *stepper) pace(j *job.Job) {
	in := s.in
	in.system.Pace, in.system.Spent = CountTime, func() int64 { return j.Budget - in.left() }
	in.turns = newTurns(in)
	in.system.Turns = in.turns
}

// export calls an export that is not a step of a program.
func (s *stepper) export(name string, arguments ...uint64) (uint64, error) {
	results, err := s.in.module.ExportedFunction(name).Call(s.in.ctx, arguments...)
	if err != nil {
		return 0, err
	}
	return results[0], nil
}

// turns are the threads of one program. Each has a goroutine, and so a stack of
// wazero's. One runs at a time and hands over to the next, which the guest chooses. The
// main thread, 0, is the caller of the exports.
//
// If a thread ends otherwise than by returning, for example by a trap, the program
// ends: the trap is thrown in the main thread.
type turns struct {
	in      *Instance
	threads map[uint32]*turn
	current uint32
	ended   sync.WaitGroup
}

// A turn is a thread that waits for its turn.
type turn struct {
	come  chan error // its turn has come; not nil: it must end
	stack uint64     // stack pointer at its next turn
}

// errEnded is thrown in a thread whose program has ended.
var errEnded = errors.New("the program has ended")

func newTurns(in *Instance) *turns {
	return &turns{in: in, threads: map[uint32]*turn{0: {come: make(chan error, 1)}}}
}

// Spawn makes a thread that waits for its first turn.
func (t *turns) Spawn(id, stackEnd uint32) {
	thread := &turn{make(chan error, 1), uint64(stackEnd)}
	t.threads[id] = thread
	t.ended.Add(1)
	go func() {
		defer t.ended.Done()
		if <-thread.come != nil {
			return
		}
		t.in.stack.Set(thread.stack)
		next, err := t.run()
		if errors.Is(err, errEnded) {
			return // all other threads end too
		}
		delete(t.threads, id)
		switch {
		case err == nil && t.threads[next] != nil:
			t.current = next
			t.threads[next].come <- nil
		case err == nil:
			t.threads[0].come <- errors.New("the guest turns to a thread that is not there")
		default:
			t.threads[0].come <- err
		}
	}()
}

func (t *turns) run() (next uint32, err error) {
	results, err := t.in.module.ExportedFunction("run_thread").Call(t.in.ctx)
	if err != nil {
		return 0, err
	}
	return uint32(results[0]), nil
}

// TurnTo hands over to another thread, and returns at the caller's next turn. It panics
// if the program has ended meanwhile.
func (t *turns) TurnTo(id uint32) {
	self, next := t.threads[t.current], t.threads[id]
	if next == nil {
		panic(errors.New("the guest turns to a thread that is not there"))
	}
	self.stack = t.in.stack.Get()
	t.current = id
	next.come <- nil
	if err := <-self.come; err != nil {
		panic(err)
	}
	t.in.stack.Set(self.stack)
}

// end ends all threads but the main one, whose steps are over. When it returns, nothing
// of the program runs. It reports whether there were any.
func (t *turns) end() (ended bool) {
	if t == nil {
		return false
	}
	ended = len(t.threads) > 1
	for id, thread := range t.threads {
		if id != 0 {
			thread.come <- errEnded
		}
	}
	t.ended.Wait()
	return ended
}
