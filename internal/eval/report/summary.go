package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/rule"
)

// Summary returns the sums of a run as one line of JSON. Its fields are those of
// [evaluator.Summary]. Under "official", pass@k is null if a task has fewer than k samples;
// "official_formula" then has the value of the benchmark's own formula. "official_stderr" and
// "official_interval" belong to the formula. These are over the "asked" tasks; "official_strict" is
// the formula over all "tasks", of which those not asked count as failed. Another verdict, called
// x, has "x", "x_formula", "x_stderr", "x_interval" and "x_strict", and "x_passed", "x_unknown" and
// "x_errors". Its "x_causes" is a list of {"outcome": "fail", "name": "result", "samples": 3} for
// the samples that pass officially. "undecided_tasks" counts the tasks that cannot be decided, by
// reason. "adequacy" is the mean of the tasks' adequacies, and "adequacy_tasks" their number.
func Summary(s *evaluator.Summary, about evaluator.About) []byte {
	object := pyjson.Object{
		{"tasks", s.Tasks}, {"samples", s.Samples}, {"fewest_samples", s.Fewest}, {"most_samples", s.Most},
		{"passed", s.Official().Passed},
	}
	for i := range s.Totals {
		total := &s.Totals[i]
		name := string(total.Verdict)
		if total.Verdict != evaluator.Official {
			object = append(object, pyjson.Object{
				{name + "_passed", total.Passed}, {name + "_unknown", total.Unknown}, {name + "_errors", total.Errors},
				{name + "_causes", causeObjects(s, i)},
			}...)
		}
		values, formula, stderr := split(total.PassAt)
		intervals := pyjson.Object{} // {"pass@1": [0.4, 0.6]}
		for i := range total.PassAt {
			average := &total.PassAt[i]
			bounds := []json.RawMessage{pyjson.Number(average.Interval.Low), pyjson.Number(average.Interval.High)}
			intervals = append(intervals, pyjson.Field{Name: average.Name(), Value: bounds})
		}
		object = append(object, pyjson.Object{
			{name, values}, {name + "_formula", formula}, {name + "_stderr", stderr}, {name + "_interval", intervals},
			{name + "_strict", append(estimates{}, total.Strict...)},
		}...)
	}
	if len(s.Totals) > 1 {
		object = append(object, pyjson.Field{Name: "undecided_tasks", Value: s.Undecided})
	}
	if s.Adequacies > 0 {
		object = append(object, pyjson.Object{{"adequacy", s.Adequacy}, {"adequacy_tasks", s.Adequacies}}...)
	}
	codes := []code{}
	for _, c := range changed(s) {
		codes = append(codes, code{c.String(), changes(s.Codes.Of(c))})
	}
	object = append(object, pyjson.Object{
		{"missing", append([]task.ID{}, s.Missing...)}, {"asked", s.Asked}, {"not_asked", append([]task.ID{}, s.NotAsked...)}, {"unknown", s.Unknown},
		{"extraction", newExtraction(&s.Extraction)}, {"codes", codes},
		{"by_prompt", groups(s.Prompts)}, {"by_length", groups(s.Lengths)}, {"by_code", groups(s.Given)},
	}...)
	if run := newOrigin(about); run != nil {
		object = append(object, pyjson.Field{Name: "run", Value: run})
	}
	return pyjson.AppendLine(nil, object)
}

func causeObjects(s *evaluator.Summary, v int) []pyjson.Object {
	list := []pyjson.Object{}
	if v < len(s.Causes) {
		for _, c := range s.Causes[v].List() {
			list = append(list, pyjson.Object{{"outcome", c.Outcome}, {"name", c.Name}, {"samples", c.N}})
		}
	}
	return list
}

func split(averages []evaluator.Average) (values, formula, stderr estimates) {
	values, formula, stderr = estimates{}, estimates{}, estimates{}
	for _, average := range averages {
		values = append(values, evaluator.Estimate{K: average.K, Value: average.Value})
		formula = append(formula, evaluator.Estimate{K: average.K, Value: average.Formula})
		stderr = append(stderr, evaluator.Estimate{K: average.K, Value: average.Stderr})
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
	SavedBy  map[string]int `json:"saved_by"` // {"py": 2}, without zeros

	Empty       int `json:"empty"`
	EmptyPassed int `json:"empty_passed"`
	Noqa        int `json:"noqa"`
	NoqaPassed  int `json:"noqa_passed"`
	Encoded     int `json:"encoded"`
	EncPassed   int `json:"encoded_passed"`
	Blank       int `json:"blank"`
	Hidden      int `json:"hidden"`
}

func newExtraction(e *evaluator.Extraction) extraction {
	hits := map[string]int{}
	for i, n := range e.SavedBy {
		if n > 0 {
			hits[extract.Leniencies()[i].String()] = n
		}
	}
	return extraction{
		e.Closed, e.Open, e.Whole, e.NoPython, e.Several, e.Saved, hits,
		e.Empty, e.EmptyPassed, e.Noqa, e.NoqaPassed, e.Encoded, e.EncodedPassed, e.Blank, e.Hidden,
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

// groups returns the scores of groups of tasks.
func groups(from []evaluator.Group) []pyjson.Object {
	to := []pyjson.Object{}
	for _, g := range from {
		object := pyjson.Object{{"name", g.Name}, {"tasks", g.Tasks}, {"samples", g.Samples}, {"passed", g.Totals[0].Passed}}
		for i := range g.Totals {
			total := &g.Totals[i]
			name := string(total.Verdict)
			if total.Verdict != evaluator.Official {
				object = append(object, pyjson.Object{{name + "_passed", total.Passed}, {name + "_unknown", total.Unknown}}...)
			}
			values, _, stderr := split(total.PassAt)
			object = append(object, pyjson.Object{{name, values}, {name + "_stderr", stderr}}...)
		}
		to = append(to, object)
	}
	return to
}

// changed returns the codes that were given or introduced, the most frequent first.
func changed(s *evaluator.Summary) []rule.Code {
	var codes []rule.Code
	for code, c := range s.Codes.All() {
		if *c != (evaluator.Changes{}) {
			codes = append(codes, code)
		}
	}
	slices.SortStableFunc(codes, func(a, b rule.Code) int {
		x, y := s.Codes.Of(a), s.Codes.Of(b)
		return cmp.Or(cmp.Compare(y.Given+y.Introduced, x.Given+x.Introduced), cmp.Compare(y.Given, x.Given))
	})
	return codes
}

// known reports whether an interval has a meaning.
func known(a *evaluator.Average) bool {
	return !math.IsNaN(a.Value) && !math.IsNaN(a.Stderr)
}
