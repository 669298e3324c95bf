package lint

import (
	"iter"
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
// not selected do not run at all. Each entry of a list meets the few codes that begin with
// it: asking all entries for each code took as long as linting two hundred lines.
func selected(o *Options) rule.Set {
	var wanted, unwanted [rule.Count]match
	spread(&wanted, o.Select, o.ExtendSelect, defaultSelect, o.Plugins())
	spread(&unwanted, o.Ignore, o.ExtendIgnore, defaultIgnore, o.PluginIgnore)
	var set rule.Set
	for code := range rule.Codes() {
		if o.Release.Has(code) && isReported(wanted[code], unwanted[code]) {
			set.Add(code)
		}
	}
	return set
}

// isSelected is flake8's decision on one code, such as a plugin's.
func isSelected(code string, o *Options) bool {
	return isReported(matchOf(code, o.Select, o.ExtendSelect, defaultSelect, o.Plugins()),
		matchOf(code, o.Ignore, o.ExtendIgnore, defaultIgnore, o.PluginIgnore))
}

// isReported is flake8's decision on a code. The user's own lists are explicit, the
// defaults implicit:
//
//	flake8                                      E226 is ignored, by default
//	flake8 --extend-select=E2                   E226 is reported: explicit beats implicit
//	flake8 --extend-select=E2 --ignore=E226     E226 is ignored: the longer prefix wins
//	flake8 --select=E226 --ignore=E226          E226 is ignored: so does ignore in a tie
func isReported(wanted, unwanted match) bool {
	switch {
	case wanted.length == 0:
		return false
	case unwanted.length == 0:
		return true
	case wanted.byUser != unwanted.byUser:
		return wanted.byUser
	}
	return wanted.length > unwanted.length
}

// Plugins returns what plugins add to flake8's default of Select.
func (o *Options) Plugins() []string {
	if o.ReportNoqa {
		return append(slices.Clip(o.PluginSelect), "NQA0", "NQA1")
	}
	return o.PluginSelect
}

// A match is how a list selects or ignores a code.
type match struct {
	length int  // of the longest entry that the code begins with, and one; 0 for none
	byUser bool // one of the user's entries matches
}

func (m *match) add(entry string, byUser bool) {
	m.length = max(m.length, len(entry)+1)
	m.byUser = m.byUser || byUser
}

// entries yields the entries that match codes: those of the user's list and its extension
// and, where list is nil, of the defaults and of what plugins add to them.
func entries(list, extension, defaults, more []string) iter.Seq2[string, bool] {
	return func(yield func(entry string, byUser bool) bool) {
		for i, part := range [...][]string{list, extension, defaults, more} {
			for _, entry := range part {
				if (i < 2 || list == nil) && !yield(entry, i < 2) {
					return
				}
			}
		}
	}
}

// matchOf returns the match of a code.
func matchOf(code string, list, extension, defaults, more []string) (m match) {
	for entry, byUser := range entries(list, extension, defaults, more) {
		if strings.HasPrefix(code, entry) {
			m.add(entry, byUser)
		}
	}
	return m
}

// spread sets the matches of all codes.
func spread(matches *[rule.Count]match, list, extension, defaults, more []string) {
	for entry, byUser := range entries(list, extension, defaults, more) {
		for code, end := rule.Span(entry); code < end; code++ {
			matches[code].add(entry, byUser)
		}
	}
}

// IsCodePrefix reports whether text has the form of a code or of its beginning:
// flake8's ^[A-Z]{1,3}[0-9]{0,3}$.
func IsCodePrefix(text string) bool {
	digits := strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	letters := len(text) - len(digits)
	return 1 <= letters && letters <= 3 && len(digits) <= 3 && strings.Trim(digits, "0123456789") == ""
}
