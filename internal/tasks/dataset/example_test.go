package dataset_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"strings"

	"codelinter/internal/tasks/dataset"
)

const row = `{"task_id": 11, "text": "Add one.", "code": "def f(x):\n    return x+1\ny=2\n", "test_list": ["assert f(1) == 2"]}`

func ExampleBuild() {
	var tasks strings.Builder
	built, err := dataset.Build("mbpp.jsonl", strings.NewReader(row), &tasks, nil, dataset.BuildOptions{
		Instructions: []string{"{feedback}{code}"},
	})
	if err != nil {
		log.Fatal(err)
	}
	set, err := dataset.Read("tasks.jsonl", strings.NewReader(tasks.String()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(built.Tasks, "task with", built.Findings, "findings")
	fmt.Print(set.At(0).Inputs.Feedback)
	// Output:
	// 1 task with 2 findings
	// E305: expected 2 blank lines after class or function definition, found 0 in 3 line
	// E225: missing whitespace around operator in 3 line
}

func ExampleCheck() {
	const task = `{"instruction": "Fix {code}", "inputs": {"code": "x = 1\n", "feedback": ""}, "meta": {"id": 7}}`
	report, err := dataset.Check("tasks.jsonl", strings.NewReader(task), dataset.CheckOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, fault := range report.Faults {
		fmt.Printf("%d: %s %s\n", fault.Line, fault.Field, fault.Problem)
	}
	// Output:
	// 1: instruction has no {feedback}
	// 1: inputs.code has no findings: there is nothing to mend
}

func ExampleOpen() {
	_, err := dataset.Open("none.jsonl")
	fmt.Println("tasks are missing:", errors.Is(err, fs.ErrNotExist))
	// Output: tasks are missing: true
}

// The instructions of an evaluation are in one of a few languages.
func ExampleInstructions() {
	fmt.Println(len(dataset.Instructions("en")), "in each of", dataset.Languages())
	// Output: 10 in each of [en ru]
}
