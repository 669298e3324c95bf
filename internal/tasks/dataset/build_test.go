package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator/task"
	"codelinter/internal/tasks/corpus"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// pinned is what tasks name that are made under the options below.
const pinned = `"options":{"flake8-version":"7.3.0","target-version":"3.14"},`

func TestBuild(t *testing.T) {
	source := `{"text": "Add one.", "code": "def f(x):\r\n  return x<1 and '<&>'\r\n", "task_id": 11, "test_setup_code": "", "test_list": ["assert f(0)"], "challenge_test_list": []}
{"text": "Nothing to mend.", "code": "x = 1\n", "task_id": 12, "test_setup_code": "", "test_list": [], "challenge_test_list": []}

{"code": "x=1\n", "task_id": "T/13"}
`
	want := []string{
		`,"inputs":{"code":"def f(x):\r\n  return x<1 and '<&>'\r\n","feedback":"E111: indentation is not a multiple of 4 in 2 line\nE225: missing whitespace around operator in 2 line\n"},"outputs":"",` +
			`"meta":{"id":11,"canonical_code":"def f(x):\r\n  return x<1 and '<&>'\r\n",` + pinned + `"task_id":11,"text":"Add one.","test_setup_code":"","test_list":["assert f(0)"],"challenge_test_list":[]}}`,
		`,"inputs":{"code":"x=1\n","feedback":"E225: missing whitespace around operator in 1 line\n"},"outputs":"",` +
			`"meta":{"id":"T/13","canonical_code":"x=1\n",` + pinned + `"task_id":"T/13","test_setup_code":""}}`,
	}
	var out bytes.Buffer
	built, err := Build("mbpp.jsonl", strings.NewReader(source), &out, nil, BuildOptions{Release: rule.Flake8730})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Built{Rows: 3, Clean: 1, Tasks: 2, Findings: 3}); built != want {
		t.Errorf("Build counts %+v, want %+v", built, want)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("Build writes %d lines, want %d:\n%s", len(lines), len(want), &out)
	}
	for i := range want {
		instruction, err := json.Marshal(Instructions("en")[i])
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"instruction":` + string(instruction) + want[i]; lines[i] != want {
			t.Errorf("line %d:\n%s\nwant\n%s", i+1, lines[i], want)
		}
	}

	// What was built can be read, and written again the same.
	tasks, err := Read("tasks.jsonl", bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	encoder := json.NewEncoder(&again)
	encoder.SetEscapeHTML(false)
	for _, task := range tasks.All() {
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
		{`{"task_id": 1, "code": "", "test_list": [1]}`, "m:1: test_list[0]: expected a text, found a number"},
		{`[` + strings.TrimSpace(good) + `, {"task_id": 2, "code": null}]`, "m:1: row 2: field code is missing: expected a text"},
		{`{"task_id": 1, "code": "`, "m:1: expected one whole JSON object, found a fault at byte 24: unexpected end of JSON input"},
	}
	for _, test := range tests {
		if _, err := Build("m", strings.NewReader(test.text), io.Discard, nil, BuildOptions{}); err == nil || err.Error() != test.want {
			t.Errorf("Build(%q): %v\nwant %s", test.text, err, test.want)
		}
	}
}

// Rows are linted under the settings that the tasks then have.
func TestBuildOptions(t *testing.T) {
	options := lint.DefaultOptions()
	options.Select, options.MaxComplexity = []string{"C901"}, 1
	settings, err := task.NewOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	rows := `{"task_id": 1, "code": "def f(x):\n  if x: return x\n"}` + "\n" + `{"task_id": 2, "code": "x=1"}`
	var out strings.Builder
	built, err := Build("m", strings.NewReader(rows), &out, nil, BuildOptions{Options: settings, Release: rule.Flake8730, Target: source.Python312})
	if want := (Built{Rows: 2, Clean: 1, Tasks: 1, Findings: 1}); err != nil || built != want {
		t.Fatalf("Build: %+v, %v, want %+v", built, err, want)
	}
	tasks, err := Read("t", strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	task := tasks.At(0)
	if want := "C901: 'f' is too complex (2) in 1 line\n"; task.Inputs.Feedback != want {
		t.Errorf("feedback %q, want %q", task.Inputs.Feedback, want)
	}
	options.Release, options.Target = rule.Flake8730, source.Python312
	if got := task.Meta.Options.Lint(); !reflect.DeepEqual(got, options) {
		t.Errorf("options %+v, want %+v", got, options)
	}
}

// buildIDs builds from rows with ids 0 to n-1, and returns the ids of the tasks
// and of the shots, and how often each of two prompts is used.
func buildIDs(t *testing.T, rows []int, o BuildOptions) (test, shots []task.ID, prompts [2]int) {
	t.Helper()
	var source strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&source, `{"task_id": %d, "code": "x=%[1]d\n"}`+"\n", row)
	}
	o.Instructions = []string{"0{code}{feedback}", "1{code}{feedback}"}
	var testOut, shotsOut bytes.Buffer
	built, err := Build("m", strings.NewReader(source.String()), &testOut, &shotsOut, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, split := range []struct {
		out *bytes.Buffer
		ids *[]task.ID
		n   int
	}{{&testOut, &test, built.Tasks}, {&shotsOut, &shots, built.Shots}} {
		if split.n > 0 {
			tasks, err := Read("t", split.out)
			if err != nil {
				t.Fatal(err)
			}
			for _, task := range tasks.All() {
				*split.ids = append(*split.ids, task.Meta.ID)
				prompts[task.Instruction[0]-'0']++
			}
		}
		if len(*split.ids) != split.n {
			t.Errorf("%d tasks are counted, %d written", split.n, len(*split.ids))
		}
	}
	return test, shots, prompts
}

func TestBuildChooses(t *testing.T) {
	var all []int
	for i := range 100 {
		all = append(all, i)
	}
	every, _, prompts := buildIDs(t, all, BuildOptions{})
	if len(every) != 100 || prompts != [2]int{50, 50} {
		t.Errorf("%d tasks, prompts %v", len(every), prompts)
	}
	test, shots, prompts := buildIDs(t, all, BuildOptions{N: 21, Shots: 4, Seed: 1})
	if len(test) != 21 || len(shots) != 4 || prompts != [2]int{11 + 2, 10 + 2} {
		t.Errorf("%d tasks, %d shots, prompts %v", len(test), len(shots), prompts)
	}
	if want := "[1 6 11 16 19]"; fmt.Sprint(test[:5]) != want {
		t.Errorf("seed 1 chooses %v..., and must for ever choose %s", test[:5], want)
	}
	for _, id := range shots {
		if slices.Contains(test, id) {
			t.Errorf("task %s is in both splits", id)
		}
	}
	byNumber := func(a, b task.ID) int { return cmp.Or(len(a)-len(b), strings.Compare(string(a), string(b))) }
	if !slices.IsSortedFunc(test, byNumber) || !slices.IsSortedFunc(shots, byNumber) {
		t.Errorf("not in the order of the rows: %v, %v", test, shots)
	}

	// More shots, fewer tasks and other rows leave the rest as it was.
	again, more, _ := buildIDs(t, all, BuildOptions{N: 20, Shots: 6, Seed: 1})
	if len(slices.DeleteFunc(again, func(id task.ID) bool { return slices.Contains(test, id) })) > 0 {
		t.Error("fewer tasks are not some of the tasks")
	}
	if n := len(slices.DeleteFunc(more, func(id task.ID) bool { return slices.Contains(shots, id) })); n != 2 {
		t.Errorf("six shots have %d others than four", n)
	}
	rest, _, _ := buildIDs(t, all[10:], BuildOptions{N: 21, Shots: 4, Seed: 1})
	for _, id := range test {
		if len(id) > 1 && !slices.Contains(rest, id) {
			t.Errorf("task %s is not chosen from a part of the rows", id)
		}
	}
	if other, _, _ := buildIDs(t, all, BuildOptions{N: 21, Shots: 4, Seed: 2}); slices.Equal(test, other) {
		t.Error("another seed chooses the same")
	}
	for _, o := range []BuildOptions{{N: 101}, {N: 99, Shots: 2}, {Shots: 100}} {
		var rows strings.Builder
		for i := range 100 {
			fmt.Fprintf(&rows, `{"task_id": %d, "code": "x=1"}`+"\n", i)
		}
		if _, err := Build("m", strings.NewReader(rows.String()), io.Discard, io.Discard, o); err == nil || !strings.HasPrefix(err.Error(), "m: expected at least 101 rows with findings, found 100") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestBuildFields(t *testing.T) {
	const source = `[{"meta": {"id": "H/1"}, "prompt": "Add.", "solution": "def f(x):\r\n  return x", "test": "assert f(1)", "task_id": [], "extra": null}]`
	var out bytes.Buffer
	_, err := Build("m", strings.NewReader(source), &out, nil, BuildOptions{
		Fields:       corpus.Fields{ID: "meta.id", Code: "solution", Text: "prompt", Setup: "extra", Tests: "test", Challenge: "meta.none.more"},
		Instructions: []string{"{feedback}{code}"},
		Normalize:    true,
		Release:      rule.Flake8730,
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"instruction":"{feedback}{code}","inputs":{"code":"def f(x):\n  return x\n","feedback":"E111: indentation is not a multiple of 4 in 2 line\n"},"outputs":"",` +
		`"meta":{"id":"H/1","canonical_code":"def f(x):\n  return x\n",` + pinned + `"task_id":"H/1","text":"Add.","test_setup_code":"","test_list":["assert f(1)"]}}` + "\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", &out, want)
	}
	for _, test := range []struct{ fields, want string }{
		{"x.id", "m:1: row 1: field x.id is missing: expected an integer or a text"},
		{"meta", `m:1: row 1: meta: expected an integer or a text, found {"id": "H/1"}`},
	} {
		fields := corpus.MBPP
		fields.ID = test.fields
		if _, err := Build("m", strings.NewReader(source), io.Discard, nil, BuildOptions{Fields: fields}); err == nil || err.Error() != test.want {
			t.Errorf("id field %s: %v\nwant %s", test.fields, err, test.want)
		}
	}
}
