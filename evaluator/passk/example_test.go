package passk_test

import (
	"fmt"

	"codelinter/evaluator/passk"
)

func ExampleAt() {
	fmt.Printf("%.4f %.4f\n", passk.At(10, 3, 1), passk.At(10, 3, 5))
	// Output: 0.3000 0.9167
}
