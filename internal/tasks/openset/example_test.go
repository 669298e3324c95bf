package openset_test

import (
	"fmt"
	"log"
	"strings"

	"codelinter/evaluator"
	"codelinter/internal/tasks/openset"
)

func ExampleTasks() {
	tasks, err := openset.Tasks()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tasks.Len(), "tasks, of which the first:", tasks.At(0).Meta.Text)
	// Output: 121 tasks, of which the first: Turn an integer from 1 to 3999 into a Roman numeral.
}

// The answers are a file of samples.
func ExampleAnswers() {
	answers, err := openset.Answers()
	if err != nil {
		log.Fatal(err)
	}
	source := evaluator.NewJSONL("answers", answers)
	row, err := source.Next()
	if err != nil {
		log.Fatal(err)
	}
	samples, err := source.Parse(row)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(samples.Outputs), "answers to task", samples.ID)
	// Output: 10 answers to task 1
}

// The rows are those that [codelinter/internal/dataset.Open] reads.
func ExampleWriteTasks() {
	var rows strings.Builder
	if err := openset.WriteTasks(&rows); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(rows.String(), "\n"), "rows")
	// Output: 121 rows
}
