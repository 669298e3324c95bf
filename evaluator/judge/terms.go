package judge

import (
	"strings"
	"unicode/utf8"

	"codelinter/evaluator"
	"codelinter/rule"
)

// A term is a number about an answer. Package codelinter.rewards in Python has the same terms,
// and docs/rewards.md a table of both.
type term struct {
	name string
	// logic and tests report whether the term asks if the logic is kept, and if the task's tests
	// pass. guarded reports whether only the guarded verdict can say so.
	logic, tests, guarded bool

	codes    bool    // codes with their weights may stand in brackets
	option   string  // the name of a number that may stand there; "" for none
	standard float64 // the number, if none is given
	value    func(f *factor, facts *facts) float64
}

// terms are all terms, in the order of docs/rewards.md.
var terms = []term{
	{name: "passed", value: func(_ *factor, facts *facts) float64 { return number(facts.passed()) }},
	{name: "shaped", logic: true, guarded: true, value: shaped},
	{name: "graded", codes: true, value: graded},
	{name: "per_finding", codes: true, option: "slope", standard: 0.1, value: perFinding},
	{name: "meaning", logic: true, guarded: true, value: func(_ *factor, facts *facts) float64 { return number(facts.logic == evaluator.Pass) }},
	{name: "tests", tests: true, guarded: true, value: func(_ *factor, facts *facts) float64 { return number(facts.tests == evaluator.Pass) }},
	{name: "fixed", logic: true, codes: true, value: fixed},
	{name: "partial", logic: true, guarded: true, codes: true, value: partial},
	{name: "introduced", codes: true, value: func(f *factor, facts *facts) float64 { return -f.introduced(facts) }},
	{name: "invalid", value: func(_ *factor, facts *facts) float64 { return -number(facts.invalid()) }},
	{name: "empty", value: func(_ *factor, facts *facts) float64 { return -number(facts.sample.Empty && !facts.kept()) }},
	{name: "longer", option: "than", standard: 4000, value: longer},
	{name: "edited", value: edited},
}

// facts are what a term may ask about an answer.
type facts struct {
	sample  *evaluator.Sample
	program string
	guarded bool // by the guarded verdict
	// logic tells whether the logic is kept, and tests whether the task's tests pass. Both are
	// Fail if nobody asked.
	logic, tests evaluator.Outcome
}

// kept reports whether the answer is known to keep the logic.
func (f *facts) kept() bool { return f.guarded && f.logic == evaluator.Pass }

func (f *facts) passed() bool { return f.sample.Official() && (!f.guarded || f.kept()) }

// invalid reports whether flake8 sees no Python: the code is invalid, or too large to be linted.
func (f *facts) invalid() bool { return f.sample.Invalid() || tooLarge(f.sample) }

// hidden reports whether the answer has no findings of its own because there is nothing to find
// them in: it is invalid, does nothing, or hides them. What the program does as well is no trick.
func (f *facts) hidden() bool {
	return f.invalid() || suspicious(f.sample) && !f.kept()
}

// suspicious reports whether an answer does nothing, or hides findings, so that its logic must be
// known.
func suspicious(sample *evaluator.Sample) bool { return sample.Empty || sample.Facts.Silenced }

// tooLarge reports whether an answer was too large to be linted.
func tooLarge(sample *evaluator.Sample) bool {
	reasons := sample.Judgements[0].Reasons
	return len(reasons) == 1 && reasons[0].Name == evaluator.TooLarge
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// shaped grows with every finding that is fixed.
func shaped(_ *factor, facts *facts) float64 {
	s := facts.sample
	switch {
	case facts.logic != evaluator.Pass:
		return 0
	case s.Given > 0:
		return float64(max(s.Fixed-s.Introduced, 0)) / float64(s.Given)
	}
	return number(s.Introduced == 0)
}

// graded falls with every finding that the program does not have.
func graded(f *factor, facts *facts) float64 {
	if facts.hidden() {
		return 0
	}
	return 1 / (1 + f.introduced(facts))
}

// perFinding falls by the slope with every finding in the code.
func perFinding(f *factor, facts *facts) float64 {
	if facts.hidden() {
		return 0
	}
	found := 0.0
	for _, after := range facts.sample.Codes() {
		found += f.weight(after.Code) * float64(after.N)
	}
	return max(1-f.number*found, 0)
}

// fixed is the share of the program's findings that are fixed, if the logic is kept.
func fixed(f *factor, facts *facts) float64 {
	lost := facts.sample.Empty
	if facts.guarded {
		lost = !facts.kept()
	}
	if facts.invalid() || lost {
		return 0
	}
	return f.share(facts)
}

// partial is the share that is fixed, if it is unknown whether the logic is kept.
func partial(f *factor, facts *facts) float64 {
	s := facts.sample
	if facts.logic != evaluator.Unknown || facts.invalid() || s.Empty || s.Facts.Silenced || s.Introduced > 0 {
		return 0
	}
	return f.share(facts)
}

func longer(f *factor, facts *facts) float64 {
	beyond := float64(max(utf8.RuneCountInString(facts.sample.Code)-int(f.number), 0))
	return -min(beyond/f.number, 1)
}

// edited is minus the share of lines that are not those of the program.
func edited(_ *factor, facts *facts) float64 {
	added, removed := Edits(facts.program, facts.sample.Code)
	lines := removed
	for range strings.Lines(facts.sample.Code) {
		lines++
	}
	if lines == 0 {
		return 0
	}
	return -float64(added+removed) / float64(lines)
}

// Edits counts the lines that only code has and those that only program has. Moved lines do not
// count, so no search for the shortest edit is needed.
func Edits(program, code string) (added, removed int) {
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

// weight returns the weight of a code's findings.
func (f *factor) weight(code rule.Code) float64 {
	for text := code.String(); text != ""; text = text[:len(text)-1] {
		if weight, known := f.weights[text]; known {
			return weight
		}
	}
	return 1
}

// introduced returns the weight of the findings that the program does not have.
func (f *factor) introduced(facts *facts) float64 {
	sum := 0.0
	facts.sample.EachChange(func(code rule.Code, c evaluator.Changes) { sum += f.weight(code) * float64(c.Introduced) })
	return sum
}

// share returns the weighted share of the program's findings that are fixed. It is 1 if there were
// none, unless some are new.
func (f *factor) share(facts *facts) float64 {
	gone, given := 0.0, 0.0
	facts.sample.EachChange(func(code rule.Code, c evaluator.Changes) {
		gone += f.weight(code) * float64(c.Fixed)
		given += f.weight(code) * float64(c.Given)
	})
	if given > 0 {
		return gone / given
	}
	return number(facts.sample.Introduced == 0)
}
