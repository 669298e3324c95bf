package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"codelinter/evaluator"
	"codelinter/evaluator/guarded"
	"codelinter/evaluator/rows"
	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
)

// Bounds on a request, beside that of its length, which the server keeps.
const (
	MaxID    = 4096 // bytes of an id, which is kept until the reply
	MaxItems = 1 << 20
	MaxFiles = 1 << 16
)

// Defaults are the settings of an item that has none of its own. The zero Defaults are
// the guarded verdict, a binary reward and no deadline.
type Defaults struct {
	Verdict  evaluator.Verdict // "": guarded
	Reward   guarded.Reward
	Deadline time.Duration
}

// An Error is a fault in a request as a whole.
type Error struct {
	Offset  int // in bytes, where JSON is at fault; 0 otherwise
	Problem string
}

// Error returns what was expected and what was found.
func (e *Error) Error() string { return e.Problem }

func errorf(format string, args ...any) error { return &Error{Problem: fmt.Sprintf(format, args...)} }

// Decode reads a request, which shares no memory with text. With an error, which is
// an [*Error], the request has its ID if that could be read.
func Decode(text []byte, defaults Defaults) (request Request, err error) {
	var f fields
	if err := ReadObject(text, f.field); err != nil {
		return Request{ID: f.goodID()}, err
	}
	request.ID = f.goodID()
	if request.ID == nil && f.id != nil {
		return request, errorf("id: expected JSON of %d bytes at most", MaxID)
	}
	if defaults.Verdict == "" {
		defaults.Verdict = evaluator.Guarded
	}
	if pyjson.Present(f.lint) {
		request.Lint, err = decodeLint(f.lint)
		return request, err
	}
	if !pyjson.Present(f.items) {
		if !pyjson.Present(f.completions) && !pyjson.Present(f.completion) {
			return request, errorf(`expected an object with "completions", "items" or "lint"%s`, f.found())
		}
		item := decodeItem(&f, defaults)
		request.Items = []Item{item}
		return request, nil
	}
	if fault := defaults.read(&f); fault != "" {
		return request, errorf("%s", fault)
	}
	if f.items[0] != '[' {
		return request, errorf("items: expected a list, found %s", pyjson.Kind(f.items))
	}
	request.Batch = true
	request.Items = []Item{}
	err = pyjson.Each(f.items, func(i int, rest []byte) (end int, err error) {
		if i == MaxItems {
			return 0, errorf("items: expected %d at most", MaxItems)
		}
		if rest[0] != '{' {
			request.Items = append(request.Items, Item{Verdict: defaults.Verdict, Fault: Fault(fmt.Sprintf("items[%d]: expected an object, found %s", i, pyjson.Kind(rest)))})
			return pyjson.End(rest, 0), nil
		}
		var f fields
		end = pyjson.Fields(rest, f.field)
		item := decodeItem(&f, defaults)
		if item.Fault != "" {
			item.Fault = Fault(fmt.Sprintf("items[%d]: %s", i, item.Fault))
		}
		request.Items = append(request.Items, item)
		return end, nil
	})
	return request, err
}

// DecodeLint reads a request that can only be one to lint: the value of "lint" in other
// requests may be the whole request.
//
//	{"code": "import os\n", "options": {"max-complexity": 5}}
func DecodeLint(text []byte) (request Request, err error) {
	var f fields
	if err := ReadObject(text, f.field); err != nil {
		return Request{ID: f.goodID()}, err
	}
	request.ID = f.goodID()
	if f.lint == nil {
		f.lint = bytes.Trim(text, pyjson.Blanks)
	}
	request.Lint, err = decodeLint(f.lint)
	return request, err
}

// fields are those of a request or of an item, as they stand in it; nil if they are
// not there.
type fields struct {
	id, items, lint                    []byte
	task, taskID                       []byte
	completion, completions            []byte
	verdict, reward, deadline, unknown []byte
}

// field is for [pyjson.Fields]. Of fields with one name the last counts.
func (f *fields) field(name, value []byte) {
	switch string(name) {
	case "id":
		f.id = value
	case "items":
		f.items = value
	case "lint":
		f.lint = value
	case "task":
		f.task = value
	case "task_id":
		f.taskID = value
	case "completion":
		f.completion = value
	case "completions":
		f.completions = value
	case "verdict":
		f.verdict = value
	case "reward":
		f.reward = value
	case "deadline_ms":
		f.deadline = value
	default:
		if f.unknown == nil {
			f.unknown = append([]byte{}, name...)
		}
	}
}

// found names an unknown field, which may be a misspelt one.
func (f *fields) found() string {
	if f.unknown == nil {
		return ""
	}
	return ", found " + pyjson.Brief(f.unknown)
}

// goodID returns a copy of the id, or nil if it is too long or JSON only to Python.
func (f *fields) goodID() []byte {
	if f.id == nil || len(f.id) > MaxID || !json.Valid(f.id) {
		return nil
	}
	return bytes.Clone(f.id)
}

// ReadObject calls field for the fields of text, which is to be one JSON object. The
// names and values are valid as long as text is; with an error, which is an [*Error],
// the last value may be nil.
func ReadObject(text []byte, field func(name, value []byte)) error {
	const blanks = pyjson.Blanks
	start := len(text) - len(bytes.TrimLeft(text, blanks))
	text = bytes.TrimRight(text, blanks)[min(start, len(bytes.TrimRight(text, blanks))):]
	switch {
	case len(text) == 0:
		return errorf("expected a JSON object, found nothing")
	case !utf8.Valid(text):
		return errorf("expected UTF-8, found other bytes")
	case text[0] != '{':
		return errorf("expected a JSON object, found %s", pyjson.Brief(text))
	}
	end := pyjson.Fields(text, field)
	switch {
	case end == len(text):
		return nil
	case end == pyjson.TooDeep:
		return errorf("expected JSON nested %d deep at most", pyjson.MaxDepth)
	case end < 0:
		end = ^end
	}
	if end == len(text) {
		return &Error{start + end, fmt.Sprintf("expected one whole JSON object, found its end missing at byte %d", start+end)}
	}
	found, _ := utf8.DecodeRune(text[end:])
	return &Error{start + end, fmt.Sprintf("expected one whole JSON object, found %q at byte %d", found, start+end+1)}
}

// read reads what the fields say in place of the defaults.
func (d *Defaults) read(f *fields) Fault {
	if pyjson.Present(f.verdict) {
		verdict, ok := text(f.verdict)
		if d.Verdict = evaluator.Verdict(verdict); !ok || d.Verdict != evaluator.Official && d.Verdict != evaluator.Guarded {
			return Fault(fmt.Sprintf(`verdict: expected "guarded" or "official", found %.40s`, f.verdict))
		}
	}
	if pyjson.Present(f.reward) {
		name, ok := text(f.reward)
		reward, err := guarded.ParseReward(name)
		if !ok || err != nil {
			return Fault(fmt.Sprintf(`reward: expected "binary" or "shaped", found %.40s`, f.reward))
		}
		d.Reward = reward
	}
	if pyjson.Present(f.deadline) {
		// Python's clients write 1500.0 for 1.5 * 1000.
		ms, err := strconv.ParseFloat(string(f.deadline), 64)
		if pyjson.Kind(f.deadline) != "a number" || err != nil || !(ms > 0) || math.IsInf(ms, 0) {
			return Fault(fmt.Sprintf("deadline_ms: expected a number above 0, found %.40s", f.deadline))
		}
		d.Deadline = time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	}
	return ""
}

// text reads a text; ok is false for anything else.
func text(value []byte) (text string, ok bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	text, _ = pyjson.Unquote(value)
	return text, true
}

// decodeItem reads an item. What is wrong with it is its Fault.
func decodeItem(f *fields, defaults Defaults) (item Item) {
	item.Fault = defaults.read(f)
	item.Verdict, item.Reward, item.Deadline = defaults.Verdict, defaults.Reward, defaults.Deadline
	if item.Verdict == evaluator.Official {
		item.Reward = guarded.Binary // there is no other
	}
	fault := func(format string, args ...any) {
		if item.Fault == "" {
			item.Fault = Fault(fmt.Sprintf(format, args...))
		}
	}
	switch {
	case pyjson.Present(f.completions) && f.completions[0] != '[':
		fault("completions: expected a list of texts, found %s", pyjson.Kind(f.completions))
	case pyjson.Present(f.completions):
		item.Completions = decodeCompletions(f.completions)
	case pyjson.Present(f.completion):
		item.Completions = []Completion{decodeCompletion("completion", -1, f.completion)}
	default:
		fault(`expected "completions", a list of texts%s`, f.found())
	}
	var err error
	if pyjson.Present(f.task) {
		item.Task, err = DecodeTask(f.task)
	} else if pyjson.Present(f.taskID) {
		err = item.Task.ID.UnmarshalJSON(f.taskID)
		if err != nil {
			err = errorf("task_id: expected an integer or a text, found %.40s", f.taskID)
		}
	}
	if err != nil {
		fault("%v", err)
	}
	return item
}

// decodeCompletions reads a list. One of texts alone, as nearly all are, is looked
// through once.
func decodeCompletions(list []byte) (all []Completion) {
	if texts, _, ok := pyjson.Texts(list, 1); ok {
		if len(texts) > 0 { // no list for none, as below
			all = make([]Completion, len(texts))
		}
		for i, text := range texts {
			all[i].Text = text
		}
		return all
	}
	pyjson.Items(list, func(i int, value []byte) error {
		all = append(all, decodeCompletion("completions", i, value))
		return nil
	})
	return all
}

func decodeCompletion(field string, i int, value []byte) (c Completion) {
	var ok bool
	if c.Text, ok = text(value); !ok {
		// null is not an empty answer, which passes by the official rules.
		if i >= 0 {
			field = fmt.Sprintf("%s[%d]", field, i)
		}
		c.Fault = Fault(fmt.Sprintf("%s: expected a text, found %s", field, pyjson.Kind(value)))
	}
	return c
}

// DecodeTask reads what names a task: an object, or a text of JSON that has one, is
// the task; an integer or any other text is its id. [ParseTask] checks
// whether the object is a task.
func DecodeTask(value []byte) (t Task, err error) {
	switch pyjson.Kind(value) {
	case "an object":
		t.Inline = bytes.Clone(value)
		return t, nil
	case "a text":
		inside, _ := text(value)
		if trimmed := bytes.Trim([]byte(inside), pyjson.Blanks); len(trimmed) > 0 && trimmed[0] == '{' {
			if end := pyjson.End(trimmed, 0); end != len(trimmed) {
				return t, errorf("task: expected a JSON object in the text, found %s", pyjson.Brief(trimmed))
			}
			t.Inline = trimmed
			return t, nil
		}
	}
	if t.ID.UnmarshalJSON(value) != nil {
		return t, errorf("task: expected an object, or an integer or a text for an id, found %.40s", value)
	}
	return t, nil
}

// ParseTask reads a task that came inline. It is a row of a file of tasks, of which
// "inputs" with the "code" must be there, or, shorter,
//
//	{"id": 7, "program": "x=1\n", "canonical": "x = 1\n", "tests": ["assert x == 1"], "setup": "",
//	 "options": {"max-complexity": 5}, "logic": "free"}
//
// of which only the program must be there.
func ParseTask(text []byte) (*task.Task, error) {
	row := rows.Row{Text: text}
	f, err := row.Find("program", "id", "canonical", "tests", "setup", "options", "logic")
	if err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	if !pyjson.Present(f["program"]) {
		t, err := rows.ParseTask(row, false)
		if err != nil {
			return nil, fmt.Errorf("task: %w", err)
		}
		return &t, nil
	}
	r := rows.FieldReader{Row: row}
	t := &task.Task{}
	t.Meta.ID = r.ID("id", f["id"], false)
	t.Inputs.Code = r.Text("program", f["program"], true)
	t.Meta.CanonicalCode = r.Text("canonical", f["canonical"], false)
	if pyjson.Present(f["tests"]) || pyjson.Present(f["setup"]) {
		t.Meta.Row = &task.Row{TestSetupCode: r.Text("setup", f["setup"], false), TestList: r.Texts("tests", f["tests"])}
	}
	t.Meta.Options = r.Options("options", f["options"])
	t.Meta.Logic = r.Logic("logic", f["logic"])
	if r.Err != nil {
		return nil, fmt.Errorf("task: %w", r.Err)
	}
	return t, nil
}

// decodeLint reads the value of "lint".
func decodeLint(value []byte) (*Lint, error) {
	if value[0] != '{' {
		return nil, errorf("lint: expected an object, found %s", pyjson.Kind(value))
	}
	f, _ := pyjson.Find(value, "code", "files", "options")
	l := &Lint{}
	if options := f["options"]; pyjson.Present(options) {
		l.Options = new(task.Options)
		if err := l.Options.UnmarshalJSON(options); err != nil {
			return nil, errorf("lint.options: %v", err)
		}
	}
	code, files := f["code"], f["files"]
	switch {
	case pyjson.Present(code):
		text, ok := text(code)
		if !ok {
			return nil, errorf("lint.code: expected a text, found %s", pyjson.Kind(code))
		}
		l.Single, l.Files = true, []File{{Text: text}}
	case !pyjson.Present(files):
		return nil, errorf(`lint: expected "code" or "files"`)
	case files[0] != '{':
		return nil, errorf("lint.files: expected an object, found %s", pyjson.Kind(files))
	default:
		var err error
		pyjson.Fields(files, func(name, value []byte) {
			code, ok := text(value)
			switch {
			case err != nil:
			case !ok:
				err = errorf("lint.files: %s: expected a text, found %s", pyjson.Brief(name), pyjson.Kind(value))
			case len(l.Files) == MaxFiles:
				err = errorf("lint.files: expected %d at most", MaxFiles)
			}
			l.Files = append(l.Files, File{string(name), code})
		})
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}
