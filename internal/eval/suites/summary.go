package suites

import (
	"math"

	"codelinter/internal/stats"
)

// An Answer is the result of one answer.
type Answer struct {
	Base     Status `json:"base_status"`
	Plus     Status `json:"plus_status"`
	Input    int    `json:"failed_input"` // the first input that failed, of base or else of plus; -1 for none
	Reason   string `json:"reason,omitempty"`
	Clean    bool   `json:"clean"`    // flake8 finds nothing
	Findings int    `json:"findings"` // number of flake8's findings
}

// measures are the properties of answers that are scored.
var measures = []struct {
	name string
	has  func(*Answer) bool
}{
	{"base", func(a *Answer) bool { return a.Base == Pass }},
	{"plus", func(a *Answer) bool { return a.Base == Pass && a.Plus == Pass }},
	{"clean", func(a *Answer) bool { return a.Clean }},
	{"plus and clean", func(a *Answer) bool { return a.Base == Pass && a.Plus == Pass && a.Clean }},
}

// A Score is pass@k by one measure.
type Score struct {
	Measure string  `json:"measure"`
	K       int     `json:"k"`
	Value   float64 `json:"value"`
	Error   float64 `json:"standard_error"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// Scores returns pass@k of tasks' answers with standard errors and 95 % intervals, for
// each measure and each k for which every task has enough answers.
func Scores(tasks [][]Answer, ks []int) []Score {
	var scores []Score
	var columns [][]float64
	for _, measure := range measures {
		for _, k := range ks {
			column, known := make([]float64, 0, len(tasks)), true
			var mean stats.Mean
			for _, answers := range tasks {
				n, c := len(answers), 0
				for i := range answers {
					if measure.has(&answers[i]) {
						c++
					}
				}
				known = known && stats.PassAtKKnown(n, k)
				value := stats.PassAtK(n, c, k)
				column = append(column, value)
				mean.Add(value)
			}
			if !known || len(tasks) == 0 {
				continue
			}
			columns = append(columns, column)
			deviation := stats.StandardError(column)
			if math.IsNaN(deviation) {
				deviation = 0
			}
			scores = append(scores, Score{Measure: measure.name, K: k, Value: mean.Value(), Error: deviation})
		}
	}
	for i, interval := range stats.Bootstrap(columns, seed) {
		scores[i].Low, scores[i].High = interval.Low, interval.High
	}
	return scores
}

// seed is the seed of the intervals.
const seed = 1
