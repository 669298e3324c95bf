// Package stats computes pass@k, the uncertainty of a score, and whether two scores differ.
//
//	stats.PassAtK(10, 3, 1) // 0.3
//	stats.PassAtK(10, 3, 5) // 0.9166…
//
// A score is an average over tasks. The tasks are the random sample: samples of one
// task are never treated as independent.
//
//	stats.StandardError([]float64{1, 0, 0.5})    // 0.288…
//	stats.Bootstrap([][]float64{{1, 0, 0.5}}, 1) // [{0 1}]
//	stats.Paired(pairs).P                        // the chance of such a difference between equals
//
// All results are deterministic: random numbers come from a generator with a fixed
// seed.
package stats

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
)

// StandardError returns the standard error of the values' mean, as in
// lm-evaluation-harness: the standard deviation with n-1 in the denominator, over
// the square root of n. It is NaN for fewer than two values.
func StandardError(values []float64) float64 {
	n := float64(len(values))
	if n < 2 {
		return math.NaN()
	}
	mean := 0.0
	for _, value := range values {
		mean += value
	}
	mean /= n
	squares := 0.0
	for _, value := range values {
		squares += (value - mean) * (value - mean)
	}
	return math.Sqrt(squares/(n-1)) / math.Sqrt(n)
}

// An Interval is a 95 % confidence interval. In JSON it is [Low, High].
type Interval struct{ Low, High float64 }

// MarshalJSON implements json.Marshaler. It fails for an interval of no values.
func (i Interval) MarshalJSON() ([]byte, error) { return json.Marshal([2]float64{i.Low, i.High}) }

// Resamples is the number of resamples in [Bootstrap].
const Resamples = 2000

// Bootstrap returns a 95 % interval for the mean of each column, by the percentile
// method. It draws as many rows as there are, with replacement, [Resamples] times,
// and takes the 2.5 % and 97.5 % quantiles of the means. All columns have one
// length and share the draws. The same columns and seed give the same intervals.
//
// Scores of tasks have few values, so a resample draws how often each distinct row is there. That
// is a multinomial distribution, as if row after row were drawn, see [urn].
func Bootstrap(columns [][]float64, seed uint64) []Interval {
	intervals := make([]Interval, len(columns))
	if len(columns) == 0 || len(columns[0]) == 0 {
		for i := range intervals {
			intervals[i] = Interval{math.NaN(), math.NaN()}
		}
		return intervals
	}
	n := len(columns[0])
	distinct, counts := distinctRows(columns)
	means := make([]float64, len(columns)*Resamples) // of each column
	u := newUrn(rand.NewPCG(seed, uint64(n)), counts)
	for r := range Resamples {
		clear(u.drawn)
		u.draw(0, len(distinct), n)
		for i := range columns {
			sum := 0.0
			for kind, times := range u.drawn {
				sum += float64(times) * distinct[kind][i]
			}
			means[i*Resamples+r] = sum / float64(n)
		}
	}
	for i := range columns {
		intervals[i] = percentiles(means[i*Resamples : (i+1)*Resamples])
	}
	return intervals
}

// percentiles returns the interval that has the middle 95 % of the means, which it sorts.
func percentiles(means []float64) Interval {
	slices.Sort(means)
	return Interval{quantile(means, 0.025), quantile(means, 0.975)}
}

// distinctRows returns the rows of columns that differ, those that are there most often first, and
// how often each is there.
func distinctRows(columns [][]float64) (distinct [][]float64, counts []int) {
	type kind struct{ first, count int }
	var kinds []kind
	known := map[string]int{}
	key := make([]byte, 0, 8*len(columns))
	for row := range columns[0] {
		key = key[:0]
		for _, column := range columns {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(column[row]))
		}
		i, is := known[string(key)]
		if !is {
			i = len(kinds)
			known[string(key)] = i
			kinds = append(kinds, kind{first: row})
		}
		kinds[i].count++
	}
	slices.SortStableFunc(kinds, func(a, b kind) int { return cmp.Compare(b.count, a.count) })
	for _, k := range kinds {
		values := make([]float64, len(columns))
		for i, column := range columns {
			values[i] = column[k.first]
		}
		distinct, counts = append(distinct, values), append(counts, k.count)
	}
	return distinct, counts
}

// Wilson returns Wilson's 95 % interval for a share of k in n. It is 0 to 1 for n =
// 0.
func Wilson(k, n int) Interval {
	if n == 0 {
		return Interval{0, 1}
	}
	const z = 1.959964 // two-sided quantile of the normal distribution
	share, size := float64(k)/float64(n), float64(n)
	middle := share + z*z/(2*size)
	half := z * math.Sqrt(share*(1-share)/size+z*z/(4*size*size))
	return Interval{max(0, (middle-half)/(1+z*z/size)), min(1, (middle+half)/(1+z*z/size))}
}

// quantile interpolates between the two sorted values next to q.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 == len(sorted) {
		return sorted[low]
	}
	part := at - float64(low)
	return sorted[low]*(1-part) + sorted[low+1]*part
}
