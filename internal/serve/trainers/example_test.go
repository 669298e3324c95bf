package trainers_test

import (
	"context"
	"fmt"

	"codelinter/evaluator"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/service"
	"codelinter/internal/serve/trainers"
)

// What slime posts for a sample whose label is a task, and the reward that it takes.
func Example() {
	s, err := service.New(service.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	body := []byte(`{"prompt": "Fix this: x=1", "response": "x = 1\n<|im_end|>", "label": {"program": "x=1\n"}}`)
	call, err := trainers.Slime(body, false, api.Defaults{Verdict: evaluator.Official})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := s.Do(context.Background(), "slime", &call.Request)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", call.Append(nil, &reply))
	// Output:
	// 1.0
}

// OpenRLHF sends a batch, in which the answers follow their prompts.
func ExampleOpenRLHF() {
	body := []byte(`{"query": ["Fix x=1: x = 1\n", "Fix y=1: y=1\n"], "prompts": ["Fix x=1: ", "Fix y=1: "], "labels": ["7", "8"]}`)
	call, err := trainers.OpenRLHF(body, api.Defaults{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range call.Request.Items {
		fmt.Printf("task %s: %q\n", item.Task.ID, item.Completions[0].Text)
	}
	// Output:
	// task 7: "x = 1\n"
	// task 8: "y=1\n"
}
