package evaluator_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/tasks/openset"
)

// A reward function scores the answers to one task.
func ExampleScorer() {
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: []int{1}})
	if err != nil {
		log.Fatal(err)
	}
	t := &task.Task{Inputs: task.Inputs{Code: "x=1\n"}}
	result, err := scorer.Score(context.Background(), t, []string{
		"```python\nx = 1\n```\n",
		"x= 1\n",
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := range result.Samples {
		sample := &result.Samples[i]
		fmt.Println(sample.Judgements[0].Outcome, sample.Judgements[0].Reward, sample.Fixed, sample.Left)
	}
	fmt.Println("pass@1:", result.Scores[0].PassAt[0].Value)
	// Output:
	// pass 1 1 0
	// fail 0 0 1
	// pass@1: 0.5
}

// A file of samples is scored on all cores and summed up.
func ExampleRun() {
	tasks, err := openset.Tasks()
	if err != nil {
		log.Fatal(err)
	}
	answers, err := openset.Answers()
	if err != nil {
		log.Fatal(err)
	}
	summary, err := evaluator.Run(context.Background(), tasks, evaluator.NewJSONL("answers", answers), evaluator.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, average := range summary.Official().PassAt {
		fmt.Printf("%s: %.3f\n", average.Name(), average.Value)
	}
	// Output:
	// pass@1: 0.399
	// pass@5: 0.771
	// pass@10: 0.876
}

// A brevity judge passes what passes officially and has at most 20 bytes.
type brevity struct{}

func (brevity) Verdict() evaluator.Verdict { return "brief" }

func (brevity) Judge(_ context.Context, _ *task.Task, s *evaluator.Sample) (evaluator.Judgement, error) {
	if s.Official() && s.Bytes <= 20 {
		return evaluator.Judgement{Outcome: evaluator.Pass, Reward: 1}, nil
	}
	return evaluator.Judgement{Reasons: []evaluator.Reason{{Name: "length", Text: "more than 20 bytes"}}}, nil
}

// A verdict of one's own stands beside the official.
func ExampleJudge() {
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{
		Judges: []func() (evaluator.Judge, error){func() (evaluator.Judge, error) { return brevity{}, nil }},
	})
	if err != nil {
		log.Fatal(err)
	}
	result, err := scorer.Score(context.Background(), &task.Task{}, []string{strings.Repeat("x = 1\n", 5)})
	if err != nil {
		log.Fatal(err)
	}
	for i, verdict := range scorer.Verdicts() {
		fmt.Println(verdict, result.Samples[0].Judgements[i].Outcome)
	}
	// Output:
	// official pass
	// brief fail
}
