package asked

import "codelinter/ast"

// Rules returns all rules in the order of their codes.
func Rules() []Rule { return rules }

// Spelling returns how an operator of a rule is written.
func Spelling(op ast.CompareOperator) string { return spellings[op] }
