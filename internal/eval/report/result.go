// Package report shows results: a line of JSON for each task ([Results]), the sums as a table for
// people ([Table]) and as JSON for programs ([Summary]), a page for browsers ([Page]), a
// comparison of two runs ([Compare]), and a ranking of any number ([Leaderboard]). Each shows all
// verdicts of the run.
package report

import (
	"strconv"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
)

// Results encodes the results of a run, a task a line:
//
//	{"id": 7, "n": 2,
//	 "official": {"c": 1, "pass@1": 0.5, "pass@5": null},
//	 "prompt": "4a1c92e6", "lines": 1, "given": {"E225": 1},
//	 "samples": [
//	  {"official": true, "extraction": "closed", "blocks": 1, "python": 1, "bytes": 7,
//	   "fixed": 1, "left": 0, "introduced": 0, "found": 0, "findings": []},
//	  {"official": false, "extraction": "whole", "blocks": 0, "python": 0, "bytes": 4,
//	   "fixed": 0, "left": 1, "introduced": 0, "found": 1, "findings": [
//	    {"code": "E225", "row": 1, "column": 2, "start": 1, "end": 1, "text": "missing whitespace around operator"}]}],
//	 "task_digest": "0b5d1c33-8a0f2e61",
//	 "run": {"model": "m", "created": "2025-01-31T12:00:00Z", "linter": "codelinter 0.1.0 (...)",
//	         "scored_by": ["flake8 7.5.0 on CPython 3.15.2"]}}
//
// "task_digest" is [task.Task.Digest]. "asked" says of a task without samples whether the run asked
// it. pass@k is null if the task has samples, but fewer than k. "prompt" names the template, and
// "lines" is the length of the program. "findings" has the first [evaluator.MaxFindings] findings,
// with their extents as byte offsets in the code; if there are more, "after" counts all by code.
// "adequacy" is the share of the program's mutants that the guarded verdict's calls detect, on
// request. "options" are flake8's options for this task that are not the defaults. "saved" lists
// the leniencies by which a more forgiving extraction would let the sample pass. "empty" is true if
// the code does nothing, and "noqa" if a noqa silences a finding. "encoding" is the encoding in the
// code's cookie, unless it is UTF-8. "run" is omitted if nothing is known about it.
//
// A second verdict, called x here, has an object like "official" with the number of "unknown"
// samples, and of "errors" among these, and in each sample
//
//	"x": "fail", "proof": "runs", "reasons": [{"name": "result", "line": 3, "text": "..."}], "reward": 0
//
// "proof" and "reasons" are omitted if there are none. The reward is null if it is masked. The
// fields of a third verdict are called "y_proof", "y_reasons" and "y_reward".
type Results struct {
	// Texts adds the texts: "task" with the task's "instruction", "code" and "feedback", and
	// "output" in each sample. Pages with texts need such results.
	Texts bool
	// About is written as "run".
	About evaluator.About
}

// An origin is the run of a result.
type origin struct {
	Model   string     `json:"model,omitempty"`
	Created *time.Time `json:"created,omitempty"`
	Linter  string     `json:"linter,omitempty"`
	// References are as in [evaluator.About].
	References []string `json:"scored_by,omitempty"`

	Temperature *float64 `json:"temperature,omitempty"`
}

// newOrigin returns nil if nothing is known. The time is omitted without a model, as it may be
// any file's.
func newOrigin(about evaluator.About) *origin {
	if about.Model == "" && about.Linter == "" && about.References == nil && about.Temperature == nil {
		return nil
	}
	o := &origin{Model: about.Model, Linter: about.Linter, References: about.References, Temperature: about.Temperature}
	if about.Model != "" && about.Created.Unix() > 0 {
		created := about.Created.UTC().Truncate(time.Second)
		o.Created = &created
	}
	return o
}

// A record is a task's result, as this run has it or as a line of results says.
type record struct {
	*evaluator.Result
	line *line // nil for a result of this run
}

// bare reports whether the texts of the task and its samples are missing.
func (r *record) bare() bool { return r.line != nil && r.line.Task == nil }

// message returns the message of a sample's finding. That of a line is there as a text.
func (r *record) message(sample, finding int) string {
	if r.line != nil {
		return r.line.Samples[sample].Findings[finding].Text
	}
	return r.Samples[sample].Findings[finding].Message()
}

// only returns the record with one of its samples.
func (r *record) only(sample int) *record {
	result := *r.Result
	result.Samples = r.Samples[sample : sample+1]
	line := *r.line
	line.Samples = line.Samples[sample : sample+1]
	return &record{&result, &line}
}

// A line is a line of results, without the fields whose names have that of a verdict.
type line struct {
	ID       task.ID          `json:"id"`
	Digest   string           `json:"task_digest"`
	N        int              `json:"n"`
	Asked    *bool            `json:"asked"` // of a task without samples; null in results of earlier versions, which counted it as failed
	Prompt   string           `json:"prompt"`
	Lines    int              `json:"lines"`
	Given    evaluator.Counts `json:"given"`
	Adequacy *float64         `json:"adequacy"`
	Options  *task.Options    `json:"options"`
	Task     *struct {
		Instruction string `json:"instruction"`
		Code        string `json:"code"`
		Feedback    string `json:"feedback"`
	} `json:"task"`
	Samples []answer `json:"samples"`
	Run     *origin  `json:"run"`
}

// An answer is a sample in a line of results.
type answer struct {
	Official   bool     `json:"official"`
	Extraction string   `json:"extraction"`
	Blocks     int      `json:"blocks"`
	Python     int      `json:"python"`
	Bytes      int      `json:"bytes"`
	Fixed      int      `json:"fixed"`
	Left       int      `json:"left"`
	Introduced int      `json:"introduced"`
	Empty      bool     `json:"empty"`
	Noqa       bool     `json:"noqa"`
	Encoding   string   `json:"encoding"`
	Saved      []string `json:"saved"`
	Found      int      `json:"found"`
	Findings   []struct {
		Code   string `json:"code"`
		Row    int32  `json:"row"`
		Column int32  `json:"column"`
		Text   string `json:"text"`
	} `json:"findings"`
	After  evaluator.Counts `json:"after"`
	Output string           `json:"output"`
}

// estimates keep the order of the user's k.
type estimates []evaluator.Estimate

func (e estimates) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, estimate := range e {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendEstimate(dst, estimate)
	}
	return append(dst, '}'), nil
}

// appendEstimate appends pass@k as a field, which is null if it is not known.
func appendEstimate(dst []byte, e evaluator.Estimate) []byte {
	dst = append(dst, `"pass@`...)
	dst = strconv.AppendInt(dst, int64(e.K), 10)
	dst = append(dst, `":`...)
	return append(dst, pyjson.Number(e.Value)...)
}
