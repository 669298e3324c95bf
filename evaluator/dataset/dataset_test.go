package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
)

const goodTask = `{"instruction": "{feedback} {code}", "inputs": {"code": "x=1\n", "feedback": "f"}, "outputs": "", "meta": {"id": 1, "canonical_code": "x = 1\n"}}`

func TestReadTasks(t *testing.T) {
	task := func(id ID) Task {
		return Task{"{feedback} {code}", Inputs{"x=1\n", "f"}, json.RawMessage(`""`), Meta{ID: id, CanonicalCode: "x = 1\n"}}
	}
	withID := func(id string) string { return strings.Replace(goodTask, `"id": 1`, `"id": `+id, 1) }
	row := &Row{TaskID: "11", Text: "t", TestList: []string{"assert x"}, ChallengeTestList: []string{}}
	withRow := task("1")
	withRow.Meta.Row = row
	emptyRow := task("1")
	emptyRow.Meta.Row = &Row{}
	other := task("1")
	other.Outputs = json.RawMessage("[1, 0]")
	bare := task("1")
	bare.Outputs, bare.Meta.CanonicalCode = nil, ""

	tests := []struct {
		name, text string
		want       []Task
	}{
		{"one", goodTask, []Task{task("1")}},
		{"newline at the end", goodTask + "\n", []Task{task("1")}},
		{"CRLF", goodTask + "\r\n" + withID("2") + "\r\n", []Task{task("1"), task("2")}},
		{"blank lines", "\n \t\n" + goodTask + "\n\n\n" + withID("2") + "\n\n", []Task{task("1"), task("2")}},
		{"byte order mark", "\ufeff" + goodTask, []Task{task("1")}},
		{"byte order mark on a line of its own", "\ufeff\n" + goodTask, []Task{task("1")}},
		{"id as a text", withID(`"T/1"`), []Task{task("T/1")}},
		{"id as a text with digits", withID(`"7"`), []Task{task("7")}},
		{"negative id", withID("-7"), []Task{task("-7")}},
		{"long id", withID("123456789012345678901234567890"), []Task{task("123456789012345678901234567890")}},
		{"unknown fields", strings.Replace(goodTask, `"meta"`, `"more": [{}], "meta"`, 1), []Task{task("1")}},
		{"names in capitals are others", strings.Replace(goodTask, `"meta": {`, `"Instruction": 1, "META": {}, "meta": {"ID": 2, "Task_ID": 3, `, 1), []Task{task("1")}},
		{"words that only Python has", strings.Replace(goodTask, `"meta": {`, `"score": NaN, "meta": {"loss": [-Infinity], `, 1), []Task{task("1")}},
		{"null for what may be missing", strings.Replace(goodTask, `"id": 1`, `"id": 1, "options": null, "task_id": null`, 1), []Task{emptyRow}},
		{"other outputs", strings.Replace(goodTask, `"outputs": ""`, `"outputs": [1, 0]`, 1), []Task{other}},
		{"no outputs, no canonical code", `{"instruction": "{feedback} {code}", "inputs": {"code": "x=1\n", "feedback": "f"}, "meta": {"id": 1}}`, []Task{bare}},
		{"the source's tests", strings.Replace(goodTask, `"id": 1`, `"id": 1, "task_id": 11, "text": "t", "test_list": ["assert x"], "challenge_test_list": []`, 1), []Task{withRow}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The reader sees a byte at a time, as from a slow pipe.
			tasks, err := ReadTasks("t", iotest.OneByteReader(strings.NewReader(test.text)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, tasks.List); diff != "" {
				t.Error(diff)
			}
			for i, task := range tasks.List {
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

func TestReadTasksRefuses(t *testing.T) {
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
		_, err := ReadTasks("t", strings.NewReader(test.text))
		if err == nil || err.Error() != test.want {
			t.Errorf("ReadTasks(%q): %v\nwant %s", test.text, err, test.want)
		}
	}
}

func TestReadTasksPassesOnFaults(t *testing.T) {
	broken := errors.New("broken pipe")
	_, err := ReadTasks("t", io.MultiReader(strings.NewReader(goodTask+"\n{"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || err.Error() != "t:2: broken pipe" {
		t.Errorf("got %v, want t:2: broken pipe", err)
	}
}

func TestSamples(t *testing.T) {
	tests := []struct {
		text string
		want Samples
		err  string
	}{
		{`{"id": 1, "outputs": ["a", ""]}`, Samples{"1", []string{"a", ""}, 0}, ""},
		{`{"id": "a", "outputs": []}`, Samples{"a", []string{}, 0}, ""},
		{`{"outputs": ["\ud800\u0000é\r\n"], "model": "m", "id": 1}`, Samples{"1", []string{"\ufffd\x00é\r\n"}, 1}, ""},
		{`{"outputs": []}`, Samples{}, "s:9: field id is missing: expected an integer or a text"},
		{`{"id": 1}`, Samples{}, "s:9: field outputs is missing: expected a list of texts"},
		{`{"id": 1, "outputs": null}`, Samples{}, "s:9: outputs: expected a list, found null"},
		{`{"id": 1, "outputs": "a"}`, Samples{}, "s:9: outputs: expected a list, found a text"},
		{`{"id": 1, "outputs": ["a", null]}`, Samples{}, "s:9: outputs[1]: expected a text, found null"},
		{`{"id": 1, "outputs": [["a", "b"], "c"]}`, Samples{"1", []string{"a", "b", "c"}, 0}, ""},
		{`{"id": 1, "outputs": ["a", [["b"]]]}`, Samples{}, "s:9: outputs[1][0]: expected a text, found a list"},
		{`{"ID": 2, "id": 1, "outputs": ["a"], "Outputs": null, "score": NaN}`, Samples{"1", []string{"a"}, 0}, ""},
		{`{"id": true, "outputs": []}`, Samples{}, `s:9: id: expected an integer or a text, found true`},
		{`{"id": 1, "outputs": ["a"`, Samples{}, "s:9: expected one whole JSON object, found a fault at byte 25: unexpected end of JSON input"},
	}
	for _, test := range tests {
		got, err := Line{File: "s", Number: 9, Text: []byte(test.text)}.Samples("outputs")
		switch {
		case test.err != "":
			if err == nil || err.Error() != test.err {
				t.Errorf("samples of %s: %v\nwant %s", test.text, err, test.err)
			}
		case err != nil:
			t.Errorf("samples of %s: %v", test.text, err)
		default:
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("samples of %s: %s", test.text, diff)
			}
		}
	}
}

func TestIDJSON(t *testing.T) {
	for _, test := range []struct{ id, want string }{
		{"0", `0`}, {"7", `7`}, {"-7", `-7`}, {"9007199254740993", `9007199254740993`},
		{"", `""`}, {"-", `"-"`}, {"07", `"07"`}, {"-0", `"-0"`}, {"+7", `"+7"`}, {"7.0", `"7.0"`}, {"a\"", `"a\""`}, {"a<", `"a\u003c"`},
	} {
		got, err := json.Marshal(ID(test.id))
		if err != nil || string(got) != test.want {
			t.Errorf("ID(%q) is written as %s, %v; want %s", test.id, got, err, test.want)
		}
	}
}

func TestIDString(t *testing.T) {
	for _, test := range []struct{ id, want string }{
		{"7", "7"}, {"HumanEval/7", "HumanEval/7"}, {"задача 7", "задача 7"}, {"a\x1b[2J", `"a\x1b[2J"`}, {" ", `" "`}, {"a\"", `"a\""`},
	} {
		if got := ID(test.id).String(); got != test.want {
			t.Errorf("ID(%q) is shown as %s, want %s", test.id, got, test.want)
		}
	}
}

// A line longer than any buffer is whole, and one above the limit is refused
// without being read into memory.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	lines := NewLines("t", strings.NewReader(long+"\n"+long+"y\nz"))
	for _, want := range []string{long, long + "y", "z"} {
		line, err := lines.Next()
		if err != nil || string(line.Text) != want {
			t.Fatalf("got %d bytes, %v; want %d", len(line.Text), err, len(want))
		}
	}
	if _, err := lines.Next(); err != io.EOF {
		t.Errorf("after the last line: %v, want EOF", err)
	}
	if testing.Short() {
		return
	}
	_, err := NewLines("t", endless{}).Next()
	if want := "t:1: expected a line of 256 MiB at most, found a longer one"; err == nil || err.Error() != want {
		t.Errorf("a line without end: %v, want %s", err, want)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Whatever the bytes: no panic, and tasks that were read can be written and are
// then read the same.
func FuzzReadTasks(f *testing.F) {
	f.Add([]byte(goodTask))
	f.Add([]byte("\ufeff\n" + goodTask + "\r\n{}"))
	f.Add([]byte(strings.Replace(goodTask, `"id": 1`, `"id": "é\"", "task_id": 0, "test_list": []`, 1)))
	f.Add([]byte("{\"id\": 7, \"outputs\": [\"```python\\nx = 1\\n```\"]}"))
	f.Add([]byte("[" + goodTask + "]"))
	f.Add(parquetOf(f, []hubTask{newHubTask(1, "x=1")}, parquet.Compression(&parquet.Snappy)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if line, err := NewLines("t", bytes.NewReader(text)).Next(); err == nil {
			line.Samples("outputs")
		}
		tasks, err := ReadTasks("t", bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		encoder := json.NewEncoder(&again)
		for _, task := range tasks.List {
			task.Outputs = nil // kept as it stands, blanks included
			if err := encoder.Encode(task); err != nil {
				t.Fatal(err)
			}
		}
		same, err := ReadTasks("t", &again)
		if err != nil {
			t.Fatalf("%v, of what was read and written", err)
		}
		without := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Outputs" }, cmp.Ignore())
		if diff := cmp.Diff(tasks.List, same.List, without, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}
