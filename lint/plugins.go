package lint

import (
	"cmp"
	"slices"

	"codelinter/rule"
)

// A Foreign is a finding of a plugin of flake8, not yet selected.
type Foreign struct {
	rule.Finding
	// Rank says where in flake8's order findings at one place stand. Plugins are sorted by the
	// names of their packages, first those that see the tree; then each physical line is checked,
	// and after its last one each logical line. A plugin has the ranks around those of pycodestyle,
	// pyflakes and mccabe, see rank: 0 is of one that sees the tree and comes before mccabe.
	Rank int
}

// Selects reports whether findings of a plugin's code are reported.
func (l *Linter) Selects(code rule.Code) bool { return isSelected(code.String(), &l.options) }

// ForeignFindings are what plugins find in a text.
type ForeignFindings struct {
	Findings []Foreign // in the order in which flake8 gets them
	// Whole says that plugins change what flake8's own tools find, and that their findings are
	// here, too.
	Whole bool
	// Decided says that plugins change which findings flake8 reports, and that these alone are
	// here.
	Decided bool
}

// Add puts what plugins find in the result's text among its findings: what is selected and what no
// comment silences. silenced has the rest of what is selected. The list of found is reused.
func (r *Result) Add(found ForeignFindings) (silenced []Foreign) {
	if found.Whole {
		r.Findings = nil
	}
	admitted := found.Findings
	if !found.Decided {
		admitted, silenced = r.Admit(admitted)
	}
	r.Merge(admitted)
	return silenced
}

// Admit returns those findings of plugins in the result's text that are selected and that no
// comment silences. silenced has the rest of what is selected; r.Facts has the line of the first of
// them, but not that they are Silenced. The list of foreign is reused.
func (r *Result) Admit(foreign []Foreign) (admitted, silenced []Foreign) {
	admitted = foreign[:0]
	for _, f := range foreign {
		switch {
		case !r.linter.Selects(f.Code):
		case r.Silences(f.Row, f.Code):
			silenced = append(silenced, f)
			if row := int(f.Row); r.Facts.NoqaLine == 0 || row < r.Facts.NoqaLine {
				r.Facts.NoqaLine = row
			}
		default:
			admitted = append(admitted, f)
		}
	}
	return admitted, silenced
}

// Merge puts findings of plugins among the result's, in flake8's order: by row, column, and when
// flake8 got them. It sorts foreign. The memory is the Linter's.
func (r *Result) Merge(foreign []Foreign) {
	if len(foreign) == 0 {
		return
	}
	slices.SortStableFunc(foreign, func(a, b Foreign) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column))
	})
	merged := r.linter.merged[:0]
	own := r.Findings
	for i := range foreign {
		for len(own) > 0 && before(&own[0], &foreign[i]) {
			merged, own = append(merged, own[0]), own[1:]
		}
		merged = append(merged, foreign[i].Finding)
	}
	merged = append(merged, own...)
	r.linter.merged, r.Findings = merged, merged
}

// before reports whether flake8 has a finding of ours before one of a plugin.
func before(own *rule.Finding, f *Foreign) bool {
	return cmp.Or(cmp.Compare(own.Row, f.Row), cmp.Compare(own.Column, f.Column), cmp.Compare(rank(own.Code), f.Rank)) < 0
}

// rank is the [Foreign.Rank] of findings that are not a plugin's.
func rank(code rule.Code) int {
	r := code.Rule()
	switch {
	case r.Tool == rule.McCabe:
		return 1
	case r.Tool == rule.Pyflakes:
		return 3
	case r.Kind == rule.Physical:
		return 6
	}
	return 9
}
