package service_test

import (
	"context"
	"fmt"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
)

// Two answers to a task that the service knows, and one to a task that it does not.
func Example() {
	tasks, err := task.NewSet([]task.Task{{Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := service.New(service.Options{Tasks: tasks})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	reply, err := s.Do(context.Background(), "a client", &api.Request{Items: []api.Item{
		{Task: api.Task{ID: "7"}, Verdict: evaluator.Official, Completions: []api.Completion{{Text: "```python\nx = 1\n```"}, {Text: "x=1\n"}}},
		{Task: api.Task{ID: "8"}, Verdict: evaluator.Official, Completions: []api.Completion{{Text: "x = 1\n"}}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range reply.Scores {
		for _, score := range item {
			fmt.Printf("reward %v, %d fixed, %d left, error %q\n", score.Reward, score.Fixed, score.Left, score.Error)
		}
	}
	// Output:
	// reward 1, 1 fixed, 0 left, error ""
	// reward 0, 0 fixed, 1 left, error ""
	// reward 0, 0 fixed, 0 left, error "task 8: expected the id of a known task, such as 7"
}

func ExampleService_Lint() {
	s, err := service.New(service.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	findings, err := s.Lint(context.Background(), "a client", &api.Lint{Files: []api.File{{Name: "spam.py", Text: "import os\n"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, file := range findings.Files {
		fmt.Printf("%s: %d: %s\n", file.Name, file.Found, file.JSON)
	}
	// Output:
	// spam.py: 1: [{"code":"F401","row":1,"column":1,"start":0,"end":9,"message":"'os' imported but unused"}]
}
