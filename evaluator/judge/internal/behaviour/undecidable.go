package behaviour

import (
	"slices"

	"codelinter/evaluator"
)

// Undecidable returns the reason why every answer is unknown, unless its tree is the same
// or a guard refuses it: not-repeatable, no-reference or nothing-to-call. It is nil if
// answers can be decided.
func (p *Plan) Undecidable() *evaluator.Reason {
	switch {
	case (p.reference == nil || p.task.Free) && len(p.task.Tests) > 0:
		return nil
	case p.unknown != nil:
		return p.unknown
	case p.task.Free:
		return &evaluator.Reason{Name: "nothing-to-call", Text: "there are no tests"}
	case slices.Contains(p.tests, testPassed), slices.ContainsFunc(p.sessions, (*session).tells):
		return nil
	}
	return &evaluator.Reason{Name: "nothing-to-call", Text: "nothing that the program does could be compared"}
}

// tells reports whether equal results in the session show that an answer does what the
// program does.
func (s *session) tells() bool {
	return s.output != printed{} && !s.anyOutput || slices.ContainsFunc(s.want, func(e expectation) bool { return e.evidence })
}
