package api_test

import (
	"bufio"
	"fmt"
	"os"

	"codelinter/internal/serve/api"
)

// A request, its reply, and what a request that makes no sense is answered with.
func Example() {
	out := bufio.NewWriter(os.Stdout)
	for _, line := range []string{
		`{"id": 1, "task_id": 7, "completion": "x = 1\n", "verdict": "official"}`,
		`{"id": 2, "completion": "x = 1\n"`,
	} {
		request, err := api.Decode([]byte(line), api.Defaults{})
		reply := api.Reply{ID: request.ID}
		if err != nil {
			reply.Error = err.Error()
		} else {
			item := &request.Items[0]
			fmt.Printf("score %q for task %s by the %s verdict\n", item.Completions[0].Text, item.Task.ID, item.Verdict)
			reply.Scores = [][]api.Score{{{Reward: 1, Official: true, Fixed: 1}}}
		}
		api.WriteReply(out, &reply)
		out.WriteString("\n")
		out.Flush()
	}
	// Output:
	// score "x = 1\n" for task 7 by the official verdict
	// {"id": 1, "scores": [{"reward": 1.0, "official": true, "guarded": null, "proof": "", "reasons": [], "findings": 0, "fixed": 1, "left": 0, "introduced": 0, "invalid": false, "empty": false, "noqa": false, "masked": false, "milliseconds": 0.0, "error": ""}]}
	// {"id": 2, "error": "expected one whole JSON object, found its end missing at byte 33"}
}

// The short form of a task that comes with a request.
func ExampleParseTask() {
	t, err := api.ParseTask([]byte(`{"program": "x=1\n", "options": {"max-line-length": 100}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q %s\n", t.Inputs.Code, t.Meta.Options)
	// Output:
	// "x=1\n" --max-line-length=100
}

// A request names a task by its id, or carries it.
func ExampleDecodeTask() {
	for _, value := range []string{`7`, `{"program": "x=1\n"}`} {
		t, err := api.DecodeTask([]byte(value))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("id %s, inline %q\n", t.ID, t.Inline)
	}
	// Output:
	// id 7, inline ""
	// id "", inline "{\"program\": \"x=1\\n\"}"
}
