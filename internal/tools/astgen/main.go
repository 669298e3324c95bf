//go:build ignore

// A program of its own, so that go install ./... leaves it alone: go run
// ./internal/tools/astgen/main.go
package main

import "codelinter/internal/tools/astgen"

func main() { astgen.Main() }
