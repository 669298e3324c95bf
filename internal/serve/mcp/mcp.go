// Package mcp is a server of the Model Context Protocol, by which coding agents use tools. It
// serves one client over a reader and a writer. The official SDK is the client of its tests, and
// not the server: its package variables would make each start of `codelinter check` a fifth longer.
//
//	err := mcp.Serve(ctx, os.Stdin, os.Stdout, mcp.Options{Service: s})
//
// The tools are lint, fix, check_edit, run and explain_rule. They read no files: an agent sends
// texts. The bounds are the service's: texts have a maximal size, and a call for which there is no
// room is an error of the tool, so that a client that sends much takes no more memory than the
// room.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"codelinter/evaluator/task"
	"codelinter/fix"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
	"codelinter/rule"
	"codelinter/sandbox"
)

// Options configure [Serve].
type Options struct {
	Service *service.Service
	Workers int // programs that run and texts that are fixed at once; 0: one
}

// The time limits of a program.
const (
	usualSecond = 10 // of one that names none
	mostSeconds = 60
)

// tools returns the tools. All of them only read: they return texts and write none.
func (s *server) tools() []tool {
	return []tool{
		newTool("lint", "Find what flake8 finds in a Python program.", s.lint),
		newTool("fix", "Repair what flake8 finds in a Python program, by edits that are proven to keep its meaning. Returns the new text.", s.fix),
		newTool("check_edit", "Compare two texts of a Python file: which findings an edit brings in, which are gone, and whether the syntax tree and what the program does are the same. Old findings do not count.", s.checkEdit),
		newTool("run", "Run a Python program in a sandbox that has no network and no files of the machine, with a time limit that is counted. Returns what it printed and how it ended.", s.run),
		newTool("explain_rule", "Explain a code of flake8, such as E501: what it flags, why, and examples.", explainRule),
	}
}

// A server has what the tools need.
type server struct {
	service *service.Service
	slots   chan struct{} // see [Options.Workers]
}

// A Finding is a finding as the tools return it.
type Finding struct {
	Code    string `json:"code" jsonschema:"such as E501"`
	Row     int32  `json:"row" jsonschema:"from 1"`
	Column  int32  `json:"column" jsonschema:"from 1, as flake8 prints it"`
	Message string `json:"message"`
}

func findings(list []rule.Finding) []Finding {
	all := make([]Finding, len(list))
	for i := range list {
		f := &list[i]
		all[i] = Finding{f.Code.String(), f.Row, f.Column, f.Message()}
	}
	return all
}

// text is what several tools take.
type text struct {
	Code    string         `json:"code" jsonschema:"a Python program"`
	Name    string         `json:"name,omitempty" jsonschema:"the file's name, on which a few findings depend"`
	Options map[string]any `json:"options,omitempty" jsonschema:"flake8's options by their names, such as {\"max-line-length\": 100, \"ignore\": [\"E203\"]}"`
}

type linted struct {
	Findings []Finding `json:"findings"`
	Found    int       `json:"found" jsonschema:"how many there are; the list has the first of very many"`
}

func (s *server) lint(ctx context.Context, in text) (linted, error) {
	out := linted{Findings: []Finding{}}
	file, err := s.ask(ctx, &api.Lint{Single: true, Files: []api.File{{Name: in.Name, Text: in.Code}}}, in.Options)
	if err == nil {
		out.Found = file.Found
		err = json.Unmarshal(file.JSON, &out.Findings)
	}
	return out, err
}

// ask has the service do something with one file.
func (s *server) ask(ctx context.Context, l *api.Lint, options map[string]any) (*api.FileFindings, error) {
	var err error
	if l.Options, err = optionsOf(options); err != nil {
		return nil, err
	}
	reply, err := s.service.Do(ctx, "mcp", &api.Request{Lint: l})
	if err != nil {
		return nil, err
	}
	file := &reply.Lint.Files[0]
	if file.Error != "" {
		return nil, errors.New(file.Error)
	}
	return file, nil
}

// optionsOf reads flake8's options; nil are its defaults.
func optionsOf(given map[string]any) (*task.Options, error) {
	if len(given) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	options := new(task.Options)
	if err := options.UnmarshalJSON(data); err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	return options, nil
}

type edits struct {
	Before  string         `json:"before" jsonschema:"the old text of a file"`
	After   string         `json:"after" jsonschema:"the new text"`
	Name    string         `json:"name,omitempty" jsonschema:"the file's name, on which a few findings depend"`
	Run     *bool          `json:"run,omitempty" jsonschema:"run what the texts leave open (default: true); without it the answer takes 0.05 ms for each kilobyte"`
	Options map[string]any `json:"options,omitempty" jsonschema:"flake8's options by their names"`
}

type edited struct {
	New     []Finding `json:"new" jsonschema:"findings of the new text that the old one does not have"`
	Gone    []Finding `json:"gone" jsonschema:"findings of the old text that the new one does not have"`
	Found   int       `json:"found" jsonschema:"how many findings the new text has"`
	Tree    string    `json:"tree" jsonschema:"same, other or unknown: whether the syntax trees are equal"`
	Meaning string    `json:"meaning" jsonschema:"same, other or unknown: whether both programs do the same"`
	Proof   string    `json:"proof" jsonschema:"of a meaning that is the same: tree, form, edits or runs"`
	Reasons []string  `json:"reasons"`
}

func (s *server) checkEdit(ctx context.Context, in edits) (edited, error) {
	out := edited{New: []Finding{}, Gone: []Finding{}, Reasons: []string{}}
	l := &api.Lint{Single: true, Files: []api.File{{Name: in.Name, Text: in.After}}, Edit: &api.Edit{Before: in.Before, Run: in.Run == nil || *in.Run}}
	file, err := s.ask(ctx, l, in.Options)
	if err == nil {
		err = json.Unmarshal(append(append([]byte("{"), file.JSON...), '}'), &out)
	}
	return out, err
}

// enter waits for a slot, and takes room for some bytes.
func (s *server) enter(ctx context.Context, bytes int) (leave func(), err error) {
	if bytes > service.DefaultMaxAnswer {
		return nil, fmt.Errorf("expected %d bytes at most, found %d", service.DefaultMaxAnswer, bytes)
	}
	hold := s.service.Hold()
	if err := hold.More(int64(bytes)); err != nil {
		hold.Release()
		return nil, err
	}
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots; hold.Release() }, nil
	case <-ctx.Done():
		hold.Release()
		return nil, context.Cause(ctx)
	}
}

type remaining struct {
	Finding
	Reason string `json:"reason" jsonschema:"why it stays"`
}

type fixed struct {
	Code      string      `json:"code" jsonschema:"the new text"`
	Changed   bool        `json:"changed"`
	Fixed     []Finding   `json:"fixed" jsonschema:"findings that are gone"`
	Remaining []remaining `json:"remaining" jsonschema:"findings that stay"`
}

func (s *server) fix(ctx context.Context, in text) (fixed, error) {
	out := fixed{Code: in.Code, Fixed: []Finding{}, Remaining: []remaining{}}
	options, err := optionsOf(in.Options)
	if err != nil {
		return out, err
	}
	leave, err := s.enter(ctx, len(in.Code))
	if err != nil {
		return out, err
	}
	defer leave()
	fixer, err := fix.New(options.Lint())
	if err != nil {
		return out, err
	}
	result := fixer.FixFile(in.Name, []byte(in.Code))
	out.Code, out.Changed = string(result.Text), result.Changed()
	for i := range result.Fixed {
		out.Fixed = append(out.Fixed, findings([]rule.Finding{result.Fixed[i].Finding})...)
	}
	for i := range result.Remaining {
		r := &result.Remaining[i]
		out.Remaining = append(out.Remaining, remaining{findings([]rule.Finding{r.Finding})[0], string(r.Reason)})
	}
	return out, nil
}

type program struct {
	Code      string   `json:"code" jsonschema:"a Python program"`
	Stdin     string   `json:"stdin,omitempty" jsonschema:"its standard input"`
	Arguments []string `json:"arguments,omitempty" jsonschema:"sys.argv after the program's name"`
	Timeout   float64  `json:"timeout,omitempty" jsonschema:"seconds, from 0.001 to 60, counted, so that a program times out on every machine or on none (default: 10)"`
}

type ran struct {
	Stdout    string  `json:"stdout"`
	Stderr    string  `json:"stderr"`
	End       string  `json:"end" jsonschema:"how it ended: done, exited, raised, budget (its time was up), memory and others"`
	ExitCode  int     `json:"exit_code" jsonschema:"-1 if the program did not end by itself"`
	Seconds   float64 `json:"seconds" jsonschema:"counted"`
	Truncated bool    `json:"truncated" jsonschema:"it printed more than is kept"`
}

func (s *server) run(ctx context.Context, in program) (ran, error) {
	seconds := in.Timeout
	if seconds == 0 {
		seconds = usualSecond
	}
	if !(0.001 <= seconds && seconds <= mostSeconds) {
		return ran{}, fmt.Errorf("timeout: expected 0.001 to %d, found %v", mostSeconds, seconds)
	}
	leave, err := s.enter(ctx, len(in.Code)+len(in.Stdin))
	if err != nil {
		return ran{}, err
	}
	defer leave()
	result, err := s.service.Run(ctx, sandbox.Program{
		Source: in.Code, Once: true, Budget: max(1, int64(seconds*float64(time.Second)/float64(sandbox.CountTime))),
		Machine: &sandbox.Machine{Input: []byte(in.Stdin), Arguments: in.Arguments},
	})
	if err != nil {
		return ran{}, err
	}
	end, exception := result.Ended()
	out := ran{
		Stdout: string(result.Output), Stderr: string(result.Errors), End: end.String(), ExitCode: -1,
		Seconds: float64(result.Used) * sandbox.CountTime.Seconds(), Truncated: result.Truncated,
	}
	switch {
	case end == sandbox.Done:
		out.ExitCode = 0
	case end == sandbox.Raised:
		out.ExitCode = 1
	case end == sandbox.Exited && exception != nil:
		out.ExitCode = exception.Code
	}
	return out, nil
}

type code struct {
	Code string `json:"code" jsonschema:"such as E501"`
}

type page struct {
	Code     string `json:"code"`
	Name     string `json:"name" jsonschema:"the pattern that it flags"`
	Markdown string `json:"markdown"`
}

func explainRule(_ context.Context, in code) (page, error) {
	found, is := rule.Find(in.Code)
	if !is {
		return page{}, fmt.Errorf("code: expected one of flake8's, such as E501, found %.40q", in.Code)
	}
	documentation, _ := rule.Page(found)
	return page{in.Code, found.Rule().Name, documentation.Markdown}, nil
}
