package extract_test

import (
	"fmt"

	"codelinter/evaluator/extract"
)

func ExampleCode() {
	code := extract.Code("Here it is:\n```python\nx = 1\n```\n")
	fmt.Printf("%q %v\n", code.Text, code.Place)
	// Output: "\nx = 1\n" closed
}

func ExampleForgiving() {
	code, used := extract.Forgiving("```py\nx = 1\n```\n")
	fmt.Printf("%q %v\n", code, used.Names())
	// Output: "\nx = 1\n" [py]
}
