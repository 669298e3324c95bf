package sandbox

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

// shortStint is that of tests: a program is long after a tenth of the usual time.
const shortStint = usualStint / 10

// Programs without end keep no other program from its turn, be there more of them than
// there is room for, and those for which there is no room wait for it.
func TestLongProgramsStepAside(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Workers: 1})
	p.stint = shortStint
	ctx, cancel := context.WithCancel(t.Context())
	var long sync.WaitGroup
	begun := make(chan int, 4)
	for range cap(begun) {
		program := forever
		program.Begun = func() { begun <- 1 }
		long.Go(func() {
			if _, err := p.Run(ctx, program); err == nil {
				t.Error("a program without end has ended")
			}
		})
	}
	for range cap(begun) {
		<-begun
	}
	for i := range 20 {
		if r, err := p.Run(t.Context(), Program{Source: fmt.Sprintf("print(%d)", i)}); err != nil || string(r.Output) != fmt.Sprintln(i) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if s := p.Stats(); s.Restarts > 0 || s.Workers > 2 {
		t.Errorf("%+v", s)
	}
	cancel()
	long.Wait()
	if r, err := p.Run(t.Context(), Program{Source: "print(1)"}); err != nil || r.End != Done {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// Whether a long program goes on or runs again, its result is the same.
func TestLongProgramsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	t.Parallel()
	p := newPool(t, Options{Workers: 1})
	p.stint = shortStint
	source := "import random\nx = 0\nfor i in range(400_000):\n    x += i\nprint(x, random.random(), sum({1: 2}))\n"
	want := ""
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 4 { // two go on, two run again
		all.Go(func() {
			r, err := p.Run(t.Context(), Program{Source: source, Budget: MachineBudget, Machine: &Machine{Memory: 64 << 20}})
			if err != nil || r.End != Done {
				t.Errorf("%+v, %v", r, err)
				return
			}
			got := fingerprint(r)
			mu.Lock()
			defer mu.Unlock()
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s, and before %s", got, want)
			}
		})
	}
	all.Wait()
}

// A program that has ended as it should yield holds nothing.
func TestReservation(t *testing.T) {
	p := newPool(t, Options{Workers: 2})
	j, err := p.job(&Program{Source: "", Budget: MachineBudget})
	if err != nil {
		t.Fatal(err)
	}
	take := func() *reservation {
		if err := p.slots.Acquire(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		return p.reserve(j)
	}
	first, second, third := take(), take(), (*reservation)(nil)
	for _, step := range []struct {
		do   func() error
		want error
	}{
		{first.yield, nil}, {first.yield, nil}, // once
		{func() error { third = take(); return nil }, nil},
		{second.yield, nil},
		{func() error { return third.yield() }, errMustWait}, // there is room for two
		{func() error { first.leave(); return nil }, nil},
		{func() error { return third.yield() }, nil},
		{func() error { third.leave(); second.leave(); return nil }, nil},
		{second.yield, nil}, // too late
	} {
		if err := step.do(); err != step.want {
			t.Errorf("%v, want %v", err, step.want)
		}
	}
	if !p.slots.TryAcquire(2) || !p.longMemory.TryAcquire(p.options.longRoom()) {
		t.Error("something is held")
	} else {
		p.slots.Release(2)
		p.longMemory.Release(p.options.longRoom())
	}
}
