package pyflakes_test

import (
	"codelinter/rule"
)

// everyCode returns the set of all codes.
func everyCode() (all rule.Set) {
	for code := range rule.Code(rule.Count) {
		all.Add(code)
	}
	return all
}
