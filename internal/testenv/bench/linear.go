package bench

import (
	"testing"
	"time"

	"codelinter/internal/util/cputime"
)

// CPU returns the processor time of this process. Tests of growth measure it and not
// the clock, as on a busy machine most of the elapsed time belongs to other processes.
func CPU() time.Duration {
	used, _ := cputime.Of(cputime.Self)
	return used
}

// Linear requires that the processor time of run grows about linearly in n. prepare makes a
// run for a size; its own time does not count, and a run may be repeated. The calling test
// must not be parallel.
//
//	bench.Linear(t, 1<<18, func(n int) func() {
//		text := strings.Repeat("x", n)
//		return func() { check(text) }
//	})
//
// Other processes must not make it fail, and quadratic work must. So it compares three
// sizes, n/4, n and 4n. Linear work takes 4 times as long at each step, quadratic work 16
// times. Linear fails if both steps take more than 10 times as long. Each time is the
// shortest of several tries.
//
//   - Other processes cost a run its caches and pages. That makes it slower by a factor, and
//     to cross the bound, the factor must be 2.5 at one size and 6 at the next in every try.
//   - A text that no longer fits in a cache makes one step steep, and not both.
//   - Work of a*n + b*n*n crosses the bound when its quadratic part is 4 times the
//     linear one at size n, which is as much at n/4.
//
// Beside 30 processes that fill the caches, the steepest of 177 texts took 5.2 and 5.7 times
// as long.
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
	steep = 10 // a step with a larger ratio is steep; linear work has 4, quadratic work 16
	plain = 6  // a step with at most this ratio is linear, without another try
	few   = 3  // tries before a step that is not plain is taken to be not steep
	many  = 10 // tries before two steps are taken to be steep
)

// growth returns the ratios of the times of sizes 1 and 0, and of sizes 2 and 1. Most work
// is plain after one run of the sizes 2 and 1; the first ratio is then 0.
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
		// Runs of seconds need no more tries, and quadratic work has many such.
		if try >= few-1 && (min(first, second) <= steep || least[2] > 2*time.Second) {
			break
		}
	}
	return first, second
}

// cost returns the processor time of a run: the mean of enough runs for the clock.
func cost(run func()) time.Duration {
	start := CPU()
	for n := time.Duration(1); ; n++ {
		run()
		if spent := CPU() - start; spent >= cputime.Resolution {
			return spent / n
		}
	}
}
