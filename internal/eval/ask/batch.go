package ask

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"codelinter/evaluator/task"
)

// WriteBatch writes the requests for o.Samples of each task as a file for OpenAI's
// batches or `vllm run-batch`, a line a request, in the order of the tasks:
//
//	{"custom_id": "7", "method": "POST", "url": "/v1/chat/completions", "body": {...}}
//
// o.Settings, o.Limit and o.PerRequest are as in [Ask]. The custom_id is the
// task's id. If a task has several requests, it is "sample-7-3" for the one that
// begins with sample 3. Package formats reads the output as samples of these
// tasks. It is an error if a task's own id equals such a custom_id of another
// task.
func WriteBatch(w io.Writer, tasks *task.Set, o Options) error {
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	perRequest := o.PerRequest
	if perRequest <= 0 {
		perRequest = o.Samples
	}
	perRequest = min(perRequest, maxPerRequest)
	n := tasks.Len()
	if o.Limit > 0 {
		n = min(n, o.Limit)
	}
	type request struct {
		CustomID string          `json:"custom_id"`
		Method   string          `json:"method"`
		URL      string          `json:"url"`
		Body     json.RawMessage `json:"body"`
	}
	for i := range n {
		t := tasks.At(i)
		for first := 0; first < o.Samples; first += perRequest {
			id := string(t.Meta.ID)
			if perRequest < o.Samples {
				var err error
				if id, err = requestID(tasks, t.Meta.ID, first); err != nil {
					return err
				}
			}
			body, err := o.Settings.body(t.Prompt(), min(perRequest, o.Samples-first), first, false)
			if err != nil {
				return err
			}
			if err := lines.Encode(request{id, "POST", "/v1/" + endpoint(o.Settings), body}); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// requestID returns the custom_id of one of a task's requests.
func requestID(tasks *task.Set, id task.ID, first int) (string, error) {
	name := "sample-" + string(id)
	numbered := name + "-" + strconv.Itoa(first)
	for _, taken := range []string{name, numbered} {
		if _, ok := tasks.Find(task.ID(taken)); ok {
			return "", fmt.Errorf("task %s: its requests would be taken for those of task %s", id, taken)
		}
	}
	return numbered, nil
}
