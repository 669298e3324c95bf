package fix

import "codelinter/rule"

// bareExcept makes a bare except catch BaseException.
func bareExcept(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	if s.binds("BaseException") {
		return f.keep(Named)
	}
	return []Edit{{finding.End, finding.End, " BaseException"}}
}
