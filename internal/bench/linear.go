package bench

import (
	"testing"
	"time"
)

// Linear requires that run takes time linear in n: for 4n about four times as long as
// for n, where quadratic work takes sixteen times as long. prepare makes a run for a
// size, which may run again; its own time does not count.
//
//	bench.Linear(t, 1<<18, func(n int) func() {
//		text := strings.Repeat("x", n)
//		return func() { check(text) }
//	})
func Linear(t *testing.T, n int, prepare func(n int) func()) {
	t.Helper()
	// Quadratic work takes 16 times as long. The memory that a first run grows into,
	// and other programs, make a run too long, never too short: the shortest counts.
	const most, tries = 8, 5
	short, long := prepare(n), prepare(4*n)
	leastShort, leastLong := cost(short), cost(long)
	for range tries - 1 {
		if leastLong <= most*max(leastShort, time.Millisecond) {
			return
		}
		leastShort, leastLong = min(leastShort, cost(short)), min(leastLong, cost(long))
	}
	if ratio := float64(leastLong) / float64(max(leastShort, time.Millisecond)); ratio > most {
		t.Errorf("four times the size takes %.1f times as long", ratio)
	}
}

// cost returns the time of a run: the mean of as many as last ten of the clock's ticks.
func cost(run func()) time.Duration {
	start := CPU()
	for n := time.Duration(1); ; n++ {
		run()
		if spent := CPU() - start; spent >= 10*tick {
			return spent / n
		}
	}
}
