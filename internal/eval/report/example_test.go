package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/eval/report"
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
	if err := report.Table(os.Stdout, "Two answers", run.Summary, false); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Two answers: 1 task, 2 samples (2 a task)
	//
	//   pass@1    50.0 %   ███████████████···············
	//
	//   1 of 2 samples passes (50.0 %).
	//   Code: 0 in closed fences, 0 in a fence left open, 2 with no fence.
	//
	//   code  given      fixed       left   introduced   flake8 flags
	//   E225      2   1 50.0 %   1 50.0 %      0 0.0 %   unspaced operator
	//   all       2   1 50.0 %   1 50.0 %      0 0.0 %
	//
	//   given: findings in the tasks' programs, once for each sample; given = fixed + left.
	//   introduced: findings that were not given, and their share of all in the answers.
}

func ExampleCompare() {
	a := results(`{"id": 7, "outputs": ["x=1\n", "x=1\n"]}`)
	b := results(`{"id": 7, "outputs": ["x = 1\n", "x=1\n"]}`)
	for _, d := range report.Compare(a, b).Verdicts {
		fmt.Println(d.Verdict, d.Scores[0].A, d.Scores[0].B, "better on", d.Better)
	}
	// Output: official 0 0.5 better on 1
}

// Results are written as a run goes, and read again for a page of it.
func ExampleReadRun() {
	const line = `{"id":7,"n":2,"official":{"c":1,"pass@1":0.5},"prompt":"4a1c92e6","lines":1,"given":{"E225":1},"samples":[` +
		`{"official":true,"extraction":"whole","blocks":0,"python":0,"bytes":6,"fixed":1,"left":0,"introduced":0,"found":0,"findings":[]},` +
		`{"official":false,"extraction":"whole","blocks":0,"python":0,"bytes":4,"fixed":0,"left":1,"introduced":0,"found":1,"findings":[` +
		`{"code":"E225","row":1,"column":2,"start":1,"end":1,"text":"missing whitespace around operator"}]}]}`
	run, err := report.ReadRun("results.jsonl", strings.NewReader(line))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Summary.Samples, "samples,", run.Summary.Official().Passed, "passes")
	fmt.Println(run.Summary.Official().PassAt[0].Name(), run.Summary.Official().PassAt[0].Value)
	// Output:
	// 2 samples, 1 passes
	// pass@1 0.5
}

// A page is an output of a run, and is written when its sums are known.
func ExamplePage() {
	tasks, err := task.NewSet([]task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}})
	if err != nil {
		log.Fatal(err)
	}
	page := report.NewPage(tasks.Len())
	samples := evaluator.NewJSONL("samples.jsonl", strings.NewReader(`{"id": 7, "outputs": ["x = 1\n"]}`))
	summary, err := evaluator.Run(context.Background(), tasks, samples, evaluator.Options{
		Outputs: []evaluator.Output{{Encode: page.Encode, Writer: page}},
	})
	if err != nil {
		log.Fatal(err)
	}
	var html strings.Builder
	if err := page.Render(&html, evaluator.About{Title: "One task"}, summary); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(html.String(), "<title>One task</title>"))
	// Output: true
}

func ExampleSummary() {
	run := results(`{"id": 7, "outputs": ["x = 1\n", "x=1\n"]}`)
	fmt.Printf("%.58s\n", report.Summary(run.Summary, evaluator.About{}))
	// Output: {"tasks":1,"samples":2,"fewest_samples":2,"most_samples":2
}
