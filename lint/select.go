package lint

import (
	"slices"
	"strings"

	"codelinter/rule"
)

// The lists that flake8 decides by where the user gives none: the codes of its
// installed plugins (pycodestyle's E and W, pyflakes' F, mccabe's C90), and
// those pycodestyle rules that contradict others or are matters of taste.
var (
	defaultSelect = []string{"C90", "E", "F", "W"}
	defaultIgnore = []string{"E121", "E123", "E126", "E226", "E24", "E704", "W503", "W504"}
)

// DefaultIgnore returns what flake8 ignores by default.
func DefaultIgnore() []string { return slices.Clone(defaultIgnore) }

// selected returns the codes of the release that flake8 reports under o. flake8 decides
// a code when it first meets it; with a set that is decided once, rules whose codes are
// not selected do not run at all.
func selected(o *Options) rule.Set {
	var set rule.Set
	for code := range rule.Codes() {
		if o.Release.Has(code) && isSelected(code.String(), o) {
			set.Add(code)
		}
	}
	return set
}

// isSelected is flake8's decision on one code. The user's own lists are
// explicit, the defaults implicit:
//
//	flake8                                      E226 is ignored, by default
//	flake8 --extend-select=E2                   E226 is reported: explicit beats implicit
//	flake8 --extend-select=E2 --ignore=E226     E226 is ignored: the longer prefix wins
//	flake8 --select=E226 --ignore=E226          E226 is ignored: so does ignore in a tie
func isSelected(code string, o *Options) bool {
	wanted, wantedByUser := match(code, o.Select, o.ExtendSelect, defaultSelect, o.Plugins())
	unwanted, unwantedByUser := match(code, o.Ignore, o.ExtendIgnore, defaultIgnore, o.PluginIgnore)
	switch {
	case wanted < 0:
		return false
	case unwanted < 0:
		return true
	case wantedByUser != unwantedByUser:
		return wantedByUser
	}
	return wanted > unwanted
}

// Plugins returns what plugins add to flake8's default of Select.
func (o *Options) Plugins() []string {
	if o.ReportNoqa {
		return append(slices.Clip(o.PluginSelect), "NQA0", "NQA1")
	}
	return o.PluginSelect
}

// match returns the length of the longest entry that code begins with, -1 for
// none, in the user's list and its extension or, where list is nil, in the
// defaults, what plugins add to them, and the extension; and whether one of the user's entries matches.
func match(code string, list, extension, defaults, more []string) (length int, byUser bool) {
	length = max(longest(code, list), longest(code, extension))
	byUser = length >= 0
	if list == nil {
		length = max(length, longest(code, defaults), longest(code, more))
	}
	return length, byUser
}

// longest returns the length of the longest prefix of code, -1 for none.
func longest(code string, prefixes []string) int {
	length := -1
	for _, prefix := range prefixes {
		if strings.HasPrefix(code, prefix) {
			length = max(length, len(prefix))
		}
	}
	return length
}

// IsCodePrefix reports whether text has the form of a code or of its beginning:
// flake8's ^[A-Z]{1,3}[0-9]{0,3}$.
func IsCodePrefix(text string) bool {
	digits := strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	letters := len(text) - len(digits)
	return 1 <= letters && letters <= 3 && len(digits) <= 3 && strings.Trim(digits, "0123456789") == ""
}
