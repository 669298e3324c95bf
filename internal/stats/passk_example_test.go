package stats_test

import (
	"fmt"

	"codelinter/internal/stats"
)

func ExamplePassAtK() {
	fmt.Printf("%.4f %.4f\n", stats.PassAtK(10, 3, 1), stats.PassAtK(10, 3, 5))
	// Output: 0.3000 0.9167
}

// A benchmark's score is the mean over its tasks.
func ExampleMean() {
	var mean stats.Mean
	mean.Add(stats.PassAtK(10, 3, 1))
	mean.Add(stats.PassAtK(4, 4, 1))
	fmt.Println(mean.Value())
	// Output: 0.65
}
