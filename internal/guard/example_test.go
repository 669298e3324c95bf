package guard_test

import (
	"fmt"
	"log"

	"codelinter/internal/guard"
	"codelinter/lint"
)

// Three answers to one task: it is mended, it is silenced, and it is another program.
func ExampleChecker() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var checker guard.Checker
	program, err := checker.Program([]byte("def total(items) :\n    return sum(items)\n"), "assert total([1, 2]) == 3")
	if err != nil {
		log.Fatal(err)
	}
	for _, answer := range []string{
		"def total(items):\n    return sum(items)\n",
		"def total(items) :  # noqa\n    return sum(items)\n",
		"def total(items):\n    return 3\n",
	} {
		result := linter.Lint(lint.Input{Data: []byte(answer), Facts: true})
		report := checker.Check(program, []byte(answer), result.Facts)
		fmt.Print(len(result.Findings), " findings, the same tree: ", report.SameTree)
		for _, reason := range report.Reasons {
			fmt.Print(", refused by ", reason.Name, " in line ", reason.Line)
		}
		fmt.Println()
	}
	// Output:
	// 0 findings, the same tree: true
	// 0 findings, the same tree: false, refused by noqa in line 1
	// 0 findings, the same tree: false
}
