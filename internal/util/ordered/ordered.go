// Package ordered does work on several items at once and hands over the results in the items'
// order.
package ordered

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Do calls a worker's function with each item that read yields, and emit with the results, one
// after the other in the order of the items. newWorker is called once for each of the workers, of
// which there is at least one. A worker's function runs on one goroutine at a time. read and emit
// run on two other goroutines.
//
// Do returns when all of these have returned: with the first error of newWorker, read or emit, or
// with the cause of ctx's end. At most four results a worker wait for emit.
func Do[Item, Result any](ctx context.Context, workers int, read func(yield func(Item) error) error,
	newWorker func() (func(Item) Result, error), emit func(Result) error) error {
	workers = max(workers, 1)
	functions := make([]func(Item) Result, workers)
	for i := range functions {
		var err error
		if functions[i], err = newWorker(); err != nil {
			return err
		}
	}
	type turn struct {
		item Item
		done chan Result // has room for the result
	}
	group, ctx := errgroup.WithContext(ctx)
	order, work := make(chan turn, 4*workers), make(chan turn)
	group.Go(func() error {
		defer close(order)
		defer close(work)
		return read(func(item Item) error {
			t := turn{item, make(chan Result, 1)}
			for _, to := range [...]chan turn{order, work} {
				select {
				case to <- t:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	})
	for _, function := range functions {
		group.Go(func() error {
			for t := range work {
				t.done <- function(t.item)
			}
			return nil
		})
	}
	group.Go(func() error {
		for t := range order {
			select {
			case result := <-t.done:
				if err := emit(result); err != nil {
					return err
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	return group.Wait()
}

// Numbers returns a read for [Do] that yields the numbers from first to end-1.
func Numbers(first, end int) func(yield func(int) error) error {
	return func(yield func(int) error) error {
		for i := first; i < end; i++ {
			if err := yield(i); err != nil {
				return err
			}
		}
		return nil
	}
}
