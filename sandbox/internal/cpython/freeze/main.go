//go:build ignore

// A program of its own, so that go install ./... leaves it alone: go run ./sandbox/internal/cpython/freeze/main.go
package main

import "codelinter/sandbox/internal/cpython/freeze"

func main() { freeze.Main() }
