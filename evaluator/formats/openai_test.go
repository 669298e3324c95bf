package formats

import (
	"codelinter/evaluator"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Requests come back in any order, and some fail. Custom ids are what users make
// of a task's and a sample's.
func TestBatch(t *testing.T) {
	const text = `{"id": "b1", "custom_id": "7-10", "response": {"status_code": 200, "request_id": "r", "body": {"choices": [{"index": 0, "message": {"role": "assistant", "content": "c"}}]}}, "error": null}
{"custom_id": "7-2", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}]}}, "error": null}
{"custom_id": "request-T/8", "response": {"status_code": 200, "body": {"choices": [{"index": 0, "text": "e"}]}}}
{"custom_id": "run:T/8_3", "response": {"body": {"choices": [{"message": {"content": null, "reasoning_content": "hm"}}]}}}
{"custom_id": "7-3", "response": {"status_code": 429, "body": {"error": {"message": "m"}}}, "error": null}
{"custom_id": "7-4", "response": null, "error": {"code": "batch_expired", "message": "m"}}
{"custom_id": "request-70", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "x"}}]}}}
`
	source, err := Read("s", strings.NewReader(text), Auto, newTasks(t, "7", "T/8"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(source)
	source.Close()
	if err != nil {
		t.Fatal(err)
	}
	want := []evaluator.Samples{{ID: "7", Outputs: []string{"a", "b", "c"}}, {ID: "T/8", Outputs: []string{"e", ""}}, {ID: "request-70", Outputs: []string{"x"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	notes := []string{
		"s: read as openai-batch",
		"s: requests that failed and have no answer: 2",
		"s: messages without content, as of a model that only thought, taken for empty answers: 1",
		"s: custom ids that are more than a task's id, which is looked for in them: 4, as 7-10 for task 7",
	}
	if diff := cmp.Diff(notes, source.Notes()); diff != "" {
		t.Error(diff)
	}
}
