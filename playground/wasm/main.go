//go:build js && wasm

// Command wasm is the linter for the playground's page. It gives JavaScript one
// function, codelinter, which takes a request and returns a reply, both JSON:
//
//	{}                                   {"version": "0.1.0 (flake8 7.5.0 ...)", "releases": ["7.3.0", ...], "targets": ["3.10", ...]}
//	{"rule": "E501"}                     {"title": "E501 overlong-line", "markdown": "...", "linter": "pycodestyle 2.14.0"}
//	{"code": "x=1\n", "options": {...}}  {"findings": [{"code": "E225", ...}]}
//	{"code": "x=1\n", "fix": true}       {"code": "x = 1\n"}
//
// With a "program" the code is compared with that one, and the reply has a
// "verdict". A fix is that of codelinter fix without --unsafe. Options go by
// flake8's names. What makes no sense is an "error".
package main

import (
	"encoding/json"
	"syscall/js"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/fix"
	"codelinter/internal/guard"
	"codelinter/internal/version"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// maxFindings bounds what a reply lists, so that a page stays one that a browser
// can show; the others are counted.
const maxFindings = 1000

type request struct {
	Rule    string
	Code    *string
	Program *string
	Fix     bool
	Options *task.Options
}

type reply struct {
	Version  string            `json:"version,omitempty"`
	Releases []string          `json:"releases,omitempty"` // of flake8; the last is the default, as of the targets
	Targets  []string          `json:"targets,omitempty"`
	Title    string            `json:"title,omitempty"`
	Markdown string            `json:"markdown,omitempty"`
	Linter   string            `json:"linter,omitempty"`
	Code     *string           `json:"code,omitempty"` // after its fix
	Findings []json.RawMessage `json:"findings"`
	Found    int               `json:"found"`
	Verdict  *verdict          `json:"verdict,omitempty"`
	Error    string            `json:"error,omitempty"`
}

// A verdict is that of the static half of the guarded verdict: what it cannot
// prove has to be run, which the page does not.
type verdict struct {
	Official   bool     `json:"official"`
	Fixed      int      `json:"fixed"`
	Left       int      `json:"left"`
	Introduced int      `json:"introduced"`
	Reasons    []string `json:"reasons"`
	SameTree   bool     `json:"sameTree"`
	Program    string   `json:"program,omitempty"` // why nothing can be compared with it
}

func main() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		panic(err)
	}
	p := playground{linter: linter}
	js.Global().Set("codelinter", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, err := json.Marshal(p.answer([]byte(args[0].String())))
		if err != nil {
			panic(err) // the types above can be written
		}
		return string(text)
	}))
	select {}
}

type playground struct {
	linter  *lint.Linter
	checker guard.Checker
}

func (p *playground) answer(text []byte) (r reply) {
	var q request
	if err := json.Unmarshal(text, &q); err != nil {
		return reply{Error: err.Error()}
	}
	switch {
	case q.Rule != "":
		return explain(q.Rule)
	case q.Code == nil:
		r.Version = version.Full(0, 0)
		for _, release := range rule.Releases() {
			r.Releases = append(r.Releases, release.String())
		}
		for _, target := range source.Versions() {
			r.Targets = append(r.Targets, target.String())
		}
		return r
	}
	if q.Fix {
		return fixed(*q.Code, q.Options.Lint())
	}
	if err := p.linter.SetOptions(q.Options.Lint()); err != nil {
		return reply{Error: err.Error()}
	}
	code := []byte(*q.Code)
	var given counts
	if q.Program != nil {
		_, given = p.lint([]byte(*q.Program))
	}
	result, found := p.lint(code)
	r.Findings = []json.RawMessage{}
	for i := range result.Findings {
		r.Findings = append(r.Findings, result.Findings[i].AppendJSON(nil))
	}
	r.Found = found.total()
	if q.Program != nil {
		r.Verdict = p.judge([]byte(*q.Program), code, result.Facts, given, found)
	}
	return r
}

// counts has how many findings there are of each code.
type counts [rule.Count]int

func (c *counts) total() (n int) {
	for _, of := range c {
		n += of
	}
	return n
}

func (p *playground) lint(code []byte) (result lint.Result, all counts) {
	result = p.linter.Lint(lint.Input{Data: code, Facts: true, Bounds: lint.Bounds{Findings: maxFindings}})
	for i := range result.Findings {
		all[result.Findings[i].Code]++
	}
	for code := range rule.Codes() {
		all[code] += result.OmittedOf(code)
	}
	return result, all
}

// judge compares code with a task's program.
func (p *playground) judge(program, code []byte, facts lint.Facts, given, found counts) *verdict {
	var changes evaluator.Changes
	for i := range given {
		changes.Add(evaluator.NewChanges(given[i], found[i]))
	}
	v := verdict{Official: found.total() == 0, Fixed: changes.Fixed, Left: changes.Left, Introduced: changes.Introduced, Reasons: []string{}}
	held, err := p.checker.Program(program)
	if err != nil {
		v.Program = err.Error()
		return &v
	}
	report := p.checker.Check(held, code, facts)
	for _, reason := range report.Reasons {
		v.Reasons = append(v.Reasons, reason.Text)
	}
	v.SameTree = report.SameTree
	return &v
}

// fixed is code with the edits that are proven.
func fixed(code string, options lint.Options) reply {
	fixer, err := fix.New(options)
	if err != nil {
		return reply{Error: err.Error()}
	}
	text := string(fixer.FixFile("", []byte(code)).Text)
	return reply{Code: &text}
}

func explain(text string) reply {
	code, ok := rule.Find(text)
	if !ok {
		return reply{Error: "there is no code " + text}
	}
	r := code.Rule()
	page, ok := rule.Page(code)
	if !ok {
		page.Title = r.Code + " " + r.Name
	}
	return reply{Title: page.Title, Markdown: page.Markdown, Linter: r.Tool.String()}
}
