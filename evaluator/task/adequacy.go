package task

// An Adequacy measures the calls by which answers to a task are judged. A mutant is the task's
// program with one token changed. A call detects a mutant if its result differs. An undetected
// mutant is a fault that an answer could have unseen, or no fault at all; this cannot be decided.
type Adequacy struct {
	Mutants int      // the mutants that were run, at least 1
	Alive   []string // undetected mutants: "line 3: a <= b for a < b"
}

// Share returns the share of detected mutants, from 0 to 1.
func (a *Adequacy) Share() float64 {
	return float64(a.Mutants-len(a.Alive)) / float64(a.Mutants)
}
