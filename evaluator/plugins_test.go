package evaluator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"codelinter/evaluator/task"
	"codelinter/lint"
	"codelinter/rule"
)

// spamPlugins find B006 in each row with "spam", and fail at "eggs".
type spamPlugins struct{}

func (spamPlugins) Of(_ context.Context, o *task.Options) (task.PluginChecker, error) {
	if o.Plugins()[0].Version != "1" {
		return nil, errors.New("another version")
	}
	return spamPlugins{}, nil
}

func (spamPlugins) Options(o lint.Options) lint.Options {
	o.PluginSelect = []string{"B"}
	return o
}

func (spamPlugins) Check(_ context.Context, code []byte) (found lint.ForeignFindings, err error) {
	b006, _ := rule.Named("B006")
	for i, line := range strings.Split(string(code), "\n") {
		if strings.Contains(line, "eggs") {
			return found, errors.New("no eggs")
		}
		if at := strings.Index(line, "spam"); at >= 0 {
			found.Findings = append(found.Findings, lint.Foreign{Finding: rule.NewForeign(int32(i+1), int32(at+1), b006, "spam")})
		}
	}
	return found, nil
}

func pluginTask(t *testing.T, code, version string) *task.Task {
	t.Helper()
	options, err := (*task.Options)(nil).WithPlugins([]task.Plugin{{Name: "spam-plugins", Version: version}})
	if err != nil {
		t.Fatal(err)
	}
	made := newTask("1", code)
	made.Meta.Options = options
	return &made
}

// A task that names plugins is scored with their findings. An answer that they cannot check does
// not pass, and is no failure of the model's.
func TestScorePlugins(t *testing.T) {
	scorer, err := NewScorer(ScorerOptions{K: []int{1}, Plugins: spamPlugins{}, Judges: []func() (Judge, error){func() (Judge, error) { return nothing{}, nil }}})
	if err != nil {
		t.Fatal(err)
	}
	of := pluginTask(t, "spam=1\nspam = 2  # noqa: B006\n", "1")
	for _, test := range []struct{ output, want string }{
		{"x = 1\n", "pass 0 found, 2 fixed 0 left 0 introduced"},
		{"spam = 1\n", "fail 1 found, 1 fixed 1 left 0 introduced: B006"},
		{"spam=1\nspam = 2\n", "fail 3 found, 0 fixed 2 left 1 introduced: B006 E225 B006"},
		{"spam = 1  # noqa: B006\n", "pass 0 found, 2 fixed 0 left 0 introduced"},
		{"spam = 1  # noqa: B006\nspam = 2  # noqa\n", "pass 0 found, 2 fixed 0 left 0 introduced, silenced"},
		{"spam = (\n", "fail 1 found, 2 fixed 0 left 1 introduced: E999"},
		{"eggs = 1\n", "unknown masked: no eggs"},
		{"eggs=1\n", "unknown masked: no eggs"},
		{"eggs = (\n", "fail 1 found, 2 fixed 0 left 1 introduced: E999"},
		{"```py\nspam=1\n```\n```python\neggs=1\n```\n", "unknown masked: no eggs"},
	} {
		result := score(t, scorer, of, []string{test.output})
		s := &result.Samples[0]
		official := &s.Judgements[0]
		got := official.Outcome.String()
		if official.Error {
			got += " masked: " + official.Reasons[0].Text
			if other := &s.Judgements[1]; !official.Masked || official.Reward != 0 || !other.Error || !other.Masked || other.Outcome != Unknown {
				t.Errorf("%q: %+v, %+v", test.output, official, other)
			}
			if result.Scores[0].Errors != 1 || result.Scores[1].Errors != 1 || result.Scores[0].Passed != 0 {
				t.Errorf("%q: %+v", test.output, result.Scores)
			}
		} else {
			got += fmt.Sprintf(" %d found, %d fixed %d left %d introduced", s.Found, s.Fixed, s.Left, s.Introduced)
			for i := range s.Findings {
				got += [...]string{": ", " "}[min(i, 1)] + s.Findings[i].Code.String()
			}
			if s.Facts.SilencedForeign {
				got += ", silenced"
			}
		}
		if got != test.want {
			t.Errorf("%q: %s, want %s", test.output, got, test.want)
		}
	}
	text, err := json.Marshal(score(t, scorer, of, nil).Given)
	if err != nil || string(text) != `{"E225":1,"B006":1}` {
		t.Errorf("given %s, %v", text, err)
	}
	var read Counts
	if err := json.Unmarshal(text, &read); err != nil || len(read) != 2 || read[1].Code.String() != "B006" {
		t.Errorf("read %v, %v", read, err)
	}
	plain := newTask("2", "spam=1\n")
	if s := &score(t, scorer, &plain, []string{"spam = 1\n"}).Samples[0]; !s.Official() || s.Given != 1 {
		t.Errorf("without plugins in the task: %+v", s)
	}
}

// A task whose plugins are not there is an error, again and again.
func TestMissingPlugins(t *testing.T) {
	for _, test := range []struct {
		plugins    task.Plugins
		code, want string
	}{
		{nil, "x=1\n", "task 1: the options name plugins of flake8, spam-plugins==2: expected --plugins FOLDER with their wheels"},
		{spamPlugins{}, "x=1\n", "task 1: another version"},
	} {
		scorer, err := NewScorer(ScorerOptions{Plugins: test.plugins})
		if err != nil {
			t.Fatal(err)
		}
		of := pluginTask(t, test.code, "2")
		for range 2 {
			if _, err := scorer.Score(t.Context(), of, []string{"x = 1\n"}); err == nil || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		}
		plain := newTask("2", "x=1\n")
		if !score(t, scorer, &plain, []string{"x = 1\n"}).Samples[0].Official() {
			t.Error("another task fails")
		}
		tasks, err := task.NewSet([]task.Task{*of})
		if err != nil {
			t.Fatal(err)
		}
		samples := NewJSONL("s", strings.NewReader(`{"id": "1", "outputs": ["x = 1\n"]}`))
		if _, err := Run(t.Context(), tasks, samples, Options{Plugins: test.plugins}); err == nil || err.Error() != test.want {
			t.Errorf("a run: %v, want %s", err, test.want)
		}
	}
	scorer, err := NewScorer(ScorerOptions{Plugins: spamPlugins{}})
	if err != nil {
		t.Fatal(err)
	}
	of := pluginTask(t, "eggs=1\n", "1")
	for range 2 {
		if _, err := scorer.Score(t.Context(), of, []string{"x = 1\n"}); err == nil || err.Error() != "task 1: its program: no eggs" {
			t.Errorf("a program that the plugins cannot check: %v", err)
		}
	}
}

// The sums of a run have the codes of plugins.
func TestRunPlugins(t *testing.T) {
	tasks, err := task.NewSet([]task.Task{*pluginTask(t, "spam=1\n", "1")})
	if err != nil {
		t.Fatal(err)
	}
	samples := NewJSONL("s", strings.NewReader(`{"id": "1", "outputs": ["spam = 1\n", "x = 1\n", "eggs = 1\n"]}`))
	var out bytes.Buffer
	summary, err := Run(t.Context(), tasks, samples, Options{Plugins: spamPlugins{}, Outputs: []Output{{func(dst []byte, r *Result) []byte { return append(dst, r.Task.Meta.ID...) }, &out}}})
	if err != nil {
		t.Fatal(err)
	}
	b006, _ := rule.Named("B006")
	if got := summary.Codes.Of(b006); got.Given != 3 || got.Left != 1 {
		t.Errorf("%+v", got)
	}
	total := summary.Official()
	if total.Passed != 1 || total.Unknown != 1 || total.Errors != 1 || len(summary.Given) != 2 || summary.Given[1].Name != "B006" {
		t.Errorf("%+v, %+v", total, summary.Given)
	}
}
