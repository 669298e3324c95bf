// Package report shows what the evaluator found: a line of JSON for each task
// ([AppendResult]), and the sums as a table for people ([Table]) and as JSON for
// programs ([Summary]).
package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"codelinter/evaluator"
	"codelinter/evaluator/dataset"
	"codelinter/rule"
)

// AppendResult appends one task's result to dst, as one line of JSON:
//
//	{"id": 7, "n": 2,
//	 "official": {"c": 1, "pass@1": 0.5, "pass@5": null},
//	 "samples": [
//	  {"official": true, "extraction": "closed", "blocks": 1, "bytes": 7,
//	   "fixed": 1, "left": 0, "introduced": 0, "found": 0, "findings": []},
//	  {"official": false, "extraction": "whole", "blocks": 0, "bytes": 4,
//	   "fixed": 0, "left": 1, "introduced": 0, "found": 1, "findings": [
//	    {"code": "E225", "row": 1, "column": 2, "text": "missing whitespace around operator"}]}]}
//
// pass@k is null where the task has samples, but fewer than k. "findings" has the
// first [evaluator.MaxFindings] of those found.
func AppendResult(dst []byte, r *evaluator.Result) []byte {
	samples := make([]sample, len(r.Samples))
	for i := range r.Samples {
		from := &r.Samples[i]
		samples[i] = sample{
			Official:   from.Official,
			Extraction: from.Extraction.String(),
			Blocks:     from.Blocks,
			Bytes:      from.Bytes,
			Fixed:      from.Fixed,
			Left:       from.Left,
			Introduced: from.Introduced,
			Found:      from.Found,
			Findings:   make([]finding, len(from.Findings)),
		}
		for j := range from.Findings {
			f := &from.Findings[j]
			samples[i].Findings[j] = finding{rule.Catalog[f.Code].Code, f.Row, f.Column, f.Message()}
		}
	}
	values := make(estimates, 0, len(r.Official.PassAt))
	for _, e := range r.Official.PassAt {
		values = append(values, estimate{e.K, e.Value})
	}
	return appendJSON(dst, struct {
		ID       dataset.ID `json:"id"`
		N        int        `json:"n"`
		Official score      `json:"official"`
		Samples  []sample   `json:"samples"`
	}{r.Task.Meta.ID, len(r.Samples), score{r.Official.Passed, values}, samples})
}

type sample struct {
	Official   bool      `json:"official"`
	Extraction string    `json:"extraction"`
	Blocks     int       `json:"blocks"`
	Bytes      int       `json:"bytes"`
	Fixed      int       `json:"fixed"`
	Left       int       `json:"left"`
	Introduced int       `json:"introduced"`
	Found      int       `json:"found"`
	Findings   []finding `json:"findings"`
}

type finding struct {
	Code   string `json:"code"`
	Row    int32  `json:"row"`
	Column int32  `json:"column"`
	Text   string `json:"text"`
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
		if math.IsNaN(estimate.value) {
			dst = append(dst, "null"...)
		} else {
			dst = strconv.AppendFloat(dst, estimate.value, 'f', -1, 64)
		}
	}
	return dst
}

// appendJSON appends value and a newline, with no HTML escapes.
func appendJSON(dst []byte, value any) []byte {
	buffer := bytes.NewBuffer(dst)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // of types that always encode
	}
	return buffer.Bytes()
}
