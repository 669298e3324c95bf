package evaluator

import (
	"codelinter/evaluator/task"
	"codelinter/internal/recent"
	"codelinter/rule"
)

// codeCounts are numbers of findings by code. An answer or a program has a few of the
// codes: a look at each of all took a twentieth of an answer's verdict.
type codeCounts struct {
	of    [rule.Count]int32
	codes rule.Set // of which there are any
}

func (c *codeCounts) reset() {
	for code := range c.codes.All() {
		c.of[code] = 0
	}
	c.codes = rule.Set{}
}

// add adds n findings of a code, one or more.
func (c *codeCounts) add(code rule.Code, n int) {
	c.of[code] += int32(n)
	c.codes.Add(code)
}

// count counts findings, and nothing else.
func (c *codeCounts) count(findings []rule.Finding) {
	c.reset()
	for i := range findings {
		c.add(findings[i].Code, 1)
	}
}

// appendTo appends the counts that are not 0.
func (c *codeCounts) appendTo(dst Counts) Counts {
	for code := range c.codes.All() {
		dst = append(dst, Count{code, int(c.of[code])})
	}
	return dst
}

// Programs caches the findings in tasks' programs. Without it, each single answer would
// also cost the lint of its task's program, as much as its own lint. The zero Programs is
// ready for use, by any number of goroutines.
type Programs struct {
	known recent.Cache[program, *codeCounts]
}

// A program is the key of the cache: everything that the findings depend on. Its text is compared,
// not its address, as the memory of a task may be reused.
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
