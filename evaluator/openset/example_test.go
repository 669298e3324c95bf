package openset_test

import (
	"fmt"
	"log"

	"codelinter/evaluator/openset"
)

func ExampleTasks() {
	tasks, err := openset.Tasks()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tasks.Len(), "tasks, of which the first:", tasks.At(0).Meta.Text)
	// Output: 121 tasks, of which the first: Turn an integer from 1 to 3999 into a Roman numeral.
}
