package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/report"
	"codelinter/evaluator/task"
)

// results scores samples of one task.
func results(samples string) *report.Run {
	tasks, err := task.NewSet([]task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}})
	if err != nil {
		log.Fatal(err)
	}
	var encoder report.Results
	var out bytes.Buffer
	_, err = evaluator.Run(context.Background(), tasks, evaluator.NewJSONL("s", strings.NewReader(samples)), evaluator.Options{
		K:       []int{1},
		Outputs: []evaluator.Output{{Encode: encoder.Encode, Writer: &out}},
	})
	if err != nil {
		log.Fatal(err)
	}
	run, err := report.ReadRun("results.jsonl", &out)
	if err != nil {
		log.Fatal(err)
	}
	return run
}

func ExampleTable() {
	run := results(`{"id": 7, "outputs": ["x = 1\n", "x=1\n"]}`)
	if err := report.Table(os.Stdout, "Two answers", run.Summary); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Two answers: 1 task, 2 samples (2 a task)
	//
	//   pass@1    50.0 %   ███████████████···············
	//
	//   code  given      fixed       left   introduced   flake8 flags
	//   E225      2   1 50.0 %   1 50.0 %      0 0.0 %   unspaced operator
	//   all       2   1 50.0 %   1 50.0 %      0 0.0 %
	//
	//   given: findings in the tasks' programs, once for each sample; given = fixed + left.
	//   introduced: findings that were not given, and their share of all in the answers.
	//
	//   1 of 2 samples passes (50.0 %).
	//   Code: 0 in closed fences, 0 in a fence left open, 2 with no fence.
}

func ExampleCompare() {
	a := results(`{"id": 7, "outputs": ["x=1\n", "x=1\n"]}`)
	b := results(`{"id": 7, "outputs": ["x = 1\n", "x=1\n"]}`)
	for _, d := range report.Compare(a, b).Verdicts {
		fmt.Println(d.Verdict, d.Scores[0].A, d.Scores[0].B, "better on", d.Better)
	}
	// Output: official 0 0.5 better on 1
}
