package formats

import (
	"errors"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// lmEval reads a log of lm-evaluation-harness: a line for each doc and filter.
//
//	{"doc_id": 0, "doc": {"meta": {"id": 7}}, "resps": [["..."]], "filtered_resps": [["..."]], "filter": "scoring"}
//
// resps is the model's answer, the same for each filter. So the lines of a doc
// repeat it, and the first counts. Up to version 0.4.2 a log is a list whose rows
// do not name their filter.
type lmEval struct {
	rows    rows.Reader
	tasks   *task.Set
	seed    maphash.Seed
	docs    map[task.ID]doc
	filters map[filtered]int // the place of each row
	repeats int
	places  int // docs without an id
	ids     idMap
	text    []byte
}

type doc struct {
	place int
	hash  uint64 // of the resps
}

type filtered struct {
	id     task.ID
	filter uint64 // hash of its name
}

func newLMEval(rows rows.Reader, tasks *task.Set) *lmEval {
	return &lmEval{
		rows: rows, tasks: tasks, seed: maphash.MakeSeed(),
		docs: map[task.ID]doc{}, filters: map[filtered]int{}, ids: idMap{tasks: tasks},
	}
}

// Next returns the first line of each doc, as a row of our own format.
func (l *lmEval) Next() (rows.Row, error) {
	for {
		row, err := l.rows.Next()
		if err != nil {
			return row, err
		}
		entry, err := readLogged(row)
		if err != nil {
			return row, err
		}
		id, own, err := l.id(row, entry)
		if err != nil {
			return row, err
		}
		if !own {
			l.places++
		}
		task, err := l.ids.find(row, id)
		if err != nil {
			return row, err
		}
		if len(entry.filter) > 0 {
			of := filtered{id, maphash.Bytes(l.seed, entry.filter)}
			if first := l.filters[of]; first != 0 {
				return row, row.Errorf("doc %s already stands in %s %d with filter %.100s: expected one %s for each doc and filter",
					id, row.Unit(), first, entry.filter, row.Unit())
			}
			l.filters[of] = row.Place()
		}
		hash := maphash.Bytes(l.seed, entry.resps)
		first, again := l.docs[id]
		switch {
		case !again:
			l.docs[id] = doc{row.Place(), hash}
			l.text = ownRow(l.text[:0], task, entry.resps)
			row.Text = l.text
			return row, nil
		case first.hash != hash:
			return row, row.Errorf("doc %s has other resps than in %s %d: expected the log of one run", id, row.Unit(), first.place)
		}
		l.repeats++
	}
}

// A logged has the fields of a row, as they are written.
type logged struct {
	docID, id, resps, filter []byte
}

// readLogged reads a row. The doc's id is its meta.id, as in the benchmark, its id
// or its task_id.
func readLogged(row rows.Row) (entry logged, err error) {
	fields, err := row.Find("doc_id", "resps", "filtered_resps", "filter", "doc", "arguments")
	if err != nil {
		return entry, err
	}
	entry.docID, entry.resps = fields["doc_id"], fields["resps"]
	if filter := fields["filter"]; pyjson.Kind(filter) == "a text" {
		entry.filter = filter[1 : len(filter)-1]
	}
	doc, _ := pyjson.Find(fields["doc"], "meta", "id", "task_id")
	for _, id := range [][]byte{pyjson.Get(doc["meta"], "id"), doc["id"], doc["task_id"]} {
		if entry.id == nil && isID(id) {
			entry.id = id
		}
	}
	field := "resps"
	if entry.resps == nil && fields["filtered_resps"] != nil {
		field, entry.resps = "filtered_resps", fields["filtered_resps"]
	}
	if likelihood(entry.resps, fields["arguments"]) {
		return entry, row.Errorf("%s: expected answers of a model, found likelihoods: the task's output_type must be generate_until", field)
	}
	if entry.resps == nil {
		return entry, row.Missing(field, "a list of texts")
	}
	return entry, nil
}

// isID reports whether a doc's field has the kind of an id.
func isID(value []byte) bool {
	kind := pyjson.Kind(value)
	return kind == "a text" || kind == "a number"
}

// likelihood reports whether a row's task asks for likelihoods: its answers are
// lists, or its arguments are a context without options.
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

// id returns the id of a line's doc. If the doc has none, own is false and doc_id
// is its index among the tasks.
func (l *lmEval) id(row rows.Row, entry logged) (id task.ID, own bool, err error) {
	if entry.id != nil {
		err = row.ID("the doc's id", entry.id, &id)
		return id, true, err
	}
	if entry.docID == nil {
		return "", false, row.Missing("doc_id", "an integer")
	}
	place, err := strconv.Atoi(string(entry.docID))
	if err != nil {
		return "", false, row.Errorf("doc_id: expected an integer, found %.40s", entry.docID)
	}
	return at(l.tasks, place), false, nil
}

// predictOnly says how a log gets answers in place of scores.
const predictOnly = "log the run with --predict_only"

func (*lmEval) parse(row rows.Row) (evaluator.Samples, error) {
	samples, err := evaluator.ParseSamples(evaluator.Row(row), "resps")
	if fault := (*rows.Error)(nil); errors.As(err, &fault) && strings.HasSuffix(fault.Problem, "found a number") {
		fault.Problem += ", which is no answer of a model but its score: " + predictOnly
	}
	return samples, err
}

func (l *lmEval) notes() []string {
	return slices.Concat(
		numbered("lines that repeat a doc's generations for another filter, left out: %d", l.repeats),
		numbered("docs without an id, whose doc_id is taken as the place of the task, from 0: %d", l.places),
		l.ids.notes())
}
