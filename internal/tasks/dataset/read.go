// Package dataset reads, checks and makes files of CodeLinterEval's tasks: JSONL, a
// JSON list or Parquet, as text or in gzip.
//
// A task, on several lines here:
//
//	{"instruction": "Fix this.\n{feedback}\n{code}",
//	 "inputs": {"code": "x=1\n", "feedback": "E225: missing whitespace around operator in 1 line"},
//	 "outputs": "",
//	 "meta": {"id": 7, "canonical_code": "x = 1\n"}}
//
// Other fields are ignored. Field names are case-sensitive. [Read] and [Open] read a
// file of tasks, [Check] reports its faults, and [Build] makes one from MBPP.
package dataset

import (
	"io"
	"os"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
	"codelinter/internal/taskrows"
)

// Read reads tasks from r, in any [packed.Format], and checks every row. name is the
// file's name in errors, which are of type [*rows.Error].
func Read(name string, r io.Reader) (*task.Set, error) {
	var tasks []task.Task
	places := map[task.ID]int{} // of the rows
	err := eachTask(name, r, func(row rows.Row, t task.Task) error {
		if first, twice := places[t.Meta.ID]; twice {
			return row.Errorf("meta.id %s is already the id of %s %d: expected unique ids", t.Meta.ID, row.Unit(), first)
		}
		places[t.Meta.ID] = row.Place()
		tasks = append(tasks, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, &rows.Error{File: name, Problem: "expected at least one task, found none"}
	}
	return task.NewSet(tasks)
}

// eachTask calls f for the tasks in r and their rows, until f returns an error.
func eachTask(name string, r io.Reader, f func(rows.Row, task.Task) error) error {
	for row, err := range packed.Rows(name, r, taskrows.Fields()...) {
		if err != nil {
			return err
		}
		t, err := taskrows.Parse(row, true)
		if err != nil {
			return err
		}
		if err := f(row, t); err != nil {
			return err
		}
	}
	return nil
}

// Open reads the file of tasks called path.
func Open(path string) (*task.Set, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &rows.Error{Err: err}
	}
	defer file.Close()
	return Read(path, file)
}
