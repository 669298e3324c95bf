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
// Fields beyond these are passed over. Names of fields are exact. [Read] and [Open]
// read a whole file of tasks, [Check] says what is wrong with one, and [Build] makes
// one from MBPP.
package dataset

import (
	"bytes"
	"io"
	"os"
	"slices"

	"codelinter/evaluator/rows"
	"codelinter/evaluator/rows/packed"
	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
)

// Read reads tasks from r, in any [packed.Format], and checks every row. name is the
// file's name in errors, which are of type [*rows.Error].
func Read(name string, r io.Reader) (*task.Set, error) {
	reader, _, err := packed.Open(name, r)
	if err != nil {
		return nil, err
	}
	var tasks []task.Task
	index := map[task.ID]rows.Row{} // without text
	for {
		row, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		t, err := parseTask(row)
		if err != nil {
			return nil, err
		}
		if first, twice := index[t.Meta.ID]; twice {
			return nil, row.Errorf("meta.id %s is already the id of %s %d: expected unique ids", t.Meta.ID, first.Unit(), first.Place())
		}
		row.Text = nil
		index[t.Meta.ID] = row
		tasks = append(tasks, t)
	}
	if len(tasks) == 0 {
		return nil, &rows.Error{File: name, Problem: "expected at least one task, found none"}
	}
	return task.NewSet(tasks)
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

func parseTask(row rows.Row) (t task.Task, err error) {
	fields, err := row.Find("instruction", "inputs", "outputs", "meta")
	if err != nil {
		return t, err
	}
	r := rows.FieldReader{Row: row}
	t.Instruction = r.Text("instruction", fields["instruction"], true)
	inputs := r.Object("inputs", fields["inputs"], "code", "feedback")
	t.Inputs.Code = r.Text("inputs.code", inputs["code"], true)
	t.Inputs.Feedback = r.Text("inputs.feedback", inputs["feedback"], true)
	t.Outputs = bytes.Clone(fields["outputs"])
	rowNames := []string{"task_id", "text", "test_setup_code", "test_list", "challenge_test_list"}
	meta := r.Object("meta", fields["meta"], append(rowNames, "id", "canonical_code", "options", "logic")...)
	t.Meta.ID = r.ID("meta.id", meta["id"], true)
	t.Meta.CanonicalCode = r.Text("meta.canonical_code", meta["canonical_code"], false)
	if slices.ContainsFunc(rowNames, func(name string) bool { return meta[name] != nil }) {
		t.Meta.Row = &task.Row{
			TaskID:            r.ID("meta.task_id", meta["task_id"], false),
			Text:              r.Text("meta.text", meta["text"], false),
			TestSetupCode:     r.Text("meta.test_setup_code", meta["test_setup_code"], false),
			TestList:          r.Texts("meta.test_list", meta["test_list"]),
			ChallengeTestList: r.Texts("meta.challenge_test_list", meta["challenge_test_list"]),
		}
	}
	if options := meta["options"]; r.Err == nil && pyjson.Present(options) {
		t.Meta.Options = new(task.Options)
		if err := t.Meta.Options.UnmarshalJSON(options); err != nil {
			r.Err = row.Errorf("meta.options: %v", err)
		}
	}
	t.Meta.Logic = task.Logic(r.Text("meta.logic", meta["logic"], false))
	if r.Err == nil && t.Meta.Logic != "" && t.Meta.Logic != task.FreeLogic {
		r.Err = row.Errorf("meta.logic: expected %q, found %q", task.FreeLogic, t.Meta.Logic)
	}
	return t, r.Err
}
