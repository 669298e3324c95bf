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
// Fields beyond these are passed over. [ReadTasks] reads a whole file of tasks
// and [Build] makes one from MBPP; samples may be many, and are parsed a line at
// a time by [ParseSamples], on as many goroutines as the caller likes.
package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
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
	var row struct {
		Instruction *string `json:"instruction"`
		Inputs      *struct {
			Code     *string `json:"code"`
			Feedback *string `json:"feedback"`
		} `json:"inputs"`
		Outputs json.RawMessage `json:"outputs"`
		Meta    *struct {
			ID            *ID             `json:"id"`
			CanonicalCode string          `json:"canonical_code"`
			Options       json.RawMessage `json:"options"`
			*Row
		} `json:"meta"`
	}
	if err := line.Decode(&row); err != nil {
		return task, err
	}
	switch {
	case row.Instruction == nil:
		return task, line.Missing("instruction", "a text")
	case row.Inputs == nil:
		return task, line.Missing("inputs", "an object")
	case row.Inputs.Code == nil:
		return task, line.Missing("inputs.code", "a text")
	case row.Inputs.Feedback == nil:
		return task, line.Missing("inputs.feedback", "a text")
	case row.Meta == nil:
		return task, line.Missing("meta", "an object")
	case row.Meta.ID == nil:
		return task, line.Missing("meta.id", "an integer or a text")
	}
	var options *Settings
	if raw := row.Meta.Options; len(raw) > 0 && string(raw) != "null" {
		options = new(Settings)
		if err := options.UnmarshalJSON(raw); err != nil {
			return task, line.Errorf("meta.options: %v", err)
		}
	}
	return Task{
		Instruction: *row.Instruction,
		Inputs:      Inputs{Code: *row.Inputs.Code, Feedback: *row.Inputs.Feedback},
		Outputs:     row.Outputs,
		Meta:        Meta{ID: *row.Meta.ID, CanonicalCode: row.Meta.CanonicalCode, Options: options, Row: row.Meta.Row},
	}, nil
}

// Samples is what a model gave for one task.
type Samples struct {
	ID      ID
	Outputs []string
}

// Parse reads one line of a file of samples, see [ParseSamples].
func (*Lines) Parse(line Line) (Samples, error) { return ParseSamples(line) }

// ParseSamples reads one line of a file of samples.
func ParseSamples(line Line) (samples Samples, err error) {
	// An output that is null must not pass for an empty answer, which the
	// official rules let pass.
	var row struct {
		ID      *ID       `json:"id"`
		Outputs []*string `json:"outputs"`
	}
	if err := line.Decode(&row); err != nil {
		return samples, err
	}
	switch {
	case row.ID == nil:
		return samples, line.Missing("id", "an integer or a text")
	case row.Outputs == nil:
		return samples, line.Missing("outputs", "a list of texts")
	}
	samples = Samples{ID: *row.ID, Outputs: make([]string, len(row.Outputs))}
	for i, output := range row.Outputs {
		if output == nil {
			return samples, line.Errorf("outputs[%d]: expected a text, found null", i)
		}
		samples.Outputs[i] = *output
	}
	return samples, nil
}

// Decode reads the line's one JSON object into the struct that into points to.
func (l Line) Decode(into any) error {
	if !utf8.Valid(l.Text) {
		return l.Errorf("expected UTF-8, found other bytes")
	}
	if first := l.Text[0]; first != '{' {
		return l.Errorf("expected a JSON object, found %s", brief(l.Text))
	}
	err := json.Unmarshal(l.Text, into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return l.Errorf("expected one whole JSON object, found a fault at byte %d: %v", syntax.Offset, syntax)
	case errors.As(err, &kind):
		return l.wrongType(strings.Replace(kind.Field, "Row.", "", 1), kind) // Go's name of the embedded struct
	}
	return l.Errorf("%v", err)
}

func (l Line) wrongType(field string, err *json.UnmarshalTypeError) error {
	return l.Errorf("%s: expected %s, found %s", field, typeName(err.Type.Kind().String()), found(err.Value))
}

// Missing returns an [*Error] for a field that is not there; kind is what it
// should be.
func (l Line) Missing(field, kind string) error {
	return l.Errorf("field %s is missing: expected %s", field, kind)
}

// typeName says what Go calls by kind as a user of JSON would.
func typeName(kind string) string {
	switch kind {
	case "string":
		return "a text"
	case "slice":
		return "a list"
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	}
	return "an object"
}

// found puts an article before what encoding/json found: "number 12" or "array".
func found(value string) string {
	switch value {
	case "string":
		return "a text"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	}
	return "a " + value
}

// brief shows the start of some JSON.
func brief(data []byte) string {
	const limit = 40
	if len(data) > limit {
		return strconv.Quote(string(data[:limit])) + "…"
	}
	return strconv.Quote(string(data))
}
