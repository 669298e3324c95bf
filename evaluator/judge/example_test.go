package judge_test

import (
	"context"
	"fmt"
	"log"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/sandbox"
)

// An answer that is officially clean, but is another program.
func Example() {
	judges := judge.New(judge.Options{Sandbox: sandbox.Options{InProcess: true}})
	defer judges.Close()
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
	if err != nil {
		log.Fatal(err)
	}
	var t task.Task
	t.Inputs.Code = "def first(items) :\n    return items[0]\n"
	t.Meta.Row = &task.Row{TestList: []string{"assert first([2, 1]) == 2"}}
	result, err := scorer.Score(context.Background(), &t, []string{"def first(items):\n    return items[-1]\n"})
	if err != nil {
		log.Fatal(err)
	}
	for i, judgement := range result.Samples[0].Judgements {
		fmt.Println(scorer.Verdicts()[i], judgement.Outcome)
	}
	// Output:
	// official pass
	// guarded fail
}

func ExampleParseReward() {
	reward, err := judge.ParseReward("shaped")
	fmt.Println(reward, err)
	_, err = judge.ParseReward("most")
	fmt.Println(err)
	// Output:
	// shaped <nil>
	// expected binary, shaped, or a formula of terms, found "most": unknown term "most": expected one of passed, graded, per_finding, meaning, tests, fixed, partial, introduced, invalid, empty, longer, edited
}
