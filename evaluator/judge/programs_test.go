package judge

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/guard"
	"codelinter/lint"
)

// Judges share what they read of tasks: whoever asks, in whatever order, an answer is
// held against its own task's program, and against what that is now.
func TestProgramsAreShared(t *testing.T) {
	judges := New(Options{})
	defer judges.Close()
	tasks := make([]task.Task, 20)
	for i := range tasks {
		tasks[i].Inputs.Code = fmt.Sprintf("def f%d(x) :\n    return x\n", i)
	}
	var working sync.WaitGroup
	for worker := range 4 {
		working.Go(func() {
			scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 200 {
				n := (i*7 + worker) % len(tasks)
				result, err := scorer.Score(t.Context(), &tasks[n], []string{
					fmt.Sprintf("def f%d(x):\n    return x\n", n),
					fmt.Sprintf("def f%d(x):\n    return x\n", n+1),
				})
				if err != nil {
					t.Error(err)
					return
				}
				if mine := result.Samples[0].Judgements[1]; mine.Outcome != evaluator.Pass || mine.Proof != "tree" {
					t.Errorf("task %d: %+v", n, mine)
				}
				if other := result.Samples[1].Judgements[1]; other.Outcome != evaluator.Fail || other.Reasons[0].Name != guard.MissingDefinition {
					t.Errorf("task %d: %+v", n, other)
				}
			}
		})
	}
	working.Wait()

	var checker guard.Checker
	before, err := judges.programs.of(&tasks[0], &checker)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := judges.programs.of(&tasks[0], &checker); again != before {
		t.Error("a program is read twice")
	}
	tasks[0].Inputs.Code = "def g(x) :\n    return x\n"
	after, err := judges.programs.of(&tasks[0], &checker)
	if err != nil {
		t.Fatal(err)
	}
	if r := checker.Check(after.guard, []byte("x = 1\n"), lint.Facts{}); len(r.Reasons) != 1 || !strings.HasPrefix(r.Reasons[0].Text, "function g ") {
		t.Errorf("a task that was reused has %v", r.Reasons)
	}
	for i := range 1000 {
		large := task.Task{}
		large.Inputs.Code = fmt.Sprintf("x = %d  # %s\n", i, strings.Repeat("-", 2000))
		if _, err := judges.programs.of(&large, &checker); err != nil {
			t.Fatal(err)
		}
	}
	if size := judges.programs.known.Size(); size > 2*programBytes || size < programBytes {
		t.Errorf("%d bytes of programs are kept", size)
	}
}
