//go:build ignore

// A program of its own, so that go install ./... leaves it alone: go run ./sandbox/internal/cpython/conformance/main.go
package main

import "codelinter/sandbox/internal/cpython/conformance"

func main() { conformance.Main() }
