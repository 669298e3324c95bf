package stats

import "math"

// pass@k is the chance that at least one of k samples passes, given that c of n samples did. The
// estimate is the unbiased one,
//
//	1 - C(n-c, k) / C(n, k)
//
// where C is the binomial coefficient: the share of the sets of k samples that
// contain a passing one. The quotient is a product of few factors, so no
// factorial is needed, and n may be large.

// PassAtK returns pass@k of one task of which c of n samples passed.
//
// If n-c < k, every set of k samples contains a passing one, and pass@k is 1.
// The official formula gives 1 also for n < k, where there is no such set, even
// if c = 0. So callers that show numbers to people ask [PassAtKKnown] first. Invalid
// arguments (n or c negative, c > n, k < 1) give NaN.
func PassAtK(n, c, k int) float64 {
	if n < 0 || c < 0 || c > n || k < 1 {
		return math.NaN()
	}
	if n-c < k {
		return 1
	}
	if k == 1 {
		return float64(c) / float64(n) // exact: 0.3, not 0.30000000000000004
	}
	// C(n-c, k) / C(n, k) is a product of k factors (n-c-i) / (n-i), and also of
	// c factors 1 - k/i for i in n-c+1 … n. The shorter product is used.
	none := 1.0
	if c <= k {
		for i := n - c + 1; i <= n; i++ {
			none *= 1 - float64(k)/float64(i)
		}
	} else {
		for i := range k {
			none *= float64(n-c-i) / float64(n-i)
		}
	}
	return 1 - none
}

// PassAtKKnown reports whether n samples are enough for pass@k.
func PassAtKKnown(n, k int) bool { return k >= 1 && n >= k }

// A Mean is the mean of the tasks' pass@k.
type Mean struct {
	tasks int
	sum   float64
	lost  float64 // the rounding error of sum (Neumaier)
}

// Add counts one task's pass@k.
func (m *Mean) Add(value float64) {
	m.tasks++
	sum := m.sum + value
	if math.Abs(m.sum) >= math.Abs(value) {
		m.lost += (m.sum - sum) + value
	} else {
		m.lost += (value - sum) + m.sum
	}
	m.sum = sum
}

// Value returns the mean, or NaN without tasks.
func (m *Mean) Value() float64 { return (m.sum + m.lost) / float64(m.tasks) }
