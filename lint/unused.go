package lint

import (
	"slices"

	"codelinter/internal/noqa"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// mentionsNoqa reports whether a text has the word noqa.
func mentionsNoqa(text string) bool {
	letters := letterScan{text: text, lower: -1, upper: -1}
	for at := letters.next(0); at < len(text); at = letters.next(at + 1) {
		if isNoqaAround(text, at) {
			return true
		}
	}
	return false
}

// noteReports keeps all findings for NoqaFindings, and drops those that the options do not select.
func (l *Linter) noteReports() {
	l.findings = slices.DeleteFunc(l.findings, func(f rule.Finding) bool {
		l.reports = append(l.reports, noqa.Report{Row: f.Row, Code: f.Code.String()})
		return !l.enabled.Has(f.Code)
	})
}

// NoqaFindings returns the findings of the plugin flake8-noqa, in the order in which flake8 gets
// them: comments that are spelled wrong or silence nothing. foreign is what other plugins report in
// the text, before selection and comments. No comment silences these findings. There are none
// without [Options.ReportNoqa].
func (r *Result) NoqaFindings(foreign []rule.Finding) (findings []rule.Finding) {
	l := r.linter
	if l == nil || l.checked != &l.all || !r.RunsPlugins() {
		return nil
	}
	reports := l.reports
	for i := range foreign {
		reports = append(reports, noqa.Report{Row: foreign[i].Row, Code: foreign[i].Code.String()})
	}
	for _, f := range noqa.Check(&l.file, l.logical(), reports, noqa.Options{RequireCode: l.options.NoqaRequireCode, IncludeName: l.options.NoqaIncludeName}) {
		if code, _ := rule.Named(f.Code); l.Selects(code) {
			finding := rule.NewForeign(int32(f.Row), int32(f.Column), code, f.Message)
			finding.Start, finding.End = l.file.GivenRange(f.Start, f.End)
			findings = append(findings, finding)
		}
	}
	return findings
}

// logical returns the tokens of the logical lines that flake8 checks.
func (l *Linter) logical() []tokenizer.Token {
	if l.tokenized {
		return l.tokens
	}
	return wholeLines(l.tokens)
}

// Checked returns the text and the tokens of the logical lines that flake8 checks, nil if the text
// is not Python. Offsets are those in the file's text. Both are valid until the Linter's next call.
func (r *Result) Checked() (*source.File, []tokenizer.Token) {
	if r.linter == nil || r.linter.failed {
		return nil, nil
	}
	return &r.linter.file, r.linter.logical()
}

// NoqaRows returns the rows that flake8 searches for a comment that silences a finding in a row, as
// one line. It returns zeros if it searches none.
func (r *Result) NoqaRows(row int32) (first, last int32) {
	l := r.linter
	if first, last, _ = r.PhysicalLine(row); first > 0 {
		return first, last
	}
	if l == nil || row < 1 || int(row) > l.file.Lines() || l.tokenized && !l.readsFile() {
		return 0, 0
	}
	return row, row
}
