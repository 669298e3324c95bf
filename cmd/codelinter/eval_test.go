package main

import (
	"strings"
	"testing"

	"codelinter/evaluator"
)

// An error of ours that may have lowered a score is an error of the command; another unknown
// verdict is not.
func TestOwnErrors(t *testing.T) {
	total := evaluator.Total{Verdict: evaluator.Guarded}
	summary := &evaluator.Summary{Totals: []evaluator.Total{{Verdict: evaluator.Official}, total}}
	summary.Totals[1].Unknown = 2
	if err := ownErrors(summary); err != nil {
		t.Error(err)
	}
	summary.Totals[1].Errors = 1
	if err := ownErrors(summary); err == nil || !strings.HasPrefix(err.Error(), "the guarded verdict of 1 sample is unknown") {
		t.Error(err)
	}
}
