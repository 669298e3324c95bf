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
	all := boardWays(l.Entries)
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
	if fmt.Sprint(left.Samples, left.Tasks) != "[1 3 2] [1 2 2]" || left.Example == nil || left.Example.Run != 1 || left.Example.Sample != 1 {
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
	if all := boardWays(board(t, []string{"c", "d"}, bare, bare).Entries); len(all) == 0 || all[0].Example != nil {
		t.Errorf("of results without texts: %+v", all)
	}
}
