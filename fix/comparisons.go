package fix

import (
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// singleton makes comparisons with None, True and False use is. The other value must be of a type
// whose == is known: in a library for tables or queries, User.deleted == False is no truth value.
func singleton(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	c := findNode(s, finding.Start, func(c *ast.Compare) bool {
		return len(c.Ops) == 1 && c.Left.Bounds().End <= finding.Start && finding.Start < c.Comparators[0].Bounds().Start
	})
	t := inference{s, f, finding.Code}
	if f.runs == 0 && (c == nil || !t.hasPlainEquality(c.Left) || !t.hasPlainEquality(c.Comparators[0])) {
		return f.keep(Compared)
	}
	return s.identity(s.tokenAt(finding.Start))
}

// operator returns the index of the first token of a comparison's first operator.
func (s *analysis) operator(c *ast.Compare) int {
	i := s.tokenAt(c.Left.Bounds().End)
	for s.tokens[i].Kind.IsCloser() || s.tokens[i].Kind.IsIgnored() {
		i++
	}
	return i
}

// identity replaces == and != by is and is not.
func (s *analysis) identity(i int) []Edit {
	switch s.tokens[i].Kind {
	case tokenizer.EQEQUAL:
		return s.word(i, "is")
	case tokenizer.NOTEQUAL:
		return s.word(i, "is not")
	}
	return nil
}

// word replaces an operator by a word with blanks around it.
func (s *analysis) word(i int, text string) []Edit {
	t := &s.tokens[i]
	if i > 0 && s.tokens[i-1].End == t.Start {
		text = " " + text
	}
	if i+1 < len(s.tokens) && s.tokens[i+1].Start == t.End {
		text += " "
	}
	return []Edit{{t.Start, t.End, text}}
}

// literalIdentity makes comparisons with literals use ==. It is proven if both values are ints, and
// one is such a small one that CPython has one object for it. Nothing proves other edits: 1 ==
// True, but 1 is not True.
func literalIdentity(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	c := findNode(s, finding.Start, func(c *ast.Compare) bool {
		return c.Start == finding.Start && len(c.Ops) == 1 && (c.Ops[0] == ast.Is || c.Ops[0] == ast.IsNot)
	})
	if c == nil {
		return nil
	}
	t, right := inference{s, f, rule.F632}, c.Comparators[0]
	if f.runs == 0 && !(isSmallInt(c.Left) && t.isInt(right) || isSmallInt(right) && t.isInt(c.Left)) {
		return f.keep(Compared)
	}
	i := s.operator(c)
	if c.Ops[0] == ast.Is {
		return s.word(i, "==")
	}
	if s.tokens[i+1].Keyword != tokenizer.Not {
		return nil // a line end stands between
	}
	edits := s.word(i, "!=")
	edits[0].End = s.tokens[i+1].End
	edits[0].New = strings.TrimRight(edits[0].New, " ")
	return edits
}

// negated moves not into the comparison after it.
//
//	not x in y      x not in y
//
// pycodestyle reports one of a kind in a logical line, so all of the line are edited together.
func negated(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	at := s.lineAt(finding.Start)
	l := &s.lines[at]
	if !f.once(at, rule.E713, "") {
		return nil
	}
	f.mends(s, finding, int(s.tokens[l.first].Row), int(s.tokens[l.last].Row), func(other *rule.Finding) bool {
		return (other.Code == rule.E713 || other.Code == rule.E714) && l.start <= other.Start && other.Start < l.end
	})
	start, end := s.tokens[l.first].Start, s.tokens[l.last].End
	var edits []Edit
	ast.Inspect(s.module.Body[s.statementAt(start)], func(n ast.Node) bool {
		if r := n.Bounds(); r.End <= start || r.Start >= end || s.overBudget() {
			return false
		}
		s.work++
		if u, is := n.(*ast.UnaryOp); is && u.Op == ast.Not && u.Start >= start {
			edits = append(edits, s.negate(u)...)
		}
		return true
	})
	return edits
}

// negate moves one not, if its operand is a comparison by in or is without parentheses.
func (s *analysis) negate(not *ast.UnaryOp) []Edit {
	c, is := not.Operand.(*ast.Compare)
	if !is || len(c.Ops) != 1 || c.Ops[0] != ast.In && c.Ops[0] != ast.Is {
		return nil
	}
	operator := &s.tokens[s.operator(c)]
	drop := Edit{not.Start, s.tokens[s.tokenAt(not.Start)+1].Start, ""}
	if operator.Keyword == tokenizer.In {
		return []Edit{drop, {operator.Start, operator.Start, "not "}}
	}
	return []Edit{drop, {operator.End, operator.End, " not"}}
}

// compareTypes makes comparisons of types use is. Both sides must be types: array.dtype == type(x)
// asks something else.
func compareTypes(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	l := &s.lines[s.lineAt(finding.Start)]
	if !f.once(int(l.start), rule.E721, "") {
		return nil
	}
	f.mends(s, finding, int(s.tokens[l.first].Row), int(s.tokens[l.last].Row), func(other *rule.Finding) bool {
		return other.Code == rule.E721 && l.start <= other.Start && other.Start < l.end
	})
	var edits []Edit
	ast.Inspect(s.module.Body[s.statementAt(s.tokens[l.first].Start)], func(n ast.Node) bool {
		c, is := n.(*ast.Compare)
		if !is || len(c.Ops) != 1 || c.Ops[0] != ast.Eq && c.Ops[0] != ast.NotEq || c.Start >= s.tokens[l.last].End || c.Start < s.tokens[l.first].Start ||
			!isTypeCall(c.Left) && !isTypeCall(c.Comparators[0]) || f.runs == 0 && !(s.isType(c.Left) && s.isType(c.Comparators[0])) || f.comparesTypes(s) {
			return true
		}
		edits = append(edits, s.identity(s.operator(c))...)
		return true
	})
	if len(edits) == 0 {
		return f.keep(Compared)
	}
	return edits
}

func isTypeCall(e ast.Expr) bool {
	call, is := e.(*ast.Call)
	if !is {
		return false
	}
	name, is := call.Func.(*ast.Name)
	return is && name.ID == "type"
}
