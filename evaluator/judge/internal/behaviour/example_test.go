package behaviour_test

import (
	"context"
	"fmt"
	"log"

	"codelinter/evaluator/judge/internal/behaviour"
	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/sandbox"
)

// An answer in other words keeps the logic, one that is wrong for an empty list does
// not.
func ExampleJudge() {
	ctx := context.Background()
	pool, err := sandbox.New(ctx, sandbox.Options{InProcess: true})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	linter, err := lint.New(lint.Options{})
	if err != nil {
		log.Fatal(err)
	}
	task := &behaviour.Task{
		ID:      "7",
		Program: "def mean(items) :\n    if not items:\n        return 0\n    return sum(items)/len(items)\n",
		Tests:   []string{"assert mean([1, 2]) == 1.5"},
	}
	var checker guard.Checker
	program, err := checker.Program([]byte(task.Program), task.Tests...)
	if err != nil {
		log.Fatal(err)
	}
	judge := behaviour.New(pool, behaviour.Options{})
	for _, answer := range []string{
		"def mean(items):\n    return sum(items) / len(items) if items else 0\n",
		"def mean(items):\n    return sum(items) / len(items)\n",
	} {
		result := linter.Lint(lint.Input{Data: []byte(answer), Facts: true})
		report := checker.Check(program, []byte(answer), result.Facts)
		verdict, err := judge.Judge(ctx, task, answer, report)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(verdict.Outcome)
		for _, reason := range verdict.Reasons {
			fmt.Println(reason.Text)
		}
	}
	// Output:
	// pass
	// fail
	// mean([]) raised ZeroDivisionError: division by zero, the program gives 0
}
