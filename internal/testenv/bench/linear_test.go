package bench

import (
	"math"
	"testing"
	"time"
)

// Linear work is told from quadratic work whatever other processes do to the times.
func TestGrowth(t *testing.T) {
	work := func(linear, quadratic float64) func(n float64) float64 {
		return func(n float64) float64 { return linear*n + quadratic*n*n }
	}
	for name, test := range map[string]struct {
		work func(n float64) float64 // milliseconds; the sizes are 1/4, 1 and 4
		// noise is what other processes multiply the time of a try by.
		noise func(size, try int) float64
		steep bool
	}{
		"linear":                       {work(1, 0), nil, false},
		"n log n":                      {func(n float64) float64 { return n * math.Log2(1e4*n) }, nil, false},
		"a start that costs":           {func(n float64) float64 { return 5 + n }, nil, false},
		"beyond a cache at n":          {func(n float64) float64 { return n * (1 + 9*min(1, math.Floor(n))) }, nil, false},
		"beyond a cache at 4n":         {func(n float64) float64 { return n * (1 + 9*math.Floor(n/4)) }, nil, false},
		"quadratic":                    {work(0, 1), nil, true},
		"n to the power of 1.75":       {func(n float64) float64 { return math.Pow(n, 1.75) }, nil, true},
		"five parts in six":            {work(1, 5), nil, true},
		"quadratic after a dear start": {func(n float64) float64 { return 0.01 + n*n }, nil, true},
		"loaded for all tries but the last, the larger the more": {work(1, 0),
			func(size, try int) float64 {
				if try == many-1 {
					return 1
				}
				return math.Pow(8, float64(size))
			}, false},
		"all sizes six times as long, all the time": {work(1, 0), func(int, int) float64 { return 6 }, false},
		"4n a hundred times as long, all the time": {work(1, 0),
			func(size, _ int) float64 { return math.Pow(100, float64(size/2)) }, false},
		"quadratic, each try as loaded as the others are not": {work(0, 1),
			func(size, try int) float64 { return 1 + float64((size+try)%3) }, true},
	} {
		asked := [3]int{}
		first, second := growth(func(size int) time.Duration {
			noise := 1.0
			if test.noise != nil {
				noise = test.noise(size, asked[size])
			}
			asked[size]++
			return time.Duration(noise * test.work(math.Pow(4, float64(size-1))) * float64(time.Millisecond))
		})
		if got := min(first, second) > steep; got != test.steep {
			t.Errorf("%s: steep: %v, by %.1f and %.1f, want %v", name, got, first, second, test.steep)
		}
	}
}

// Real work that is quadratic is steep by the real clock.
func TestCost(t *testing.T) {
	first, second := growth(func(size int) time.Duration {
		n := 300 << (2 * size)
		return cost(func() {
			sum := 0
			for i := range n {
				for j := range n {
					sum += i ^ j
				}
			}
			worked = sum
		})
	})
	if min(first, second) <= steep {
		t.Errorf("%.1f and %.1f times as long", first, second)
	}
}

var worked int // so that the compiler leaves the work
