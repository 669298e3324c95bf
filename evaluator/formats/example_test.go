package formats_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/formats"
	"codelinter/evaluator/task"
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
