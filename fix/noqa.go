package fix

import (
	"slices"

	"codelinter/internal/noqa"
	"codelinter/lint"
	"codelinter/rule"
)

// A tidier removes "# noqa" comments that silence nothing, and codes in them. Its proof is that
// afterwards flake8 finds nothing more in any row, whatever is selected, and that the tokens are
// the same.
type tidier struct {
	reporter *lint.Linter // has the findings about comments
	silenced *lint.Linter // checks for all codes, and obeys comments
	bare     *lint.Linter // checks for all codes, and obeys none
}

// newTidier returns a tidier for options that report unused comments, nil for others.
func newTidier(options lint.Options) (*tidier, error) {
	if !options.ReportNoqa {
		return nil, nil
	}
	all := options
	all.ReportNoqa = false
	all.Select, all.ExtendSelect, all.Ignore, all.ExtendIgnore = []string{"C", "E", "F", "W"}, nil, []string{}, nil
	bare := all
	bare.DisableNoqa = true
	t := &tidier{}
	for _, made := range []struct {
		linter  **lint.Linter
		options lint.Options
	}{{&t.reporter, options}, {&t.silenced, all}, {&t.bare, bare}} {
		linter, err := lint.New(made.options)
		if err != nil {
			return nil, err
		}
		*made.linter = linter
	}
	return t, nil
}

// findings returns the findings about comments.
func (t *tidier) findings(name string, data []byte) (findings []rule.Finding) {
	if t == nil {
		return nil
	}
	result := t.reporter.Lint(lint.Input{Name: name, Data: data})
	return result.NoqaFindings(nil)
}

// tidyComments does the tidier's work on the text of a result for data.
func (f *Fixer) tidyComments(name string, data []byte, result *Result) {
	before := f.tidier.findings(name, data)
	if len(before) == 0 {
		return
	}
	var refused map[int32]bool
	if f.wanted == nil || !result.Changed() {
		result.Text, refused = f.tidier.tidy(name, result.Text, f.wanted)
	}
	after := f.tidier.findings(name, result.Text)
	left := map[[2]string]int{}
	for i := range after {
		finding := &after[i]
		left[[2]string{finding.Code.String(), finding.Message()}]++
		reason := NoEdit
		switch {
		case finding.Code.String() < "NQA1" && finding.Code.String() != "NQA005":
		case refused[finding.Row]:
			reason = Refused
		case noqa.NamesOther(string(result.Text[finding.Start:finding.End]), isKnown):
			reason = Elsewhere
		}
		result.Remaining = append(result.Remaining, Remaining{*finding, reason})
	}
	for _, finding := range before {
		if key := [2]string{finding.Code.String(), finding.Message()}; left[key] > 0 {
			left[key]--
			continue
		}
		result.Fixed = append(result.Fixed, Fixed{finding, Layout})
	}
	byPlace := func(a, b *rule.Finding) int {
		if a.Row != b.Row {
			return int(a.Row) - int(b.Row)
		}
		return int(a.Column) - int(b.Column)
	}
	slices.SortStableFunc(result.Fixed, func(a, b Fixed) int { return byPlace(&a.Finding, &b.Finding) })
	slices.SortStableFunc(result.Remaining, func(a, b Remaining) int { return byPlace(&a.Finding, &b.Finding) })
}

// tidy returns the text without what comments do not need. wanted chooses findings whose comments
// are edited; nil chooses all. refused are the rows of the new text with edits that have no proof.
func (t *tidier) tidy(name string, data []byte, wanted func(*rule.Finding) bool) (text []byte, refused map[int32]bool) {
	rows := map[int32]bool{}
	for _, finding := range t.findings(name, data) {
		if wanted == nil || wanted(&finding) {
			rows[finding.Row] = true
		}
	}
	result := t.bare.Lint(lint.Input{Name: name, Data: data})
	file, tokens := result.Checked()
	if file == nil || file.FellBack || file.Encoding != "" && !file.ASCII {
		return data, nil
	}
	var reports []noqa.Report
	for i := range result.Findings {
		reports = append(reports, noqa.Report{Row: result.Findings[i].Row, Code: result.Findings[i].Code.String()})
	}
	edits := noqa.Unused(file.Text, tokens, reports, isKnown)
	edits = slices.DeleteFunc(edits, func(e noqa.Edit) bool { return !rows[int32(file.Row(max(e.Start, e.End-1)))] })
	p := pruning{tidier: t, name: name, data: data, digest: noqa.Digest(file.Text, tokens), tries: maxTries}
	for _, e := range edits { // as offsets in the bytes, with rows
		p.rows = append(p.rows, int32(file.Row(max(e.Start, e.End-1))))
		e.Start, e.End = file.GivenRange(e.Start, e.End)
		p.edits = append(p.edits, e)
	}
	p.found = p.findings(data, nil)
	all := make([]int, len(edits))
	for i := range all {
		all[i] = i
	}
	kept := p.proven(all)
	if !p.isProven(kept) {
		kept = nil
	}
	gone := p.rowsGone(kept)
	refused = map[int32]bool{}
	for i, row := range p.rows {
		if _, is := slices.BinarySearch(kept, i); !is {
			before, _ := slices.BinarySearch(gone, row)
			refused[row-int32(before)] = true
		}
	}
	return p.apply(kept), refused
}

// isKnown reports whether there are rules whose codes begin with a text.
func isKnown(code string) bool {
	first, end := rule.Span(code)
	return first < end
}

// maxTries bounds how often a text is linted to find the edits without a proof.
const maxTries = 64

// A pruning is the search for the edits of a text that are proven.
type pruning struct {
	*tidier
	name   string
	data   []byte
	edits  []noqa.Edit // sorted, of data
	rows   []int32     // of the edits
	digest uint64
	found  map[spot]int // in data
	tries  int
}

func (p *pruning) apply(edits []int) []byte {
	var chosen []noqa.Edit
	for _, i := range edits {
		chosen = append(chosen, p.edits[i])
	}
	return []byte(noqa.Apply(string(p.data), chosen))
}

// A spot is what is compared of a finding.
type spot struct {
	row  int32 // of data
	code rule.Code
}

// rowsGone returns the rows of data that edits remove.
func (p *pruning) rowsGone(edits []int) (gone []int32) {
	for _, i := range edits {
		if e := &p.edits[i]; e.New == "" && e.End > e.Start && p.data[e.End-1] == '\n' {
			gone = append(gone, p.rows[i])
		}
	}
	return gone
}

// findings counts the findings of a text.
func (p *pruning) findings(text []byte, edits []int) map[spot]int {
	gone := p.rowsGone(edits)
	result := p.silenced.Lint(lint.Input{Name: p.name, Data: text})
	found := map[spot]int{}
	before := int32(0) // of the rows that are gone, those before the finding
	for i := range result.Findings {
		finding := &result.Findings[i]
		for int(before) < len(gone) && gone[before] <= finding.Row+before {
			before++
		}
		found[spot{finding.Row + before, finding.Code}]++
	}
	file, tokens := result.Checked()
	if file == nil || noqa.Digest(file.Text, tokens) != p.digest {
		return nil
	}
	return found
}

// isProven reports whether a text with edits says the same, and has no finding that data does not
// have.
func (p *pruning) isProven(edits []int) bool {
	found := p.findings(p.apply(edits), edits)
	for at, n := range found {
		if n > p.found[at] {
			return false
		}
	}
	return found != nil
}

// proven returns the edits that are proven, in halves.
func (p *pruning) proven(edits []int) []int {
	if len(edits) == 0 {
		return nil
	}
	if p.tries > 0 {
		p.tries--
		if p.isProven(edits) {
			return edits
		}
		if half := len(edits) / 2; half > 0 {
			return append(slices.Clip(p.proven(edits[:half])), p.proven(edits[half:])...)
		}
	}
	return nil
}
