package stats

import (
	"math"
	"math/big"
	"testing"
)

func TestPassAtK(t *testing.T) {
	tests := []struct {
		n, c, k int
		want    float64
	}{
		{1, 0, 1, 0},
		{1, 1, 1, 1},
		{10, 0, 10, 0},
		{10, 1, 10, 1},
		{10, 3, 1, 0.3},
		{10, 3, 5, 11.0 / 12},
		{10, 5, 5, 251.0 / 252},
		{10, 6, 5, 1},
		{2, 1, 2, 1},
		{1_000_000_000, 1, 1_000_000, 0.001},
		// Fewer samples than k: the official formula, whatever c is.
		{0, 0, 1, 1},
		{4, 0, 5, 1},
		{4, 4, 5, 1},
		// Nothing that could be meant.
		{10, 11, 1, math.NaN()},
		{10, -1, 1, math.NaN()},
		{-1, 0, 1, math.NaN()},
		{-1, -1, 1, math.NaN()},
		{10, 3, 0, math.NaN()},
		{10, 3, -1, math.NaN()},
	}
	for _, test := range tests {
		if got := PassAtK(test.n, test.c, test.k); !(math.Abs(got-test.want) < 1e-12 || math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("PassAtK(%d, %d, %d) = %v, want %v", test.n, test.c, test.k, got, test.want)
		}
	}
}

// Every n up to 40, and a few large ones, against exact binomials.
func TestAtExact(t *testing.T) {
	check := func(n, c, k int) {
		sets := new(big.Int).Binomial(int64(n), int64(k))
		none := new(big.Int).Binomial(int64(n-c), int64(k))
		share := new(big.Rat).SetFrac(none, sets)
		want, _ := share.Sub(big.NewRat(1, 1), share).Float64()
		if got := PassAtK(n, c, k); math.Abs(got-want) > 1e-13 {
			t.Errorf("PassAtK(%d, %d, %d) = %v, want %v", n, c, k, got, want)
		}
	}
	for n := 1; n <= 40; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				check(n, c, k)
			}
		}
	}
	for _, n := range []int{100, 1000, 2500} {
		for _, c := range []int{0, 1, 7, n / 3, n / 2, n - 8, n - 1, n} {
			for _, k := range []int{1, 5, 10, 100} {
				check(n, c, k)
			}
		}
	}
}

// pass@k grows with c and with k, and stays within 0 and 1.
func TestAtGrows(t *testing.T) {
	const n = 60
	for k := 1; k <= n; k++ {
		for c := range n {
			low, high := PassAtK(n, c, k), PassAtK(n, c+1, k)
			if low > high || low < 0 || high > 1 {
				t.Errorf("pass@%d of %d: %v with %d passing, %v with %d", k, n, low, c, high, c+1)
			}
			if k < n && PassAtK(n, c, k) > PassAtK(n, c, k+1)+1e-15 {
				t.Errorf("%d of %d: pass@%d %v exceeds pass@%d %v", c, n, k, PassAtK(n, c, k), k+1, PassAtK(n, c, k+1))
			}
		}
	}
}

// pass@1 is the share of samples that pass, to the last bit.
func TestAtOne(t *testing.T) {
	for n := 1; n <= 100; n++ {
		for c := 0; c <= n; c++ {
			if got, want := PassAtK(n, c, 1), float64(c)/float64(n); got != want {
				t.Errorf("PassAtK(%d, %d, 1) = %v, want %v", n, c, got, want)
			}
		}
	}
}

func TestKnown(t *testing.T) {
	for _, test := range []struct {
		n, k int
		want bool
	}{{0, 1, false}, {1, 1, true}, {4, 5, false}, {5, 5, true}, {5, 0, false}} {
		if got := PassAtKKnown(test.n, test.k); got != test.want {
			t.Errorf("PassAtKKnown(%d, %d) = %v, want %v", test.n, test.k, got, test.want)
		}
	}
}

func TestMean(t *testing.T) {
	var m Mean
	if got := m.Value(); !math.IsNaN(got) {
		t.Errorf("mean of no tasks = %v, want NaN", got)
	}
	for range 10 {
		m.Add(0.1)
	}
	if got := m.Value(); got != 0.1 {
		t.Errorf("mean of ten times 0.1 = %v, want 0.1 exactly", got)
	}
}

func BenchmarkAt(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		PassAtK(200, 37, 10)
	}
}
