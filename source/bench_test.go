package source_test

import (
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/source"
)

func BenchmarkLoad(b *testing.B) {
	bench.Run(b, func(files [][]byte) func() {
		var file source.File
		return func() {
			for _, data := range files {
				file.Load(data)
			}
		}
	})
}
