package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"codelinter/evaluator/dataset"
)

// ours is our own format: a row is a task.
type ours struct{ dataset.Rows }

func (ours) Parse(line dataset.Line) (dataset.Samples, error) { return dataset.ParseSamples(line) }
func (ours) notes() []string                                  { return nil }

// A submission has a task an item, with its outputs in a list of its own:
//
//	{"outputs": [["...", "..."]], "meta": {"id": 7}}
type submission struct{ dataset.Rows }

func (submission) Parse(line dataset.Line) (samples dataset.Samples, err error) {
	var row struct {
		Outputs json.RawMessage `json:"outputs"`
		Meta    *struct {
			ID *dataset.ID `json:"id"`
		} `json:"meta"`
	}
	if err := line.Decode(&row); err != nil {
		return samples, err
	}
	switch {
	case row.Meta == nil:
		return samples, line.Missing("meta", "an object")
	case row.Meta.ID == nil:
		return samples, line.Missing("meta.id", "an integer or a text")
	}
	samples.ID = *row.Meta.ID
	samples.Outputs, err = texts(line, "outputs", row.Outputs)
	return samples, err
}

func (submission) notes() []string { return nil }

// texts reads a list of texts, or of lists of texts, in the order that they
// stand in.
func texts(line dataset.Line, field string, raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, line.Missing(field, "a list of texts")
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, line.Errorf("%s: %v", field, err)
	}
	list, ok := value.([]any)
	if !ok {
		return nil, line.Errorf("%s: expected a list, found %s", field, kind(value))
	}
	outputs := make([]string, 0, len(list))
	for i, item := range list {
		items, nested := item.([]any)
		if !nested {
			items = []any{item}
		}
		for j, item := range items {
			text, ok := item.(string)
			if ok {
				outputs = append(outputs, text)
				continue
			}
			place := fmt.Sprintf("%s[%d]", field, i)
			if nested {
				place += fmt.Sprintf("[%d]", j)
			}
			hint := ""
			if _, scored := item.(float64); scored {
				hint = ", which is no answer of a model but its score: log the run with --predict_only"
			}
			return nil, line.Errorf("%s: expected a text, found %s%s", place, kind(item), hint)
		}
	}
	return outputs, nil
}

// kind says what a JSON value is.
func kind(value any) string {
	switch value.(type) {
	case string:
		return "a text"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "null"
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

func (b *bigCode) Parse(line dataset.Line) (samples dataset.Samples, err error) {
	if !utf8.Valid(line.Text) {
		return samples, line.Errorf("expected UTF-8, found other bytes")
	}
	samples.ID = at(b.tasks, line.Row-1)
	samples.Outputs, err = texts(line, "generations", line.Text)
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

// lmEval is what lm-evaluation-harness logs: for each filter, a line for each
// doc.
//
//	{"doc_id": 0, "doc": {"meta": {"id": 7}}, "resps": [["..."]], "filtered_resps": [["..."]], "filter": "scoring"}
//
// resps is what the model said, whatever the filter. So the lines of a doc repeat
// each other, and the first is as good as any.
type lmEval struct {
	rows    dataset.Rows
	tasks   *dataset.Tasks
	seed    maphash.Seed
	docs    map[dataset.ID]doc
	filters map[filtered]int // the place of each
	repeats int
	places  int // docs without an id of their own
	ids     idMap
}

type doc struct {
	place int
	hash  uint64 // of its resps
}

type filtered struct {
	id     dataset.ID
	filter string
}

func newLMEval(rows dataset.Rows, tasks *dataset.Tasks) *lmEval {
	return &lmEval{
		rows: rows, tasks: tasks, seed: maphash.MakeSeed(),
		docs: map[dataset.ID]doc{}, filters: map[filtered]int{}, ids: idMap{tasks: tasks},
	}
}

func (l *lmEval) Next() (dataset.Line, error) {
	for {
		line, err := l.rows.Next()
		if err != nil {
			return line, err
		}
		row := scan(line.Text)
		id, own, err := l.id(line, row)
		if err != nil || !row.whole {
			return line, nil // Parse will say what is wrong with it
		}
		if !own {
			l.places++
		}
		if _, err := l.ids.find(line, id); err != nil {
			return line, err
		}
		of := filtered{id, string(row.filter)}
		if first := l.filters[of]; first != 0 && len(row.filter) > 0 {
			return line, line.Errorf("doc %s already stands in %s %d with filter %s: expected one %s for each doc and filter",
				id, line.Unit(), first, row.filter, line.Unit())
		}
		l.filters[of] = line.Place()
		hash := maphash.Bytes(l.seed, row.resps)
		first, again := l.docs[id]
		switch {
		case !again:
			l.docs[id] = doc{line.Place(), hash}
			return line, nil
		case first.hash != hash:
			return line, line.Errorf("doc %s has other resps than in %s %d: expected the log of one run", id, line.Unit(), first.place)
		case !json.Valid(line.Text) || !utf8.Valid(line.Text):
			return line, nil
		}
		l.repeats++
	}
}

// A logged is a line of a log by its fields, as they stand there.
type logged struct {
	docID, id, resps, filter []byte
	whole                    bool
}

// scan finds the fields of a line. The doc's id is meta.id, as in the benchmark,
// or its id or task_id.
func scan(text []byte) (row logged) {
	row.whole = eachField(text, func(key string, value []byte) bool {
		switch key {
		case "doc_id":
			row.docID = value
		case "resps":
			row.resps = value
		case "filtered_resps":
			if row.resps == nil {
				row.resps = value
			}
		case "filter":
			row.filter = bytes.Trim(value, `"`)
		case "doc":
			row.id = nil
			eachField(value, func(key string, value []byte) bool {
				switch key {
				case "meta":
					eachField(value, func(key string, value []byte) bool {
						if key == "id" {
							row.id = value
						}
						return true
					})
				case "id", "task_id":
					if row.id == nil {
						row.id = value
					}
				}
				return true
			})
		}
		return true
	})
	return row
}

// id returns the id of a line's doc; own is false if it has none, and doc_id is
// its place among the tasks.
func (l *lmEval) id(line dataset.Line, row logged) (id dataset.ID, own bool, err error) {
	if len(row.id) > 0 && id.UnmarshalJSON(row.id) == nil {
		return id, true, nil
	}
	var place int
	if row.docID == nil {
		return "", false, line.Missing("doc_id", "an integer")
	}
	if json.Unmarshal(row.docID, &place) != nil {
		return "", false, line.Errorf("doc_id: expected an integer, found %.40s", row.docID)
	}
	return at(l.tasks, place), false, nil
}

func (l *lmEval) Parse(line dataset.Line) (samples dataset.Samples, err error) {
	var row struct {
		Resps    json.RawMessage `json:"resps"`
		Filtered json.RawMessage `json:"filtered_resps"`
	}
	if err := line.Decode(&row); err != nil {
		return samples, err
	}
	id, _, err := l.id(line, scan(line.Text))
	if err != nil {
		return samples, err
	}
	samples.ID = resolve(l.tasks, id)
	if len(row.Resps) == 0 && len(row.Filtered) > 0 {
		samples.Outputs, err = texts(line, "filtered_resps", row.Filtered)
	} else {
		samples.Outputs, err = texts(line, "resps", row.Resps)
	}
	return samples, err
}

func (l *lmEval) notes() []string {
	var notes []string
	if l.repeats > 0 {
		notes = append(notes, fmt.Sprintf("lines that repeat a doc's generations for another filter, left out: %d", l.repeats))
	}
	if l.places > 0 {
		notes = append(notes, fmt.Sprintf("docs without an id, whose doc_id is taken as the place of the task, from 0: %d", l.places))
	}
	return append(notes, l.ids.notes()...)
}

// An idMap tells which task an id of another tool means: the one that is called
// so, or the one that the last part names, as in HumanEval/7. No two ids may
// mean the same task.
type idMap struct {
	tasks *dataset.Tasks
	from  map[dataset.ID]dataset.ID // what each task was called, where that is another name
}

// resolve returns the id of the task that id means, or id itself.
func resolve(tasks *dataset.Tasks, id dataset.ID) dataset.ID {
	if _, ok := tasks.Find(id); ok {
		return id
	}
	if slash := strings.LastIndexByte(string(id), '/'); slash >= 0 {
		if _, ok := tasks.Find(id[slash+1:]); ok {
			return id[slash+1:]
		}
	}
	return id
}

func (m *idMap) find(line dataset.Line, id dataset.ID) (dataset.ID, error) {
	task := resolve(m.tasks, id)
	if m.from == nil {
		m.from = map[dataset.ID]dataset.ID{}
	}
	if first, ok := m.from[task]; ok && first != id {
		return task, line.Errorf("id %s means task %s, but so does %s: expected one name for a task", id, task, first)
	}
	m.from[task] = id
	return task, nil
}

func (m *idMap) notes() []string {
	n := 0
	var example dataset.ID
	for task, id := range m.from {
		if task != id {
			if n++; n == 1 || id < example {
				example = id
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("ids that are no task's, but whose last part is and is taken: %d, as %s for task %s", n, example, resolve(m.tasks, example))}
}
