package evaluator

import (
	"io"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// Samples are a model's answers to one task.
type Samples struct {
	ID task.ID
	// Digest is that of the task to which these are answers, see [task.Task.Digest]; "" if the file
	// does not say.
	Digest  string
	Outputs []string
	// Halves counts the outputs with half of a surrogate pair. It is not a character
	// and is read as U+FFFD.
	Halves int
}

// A Row is a row of a file, with its place for errors.
type Row struct {
	File   string
	Line   int   // where the row begins, from 1; 0 in Parquet
	Number int   // number of the row, from 1; 0 in JSONL
	Offset int64 // of Text in the file, after decompression
	Text   []byte
}

// A SampleReader reads a file of samples, task by task. [NewJSONL] reads our own
// format, package formats those of other tools.
type SampleReader interface {
	// Next returns the row of the next task's samples, whose Text is valid until the
	// next call, or io.EOF after the last.
	Next() (Row, error)
	// Parse reads what Next returned, or a copy of it, on any goroutine.
	Parse(Row) (Samples, error)
}

// NewJSONL returns a reader of the samples in r, a task a line. name names r in errors.
//
//	{"id": 7, "outputs": ["```python\nx = 1\n```", "x=1"], "task_digest": "0b5d1c33-8a0f2e61"}
//
// Outputs may also be a list of lists. The digest may be missing.
func NewJSONL(name string, r io.Reader) SampleReader { return jsonl{rows.NewLines(name, r)} }

type jsonl struct{ lines *rows.Lines }

func (j jsonl) Next() (Row, error) {
	row, err := j.lines.Next()
	return Row(row), err
}

func (jsonl) Parse(row Row) (Samples, error) { return ParseSamples(row, "outputs") }

// ParseSamples reads a row with the fields id, outputs and, maybe, task_digest. Outputs are strings
// or lists of strings. field is the name of outputs in errors, as a row may come from another
// format.
func ParseSamples(r Row, field string) (samples Samples, err error) {
	row := rows.Row(r)
	var fields [3][]byte
	if err := row.Select(fields[:], []string{"id", "outputs", "task_digest"}); err != nil {
		return samples, err
	}
	id, outputs, digest := fields[0], fields[1], fields[2]
	if pyjson.Kind(digest) == "a text" {
		samples.Digest, _ = pyjson.Unquote(digest)
	}
	if err = row.ID("id", id, &samples.ID); err != nil {
		return samples, err
	}
	samples.Outputs, samples.Halves, err = row.Texts(field, outputs)
	return samples, err
}
