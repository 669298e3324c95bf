package task

// An Adequacy says what the calls are worth by which answers to a task are judged. A mutant is the
// task's program with one token changed, and a call that gives something else there tells it apart.
// A mutant that no call tells apart is a fault that an answer could have unseen, or no fault at
// all: nobody can tell which.
type Adequacy struct {
	Mutants int      // that were run, at least 1
	Alive   []string // those that no call tells apart: "line 3: a <= b for a < b"
}

// Share returns the share of the mutants that is told apart, from 0 to 1.
func (a *Adequacy) Share() float64 {
	return float64(a.Mutants-len(a.Alive)) / float64(a.Mutants)
}
