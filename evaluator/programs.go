package evaluator

import (
	"sync"

	"codelinter/evaluator/task"
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

// appendTo appends the counts that are not 0.
func (c *codeCounts) appendTo(dst Counts) Counts {
	for code, n := range c {
		if n != 0 {
			dst = append(dst, Count{rule.Code(code), int(n)})
		}
	}
	return dst
}

// Programs remembers what the linter finds in tasks' programs. Who asks for one answer
// after another, of whatever task, would else pay the lint of a program for each, as
// much as that of the answer. The zero Programs is ready for use, by any number of
// goroutines.
//
// There are two generations: when the young one is full it becomes the old one, and
// what was not asked for since is forgotten.
type Programs struct {
	mu         sync.Mutex
	young, old map[program]*codeCounts
	bytes      int // of young
}

// A program is what the findings follow from. Its text is compared, not its address: a
// task may be reused for another.
type program struct {
	code    string
	options *task.Options
}

// programBytes is how much a generation of programs takes at most, unless one takes
// more: some 8,000 of them.
const programBytes = 8 << 20

// given returns what is found in a program. lint lints one that is not known.
func (p *Programs) given(key program, lint func(code string) []rule.Finding) *codeCounts {
	if counts := p.find(key); counts != nil {
		return counts
	}
	counts := new(codeCounts)
	counts.count(lint(key.code)) // unlocked: two who lint the same find the same
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(key, counts)
	return counts
}

// find returns what is known, or nil.
func (p *Programs) find(key program) *codeCounts {
	p.mu.Lock()
	defer p.mu.Unlock()
	counts := p.young[key]
	if counts == nil {
		if counts = p.old[key]; counts != nil {
			p.keep(key, counts)
		}
	}
	return counts
}

func (p *Programs) keep(key program, counts *codeCounts) {
	const beside = rule.Count*4 + 100
	size := len(key.code) + beside
	if p.young == nil || p.bytes+size > programBytes {
		p.old, p.young, p.bytes = p.young, map[program]*codeCounts{}, 0
	}
	if p.young[key] == nil {
		p.bytes += size
	}
	p.young[key] = counts
}
