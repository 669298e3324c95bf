package report

import (
	"maps"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/lint"
	"codelinter/rule"
)

// What a page draws of a sample, and what it is found by.
func TestStates(t *testing.T) {
	sample := func(s evaluator.Sample, outcomes ...evaluator.Outcome) evaluator.Sample {
		for _, outcome := range outcomes {
			s.Judgements = append(s.Judgements, evaluator.Judgement{Outcome: outcome, Reasons: []evaluator.Reason{{Name: "a reason=1"}}})
		}
		return s
	}
	passes := func(s evaluator.Sample, outcomes ...evaluator.Outcome) evaluator.Sample {
		s.Python = 1
		return sample(s, append([]evaluator.Outcome{evaluator.Pass}, outcomes...)...)
	}
	fails := func(s evaluator.Sample, codes ...rule.Code) evaluator.Sample {
		for _, code := range codes {
			s.Findings = append(s.Findings, rule.Finding{Code: code})
		}
		return sample(s, evaluator.Fail, evaluator.Fail, evaluator.Fail)
	}
	const pass, fail, unknown = evaluator.Pass, evaluator.Fail, evaluator.Unknown
	r := record{Result: &evaluator.Result{
		Given:  evaluator.Counts{{Code: rule.E225, N: 1}, {Code: rule.W291, N: 2}},
		Scores: []evaluator.Score{{Verdict: "official"}, {Verdict: "x"}, {Verdict: "y"}},
	}}
	tests := []struct {
		sample evaluator.Sample
		state  state
		marks  string
	}{
		{passes(evaluator.Sample{}, pass, pass), passing, ""},
		{passes(evaluator.Sample{Facts: lint.Facts{Silenced: true}}, pass, pass), suspect, "noqa"},
		{passes(evaluator.Sample{Empty: true}, unknown, fail), suspect, "empty x:a-reason-1 y:a-reason-1"},
		{passes(evaluator.Sample{}, pass, unknown), unsure, "unknown y:a-reason-1"},
		{fails(evaluator.Sample{Python: 1, Changes: evaluator.Changes{Introduced: 1}}, rule.E225, rule.E225), failing, "new:E225 left:E225"},
		{fails(evaluator.Sample{Python: 1}, rule.W291), failing, "left:W291"},
		{fails(evaluator.Sample{Extraction: extract.Open}, rule.E999, rule.W291), invalid, "E999 no-block open new:E999 left:W291"},
		{fails(evaluator.Sample{Python: 1, Facts: lint.Facts{Encoding: "latin-1"}}, rule.E902), invalid, "E999 encoded new:E902"},
	}
	for i, test := range tests {
		r.Samples = append(r.Samples, test.sample)
		marks := strings.Join(sampleMarks(&r, i), " ")
		if state := stateOf(&test.sample); state != test.state || marks != test.marks {
			t.Errorf("sample %d is %c with %q, want %c with %q", i, stateLetters[state], marks, stateLetters[test.state], test.marks)
		}
	}
	if got, _ := taskMarks(&r); got["E999"] != 2 || got["left:W291"] != 2 {
		t.Errorf("the task has %v", got)
	}
	if run := newRowRun(&r); run.N != 8 || run.States != "pssuffxx" {
		t.Errorf("the row has %+v", run)
	}
	var sums failures
	sums.add(&r)
	if sums.invalid != 2 || sums.introduced != 1 || sums.left != 1 || sums.both != 0 || sums.silenced[0] != 1 || sums.silenced[2] != 1 || sums.empty[0] != 1 || sums.empty[1] != 0 {
		t.Errorf("sums: %d invalid, %d left, %d introduced, %d both, silenced %v, empty %v", sums.invalid, sums.left, sums.introduced, sums.both, sums.silenced, sums.empty)
	}
	if got := [...]int{*sums.matrix.At(rule.W291).At(rule.E225), *sums.matrix.At(rule.E225).At(rule.E999), *sums.matrix.At(rule.E225).At(rule.W291), *sums.matrix.At(rule.E999).At(rule.E225)}; got != [...]int{1, 1, 0, 0} {
		t.Errorf("the matrix has %v", got)
	}
}

// Groups have the intervals of their own tasks; of many groups, only those of the first k.
func TestGroupIntervals(t *testing.T) {
	summary, _ := runOpen(t, new(Results).Encode)
	for i, got := range newGroups("length", summary.Totals, summary.Lengths).Groups {
		group := &summary.Lengths[i]
		if got.Name != group.Name || got.Tasks != group.Tasks {
			t.Errorf("%+v, want %s of %d tasks", got, group.Name, group.Tasks)
		}
		for j, interval := range evaluator.Intervals(group.Totals[0].Tallies, evaluator.DefaultK()) {
			score := got.Scores[0][j]
			if score.Low != number(interval.Low) || score.High != number(interval.High) || score.Value != number(group.Totals[0].PassAt[j].Value) {
				t.Errorf("%s: %+v, want %v", got.Name, score, interval)
			}
		}
	}
	codes := newGroups("code", summary.Totals, summary.Given)
	if len(codes.Groups) != len(summary.Given) || len(codes.Groups[0].Scores[0]) != 1 {
		t.Errorf("%d groups by code with %d scores", len(codes.Groups), len(codes.Groups[0].Scores[0]))
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

// Findings of programs whose answers have no code that is Python are lost, not fixed.
func TestLost(t *testing.T) {
	one := []task.Task{{Inputs: task.Inputs{Code: "x=1\ny=2 \n"}, Meta: task.Meta{ID: "a"}}}
	page := shown(t, scored(t, one, map[task.ID][]string{"a": {"x = 1\ny = 2\n", "", "x = (\n", "```js\n1\n```", "x = 1\ny=2\n"}}))
	codes := map[string]codeData{}
	for _, code := range page.Run.Codes {
		codes[code.Code] = code
	}
	if got := codes["E225"]; got.changes != (changes{Given: 10, Fixed: 3, Left: 1}) || got.Lost != 6 {
		t.Errorf("E225: %+v", got)
	}
	if got := codes["W291"]; got.changes != (changes{Given: 5, Fixed: 2}) || got.Lost != 3 {
		t.Errorf("W291: %+v", got)
	}
	if got := codes["E999"]; got.changes != (changes{Introduced: 1}) || got.Lost != 0 {
		t.Errorf("E999: %+v", got)
	}
	if got := *page.rows[0].Changes; got != [3]int{5, 1, got[2]} {
		t.Errorf("the task's row has %v", got)
	}
}

// A sample fails by a mark if some verdict does not pass it, and the mark says why.
func TestFailsBy(t *testing.T) {
	one := []task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "a"}}}
	page := shown(t, scored(t, one, map[task.ID][]string{"a": {
		"x = 2\n", "x=1\n", "", "```js\n```", "Sorry, no.", "x=1\ny=2  # noqa\n", "x=1  # noqa\n",
	}}))
	row := page.rows[0]
	failing := map[string]int{}
	for mark, n := range row.Marks {
		if n -= row.Fine[mark]; n > 0 {
			failing[mark] = n
		}
	}
	// Of the answers without a Python block, one is not Python. Of those without code, one has a
	// finding.
	want := map[string]int{"no-block": 1, "empty": 1, "E999": 1, "new:E999": 1, "left:E225": 2, "open": 1}
	if !maps.Equal(failing, want) {
		t.Errorf("samples fail by %v, want %v", failing, want)
	}
}
