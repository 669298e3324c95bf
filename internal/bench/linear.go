package bench

import (
	"testing"
	"time"
)

// Linear requires that run takes processor time about linear in n. prepare makes a run
// for a size, which may run again; its own time does not count. The test that calls it
// is not parallel.
//
//	bench.Linear(t, 1<<18, func(n int) func() {
//		text := strings.Repeat("x", n)
//		return func() { check(text) }
//	})
//
// What other processes do must not fail it, and quadratic work must. So it compares
// three sizes, n/4, n and 4n. Linear work takes 4 times as long at each step, and
// quadratic work 16 times. Linear fails if both steps take more than 10 times as long,
// each time being the shortest of several tries:
//
//   - Other processes cost a run its caches and pages. That makes it slower by a factor, and
//     to cross the bound, the factor must be 2.5 at one size and 6 at the next in every try.
//   - A text that no longer fits in a cache makes one step steep, and not both.
//   - Work of a*n + b*n*n crosses the bound when its quadratic part is 4 times the
//     linear one at size n, which is as much at n/4.
//
// Beside 30 processes that fill the caches the steepest of 177 measured texts took 5.2 and
// 5.7 times as long.
func Linear(t *testing.T, n int, prepare func(n int) func()) {
	t.Helper()
	var runs [3]func()
	first, second := growth(func(size int) time.Duration {
		if runs[size] == nil {
			runs[size] = prepare(n / 4 << (2 * size))
		}
		return cost(runs[size])
	})
	if min(first, second) > steep {
		t.Errorf("each four times the size takes %.1f and %.1f times as long", first, second)
	}
}

const (
	steep = 10 // times as long, where linear work takes 4 times and quadratic work 16 times
	plain = 6  // times as long or less: linear, without another try
	few   = 3  // tries before a step that is not plain is called not steep
	many  = 10 // tries before two steps are called steep
)

// growth returns how many times as long the size 1 takes as the size 0, and the size 2
// as the size 1. Most work is plain after one run of the sizes 2 and 1: then the first is 0.
func growth(cost func(size int) time.Duration) (first, second float64) {
	var least [3]time.Duration
	for try := range many {
		for size := 2; size >= 0; size-- {
			spent := max(cost(size), 1)
			if try == 0 || spent < least[size] {
				least[size] = spent
			}
			if second = float64(least[2]) / float64(least[1]); try == 0 && size == 1 && second <= plain {
				return 0, second
			}
		}
		first = float64(least[1]) / float64(least[0])
		// Seconds of work are their own average, and quadratic work takes many.
		if try >= few-1 && (min(first, second) <= steep || least[2] > 2*time.Second) {
			break
		}
	}
	return first, second
}

// cost returns the processor time of a run: the mean of as many as the clock is exact for.
func cost(run func()) time.Duration {
	start := CPU()
	for n := time.Duration(1); ; n++ {
		run()
		if spent := CPU() - start; spent >= exact {
			return spent / n
		}
	}
}
