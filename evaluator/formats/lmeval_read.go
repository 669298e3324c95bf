package formats

import (
	"fmt"
	"hash/maphash"
	"strconv"

	"codelinter/evaluator"
	"codelinter/evaluator/rows"
	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
)

// lmEval is what lm-evaluation-harness logs: for each filter, a line for each
// doc.
//
//	{"doc_id": 0, "doc": {"meta": {"id": 7}}, "resps": [["..."]], "filtered_resps": [["..."]], "filter": "scoring"}
//
// resps is what the model said, whatever the filter. So the lines of a doc repeat
// each other, and the first is as good as any. Up to version 0.4.2 a log is a
// list, and its rows do not name their filter.
type lmEval struct {
	rows    rows.Reader
	tasks   *task.Set
	seed    maphash.Seed
	docs    map[task.ID]doc
	filters map[filtered]int // the place of each
	repeats int
	places  int // docs without an id of their own
	ids     idMap
	text    []byte
}

type doc struct {
	place int
	hash  uint64 // of its resps
}

type filtered struct {
	id     task.ID
	filter uint64 // its hash
}

func newLMEval(rows rows.Reader, tasks *task.Set) *lmEval {
	return &lmEval{
		rows: rows, tasks: tasks, seed: maphash.MakeSeed(),
		docs: map[task.ID]doc{}, filters: map[filtered]int{}, ids: idMap{tasks: tasks},
	}
}

// Next returns the first line of each doc, as a row of our own.
func (l *lmEval) Next() (rows.Row, error) {
	for {
		line, err := l.rows.Next()
		if err != nil {
			return line, err
		}
		row, err := readLogged(line)
		if err != nil {
			return line, err
		}
		id, own, err := l.id(line, row)
		if err != nil {
			return line, err
		}
		if !own {
			l.places++
		}
		task, err := l.ids.find(line, id)
		if err != nil {
			return line, err
		}
		if len(row.filter) > 0 {
			of := filtered{id, maphash.Bytes(l.seed, row.filter)}
			if first := l.filters[of]; first != 0 {
				return line, line.Errorf("doc %s already stands in %s %d with filter %.100s: expected one %s for each doc and filter",
					id, line.Unit(), first, row.filter, line.Unit())
			}
			l.filters[of] = line.Place()
		}
		hash := maphash.Bytes(l.seed, row.resps)
		first, again := l.docs[id]
		switch {
		case !again:
			l.docs[id] = doc{line.Place(), hash}
			l.text = ownRow(l.text[:0], task, row.resps)
			line.Text = l.text
			return line, nil
		case first.hash != hash:
			return line, line.Errorf("doc %s has other resps than in %s %d: expected the log of one run", id, line.Unit(), first.place)
		}
		l.repeats++
	}
}

// A logged is a row of a log by its fields, as they stand there.
type logged struct {
	docID, id, resps, filter []byte
}

// readLogged reads a row. The doc's id is meta.id, as in the benchmark, or its id
// or task_id.
func readLogged(line rows.Row) (row logged, err error) {
	fields, err := line.Find("doc_id", "resps", "filtered_resps", "filter", "doc", "arguments")
	if err != nil {
		return row, err
	}
	row.docID, row.resps = fields["doc_id"], fields["resps"]
	if filter := fields["filter"]; pyjson.Kind(filter) == "a text" {
		row.filter = filter[1 : len(filter)-1]
	}
	doc, _ := pyjson.Find(fields["doc"], "meta", "id", "task_id")
	for _, id := range [][]byte{pyjson.Get(doc["meta"], "id"), doc["id"], doc["task_id"]} {
		if row.id == nil && isID(id) {
			row.id = id
		}
	}
	field := "resps"
	if row.resps == nil && fields["filtered_resps"] != nil {
		field, row.resps = "filtered_resps", fields["filtered_resps"]
	}
	if likelihood(row.resps, fields["arguments"]) {
		return row, line.Errorf("%s: expected answers of a model, found likelihoods: the task's output_type must be generate_until", field)
	}
	if row.resps == nil {
		return row, line.Missing(field, "a list of texts")
	}
	return row, nil
}

// isID reports whether a doc's field is an id, or something else that is called so.
func isID(value []byte) bool {
	kind := pyjson.Kind(value)
	return kind == "a text" || kind == "a number"
}

// likelihood reports whether a row is of a task that asks for likelihoods: answers
// are lists then, or the arguments are a context without options.
func likelihood(resps, arguments []byte) bool {
	found := false
	if pyjson.Kind(resps) == "a list" {
		pyjson.Items(resps, func(_ int, item []byte) error {
			if item[0] == '[' {
				pyjson.Items(item, func(_ int, item []byte) error {
					found = found || item[0] == '['
					return nil
				})
			}
			return nil
		})
	}
	// {"gen_args_0": {"arg_0": "context", "arg_1": {"until": []}}}
	pyjson.Fields(arguments, func(_, value []byte) {
		n, options := 0, false
		pyjson.Fields(value, func(_, value []byte) {
			n++
			options = options || value[0] != '"'
		})
		found = found || n > 0 && !options
	})
	return found
}

// id returns the id of a line's doc; own is false if it has none, and doc_id is
// its place among the tasks.
func (l *lmEval) id(line rows.Row, row logged) (id task.ID, own bool, err error) {
	if row.id != nil {
		id, err = line.ID("the doc's id", row.id)
		return id, true, err
	}
	if row.docID == nil {
		return "", false, line.Missing("doc_id", "an integer")
	}
	place, err := strconv.Atoi(string(row.docID))
	if err != nil {
		return "", false, line.Errorf("doc_id: expected an integer, found %.40s", row.docID)
	}
	return at(l.tasks, place), false, nil
}

func (*lmEval) parse(line rows.Row) (evaluator.Samples, error) {
	return evaluator.ParseSamples(line, "resps")
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
