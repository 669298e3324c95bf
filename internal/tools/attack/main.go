//go:build ignore

// A program of its own, so that go install ./... leaves it alone: go run
// ./internal/tools/attack/main.go
package main

import "codelinter/internal/tools/attack"

func main() { attack.Main() }
