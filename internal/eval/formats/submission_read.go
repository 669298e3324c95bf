package formats

import (
	"codelinter/evaluator"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// A submissionReader reads the benchmark's own file: an item for each task, whose outputs are in a
// list within a list:
//
//	{"outputs": [["...", "..."]], "meta": {"id": 7}}
type submissionReader struct{ rows.Reader }

func (submissionReader) parse(row rows.Row) (samples evaluator.Samples, err error) {
	fields, err := row.Find("meta", "outputs")
	if err != nil {
		return samples, err
	}
	if pyjson.Kind(fields["meta"]) != "an object" {
		return samples, row.Missing("meta", "an object")
	}
	if err = row.ID("meta.id", pyjson.Get(fields["meta"], "id"), &samples.ID); err != nil {
		return samples, err
	}
	samples.Outputs, samples.Halves, err = row.Texts("outputs", fields["outputs"])
	return samples, err
}

func (submissionReader) notes() []string { return nil }
