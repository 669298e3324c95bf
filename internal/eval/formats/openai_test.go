package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
	"codelinter/internal/eval/ask"
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
		"s: custom ids that are more than a task's id, which is looked for in them: 6, as 7-10 for task 7",
	}
	if diff := cmp.Diff(notes, source.Notes()); diff != "" {
		t.Error(diff)
	}
}

// What answers the requests that we write is read as the samples that were asked
// for, in their order, whatever the tasks are called and however many samples a
// request asks for.
func TestBatchOfOurs(t *testing.T) {
	tasks := newTasks(t, "7", "7-0", "70", "Mbpp/7", "a-b_c:1", "sampler")
	for _, perRequest := range []int{0, 1, 2, 3, 200} {
		var requests, answers bytes.Buffer
		o := ask.Options{Samples: 5, PerRequest: perRequest, Settings: ask.Settings{Model: "m", MaxTokens: 9, System: "s"}}
		if err := ask.WriteBatch(&requests, tasks, o); err != nil {
			t.Fatal(err)
		}
		given := 0 // answers, each of which is its number
		lines := strings.Split(strings.TrimSuffix(requests.String(), "\n"), "\n")
		for _, line := range lines {
			var request struct {
				CustomID    string `json:"custom_id"`
				Method, URL string
				Body        struct {
					N        int
					Messages []struct{ Role, Content string }
				}
			}
			if err := json.Unmarshal([]byte(line), &request); err != nil {
				t.Fatal(err)
			}
			if request.Method != "POST" || request.URL != "/v1/chat/completions" || len(request.Body.Messages) != 2 {
				t.Fatal(line)
			}
			var choices []string
			for range max(request.Body.N, 1) {
				choices = append(choices, fmt.Sprintf(`{"message": {"content": "%d"}}`, given))
				given++
			}
			fmt.Fprintf(&answers, `{"custom_id": %q, "response": {"status_code": 200, "body": {"choices": [%s]}}, "error": null}`+"\n", request.CustomID, strings.Join(choices, ", "))
		}
		source, err := Read("answers", &answers, OpenAI, tasks)
		if err != nil {
			t.Fatal(err)
		}
		got, err := drain(source)
		source.Close()
		if err != nil {
			t.Fatal(err)
		}
		var want []evaluator.Samples
		for i := range tasks.Len() {
			samples := evaluator.Samples{ID: tasks.At(i).Meta.ID}
			for k := range o.Samples {
				samples.Outputs = append(samples.Outputs, strconv.Itoa(i*o.Samples+k))
			}
			want = append(want, samples)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d samples a request: %s", perRequest, diff)
		}
	}
	if err := ask.WriteBatch(new(bytes.Buffer), newTasks(t, "7", "sample-7"), ask.Options{Samples: 2, PerRequest: 1}); err == nil {
		t.Error("requests for task 7 that name task sample-7")
	}
}
