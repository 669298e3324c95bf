package dataset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows/packed"
	"codelinter/internal/tasks/dataset"
)

func exportedTasks(t *testing.T) *task.Set {
	t.Helper()
	const rows = `{"instruction": "Fix <{feedback}> {code}", "inputs": {"code": "x=1\n", "feedback": "E225: missing whitespace around operator in 1 line\n"},` +
		` "outputs": "", "meta": {"id": 7, "canonical_code": "x = 1\n", "options": {"max-line-length": 100}, "test_setup_code": "", "test_list": ["assert x"]}}` + "\n" +
		`{"instruction": "{code}{feedback}", "inputs": {"code": "y = '\u00e9'", "feedback": "W292: no newline at end of file in 1 line"}, "outputs": 1, "meta": {"id": "b"}}`
	tasks, err := dataset.Read("tasks", strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// The text of a task is a task again, whatever it had; its prompt is the one that a
// model is shown everywhere else.
func TestExport(t *testing.T) {
	tasks := exportedTasks(t)
	prompt, chat := tasks.At(0).Prompt(), []any{map[string]any{"role": "user", "content": tasks.At(0).Prompt()}}
	text := func(row map[string]any, path ...string) string {
		for _, name := range path[:len(path)-1] {
			row = row[name].(map[string]any)
		}
		return row[path[len(path)-1]].(string)
	}
	for _, test := range []struct {
		trainer dataset.Trainer
		task    []string // where the task stands
		rest    map[string]any
	}{
		{dataset.TRL, []string{"task"}, map[string]any{"prompt": chat}},
		{dataset.Verl, []string{"reward_model", "ground_truth"}, map[string]any{
			"prompt": chat, "data_source": "codelintereval", "ability": "code", "extra_info": map[string]any{"index": 0.0, "id": "7"}}},
		{dataset.Verifiers, []string{"task"}, map[string]any{"prompt": prompt, "id": "7"}},
		{dataset.NeMoGym, []string{"task"}, map[string]any{
			"responses_create_params": map[string]any{"input": chat},
			"agent_ref":               map[string]any{"type": "responses_api_agents", "name": "codelinter_simple_agent"}}},
		{dataset.OpenRLHF, []string{"label"}, map[string]any{"prompt": chat}},
	} {
		var file bytes.Buffer
		if err := dataset.Export(&file, tasks, test.trainer, ""); err != nil {
			t.Fatal(test.trainer, err)
		}
		var got []map[string]any
		reader, format, err := packed.Open("file", bytes.NewReader(file.Bytes()))
		if err != nil || format != packed.JSONL {
			t.Fatal(test.trainer, format, err)
		}
		for row, err := reader.Next(); err != io.EOF; row, err = reader.Next() {
			if err != nil {
				t.Fatal(test.trainer, err)
			}
			got = append(got, map[string]any{})
			if err := json.Unmarshal(row.Text, &got[len(got)-1]); err != nil {
				t.Fatal(test.trainer, err)
			}
		}
		if len(got) != tasks.Len() {
			t.Fatalf("%s: %d rows", test.trainer, len(got))
		}
		for i, row := range got {
			again, err := dataset.Read("task", strings.NewReader(text(row, test.task...)))
			if err != nil {
				t.Fatal(test.trainer, err)
			}
			if diff := cmp.Diff(string(pyjson.Append(nil, tasks.At(i))), string(pyjson.Append(nil, again.At(0)))); diff != "" {
				t.Errorf("%s: the task is not what it was:\n%s", test.trainer, diff)
			}
		}
		for name, want := range test.rest {
			if diff := cmp.Diff(want, got[0][name]); diff != "" {
				t.Errorf("%s: %s:\n%s", test.trainer, name, diff)
			}
		}
	}
}

func TestExportForNobody(t *testing.T) {
	err := dataset.Export(io.Discard, exportedTasks(t), "nobody", "")
	if err == nil || !strings.Contains(err.Error(), `found "nobody"`) {
		t.Error(err)
	}
}

// Chats begin with the system's message, where rows have chats.
func TestExportSystem(t *testing.T) {
	for _, trainer := range dataset.Trainers() {
		var file bytes.Buffer
		err := dataset.Export(&file, exportedTasks(t), trainer, "Be brief.")
		if trainer == dataset.Verifiers {
			if !errors.Is(err, dataset.ErrSystem) {
				t.Errorf("%s: %v", trainer, err)
			}
			continue
		}
		if err != nil || strings.Count(file.String(), `[{"role":"system","content":"Be brief."},{"role":"user"`) != exportedTasks(t).Len() {
			t.Errorf("%s: %v: %s", trainer, err, &file)
		}
	}
}
