package stats

import (
	"math/rand/v2"
	"testing"
)

func TestHolm(t *testing.T) {
	for _, test := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{0.2}, []float64{0.2}},
		// By hand, and what p.adjust of R gives: 0.01*4, 0.02*3, 0.03*2 raised to the
		// one before, 0.04 likewise.
		{[]float64{0.01, 0.04, 0.03, 0.02}, []float64{0.04, 0.06, 0.06, 0.06}},
		{[]float64{0.5, 0.001, 0.4, 0.02, 0.02}, []float64{0.8, 0.005, 0.8, 0.08, 0.08}},
		{[]float64{1, 1, 0.9}, []float64{1, 1, 1}},
	} {
		got := Holm(test.p)
		if len(got) != len(test.want) {
			t.Errorf("Holm(%v) = %v", test.p, got)
			continue
		}
		for i := range got {
			if !near(got[i], test.want[i]) {
				t.Errorf("Holm(%v) = %v, want %v", test.p, got, test.want)
				break
			}
		}
	}
}

// Each two runs have the test that they have alone, and the correction of all.
func TestPairwise(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	runs := make([][]Rate, 6)
	for r := range runs {
		for range 200 {
			c := 0
			for range 10 {
				if random.Float64() < 0.3+0.05*float64(r) {
					c++
				}
			}
			runs[r] = append(runs[r], Rate{c, 10})
		}
	}
	all := Pairwise(runs)
	if len(all) != 15 {
		t.Fatalf("%d pairings of 6 runs", len(all))
	}
	at := 0
	var p []float64
	for a := range runs {
		for b := a + 1; b < len(runs); b++ {
			var pairs []Pair
			for i := range runs[a] {
				pairs = append(pairs, Pair{runs[a][i], runs[b][i]})
			}
			if got, want := all[at], Paired(pairs); got.A != a || got.B != b || got.Test != want || !got.Exact {
				t.Errorf("got %+v, want %d, %d, %+v", got, a, b, want)
			}
			p = append(p, all[at].P)
			at++
		}
	}
	for i, adjusted := range Holm(p) {
		if all[i].Adjusted != adjusted || adjusted < p[i] {
			t.Errorf("pairing %d: adjusted %v, want %v", i, all[i].Adjusted, adjusted)
		}
	}
	if far := all[4]; far.Adjusted > 0.001 { // 30 % and 55 %
		t.Errorf("runs far apart: %+v", far)
	}
}

// Among equals, the correction keeps a claim of any difference below its level. Without
// it, 15 tests at 5 % would find one in about a third of the families.
func TestPairwiseOfEquals(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	const families = 200
	claims, uncorrected := 0, 0
	for range families {
		runs := make([][]Rate, 6)
		for r := range runs {
			for i := range 60 {
				c := 0
				for range 5 {
					if random.Float64() < float64(i)/60 {
						c++
					}
				}
				runs[r] = append(runs[r], Rate{c, 5})
			}
		}
		claimed, raw := false, false
		for _, pairing := range Pairwise(runs) {
			claimed = claimed || pairing.Adjusted < 0.05
			raw = raw || pairing.P < 0.05
		}
		if claimed {
			claims++
		}
		if raw {
			uncorrected++
		}
	}
	if claims > families*8/100 {
		t.Errorf("%d of %d families of equals have a difference", claims, families)
	}
	if uncorrected < families/5 {
		t.Errorf("only %d of %d have one without correction: the test shows nothing", uncorrected, families)
	}
}

func BenchmarkPairwise(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	runs := make([][]Rate, 10)
	for r := range runs {
		for range 1000 {
			runs[r] = append(runs[r], Rate{random.IntN(11), 10})
		}
	}
	for b.Loop() {
		Pairwise(runs)
	}
}
