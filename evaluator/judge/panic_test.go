package judge

import (
	"context"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/judge/internal/behaviour"
	"codelinter/evaluator/task"
	"codelinter/sandbox"
)

type panics struct{}

func (panics) Run(context.Context, sandbox.Program) (sandbox.Result, error) { panic("out of order") }

// A panic is an error of ours: unknown, and the next answer is judged.
func TestPanic(t *testing.T) {
	judges := &Judges{engine: &engine{}, behaviour: behaviour.New(panics{}, behaviour.Options{}), programs: new(programs)}
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{Judges: judges.Makers()})
	if err != nil {
		t.Fatal(err)
	}
	var given task.Task
	given.Inputs.Code = "def f(x) :\n    return x\n"
	result, err := scorer.Score(t.Context(), &given, []string{
		"def f(x):\n    y = [x]\n    return y[0]\n",
		"def f(x):\n    return x\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	first, second := result.Samples[0].Judgements[1], result.Samples[1].Judgements[1]
	if first.Outcome != evaluator.Unknown || !first.Error || first.Reasons[0].Text != "panic: out of order" {
		t.Errorf("%+v", first)
	}
	if second.Outcome != evaluator.Pass || second.Proof != behaviour.ByTree {
		t.Errorf("%+v", second)
	}
}
