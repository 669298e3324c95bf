// Package report shows what the evaluator found: a line of JSON for each task
// ([AppendResult]), the sums as a table for people ([Table]) and as JSON for
// programs ([Summary]), a page for a browser ([Page]), the files that other
// benchmarks' tools read ([LMEval], [Inspect], [Submission]), and two runs beside
// each other ([Compare]).
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
)

// AppendResult appends one task's result to dst, as one line of JSON:
//
//	{"id": 7, "n": 2,
//	 "official": {"c": 1, "pass@1": 0.5, "pass@5": null},
//	 "prompt": "4a1c92e6", "lines": 1, "given": {"E225": 1},
//	 "samples": [
//	  {"official": true, "extraction": "closed", "blocks": 1, "python": 1, "bytes": 7,
//	   "fixed": 1, "left": 0, "introduced": 0, "found": 0, "findings": []},
//	  {"official": false, "extraction": "whole", "blocks": 0, "python": 0, "bytes": 4,
//	   "fixed": 0, "left": 1, "introduced": 0, "found": 1, "findings": [
//	    {"code": "E225", "row": 1, "column": 2, "text": "missing whitespace around operator"}]}]}
//
// pass@k is null where the task has samples, but fewer than k. "prompt" names the
// template and "lines" is the length of the program. "findings" has the first
// [evaluator.MaxFindings] of those found; where these are not all, "after" counts
// all by code. "options" are flake8's for this task, where they are not the
// defaults. "saved" lists what a more forgiving extraction would have let
// pass, if the sample would pass by it, and "noqa" is true where the code has one.
func AppendResult(dst []byte, r *evaluator.Result) []byte {
	record := newRecord(r, false)
	return pyjson.AppendLine(dst, &record)
}

// AppendFullResult is AppendResult with the texts: "task" with the task's
// "instruction", "code" and "feedback", and in each sample the "output". A page
// can be made of these results alone.
func AppendFullResult(dst []byte, r *evaluator.Result) []byte {
	record := newRecord(r, true)
	return pyjson.AppendLine(dst, &record)
}

// A record is a line of results.
type record struct {
	ID       task.ID          `json:"id"`
	N        int              `json:"n"`
	Official score            `json:"official"`
	Prompt   string           `json:"prompt"`
	Lines    int              `json:"lines"`
	Given    evaluator.Counts `json:"given"`
	// Options are the task's own, if it has any.
	Options *task.Options `json:"options,omitempty"`
	Task    *texts        `json:"task,omitempty"`
	Samples []sample      `json:"samples"`
}

// texts are what the model was shown.
type texts struct {
	Instruction string `json:"instruction"`
	Code        string `json:"code"`
	Feedback    string `json:"feedback"`
}

type sample struct {
	Official   bool             `json:"official"`
	Extraction string           `json:"extraction"`
	Blocks     int              `json:"blocks"`
	Python     int              `json:"python"`
	Bytes      int              `json:"bytes"`
	Fixed      int              `json:"fixed"`
	Left       int              `json:"left"`
	Introduced int              `json:"introduced"`
	Noqa       bool             `json:"noqa,omitempty"`
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
	Text   string `json:"text"`
}

// newRecord returns r as a record, with its texts if full. The record is good as
// long as r is.
func newRecord(r *evaluator.Result, full bool) record {
	record := record{
		ID:       r.Task.Meta.ID,
		N:        len(r.Samples),
		Official: score{passed: r.Official.Passed},
		Prompt:   r.Task.TemplateName(),
		Lines:    evaluator.Lines(r.Task.Inputs.Code),
		Given:    r.Given,
		Options:  r.Task.Meta.Options,
		Samples:  make([]sample, len(r.Samples)),
	}
	if full {
		record.Task = &texts{r.Task.Instruction, r.Task.Inputs.Code, r.Task.Inputs.Feedback}
	}
	for _, e := range r.Official.PassAt {
		record.Official.values = append(record.Official.values, estimate{e.K, e.Value})
	}
	for i := range r.Samples {
		from := &r.Samples[i]
		to := sample{
			Official:   from.Official,
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
			Noqa:       from.Noqa,
			Saved:      from.Saved.Names(),
		}
		for j := range from.Findings {
			f := &from.Findings[j]
			to.Findings[j] = finding{f.Code.String(), f.Row, f.Column, f.Message()}
		}
		if full {
			to.Output = &from.Output
		}
		record.Samples[i] = to
	}
	return record
}

// A score is a number of passing samples and pass@k, in one object.
type score struct {
	passed int
	values estimates
}

func (s score) MarshalJSON() ([]byte, error) {
	dst := append([]byte(`{"c":`), strconv.Itoa(s.passed)...)
	if len(s.values) > 0 {
		dst = append(dst, ',')
	}
	return append(s.values.append(dst), '}'), nil
}

// UnmarshalJSON reads the number of passing samples, and from the keys which k
// there are; their values follow from the numbers.
func (s *score) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return fmt.Errorf("official: expected an object")
	}
	*s = score{passed: -1}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		var value *float64
		if err := decoder.Decode(&value); err != nil {
			return fmt.Errorf("official: expected numbers and nulls")
		}
		name, _ := key.(string)
		if name == "c" && value != nil {
			s.passed = int(*value)
		}
		if text, ok := strings.CutPrefix(name, "pass@"); ok {
			if k, err := strconv.Atoi(text); err == nil && k > 0 {
				s.values = append(s.values, estimate{k: k})
			}
		}
	}
	if s.passed < 0 {
		return fmt.Errorf("official.c: expected a number of samples")
	}
	return nil
}

// estimates are pass@k in the order of the user's k, which a map would lose.
type estimates []estimate

type estimate struct {
	k     int
	value float64 // NaN: null
}

func (e estimates) MarshalJSON() ([]byte, error) {
	return append(e.append([]byte{'{'}), '}'), nil
}

func (e estimates) append(dst []byte) []byte {
	for i, estimate := range e {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"pass@`...)
		dst = strconv.AppendInt(dst, int64(estimate.k), 10)
		dst = append(dst, `":`...)
		dst = append(dst, pyjson.Number(estimate.value)...)
	}
	return dst
}
