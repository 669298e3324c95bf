package pep8_test

import (
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

func BenchmarkCheck(b *testing.B) {
	var enabled rule.Set
	for code := range rule.Code(rule.Count) {
		if code.Rule().Default {
			enabled.Add(code)
		}
	}
	bench.Run(b, func(files [][]byte) func() {
		var checker pep8.Checker
		loaded := make([]source.File, len(files))
		tokens := make([][]tokenizer.Token, len(files))
		for i, data := range files {
			loaded[i].Load(data)
			tokens[i], _ = new(tokenizer.Tokenizer).Tokenize(loaded[i].Text, tokenizer.Options{})
		}
		var findings []rule.Finding
		return func() {
			for i := range loaded {
				findings = checker.Check(&loaded[i], tokens[i], pep8.DefaultOptions(), &enabled, findings[:0])
			}
		}
	})
}
