package dataset

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"codelinter/lint"
	"codelinter/rule"
)

func TestBuild(t *testing.T) {
	source := `{"text": "Add one.", "code": "def f(x):\r\n  return x<1 and '<&>'\r\n", "task_id": 11, "test_setup_code": "", "test_list": ["assert f(0)"], "challenge_test_list": []}
{"text": "Nothing to mend.", "code": "x = 1\n", "task_id": 12, "test_setup_code": "", "test_list": [], "challenge_test_list": []}

{"code": "x=1\n", "task_id": "T/13"}
`
	want := []string{
		`,"inputs":{"code":"def f(x):\r\n  return x<1 and '<&>'\r\n","feedback":"E111: indentation is not a multiple of 4 in 2 line\nE225: missing whitespace around operator in 2 line"},"outputs":"",` +
			`"meta":{"id":11,"canonical_code":"def f(x):\r\n  return x<1 and '<&>'\r\n","task_id":11,"text":"Add one.","test_setup_code":"","test_list":["assert f(0)"],"challenge_test_list":[]}}`,
		`,"inputs":{"code":"x=1\n","feedback":"E225: missing whitespace around operator in 1 line"},"outputs":"",` +
			`"meta":{"id":"T/13","canonical_code":"x=1\n","task_id":"T/13","test_setup_code":""}}`,
	}
	var out bytes.Buffer
	built, err := Build("mbpp.jsonl", strings.NewReader(source), &out)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Built{Rows: 3, Tasks: 2, Findings: 3}); built != want {
		t.Errorf("Build counts %+v, want %+v", built, want)
	}
	instruction, err := json.Marshal(Instruction)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("Build writes %d lines, want %d:\n%s", len(lines), len(want), &out)
	}
	for i := range want {
		if want := `{"instruction":` + string(instruction) + want[i]; lines[i] != want {
			t.Errorf("line %d:\n%s\nwant\n%s", i+1, lines[i], want)
		}
	}

	// What was built can be read, and written again the same.
	tasks, err := ReadTasks("tasks.jsonl", bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	encoder := json.NewEncoder(&again)
	encoder.SetEscapeHTML(false)
	for _, task := range tasks.List {
		if err := encoder.Encode(task); err != nil {
			t.Fatal(err)
		}
	}
	if again.String() != out.String() {
		t.Errorf("read and written again:\n%s\nwant\n%s", &again, &out)
	}
}

func TestBuildRefuses(t *testing.T) {
	const good = `{"task_id": 1, "code": "x=1\n"}` + "\n"
	tests := []struct{ text, want string }{
		{"", "m: expected at least one row, found none"},
		{good + `{"task_id": 2}`, "m:2: field code is missing: expected a text"},
		{good + `{"code": ""}`, "m:2: field task_id is missing: expected an integer or a text"},
		{good + good, "m:2: task_id 1 is already that of line 1: expected unique ids"},
		{`{"task_id": 1, "code": ["x"]}`, "m:1: code: expected a text, found a list"},
		{`{"task_id": 1, "code": "", "test_list": [1]}`, "m:1: test_list: expected a text, found a number"},
		{`{"task_id": 1, "code": "`, "m:1: expected one whole JSON object, found a fault at byte 24: unexpected end of JSON input"},
	}
	for _, test := range tests {
		if _, err := Build("m", strings.NewReader(test.text), io.Discard); err == nil || err.Error() != test.want {
			t.Errorf("Build(%q): %v\nwant %s", test.text, err, test.want)
		}
	}
}

func TestAppendFeedback(t *testing.T) {
	got := string(AppendFeedback([]byte(">"), []rule.Finding{
		{Row: 2, Column: 80, Code: rule.E501, A: 86, B: 79},
		{Row: 13, Column: 7, Code: rule.E231, Text: ","},
	}))
	if want := ">E501: line too long (86 > 79 characters) in 2 line\nE231: missing whitespace after ',' in 13 line"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The embedded tasks' feedback was recorded from flake8; our linter must say the
// same, and nothing of the canonical code. Every sample line must have its task.
func TestEmbedded(t *testing.T) {
	tasks, err := EmbeddedTasks()
	if err != nil {
		t.Fatal(err)
	}
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks.List {
		if task.Instruction != Instruction {
			t.Errorf("task %s: its instruction is not the one that Build writes", task.Meta.ID)
		}
		if got := string(AppendFeedback(nil, linter.Lint([]byte(task.Inputs.Code)))); got != task.Inputs.Feedback {
			t.Errorf("task %s: the linter says\n%s\nflake8 said\n%s", task.Meta.ID, got, task.Inputs.Feedback)
		}
		if got := AppendFeedback(nil, linter.Lint([]byte(task.Meta.CanonicalCode))); len(got) > 0 {
			t.Errorf("task %s: canonical code: %s", task.Meta.ID, got)
		}
	}
	lines := NewLines("samples", bytes.NewReader(EmbeddedSamples()))
	for n := 0; ; n++ {
		line, err := lines.Next()
		if err == io.EOF {
			if n != len(tasks.List) {
				t.Errorf("%d lines of samples for %d tasks", n, len(tasks.List))
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		samples, err := ParseSamples(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := tasks.Find(samples.ID); !ok || len(samples.Outputs) != 10 {
			t.Errorf("samples of task %s: task known %v, %d outputs, want 10", samples.ID, ok, len(samples.Outputs))
		}
	}
}
