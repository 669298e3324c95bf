//go:build ignore

// A program of its own, so that go install ./... leaves it alone: go run
// ./internal/tools/results/main.go
package main

import "codelinter/internal/tools/results"

func main() { results.Main() }
