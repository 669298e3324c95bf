package evaluator

import (
	"codelinter/evaluator/task"
	"codelinter/internal/util/lru"
	"codelinter/rule"
)

// codeCounts counts findings by code. It also has the set of codes that occur, which are
// few: a loop over all codes took a twentieth of an answer's verdict.
type codeCounts struct {
	of    [rule.Count]int32
	codes rule.Set // with a count above 0
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

// count resets the counts and counts findings.
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

// Programs caches the findings in tasks' programs. Without it, each answer would also
// cost the lint of its task's program. The zero value is ready for use and safe for
// concurrent use.
type Programs struct {
	known lru.Cache[program, *codeCounts]
}

// A program is the key of the cache: everything that the findings depend on. It has the
// text, not the task's address, as the memory of a task may be reused.
type program struct {
	code    string
	options *task.Options
}

// programBytes bounds a generation of the cache, to some 8,000 programs.
const programBytes = 8 << 20

// given returns the counts for a program. It calls lint if the program is not cached.
func (p *Programs) given(key program, lint func(code string) []rule.Finding) *codeCounts {
	counts, _ := p.known.Of(programBytes, key, func() (*codeCounts, int64, error) {
		counts := new(codeCounts)
		counts.count(lint(key.code))
		return counts, int64(len(key.code) + rule.Count*4 + 100), nil
	})
	return counts
}
