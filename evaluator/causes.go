package evaluator

import (
	"cmp"
	"slices"
)

// TaskReasons returns the names of reasons that come from a task, not from an answer. Every
// answer to such a task is unknown, unless its tree is the program's.
func TaskReasons() []string { return []string{"not-repeatable", "no-reference", "nothing-to-call"} }

// Undecided returns the task's reason for which a judgement is unknown, or "".
func (j *Judgement) Undecided() string {
	if j.Outcome == Unknown && len(j.Reasons) > 0 && slices.Contains(TaskReasons(), j.Reasons[0].Name) {
		return j.Reasons[0].Name
	}
	return ""
}

// A Cause is why a sample that passes officially passes or does not pass by another verdict.
type Cause struct {
	Outcome Outcome
	Name    string // of the proof for a pass, else of the first reason
}

// Causes counts samples that pass officially by their cause in another verdict.
type Causes map[Cause]int

// A CauseCount is a number of samples with one cause.
type CauseCount struct {
	Cause
	N int
}

// List returns the causes with their counts: first those of passes, then of fails, then of
// unknowns, and within each the most frequent first.
func (c Causes) List() []CauseCount {
	var list []CauseCount
	for cause, n := range c {
		list = append(list, CauseCount{cause, n})
	}
	order := [...]int{Pass: 0, Fail: 1, Unknown: 2}
	slices.SortFunc(list, func(a, b CauseCount) int {
		return cmp.Or(order[a.Outcome]-order[b.Outcome], b.N-a.N, cmp.Compare(a.Name, b.Name))
	})
	return list
}

// CountCauses adds a sample to s.Causes by its judgements, the official first.
func (s *Summary) CountCauses(judgements []Judgement) {
	for len(s.Causes) < len(judgements) {
		s.Causes = append(s.Causes, Causes{})
	}
	if judgements[0].Outcome != Pass {
		return
	}
	for i := range judgements[1:] {
		j := &judgements[i+1]
		cause := Cause{j.Outcome, j.Proof}
		if j.Outcome != Pass {
			cause.Name = ""
			if len(j.Reasons) > 0 {
				cause.Name = j.Reasons[0].Name
			}
		}
		s.Causes[i+1][cause]++
	}
}
