package samples

import (
	"fmt"
	"unicode/utf8"

	"codelinter/evaluator/dataset"
)

// ours is our own format: a row is a task.
type ours struct{ dataset.Rows }

func (ours) notes() []string { return nil }

func (ours) parse(line dataset.Line) (samples dataset.Samples, halves int, err error) {
	return parseRow(line, "outputs")
}

// parseRow reads a row of our own format, or one that ownRow made of what was
// called field.
func parseRow(line dataset.Line, field string) (samples dataset.Samples, halves int, err error) {
	var id, outputs []byte
	err = fields(line, func(key, value []byte) {
		switch string(key) {
		case "id":
			id = value
		case "outputs":
			outputs = value
		}
	})
	if err != nil {
		return samples, 0, err
	}
	if samples.ID, err = parseID(line, "id", id); err != nil {
		return samples, 0, err
	}
	samples.Outputs, halves, err = texts(line, field, outputs)
	return samples, halves, err
}

// ownRow makes a row of our own format, in which outputs may also be a list of
// lists.
func ownRow(dst []byte, id dataset.ID, outputs []byte) []byte {
	dst = append(dst, `{"id":`...)
	dst = appendQuoted(dst, []byte(id))
	dst = append(dst, `,"outputs":`...)
	dst = append(dst, outputs...)
	return append(dst, '}')
}

// submission has a task an item, with its outputs in a list of its own:
//
//	{"outputs": [["...", "..."]], "meta": {"id": 7}}
type submission struct{ dataset.Rows }

func (submission) parse(line dataset.Line) (samples dataset.Samples, halves int, err error) {
	var meta, id, outputs []byte
	err = fields(line, func(key, value []byte) {
		switch string(key) {
		case "meta":
			meta = value
		case "outputs":
			outputs = value
		}
	})
	switch {
	case err != nil:
		return samples, 0, err
	case meta == nil || meta[0] != '{':
		return samples, 0, line.Missing("meta", "an object")
	}
	eachField(meta, func(key, value []byte) {
		if string(key) == "id" {
			id = value
		}
	})
	if samples.ID, err = parseID(line, "meta.id", id); err != nil {
		return samples, 0, err
	}
	samples.Outputs, halves, err = texts(line, "outputs", outputs)
	return samples, halves, err
}

func (submission) notes() []string { return nil }

// texts reads a list of texts, or of lists of texts, in the order that they
// stand in. halves is how many of them have half of a character.
func texts(line dataset.Line, field string, raw []byte) (outputs []string, halves int, err error) {
	switch {
	case raw == nil:
		return nil, 0, line.Missing(field, "a list of texts")
	case raw[0] != '[':
		return nil, 0, line.Errorf("%s: expected a list, found %s", field, kind(raw))
	}
	outputs = []string{}
	add := func(item []byte, place func() string) error {
		if item[0] == '"' {
			output, half := unquote(item)
			if half {
				halves++
			}
			outputs = append(outputs, output)
			return nil
		}
		found := kind(item)
		if found == "a number" {
			found += ", which is no answer of a model but its score: log the run with --predict_only"
		}
		return line.Errorf("%s: expected a text, found %s", place(), found)
	}
	err = eachItem(raw, func(i int, item []byte) error {
		if item[0] != '[' {
			return add(item, func() string { return fmt.Sprintf("%s[%d]", field, i) })
		}
		return eachItem(item, func(j int, item []byte) error {
			return add(item, func() string { return fmt.Sprintf("%s[%d][%d]", field, i, j) })
		})
	})
	if err != nil {
		return nil, 0, err
	}
	return outputs, halves, nil
}

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

func (b *bigCode) parse(line dataset.Line) (samples dataset.Samples, halves int, err error) {
	if !utf8.Valid(line.Text) {
		return samples, 0, line.Errorf("expected UTF-8, found other bytes")
	}
	if err := check(line, valueEnd(line.Text, 0)); err != nil {
		return samples, 0, err
	}
	samples.ID = at(b.tasks, line.Row-1)
	samples.Outputs, halves, err = texts(line, "generations", line.Text)
	return samples, halves, err
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
