package service

import (
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/internal/serve/api"
	"codelinter/rule"
)

// detailsOf returns the details of an answer, for an item that asks for them.
func detailsOf(sample *evaluator.Sample, program string) *api.Details {
	d := &api.Details{Code: strings.Clone(sample.Code), Findings: appendFindings(nil, sample.Findings)}
	sample.EachChange(func(code rule.Code, c evaluator.Changes) {
		d.Changes = append(d.Changes, api.Change{Code: code, Fixed: c.Fixed, Left: c.Left, Introduced: c.Introduced})
	})
	d.Added, d.Removed = judge.Edits(program, sample.Code)
	return d
}
