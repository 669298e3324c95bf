package formats

import (
	"codelinter/evaluator"
	"codelinter/evaluator/rows"
	"codelinter/internal/pyjson"
)

// A submissionReader reads the benchmark's own file, which has a task an item, with its outputs in a list of its own:
//
//	{"outputs": [["...", "..."]], "meta": {"id": 7}}
type submissionReader struct{ rows.Reader }

func (submissionReader) parse(line rows.Row) (samples evaluator.Samples, err error) {
	row, err := line.Find("meta", "outputs")
	if err != nil {
		return samples, err
	}
	if pyjson.Kind(row["meta"]) != "an object" {
		return samples, line.Missing("meta", "an object")
	}
	if samples.ID, err = line.ID("meta.id", pyjson.Get(row["meta"], "id")); err != nil {
		return samples, err
	}
	samples.Outputs, samples.Halves, err = line.Texts("outputs", row["outputs"])
	return samples, err
}

func (submissionReader) notes() []string { return nil }
