package report

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/rule"
	"codelinter/source"
)

// This file makes a page's JSON of a task: a row of the table, the task's texts, its samples,
// and the places of their findings. app/src/data.ts has the same types.

// A pageRow is a task in the table of tasks, with the data for sorting and filtering.
type pageRow struct {
	ID      string         `json:"id"`
	Given   []string       `json:"given,omitempty"` // codes
	Runs    []rowRun       `json:"runs"`
	Changes *[3]int        `json:"changes,omitempty"` // fixed but not lost, left and introduced, of one run
	Marks   map[string]int `json:"marks,omitempty"`   // samples that have a mark, see [sampleMarks]
	Fine    map[string]int `json:"fine,omitempty"`    // of these, those that do not fail by it, see [failsBy]
}

// A rowRun is a run's part of a row.
type rowRun struct {
	N      int    `json:"n"`
	Passed []int  `json:"passed"`           // by each verdict
	States string `json:"states,omitempty"` // a letter a sample, see [state]
}

// newRowRun returns a run's part of a task's row.
func newRowRun(r *record) rowRun {
	run := rowRun{N: len(r.Samples), Passed: []int{}}
	for v := range r.Scores {
		run.Passed = append(run.Passed, r.Scores[v].Passed)
	}
	var letters strings.Builder
	for i := range r.Samples {
		letters.WriteByte(stateLetters[stateOf(&r.Samples[i])])
	}
	run.States = letters.String()
	return run
}

// newPageRow returns the row of a task without its runs.
func newPageRow(r *record) pageRow {
	row := pageRow{ID: string(r.Task.Meta.ID)}
	for _, count := range r.Given {
		row.Given = append(row.Given, count.Code.String())
	}
	return row
}

// A pageTask is the view of a task.
type pageTask struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt,omitempty"`
	Code   string `json:"code,omitempty"` // as flake8 reads it
	Cut    int    `json:"cut,omitempty"`  // length of the prompt in bytes, if it or the code is cut
	// Options of flake8 other than the defaults, as on its command line.
	Options string `json:"options,omitempty"`
	Runs    []any  `json:"runs"` // a [pageRun] each
}

// A pageRun is a task's samples of one run.
type pageRun struct {
	Name    string       `json:"name,omitempty"` // if there are several runs
	Bare    bool         `json:"bare,omitempty"` // the results have no texts
	N       int          `json:"n"`
	Passed  int          `json:"passed"`
	Others  []pagePassed `json:"others,omitempty"` // by the other verdicts
	Samples []pageSample `json:"samples"`          // perhaps only the first ones
}

// A pageSample is a sample. Fields that are 0, false or empty are omitted, which is most of them.
type pageSample struct {
	Pass     bool     `json:"pass,omitempty"`
	Marks    []string `json:"marks,omitempty"` // see [sampleMarks]
	Empty    bool     `json:"empty,omitempty"`
	Encoding string   `json:"encoding,omitempty"`
	// Verdicts besides the official one.
	Verdicts   []pageVerdict `json:"verdicts,omitempty"`
	Source     string        `json:"source"`
	Blocks     int           `json:"blocks,omitempty"`
	Python     int           `json:"python,omitempty"`
	Fixed      int           `json:"fixed,omitempty"`
	Left       int           `json:"left,omitempty"`
	Introduced int           `json:"introduced,omitempty"`
	Saved      []string      `json:"saved,omitempty"`
	Noqa       bool          `json:"noqa,omitempty"`
	// Code is as flake8 reads it, with "\n" line ends. Row is the row of its first line: 2 for
	// code from fences, whose empty first line is not in Code.
	Row  int    `json:"row,omitempty"` // 0: 1
	Code string `json:"code,omitempty"`
	Cut  int    `json:"cut,omitempty"` // length of the code in bytes, if it is cut
	// Diff has triples of numbers: how many lines of the task's program and of Code are the same,
	// how many lines of the program are then removed, and how many of Code are added.
	Diff []int `json:"diff,omitempty"`
	// Around is the answer's text before and after Code, if the answer contains Code as it is.
	// Otherwise Output is the answer. Both are omitted if the answer is the code.
	Around   []string      `json:"around,omitempty"`
	Output   string        `json:"output,omitempty"`
	OutCut   int           `json:"outputCut,omitempty"` // length of the answer in bytes, if it is cut
	Found    int           `json:"found,omitempty"`
	Findings []pageFinding `json:"findings,omitempty"`
}

type pagePassed struct {
	Name   string `json:"name"`
	Passed int    `json:"passed"`
}

type pageVerdict struct {
	Name    string             `json:"name"`
	Outcome evaluator.Outcome  `json:"outcome"`
	Proof   string             `json:"proof,omitempty"`
	Reasons []evaluator.Reason `json:"reasons,omitempty"`
}

// maxPageReasons bounds the reasons of a verdict on a page.
const maxPageReasons = 10

// A pageFinding is a finding: row and column as flake8 prints them, the position to mark in
// its line, see [mark], code and message.
type pageFinding [5]any

// maxPageFindings bounds the marked findings of a sample.
const maxPageFindings = 50

// newPageTask returns a task's view, in half of its share of bytes.
func newPageTask(r *record, share int) pageTask {
	t := pageTask{ID: string(r.Task.Meta.ID)}
	t.Options, _ = clip(r.Task.Meta.Options.String(), share/8)
	if !r.bare() {
		var cut [2]bool
		prompt := r.Task.Prompt()
		t.Prompt, cut[0] = clip(prompt, share/4)
		t.Code, cut[1] = clip(linted(r.Task.Inputs.Code), share/4)
		if cut[0] || cut[1] {
			t.Cut = len(prompt)
		}
	}
	return t
}

// linted returns code as flake8 reads it.
func linted(code string) string {
	var file source.File
	if file.Load([]byte(code)) != nil {
		return code
	}
	return file.Text
}

// newPageRun returns a task's samples for the page, in share bytes. program is the task's
// program as the page has it.
func newPageRun(r *record, program string, share int) pageRun {
	run := pageRun{
		Bare: r.bare(), N: len(r.Samples), Passed: r.Scores[0].Passed,
		Samples: make([]pageSample, min(len(r.Samples), max(1, share/sampleBytes))),
	}
	for _, score := range r.Scores[1:] {
		run.Others = append(run.Others, pagePassed{string(score.Verdict), score.Passed})
	}
	before := splitLines(program)
	share /= max(len(run.Samples), 1)
	for i := range run.Samples {
		run.Samples[i] = newPageSample(r, i, before, share)
	}
	return run
}

// newPageSample returns a sample for the page, in share bytes. before are the lines of the program.
func newPageSample(r *record, i int, before []string, share int) pageSample {
	from := &r.Samples[i]
	to := pageSample{
		Pass: from.Official(), Source: from.Extraction.String(), Blocks: from.Blocks, Python: from.Python,
		Fixed: from.Fixed, Left: from.Left, Introduced: from.Introduced,
		Saved: from.Saved.Names(), Noqa: from.Facts.Silenced, Found: from.Found,
		Empty: from.Empty, Encoding: from.Facts.Encoding, Marks: sampleMarks(r, i),
	}
	for v, j := range from.Judgements[1:] {
		verdict := pageVerdict{Name: string(r.Scores[v+1].Verdict), Outcome: j.Outcome, Proof: j.Proof}
		for _, reason := range j.Reasons[:min(len(j.Reasons), maxPageReasons)] {
			reason.Text, _ = clip(reason.Text, 300)
			verdict.Reasons = append(verdict.Reasons, reason)
		}
		to.Verdicts = append(to.Verdicts, verdict)
	}
	var lines []string
	if !r.bare() {
		to.setCode(from.Output, share)
		lines = splitLines(to.Code)
		to.Diff = diff(before, lines)
	}
	for j, f := range from.Findings[:min(len(from.Findings), maxPageFindings, share/64)] {
		code := f.Code.String()
		text, _ := clip(r.message(i, j), 300)
		at := 0
		if line := int(f.Row) - max(to.Row, 1); line >= 0 && line < len(lines) {
			at = mark(strings.TrimSuffix(lines[line], "\n"), code, int(f.Column))
		}
		to.Findings = append(to.Findings, pageFinding{f.Row, f.Column, at, code, text})
	}
	return to
}

// setCode sets the code of an answer, and what stands around it, in share bytes.
func (to *pageSample) setCode(output string, share int) {
	found := extract.Code(output)
	text := linted(found.Text)
	if found.Place != extract.Whole {
		text = strings.TrimPrefix(text, "\n")
		to.Row = 2
	}
	var cut bool
	if to.Code, cut = clip(text, share*5/8); cut {
		to.Cut = len(text)
	}
	head, tail, contiguous := strings.Cut(output, to.Code)
	switch rest := share * 3 / 8; {
	case found.Place == extract.Whole:
	case contiguous && !cut && to.Code != "" && len(head)+len(tail) <= rest/6: // a byte takes at most 6
		to.Around = []string{head, tail}
	default:
		if to.Output, cut = clip(output, rest); cut {
			to.OutCut = len(output)
		}
	}
}

// mark returns the position of a finding in line, in JavaScript's UTF-16 units. pycodestyle's
// columns count characters from 1. The columns of pyflakes and mccabe count bytes. The column of
// E999 counts characters and is too large by one: CPython's column counts from 1 already, and
// flake8 adds 1.
func mark(line, code string, column int) int {
	at := max(column-1, 0)
	switch {
	case code == rule.E999.String():
		at = max(at-1, 0)
		fallthrough
	default:
		for i := range line {
			if at == 0 {
				line = line[:i]
				break
			}
			at--
		}
	case strings.HasPrefix(code, "F"), strings.HasPrefix(code, "C"):
		line = line[:min(at, len(line))]
	}
	units := 0
	for _, r := range line {
		units += utf16.RuneLen(r)
	}
	return units
}

// splitLines cuts text after each newline. A last line without one is a line.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// diff compares lines, in the form of [pageSample].
func diff(before, after []string) []int {
	var runs []int
	at := 0
	for _, d := range lcs.DiffLines(before, after) {
		runs = append(runs, d.Start-at, d.End-d.Start, d.ReplEnd-d.ReplStart)
		at = d.End
	}
	if at < len(before) {
		runs = append(runs, len(before)-at, 0, 0)
	}
	return runs
}

// clip cuts text to at most limit bytes of JSON in a page.
func clip(text string, limit int) (string, bool) {
	bytes := 0
	for i, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '"' || r == '\\' || r == '\r':
			bytes += 2
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError:
			bytes += 6
		default:
			bytes += utf8.RuneLen(r)
		}
		if bytes > limit {
			return text[:i], true
		}
	}
	return text, false
}
