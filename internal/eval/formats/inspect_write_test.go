package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/task"

	"github.com/google/go-cmp/cmp"
)

// inspectLog is a log as inspect_ai's own have it.
type inspectLog struct {
	Version int
	Status  string
	Eval    struct {
		EvalID  string `json:"eval_id"`
		RunID   string `json:"run_id"`
		TaskID  string `json:"task_id"`
		Created string
		Task    string
		Model   string
		Dataset struct {
			Name      string
			Samples   int
			SampleIDs []any `json:"sample_ids"`
		}
		Config struct {
			Epochs   int
			Reducers []string `json:"epochs_reducer"`
		}
		Scorers []struct {
			Name    string
			Metrics []struct{ Name string }
		}
	}
	Results struct {
		Total     int `json:"total_samples"`
		Completed int `json:"completed_samples"`
		Scores    []struct {
			Name, Scorer, Reducer string
			Scored                int `json:"scored_samples"`
			Unscored              int `json:"unscored_samples"`
			Metrics               map[string]struct{ Value float64 }
		}
		Headline struct{ Scorer, Score, Metric, Reducer string }
	}
	Samples []struct {
		ID            any
		Epoch         int
		Input, Target string
		Messages      []struct{ ID, Role, Source, Content, Model string }
		Output        struct {
			Model, Completion string
			Choices           []struct {
				Message struct{ ID, Role, Content string }
			}
		}
		Scores map[string]struct {
			Value, Answer, Explanation string
			Metadata                   map[string]any
		}
		Metadata map[string]any
		Events   []struct {
			UUID, Event string
			Input       []struct{ Content string }
			Output      struct {
				Choices []struct{ Message struct{ Content string } }
			}
			Score  struct{ Value, Explanation string }
			Target string
		}
		Attachments map[string]string
		UUID        string
		Error       *struct{ Message string }
	}
	Reductions []struct {
		Scorer, Reducer string
		Samples         []struct {
			Value float64
			ID    any `json:"sample_id"`
		}
	}
}

// inspected writes a log and reads it back.
func inspected(t *testing.T, about evaluator.About, tasks []task.Task, samples map[task.ID][]string, k []int) (log inspectLog, text []byte) {
	t.Helper()
	l, err := NewInspectWriter(about)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	texts, sums := encoded(t, tasks, samples, k, l.Encode)
	for _, text := range texts {
		if n, err := l.Write(text); err != nil || n != len(text) {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	var file bytes.Buffer
	if err := l.Render(&file, sums); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file.Bytes(), &log); err != nil {
		t.Fatalf("%v in\n%s", err, file.Bytes())
	}
	return log, file.Bytes()
}

func TestInspect(t *testing.T) {
	tasks, samples := formatTasks()
	about := evaluator.About{Title: "Title", Model: "a/model", Created: time.Unix(1700000000, 0)}
	log, text := inspected(t, about, tasks, samples, []int{1, 2, 3, 5})

	if log.Version != 2 || log.Status != "success" || log.Eval.Created != "2023-11-14T22:13:20+00:00" || log.Eval.Task != "codelintereval" || log.Eval.Model != "a/model" {
		t.Errorf("the head is %+v", log.Eval)
	}
	if diff := cmp.Diff([]any{2.0, 9.0, 10.0, "a/b"}, log.Eval.Dataset.SampleIDs); diff != "" {
		t.Errorf("ids: %s", diff)
	}
	if log.Eval.Config.Epochs != 3 || fmt.Sprint(log.Eval.Config.Reducers) != "[pass_at_1 pass_at_2 pass_at_3]" {
		t.Errorf("epochs: %+v", log.Eval.Config)
	}
	if fmt.Sprint(log.Eval.Scorers) != "[{flake8 [{inspect_ai/accuracy} {inspect_ai/stderr}]}]" {
		t.Errorf("scorers: %v", log.Eval.Scorers)
	}

	// 10: 2 of 3 pass; a/b: 1 of 3; 9: no samples, so none of 3; 2: 1 of 1. What
	// inspect_ai makes of that itself:
	want := []struct {
		reducer          string
		accuracy, stderr float64
		unscored         int
	}{
		{"pass_at_1", 0.5, 0.21516574145596757, 0},
		{"pass_at_2", (1 + 2.0/3 + 0) / 3, 0.2939723678960656, 1},
		{"pass_at_3", (1 + 1 + 0) / 3.0, 1.0 / 3, 1},
	}
	if log.Results.Total != 10 || log.Results.Completed != 7 || len(log.Results.Scores) != len(want) || len(log.Reductions) != len(want) {
		t.Fatalf("the results are %+v", log.Results)
	}
	if got := log.Results.Headline; got.Scorer != "flake8" || got.Score != "flake8" || got.Metric != "accuracy" || got.Reducer != "pass_at_1" {
		t.Errorf("the headline is %+v", got)
	}
	for i, want := range want {
		got := log.Results.Scores[i]
		if got.Name != "flake8" || got.Scorer != "flake8" || got.Reducer != want.reducer || got.Scored != 4-want.unscored || got.Unscored != want.unscored ||
			math.Abs(got.Metrics["accuracy"].Value-want.accuracy) > 1e-15 || math.Abs(got.Metrics["stderr"].Value-want.stderr) > 1e-15 {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if len(log.Reductions[i].Samples) != 4-want.unscored || log.Reductions[i].Reducer != want.reducer {
			t.Errorf("%s is of %v", want.reducer, log.Reductions[i].Samples)
		}
	}
	if got := fmt.Sprint(log.Reductions[1].Samples); got != "[{0 9} {1 10} {0.6666666666666666 a/b}]" && got != "[{0 9} {1 10} {0.6666666666666667 a/b}]" {
		t.Errorf("pass_at_2 of the tasks is %s", got)
	}

	names := map[string]bool{}
	name := func(id string) {
		if len(id) < 22 || names[id] {
			t.Errorf("%q is no name, or a second one", id)
		}
		names[id] = true
	}
	name(log.Eval.EvalID)
	name(log.Eval.RunID)
	name(log.Eval.TaskID)
	if len(log.Samples) != 10 {
		t.Fatalf("%d samples", len(log.Samples))
	}
	for i := range log.Samples {
		s := &log.Samples[i]
		name(s.UUID)
		for _, m := range s.Messages {
			name(m.ID)
		}
		if s.Input != "Mend x=1" || s.Target != "x = 1\n" || s.Messages[0].Content != s.Input || s.Messages[0].Role != "user" {
			t.Errorf("sample %v/%d is %+v", s.ID, s.Epoch, s)
		}
		score := s.Scores["flake8"]
		if s.Error != nil {
			if s.ID != 9.0 || len(s.Messages) != 1 || len(s.Output.Choices) != 0 || score.Value != "I" || s.Error.Message == "" {
				t.Errorf("what is not there is %+v", s)
			}
			continue
		}
		output := samples[task.ID(fmt.Sprint(s.ID))][s.Epoch-1]
		if s.Messages[1].Content != output || s.Messages[1].Role != "assistant" ||
			s.Output.Choices[0].Message.Content != output || s.Output.Choices[0].Message.ID != s.Messages[1].ID {
			t.Errorf("sample %v/%d is %+v", s.ID, s.Epoch, s)
		}
		attached := func(reference, want string) {
			if key, ok := strings.CutPrefix(reference, "attachment://"); !ok || len(key) != 32 || s.Attachments[key] != want {
				t.Errorf("%s is %q, want %q", reference, s.Attachments[key], want)
			}
		}
		attached(s.Events[0].Input[0].Content, s.Input)
		attached(s.Events[0].Output.Choices[0].Message.Content, output)
		attached(s.Events[1].Score.Explanation, score.Explanation)
		attached(s.Events[1].Target, s.Target)
		if s.Events[0].Event != "model" || s.Events[1].Event != "score" || s.Events[1].Score.Value != score.Value {
			t.Errorf("events of %v/%d: %+v", s.ID, s.Epoch, s.Events)
		}
		if s.Metadata["lines"] != 1.0 || fmt.Sprint(s.Metadata["given"]) != "map[E225:1]" {
			t.Errorf("metadata %v", s.Metadata)
		}
	}
	second := log.Samples[1].Scores["flake8"]
	if second.Value != "I" || second.Answer != "\nfrom a import *\nx=1\n" || second.Explanation !=
		"flake8 finds 3:\n\n```text\n2:1 F403 'from a import *' used; unable to detect undefined names\n2:1 F401 'a.*' imported but unused\n3:2 E225 missing whitespace around operator\n```" {
		t.Errorf("got %+v", second)
	}
	if got := fmt.Sprint(second.Metadata); got != "map[codes:map[E225:1 F401:1 F403:1] extraction:closed fixed:0 found:3 introduced:2 left:1]" {
		t.Errorf("got %s", got)
	}
	var explained []string
	for _, at := range []int{0, 4, 5, 6} {
		score := log.Samples[at].Scores["flake8"]
		explained = append(explained, score.Value+" "+score.Explanation)
	}
	if diff := cmp.Diff([]string{
		"C flake8 finds nothing.",
		"I None of the fenced blocks is called python, which leaves an empty line as the code. flake8 finds 1:\n\n```text\n1:1 W391 blank line at end of file\n```",
		"C The fence is left open; what follows it is the code. flake8 finds nothing.",
		"C There is no fence that counts; the whole answer is the code. flake8 finds nothing.",
	}, explained); diff != "" {
		t.Error(diff)
	}

	// The same again is the same; another model's answers are others.
	if _, again := inspected(t, about, tasks, samples, []int{1, 2, 3, 5}); !bytes.Equal(text, again) {
		t.Error("a second log is not the same")
	}
	about.Model = ""
	other, _ := inspected(t, about, tasks, samples, []int{5})
	if other.Eval.Model != "none/none" || other.Eval.RunID == log.Eval.RunID || other.Samples[0].UUID == log.Samples[0].UUID {
		t.Errorf("another log is %+v", other.Eval)
	}
	if fmt.Sprint(other.Eval.Config.Reducers) != "[pass_at_1]" {
		t.Errorf("with k too large, reducers are %v", other.Eval.Config.Reducers)
	}
}

func TestInspectOfNothing(t *testing.T) {
	tasks, _ := formatTasks()
	log, _ := inspected(t, evaluator.About{}, tasks[:1], nil, []int{1, 5})
	if len(log.Samples) != 1 || log.Samples[0].Error == nil || len(log.Results.Scores) != 1 || log.Results.Scores[0].Metrics["accuracy"].Value != 0 {
		t.Errorf("got %+v", log)
	}
}

func TestInspectManyFindings(t *testing.T) {
	tasks, _ := formatTasks()
	log, _ := inspected(t, evaluator.About{}, tasks[:1], map[task.ID][]string{"10": {strings.Repeat("x=1\n", 2000)}}, []int{1})
	score := log.Samples[0].Scores["flake8"]
	if !strings.HasPrefix(score.Explanation, "There is no fence that counts; the whole answer is the code. flake8 finds 2000, of which these are the first 1000:\n") ||
		fmt.Sprint(score.Metadata["codes"]) != "map[E225:2000]" {
		t.Errorf("got %.200s, %v", score.Explanation, score.Metadata)
	}
}

func TestAppendInspectScores(t *testing.T) {
	tasks, samples := formatTasks()
	texts, _ := encoded(t, tasks[:1], samples, []int{1}, officialScores)
	want := `{"id":10,"epoch":1,"value":"C","answer":"\nx = 1\n","explanation":"flake8 finds nothing.","metadata":{"extraction":"closed","found":0,"fixed":1,"left":0,"introduced":0,"codes":{}}}`
	lines := strings.Split(string(texts[0]), "\n")
	if len(lines) != 4 || lines[0] != want || !strings.HasPrefix(lines[1], `{"id":10,"epoch":2,"value":"I",`) {
		t.Errorf("got\n%s", texts[0])
	}
}
