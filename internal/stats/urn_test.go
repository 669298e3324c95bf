package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The number of each kind has the mean and the variance of a multinomial distribution, and each two
// kinds have its covariance.
func TestUrn(t *testing.T) {
	for _, counts := range [][]int{{400, 84}, {1, 1}, {300, 200, 100, 50, 25, 1}, {1000, 1, 1}, repeated(1, 90), repeated(7, 13), append([]int{500}, repeated(2, 40)...)} {
		n := 0
		for _, count := range counts {
			n += count
		}
		u := newUrn(rand.NewPCG(1, 2), counts)
		const runs = 20_000
		sums, squares, products := make([]float64, len(counts)), make([]float64, len(counts)), make([]float64, len(counts))
		for range runs {
			clear(u.drawn)
			u.draw(0, len(counts), n)
			all := 0
			for kind, times := range u.drawn {
				off := float64(times - counts[kind])
				sums[kind] += off
				squares[kind] += off * off
				products[kind] += off * float64(u.drawn[0]-counts[0])
				all += times
			}
			if all != n {
				t.Fatalf("%v: %d draws of %d", counts, all, n)
			}
		}
		for kind, count := range counts {
			share := float64(count) / float64(n)
			variance := float64(n) * share * (1 - share)
			covariance := -float64(n) * share * float64(counts[0]) / float64(n)
			if kind == 0 {
				covariance = variance
			}
			first := float64(counts[0]) * (1 - float64(counts[0])/float64(n)) // the variance of the first kind
			if mean := sums[kind] / runs; math.Abs(mean) > 4*math.Sqrt(variance/runs) {
				t.Errorf("%v: kind %d is off by %.4f", counts, kind, mean)
			}
			if got := squares[kind] / runs; math.Abs(got/variance-1) > 0.06 {
				t.Errorf("%v: kind %d has the variance %.4f, expected %.4f", counts, kind, got, variance)
			}
			if got := products[kind] / runs; math.Abs(got-covariance) > 0.06*math.Sqrt(variance*first) {
				t.Errorf("%v: kinds 0 and %d have the covariance %.4f, expected %.4f", counts, kind, got, covariance)
			}
		}
	}
}

func repeated(count, times int) (counts []int) {
	for range times {
		counts = append(counts, count)
	}
	return counts
}

// A binomial number is each value as often as its probability says, by a test of chi squared.
func TestBinomial(t *testing.T) {
	for _, test := range []struct {
		n     int
		share float64
	}{{3, 0.5}, {10, 0.25}, {64, 0.1}, {65, 0.9}, {200, 1.0 / 3}, {130, 0.01}} {
		random := rand.NewPCG(3, 4)
		const runs = 50_000
		seen := make([]float64, test.n+1)
		for range runs {
			seen[binomial(random, test.n, uint64(test.share*(1<<64)))]++
		}
		squares, free := 0.0, -1
		expected, found := 0.0, 0.0 // of values that are rare
		for k, times := range seen {
			choose, _ := math.Lgamma(float64(test.n) + 1)
			one, _ := math.Lgamma(float64(k) + 1)
			rest, _ := math.Lgamma(float64(test.n-k) + 1)
			want := runs * math.Exp(choose-one-rest+float64(k)*math.Log(test.share)+float64(test.n-k)*math.Log1p(-test.share))
			expected, found = expected+want, found+times
			if expected >= 10 {
				squares += (found - expected) * (found - expected) / expected
				expected, found = 0, 0
				free++
			}
		}
		// With so many degrees of freedom the sum is normal, nearly.
		if bound := float64(free) + 4*math.Sqrt(2*float64(free)); squares > bound || free < 3 {
			t.Errorf("binomial(%d, %.2f): chi squared is %.1f with %d degrees of freedom", test.n, test.share, squares, free)
		}
	}
	random := rand.NewPCG(5, 6)
	if binomial(random, 1000, 0) != 0 || binomial(random, 0, 1<<63) != 0 || binomial(random, 1000, math.MaxUint64) != 1000 {
		t.Error("certain numbers are not certain")
	}
}

// The intervals are those of drawing row after row, but for the noise of the draws.
func TestBootstrapIsPlain(t *testing.T) {
	for _, kinds := range []int{2, 3, 11, 121} {
		var columns [2][]float64
		for i := range 121 {
			columns[0] = append(columns[0], float64(i%kinds)/float64(kinds-1))
			columns[1] = append(columns[1], float64(i*i%kinds)/float64(kinds-1))
		}
		// An end of one interval has a noise of 0.0027, that of the mean of 16 a quarter.
		const seeds = 16
		var ours, plain [2]Interval
		for seed := range uint64(seeds) {
			for i, in := range Bootstrap(columns[:], seed) {
				ours[i].Low += in.Low / seeds
				ours[i].High += in.High / seeds
			}
			for i, in := range plainBootstrap(columns[:], seed) {
				plain[i].Low += in.Low / seeds
				plain[i].High += in.High / seeds
			}
		}
		for i := range ours {
			if math.Abs(ours[i].Low-plain[i].Low) > 0.003 || math.Abs(ours[i].High-plain[i].High) > 0.003 {
				t.Errorf("%d kinds, column %d: %v, row after row %v", kinds, i, ours[i], plain[i])
			}
		}
	}
}

// plainBootstrap is Bootstrap by drawing row after row.
func plainBootstrap(columns [][]float64, seed uint64) (intervals []Interval) {
	n := len(columns[0])
	random := rand.NewPCG(seed, 1)
	means := make([][]float64, len(columns))
	for range Resamples {
		sums := make([]float64, len(columns))
		for range n {
			row := below(random, n)
			for i := range columns {
				sums[i] += columns[i][row]
			}
		}
		for i := range sums {
			means[i] = append(means[i], sums[i]/float64(n))
		}
	}
	for i := range means {
		intervals = append(intervals, percentiles(means[i]))
	}
	return intervals
}
