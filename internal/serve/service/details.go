package service

import (
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/internal/serve/api"
	"codelinter/rule"
)

// detailsOf returns the details of an answer, for an item that asks for them. given are the
// findings of the task's program.
func detailsOf(sample *evaluator.Sample, program string, given evaluator.Counts) *api.Details {
	var before, after [rule.Count]int
	for _, count := range given {
		before[count.Code] = count.N
	}
	for _, count := range sample.Codes() {
		after[count.Code] = count.N
	}
	d := &api.Details{Code: strings.Clone(sample.Code), Findings: appendFindings(nil, sample.Findings)}
	for code := range rule.Codes() {
		c := evaluator.NewChanges(before[code], after[code])
		if after[code] == 0 && sample.Invalid() { // its findings are hidden, not fixed
			c.Fixed, c.Left = 0, c.Given
		}
		if c.Fixed+c.Left+c.Introduced > 0 {
			d.Changes = append(d.Changes, api.Change{Code: code, Fixed: c.Fixed, Left: c.Left, Introduced: c.Introduced})
		}
	}
	d.Added, d.Removed = judge.Edits(program, sample.Code)
	return d
}
