package pyflakes_test

import (
	"testing"

	"codelinter/ast"
	"codelinter/checks/pyflakes"
	"codelinter/internal/testenv/bench"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

func BenchmarkCheck(b *testing.B) {
	enabled := everyCode()
	bench.Run(b, func(files [][]byte) func() {
		loaded := make([]source.File, len(files))
		modules := make([]*ast.Module, len(files))
		for i, data := range files {
			loaded[i].Load(data)
			modules[i], _ = parser.Parse(&loaded[i], parser.Options{})
		}
		var checker pyflakes.Checker
		var findings []rule.Finding
		return func() {
			for i := range loaded {
				if modules[i] != nil {
					findings = checker.Check(&loaded[i], modules[i], pyflakes.Options{Filename: "spam.py"}, &enabled, findings[:0])
				}
			}
		}
	})
}
