package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/taskrows"
	"codelinter/internal/util/didyoumean"
)

// Bounds on a request, besides its length, which the server bounds.
const (
	MaxID      = 4096     // bytes of an id, the request's or a task's
	MaxName    = 4096     // bytes of a file's name, which the reply has three times
	MaxTask    = 4 << 20  // bytes of JSON of a task that comes inline
	MaxOptions = 64 << 10 // bytes of JSON of flake8's options
)

// DefaultMaxAnswers is the default bound on the answers of a request. Each takes a
// kilobyte besides its text, and an empty one takes three bytes of a request.
const DefaultMaxAnswers = 1 << 17

// Defaults are the settings of an item that has none of its own, and the bound on a
// request. The zero Defaults are the guarded verdict, a binary reward and no deadline.
type Defaults struct {
	Verdict  evaluator.Verdict // "": guarded
	Reward   judge.Reward
	Deadline time.Duration
	// OnUnknown is the reward if it is unknown whether the logic is kept.
	OnUnknown judge.OnUnknown
	Details   bool

	MaxAnswers int // completions, items or files of a request; 0: [DefaultMaxAnswers]
}

// Count returns an error if a request has too many answers.
func (d *Defaults) Count(answers int) error {
	most := d.MaxAnswers
	if most <= 0 {
		most = DefaultMaxAnswers
	}
	if answers <= most {
		return nil
	}
	return &Error{Problem: fmt.Sprintf("expected %d answers or files at most in a request, found more", most), TooLarge: true}
}

// An Error is an error in a request as a whole.
type Error struct {
	Offset   int // in bytes, of an error in JSON; else 0
	Problem  string
	TooLarge bool // it is refused for its size, though it may be valid
}

// Error returns what was expected and what was found.
func (e *Error) Error() string { return e.Problem }

func errorf(format string, args ...any) error { return &Error{Problem: fmt.Sprintf(format, args...)} }

// longestFault bounds the text of a Fault, as replies repeat it for each answer.
const longestFault = 500

// Faultf returns a Fault, cut to a bounded length.
func Faultf(format string, args ...any) Fault {
	text := fmt.Sprintf(format, args...)
	if len(text) > longestFault {
		text = strings.ToValidUTF8(text[:longestFault], "") + "…"
	}
	return Fault(text)
}

// UnknownKey is the error for an unknown key of an object: a misspelt setting must not
// mean the default. where names the object, "" for the request.
func UnknownKey(where, name string, known []string) error {
	if where != "" {
		where += ": "
	}
	if meant := didyoumean.Option(name, known...); meant != "" {
		return errorf("%sunknown key %s: did you mean %q?", where, pyjson.Brief([]byte(name)), meant)
	}
	return errorf("%sunknown key %s: expected one of %s", where, pyjson.Brief([]byte(name)), strings.Join(known, ", "))
}

// Decode reads a request, which shares no memory with text. The error is an [*Error]; the
// request then still has its ID if that is readable.
func Decode(text []byte, defaults Defaults) (request Request, err error) {
	f := newFields(requestKeys)
	if request.ID, err = f.read(text); err != nil {
		return request, err
	}
	if defaults.Verdict == "" {
		defaults.Verdict = evaluator.Guarded
	}
	d := decoder{defaults: defaults}
	switch {
	case f.has("lint"):
		if err := f.only("", "id", "lint"); err != nil {
			return request, err
		}
		request.Lint, err = d.lint("lint", f.values["lint"])
		return request, err
	case f.has("edit"):
		if err := f.only("", "id", "edit"); err != nil {
			return request, err
		}
		request.Lint, err = d.edit("edit", f.values["edit"])
		return request, err
	case !f.has("items"):
		if err := f.only("", requestKeys...); err != nil {
			return request, err
		}
		if !f.has("completions") && f.values["completion"] == nil {
			return request, errorf(`expected an object with "completions", "items", "lint" or "edit"`)
		}
		item, err := d.item("", f)
		request.Items = []Item{item}
		return request, err
	}
	if err := f.only("", batchKeys...); err != nil {
		return request, err
	}
	if err := d.defaults.read(f); err != nil {
		return request, err
	}
	request.Batch = true
	request.Items, err = d.items(f.values["items"])
	return request, err
}

// items reads the items of a batch.
func (d *decoder) items(list []byte) ([]Item, error) {
	if list[0] != '[' {
		return nil, errorf("items: expected a list, found %s", pyjson.Kind(list))
	}
	items := []Item{}
	err := pyjson.Items(list, func(i int, value []byte) error {
		if err := d.count(1); err != nil {
			return err
		}
		where := "items[" + strconv.Itoa(i) + "]"
		if value[0] != '{' {
			items = append(items, Item{Verdict: d.defaults.Verdict, Fault: Faultf("%s: expected an object, found %s", where, pyjson.Kind(value))})
			return nil
		}
		f := newFields(requestKeys)
		pyjson.Fields(value, f.field)
		if err := f.only(where, itemKeys...); err != nil {
			return err
		}
		item, err := d.item(where, f)
		if item.Fault != "" {
			item.Fault = Faultf("%s: %s", where, item.Fault)
		}
		items = append(items, item)
		return err
	})
	return items, err
}

// The keys of an item, of a batch, and of both.
var (
	itemKeys    = []string{"task", "task_id", "completion", "completions", "prompt", "verdict", "reward", "on_unknown", "details", "deadline_ms"}
	batchKeys   = []string{"id", "items", "verdict", "reward", "on_unknown", "details", "deadline_ms"}
	requestKeys = []string{"id", "items", "lint", "edit", "task", "task_id", "completion", "completions", "prompt", "verdict", "reward", "on_unknown", "details", "deadline_ms"}
	lintKeys    = []string{"code", "files", "options"}
	editKeys    = []string{"before", "after", "name", "options", "run"}
)

// DecodeLint reads a request to lint without the key "lint":
//
//	{"code": "import os\n", "options": {"max-complexity": 5}}
func DecodeLint(text []byte, defaults Defaults) (request Request, err error) {
	f := newFields(requestKeys)
	if request.ID, err = f.read(text); err != nil {
		return request, err
	}
	d := decoder{defaults: defaults}
	if f.values["lint"] == nil {
		request.Lint, err = d.lint("", Trim(text))
		return request, err
	}
	if err := f.only("", "id", "lint"); err != nil {
		return request, err
	}
	request.Lint, err = d.lint("lint", f.values["lint"])
	return request, err
}

// DecodeEdit reads a request to compare two texts of a file, without the key "edit":
//
//	{"before": "x = 1\n", "after": "x=1\n", "run": false}
func DecodeEdit(text []byte, defaults Defaults) (request Request, err error) {
	f := newFields(append([]string{"id"}, editKeys...))
	if request.ID, err = f.read(text); err != nil {
		return request, err
	}
	d := decoder{defaults: defaults}
	request.Lint, err = d.edit("", Trim(text))
	return request, err
}

// edit reads a request to compare two texts.
func (d *decoder) edit(where string, value []byte) (*Lint, error) {
	if value[0] != '{' {
		return nil, errorf("edit: expected an object, found %s", pyjson.Kind(value))
	}
	keys := editKeys
	if where == "" {
		keys = append([]string{"id"}, editKeys...)
	}
	f := newFields(keys)
	pyjson.Fields(value, f.field)
	if err := f.only(where, keys...); err != nil {
		return nil, err
	}
	l := &Lint{Single: true, Files: make([]File, 1), Edit: &Edit{Run: true}}
	for _, text := range []struct {
		key  string
		into *string
	}{{"before", &l.Edit.Before}, {"after", &l.Files[0].Text}, {"name", &l.Files[0].Name}} {
		if text.key == "name" && !f.has("name") {
			continue
		}
		said, ok := Text(f.values[text.key])
		if !ok && !f.has(text.key) {
			return nil, errorf(`edit: expected "before" and "after"`)
		}
		if !ok {
			return nil, errorf("edit.%s: expected a text, found %s", text.key, pyjson.Kind(f.values[text.key]))
		}
		*text.into = said
	}
	if len(l.Files[0].Name) > MaxName {
		return nil, errorf("edit.name: expected %d bytes at most, found %d", MaxName, len(l.Files[0].Name))
	}
	if f.has("run") {
		if run := string(f.values["run"]); run != "true" && run != "false" {
			return nil, errorf("edit.run: expected true or false, found %.40s", run)
		}
		l.Edit.Run = f.values["run"][0] == 't'
	}
	return l, l.readOptions("edit", f)
}

// readOptions reads flake8's options.
func (l *Lint) readOptions(where string, f *fields) error {
	if !f.has("options") {
		return nil
	}
	options := f.values["options"]
	if len(options) > MaxOptions {
		return errorf("%s.options: expected JSON of %d bytes at most, found %d", where, MaxOptions, len(options))
	}
	l.Options = new(task.Options)
	if err := l.Options.UnmarshalJSON(options); err != nil {
		return errorf("%s.options: %v", where, err)
	}
	return nil
}

// A decoder reads one request.
type decoder struct {
	defaults Defaults
	answers  int // answers read so far
}

func (d *decoder) count(n int) error {
	d.answers += n
	return d.defaults.Count(d.answers)
}

// fields has the values of an object's known keys, as they are written.
type fields struct {
	known   []string
	values  map[string][]byte
	unknown []byte // the first unknown name
}

func newFields(known []string) *fields { return &fields{known: known, values: map[string][]byte{}} }

// field is for [pyjson.Fields].
func (f *fields) field(name, value []byte) {
	if i := slices.Index(f.known, string(name)); i >= 0 {
		f.values[f.known[i]] = value
	} else if f.unknown == nil {
		f.unknown = append([]byte{}, name...)
	}
}

// has reports whether there is a field that is not null, which means that there is no setting.
func (f *fields) has(name string) bool { return pyjson.Present(f.values[name]) }

// only returns an error if there are other fields than the allowed ones.
func (f *fields) only(where string, allowed ...string) error {
	for _, name := range f.known {
		if f.has(name) && !slices.Contains(allowed, name) {
			return UnknownKey(where, name, allowed)
		}
	}
	if f.unknown != nil {
		return UnknownKey(where, string(f.unknown), allowed)
	}
	return nil
}

// read reads a whole request, and returns a copy of its id: nil if there is none, or if it is too
// long or JSON only to Python.
func (f *fields) read(text []byte) ([]byte, error) {
	err := ReadObject(text, f.field)
	id := f.values["id"]
	switch {
	case id == nil:
		return nil, err
	case len(id) > MaxID:
		return nil, cmp.Or(err, errorf("id: expected JSON of %d bytes at most, found %d", MaxID, len(id)))
	case !json.Valid(id):
		return nil, cmp.Or(err, errorf("id: expected JSON, found %s, which only Python takes for such", pyjson.Brief(id)))
	}
	return bytes.Clone(id), err
}

// ReadKeys returns the values of an object's keys, as they are written. text must be one JSON
// object without other keys. The error is an [*Error].
func ReadKeys(text []byte, known ...string) (map[string][]byte, error) {
	f := newFields(known)
	if err := ReadObject(text, f.field); err != nil {
		return nil, err
	}
	return f.values, f.only("", known...)
}

// Trim returns text without the blanks around it and without a byte order mark at its
// start, which Python's json skips in bytes.
func Trim(text []byte) []byte { return bytes.Trim(bytes.TrimPrefix(text, mark), pyjson.Blanks) }

var mark = []byte("\ufeff")

// ReadObject calls field for the fields of text, which must be one JSON object. Names and
// values are parts of text. After an error, which is an [*Error], the last value may be
// nil.
func ReadObject(text []byte, field func(name, value []byte)) error {
	start := len(text)
	text = bytes.TrimLeft(bytes.TrimPrefix(text, mark), pyjson.Blanks)
	start -= len(text)
	text = bytes.TrimRight(text, pyjson.Blanks)
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
	case end == pyjson.TooDeep || end == pyjson.Repeated:
		problem, at := pyjson.Problem(text, end, start)
		return &Error{Offset: at, Problem: problem}
	case end < 0:
		end = ^end
	}
	if end == len(text) {
		return &Error{Offset: start + end, Problem: fmt.Sprintf("expected one whole JSON object, found its end missing at byte %d", start+end)}
	}
	found, _ := utf8.DecodeRune(text[end:])
	return &Error{Offset: start + end, Problem: fmt.Sprintf("expected one whole JSON object, found %q at byte %d", found, start+end+1)}
}

// A Choice is a setting with few values.
type Choice struct {
	Name     string
	Expected string // its values, for errors
}

// Choices returns the settings with few values.
func Choices() []Choice {
	return []Choice{{"verdict", `"guarded" or "official"`}, {"reward", `"binary", "shaped" or a formula`}, {"on_unknown", `"zero", "mask" or "official"`}}
}

// Set sets a choice. The error says what was expected.
func (d *Defaults) Set(choice Choice, value string) (err error) {
	known := true
	switch choice.Name {
	case "verdict":
		d.Verdict = evaluator.Verdict(value)
		known = slices.Contains(evaluator.Verdicts(), d.Verdict)
	case "reward":
		d.Reward, err = judge.ParseReward(value)
	case "on_unknown":
		d.OnUnknown, err = judge.ParseOnUnknown(value)
		known = err == nil
	}
	if !known {
		err = fmt.Errorf("expected %s, found %.40q", choice.Expected, value)
	}
	return err
}

// read replaces defaults by the settings in the fields.
func (d *Defaults) read(f *fields) error {
	for _, choice := range Choices() {
		if f.has(choice.Name) {
			value := f.values[choice.Name]
			name, ok := Text(value)
			if !ok {
				return errorf(`%s: expected %s, found %.40s`, choice.Name, choice.Expected, value)
			}
			if err := d.Set(choice, name); err != nil {
				return errorf("%s: %v", choice.Name, err)
			}
		}
	}
	if f.has("details") {
		switch details := f.values["details"]; string(details) {
		case "true", "false":
			d.Details = details[0] == 't'
		default:
			return errorf("details: expected true or false, found %.40s", details)
		}
	}
	if f.has("deadline_ms") {
		// Python's clients write 1500.0 for 1.5 * 1000.
		deadline := f.values["deadline_ms"]
		ms, err := strconv.ParseFloat(string(deadline), 64)
		if pyjson.Kind(deadline) != "a number" || err != nil || !(ms > 0) || math.IsInf(ms, 0) {
			return errorf("deadline_ms: expected a number above 0, found %.40s", deadline)
		}
		d.Deadline = Milliseconds(ms)
	}
	return nil
}

// Item returns an item with the settings.
func (d *Defaults) Item() Item {
	item := Item{Verdict: d.Verdict, Reward: d.Reward, OnUnknown: d.OnUnknown, Details: d.Details, Deadline: d.Deadline}
	if item.Verdict == evaluator.Official {
		item.OnUnknown = judge.ZeroUnknown // the official verdict is never unknown
		if item.Reward.NeedsGuarded() != "" {
			item.Reward = judge.Binary
		}
	}
	return item
}

// Milliseconds returns a deadline of ms milliseconds. It is at least 1 ns, as 0 means no deadline,
// and at most the largest time that a clock can have.
func Milliseconds(ms float64) time.Duration {
	return max(time.Duration(min(ms, 1e9)*float64(time.Millisecond)), 1)
}

// Text reads a text; ok is false for anything else.
func Text(value []byte) (text string, ok bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	text, _ = pyjson.Unquote(value)
	return text, true
}

// item reads an item. Invalid answers or an invalid task become its Fault. Invalid settings, or too
// many answers, are an error of the request.
func (d *decoder) item(where string, f *fields) (item Item, err error) {
	defaults := d.defaults
	switch {
	case f.has("completion") && f.has("completions"):
		err = errorf(`expected "completion" or "completions", found both`)
	case f.has("task") && f.has("task_id"):
		err = errorf(`expected "task" or "task_id", found both`)
	default:
		err = defaults.read(f)
	}
	if err != nil {
		if where != "" {
			err = errorf("%s: %v", where, err)
		}
		return item, err
	}
	item = defaults.Item()
	fault := func(format string, args ...any) {
		if item.Fault == "" {
			item.Fault = Faultf(format, args...)
		}
	}
	list, single := f.values["completions"], f.values["completion"]
	name := func(i int) string { return fmt.Sprintf("completions[%d]", i) }
	switch {
	case pyjson.Present(list) && list[0] != '[':
		fault("completions: expected a list of texts, found %s", pyjson.Kind(list))
	case pyjson.Present(list):
		err = pyjson.Items(list, func(i int, value []byte) error {
			item.Completions = append(item.Completions, decodeCompletion(name, i, value))
			return d.count(1)
		})
		if err != nil {
			return item, err
		}
	case single != nil: // null is no setting, but an answer that is missing
		name = func(int) string { return "completion" }
		item.Completions = []Completion{decodeCompletion(name, 0, single)}
	default:
		fault(`expected "completions", a list of texts`)
	}
	if prompt, isText := Text(f.values["prompt"]); isText {
		item.dropPrompt(prompt, name)
	} else if f.has("prompt") {
		fault("prompt: expected a text, found %s", pyjson.Kind(f.values["prompt"]))
	}
	if item.Task, err = f.task(); err != nil {
		fault("%v", err)
	}
	return item, nil
}

// task reads the task of an item, which has none if it has neither key. A null names no task and
// is not the wish for none: without a task, every clean answer would have the full reward.
func (f *fields) task() (t Task, err error) {
	id := f.values["task_id"]
	switch {
	case f.has("task"):
		return DecodeTask(f.values["task"])
	case f.has("task_id"):
		if len(id) > MaxID {
			return t, errorf("task_id: expected JSON of %d bytes at most, found %d", MaxID, len(id))
		}
		if t.ID.UnmarshalJSON(id) != nil {
			return Task{}, errorf("task_id: expected an integer or a text, found %.40s", id)
		}
		return t, nil
	}
	for _, name := range []string{"task", "task_id"} {
		if f.values[name] != nil {
			return t, errorf("%s: expected a task or the id of one, found null; leave the key out if the answers belong to no task", name)
		}
	}
	return t, nil
}

// dropPrompt removes the prompt from each completion. A completion that does not begin with it
// gets a fault, with its name.
func (item *Item) dropPrompt(prompt string, name func(i int) string) {
	for i := range item.Completions {
		c := &item.Completions[i]
		if c.Fault != "" {
			continue
		}
		if answer, found := AfterPrompt(c.Text, prompt); found {
			c.Text = WithoutEnd(answer)
		} else {
			*c = Completion{Fault: Faultf("%s: expected it to begin with the prompt, found %.80q", name(i), c.Text)}
		}
	}
}

func decodeCompletion(name func(i int) string, i int, value []byte) (c Completion) {
	var ok bool
	if c.Text, ok = Text(value); !ok { // null is not an empty answer, which passes officially
		c.Fault = Faultf("%s: expected a text, found %s", name(i), pyjson.Kind(value))
	}
	return c
}

// DecodeTask reads a task or its id. An object, or a text that has one as JSON, is a task;
// an integer or another text is an id. [ParseTask] checks whether the object is a task.
func DecodeTask(value []byte) (t Task, err error) {
	if len(value) > MaxTask {
		return t, errorf("task: expected JSON of %d bytes at most, found %d", MaxTask, len(value))
	}
	switch pyjson.Kind(value) {
	case "an object":
		t.Inline = bytes.Clone(value)
		return t, nil
	case "a text":
		inside, _ := Text(value)
		if trimmed := bytes.Trim([]byte(inside), pyjson.Blanks); len(trimmed) > 0 && trimmed[0] == '{' {
			end := pyjson.End(trimmed, 0)
			if problem, _ := pyjson.Problem(trimmed, end, 0); problem != "" {
				return t, errorf("task: %s of the text", problem)
			}
			if end != len(trimmed) {
				return t, errorf("task: expected a JSON object in the text, found %s", pyjson.Brief(trimmed))
			}
			t.Inline = trimmed
			return t, nil
		}
	}
	if len(value) > MaxID {
		return t, errorf("task: expected an object, or an id of %d bytes at most, found %d", MaxID, len(value))
	}
	if t.ID.UnmarshalJSON(value) != nil {
		return t, errorf("task: expected an object, or an integer or a text for an id, found %.40s", value)
	}
	return t, nil
}

// ParseTask reads a task in a request. It is a row of a task file, with at least "inputs" and its
// "code", or the shorter form
//
//	{"id": 7, "program": "x=1\n", "canonical": "x = 1\n", "tests": ["assert x == 1"], "setup": "",
//	 "options": {"max-complexity": 5}, "logic": "free"}
//
// of which only the program is required. A row of a file may have other columns; the shorter form
// has no other keys.
func ParseTask(text []byte) (*task.Task, error) {
	row := rows.Row{Text: text}
	f, err := row.Find(taskKeys...)
	if err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	known := newFields(taskKeys)
	pyjson.Fields(text, known.field)
	if !pyjson.Present(f["program"]) {
		t, err := taskrows.Parse(row, false)
		if err != nil {
			if name := string(known.unknown); pyjson.Get(text, "inputs") == nil && didyoumean.Option(name, taskKeys...) != "" {
				return nil, UnknownKey("task", name, taskKeys)
			}
			return nil, fmt.Errorf("task: %w", err)
		}
		return &t, nil
	}
	if err := known.only("task", taskKeys...); err != nil {
		return nil, err
	}
	r := rows.FieldReader{Row: row}
	t := &task.Task{}
	r.ID("id", f["id"], false, &t.Meta.ID)
	t.Inputs.Code = r.Text("program", f["program"], true)
	t.Meta.CanonicalCode = r.Text("canonical", f["canonical"], false)
	if pyjson.Present(f["tests"]) || pyjson.Present(f["setup"]) {
		t.Meta.Row = &task.Row{TestSetupCode: r.Text("setup", f["setup"], false), TestList: r.Texts("tests", f["tests"])}
	}
	t.Meta.Options = taskrows.Options(&r, "options", f["options"])
	t.Meta.Logic = taskrows.Logic(&r, "logic", f["logic"])
	if r.Err != nil {
		return nil, fmt.Errorf("task: %w", r.Err)
	}
	return t, nil
}

// taskKeys are those of the shorter form of a task.
var taskKeys = []string{"program", "id", "canonical", "tests", "setup", "options", "logic"}

// lint reads the value of "lint" or, if where is "", a whole request.
func (d *decoder) lint(where string, value []byte) (*Lint, error) {
	if value[0] != '{' {
		return nil, errorf("lint: expected an object, found %s", pyjson.Kind(value))
	}
	keys := lintKeys
	if where == "" {
		keys = append([]string{"id"}, lintKeys...)
	}
	f := newFields(keys)
	pyjson.Fields(value, f.field)
	if err := f.only(where, keys...); err != nil {
		return nil, err
	}
	l := &Lint{}
	if err := l.readOptions("lint", f); err != nil {
		return nil, err
	}
	code, files := f.values["code"], f.values["files"]
	switch {
	case f.has("code") && f.has("files"):
		return nil, errorf(`lint: expected "code" or "files", found both`)
	case f.has("code"):
		text, ok := Text(code)
		if !ok {
			return nil, errorf("lint.code: expected a text, found %s", pyjson.Kind(code))
		}
		l.Single, l.Files = true, []File{{Text: text}}
		return l, nil
	case !f.has("files"):
		return nil, errorf(`lint: expected "code" or "files"`)
	case files[0] != '{':
		return nil, errorf("lint.files: expected an object, found %s", pyjson.Kind(files))
	}
	return l, d.files(l, files)
}

// files reads the files of a request to lint.
func (d *decoder) files(l *Lint, files []byte) (err error) {
	pyjson.Fields(files, func(name, value []byte) {
		if err != nil {
			return
		}
		code, ok := Text(value)
		switch {
		case !ok:
			err = errorf("lint.files: %s: expected a text, found %s", pyjson.Brief(name), pyjson.Kind(value))
		case len(name) > MaxName:
			err = errorf("lint.files: expected names of %d bytes at most, found one of %d", MaxName, len(name))
		default:
			err = d.count(1)
		}
		l.Files = append(l.Files, File{string(name), code})
	})
	return err
}
