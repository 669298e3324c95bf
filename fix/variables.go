package fix

import (
	"slices"

	"codelinter/ast"
	"codelinter/internal/equiv/same"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// frames are what shows the variables of functions that call, or that end by an error.
var frames = []string{"getargvalues", "formatargvalues", "capture_locals", "show_locals", "settrace", "setprofile", "cgitb", "set_trace", "breakpoint", "f_locals"}

// showsVariables reports whether the program may see the variables of a function by their names.
func (s *analysis) showsVariables() bool {
	l := s.mentions()
	return l.hasAttribute(frames) || s.hasName("breakpoint") || s.hasName("capture_locals") || l.modules["cgitb"]
}

// showsVariables reports whether the program, or a module of the project that it imports, may see
// the variables of a function by their names.
func (f *Fixer) showsVariables(s *analysis) bool {
	if s.framesRead == unknown {
		s.framesRead = answerOf(s.showsVariables() || f.name != "" && f.project.readsFrames(f.name, s.mentions().mentionsModule))
	}
	return s.framesRead == yes
}

// naming are exceptions whose texts have the names of variables.
var naming = []string{"Exception", "BaseException", "NameError", "UnboundLocalError", "StandardError"}

// showsErrors reports whether a node, or the program, may see the text of an error that names a
// variable.
func (s *analysis) showsErrors(around ast.Node) bool {
	shows := s.hasName("NameError") || s.hasName("UnboundLocalError")
	ast.Inspect(around, func(n ast.Node) bool {
		if h, is := n.(*ast.ExceptHandler); is && h.Name != "" && h.Type != nil {
			types := []ast.Expr{h.Type}
			if tuple, is := h.Type.(*ast.Tuple); is {
				types = tuple.Elts
			}
			shows = shows || slices.ContainsFunc(types, func(e ast.Expr) bool { return slices.Contains(naming, lastName(e)) })
		}
		return !shows
	})
	return shows
}

// dropVariable removes a name that is bound and never read. A name stays that holds a new object,
// which may do something when it is freed.
//
//	x = f()                 f()
//	with f() as x:          with f():
//	except E as x:          except E:
func dropVariable(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	if f.runs == 0 && f.showsVariables(s) {
		return f.keep(Named)
	}
	var edits []Edit
	s.find(finding.Start, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			for _, target := range n.Targets {
				if target.Bounds().Start != finding.Start {
					continue
				}
				next := s.valueStart(target.Bounds().End)
				if hasNoEffect(n.Value) && !slices.ContainsFunc(n.Targets, func(e ast.Expr) bool { return !s.isReported(rule.F841, e.Bounds().Start) }) {
					if f.once(int(n.Start), rule.F841, "") {
						edits = s.dropStatement(n.Range)
						f.mends(s, finding, int(finding.Row), int(finding.Row), func(other *rule.Finding) bool {
							return other.Code == rule.F841 && n.Start <= other.Start && other.Start < n.End
						})
					}
					return true
				}
				if f.kept = Held; len(n.Targets) > 1 || f.runs > 0 || !s.mayHoldResource(n.Value) {
					edits = []Edit{{finding.Start, next, ""}}
				}
				return true
			}
		case *ast.AnnAssign:
			if n.Start == finding.Start && n.Value != nil && hasNoEffect(n.Value) {
				edits = s.dropStatement(n.Range)
				return true
			}
			if n.Start == finding.Start && n.Value != nil && (f.runs > 0 || !s.mayHoldResource(n.Value)) {
				edits = []Edit{{n.Start, s.valueStart(n.Annotation.Bounds().End), ""}}
				return true
			}
		case *ast.WithItem:
			if n.OptionalVars != nil && n.OptionalVars.Bounds().Start == finding.Start && (f.runs > 0 || !s.observesLifetimes()) {
				edits = s.dropAs(n.OptionalVars.Bounds())
				return true
			}
		case *ast.ExceptHandler:
			if n.Name != "" && n.Start == finding.Start && n.Type != nil {
				for i := s.tokenAt(n.Type.Bounds().End); i+1 < len(s.tokens); i++ {
					if s.tokens[i].Keyword == tokenizer.As {
						edits = s.dropAs(ast.Range{Start: s.tokens[i+1].Start, End: s.tokens[i+1].End})
						return true
					}
				}
			}
		}
		return false
	})
	return edits
}

// dropCapture makes a capture of a match statement a wildcard. The proof is that the trees are
// equal but for it, see tree.rewritten.
//
//	case spam:      case _:
func dropCapture(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	capture := findNode(s, finding.Start, func(m *ast.MatchAs) bool { return m.Name != "" && m.Pattern == nil && m.Start == finding.Start })
	if capture == nil || f.runs == 0 && f.showsVariables(s) {
		return nil
	}
	if s.unread == nil {
		s.unread = map[ast.Node]bool{}
	}
	s.unread[capture] = true
	return []Edit{{capture.Start, capture.End, "_"}}
}

// hasNoEffect reports whether evaluating a value has no effect: it consists of literals, or is a
// lambda with such defaults.
func hasNoEffect(e ast.Expr) bool { return same.IsLiteral(e) }

// valueStart returns the offset of the token after the next =.
func (s *analysis) valueStart(offset int32) int32 {
	for i := s.tokenAt(offset); i+1 < len(s.tokens); i++ {
		if s.tokens[i].Kind == tokenizer.EQUAL {
			return s.tokens[i+1].Start
		}
	}
	return offset
}

// dropAs removes a name and the as before it.
func (s *analysis) dropAs(name ast.Range) []Edit {
	i := s.tokenAt(name.Start)
	if i < 2 || s.tokens[i-1].Keyword != tokenizer.As {
		return nil
	}
	return []Edit{{s.tokens[i-2].End, name.End, ""}}
}

// dropAnnotation removes an annotation without a value.
func dropAnnotation(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	if f.runs == 0 && f.showsVariables(s) {
		return nil
	}
	n := findNode(s, finding.Start, func(a *ast.AnnAssign) bool { return a.Start == finding.Start })
	if n == nil || n.Value != nil {
		return nil
	}
	return s.dropStatement(n.Range)
}
