package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
)

// A page of many runs says how their samples fail, with an example from the run that
// fails so the most: one that fails, with the least else to say of it.
func TestWays(t *testing.T) {
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	tasks := []task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "1"}}, {Inputs: task.Inputs{Code: "y=1\n"}, Meta: task.Meta{ID: "2"}}}
	read := func(texts bool, samples ...[]string) *Run {
		var results []byte
		for i := range tasks {
			results = (&Results{Texts: texts}).Encode(results, scoreAll(t, scorer, &tasks[i], samples[i]))
		}
		run, err := ReadRun("r", bytes.NewReader(results))
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	some := read(true, []string{"x = 1\n", "x=1\n"}, []string{"y = 1\n", "y = 1\n"})
	more := read(true, []string{"x=1\nprint(z )\n", "x=2\n"}, []string{"y=1\n", "y = (\n"})
	bare := read(false, []string{"x=1\n"}, []string{"y=1\n"})
	l := board(t, []string{"a", "b", "c"}, some, more, bare)
	all := boardWays(l.Entries, l.ids, mostFrequent)
	find := func(mark string) (way boardWay) {
		for _, one := range all {
			if one.Mark == mark {
				return one
			}
		}
		t.Fatalf("%s is not among %+v", mark, all)
		return way
	}
	left := find("left:E225")
	if fmt.Sprint(left.Samples, left.Shares) != "[1 3 2] [0.25 0.75 1]" || left.Example == nil || left.Example.Run != 1 || left.Example.Sample != 1 {
		t.Errorf("left:E225: %+v", left)
	}
	var shown struct {
		ID   string
		Runs []struct{ Samples []struct{ Code string } }
	}
	if err := json.Unmarshal(left.Example.Task, &shown); err != nil || shown.ID != "1" || shown.Runs[0].Samples[0].Code != "x=2\n" {
		t.Errorf("the example is %s (%v)", left.Example.Task, err)
	}
	if introduced := find("new:E202"); fmt.Sprint(introduced.Samples) != "[0 1 0]" || introduced.Example.Sample != 0 {
		t.Errorf("new:E202: %+v", introduced)
	}
	if all := boardWays(board(t, []string{"c", "d"}, bare, bare).Entries, l.ids, mostFrequent); len(all) == 0 || all[0].Example != nil {
		t.Errorf("of results without texts: %+v", all)
	}
}

// A run's share of failing samples is a mean over tasks, as pass@1 is. So it depends neither on how
// many samples a task has, nor on tasks that other runs lack.
func TestWaysAreMeansOverTasks(t *testing.T) {
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(samples map[task.ID][]string) *Run {
		var results []byte
		for _, id := range []task.ID{"1", "2", "3"} {
			if answers, has := samples[id]; has {
				one := task.Task{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: id}}
				results = (&Results{Texts: true}).Encode(results, scoreAll(t, scorer, &one, answers))
			}
		}
		run, err := ReadRun("r", bytes.NewReader(results))
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	const good, bad = "x = 1\n", "x=1\n"
	// Task 3 is in one run alone, and task 2 has no samples in the other.
	many := read(map[task.ID][]string{"1": {bad, bad, good, good}, "2": {good}, "3": {bad, bad, bad, bad}})
	few := read(map[task.ID][]string{"1": {bad}, "2": nil})
	l := board(t, []string{"many", "few"}, many, few)
	var left boardWay
	for _, way := range boardWays(l.Entries, l.ids, mostFrequent) {
		if way.Mark == "left:E225" {
			left = way
		}
	}
	if fmt.Sprint(left.Samples, left.Shares) != "[2 1] [0.25 1]" {
		t.Errorf("%+v", left)
	}
	if left.Example == nil || left.Example.Run != 1 {
		t.Errorf("the example is %+v: its run has the largest share", left.Example)
	}
	if codes := pairCodes(many, few, Compare(many, few).ids); fmt.Sprint(codes) != "[{E225 unspaced operator 25 100}]" {
		t.Errorf("findings in 100 answers: %v", codes)
	}
}
