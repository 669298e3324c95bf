package service

import (
	"strings"

	"codelinter/evaluator"
	"codelinter/internal/api"
	"codelinter/rule"
)

// detailsOf returns the details of an answer, for an item that asks for them. given are the
// findings of the task's program.
func detailsOf(sample *evaluator.Sample, program string, given evaluator.Counts) *api.Details {
	var of [rule.Count]api.Change
	for _, count := range given {
		of[count.Code] = api.Change{Code: count.Code, Left: count.N}
	}
	after := func(code rule.Code, n int) {
		change := &of[code]
		before := change.Left
		*change = api.Change{Code: code, Fixed: max(before-n, 0), Left: min(before, n), Introduced: max(n-before, 0)}
	}
	var found [rule.Count]int
	for _, count := range sample.Codes() {
		found[count.Code] = count.N
	}
	d := &api.Details{Code: strings.Clone(sample.Code), Findings: []byte("[")}
	for code, n := range found {
		// Code that is not Python has not fixed the findings that are hidden in it.
		if n > 0 || !sample.Invalid() {
			after(rule.Code(code), n)
		}
		if of[code].Fixed+of[code].Left+of[code].Introduced > 0 {
			d.Changes = append(d.Changes, of[code])
		}
	}
	for i := range sample.Findings {
		if len(d.Findings)+sample.Findings[i].Length() > maxFindings {
			break
		}
		if i > 0 {
			d.Findings = append(d.Findings, ", "...)
		}
		d.Findings = sample.Findings[i].AppendJSON(d.Findings)
	}
	d.Findings = append(d.Findings, ']')
	d.Added, d.Removed = edits(program, sample.Code)
	return d
}

// edits counts the lines that only code has and those that only program has. Moved lines do not
// count, so no search for the shortest edit is needed.
func edits(program, code string) (added, removed int) {
	lines := map[string]int{}
	for line := range strings.Lines(program) {
		lines[strings.TrimRight(line, "\r\n")]++
		removed++
	}
	for line := range strings.Lines(code) {
		line = strings.TrimRight(line, "\r\n")
		if lines[line] > 0 {
			lines[line]--
			removed--
		} else {
			added++
		}
	}
	return added, removed
}
