package faults

import (
	"slices"
	"testing"
)

// The same seed makes the same faults, another seed others, and about as many as asked for.
func TestSameSeedSameFaults(t *testing.T) {
	hits := func(seed uint64) (list []bool) {
		defer Begin(Plan{Seed: seed, Every: Rates{Kill: 5, Stop: 1}})()
		for range 1000 {
			list = append(list, Hit(Kill))
			if Hit(Cut) || !Hit(Stop) {
				t.Fatal("a rate of 0 is hit, or one of 1 is not")
			}
		}
		n := 0
		for _, hit := range list {
			if hit {
				n++
			}
		}
		if n < 150 || n > 250 || Counts()["kill"] != uint64(n) || Counts()["stop"] != 1000 {
			t.Errorf("seed %d: %d of 1000 are hit, %v", seed, n, Counts())
		}
		return list
	}
	if !slices.Equal(hits(1), hits(1)) || slices.Equal(hits(1), hits(2)) {
		t.Error("faults do not follow from the seed")
	}
	if Hit(Kill) || len(Counts()) > 0 {
		t.Error("there are faults without a plan")
	}
}

func TestParse(t *testing.T) {
	p, err := Parse(" seed=7 kill=5  corrupt=100 ")
	if err != nil || p != (Plan{7, Rates{Kill: 5, Corrupt: 100}}) {
		t.Errorf("%+v, %v", p, err)
	}
	for text, want := range map[string]string{
		"kill":    `faults: expected NAME=NUMBER, found "kill"`,
		"cut=-1":  `faults: expected NAME=NUMBER, found "cut=-1"`,
		"storm=1": `faults: expected seed, kill, cut, full, corrupt, stop, found "storm"`,
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
