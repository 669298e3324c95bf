package tokenizer_test

import (
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/source"
	"codelinter/tokenizer"
)

func BenchmarkTokenize(b *testing.B) {
	bench.Run(b, func(files [][]byte) func() {
		var t tokenizer.Tokenizer
		loaded := make([]source.File, len(files))
		for i, data := range files {
			loaded[i].Load(data)
		}
		return func() {
			for i := range loaded {
				t.Tokenize(loaded[i].Text, tokenizer.Options{})
			}
		}
	})
}
