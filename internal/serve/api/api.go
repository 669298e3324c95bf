// Package api is the protocol of codelinter's servers: requests and replies as JSON.
// `codelinter stream` speaks it a line at a time, `codelinter serve` in the bodies of
// HTTP. The package neither lints nor scores, and knows nothing of HTTP.
//
//	request, err := api.Decode(line, api.Defaults{})
//	if err != nil {
//		api.WriteReply(out, &api.Reply{ID: request.ID, Error: err.Error()})
//	}
//
// A request to score answers to one task, several lines here:
//
//	{"id": 1, "task_id": 7, "completions": ["```python\nx = 1\n```", "x=1"],
//	 "verdict": "guarded", "reward": "binary", "deadline_ms": 2000}
//
// and its reply, with one of its two scores:
//
//	{"id": 1, "scores": [{"reward": 1.0, "official": true, "guarded": "pass", "proof": "tree", "reasons": [],
//	 "findings": 0, "fixed": 1, "left": 0, "introduced": 0, "invalid": false, "empty": false, "noqa": false,
//	 "masked": false, "milliseconds": 0.05, "error": ""}, ...]}
//
// A batch has "items", a list of such objects, and its reply a list of lists. A request to lint has
// "lint": {"code": ...} or {"lint": {"files": {name: text}}}. A request to compare two texts of a
// file has "edit": {"before": ..., "after": ...}.
//
// # Errors
//
// If a request as a whole is invalid, [Decode] returns an error, and there are no scores. An
// invalid item of a batch, or an invalid completion, has a [Fault]. Its score has reward 0 and an
// error that says what was expected; the others are scored as usual. So a reply has a score for
// every completion, and every 0 that was not earned has an error.
//
// # JSON
//
// It is read as Python's json module reads bytes: a byte order mark before it is skipped,
// names are case-sensitive, NaN is a number. But an object with two fields of one name is an
// error: of two lists of completions, one would silently get no scores.
// Half of a surrogate pair is read as U+FFFD, as everywhere here. Bytes that are not
// UTF-8 are an error. Rewards are written with a point, as Python writes a float.
//
// An unknown name is an error of the whole request, and so are contradicting settings: a misspelt
// "verdict" must not silently mean the default.
package api

import (
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/rule"
)

// A Request asks to score items or to lint.
type Request struct {
	ID    []byte // its "id" as it is written; nil without one
	Items []Item // one, unless Batch
	Batch bool   // it has "items", so the reply has a list of scores for each
	Lint  *Lint  // with it there are no Items
}

// An Item has answers to one task.
type Item struct {
	Task        Task
	Completions []Completion
	Verdict     evaluator.Verdict
	Reward      judge.Reward
	OnUnknown   judge.OnUnknown
	Details     bool          // scores have their [Details]
	Deadline    time.Duration // from the arrival of the request; 0: none
	Fault       Fault         // why none of it can be scored; the rest may then be empty
}

// A Completion is a model's answer, or the reason why it cannot be scored.
type Completion struct {
	Text  string
	Fault Fault
}

// A Fault says what was expected and what was found; "" for none.
type Fault string

// A Task is a task, given by its id or in the request. The zero Task means that there is none:
// answers are then linted, and only the guards that need no task apply.
type Task struct {
	ID     task.ID // of a task that is known to the service; "" with Inline
	Inline []byte  // one object of JSON, see [ParseTask]
}

// IsNone reports whether there is no task.
func (t *Task) IsNone() bool { return t.ID == "" && t.Inline == nil }

// A Lint has texts to lint.
type Lint struct {
	Files   []File        // one without a name for "code"
	Single  bool          // it has "code", so the reply has one list
	Options *task.Options // nil: flake8's defaults
	Edit    *Edit         // nil: the files are linted; else the only one is compared with its older text
}

// An Edit is what the new text of a file is compared with.
type Edit struct {
	Before string
	Run    bool // run what the texts leave open
}

// A File is a text with its name, on which pyflakes' findings may depend.
type File struct{ Name, Text string }

// A Reply answers a request. With an Error it has only ID and Line besides.
type Reply struct {
	ID     []byte
	Batch  bool
	Scores [][]Score // for each item, one for each completion, or one for an item with a fault
	Lint   *Findings
	Error  string
	Line   int // of the invalid request, from 1; 0 without lines
}

// A Score is the score of one completion.
type Score struct {
	Reward   float64
	Official bool
	// Guarded is "pass", "fail" or "unknown". It is "", written null, if only the official
	// verdict was asked for.
	Guarded string
	Proof   string   // of a pass: "tree", "runs" or "tests"; "" for none
	Reasons []string // short names for why it does not pass; immutable

	Findings   int // in the code
	Fixed      int // compared with the task's program, see [evaluator.Changes]; 0 if Invalid
	Left       int
	Introduced int

	// Logic is "kept", "lost" or "unknown", also for an answer that does not pass officially, and
	// Tests is "pass", "fail" or "unknown". Both are "", written null, if the reward does not ask.
	// Terms are those of a reward that is a formula, and immutable. Without them none of the three
	// is written.
	Logic, Tests string
	Terms        []evaluator.Term

	Invalid bool // the code is not Python
	Empty   bool // the code does nothing
	Noqa    bool // a comment silences a finding

	// Masked reports whether there is no reward, because of an Error, or because the logic could
	// not be decided and such answers are masked. The reward is then 0.
	Masked bool

	Details *Details // nil unless the item asks for them, and after an Error

	Milliseconds float64 // of work; 0 for a cached verdict
	Error        string  // the error of ours or of the request; the reward is then 0
}

// Details are optional parts of a score. They are immutable.
type Details struct {
	Code     string   // extracted from the completion, and linted
	Findings []byte   // the first findings in the code, in the form of rule.Finding.AppendJSON
	Changes  []Change // in the order of codes
	// Added and Removed count the lines that only the code or only the task's program has,
	// wherever they are.
	Added, Removed int
}

// Size returns about the bytes that the details take in a reply.
func (d *Details) Size() int64 { return int64(len(d.Code) + len(d.Findings) + 64*len(d.Changes)) }

// A Change has the changes of one code's findings, like the sums of a [Score].
type Change struct {
	Code                    rule.Code
	Fixed, Left, Introduced int
}

// Findings are the findings in the files of a [Lint].
type Findings struct {
	Files  []FileFindings // in the order of the request
	Single bool
	Edit   bool // there is one file, and its JSON has the fields of an edit.Result
}

// FileFindings are the findings in one file.
type FileFindings struct {
	Name  string
	Found int    // number of findings
	JSON  []byte // the first findings, a list in the form of rule.Finding.AppendJSON
	Error string // why it was not linted, "" if it was
}
