package stats_test

import (
	"fmt"

	"codelinter/internal/stats"
)

func ExampleStandardError() {
	fmt.Printf("%.4f\n", stats.StandardError([]float64{1, 0, 0.5}))
	// Output: 0.2887
}

func ExampleBootstrap() {
	fmt.Println(stats.Bootstrap([][]float64{{1, 0, 0.5}}, 1))
	// Output: [{0 1}]
}

func ExamplePaired() {
	pairs := []stats.Pair{
		{A: stats.Rate{C: 0, N: 1}, B: stats.Rate{C: 1, N: 1}},
		{A: stats.Rate{C: 0, N: 1}, B: stats.Rate{C: 1, N: 1}},
		{A: stats.Rate{C: 1, N: 1}, B: stats.Rate{C: 1, N: 1}},
	}
	test := stats.Paired(pairs)
	fmt.Println(test.P, test.Exact)
	// Output: 0.5 true
}
