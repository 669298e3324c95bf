package bench

import (
	"testing"
	"time"
)

// Linear requires that run takes time linear in n: for 4n about four times as long as
// for n, where quadratic work takes sixteen times as long. prepare makes a run for a
// size; its own time does not count.
//
//	bench.Linear(t, 1<<18, func(n int) func() {
//		text := strings.Repeat("x", n)
//		return func() { check(text) }
//	})
func Linear(t *testing.T, n int, prepare func(n int) func()) {
	t.Helper()
	// Quadratic work takes 16 times as long. The memory that a first run grows
	// into, and other programs, make single ratios too large, never all of them.
	const most, tries = 8, 5
	var ratio float64
	for range tries {
		short, long := cost(prepare(n)), cost(prepare(4*n))
		ratio = float64(long) / float64(max(short, time.Millisecond))
		if ratio <= most {
			return
		}
	}
	t.Errorf("four times the size takes %.1f times as long", ratio)
}

func cost(run func()) time.Duration {
	start := CPU()
	run()
	return CPU() - start
}
