package ordered_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"codelinter/internal/util/ordered"
)

// count yields the numbers below n.
func count(n int) func(func(int) error) error {
	return func(yield func(int) error) error {
		for i := range n {
			if err := yield(i); err != nil {
				return err
			}
		}
		return nil
	}
}

func doubler() (func(int) int, error) {
	return func(i int) int { return 2 * i }, nil
}

func TestOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		var got []int
		if err := ordered.Do(t.Context(), workers, count(1000), doubler, func(i int) error { got = append(got, i); return nil }); err != nil {
			t.Fatal(err)
		}
		if len(got) != 1000 || got[999] != 1998 || !slices.IsSorted(got) {
			t.Errorf("%d workers: %d results, out of order", workers, len(got))
		}
	}
}

// An error of any part ends the others, and nothing is emitted after it.
func TestErrors(t *testing.T) {
	want := errors.New("this one")
	emitted := 0
	emit := func(int) error { emitted++; return nil }
	read := func(yield func(int) error) error { return errors.Join(count(10)(yield), want) }
	if err := ordered.Do(t.Context(), 3, read, doubler, emit); !errors.Is(err, want) {
		t.Errorf("read: %v", err)
	}
	none := func() (func(int) int, error) { return nil, want }
	emitted = 0
	if err := ordered.Do(t.Context(), 3, count(10), none, emit); err != want || emitted > 0 {
		t.Errorf("newWorker: %v, %d emitted", err, emitted)
	}
	var read3 atomic.Int32
	endless := func(yield func(int) error) error {
		for {
			if err := yield(int(read3.Add(1))); err != nil {
				return err
			}
		}
	}
	emitted = 0
	err := ordered.Do(t.Context(), 3, endless, doubler, func(int) error {
		if emitted++; emitted == 5 {
			return want
		}
		return nil
	})
	if err != want || emitted != 5 || read3.Load() > 5+4*3+3+1 {
		t.Errorf("emit: %v, %d emitted, %d read", err, emitted, read3.Load())
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	if err := ordered.Do(ctx, 3, endless, doubler, func(int) error { cancel(want); return nil }); err != want {
		t.Errorf("ctx: %v", err)
	}
}
