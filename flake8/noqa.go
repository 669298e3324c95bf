package flake8

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/internal/noqa"
	"codelinter/internal/util/atomicfile"
	"codelinter/lint"
	"codelinter/rule"
)

// This file has the options about "# noqa" comments: --report-unused-noqa makes those that silence
// nothing findings, with the codes, messages and options of the plugin flake8-noqa, and --add-noqa
// writes comments for what is found.

var noqaOptions = []*option{
	noqaOption(toggle("--report-unused-noqa", `report "# noqa" comments that silence nothing or are misspelt, as the plugin flake8-noqa does (NQA001 to NQA104)`,
		func(s *settings) *bool { return &s.lint.ReportNoqa })),
	noqaOption(toggle("--noqa-require-code", `with --report-unused-noqa, report "# noqa" without codes too (NQA104)`,
		func(s *settings) *bool { return &s.lint.NoqaRequireCode })),
	noqaOption(negated("--noqa-no-require-code", "undo --noqa-require-code", func(s *settings) *bool { return &s.lint.NoqaRequireCode })),
	noqaOption(toggle("--noqa-include-name", "with --report-unused-noqa, begin messages with (flake8-noqa)",
		func(s *settings) *bool { return &s.lint.NoqaIncludeName })),
	noqaOption(negated("--noqa-no-include-name", "undo --noqa-include-name", func(s *settings) *bool { return &s.lint.NoqaIncludeName })),
	noqaOption(typed(toggle("--add-noqa", `write "# noqa" comments that silence what is found, and report what none can silence`,
		func(s *settings) *bool { return &s.addNoqa }))),
}

func noqaOption(o *option) *option { o.own, o.group = true, "noqa comments"; return o }

// negated is an option of the command line that undoes another.
func negated(name, help string, field func(*settings) *bool) *option {
	return &option{names: []string{name}, help: help, apply: func(s *settings, _ string) error { *field(s) = false; return nil }}
}

// appendNoqa appends the findings about comments to those of plugins. reported is what plugins
// report, before selection and comments.
func appendNoqa(foreign []lint.Foreign, result *lint.Result, reported []rule.Finding) []lint.Foreign {
	for _, finding := range result.NoqaFindings(reported) {
		rank := 8 // flake8-noqa looks at a logical line before pycodestyle does
		if strings.HasPrefix(finding.Code.String(), "NQA1") {
			rank = 10 // and at what comments silence after all else
		}
		foreign = append(foreign, lint.Foreign{Finding: finding, Rank: rank})
	}
	return foreign
}

// silenced says what --add-noqa did.
type silenced struct {
	comments, files int
	failed          int // files that could not be written
	left            map[noqa.Reason]int
}

// Reasons of this package.
const (
	notPython noqa.Reason = "in files that are not Python"
	notUTF8   noqa.Reason = "in files that are not UTF-8"
	unwritten noqa.Reason = "in files that could not be written"
)

// mostRounds bounds how often comments are added to a text. A comment can make its row too long,
// and so need another code.
const mostRounds = 8

// silence writes comments for the findings of the worker's file, and leaves those that none
// silences.
func (r *run) silence(w *worker, g int, t *input, data []byte) error {
	if len(w.file.Findings) == 0 {
		return nil
	}
	s := silencing{text: data, added: map[int32]bool{}}
	for round := 0; ; round++ {
		next, rows := s.next(&w.file)
		if len(rows) == 0 {
			break
		}
		if round == mostRounds {
			s.left[noqa.NoEffect] += len(rows)
			break
		}
		for _, row := range rows {
			s.added[row] = true
		}
		if err := r.findings(w, g, t, next); err != nil {
			return err
		}
		if file, tokens := w.file.linted().Checked(); file == nil || noqa.Digest(file.Text, tokens) != s.digest {
			return fmt.Errorf("%s: comments would change the program: this is a fault of codelinter", t.name)
		}
		s.text = next
	}
	var failed error
	if len(s.added) > 0 {
		info, _ := os.Stat(t.name)
		failed = atomicfile.Rewrite(t.name, atomicfile.Known{Info: info, Data: data}, s.text)
	}
	if failed != nil {
		if err := r.findings(w, g, t, data); err != nil {
			return err
		}
		s.added, s.left = nil, map[noqa.Reason]int{unwritten: len(w.file.Findings)}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if failed != nil {
		r.noqa.failed++
		r.warn(fmt.Errorf("%s: %w", t.name, failed))
	}
	r.noqa.add(&s)
	return nil
}

// SilenceText returns the text with a "# noqa" comment for those findings of [LintText] that are
// wanted, and the text itself if no comment silences them.
func SilenceText(args []string, name string, text []byte, wanted func(*rule.Finding) bool) ([]byte, error) {
	linter, err := linterFor(args, name)
	if err != nil || linter == nil {
		return text, err
	}
	f := lintedFile{result: linter.Lint(lint.Input{Name: name, Data: text})}
	for i := range f.result.Findings {
		if wanted(&f.result.Findings[i]) {
			f.Findings = append(f.Findings, f.result.Findings[i])
		}
	}
	s := silencing{text: text}
	next, rows := s.next(&f)
	if len(rows) == 0 {
		return text, nil
	}
	return next, nil
}

// A silencing is the work on a text.
type silencing struct {
	text   []byte
	digest uint64
	added  map[int32]bool // rows with comments that were written or got longer
	left   map[noqa.Reason]int
}

// next returns the text with comments for the findings of a file, and their rows.
func (s *silencing) next(f *lintedFile) (text []byte, rows []int32) {
	s.left = map[noqa.Reason]int{}
	file, tokens := f.linted().Checked()
	switch {
	case file == nil || f.result.Invalid:
		s.left[notPython] = len(f.Findings)
		return nil, nil
	case file.FellBack || file.Encoding != "" && !file.ASCII:
		s.left[notUTF8] = len(f.Findings)
		return nil, nil
	}
	s.digest = noqa.Digest(file.Text, tokens)
	wants := make([]noqa.Want, len(f.Findings))
	for i := range f.Findings {
		first, last := f.linted().NoqaRows(f.Findings[i].Row)
		wants[i] = noqa.Want{First: first, Last: last, Code: f.Findings[i].Code.String()}
	}
	edits, why := noqa.Silence(file, tokens, wants)
	for _, reason := range why {
		if reason != "" {
			s.left[reason]++
		}
	}
	for i := range edits {
		e := &edits[i]
		rows = append(rows, int32(file.Row(e.Start)))
		e.Start, e.End = file.GivenRange(e.Start, e.End)
	}
	return []byte(noqa.Apply(string(s.text), edits)), rows
}

// add counts what was done to a file.
func (s *silenced) add(file *silencing) {
	s.comments += len(file.added)
	if len(file.added) > 0 {
		s.files++
	}
	if s.left == nil {
		s.left = map[noqa.Reason]int{}
	}
	for reason, n := range file.left {
		s.left[reason] += n
	}
}

// String says what was done, and why findings are left.
func (s *silenced) String() string {
	text := fmt.Sprintf("wrote %d comments in %d files", s.comments, s.files)
	for i, reason := range slices.Sorted(maps.Keys(s.left)) {
		before := ", "
		if i == 0 {
			before = "; left: "
		}
		text += fmt.Sprintf("%s%d %s", before, s.left[reason], reason)
	}
	return text
}

// withoutLinks drops inputs that are the same file as an earlier one, by another name or a link.
func withoutLinks(inputs []input) []input {
	seen := map[string]bool{}
	return slices.DeleteFunc(inputs, func(t input) bool {
		path, err := filepath.EvalSymlinks(absolute(t.name))
		again := seen[path]
		seen[path] = err == nil
		return again
	})
}

// checkNoqa refuses options that cannot stand beside --add-noqa.
func (s *settings) checkNoqa(c *Command) error {
	switch {
	case !s.addNoqa:
	case !c.compares:
		return usageErrorf("argument --add-noqa: only check has it")
	case s.lint.DisableNoqa:
		return usageErrorf("argument --add-noqa: not allowed with argument --disable-noqa")
	case s.comparison.writeBaseline != "":
		return usageErrorf("argument --add-noqa: not allowed with argument --write-baseline")
	case slices.Contains(s.paths, "-"):
		return usageErrorf("argument --add-noqa: expected files, found standard input")
	}
	return nil
}
