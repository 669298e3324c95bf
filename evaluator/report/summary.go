package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
	"codelinter/rule"
)

// Summary returns the sums of a run as one line of JSON. Its fields are those of
// [evaluator.Summary]; under "official", pass@k is null where a task has fewer
// than k samples, and "official_formula" has what the benchmark's own formula
// gives there. "official_stderr" and "official_interval" are of the formula.
func Summary(s *evaluator.Summary) []byte {
	codes := []code{}
	for _, c := range changed(s) {
		codes = append(codes, code{c.String(), changes(s.Codes[c])})
	}
	values, formula, stderr := split(s.Official)
	intervals := pyjson.Object{} // {"pass@1": [0.4, 0.6]}
	for i := range s.Official {
		average := &s.Official[i]
		bounds := []json.RawMessage{pyjson.Number(average.Interval.Low), pyjson.Number(average.Interval.High)}
		intervals = append(intervals, pyjson.Field{average.Name(), bounds})
	}
	return pyjson.AppendLine(nil, struct {
		Tasks      int           `json:"tasks"`
		Samples    int           `json:"samples"`
		Fewest     int           `json:"fewest_samples"`
		Most       int           `json:"most_samples"`
		Passed     int           `json:"passed"`
		Official   estimates     `json:"official"`
		Formula    estimates     `json:"official_formula"`
		Stderr     estimates     `json:"official_stderr"`
		Intervals  pyjson.Object `json:"official_interval"`
		Missing    []task.ID     `json:"missing"`
		Unknown    int           `json:"unknown"`
		Extraction extraction    `json:"extraction"`
		Codes      []code        `json:"codes"`
		Prompts    []group       `json:"by_prompt"`
		Lengths    []group       `json:"by_length"`
		Given      []group       `json:"by_code"`
	}{
		s.Tasks, s.Samples, s.Fewest, s.Most, s.Passed, values, formula, stderr, intervals,
		append([]task.ID{}, s.Missing...), s.Unknown, newExtraction(&s.Extraction), codes,
		groups(s.Prompts), groups(s.Lengths), groups(s.Given),
	})
}

func split(averages []evaluator.Average) (values, formula, stderr estimates) {
	values, formula, stderr = estimates{}, estimates{}, estimates{}
	for _, average := range averages {
		values = append(values, estimate{average.K, average.Value})
		formula = append(formula, estimate{average.K, average.Formula})
		stderr = append(stderr, estimate{average.K, average.Stderr})
	}
	return values, formula, stderr
}

type extraction struct {
	Closed   int            `json:"closed"`
	Open     int            `json:"open"`
	Whole    int            `json:"whole"`
	NoPython int            `json:"no_python"`
	Several  int            `json:"several"`
	Saved    int            `json:"saved_if_forgiving"`
	SavedBy  map[string]int `json:"saved_by"` // {"py": 2}, those that are 0 left out

	Empty       int `json:"empty"`
	EmptyPassed int `json:"empty_passed"`
	Noqa        int `json:"noqa"`
	NoqaPassed  int `json:"noqa_passed"`
	Blank       int `json:"blank"`
	Hidden      int `json:"hidden"`
}

func newExtraction(e *evaluator.Extraction) extraction {
	hits := map[string]int{}
	for i, n := range e.SavedBy {
		if n > 0 {
			hits[extract.Leniencies[i].String()] = n
		}
	}
	return extraction{
		e.Closed, e.Open, e.Whole, e.NoPython, e.Several, e.Saved, hits,
		e.Empty, e.EmptyPassed, e.Noqa, e.NoqaPassed, e.Blank, e.Hidden,
	}
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

type group struct {
	Name     string    `json:"name"`
	Tasks    int       `json:"tasks"`
	Samples  int       `json:"samples"`
	Passed   int       `json:"passed"`
	Official estimates `json:"official"`
	Stderr   estimates `json:"official_stderr"`
}

func groups(from []evaluator.Group) []group {
	to := []group{}
	for _, g := range from {
		values, _, stderr := split(g.Official)
		to = append(to, group{g.Name, g.Tasks, g.Samples, g.Passed, values, stderr})
	}
	return to
}

// changed returns the codes that a run has something to say of, those given or
// introduced most often first.
func changed(s *evaluator.Summary) []rule.Code {
	var codes []rule.Code
	for c := range s.Codes {
		if s.Codes[c] != (evaluator.Changes{}) {
			codes = append(codes, rule.Code(c))
		}
	}
	slices.SortStableFunc(codes, func(a, b rule.Code) int {
		x, y := &s.Codes[a], &s.Codes[b]
		return cmp.Or(cmp.Compare(y.Given+y.Introduced, x.Given+x.Introduced), cmp.Compare(y.Given, x.Given))
	})
	return codes
}

// known tells whether an interval says anything.
func known(a *evaluator.Average) bool {
	return !math.IsNaN(a.Value) && !math.IsNaN(a.Stderr)
}
