// Package rule is the vocabulary of the linter: the codes that flake8 7.3.0
// prints, their messages and documentation, and the Finding that carries one
// result. The logic of the rules is in packages pep8 and checks.
//
//	finding := rule.Finding{Row: 1, Column: 80, Code: rule.E501, A: 86, B: 79}
//	finding.Message() // "line too long (86 > 79 characters)"
package rule
