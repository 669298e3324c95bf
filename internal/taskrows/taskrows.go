// Package taskrows reads tasks from rows of files and from the bodies of requests.
package taskrows

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/util/lru"
)

// Fields returns the fields of a row that [Parse] asks for.
func Fields() []string { return fieldNames[:] }

// Names of fields: of a row, of its inputs and of its meta.
var (
	fieldNames = [...]string{"instruction", "inputs", "outputs", "meta"}
	inputNames = [...]string{"code", "feedback"}
	metaNames  = [...]string{"task_id", "text", "test_setup_code", "test_list", "challenge_test_list", "id", "canonical_code", "options", "logic", "origin", "difficulty"}
)

// rowNames is how many of metaNames are those of a benchmark's own row.
const rowNames = 5

// Parse reads a task in the benchmark's fields. If whole is false, only the code is required.
func Parse(row rows.Row, whole bool) (t task.Task, err error) {
	fields, err := row.Find(Fields()...)
	if err != nil {
		return t, err
	}
	r := rows.FieldReader{Row: row}
	t.Instruction = r.Text("instruction", fields["instruction"], whole)
	inputs := r.Object("inputs", fields["inputs"], true, inputNames[:]...)
	t.Inputs.Code = r.Text("inputs.code", inputs["code"], true)
	t.Inputs.Feedback = r.Text("inputs.feedback", inputs["feedback"], whole)
	t.Outputs = bytes.Clone(fields["outputs"])
	meta := r.Object("meta", fields["meta"], whole, metaNames[:]...)
	r.ID("meta.id", meta["id"], whole, &t.Meta.ID)
	t.Meta.CanonicalCode = r.Text("meta.canonical_code", meta["canonical_code"], false)
	if slices.ContainsFunc(metaNames[:rowNames], func(name string) bool { return meta[name] != nil }) {
		t.Meta.Row = &task.Row{
			Text:              r.Text("meta.text", meta["text"], false),
			TestSetupCode:     r.Text("meta.test_setup_code", meta["test_setup_code"], false),
			TestList:          r.Texts("meta.test_list", meta["test_list"]),
			ChallengeTestList: r.Texts("meta.challenge_test_list", meta["challenge_test_list"]),
		}
		r.ID("meta.task_id", meta["task_id"], false, &t.Meta.Row.TaskID)
	}
	t.Meta.Options = Options(&r, "meta.options", meta["options"])
	t.Meta.Logic = Logic(&r, "meta.logic", meta["logic"])
	t.Meta.Origin = origin(&r, meta["origin"])
	t.Meta.Difficulty = number(meta["difficulty"])
	return t, r.Err
}

// origin reads a program's origin. Tasks of other tools may have another kind of origin, which is
// ignored.
func origin(r *rows.FieldReader, value []byte) *task.Origin {
	if !pyjson.Present(value) || pyjson.Kind(value) != "an object" {
		return nil
	}
	fields := r.Object("meta.origin", value, false, "path", "line", "licence")
	return &task.Origin{
		Path:    r.Text("meta.origin.path", fields["path"], false),
		Line:    int(number(fields["line"])),
		Licence: r.Text("meta.origin.licence", fields["licence"], false),
	}
}

// number returns a finite number with at most nine digits before its point, or 0.
func number(value []byte) float64 {
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !(math.Abs(n) < 1e9) {
		return 0
	}
	return n
}

// known has the options that were read, by their text. Most tasks of a file have the same, and
// a scorer sets its linter anew for others. Options are immutable, so tasks may share them.
var known lru.Cache[string, *task.Options]

// knownBytes bounds a generation of known, to a thousand different options.
const (
	knownBytes   = 1 << 20
	optionsBytes = 1 << 10 // of one, without its lists
)

// Options reads optional flake8 options. Equal texts give the same pointer while they are known.
func Options(r *rows.FieldReader, path string, value []byte) *task.Options {
	if r.Err != nil || !pyjson.Present(value) {
		return nil
	}
	options, err := known.Of(knownBytes, string(value), func() (*task.Options, int64, error) {
		options := new(task.Options)
		return options, int64(optionsBytes + 2*len(value)), options.UnmarshalJSON(value)
	})
	if err != nil {
		r.Err = r.Row.Errorf("%s: %v", path, err)
	}
	return options
}

// Logic reads the optional field logic.
func Logic(r *rows.FieldReader, path string, value []byte) task.Logic {
	logic := task.Logic(r.Text(path, value, false))
	if r.Err == nil && logic != "" && logic != task.FreeLogic {
		r.Err = r.Row.Errorf("%s: expected %q, found %q", path, task.FreeLogic, logic)
	}
	return logic
}
