package report

import (
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/rule"
)

// What a page draws of a sample, and what it is found by.
func TestStates(t *testing.T) {
	judged := func(outcomes ...evaluator.Outcome) (all []evaluator.Judgement) {
		for _, outcome := range outcomes {
			all = append(all, evaluator.Judgement{Outcome: outcome, Reasons: []evaluator.Reason{{Name: "a reason=1"}}})
		}
		return all
	}
	passes := func(d details, outcomes ...evaluator.Outcome) sample {
		d.Python = 1
		return sample{Official: true, details: d, others: judged(outcomes...)}
	}
	fails := func(d details, codes ...string) sample {
		for _, code := range codes {
			d.Findings = append(d.Findings, finding{Code: code})
		}
		return sample{details: d, others: judged(evaluator.Fail, evaluator.Fail)}
	}
	const pass, fail, unknown = evaluator.Pass, evaluator.Fail, evaluator.Unknown
	r := record{
		rest:   rest{Given: evaluator.Counts{{Code: rule.E225, N: 1}, {Code: rule.W291, N: 2}}},
		scores: []score{{verdict: "official"}, {verdict: "x"}, {verdict: "y"}},
	}
	tests := []struct {
		sample sample
		state  state
		marks  string
	}{
		{passes(details{}, pass, pass), passing, ""},
		{passes(details{Noqa: true}, pass, pass), suspect, "noqa"},
		{passes(details{Empty: true}, unknown, fail), suspect, "empty x:a-reason-1 y:a-reason-1"},
		{passes(details{}, pass, unknown), unsure, "unknown y:a-reason-1"},
		{fails(details{Python: 1, Introduced: 1}, "E225", "E225"), failing, "new:E225 left:E225"},
		{fails(details{Python: 1}, "W291"), failing, "left:W291"},
		{fails(details{Extraction: "open"}, "E999", "W291"), invalid, "E999 no-block open new:E999 left:W291"},
		{fails(details{Python: 1, Encoding: "latin-1"}, "E902"), invalid, "E999 encoded new:E902"},
	}
	for i, test := range tests {
		r.Samples = append(r.Samples, test.sample)
		marks := strings.Join(sampleMarks(&r, i), " ")
		if state := test.sample.state(); state != test.state || marks != test.marks {
			t.Errorf("sample %d is %s with %q, want %s with %q", i, stateNames[state], marks, stateNames[test.state], test.marks)
		}
	}
	r.N = len(r.Samples)
	if got := taskMarks(&r); !strings.Contains(got, "E999=2 ") || !strings.Contains(got, "left:W291=2") {
		t.Errorf("the task has %q", got)
	}
	var sums failures
	sums.add(&r)
	if sums.invalid != 2 || sums.introduced != 1 || sums.left != 1 || sums.both != 0 || sums.silenced[0] != 1 || sums.silenced[2] != 1 || sums.empty[0] != 1 || sums.empty[1] != 0 {
		t.Errorf("sums: %d invalid, %d left, %d introduced, %d both, silenced %v, empty %v", sums.invalid, sums.left, sums.introduced, sums.both, sums.silenced, sums.empty)
	}
	if got := [...]int{sums.matrix[rule.W291][rule.E225], sums.matrix[rule.E225][rule.E999], sums.matrix[rule.E225][rule.W291], sums.matrix[rule.E999][rule.E225]}; got != [...]int{1, 1, 0, 0} {
		t.Errorf("the matrix has %v", got)
	}

	few := newSquares(&r)
	if few.Width != 8*pitch || few.Height != pitch || few.Label != "1 passing, 2 suspect, 1 unsure, 2 failing, 2 invalid" || len(few.Squares) != int(states) || !strings.HasPrefix(few.Squares[suspect].Path, "M13 1"+shapes[suspect]+"M25 1") {
		t.Errorf("eight samples are drawn as %+v", few)
	}
	for range 4 {
		r.Samples = append(r.Samples, r.Samples[:8]...)
	}
	r.N = len(r.Samples)
	if many := newSquares(&r); len(many.Squares) > 0 || len(many.Stretches) != int(states) || many.Stretches[suspect] != (part{"suspect", "12.50%", "25.00%"}) {
		t.Errorf("forty samples are drawn as %+v", many)
	}
}

// Groups have the intervals of their own tasks, and small ones say that they are.
func TestGroupIntervals(t *testing.T) {
	summary, _ := runOpen(t, new(Results).Encode)
	table := newGroupsTable("length", summary.Totals, summary.Lengths)
	for i, row := range table.Rows {
		group := &summary.Lengths[i]
		for j, interval := range evaluator.Intervals(group.Totals[0].Tallies, evaluator.DefaultK()) {
			if got := row.Values[j]; got.Low != exact(interval.Low) || got.High != exact(interval.High) || got.Value != exact(group.Totals[0].PassAt[j].Value) {
				t.Errorf("%s: %+v, want %v", row.Name, got, interval)
			}
		}
		if row.Small != (group.Tasks < smallGroup) || len(row.Forest) != len(group.Totals) {
			t.Errorf("%s, %d tasks: %+v", row.Name, group.Tasks, row)
		}
	}
	codes := newGroupsTable("code", summary.Totals, summary.Given)
	if !codes.Folded || !codes.Small || len(codes.Rows) != len(summary.Given) || len(codes.Heads) != len(summary.Totals) {
		t.Errorf("%d groups by code, folded %v, small ones %v, %d scores", len(codes.Rows), codes.Folded, codes.Small, len(codes.Heads))
	}
	for i := range summary.Totals {
		total := &summary.Totals[i]
		for j, interval := range evaluator.Intervals(total.Tallies, evaluator.DefaultK()) {
			if total.PassAt[j].Interval != interval {
				t.Errorf("all tasks: %v, want %v", interval, total.PassAt[j].Interval)
			}
		}
	}
}
