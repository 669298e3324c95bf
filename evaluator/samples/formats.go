package samples

import (
	"fmt"

	"codelinter/evaluator/dataset"
	"codelinter/evaluator/pyjson"
)

// ours is our own format: a row is a task.
type ours struct{ dataset.Rows }

func (ours) notes() []string { return nil }

func (ours) parse(line dataset.Line) (dataset.Samples, error) { return line.Samples("outputs") }

// ownRow makes a row of our own format, in which outputs may also be a list of
// lists.
func ownRow(dst []byte, id dataset.ID, outputs []byte) []byte {
	dst = append(dst, `{"id":`...)
	dst = pyjson.AppendQuoted(dst, string(id))
	dst = append(dst, `,"outputs":`...)
	dst = append(dst, outputs...)
	return append(dst, '}')
}

// submission has a task an item, with its outputs in a list of its own:
//
//	{"outputs": [["...", "..."]], "meta": {"id": 7}}
type submission struct{ dataset.Rows }

func (submission) parse(line dataset.Line) (samples dataset.Samples, err error) {
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

func (submission) notes() []string { return nil }

// bigCode is a list of texts for each task, in the order of the tasks.
type bigCode struct {
	rows  *dataset.List
	tasks *dataset.Tasks
	n     int // lists so far
}

func (b *bigCode) Next() (dataset.Line, error) {
	line, err := b.rows.Next()
	if err == nil {
		b.n++
	}
	return line, err
}

func (b *bigCode) parse(line dataset.Line) (samples dataset.Samples, err error) {
	if err := line.Check(pyjson.End(line.Text, 0)); err != nil {
		return samples, err
	}
	samples.ID = at(b.tasks, line.Row-1)
	samples.Outputs, samples.Halves, err = line.Texts("generations", line.Text)
	return samples, err
}

// at returns the id of the task in place i, and one that is no task's if there
// are not so many.
func at(tasks *dataset.Tasks, i int) dataset.ID {
	if i < 0 || i >= len(tasks.List) {
		return dataset.ID(fmt.Sprintf("place %d of %d", i+1, len(tasks.List)))
	}
	return tasks.List[i].Meta.ID
}

func (b *bigCode) notes() []string {
	if b.n == len(b.tasks.List) {
		return nil
	}
	return []string{fmt.Sprintf("%d lists of generations for %d tasks: they are taken in the order of the tasks, from the first", b.n, len(b.tasks.List))}
}
