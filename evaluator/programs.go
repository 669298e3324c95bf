package evaluator

import (
	"slices"

	"codelinter/evaluator/task"
	"codelinter/internal/util/lru"
	"codelinter/lint"
	"codelinter/rule"
)

// codeCounts counts findings by code. It also has the set of codes that occur, which are
// few: a loop over all codes took a twentieth of an answer's verdict.
type codeCounts struct {
	of      [rule.Count]int32
	codes   rule.Set // with a count above 0
	foreign []Count  // of plugins' codes, in their order
	// silenced are plugins' findings that comments silence.
	silenced []Count
	// feedback is that of the findings without the last newline, if the [Scorer] compares it.
	feedback string
}

func (c *codeCounts) reset() {
	for code := range c.codes.All() {
		c.of[code] = 0
	}
	c.codes, c.foreign, c.silenced = rule.Set{}, c.foreign[:0], c.silenced[:0]
}

// add adds n findings of a code, one or more.
func (c *codeCounts) add(code rule.Code, n int) {
	if code.IsForeign() {
		c.foreign = addTo(c.foreign, code, n)
		return
	}
	c.of[code] += int32(n)
	c.codes.Add(code)
}

// addTo adds n to the count of a code.
func addTo(counts []Count, code rule.Code, n int) []Count {
	at, found := slices.BinarySearchFunc(counts, code, func(c Count, code rule.Code) int { return rule.Compare(c.Code, code) })
	if found {
		counts[at].N += n
		return counts
	}
	return slices.Insert(counts, at, Count{code, n})
}

// count resets the counts and counts findings.
func (c *codeCounts) count(findings []rule.Finding) {
	c.reset()
	for i := range findings {
		c.add(findings[i].Code, 1)
	}
}

// countSample resets the counts and counts a sample's findings.
func (c *codeCounts) countSample(s *Sample) {
	if s.After == nil {
		c.count(s.Findings)
		return
	}
	c.reset()
	for _, count := range s.After {
		c.add(count.Code, count.N)
	}
}

// appendTo appends the counts that are not 0.
func (c *codeCounts) appendTo(dst Counts) Counts {
	for code := range c.codes.All() {
		dst = append(dst, Count{code, int(c.of[code])})
	}
	return append(dst, c.foreign...)
}

// silence adds findings of plugins that comments silence.
func (c *codeCounts) silence(findings []lint.Foreign) {
	for i := range findings {
		c.silenced = addTo(c.silenced, findings[i].Code, 1)
	}
}

// silencesMore reports whether comments silence more findings of some plugin's code than
// those of a program do.
func (c *codeCounts) silencesMore(than *codeCounts) bool {
	return slices.ContainsFunc(c.silenced, func(own Count) bool {
		return !slices.ContainsFunc(than.silenced, func(given Count) bool { return given.Code == own.Code && given.N >= own.N })
	})
}

// EachChange calls do with the changes of each code of which before or after has findings, in the
// codes' order.
func EachChange(before, after Counts, do func(rule.Code, Changes)) {
	for len(before) > 0 || len(after) > 0 {
		order := 0
		switch {
		case len(after) == 0:
			order = -1
		case len(before) == 0:
			order = 1
		default:
			order = rule.Compare(before[0].Code, after[0].Code)
		}
		var code rule.Code
		given, left := 0, 0
		if order <= 0 {
			code, given, before = before[0].Code, before[0].N, before[1:]
		}
		if order >= 0 {
			code, left, after = after[0].Code, after[0].N, after[1:]
		}
		do(code, NewChanges(given, left))
	}
}

// EachChange calls do with the changes of each code that the task's program or the answer has
// findings of, in the codes' order. What flake8 does not see in an answer that is not Python is
// left, not fixed.
func (s *Sample) EachChange(do func(rule.Code, Changes)) {
	invalid := s.Invalid()
	EachChange(s.Before, s.Codes(), func(code rule.Code, c Changes) {
		if invalid && c.Left+c.Introduced == 0 {
			c.Fixed, c.Left = 0, c.Given
		}
		do(code, c)
	})
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

// given returns the counts for a program. It calls count if the program is not cached.
func (p *Programs) given(key program, count func(code string, counts *codeCounts) error) (*codeCounts, error) {
	return p.known.Of(programBytes, key, func() (*codeCounts, int64, error) {
		counts := new(codeCounts)
		err := count(key.code, counts)
		return counts, int64(len(key.code) + len(counts.feedback) + rule.Count*4 + 100), err
	})
}
