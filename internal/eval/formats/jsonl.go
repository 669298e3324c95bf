package formats

import (
	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// A jsonlReader reads our own format, a row a task.
type jsonlReader struct {
	rows.Reader
	ownRows
}

func (jsonlReader) notes() []string { return nil }

// ownRows parses the rows of a reader that are of our own format.
type ownRows struct{}

func (ownRows) parse(row rows.Row) (evaluator.Samples, error) {
	return evaluator.ParseSamples(evaluator.Row(row), "outputs")
}

// ownRow makes a row of our own format. outputs may also be a list of lists.
func ownRow(dst []byte, id task.ID, outputs []byte) []byte {
	dst = append(dst, `{"id":`...)
	dst = pyjson.AppendQuoted(dst, string(id))
	dst = append(dst, `,"outputs":`...)
	dst = append(dst, outputs...)
	return append(dst, '}')
}
