package fix

import "codelinter/rule"

// bareExcept makes a bare except catch BaseException.
func bareExcept(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	if s.binds("BaseException") {
		return nil
	}
	return []Edit{{finding.End, finding.End, " BaseException"}}
}
