package passk_test

import (
	"fmt"

	"codelinter/internal/passk"
)

func ExampleAt() {
	fmt.Printf("%.4f %.4f\n", passk.At(10, 3, 1), passk.At(10, 3, 5))
	// Output: 0.3000 0.9167
}

// A benchmark's score is the mean over its tasks.
func ExampleMean() {
	var mean passk.Mean
	mean.Add(passk.At(10, 3, 1))
	mean.Add(passk.At(4, 4, 1))
	fmt.Println(mean.Value())
	// Output: 0.65
}
