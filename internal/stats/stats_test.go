package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }

func TestStandardError(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, math.NaN()},
		{[]float64{0.5}, math.NaN()},
		{[]float64{1, 1, 1}, 0},
		{[]float64{1, 0}, 0.5},
		{[]float64{1, 0, 0.5}, 0.5 / math.Sqrt(3)},
		// mean_stderr of lm-evaluation-harness gives this.
		{[]float64{0, 0.1, 0.2, 0.9, 1, 0.4}, 0.17256238807393048},
	} {
		if got := StandardError(test.values); !near(got, test.want) {
			t.Errorf("StandardError(%v) = %.15f, want %.15f", test.values, got, test.want)
		}
	}
}

func TestBootstrap(t *testing.T) {
	var halves, ones []float64
	for i := range 400 {
		halves = append(halves, float64(i%2))
		ones = append(ones, 1)
	}
	got := Bootstrap([][]float64{halves, ones}, 1)
	// The mean of 400 coins has a standard deviation of 0.025.
	if low, high := got[0].Low, got[0].High; math.Abs(low-0.451) > 0.006 || math.Abs(high-0.549) > 0.006 {
		t.Errorf("400 coins lie between %v and %v", low, high)
	}
	if (got[1] != Interval{1, 1}) {
		t.Errorf("ones lie in %v", got[1])
	}
	again := Bootstrap([][]float64{halves}, 1)
	if again[0] != got[0] {
		t.Errorf("again %v, before %v", again[0], got[0])
	}
	if other := Bootstrap([][]float64{halves}, 2); other[0] == got[0] {
		t.Errorf("another seed gives the same %v", other[0])
	}
	if none := Bootstrap([][]float64{nil}, 1); !math.IsNaN(none[0].Low) || !math.IsNaN(none[0].High) {
		t.Errorf("no values lie in %v", none[0])
	}
}

// A true mean lies in 95 % of the intervals, by and large.
func TestBootstrapCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	covered := 0
	const runs = 300
	for run := range runs {
		values := make([]float64, 60)
		for i := range values {
			values[i] = random.Float64()
		}
		in := Bootstrap([][]float64{values}, uint64(run))[0]
		if in.Low <= 0.5 && 0.5 <= in.High {
			covered++
		}
	}
	if share := float64(covered) / runs; share < 0.9 || share > 0.99 {
		t.Errorf("%.3f of the intervals hold the mean", share)
	}
}

// The counted chance is that of all ways of giving signs.
func TestPairedCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	sizes := []int{1, 2, 3, 5, 10}
	for range 200 {
		pairs := make([]Pair, random.IntN(11))
		for i := range pairs {
			a, b := sizes[random.IntN(len(sizes))], sizes[random.IntN(len(sizes))]
			pairs[i] = Pair{Rate{random.IntN(a + 1), a}, Rate{random.IntN(b + 1), b}}
		}
		seen := 0.0
		for _, pair := range pairs {
			seen += pair.A.Value() - pair.B.Value()
		}
		as := 0
		for way := range 1 << len(pairs) {
			sum := 0.0
			for i, pair := range pairs {
				if way>>i&1 == 0 {
					sum += pair.A.Value() - pair.B.Value()
				} else {
					sum -= pair.A.Value() - pair.B.Value()
				}
			}
			if math.Abs(sum) >= math.Abs(seen)-1e-9 {
				as++
			}
		}
		want := float64(as) / float64(int(1)<<len(pairs))
		if got := Paired(pairs); !near(got.P, want) || !got.Exact {
			t.Errorf("Paired(%v) = %v, want %v", pairs, got, want)
		}
	}
}

// With one sample a task it is McNemar's exact test: 9 of 10 tasks that differ
// go one way, and the binomial tails have 22 of 1,024 ways.
func TestPairedIsMcNemar(t *testing.T) {
	pairs := make([]Pair, 500)
	for i := range pairs {
		pairs[i] = Pair{Rate{1, 1}, Rate{1, 1}}
		switch {
		case i < 9:
			pairs[i].B.C = 0
		case i == 9:
			pairs[i].A.C = 0
		}
	}
	if got := Paired(pairs); !near(got.P, 22.0/1024) || !got.Exact {
		t.Errorf("got %v, want %v", got, 22.0/1024)
	}
}

// Thousands of tasks are counted as well: the normal distribution has nearly the same
// tails, and a chance too small for a number is not 0.
func TestPairedOfMany(t *testing.T) {
	for _, test := range []struct{ tasks, better int }{{1500, 780}, {5000, 2600}} {
		pairs := make([]Pair, test.tasks)
		for i := range pairs {
			pairs[i] = Pair{Rate{3, 10}, Rate{1, 10}}
			if i < test.better {
				pairs[i] = Pair{Rate{1, 10}, Rate{3, 10}}
			}
		}
		seen := float64(2*test.better - test.tasks)
		want := math.Erfc((seen - 1) / math.Sqrt(2*float64(test.tasks)))
		if got := Paired(pairs); !got.Exact || math.Abs(got.P/want-1) > 0.01 {
			t.Errorf("%d tasks: %v, a normal distribution has %v", test.tasks, got, want)
		}
	}
	all := make([]Pair, 3000)
	for i := range all {
		all[i] = Pair{Rate{10, 10}, Rate{0, 10}}
	}
	if got := Paired(all); !got.Exact || got.P == 0 || got.P > 1e-300 {
		t.Errorf("3000 tasks that all differ one way: %v", got)
	}
}

// Where there is no small common multiple, ways are drawn, and come close.
func TestPairedDraws(t *testing.T) {
	primes := []int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}
	var pairs []Pair
	for _, n := range primes {
		pairs = append(pairs, Pair{Rate{n / 2, n}, Rate{n/2 + n%2, n}})
	}
	got := Paired(pairs)
	if got.Exact {
		t.Fatal("counted with a unit of billions")
	}
	if again := Paired(pairs); again != got {
		t.Errorf("first %v, then %v", got, again)
	}
	var few []Pair
	for i := range 12 {
		few = append(few, Pair{Rate{(i*7 + 3) % 11, 10}, Rate{i % 4, 10}})
	}
	if counted, drawn := Paired(few), drawn(few); !counted.Exact || math.Abs(counted.P-drawn.P) > 0.01 {
		t.Errorf("counted %v, drawn %v", counted, drawn)
	}
	if none := Paired(nil); none.P != 1 {
		t.Errorf("no tasks differ with a chance of %v", none.P)
	}
}

func BenchmarkPaired(b *testing.B) {
	pairs := make([]Pair, 1000)
	for i := range pairs {
		pairs[i] = Pair{Rate{i * 7 % 11, 10}, Rate{i * 3 % 11, 10}}
	}
	for b.Loop() {
		Paired(pairs)
	}
}

func TestWilson(t *testing.T) {
	for _, test := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 0, 0, 1},
		{0, 100, 0, 0.03699},
		{50, 100, 0.40383, 0.59617},
		{100, 100, 0.96301, 1},
	} {
		got := Wilson(test.k, test.n)
		if math.Abs(got.Low-test.low) > 1e-5 || math.Abs(got.High-test.high) > 1e-5 {
			t.Errorf("%d of %d: %v, want %v to %v", test.k, test.n, got, test.low, test.high)
		}
	}
}

func BenchmarkBootstrap(b *testing.B) {
	columns := make([][]float64, 3)
	for k := range columns {
		for i := range 1000 {
			columns[k] = append(columns[k], float64(i%(k+2))/float64(k+2))
		}
	}
	for b.Loop() {
		Bootstrap(columns, 1)
	}
}
