package service

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
)

func tasks(t testing.TB, n int) *task.Set {
	list := make([]task.Task, n)
	for i := range list {
		list[i].Meta.ID = task.ID(fmt.Sprint(i))
		list[i].Inputs.Code = fmt.Sprintf("def f%d(x) :\n    return x\n", i)
	}
	set, err := task.NewSet(list)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func start(t testing.TB, o Options) *Service {
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func texts(list ...string) []api.Completion {
	completions := make([]api.Completion, len(list))
	for i := range list {
		completions[i].Text = list[i]
	}
	return completions
}

func TestScore(t *testing.T) {
	s := start(t, Options{Tasks: tasks(t, 3), Workers: 2, MaxAnswer: 1000})
	items := []api.Item{
		{Task: api.Task{ID: "1"}, Verdict: evaluator.Official, Completions: texts("def f1(x):\n    return x\n", "def f1(x) :\n    return x\n", "", string(make([]byte, 1001)))},
		{Task: api.Task{ID: "7"}, Verdict: evaluator.Guarded, Completions: texts("x = 1\n")},
		{Fault: "expected more"},
		{Task: api.Task{ID: "2"}, Verdict: evaluator.Guarded, Completions: []api.Completion{{Text: "def f2(x):\n    return x\n"}, {Fault: "no text"}}},
		{Task: api.Task{Inline: []byte(`{"program": "y=1\n"}`)}, Verdict: evaluator.Guarded, Completions: texts("y = 1\n", "y=1  # noqa\n", "(", "\"\"\"Empty.\"\"\"\n")},
		{Verdict: evaluator.Guarded, Completions: texts("import os\nos.getcwd()\n", "pass\n", "x=1  # noqa\n")},
	}
	for range 2 { // the second time, all is known
		scores, err := s.Score(t.Context(), "me", items)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, list := range scores {
			for _, score := range list {
				got = append(got, fmt.Sprintf("%v %v %s %s %v %q", score.Reward, score.Official, score.Guarded, score.Proof, score.Reasons, score.Error))
			}
		}
		want := []string{
			`1 true   [] ""`,
			`0 false   [official] ""`,
			`1 true   [] ""`,
			`0 false   [too-large] ""`,
			`0 false unknown  [] "task 7: expected the id of a known task, such as 0"`,
			`0 false unknown  [] "expected more"`,
			`1 true pass tree [] ""`,
			`0 false unknown  [] "no text"`,
			`1 true pass tree [] ""`,
			`0 true fail  [noqa] ""`,
			`0 false fail  [official] ""`,
			`0 true fail  [empty] ""`,
			`1 true pass  [] ""`,
			`0 true fail  [empty] ""`,
			`0 true fail  [noqa] ""`,
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("%d: %v\nwant %v", i, got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			}
		}
	}
	if stats := s.Stats(); stats.Known != 12 || stats.Answers != 24 || stats.Requests != 2 || stats.QueuedBytes != 0 {
		t.Errorf("%+v", stats)
	}
}

func TestLint(t *testing.T) {
	s := start(t, Options{})
	found, err := s.Lint(t.Context(), "me", &api.Lint{Files: []api.File{{Name: "a.py", Text: "import os\n"}, {Name: "__init__.py", Text: ""}}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	out := bufio.NewWriter(&text)
	api.WriteReply(out, &api.Reply{Lint: found})
	out.Flush()
	got := text.String()
	const want = `{"id": null, "files": {"a.py": [{"code":"F401","row":1,"column":1,"start":0,"end":9,"message":"'os' imported but unused"}], "__init__.py": []}, "found": {"a.py": 1, "__init__.py": 0}, "errors": {"a.py": "", "__init__.py": ""}}`
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Score scores items by a request.
func (s *Service) Score(ctx context.Context, client string, items []api.Item) ([][]api.Score, error) {
	reply, err := s.Do(ctx, client, &api.Request{Items: items})
	return reply.Scores, err
}

// Lint lints files by a request.
func (s *Service) Lint(ctx context.Context, client string, l *api.Lint) (*api.Findings, error) {
	reply, err := s.Do(ctx, client, &api.Request{Lint: l})
	return reply.Lint, err
}
