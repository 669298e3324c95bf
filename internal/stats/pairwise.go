package stats

import (
	"cmp"
	"slices"
)

// A Pairing is the test of two of several runs.
type Pairing struct {
	A, B int // indices of the two runs, A < B
	Test
	// Adjusted is P after [Holm]'s correction over all pairings.
	Adjusted float64
}

// Pairwise applies [Paired] to each two of the runs, which are rates on the same tasks
// in the same order. The pairings are in the order of A, then of B.
//
// The tests share the work of one, so hundreds of runs are compared in seconds. Each
// test may still count as long as drawing would take. So runs with equal numbers of
// samples are always counted, even with tens of thousands of tasks. The least P that can
// be drawn is 1 in 20,001, so over many pairings a corrected P may be larger than
// necessary, but never smaller.
func Pairwise(runs [][]Rate) []Pairing {
	var all []Pairing
	var p []float64
	number := len(runs) * (len(runs) - 1) / 2
	pairs := []Pair{}
	for a := range runs {
		for b := a + 1; b < len(runs); b++ {
			pairs = pairs[:0]
			for i := range runs[a] {
				pairs = append(pairs, Pair{A: runs[a][i], B: runs[b][i]})
			}
			test := paired(pairs, exactWork/float64(number))
			all = append(all, Pairing{A: a, B: b, Test: test})
			p = append(p, test.P)
		}
	}
	for i, adjusted := range Holm(p) {
		all[i].Adjusted = adjusted
	}
	return all
}

// Holm returns the p-values of a family of tests after Holm's correction (1979). The probability
// that any true null hypothesis has a corrected value below a level is at most that level, whatever
// the dependence of the tests. The smallest of m is multiplied by m, the next by m-1 and so on;
// none is below the one before, and none above 1. It is R's p.adjust(p, "holm").
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
