package generate_test

import (
	"fmt"

	"codelinter/evaluator/generate"
)

func ExampleStripThinking() {
	fmt.Printf("%q\n", generate.StripThinking("<think>Is x used?</think>\n\nx = 1\n"))
	// Output: "x = 1\n"
}
