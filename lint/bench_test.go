package lint_test

import (
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/lint"
)

func BenchmarkLint(b *testing.B) {
	bench.Run(b, func(files [][]byte) func() {
		linter, err := lint.New(lint.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return func() {
			for _, data := range files {
				linter.Lint(lint.Input{Data: data})
			}
		}
	})
}
