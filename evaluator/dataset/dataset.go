// Package dataset reads, checks and makes CodeLinterEval's tasks, and reads the
// samples that models gave for them. Both are JSONL, one JSON object a line; tasks
// may also be a JSON list or Parquet.
//
// A task, on several lines here:
//
//	{"instruction": "Fix this.\n{feedback}\n{code}",
//	 "inputs": {"code": "x=1\n", "feedback": "E225: missing whitespace around operator in 1 line"},
//	 "outputs": "",
//	 "meta": {"id": 7, "canonical_code": "x = 1\n"}}
//
// and the samples of it:
//
//	{"id": 7, "outputs": ["```python\nx = 1\n```", "x=1"]}
//
// Fields beyond these are passed over. Names of fields are exact. [ReadTasks] reads a
// whole file of tasks and [Build] makes one from MBPP; samples may be many, and are
// parsed a line at a time by [Line.Samples], on as many goroutines as the caller
// likes.
package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator/pyjson"
)

// A Task is one row of CodeLinterEval, in the benchmark's own fields.
type Task struct {
	// Instruction is the prompt's template: {code} and {feedback} stand for
	// the inputs.
	Instruction string `json:"instruction"`
	Inputs      Inputs `json:"inputs"`
	// Outputs is kept as it was read. The benchmark has text or numbers here
	// and scores without looking at them; Build writes "".
	Outputs json.RawMessage `json:"outputs"`
	Meta    Meta            `json:"meta"`
}

// Inputs is what the model is shown.
type Inputs struct {
	Code     string `json:"code"`     // the program with faults
	Feedback string `json:"feedback"` // what flake8 says of it, see [AppendFeedback]
}

// Meta is what the model is not shown.
type Meta struct {
	ID            ID     `json:"id"`
	CanonicalCode string `json:"canonical_code"`
	// Options are nil for a task under flake8's defaults, as all of the
	// benchmark's are.
	Options *Settings `json:"options,omitempty"`
	// Row is the row the task was made from, without its code; nil if the
	// task has none of its fields.
	*Row
}

// A Row is a row of MBPP. To run its tests: the code, TestSetupCode, and then
// each of TestList.
type Row struct {
	TaskID            ID       `json:"task_id,omitzero"`
	Text              string   `json:"text,omitzero"`
	TestSetupCode     string   `json:"test_setup_code"`
	TestList          []string `json:"test_list,omitzero"`
	ChallengeTestList []string `json:"challenge_test_list,omitzero"`
}

// An ID names a task. It is an integer in the benchmark; other text is taken as
// well, and 7 and "7" are the same ID.
type ID string

// String returns the ID as messages show it: quoted if it is not plain text.
func (id ID) String() string {
	if quoted := strconv.Quote(string(id)); quoted != `"`+string(id)+`"` || strings.TrimSpace(string(id)) == "" {
		return quoted
	}
	return string(id)
}

// MarshalJSON writes integers as numbers, in the one way that JSON has for them,
// and other IDs as text.
func (id ID) MarshalJSON() ([]byte, error) {
	if id.isInteger() {
		return []byte(id), nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // left to the encoder that called us
	err := encoder.Encode(string(id))
	return text.Bytes(), err
}

// UnmarshalJSON takes an integer or a text that is not empty.
func (id *ID) UnmarshalJSON(data []byte) error {
	var text string
	if n := ID(data); n.isInteger() {
		text = string(data)
	} else if data[0] != '"' || json.Unmarshal(data, &text) != nil || text == "" {
		return fmt.Errorf("an id must be an integer or a text, found %s", brief(data))
	}
	*id = ID(text)
	return nil
}

// isInteger tells whether id is written as JSON writes an integer.
func (id ID) isInteger() bool {
	digits := id
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || digits[0] == '0' && len(id) > 1 {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// Tasks is a set of tasks with unique IDs, in the order of their file.
type Tasks struct {
	List  []Task
	index map[ID]int
}

// Find returns the place of the task called id in List.
func (t *Tasks) Find(id ID) (at int, ok bool) {
	at, ok = t.index[id]
	return at, ok
}

// ReadTasks reads tasks from r, in any [Format], and checks every row. name is the
// file's name in errors, which are of type [*Error].
func ReadTasks(name string, r io.Reader) (*Tasks, error) {
	lines, _, err := NewRows(name, r)
	if err != nil {
		return nil, err
	}
	tasks := &Tasks{index: map[ID]int{}}
	var places []int // of each task in the file
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		task, err := parseTask(line)
		if err != nil {
			return nil, err
		}
		if first, twice := tasks.index[task.Meta.ID]; twice {
			return nil, line.Errorf("meta.id %s is already the id of %s %d: expected unique ids", task.Meta.ID, line.Unit(), places[first])
		}
		tasks.index[task.Meta.ID] = len(tasks.List)
		tasks.List = append(tasks.List, task)
		places = append(places, line.Place())
	}
	if len(tasks.List) == 0 {
		return nil, &Error{File: name, Problem: "expected at least one task, found none"}
	}
	return tasks, nil
}

// OpenTasks reads the file of tasks called path.
func OpenTasks(path string) (*Tasks, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &Error{Err: err}
	}
	defer file.Close()
	return ReadTasks(path, file)
}

func parseTask(line Line) (task Task, err error) {
	row, err := line.Find("instruction", "inputs", "outputs", "meta")
	if err != nil {
		return task, err
	}
	r := reader{Line: line}
	task.Instruction = r.text("instruction", row["instruction"], true)
	inputs := r.object("inputs", row["inputs"], "code", "feedback")
	task.Inputs.Code = r.text("inputs.code", inputs["code"], true)
	task.Inputs.Feedback = r.text("inputs.feedback", inputs["feedback"], true)
	task.Outputs = bytes.Clone(row["outputs"])
	rowNames := []string{"task_id", "text", "test_setup_code", "test_list", "challenge_test_list"}
	meta := r.object("meta", row["meta"], append(rowNames, "id", "canonical_code", "options")...)
	task.Meta.ID = r.id("meta.id", meta["id"], true)
	task.Meta.CanonicalCode = r.text("meta.canonical_code", meta["canonical_code"], false)
	if slices.ContainsFunc(rowNames, func(name string) bool { return meta[name] != nil }) {
		task.Meta.Row = &Row{
			TaskID:            r.id("meta.task_id", meta["task_id"], false),
			Text:              r.text("meta.text", meta["text"], false),
			TestSetupCode:     r.text("meta.test_setup_code", meta["test_setup_code"], false),
			TestList:          r.texts("meta.test_list", meta["test_list"]),
			ChallengeTestList: r.texts("meta.challenge_test_list", meta["challenge_test_list"]),
		}
	}
	if options := meta["options"]; r.err == nil && pyjson.Present(options) {
		task.Meta.Options = new(Settings)
		if err := task.Meta.Options.UnmarshalJSON(options); err != nil {
			r.err = line.Errorf("meta.options: %v", err)
		}
	}
	return task, r.err
}

// Samples is what a model gave for one task.
type Samples struct {
	ID      ID
	Outputs []string
	// Halves counts the outputs with half of a surrogate pair, which is no
	// character and was read as U+FFFD.
	Halves int
}

// Parse reads a line of a file of samples, see [Line.Samples].
func (*Lines) Parse(line Line) (Samples, error) { return line.Samples("outputs") }

// Samples reads a line of samples, in which outputs are texts or lists of texts.
// field is what they are called in errors: a line may have been made of another.
func (l Line) Samples(field string) (samples Samples, err error) {
	row, err := l.Find("id", "outputs")
	if err != nil {
		return samples, err
	}
	if samples.ID, err = l.ID("id", row["id"]); err != nil {
		return samples, err
	}
	samples.Outputs, samples.Halves, err = l.Texts(field, row["outputs"])
	return samples, err
}

// Texts reads a list of texts, or of lists of texts, in the order that they stand
// in; field is what it is called in errors, and nil is missing. halves is as in
// [Samples].
func (l Line) Texts(field string, value []byte) (texts []string, halves int, err error) {
	switch {
	case value == nil:
		return nil, 0, l.Missing(field, "a list of texts")
	case value[0] != '[':
		return nil, 0, l.Errorf("%s: expected a list, found %s", field, pyjson.Kind(value))
	}
	texts = []string{}
	add := func(item []byte, place func() string) error {
		if item[0] == '"' {
			text, half := pyjson.Unquote(item)
			if half {
				halves++
			}
			texts = append(texts, text)
			return nil
		}
		// null must not pass for an empty answer, which the official rules let
		// pass.
		found := pyjson.Kind(item)
		if found == "a number" {
			found += ", which is no answer of a model but its score: log the run with --predict_only"
		}
		return l.Errorf("%s: expected a text, found %s", place(), found)
	}
	err = pyjson.Items(value, func(i int, item []byte) error {
		if item[0] != '[' {
			return add(item, func() string { return fmt.Sprintf("%s[%d]", field, i) })
		}
		return pyjson.Items(item, func(j int, item []byte) error {
			return add(item, func() string { return fmt.Sprintf("%s[%d][%d]", field, i, j) })
		})
	})
	if err != nil {
		return nil, 0, err
	}
	return texts, halves, nil
}
