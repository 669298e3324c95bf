//go:build ignore

// A program of its own, so that go install ./... leaves it alone: go run
// ./internal/tools/upstream/main.go
package main

import "codelinter/internal/tools/upstream"

func main() { upstream.Main() }
