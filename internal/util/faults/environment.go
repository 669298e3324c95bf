//go:build faults

package faults

import (
	"fmt"
	"os"
)

func init() {
	text := os.Getenv("CODELINTER_FAULTS")
	if text == "" {
		return
	}
	p, err := Parse(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	Begin(p)
}
