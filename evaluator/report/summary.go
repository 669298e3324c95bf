package report

import (
	"cmp"
	"slices"

	"codelinter/evaluator"
	"codelinter/evaluator/dataset"
	"codelinter/rule"
)

// Summary returns the sums of a run as one line of JSON. Its fields are those of
// [evaluator.Summary]; under "official", pass@k is null where a task has fewer
// than k samples, and "official_formula" has what the benchmark's own formula
// gives there.
func Summary(s *evaluator.Summary) []byte {
	values, formula := make(estimates, 0, len(s.Official)), make(estimates, 0, len(s.Official))
	for _, average := range s.Official {
		values = append(values, estimate{average.K, average.Value})
		formula = append(formula, estimate{average.K, average.Formula})
	}
	codes := []code{}
	for _, c := range changed(s) {
		codes = append(codes, code{rule.Catalog[c].Code, changes(s.Codes[c])})
	}
	return appendJSON(nil, struct {
		Tasks      int          `json:"tasks"`
		Samples    int          `json:"samples"`
		Fewest     int          `json:"fewest_samples"`
		Most       int          `json:"most_samples"`
		Passed     int          `json:"passed"`
		Official   estimates    `json:"official"`
		Formula    estimates    `json:"official_formula"`
		Missing    []dataset.ID `json:"missing"`
		Unknown    int          `json:"unknown"`
		Extraction extraction   `json:"extraction"`
		Codes      []code       `json:"codes"`
	}{
		s.Tasks, s.Samples, s.Fewest, s.Most, s.Passed, values, formula,
		append([]dataset.ID{}, s.Missing...), s.Unknown, extraction(s.Extraction), codes,
	})
}

type extraction struct {
	Closed   int `json:"closed"`
	Open     int `json:"open"`
	Whole    int `json:"whole"`
	NoPython int `json:"no_python"`
	Several  int `json:"several"`
}

type code struct {
	Code string `json:"code"`
	changes
}

type changes struct {
	Given      int `json:"given"`
	Fixed      int `json:"fixed"`
	Left       int `json:"left"`
	Introduced int `json:"introduced"`
}

// changed returns the codes that a run has something to say of, those given
// most often first.
func changed(s *evaluator.Summary) []rule.Code {
	var codes []rule.Code
	for c := range s.Codes {
		if s.Codes[c] != (evaluator.Changes{}) {
			codes = append(codes, rule.Code(c))
		}
	}
	slices.SortStableFunc(codes, func(a, b rule.Code) int {
		x, y := &s.Codes[a], &s.Codes[b]
		return cmp.Or(cmp.Compare(y.Given, x.Given), cmp.Compare(y.Introduced, x.Introduced))
	})
	return codes
}
