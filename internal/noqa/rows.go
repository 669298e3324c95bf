package noqa

import (
	"slices"
	"strings"
)

// rows tell what is reported in the rows of a logical line, up to a row. Lines and rows rise from
// call to call, so that all calls together look at each report once or twice.
type rows struct {
	reports []Report // in the order of their rows
	next    int      // reports before it were looked at
	first   int32    // where the current line begins
	found   map[string]bool
}

func newRows(reports []Report) *rows {
	reports = slices.Clone(reports)
	slices.SortFunc(reports, func(a, b Report) int { return int(a.Row) - int(b.Row) })
	return &rows{reports: reports, found: map[string]bool{}}
}

// look makes found the codes that are reported from a line's first row to another one.
func (r *rows) look(first, row int32) {
	if first != r.first {
		r.first = first
		clear(r.found)
		for r.next < len(r.reports) && r.reports[r.next].Row < first {
			r.next++
		}
	}
	for r.next < len(r.reports) && r.reports[r.next].Row <= row {
		r.found[r.reports[r.next].Code] = true
		r.next++
	}
}

// haveBeginning reports whether a code that was found begins with a text.
func (r *rows) haveBeginning(text string) bool {
	if r.found[text] {
		return true
	}
	for code := range r.found {
		if strings.HasPrefix(code, text) {
			return true
		}
	}
	return false
}
