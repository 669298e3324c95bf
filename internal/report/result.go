// Package report shows results: a line of JSON for each task ([Results]), the sums as a table for
// people ([Table]) and as JSON for programs ([Summary]), a page for browsers ([Page]), a
// comparison of two runs ([Compare]), and a ranking of any number ([Leaderboard]). Each shows all
// verdicts of the run.
package report

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
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
//	 "run": {"model": "m", "created": "2025-01-31T12:00:00Z", "linter": "codelinter 0.1.0 (...)",
//	         "scored_by": ["flake8 7.5.0 on CPython 3.15.2"]}}
//
// pass@k is null if the task has samples, but fewer than k. "prompt" names the template, and
// "lines" is the length of the program. "findings" has the first [evaluator.MaxFindings]
// findings, with their extents as byte offsets in the code; if there are more, "after" counts all
// by code. "adequacy" is the share of the program's mutants that the guarded verdict's calls
// detect, on request. "options" are flake8's options for this task that are not the defaults.
// "saved" lists the leniencies by which a more forgiving extraction would let the sample pass.
// "empty" is true if the code does nothing, and "noqa" if a noqa silences a finding. "encoding"
// is the encoding in the code's cookie, unless it is UTF-8. "run" is omitted if nothing is known
// about it.
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

// A record is a line of results.
type record struct {
	head
	rest
	Samples []sample `json:"samples"`
	Run     *origin  `json:"run,omitempty"`

	scores []score // by verdict, the official first
}

type head struct {
	ID task.ID `json:"id"`
	N  int     `json:"n"`
}

// rest has the fields between the scores and the samples.
type rest struct {
	Prompt string           `json:"prompt"`
	Lines  int              `json:"lines"`
	Given  evaluator.Counts `json:"given"`
	// Adequacy is the share of the task's adequacy, or nil.
	Adequacy *float64 `json:"adequacy,omitempty"`
	// Options are the task's own, if it has any.
	Options *task.Options `json:"options,omitempty"`
	Task    *texts        `json:"task,omitempty"`
}

// texts are what the model got.
type texts struct {
	Instruction string `json:"instruction"`
	Code        string `json:"code"`
	Feedback    string `json:"feedback"`
}

type sample struct {
	Official bool `json:"official"`
	details
	others []evaluator.Judgement // those of the other verdicts
}

type details struct {
	Extraction string           `json:"extraction"`
	Blocks     int              `json:"blocks"`
	Python     int              `json:"python"`
	Bytes      int              `json:"bytes"`
	Fixed      int              `json:"fixed"`
	Left       int              `json:"left"`
	Introduced int              `json:"introduced"`
	Empty      bool             `json:"empty,omitempty"`
	Noqa       bool             `json:"noqa,omitempty"`
	Encoding   string           `json:"encoding,omitempty"`
	Saved      []string         `json:"saved,omitempty"`
	Found      int              `json:"found"`
	Findings   []finding        `json:"findings"`
	After      evaluator.Counts `json:"after,omitempty"`
	Output     *string          `json:"output,omitempty"`
}

type finding struct {
	Code   string `json:"code"`
	Row    int32  `json:"row"`
	Column int32  `json:"column"`
	Start  int32  `json:"start"`
	End    int32  `json:"end"`
	Text   string `json:"text"`
}

// newRecord returns r as a record, with its texts if full is set. The record is valid as long as
// r is.
func newRecord(r *evaluator.Result, full bool) record {
	record := record{
		head: head{r.Task.Meta.ID, len(r.Samples)},
		rest: rest{
			Prompt:  r.Task.TemplateName(),
			Lines:   evaluator.Lines(r.Task.Inputs.Code),
			Given:   r.Given,
			Options: r.Task.Meta.Options,
		},
		Samples: make([]sample, len(r.Samples)),
		scores:  make([]score, len(r.Scores)),
	}
	if r.Adequacy != nil {
		share := r.Adequacy.Share()
		record.Adequacy = &share
	}
	if full {
		record.Task = &texts{r.Task.Instruction, r.Task.Inputs.Code, r.Task.Inputs.Feedback}
	}
	for i, from := range r.Scores {
		record.scores[i] = score{verdict: from.Verdict, Passes: from.Passes}
		for _, e := range from.PassAt {
			record.scores[i].values = append(record.scores[i].values, estimate{e.K, e.Value})
		}
	}
	for i := range r.Samples {
		from := &r.Samples[i]
		to := sample{
			Official: from.Official(),
			details: details{
				Extraction: from.Extraction.String(),
				Blocks:     from.Blocks,
				Python:     from.Python,
				Bytes:      from.Bytes,
				Fixed:      from.Fixed,
				Left:       from.Left,
				Introduced: from.Introduced,
				Found:      from.Found,
				Findings:   make([]finding, len(from.Findings)),
				After:      from.After,
				Empty:      from.Empty,
				Noqa:       from.Facts.Silenced,
				Encoding:   from.Facts.Encoding,
				Saved:      from.Saved.Names(),
			},
			others: from.Judgements[1:],
		}
		for j := range from.Findings {
			f := &from.Findings[j]
			to.Findings[j] = finding{f.Code.String(), f.Row, f.Column, f.Start, f.End, f.Message()}
		}
		if full {
			to.Output = &from.Output
		}
		record.Samples[i] = to
	}
	return record
}

// A score is an object with the numbers of samples that pass, and pass@k.
type score struct {
	verdict evaluator.Verdict
	evaluator.Passes
	values estimates
}

// read reads the numbers of samples, and the k from the keys; pass@k follows from the numbers.
func (s *score) read(data []byte) error {
	if pyjson.Kind(data) != "an object" {
		return fmt.Errorf("%s: expected an object", s.verdict)
	}
	var numbers map[string]*float64
	if json.Unmarshal(data, &numbers) != nil {
		return fmt.Errorf("%s: expected numbers and nulls", s.verdict)
	}
	if numbers["c"] == nil {
		return fmt.Errorf("%s.c: expected a number of samples", s.verdict)
	}
	for name, into := range map[string]*int{"c": &s.Passed, "unknown": &s.Unknown, "errors": &s.Errors} {
		if number := numbers[name]; number != nil {
			*into = int(*number)
		}
	}
	pyjson.Fields(data, func(name, _ []byte) {
		if text, ok := strings.CutPrefix(string(name), "pass@"); ok {
			if k, err := strconv.Atoi(text); err == nil && k > 0 {
				s.values = append(s.values, estimate{k: k})
			}
		}
	})
	return nil
}

// estimates keep the order of the user's k.
type estimates []estimate

type estimate struct {
	k     int
	value float64 // NaN: null
}

func (e estimates) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, estimate := range e {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = estimate.append(dst)
	}
	return append(dst, '}'), nil
}

func (e estimate) append(dst []byte) []byte {
	dst = append(dst, `"pass@`...)
	dst = strconv.AppendInt(dst, int64(e.k), 10)
	dst = append(dst, `":`...)
	return append(dst, pyjson.Number(e.value)...)
}
