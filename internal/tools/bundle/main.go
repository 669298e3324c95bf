//go:build ignore

// A program of its own, so that go install ./... leaves it alone: go run
// ./internal/tools/bundle/main.go
package main

import "codelinter/internal/tools/bundle"

func main() { bundle.Main() }
