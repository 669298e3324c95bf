// Package taskrows reads tasks from rows of files and from the bodies of requests.
package taskrows

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/python/pytext"
	"codelinter/internal/rows"
)

// Fields returns the fields of a row that [Parse] asks for.
func Fields() []string { return fieldNames[:] }

// Fields of a row.
const (
	instruction = iota
	inputs
	outputs
	meta
)

var fieldNames = [...]string{instruction: "instruction", inputs: "inputs", outputs: "outputs", meta: "meta"}

// Fields of a row's inputs.
const (
	code = iota
	feedback
)

var inputNames = [...]string{code: "code", feedback: "feedback"}

// Fields of a row's meta. The first five are those of a benchmark's own row.
const (
	taskID = iota
	text
	testSetupCode
	testList
	challengeTestList
	id
	canonicalCode
	options
	logic
	origin
	difficulty
)

var metaNames = [...]string{taskID: "task_id", text: "text", testSetupCode: "test_setup_code", testList: "test_list", challengeTestList: "challenge_test_list",
	id: "id", canonicalCode: "canonical_code", options: "options", logic: "logic", origin: "origin", difficulty: "difficulty"}

// Parse reads a task in the benchmark's fields. If whole is false, only the code is required.
func Parse(row rows.Row, whole bool) (t task.Task, err error) {
	var fields [len(fieldNames)][]byte
	if err := row.Select(fields[:], fieldNames[:]); err != nil {
		return t, err
	}
	r := rows.FieldReader{Row: row}
	t.Instruction = instructions.of(&r, fields[instruction], func() string { return r.Text("instruction", fields[instruction], whole) })
	var in [len(inputNames)][]byte
	r.Select(in[:], "inputs", fields[inputs], true, inputNames[:])
	t.Inputs.Code = r.Text("inputs.code", in[code], true)
	t.Inputs.Feedback = r.Text("inputs.feedback", in[feedback], whole)
	t.Outputs = bytes.Clone(fields[outputs])
	var of [len(metaNames)][]byte
	r.Select(of[:], "meta", fields[meta], whole, metaNames[:])
	r.ID("meta.id", of[id], whole, &t.Meta.ID)
	t.Meta.CanonicalCode = r.Text("meta.canonical_code", of[canonicalCode], false)
	if slices.ContainsFunc(of[:id], func(value []byte) bool { return value != nil }) {
		t.Meta.Row = &task.Row{
			Text:              r.Text("meta.text", of[text], false),
			TestSetupCode:     r.Text("meta.test_setup_code", of[testSetupCode], false),
			TestList:          r.Texts("meta.test_list", of[testList]),
			ChallengeTestList: r.Texts("meta.challenge_test_list", of[challengeTestList]),
		}
		r.ID("meta.task_id", of[taskID], false, &t.Meta.Row.TaskID)
	}
	t.Meta.Options = Options(&r, "meta.options", of[options])
	t.Meta.Logic = Logic(&r, "meta.logic", of[logic])
	t.Meta.Origin = readOrigin(&r, of[origin])
	t.Meta.Difficulty = number(of[difficulty])
	return t, r.Err
}

// readOrigin reads a program's origin. Tasks of other tools may have another kind of origin, which is
// ignored.
func readOrigin(r *rows.FieldReader, value []byte) *task.Origin {
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
	if value == nil {
		return 0 // without the error that strconv would make
	}
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !(math.Abs(n) < 1e9) {
		return 0
	}
	return n
}

// A recent has the values of fields that were read recently, by their texts: the tasks of a file
// mostly share a few instructions and their options. It is safe for concurrent use.
type recent[V any] struct {
	fields [1 << slotBits]atomic.Pointer[field[V]] // by slot
}

type field[V any] struct {
	text  string // as it is written
	value V
}

// recentBytes is the length of a text above which its value is not kept.
const recentBytes = 4 << 10

const slotBits = 7

// slot returns the place of a text in [recent.fields], by its length and some of its words. Two
// texts with one place are read each time, so texts that were made to meet do no other harm.
func slot(text []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15
	hash, view := uint64(len(text)), pytext.View(text)
	for at := 0; at+8 <= len(view); at += max(8, len(view)/16) {
		hash = (hash ^ pytext.WordAt(view, at)) * odd
	}
	for _, c := range text[len(text)&^7:] {
		hash = (hash ^ uint64(c)) * odd
	}
	return hash >> (64 - slotBits)
}

// of returns the value of a field's text, which parse reads unless it is kept.
func (l *recent[V]) of(r *rows.FieldReader, text []byte, parse func() V) V {
	if len(text) == 0 || len(text) > recentBytes {
		return parse()
	}
	at := &l.fields[slot(text)]
	if known := at.Load(); known != nil && r.Err == nil && known.text == string(text) {
		return known.value
	}
	value := parse()
	if r.Err == nil {
		at.Store(&field[V]{string(text), value})
	}
	return value
}

// A scorer sets its linter anew for other options. Options are immutable, so tasks may share them.
var (
	instructions recent[string]
	allOptions   recent[*task.Options]
)

// Options reads optional flake8 options. Equal texts give the same pointer, mostly.
func Options(r *rows.FieldReader, path string, value []byte) *task.Options {
	if r.Err != nil || !pyjson.Present(value) {
		return nil
	}
	return allOptions.of(r, value, func() *task.Options {
		options := new(task.Options)
		if err := options.UnmarshalJSON(value); err != nil {
			r.Err = r.Row.Errorf("%s: %v", path, err)
			return nil
		}
		return options
	})
}

// Logic reads the optional field logic.
func Logic(r *rows.FieldReader, path string, value []byte) task.Logic {
	logic := task.Logic(r.Text(path, value, false))
	if r.Err == nil && logic != "" && logic != task.FreeLogic {
		r.Err = r.Row.Errorf("%s: expected %q, found %q", path, task.FreeLogic, logic)
	}
	return logic
}
