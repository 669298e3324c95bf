package formats

import (
	"fmt"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// A bigCodeReader reads generations.json of bigcode-evaluation-harness: a list of texts for each
// task, in the order of the tasks.
type bigCodeReader struct {
	rows  rows.Reader
	tasks *task.Set
	n     int // lists so far
}

func (b *bigCodeReader) Next() (rows.Row, error) {
	row, err := b.rows.Next()
	if err == nil {
		b.n++
	}
	return row, err
}

func (b *bigCodeReader) parse(row rows.Row) (samples evaluator.Samples, err error) {
	if err := row.Check(pyjson.End(row.Text, 0)); err != nil {
		return samples, err
	}
	samples.ID = at(b.tasks, row.Number-1)
	samples.Outputs, samples.Halves, err = row.Texts("generations", row.Text)
	return samples, err
}

// at returns the id of task i, or the id of no task if there are fewer.
func at(tasks *task.Set, i int) task.ID {
	if i < 0 || i >= tasks.Len() {
		return task.ID(fmt.Sprintf("place %d of %d", i+1, tasks.Len()))
	}
	return tasks.At(i).Meta.ID
}

func (b *bigCodeReader) notes() []string {
	if b.n == b.tasks.Len() {
		return nil
	}
	return []string{fmt.Sprintf("%d lists of generations for %d tasks: they are taken in the order of the tasks, from the first", b.n, b.tasks.Len())}
}
