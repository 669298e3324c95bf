package task_test

import (
	"fmt"
	"log"

	"codelinter/evaluator/task"
	"codelinter/lint"
)

func ExampleTask_Prompt() {
	t := &task.Task{
		Instruction: "Fix this.\n{feedback}{code}",
		Inputs:      task.Inputs{Code: "x=1\n", Feedback: "E225: missing whitespace around operator in 1 line\n"},
	}
	fmt.Println(t.Prompt())
	// Output:
	// Fix this.
	// E225: missing whitespace around operator in 1 line
	// x=1
}

func ExampleAppendFeedback() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", task.AppendFeedback(nil, linter.Lint(lint.Input{Data: []byte("x=1\n")}).Findings))
	// Output: E225: missing whitespace around operator in 1 line
}

func ExampleNewOptions() {
	options := lint.DefaultOptions()
	options.MaxComplexity = 5
	of, err := task.NewOptions(options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(of)
	// Output: --max-complexity=5
}

func ExampleNewSet() {
	set, err := task.NewSet([]task.Task{{Meta: task.Meta{ID: "7"}}, {Meta: task.Meta{ID: "HumanEval/8"}}})
	if err != nil {
		log.Fatal(err)
	}
	at, ok := set.Find("HumanEval/8")
	fmt.Println(set.Len(), at, ok)
	// Output: 2 1 true
}
