package parser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/source"
	"codelinter/tokenizer"
)

// benchmarkText returns Python to measure with: the files below the folder that
// PYTHON_LIB names, or else the goldens of the parser, many times over.
func benchmarkText(b *testing.B) []string {
	root, pattern := os.Getenv("PYTHON_LIB"), ".py"
	if root == "" {
		root = "../testdata/parser"
	}
	var texts []string
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, pattern) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var file source.File
		if err := file.Load(data); err != nil {
			return err
		}
		texts = append(texts, file.Text)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return texts
}

// BenchmarkParse parses from tokens that are already there, with a reused Parser.
func BenchmarkParse(b *testing.B) {
	texts := benchmarkText(b)
	tokens := make([][]tokenizer.Token, len(texts))
	size := int64(0)
	var p Parser
	for i, text := range texts {
		var t tokenizer.Tokenizer
		tokens[i], _ = t.Tokenize(text, tokenizer.Options{})
		p.Parse(text, tokens[i], Options{})
		size += int64(len(text))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for i, text := range texts {
			p.Parse(text, tokens[i], Options{})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size), "ns/byte")
}
