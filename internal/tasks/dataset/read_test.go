package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"codelinter/evaluator/task"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
)

const goodTask = `{"instruction": "{feedback} {code}", "inputs": {"code": "x=1\n", "feedback": "f"}, "outputs": "", "meta": {"id": 1, "canonical_code": "x = 1\n"}}`

// list returns the tasks of a set.
func list(set *task.Set) (tasks []task.Task) {
	for _, t := range set.All() {
		tasks = append(tasks, *t)
	}
	return tasks
}

func TestRead(t *testing.T) {
	good := func(id task.ID) task.Task {
		return task.Task{
			Instruction: "{feedback} {code}",
			Inputs:      task.Inputs{Code: "x=1\n", Feedback: "f"},
			Outputs:     json.RawMessage(`""`),
			Meta:        task.Meta{ID: id, CanonicalCode: "x = 1\n"},
		}
	}
	withID := func(id string) string { return strings.Replace(goodTask, `"id": 1`, `"id": `+id, 1) }
	row := &task.Row{TaskID: "11", Text: "t", TestList: []string{"assert x"}, ChallengeTestList: []string{}}
	withRow := good("1")
	withRow.Meta.Row = row
	emptyRow := good("1")
	emptyRow.Meta.Row = &task.Row{}
	other := good("1")
	other.Outputs = json.RawMessage("[1, 0]")
	bare := good("1")
	bare.Outputs, bare.Meta.CanonicalCode = nil, ""

	tests := []struct {
		name, text string
		want       []task.Task
	}{
		{"one", goodTask, []task.Task{good("1")}},
		{"newline at the end", goodTask + "\n", []task.Task{good("1")}},
		{"CRLF", goodTask + "\r\n" + withID("2") + "\r\n", []task.Task{good("1"), good("2")}},
		{"blank lines", "\n \t\n" + goodTask + "\n\n\n" + withID("2") + "\n\n", []task.Task{good("1"), good("2")}},
		{"byte order mark", "\ufeff" + goodTask, []task.Task{good("1")}},
		{"byte order mark on a line of its own", "\ufeff\n" + goodTask, []task.Task{good("1")}},
		{"id as a text", withID(`"T/1"`), []task.Task{good("T/1")}},
		{"id as a text with digits", withID(`"7"`), []task.Task{good("7")}},
		{"negative id", withID("-7"), []task.Task{good("-7")}},
		{"long id", withID("123456789012345678901234567890"), []task.Task{good("123456789012345678901234567890")}},
		{"unknown fields", strings.Replace(goodTask, `"meta"`, `"more": [{}], "meta"`, 1), []task.Task{good("1")}},
		{"names in capitals are others", strings.Replace(goodTask, `"meta": {`, `"Instruction": 1, "META": {}, "meta": {"ID": 2, "Task_ID": 3, `, 1), []task.Task{good("1")}},
		{"words that only Python has", strings.Replace(goodTask, `"meta": {`, `"score": NaN, "meta": {"loss": [-Infinity], `, 1), []task.Task{good("1")}},
		{"null for what may be missing", strings.Replace(goodTask, `"id": 1`, `"id": 1, "options": null, "task_id": null`, 1), []task.Task{emptyRow}},
		{"other outputs", strings.Replace(goodTask, `"outputs": ""`, `"outputs": [1, 0]`, 1), []task.Task{other}},
		{"no outputs, no canonical code", `{"instruction": "{feedback} {code}", "inputs": {"code": "x=1\n", "feedback": "f"}, "meta": {"id": 1}}`, []task.Task{bare}},
		{"the source's tests", strings.Replace(goodTask, `"id": 1`, `"id": 1, "task_id": 11, "text": "t", "test_list": ["assert x"], "challenge_test_list": []`, 1), []task.Task{withRow}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The reader sees a byte at a time, as from a slow pipe.
			tasks, err := Read("t", iotest.OneByteReader(strings.NewReader(test.text)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, list(tasks)); diff != "" {
				t.Error(diff)
			}
			for i, task := range tasks.All() {
				if at, ok := tasks.Find(task.Meta.ID); at != i || !ok {
					t.Errorf("Find(%s) = %d, %v; want %d", task.Meta.ID, at, ok, i)
				}
			}
			if _, ok := tasks.Find("none"); ok {
				t.Error("Find found a task that is not there")
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	without := func(part string) string { return strings.Replace(goodTask, part, "", 1) }
	with := func(old, new string) string { return strings.Replace(goodTask, old, new, 1) }
	tests := []struct{ text, want string }{
		{"", "t: expected at least one task, found none"},
		{"\n\n", "t: expected at least one task, found none"},
		{goodTask[:50], "t:1: expected one whole JSON object, found a fault at byte 50: unexpected end of JSON input"},
		{"\n" + goodTask + "\n{]", "t:3: expected one whole JSON object, found a fault at byte 2: invalid character ']'"},
		{goodTask + goodTask, "t:1: expected one whole JSON object, found a fault at byte 146: invalid character '{'"},
		{`[1, 2]`, `t:1: row 1: expected a JSON object, found "1"`},
		{`null`, `t:1: expected a JSON object, found "null"`},
		{`instruction,code`, `t:1: expected a JSON object, found "instruction,code"`},
		{"\x1f\x8b\x08", "t: expected a whole gzip file: unexpected EOF"},
		{goodTask + "\n\"\xff\"", "t:2: expected UTF-8, found other bytes"},
		{`{}`, "t:1: field instruction is missing: expected a text"},
		{without(`"instruction": "{feedback} {code}", `), "t:1: field instruction is missing: expected a text"},
		{without(`"inputs": {"code": "x=1\n", "feedback": "f"}, `), "t:1: field inputs is missing: expected an object"},
		{without(`"code": "x=1\n", `), "t:1: field inputs.code is missing: expected a text"},
		{without(`, "feedback": "f"`), "t:1: field inputs.feedback is missing: expected a text"},
		{without(`, "meta": {"id": 1, "canonical_code": "x = 1\n"}`), "t:1: field meta is missing: expected an object"},
		{without(`"id": 1, `), "t:1: field meta.id is missing: expected an integer or a text"},
		{with(`"id": 1`, `"id": null`), "t:1: field meta.id is missing: expected an integer or a text"},
		{with(`"id": 1`, `"id": 1.5`), `t:1: meta.id: expected an integer or a text, found 1.5`},
		{with(`"id": 1`, `"id": 1e3`), `t:1: meta.id: expected an integer or a text, found 1e3`},
		{with(`"id": 1`, `"id": ""`), `t:1: meta.id: expected an integer or a text, found ""`},
		{with(`"id": 1`, `"id": [1]`), `t:1: meta.id: expected an integer or a text, found [1]`},
		{with(`"x=1\n"`, `1`), "t:1: inputs.code: expected a text, found a number"},
		{with(`"x=1\n"`, `null`), "t:1: field inputs.code is missing: expected a text"},
		{with(`{"code": "x=1\n", "feedback": "f"}`, `[]`), "t:1: inputs: expected an object, found a list"},
		{with(`"{feedback} {code}"`, `true`), "t:1: instruction: expected a text, found true or false"},
		{with(`"id": 1`, `"id": 1, "test_list": "assert x"`), "t:1: meta.test_list: expected a list, found a text"},
		{with(`"id": 1`, `"id": 1, "test_list": ["", 1]`), "t:1: meta.test_list[1]: expected a text, found a number"},
		{with(`"id": 1`, `"ID": 1`), "t:1: field meta.id is missing: expected an integer or a text"},
		{with(`"id": 1`, `"id": "`+strings.Repeat("i", 1000)+`"`), "t:1: meta.id: expected an id of 1000 bytes at most, found one of 1002"},
		{goodTask + "\n\n" + goodTask, "t:3: meta.id 1 is already the id of line 1: expected unique ids"},
		{goodTask + "\n" + with(`"id": 1`, `"id": "1"`), "t:2: meta.id 1 is already the id of line 1: expected unique ids"},
	}
	for _, test := range tests {
		_, err := Read("t", strings.NewReader(test.text))
		if err == nil || err.Error() != test.want {
			t.Errorf("Read(%q): %v\nwant %s", test.text, err, test.want)
		}
	}
}

func TestReadPassesOnFaults(t *testing.T) {
	broken := errors.New("broken pipe")
	_, err := Read("t", io.MultiReader(strings.NewReader(goodTask+"\n{"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || err.Error() != "t:2: broken pipe" {
		t.Errorf("got %v, want t:2: broken pipe", err)
	}
}

// Whatever the bytes: no panic, and tasks that were read can be written and are
// then read the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(goodTask))
	f.Add([]byte("\ufeff\n" + goodTask + "\r\n{}"))
	f.Add([]byte(strings.Replace(goodTask, `"id": 1`, `"id": "é\"", "task_id": 0, "test_list": []`, 1)))
	f.Add([]byte("{\"id\": 7, \"outputs\": [\"```python\\nx = 1\\n```\"]}"))
	f.Add([]byte("[" + goodTask + "]"))
	f.Add(parquetOf(f, []hubTask{newHubTask(1, "x=1")}, parquet.Compression(&parquet.Snappy)))
	f.Fuzz(func(t *testing.T, text []byte) {
		tasks, err := Read("t", bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		encoder := json.NewEncoder(&again)
		for _, task := range tasks.All() {
			bare := *task
			bare.Outputs = nil // kept as it stands, blanks included
			if err := encoder.Encode(bare); err != nil {
				t.Fatal(err)
			}
		}
		same, err := Read("t", &again)
		if err != nil {
			t.Fatalf("%v, of what was read and written", err)
		}
		without := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Outputs" }, cmp.Ignore())
		if diff := cmp.Diff(list(tasks), list(same), without, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

// The error of a file that is missing is the system's, and names it.
func TestOpenMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	_, want := os.Open("none.jsonl")
	_, err := Open("none.jsonl")
	if err == nil || err.Error() != want.Error() {
		t.Fatalf("got %v, want %v", err, want)
	}
	if runtime.GOOS == "linux" && err.Error() != "open none.jsonl: no such file or directory" {
		t.Error(err)
	}
}
