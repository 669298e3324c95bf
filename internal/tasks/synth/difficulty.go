package synth

import "codelinter/rule"

// Difficulty returns how hard a task is to fix, from 0 to 1. It is the mean of three parts, each of
// which is 1/2 for a usual number:
//
//	number   n / (n + 4)   for n findings
//	kinds    k / (k + 2)   for k codes
//	spread   s / rows      for s rows between the first finding and the last, of all the program's rows
func Difficulty(findings []rule.Finding, rows int) float64 {
	if len(findings) == 0 {
		return 0
	}
	var has rule.Set
	kinds := 0.0
	for i := range findings {
		if code := findings[i].Code; !has.Has(code) {
			has.Add(code)
			kinds++
		}
	}
	n := float64(len(findings))
	spread := float64(findings[len(findings)-1].Row-findings[0].Row+1) / float64(max(rows, 1))
	mean := (n/(n+4) + kinds/(kinds+2) + min(max(spread, 0), 1)) / 3
	return float64(int(mean*1000+0.5)) / 1000
}
