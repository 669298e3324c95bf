package evaluator

import (
	"codelinter/evaluator/task"
	"codelinter/internal/recent"
	"codelinter/rule"
)

// codeCounts are numbers of findings by code.
type codeCounts [rule.Count]int32

func (c *codeCounts) count(findings []rule.Finding) {
	clear(c[:])
	for i := range findings {
		c[findings[i].Code]++
	}
}

// codes returns the codes whose counts are not 0.
func (c *codeCounts) codes() (codes rule.Set) {
	for code, n := range c {
		if n != 0 {
			codes.Add(rule.Code(code))
		}
	}
	return codes
}

// appendTo appends the counts that are not 0.
func (c *codeCounts) appendTo(dst Counts) Counts {
	for code, n := range c {
		if n != 0 {
			dst = append(dst, Count{rule.Code(code), int(n)})
		}
	}
	return dst
}

// Programs remembers what the linter finds in tasks' programs. Without it, answers that
// come one at a time, to whatever tasks, would each cost the lint of a program as well,
// as much as that of the answer. The zero Programs is ready for use, by any number of
// goroutines.
type Programs struct {
	known recent.Cache[program, *codeCounts]
}

// A program is what the findings follow from. Its text is compared, not its address: a
// task may be reused for another.
type program struct {
	code    string
	options *task.Options
}

// programBytes is what a generation of programs may take: some 8,000 of them.
const programBytes = 8 << 20

// given returns what is found in a program. lint lints one that is not known.
func (p *Programs) given(key program, lint func(code string) []rule.Finding) *codeCounts {
	counts, _ := p.known.Of(programBytes, key, func() (*codeCounts, int64, error) {
		counts := new(codeCounts)
		counts.count(lint(key.code))
		return counts, int64(len(key.code) + rule.Count*4 + 100), nil
	})
	return counts
}
