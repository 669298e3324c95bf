package fix

import (
	"codelinter/ast"
	"codelinter/rule"
)

// bareExcept makes a bare except catch BaseException.
func bareExcept(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	if s.catchesAll == unknown {
		s.catchesAll = answerOf(!s.binds("BaseException") || s.bound["BaseException"] == 0 && !s.patched && f.starsLack(s, "BaseException"))
	}
	if s.catchesAll == no {
		return f.keep(Named)
	}
	return []Edit{{finding.End, finding.End, " BaseException"}}
}

// starsLack reports whether no import * binds a name: all are of modules of Python's library whose
// names are known.
func (f *Fixer) starsLack(s *analysis, name string) bool {
	lack := true
	ast.Inspect(s.module, func(n ast.Node) bool {
		if from, is := n.(*ast.ImportFrom); is && from.Names[0].Name == "*" {
			exported := stars.Get()[from.Module]
			_, binds := exported[name]
			lack = lack && exported != nil && !binds && from.Level == 0 && f.isLibrary(from.Module)
		}
		return lack
	})
	return lack
}
